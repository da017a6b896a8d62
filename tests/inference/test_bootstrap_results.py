"""Results of the bootstrap as values: other intervals, dicts, pickles, reprs."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import polyroc as pr
import pytest

from given.bootstrap_calls import (
    COSTS,
    METHODS,
    binary,
    bits,
    boot,
    matrix,
    same,
)

# Results as values


def test_other_intervals_of_the_same_replicates() -> None:
    y, scores = matrix()
    result = boot(y, scores, "hand_till", pairs=True)
    for method in METHODS:
        for confidence in (0.5, [0.9, 0.99]):
            for sides in ("two", "upper"):
                options = {"method": method, "confidence": confidence, "sides": sides}
                other = result.with_interval(**options)
                fresh = boot(y, scores, "hand_till", pairs=True, **options)
                same(other, fresh)
                assert np.shares_memory(other.replicates, result.replicates)
    same(result.with_interval(), result)
    same(result.with_interval("percentile").with_interval("bca"), result)
    assert result.with_interval(confidence=0.9).method == "bca"


def test_intervals_that_need_more_than_was_computed() -> None:
    y, scores = binary()
    plain = boot(y, scores, "auc", method="percentile")
    with pytest.raises(ValueError, match=r"^the standard errors that method='studentized' needs "):
        plain.with_interval("studentized")
    without = plain.with_interval("bca")
    assert without.method == "percentile"
    assert without.notes == ("percentile instead of bca: the acceleration is unknown",)
    result = boot(y, scores, "auc", method="studentized")
    same(result.with_interval("bca"), boot(y, scores, "auc", method="bca"))
    with pytest.raises(ValueError, match=r"^method is 'best'; choose one of 'bca', "):
        plain.with_interval("best")
    with pytest.raises(ValueError, match=r"^confidence is 1\.5; it must lie in \(0, 1\)"):
        plain.with_interval(confidence=1.5)
    with pytest.raises(ValueError, match=r"^sides is 'left'; choose one of 'two', "):
        plain.with_interval(sides="left")


def test_dicts_are_ready_for_json() -> None:
    y, scores = matrix()
    measures = {"m": "hand_till", "each": pr.OneVsRest(None), "mu": pr.AucMu(COSTS)}
    for name, result in boot(y, scores, measures, confidence=[0.9, 0.99]).items():
        plain = result.to_dict()
        again = json.loads(json.dumps(plain, allow_nan=False))
        assert again["measure"] == repr(measures[name] if name != "m" else pr.HandTill())
        assert bits(again["replicates"]) == bits(result.replicates)
        assert bits(again["interval"]) == bits(result.interval)
        assert bits(again["estimate"]) == bits(result.estimate)
        assert again["confidence"] == [0.9, 0.99]
        assert again["seed"] == 1
        assert again["n_units"] == 60
        assert again["classes"] == list(result.classes) == [0, 1, 2]
        assert again["sizes"] == list(result.sizes) == np.bincount(y).tolist()
        for key in ("standard_error", "sides", "method", "requested_method", "notes", "first",
                    "n_lost", "n_redrawn", "n_resamples", "scheme", "stratified", "unit",
                    "degenerate", "path", "version"):  # fmt: skip
            assert key in again
    both = boot(y, scores, "hand_till", pairs=True, seed=np.uint64(2**64 - 1)).to_dict()
    again = json.loads(json.dumps(both))
    assert again["seed"] == 2**64 - 1
    assert np.shape(again["pairs"]["estimate"]) == (3, 3)


@pytest.mark.parametrize("form", ["names", "numbers", "dates", "objects"])
def test_labels_of_any_kind_are_ready_for_json(form: str) -> None:
    y, scores = matrix()
    named = {
        "names": np.array(["a", "b", "c"]),
        "numbers": np.array([-0.5, 2.0, np.inf]),
        "dates": np.array(["2020-01-01", "2020-01-02", "2020-01-03"], "datetime64[D]"),
        "objects": np.array([b"x", b"y", b"z"], dtype=object),
    }[form]
    expected = {
        "names": ["a", "b", "c"],
        "numbers": [-0.5, 2.0, "inf"],
        "dates": ["2020-01-01", "2020-01-02", "2020-01-03"],
        "objects": ["b'x'", "b'y'", "b'z'"],
    }[form]
    models = {"a": scores, "b": scores[::-1]}
    for result in (
        boot(named[y], scores),
        pr.delong(named[y], scores),
        pr.compare(named[y], models),
    ):
        out = result.to_dict()
        assert json.loads(json.dumps(out, allow_nan=False)) == out
        assert out["classes"] == expected
        assert result.classes == tuple(named.tolist())
        assert np.array_equal(result.sizes, np.bincount(y))


def test_pickles_and_copies_are_equal() -> None:
    y, scores = matrix()
    results = [
        boot(y, scores, pr.AucMu(COSTS), pairs=True),
        boot(y, scores, pr.OneVsRest(None), confidence=[0.5, 0.9]),
        boot(*binary(), "auc", method="studentized"),
    ]
    for result in results:
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            again = pickle.loads(pickle.dumps(result, protocol))
            same(again, result)
            same(again.with_interval("percentile"), result.with_interval("percentile"))
            assert repr(again) == repr(result)
        same(copy.copy(result), result)
        same(copy.deepcopy(result), result)
    head = boot(y, scores, pr.AucMu(COSTS), replicates=range(50))
    tail = boot(y, scores, pr.AucMu(COSTS), replicates=range(50, 99))
    joined = pr.BootstrapResult.join([pickle.loads(pickle.dumps(tail)), head])
    same(joined, boot(y, scores, pr.AucMu(COSTS)))


def test_results_are_frozen() -> None:
    y, scores = matrix()
    result = boot(y, scores, pairs=True)
    for name in ("estimate", "replicates", "interval", "seed", "other"):
        with pytest.raises(AttributeError):
            setattr(result, name, 1)
    for array in (result.replicates, result.interval, result.pairs.replicates):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.0


def test_arrays_of_results_are_read_only() -> None:
    result = boot(*matrix(), pr.OneVsRest(None))
    for name in ("estimate", "standard_error", "interval", "replicates"):
        assert not getattr(result, name).flags.writeable, name


def test_arrays_of_unpickled_results_are_read_only() -> None:
    again = pickle.loads(pickle.dumps(boot(*matrix())))
    assert not again.replicates.flags.writeable
    assert not again.interval.flags.writeable


PERFECT = ([0, 0, 0, 0, 1, 1, 1], [1, 2, 3, 4, 5, 6, 7])
NEWCOMBE = "all replicates are equal: Newcombe's (2006) method 5, from the sizes of the classes"


def test_few_replicates_are_named() -> None:
    y, scores = matrix()
    few = (
        "39 replicates are few for limits at 95 %: they are all but the outermost ones; pass "
        "n_resamples=1000 or more"
    )
    assert boot(y, scores, n_resamples=39).notes == (few,)
    assert boot(y, scores, n_resamples=40).notes == ()
    assert boot(y, scores, n_resamples=39, method="normal").notes == ()
    assert boot(y, scores, n_resamples=400, replicates=range(39)).notes == ()


def test_reprs() -> None:
    assert repr(boot(*PERFECT, "auc", seed=7, n_resamples=1000)) == (
        "auc 1.0000, standard error 0\n"
        "  95 % Newcombe interval: 0.5381 to 1.0000\n"
        "  1,000 replicates of 7 rows, stratified by class, seed 7\n"
        "  high scores favour class 1\n"
        f"  note: {NEWCOMBE}"
    )
    y, scores = matrix()
    result = boot(y, scores, "hand_till", sides="lower", confidence=[0.9, 0.995], pairs=True,
                  replicates=range(10, 30), method="percentile", scheme="poisson")  # fmt: skip
    (low, _), (lower, _) = result.interval
    assert repr(result) == (
        f"hand_till {result.estimate:.4f}, standard error {result.standard_error:.2g}\n"
        f"  90 % percentile lower bound: {low:.4f}\n"
        f"  99.5 % percentile lower bound: {lower:.4f}\n"
        "  20 replicates (10 to 29 of 99) of 60 rows, Poisson weights, seed 1\n"
        "  .pairs holds the same for all pairs of classes"
    )
    assert repr(result.pairs) == (
        "hand_till, 3 x 3 values: .estimate, .standard_error, .interval\n"
        "  90, 99.5 % percentile lower bounds\n"
        "  20 replicates (10 to 29 of 99) of 60 rows, Poisson weights, seed 1"
    )
    each = boot(y, scores, pr.OneVsRest(None), groups=np.arange(60) // 2, sides="upper")
    lines = repr(each).splitlines()
    assert lines[0] == "OneVsRest(average=None), one value per class"
    assert lines[1] == "  class   value  std error  95 % BCa upper bounds"
    assert lines[2].startswith(f"  0      {each.estimate[0]:.4f}  ")
    assert lines[2].endswith(f"  {each.interval[0, 1]:.4f}")
    assert lines[5] == "  99 replicates of 60 rows in 30 groups, not stratified, seed 1"
    assert (2 * each.sizes).tolist() == (2 * np.bincount(y)).tolist()
    counts = [len(set((np.arange(60) // 2)[y == k].tolist())) for k in range(3)]
    assert each.to_dict()["group_sizes"] == each.group_sizes.tolist() == counts
    with pytest.raises(ValueError, match="read-only"):
        each.sizes[0] = 1
    assert result.group_sizes is None
    levels = repr(boot(y, scores, pr.OneVsRest(None), confidence=[0.9, 0.95])).splitlines()
    assert levels[:2] == [
        "OneVsRest(average=None), 3 values: .estimate, .standard_error, .interval",
        "  90, 95 % BCa intervals",
    ]
    assert str(each) == repr(each)
    bayes = repr(boot(y, scores, scheme="bayesian")).splitlines()
    assert bayes[0].startswith("auc_mu 0.")
    assert bayes[1].startswith("  95 % BCa interval: 0.")
    assert bayes[2:] == ["  99 replicates of 60 rows, Bayesian, stratified by class, seed 1"]
    loose = repr(boot(y, scores, scheme="bayesian", stratify=False)).splitlines()
    assert loose[2:] == ["  99 replicates of 60 rows, Bayesian, not stratified, seed 1"]


def test_seeds_that_are_drawn_survive_json_in_any_language() -> None:
    y, scores = matrix()
    for _ in range(20):
        assert boot(y, scores, seed=None, n_resamples=4).seed < 2**53
    for number in range(20):
        for drawn in (np.random.default_rng(number), np.random.SeedSequence(number)):
            assert boot(y, scores, seed=drawn, n_resamples=4).seed < 2**53


def test_dicts_without_replicates_are_the_rest() -> None:
    y, scores = matrix()
    result = boot(y, scores, "hand_till", pairs=True)
    whole, short = result.to_dict(), result.to_dict(replicates=False)
    assert "replicates" not in short
    assert "replicates" not in short["pairs"]
    del whole["replicates"], whole["pairs"]["replicates"]
    assert short == whole
    both = boot(y, scores, ["hand_till", "auc_mu"]).to_dict(replicates=False)
    assert all("replicates" not in one for one in both.values())
