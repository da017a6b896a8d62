"""Bad input to `delong`: each kind is an error that names the place and the way out."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polyroc._measures.registry import MEASURES

from given.refusals import refusals

Y = np.arange(12) % 2
S = np.array([1, 4, 2, 7, 9, 5, 3, 8, 6, 10, 0, 11.0])
C = np.arange(12) % 3
P = np.random.default_rng(0).random((12, 3))
nan, inf = float("nan"), float("inf")
MATRIX_MEASURES: list[Any] = [
    "hand_till", "auc_mu", "one_vs_rest", "polar_area", pr.OneVsRest(None), pr.OneVsRest("micro"),
]  # fmt: skip


def delong(y: Any = Y, scores: Any = S, measure: Any = "auc", **options: Any) -> Any:
    return pr.delong(y, scores, measure, **options)


value_error, type_error = refusals(delong)


def test_confidence() -> None:
    inside = r"; it must lie in \(0, 1\), as 0\.95 for 95 %$"
    for level in (0, 1, 0.0, 1.0, -0.1, 1.5, 95, inf, -inf, nan):
        value_error(rf"confidence is {level}{inside}", confidence=level)
        value_error(rf"confidence\[1\] is {level}{inside}", confidence=[0.9, level])
    value_error(r"confidence is empty; pass at least one level, as 0\.95$", confidence=[])
    number = r"; pass a number in \(0, 1\)$"
    type_error(r"confidence is '0\.95', a str" + number, confidence="0.95")
    type_error(r"confidence is True, a bool" + number, confidence=True)
    type_error(r"confidence is None, a NoneType" + number, confidence=None)


@pytest.mark.parametrize("level", [1e-300, 1e-17, 2.0**-53, 0.4, 1 - 2.0**-53])
def test_every_level_inside_has_limits(level: float) -> None:
    for transform in ("logit", None):
        for sides in ("two", "lower", "upper"):
            options: dict[str, Any] = {"sides": sides, "transform": transform}
            low, high = pr.delong(Y, S, "auc", confidence=level, **options).interval
            assert 0.0 <= low <= high <= 1.0
            low, high = pr.delong(Y, Y, "auc", confidence=level, **options).interval
            assert 0.0 <= low <= high <= 1.0


def test_choices() -> None:
    choices = {"transform": "'logit', None", "sides": "'two', 'lower', 'upper'"}
    for name, words in choices.items():
        for wrong in ("Logit", "", 1, True, ["logit"], np.zeros(1000)):
            value_error(rf"{name} is .*; choose one of {words}$", **{name: wrong})
    value_error(r"sides is None; choose one of ", sides=None)
    value_error(r"transform is 'same'; choose one of 'logit', None$", transform="same")


def test_flags() -> None:
    for wrong in (1, "yes", "auto", [True]):
        type_error(r"stratify is .*; pass True, False or None$", stratify=wrong)
        type_error(r"pairs is .*; pass True or False$", C, P, "hand_till", pairs=wrong)
    type_error(r"pairs is None; pass True or False$", pairs=None)
    for count in (0, -1, 1.5, "2", True):
        value_error(r"n_threads is .*; pass a whole number >= 1, or None", n_threads=count)


def test_groups() -> None:
    value_error(r"groups has 11 values for 12 rows; pass one per row$", groups=np.arange(11))
    value_error(r"groups has 1 values for 12 rows; pass one per row$", groups=["a"])
    value_error(r"groups has shape \(12, 2\); it must be 1-D", groups=np.zeros((12, 2)))
    floats = np.arange(12.0)
    floats[7] = nan
    value_error(r"groups\[7\] is NaN; drop or impute that row first$", groups=floats)
    value_error(r"groups\[3\] is missing; drop ", groups=[*"abc", None, *"efghijkl"])
    type_error(r"groups is an? .*int; pass an array", groups=3)


def test_groups_of_several_classes_have_no_stratum() -> None:
    message = (
        r"groups\[1\] names a group with rows of several classes, which belongs to no stratum; "
    )
    mixed = np.arange(12) // 2
    value_error(message + r"pass stratify=False", groups=mixed, stratify=True)
    for measure in MATRIX_MEASURES:
        value_error(message, C, P, measure, groups=mixed, stratify=True)
    value_error(message, C, P, "hand_till", groups=mixed, stratify=True, pairs=True)
    # A row without weight is in no stratum.
    weights = np.where(Y == 0, 1.0, np.arange(12) % 4 == 3)
    groups = np.where((Y == 1) & (weights > 0), 100 + np.arange(12), np.arange(12) // 2)
    found = pr.delong(Y, S, "auc", groups=groups, stratify=True, sample_weight=weights)
    assert found.sizes.tolist() == [6, 3]


def test_a_class_of_one_row() -> None:
    lone = r"class 1 has a single row, whose spread cannot be estimated; leave the class out, or "
    one = np.array([0] * 11 + [1])
    for stratify in (None, True, False):
        value_error(lone + r"collect more$", one, S, stratify=stratify)
        value_error(lone, one, S, "hand_till", stratify=stratify, pairs=True)
    weights = np.where(C == 1, np.arange(12) == 4, 2.0)
    for measure in MATRIX_MEASURES:
        value_error(lone, C, P, measure, sample_weight=weights)
        value_error(lone, C, P, measure, sample_weight=weights, stratify=False)
    both = np.array(["a"] * 10 + ["b", "c"])
    several = r"classes \['b', 'c'\] have a single row, whose spread cannot be estimated; "
    for measure in MATRIX_MEASURES:
        value_error(several, both, P, measure)
    value_error(r"classes \[0, 1\] have a single row", [0, 1], [1.0, 2.0])


def test_a_class_in_one_group() -> None:
    lone = r"class 1 has a single group, whose spread cannot be estimated; "
    groups = np.where(Y == 1, 99, np.arange(12))
    for stratify in (None, True, False):
        value_error(lone, groups=groups, stratify=stratify)
    groups = np.where(C == 1, 99, np.arange(12))
    for measure in MATRIX_MEASURES:
        value_error(lone, C, P, measure, groups=groups)
    value_error(r"classes \[0, 1\] have a single group", groups=np.zeros(12))
    weights = np.where((Y == 1) & (np.arange(12) != 3), 0.0, 1.0)
    groups = np.arange(12) // 2
    value_error(lone, groups=groups, sample_weight=weights)


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 5), st.sampled_from([0, 1, 2, 0.5])),
                min_size=4, max_size=20), st.booleans())  # fmt: skip
@settings(max_examples=100)
def test_no_class_of_one_unit_gets_an_error_of_zero(
    rows: list[tuple[int, int, float]], grouped: bool
) -> None:
    c, g, w = (np.array(column) for column in zip(*rows, strict=True))
    scores = np.random.default_rng(0).integers(0, 3, (len(c), 3)) / 2
    there = {(i, k if grouped else a) for a, (i, k, weight) in enumerate(rows) if weight > 0}
    counts = [sum(i == k for i, _ in there) for k in range(3)]
    measure = pr.HandTill(absent="skip")
    options: dict[str, Any] = {"labels": [0, 1, 2], "sample_weight": w}
    options |= {"groups": g} if grouped else {}
    if sum(count > 0 for count in counts) < 2:
        with pytest.raises(ValueError, match=r"^(every row|sample_weight is zero)"):
            pr.delong(c, scores, measure, **options)
    elif 1 in counts:
        unit = "group" if grouped else "row"
        with pytest.raises(ValueError, match=rf"^class(es)? .* a single {unit}, whose spread"):
            pr.delong(c, scores, measure, **options)
    else:
        found = pr.delong(c, scores, measure, **options)
        assert np.asarray(found.group_sizes if grouped else found.sizes).tolist() == counts
        assert found.sizes.tolist() == np.bincount(c[w > 0], minlength=3).tolist()
        assert found.interval[0] < found.interval[1]
        assert found.standard_error > 0 or found.method == "newcombe"


def test_measures_without_a_closed_form() -> None:
    message = r"TprAt\(fpr=0\.5\) has no closed-form error; use bootstrap, "
    value_error(message, Y, S, pr.TprAt(0.5))
    value_error(message, Y, S, ["hand_till", pr.TprAt(0.5)])


def test_the_whole_range_is_the_area() -> None:
    whole = pr.delong(Y, S, pr.Auc(max_fpr=1))
    plain = pr.delong(Y, S, "auc")
    assert whole.standard_error == plain.standard_error
    np.testing.assert_array_equal(whole.interval, plain.interval)


def test_measures() -> None:
    closed = [name for name, one in MEASURES.items() if one.has_influence]
    known = rf"; choose one of {', '.join(map(repr, closed))}$"
    for name in ("of_roc", ""):
        value_error(rf"measure is '{name}'{known}", Y, S, name)
    for name, near in (
        ("AUC", "auc"),
        ("hand-till", "hand_till"),
        ("roc_auc", "auc"),
        ("pr_auc", "average_precision"),
    ):
        value_error(rf"measure is '{name}'; did you mean '{near}'\? choose one of", Y, S, name)
    value_error(r"measure is empty; name at least one$", Y, S, [])
    twice = r"measure holds 'hand_till' twice; pass a dict to give each a name of its own$"
    value_error(twice, C, P, ["hand_till", pr.HandTill("prevalence")])
    kinds = r"; pass a name, a measure object, or a list or dict of them$"
    type_error(r"measure is a function; pass pr.Auc\(\), or 'auc'$", Y, S, pr.auc)
    type_error(r"measure is a NoneType" + kinds, Y, S, None)
    type_error(r"measure holds 5; pass names or measure objects$", Y, S, ["auc", 5])


def test_measures_that_do_not_fit_the_data() -> None:
    three = r"auc compares two classes but there are 3 \[0, 1, 2\]; use hand_till or auc_mu$"
    value_error(three, C, P, "auc")
    value_error(r"polar_area needs at least three classes with rows, not 2; ", Y, S, "polar_area")
    micro = r'average="micro" pools one column per class but y_score is 1-D; '
    value_error(micro, Y, S, pr.OneVsRest("micro"))
    value_error(r"y_score is 1-D but there are 3 classes \[0, 1, 2\]; ", C, S, "hand_till")
    small = r"partition is 2 x 2 but there are 3 classes; "
    value_error(small, C, P, pr.AucMu(partition=[[0, 1], [1, 0]]))
    for measure in ("auc", "one_vs_rest"):
        y, scores = (Y, S) if measure == "auc" else (C, P)
        message = rf"pairs=True is for measures of pairs of classes, not for {measure}$"
        value_error(message, y, scores, measure, pairs=True)
    part = pr.PartialAuc(fpr=(0, 0.1))
    way = r"pass pr\.PartialAuc\(fpr=\(0\.0, 0\.1\), pairs='hand_till'\), or with pairs='auc_mu'$"
    value_error(rf"pairs=True is for measures of pairs of classes; {way}", Y, S, part, pairs=True)


def test_scores() -> None:
    scores, matrix = S.copy(), P.copy()
    scores[5] = matrix[7, 2] = nan
    value_error(r"y_score\[5\] is NaN; drop or impute that row first$", Y, scores)
    for measure in MATRIX_MEASURES:
        message = r"y_score\[7, 2\] is NaN; drop or impute that row first$"
        value_error(message, C, matrix, measure)
        value_error(message, C, matrix.astype(np.float32), measure)
        weights = np.arange(12) != 7
        value_error(message, C, matrix, measure, sample_weight=weights.astype(float))
    many = np.random.default_rng(0).random(50_000)
    many[[30_001, 49_999]] = nan
    value_error(r"y_score\[30001\] is NaN; ", np.arange(50_000) % 2, many)
    infinite = P.copy()
    infinite[4, :2] = inf
    value_error(r"y_score\[4\]: infinite scores cancel \(inf - inf\) ", C, infinite, "auc_mu")
    value_error(r"y_true has 12 rows but y_score has 11; ", Y, S[:11])
    type_error(r"y_score\[0\] is 'a', a str; ", Y, ["a"] * 12)


def test_labels_and_weights() -> None:
    one = r"every row has the label 1; an AUC compares classes: pass rows of at least two$"
    value_error(one, [1] * 12, S)
    absent = r'no row has the label 3; pass absent="skip"'
    for measure in MATRIX_MEASURES:
        value_error(absent, C, np.zeros((12, 4)), measure, labels=[0, 1, 2, 3])
    value_error(r"y_true\[2\] is 2, which is not in labels \[0, 1\]", C, S, labels=[0, 1])
    value_error(r"y_true is empty; there is nothing", [], [])
    finite = r"; weights must be finite and >= 0$"
    for wrong, shown in ((-1.0, r"-1\.0"), (nan, "NaN"), (inf, "inf")):
        weights = np.where(np.arange(12) == 3, wrong, 1.0)
        value_error(rf"sample_weight\[3\] is {shown}{finite}", sample_weight=weights)
    value_error(r"sample_weight has 11 values for 12 rows; ", sample_weight=np.ones(11))
    value_error(r"sample_weight is zero in every row; ", sample_weight=np.zeros(12))
    far = np.where(np.arange(12) == 3, 1e300, 1e-300)
    value_error(r"sample_weight holds 1e-300 beside 1e300; weights this far ", sample_weight=far)


def test_arguments_that_are_not_there() -> None:
    call: Any = pr.delong
    with pytest.raises(TypeError, match="positional"):
        call(Y, S, "auc", 0.95)
    for name in ("alpha", "method", "seed", "n_jobs"):
        with pytest.raises(TypeError, match=rf"unexpected keyword argument '{name}'"):
            call(Y, S, "auc", **{name: 1})


def test_names_that_are_proposed_are_of_measures_with_errors() -> None:
    y, s = np.arange(12) % 3, np.random.default_rng(1).random((12, 3))
    with pytest.raises(ValueError, match="choose one of") as refused:
        pr.delong(y, s, "nonsense")
    names = str(refused.value).split("choose one of ")[1].replace("'", "").split(", ")
    assert "h_measure" not in names
    for name in set(names) - {"auc", "vus", "expected_correct"}:  # two classes, or one marker
        assert pr.delong(y, s, name).standard_error > 0
    with pytest.raises(ValueError, match=r"choose one of .*'h_measure'"):
        pr.bootstrap(y, s, "nonsense")
    refusal = r"^'tpr_at' has no closed-form error; use bootstrap, with pr.TprAt\(fpr=0.05\)$"
    with pytest.raises(ValueError, match=refusal):
        pr.delong(y, s, "tpr_at")
    with pytest.raises(ValueError, match=r"which has no default; pass pr.PartialAuc"):
        pr.delong(y, s, "partial_auc")
