"""Bad input to the bootstrap: each kind is an error that names the place and the way out."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from polyroc._measures.registry import MEASURES

from given.refusals import refusals, refused

Y = np.arange(12) % 2
S = np.array([1, 4, 2, 7, 9, 5, 3, 8, 6, 10, 0, 11.0])
C = np.arange(12) % 3
P = np.random.default_rng(0).random((12, 3))
nan, inf = float("nan"), float("inf")


def boot(y: Any = Y, scores: Any = S, measure: Any = "auc", **options: Any) -> Any:
    return pr.bootstrap(y, scores, measure, **{"n_resamples": 50, "seed": 1, **options})


value_error, type_error = refusals(boot)


def test_numbers_of_resamples() -> None:
    for count in (0, -1, np.int64(-7), -(2**70)):
        message = rf"n_resamples is {count}; at least one replicate is needed$"
        value_error(message, n_resamples=count)
    for wrong in (2.5, 99.0, True, np.True_, "99", None, [99], nan):
        message = r"n_resamples is .*; pass a whole number, as 9999$"
        type_error(message, n_resamples=wrong)


def test_too_many_resamples_to_number() -> None:
    value_error(r"n_resamples is 4611686018427387905; at most ", n_resamples=2**62 + 1)


HUGE = """
import resource, sys
import polyroc as pr
resource.setrlimit(resource.RLIMIT_AS, (4 * 2**30, 4 * 2**30))
try:
    pr.bootstrap([0, 1, 0, 1], [1, 2, 3, 4], "auc", n_resamples={count}, seed=1)
except MemoryError as error:
    print("MemoryError:", error)
"""


@pytest.mark.slow
@pytest.mark.parametrize("count", ["10**13", "2**61"])
@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit on memory")
def test_results_beyond_the_memory(count: str) -> None:
    code = HUGE.format(count=count)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr[-500:]
    assert done.stdout.startswith("MemoryError: ")


def test_confidence() -> None:
    inside = r"; it must lie in \(0, 1\), as 0\.95 for 95 %$"
    for level in (0, 1, 0.0, 1.0, -0.1, 1.5, 95, inf, -inf, nan):
        value_error(rf"confidence is {level}{inside}", confidence=level)
        value_error(rf"confidence\[1\] is {level}{inside}", confidence=[0.9, level])
    value_error(r"confidence\[0\] is 95\.0" + inside, confidence=np.array([95.0]))
    value_error(r"confidence is empty; pass at least one level, as 0\.95$", confidence=[])
    value_error(r"confidence is empty; pass at least one level", confidence=np.empty(0))
    number = r"; pass a number in \(0, 1\)$"
    type_error(r"confidence is '0\.95', a str" + number, confidence="0.95")
    type_error(r"confidence is True, a bool" + number, confidence=True)
    type_error(r"confidence is None, a NoneType" + number, confidence=None)
    type_error(r"confidence\[1\] is None, a NoneType" + number, confidence=[0.9, None])
    type_error(r"confidence\[0\] is \[0\.9\], a list" + number, confidence=[[0.9]])


def test_ranges_of_replicates() -> None:
    beyond = r", beyond the 50 of the run; raise n_resamples or stay within it$"
    value_error(r"replicates is range\(0, 51\)" + beyond, replicates=range(51))
    value_error(r"replicates is range\(50, 51\)" + beyond, replicates=range(50, 51))
    value_error(r"replicates is range\(-1, 5\)" + beyond, replicates=range(-1, 5))
    one = r"; pass a range of at least one, step 1$"
    for empty in (range(0), range(7, 7), range(9, 3)):
        value_error(rf"replicates is {re.escape(repr(empty))}{one}", replicates=empty)
    value_error(r"replicates is range\(0, 10, 2\)" + one, replicates=range(0, 10, 2))
    value_error(r"replicates is range\(10, 0, -1\)" + one, replicates=range(10, 0, -1))
    for wrong in (10, [0, 1, 2], (0, 10), slice(0, 10), np.arange(10), "0:10"):
        message = r"replicates is .*; pass a range, as range\(0, 5000\)$"
        type_error(message, replicates=wrong)


def test_groups() -> None:
    value_error(r"groups has 11 values for 12 rows; pass one per row$", groups=np.arange(11))
    value_error(r"groups has 1 values for 12 rows; pass one per row$", groups=["a"])
    floats = np.arange(12.0)
    floats[7] = nan
    drop = r"; drop or impute that row first$"
    value_error(r"groups\[7\] is NaN" + drop, groups=floats)
    value_error(r"groups\[7\] is NaN" + drop, groups=floats.tolist())
    value_error(r"groups\[3\] is missing" + drop, groups=[*"abc", None, *"efghijkl"])
    objects = np.array([*"abcde", nan, *"ghijkl"], dtype=object)
    value_error(r"groups\[5\] is missing" + drop, groups=objects)
    days = np.array(["2020-01-01"] * 11 + ["NaT"], dtype="datetime64[D]")
    value_error(r"groups\[11\] is NaT" + drop, groups=days)
    value_error(r"groups has shape \(12, 2\); it must be 1-D", groups=np.zeros((12, 2)))
    type_error(r"groups is an? .*int; pass an array", groups=3)
    value_error(r"groups is empty", groups=[])


def test_groups_that_cannot_be_told_apart() -> None:
    groups = np.empty(12, dtype=object)
    groups[:] = [[k] for k in range(12)]
    type_error(r"groups\[0\]: .*; name groups by numbers or strings$", groups=groups)


def test_groups_of_several_classes_have_no_stratum() -> None:
    groups = np.arange(12) // 2
    message = (
        r"groups\[1\] names a group with rows of several classes, which belongs to no stratum; "
        r"pass stratify=False to resample groups whatever their classes$"
    )
    value_error(message, groups=groups, stratify=True)
    value_error(message, groups=groups, stratify=True, scheme="bayesian")
    groups = np.where(np.arange(12) < 9, np.arange(12) % 2, 5)
    value_error(r"groups\[10\] names a group with ", groups=groups, stratify=True)


def test_choices() -> None:
    choices = {
        "scheme": "'multinomial', 'poisson', 'bayesian'",
        "method": "'bca', 'percentile', 'basic', 'normal', 'studentized', 'corrected'",
        "sides": "'two', 'lower', 'upper'",
        "degenerate": "'skip', 'redraw', 'raise'",
    }
    for name, words in choices.items():
        for wrong in ("BCa", "", None, 1, True, ["bca"], np.zeros(1000)):
            if name == "method" and wrong is None:  # the measure's usual one
                continue
            message = rf"{name} is .*; choose one of {words}$"
            value_error(message, **{name: wrong})


def test_flags() -> None:
    for wrong in (1, "yes", "auto", [True]):
        type_error(r"stratify is .*; pass True, False or None$", stratify=wrong)
        type_error(r"pairs is .*; pass True or False$", P, pairs=wrong)
    type_error(r"pairs is None; pass True or False$", pairs=None)
    bar = r"; pass True for a bar, or a function of \(done, total\)$"
    type_error(r"progress is 'yes'" + bar, progress="yes")
    type_error(r"progress is 1" + bar, progress=1)
    type_error(r"progress is None" + bar, progress=None)


def test_poisson_weights_fix_no_class_count() -> None:
    message = (
        r'scheme="poisson" draws every weight by itself and fixes no class count; '
        r'leave stratify out, or use scheme="multinomial"$'
    )
    value_error(message, scheme="poisson", stratify=True)
    value_error(message, scheme="poisson", stratify=np.True_, groups=np.arange(12))


def test_studentized_is_for_one_auc_of_plain_rows() -> None:
    def single(measure: str) -> str:
        shown = re.escape(measure)
        return (
            rf"method='studentized' is for a single AUC, not for {shown} on these scores; "
            r"use method='bca'$"
        )

    options = {"method": "studentized"}
    for measure in (pr.HandTill(), pr.AucMu(), pr.OneVsRest(), pr.PolarArea(), pr.OneVsRest(None)):
        value_error(single(repr(measure)), C, P, measure, **options)
    value_error(single("Auc(max_fpr=0.5)"), Y, S, pr.Auc(max_fpr=0.5), **options)
    value_error(single("OneVsRest(average=None)"), Y, S, pr.OneVsRest(None), **options)
    two = np.column_stack([-S, S])
    value_error(single("HandTill()"), Y, two, "hand_till", **options)
    value_error(single("AucMu()"), Y, two, ["auc", "auc_mu"], **options)
    rows = (
        r"method='studentized' knows rows of weight one alone: no groups, no sample_weight and "
        r"scheme='multinomial'; use method='bca'$"
    )
    value_error(rows, groups=np.arange(12), **options)
    value_error(rows, sample_weight=np.ones(12), **options)
    value_error(rows, scheme="poisson", **options)
    value_error(rows, scheme="bayesian", method="studentised")


def test_seeds() -> None:
    within = r"; it must lie in 0 \.\. 2\^64 - 1$"
    value_error(r"seed is -1" + within, seed=-1)
    value_error(r"seed is -3" + within, seed=np.int8(-3))
    value_error(r"seed is 18446744073709551616" + within, seed=2**64)
    kinds = r"; pass a whole number, a numpy Generator or SeedSequence, or None$"
    for wrong in (1.0, 0.5, nan, True, np.False_, "1", b"1", [1], (1, 2), np.arange(2)):
        type_error(r"seed is .*" + kinds, seed=wrong)
    type_error(r"seed is RandomState\(MT19937\)" + ".*" + kinds, seed=np.random.RandomState(1))
    type_error(r"seed is .*" + kinds, seed=np.random.PCG64(1))


def test_memory() -> None:
    positive = r"; pass a positive number of bytes$"
    value_error(r"max_memory is 0" + positive, max_memory=0)
    value_error(r"max_memory is -1" + positive, max_memory=-1)
    for wrong in (1e9, 0.5, True, "1 GB", [2**30]):
        message = r"max_memory is .*; pass a whole number of bytes, or None$"
        type_error(message, max_memory=wrong)
    for budget in (1, 100, 1000):
        message = (
            rf"the bootstrap needs about (\d+) bytes of memory and may use {budget}; "
            r"pass max_memory=\1 or more, fewer measures at a time, or leave out pairs=True$"
        )
        refused(MemoryError, message, boot, max_memory=budget)
        every = ["hand_till", "auc_mu"]
        refused(MemoryError, message, boot, C, P, every, max_memory=budget, pairs=True)


def test_thread_counts() -> None:
    for count in (0, -1, 1.5, "2", True):
        value_error(r"n_threads is .*; pass a whole number >= 1, or None", n_threads=count)


def test_measures() -> None:
    known = rf"; choose one of {', '.join(map(repr, MEASURES))}$"
    for name in ("of_roc", "macro", ""):
        value_error(rf"measure is '{name}'{known}", Y, S, name)
        value_error(rf"measure is '{name}'{known}", Y, S, ["auc", name])
        value_error(rf"measure is '{name}'{known}", Y, S, {"mine": name})
    nothing: list[Any] = [[], (), {}, iter(())]
    for empty in nothing:
        value_error(r"measure is empty; name at least one$", Y, S, empty)
    names = r"; pass names or measure objects$"
    type_error(r"measure holds 5" + names, Y, S, [5])
    type_error(r"measure holds None" + names, Y, S, ["auc", None])
    type_error(r"measure holds \['auc'\]" + names, Y, S, [["auc"]])
    type_error(r"measure holds <function auc at .*>" + names, Y, S, {"a": pr.auc})
    kinds = r"; pass a name, a measure object, or a list or dict of them$"
    type_error(r"measure is a function; pass pr.Auc\(\), or 'auc'$", Y, S, pr.auc)
    type_error(r"measure is a type; pass pr.Auc\(\), or 'auc'$", Y, S, pr.Auc)
    type_error(r"measure is a type" + kinds, Y, S, int)
    type_error(r"measure is a NoneType" + kinds, Y, S, None)
    type_error(r"measure is an? int" + kinds, Y, S, 5)
    twice = r"measure holds 'auc' twice; pass a dict to give each a name of its own$"
    value_error(twice, Y, S, ["auc", pr.Auc(max_fpr=0.5)])
    value_error(twice, Y, S, ["auc", "auc"])


def test_measures_that_do_not_fit_the_data() -> None:
    three = r"auc compares two classes but there are 3 \[0, 1, 2\]; use hand_till or auc_mu$"
    value_error(three, C, P, "auc")
    value_error(three, C, P, ["hand_till", "auc"])
    value_error(r"polar_area needs at least three classes with rows, not 2; ", Y, S, "polar_area")
    micro = r'average="micro" pools one column per class but y_score is 1-D; '
    value_error(micro, Y, S, pr.OneVsRest("micro"))
    value_error(r"y_score is 1-D but there are 3 classes \[0, 1, 2\]; ", C, S, "hand_till")
    value_error(r"y_score has 3 columns but there are 2 classes \[0, 1\]; ", Y, P, "hand_till")
    small = r"partition is 2 x 2 but there are 3 classes; "
    value_error(small, C, P, pr.AucMu(partition=[[0, 1], [1, 0]]))
    order = pr.PolarArea(order=[(0, 1), (0, 2), (1, 9)])
    value_error(r"order names 9, but the labels are \[0, 1, 2\]; ", C, P, order)


def test_pairs_of_measures_that_have_none() -> None:
    for measure in ("auc", "one_vs_rest"):
        y, scores = (Y, S) if measure == "auc" else (C, P)
        message = rf"pairs=True is for measures of pairs of classes, not for {measure}$"
        value_error(message, y, scores, measure, pairs=True)
    value_error(
        r"pairs=True is for .*, not for one_vs_rest$", C, P, ["hand_till", "one_vs_rest"],
        pairs=True,
    )  # fmt: skip


def test_scores() -> None:
    scores, matrix = S.copy(), P.copy()
    scores[5] = matrix[7, 2] = nan
    for scheme in ("multinomial", "poisson", "bayesian"):
        message = r"y_score\[5\] is NaN; drop or impute that row first$"
        value_error(message, Y, scores, scheme=scheme)
        message = r"y_score\[7, 2\] is NaN; drop or impute that row first$"
        for measure in ("hand_till", "auc_mu", "one_vs_rest", "polar_area"):
            value_error(message, C, matrix, measure, scheme=scheme)
            value_error(message, C, matrix.astype(np.float32), measure, pairs=False)
    many = np.random.default_rng(0).random(50_000)
    many[[30_001, 49_999]] = nan
    value_error(r"y_score\[30001\] is NaN; ", np.arange(50_000) % 2, many)
    value_error(r"y_true has 12 rows but y_score has 11; ", Y, S[:11])
    infinite = P.copy()
    infinite[4, :2] = inf
    value_error(r"y_score\[4\]: infinite scores cancel \(inf - inf\) ", C, infinite, "auc_mu")
    type_error(r"y_score\[0\] is 'a', a str; ", Y, ["a"] * 12)


def test_labels_and_weights() -> None:
    one = r"every row has the label 1; an AUC compares classes: pass rows of at least two$"
    value_error(one, [1] * 12, S)
    value_error(one, [1] * 12, P, "hand_till", labels=[0, 1, 2])
    absent = r'no row has the label 3; pass absent="skip"'
    value_error(absent, C, np.zeros((12, 4)), "hand_till", labels=[0, 1, 2, 3])
    value_error(r"y_true\[2\] is 2, which is not in labels \[0, 1\]", C, S, labels=[0, 1])
    value_error(r"y_true is empty; there is nothing", [], [])
    weights = np.ones(12)
    weights[3] = -1.0
    finite = r"; weights must be finite and >= 0$"
    value_error(r"sample_weight\[3\] is -1\.0" + finite, sample_weight=weights)
    weights[3] = nan
    value_error(r"sample_weight\[3\] is NaN" + finite, sample_weight=weights)
    value_error(r"sample_weight has 11 values for 12 rows; ", sample_weight=weights[:11])
    value_error(r"sample_weight is zero in every row; ", sample_weight=np.zeros(12))
    lone = r"every row of positive weight has the label 1; "
    value_error(lone, sample_weight=Y.astype(float))


def test_no_replicate_has_all_classes() -> None:
    # Half of all draws of two rows are of one row alone.
    told = []
    for seed in range(20):
        try:
            pr.bootstrap([0, 1], [1, 2], "auc", n_resamples=1, seed=seed, stratify=False)
        except ValueError as error:
            told.append(str(error))
    assert 2 < len(told) < 18
    assert set(told) == {"1 of 1 replicate lost a class; stratify=True keeps all classes"}


@pytest.mark.slow
def test_a_replicate_that_cannot_be_drawn() -> None:
    # Forty classes of one row each: no draw from all rows together ever has them all.
    y, scores = np.arange(40), np.random.default_rng(0).random((40, 40))
    message = (
        r"replicate 0 lost a class in each of \d+ draws; a class is too rare to be resampled like "
        r'this: pass stratify=True or degenerate="skip"$'
    )
    options = {"stratify": False, "degenerate": "redraw", "n_resamples": 2}
    value_error(message, y, scores, "hand_till", **options)


def test_arguments_that_are_not_there() -> None:
    call: Any = pr.bootstrap
    with pytest.raises(TypeError, match="positional"):
        call(Y, S, "auc", 99)
    for name in ("B", "rng", "random_state", "alpha", "n_jobs"):
        with pytest.raises(TypeError, match=rf"unexpected keyword argument '{name}'"):
            call(Y, S, "auc", **{name: 1})
