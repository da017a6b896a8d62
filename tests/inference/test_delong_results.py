"""What `delong` gives back: intervals, bounds, and a result that stays as it is."""

from __future__ import annotations

import json
import pickle
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polyroc._inference.estimate import Estimate
from polyroc._stats.newcombe import FromAuc
from polyroc._stats.normal_interval import Scale, closed_interval
from scipy.optimize import brentq
from scipy.special import expit, logit
from scipy.stats import norm

from oracle.delong_reference import scored

Y, P = scored([11, 10, 12], 12, votes=9)
S = [1, 4, 2, 3, 5, 6.0]
TWO = [0, 0, 0, 1, 1, 1]
MEASURES = ["hand_till", "auc_mu", "one_vs_rest", "polar_area"]
MORE: list[Any] = [*MEASURES, pr.OneVsRest("micro"), pr.HandTill("prevalence")]
LEVELS = [0.5, 0.9, 0.95, 0.999]
FEW = "class {} has {}, from which its spread is badly known, and the interval may be too short; {}"
MORE_ROWS = "collect more"
PUBLISHED = FEW.format("1", "10 rows", 'pass reference="t"')


def share_of_range(result: Estimate) -> tuple[float, float, float]:
    """The estimate and its error as shares of the largest value, and that value."""
    top = 1.299038105676658 if result.measure.name == "polar_area" else 1.0  # q/2 sin(2 pi/q)
    return result.estimate / top, result.standard_error / top, top


@pytest.mark.parametrize("measure", MEASURES)
def test_logit_intervals(measure: str) -> None:
    result = pr.delong(Y, P, measure, confidence=LEVELS, reference="normal")
    p, se, top = share_of_range(result)
    for level, (low, high) in zip(LEVELS, result.interval, strict=True):
        z = norm.ppf((1 + level) / 2)
        ends = top * expit(logit(p) + np.array([-1, 1]) * z * se / (p * (1 - p)))
        np.testing.assert_allclose([low, high], ends, rtol=1e-12)
        assert 0 < low < result.estimate < high < top
    assert (np.diff(result.interval[:, 0]) < 0).all()
    assert (np.diff(result.interval[:, 1]) > 0).all()
    assert (result.method, result.transform, result.notes) == ("logit", "logit", (PUBLISHED,))
    assert result.confidence == tuple(LEVELS)


@pytest.mark.parametrize("measure", MEASURES)
def test_plain_intervals_are_cut_off_at_the_range(measure: str) -> None:
    result = pr.delong(Y, P, measure, confidence=0.95, transform=None, reference="normal")
    _, _, top = share_of_range(result)
    half = norm.ppf(0.975) * result.standard_error
    ends = np.clip([result.estimate - half, result.estimate + half], 0, top)
    np.testing.assert_allclose(result.interval, ends, rtol=1e-12)
    assert result.method == "plain"
    wide = result.with_interval(confidence=1 - 1e-15).interval
    assert 0.0 <= wide[0] < result.estimate < wide[1] == pytest.approx(top)


@pytest.mark.parametrize("transform", ["logit", None])
def test_one_sided_bounds(transform: Any) -> None:
    two = pr.delong(Y, P, "hand_till", confidence=0.9, transform=transform)
    lower = two.with_interval(confidence=0.95, sides="lower")
    upper = two.with_interval(confidence=0.95, sides="upper")
    np.testing.assert_allclose(lower.interval, [two.interval[0], 1.0], rtol=1e-12)
    np.testing.assert_allclose(upper.interval, [0.0, two.interval[1]], rtol=1e-12)
    area = pr.delong(Y, P, "polar_area", sides="lower", transform=transform)
    assert area.interval[1] == pytest.approx(1.299038105676658)


@given(
    st.floats(0, 1), st.floats(0, 0.5), st.floats(0, 1, exclude_min=True, exclude_max=True),
    st.sampled_from(["two", "lower", "upper"]), st.sampled_from(["logit", None]),
)  # fmt: skip
def test_limits_stay_in_order_and_range(
    share: float, error: float, level: float, sides: str, transform: str | None
) -> None:
    scale = Scale((0.25, 2.0), FromAuc(2), (2, 5))
    estimate = 0.25 + 1.75 * share
    found = closed_interval(estimate, error, scale, np.array([level]), sides, transform)
    assert 0.25 <= found.low[0] <= found.high[0] <= 2.0
    if sides == "two" and found.method != "newcombe":
        assert found.low[0] - 1e-12 <= estimate <= found.high[0] + 1e-12


def newcombe(auc: float, m: int, n: int, z: float) -> float:
    """The theta below auc with auc - theta = z sqrt(V(theta)): Newcombe 2006, m < n by size."""

    def gap(t: float) -> float:
        few, many = sorted([(1 - t) / (2 - t), t / (1 + t)])
        V = t * (1 - t) / (m * n) * (1 + (m - 1) * few + (n - 1) * many)
        return float(auc - t - z * np.sqrt(V))

    return float(brentq(gap, 1e-9, auc - 1e-9, xtol=1e-13))


def test_perfect_separation_has_an_interval() -> None:
    y = np.repeat([0, 1, 2], [5, 7, 11])
    scores = np.eye(3)[y]
    for measure, power in (*((one, 1) for one in MEASURES[:3]), ("polar_area", 2)):
        result = pr.delong(y, scores, measure, reference="normal")
        top = share_of_range(result)[2]
        assert result.estimate == pytest.approx(top)
        assert result.standard_error < 1e-12
        low = newcombe(1.0, 5, 7, norm.ppf(0.975)) ** power
        np.testing.assert_allclose(result.interval, [low * top, top], rtol=1e-9)
        assert result.method == "newcombe"
        assert result.notes == (
            "the closed-form error is zero: Newcombe's (2006) method 5, from the sizes of the "
            "two smallest classes",
        )
        assert result.with_interval(transform=None).method == "newcombe"
        by_t = pr.delong(y, scores, measure)
        assert (by_t.method, by_t.interval[1]) == ("t", result.interval[1])
        assert by_t.interval[0] < result.interval[0]
        assert by_t.notes == (
            "the closed-form error is zero: the limit is that with half a row more that knows "
            "nothing",
        )
    binary = pr.delong(TWO, [1, 2, 3, 4, 5, 6], "auc", confidence=[0.5, 0.95])
    assert binary.interval[1, 0] < binary.interval[0, 0] < binary.interval[0, 1] == 1.0
    worst = pr.delong(TWO, [6, 5, 4, 3, 2, 1], "auc")
    np.testing.assert_allclose(worst.interval, 1 - binary.interval[1][::-1], atol=1e-12)
    groups = pr.delong(y, scores, "auc_mu", groups=np.arange(23) // 2)
    assert groups.interval[0] < pr.delong(y, scores, "auc_mu").interval[0]


def test_constant_scores_have_an_interval_about_one_half() -> None:
    for measure in ("auc", "hand_till", "auc_mu", "one_vs_rest"):
        result = pr.delong(TWO, np.zeros((6, 2)), measure)
        assert (result.estimate, result.method) == (0.5, "newcombe")
        assert result.interval.sum() == pytest.approx(1.0)
        assert 0.1 < result.interval[0] < 0.2


def test_some_values_may_have_no_error() -> None:
    scores = P.copy()
    scores[:, 0] = Y == 0
    assert pr.delong(Y, scores, pr.OneVsRest(None)).method == "t"
    result = pr.delong(Y, scores, pr.OneVsRest(None), reference="normal")
    assert result.method == "newcombe, logit"
    assert result.standard_error[0] == pytest.approx(0, abs=1e-15)
    assert (result.standard_error[1:] > 0.01).all()
    assert (result.interval[:, 0] < result.estimate).all()
    rows = [
        f"  {k}      {value:.4f}  {error:9.2g}  {low:.4f} to {high:.4f}\n"
        for k, (value, error, (low, high)) in enumerate(
            zip(result.estimate, result.standard_error, result.interval, strict=True)
        )
    ]
    assert repr(result) == (
        "OneVsRest(average=None), one value per class\n"
        "  class   value  std error  95 % Newcombe, DeLong (logit) intervals\n"
        + "".join(rows)
        + "  33 rows, class counts vary, as they enter OneVsRest(average=None)\n"
        "  note: the closed-form error is zero: Newcombe's (2006) method 5, from the sizes of the "
        "class and the rest\n"
        f"  note: {PUBLISHED}"
    )


def test_shapes() -> None:
    each = pr.delong(Y, P, pr.OneVsRest(None), confidence=LEVELS, pairs=False)
    assert each.interval.shape == (4, 3, 2)
    assert each.standard_error.shape == (3,)
    one = pr.delong(Y, P, "hand_till", pairs=True)
    assert isinstance(one.estimate, float)
    assert isinstance(one.standard_error, float)
    assert one.interval.shape == (2,)
    assert one.covariance is not None
    assert one.covariance.shape == (1, 1)
    assert one.pairs is not None
    assert one.pairs.interval.shape == (3, 3, 2)
    assert one.with_interval(confidence=LEVELS).interval.shape == (4, 2)
    several = one.with_interval(confidence=LEVELS).pairs
    assert several is not None
    assert several.interval.shape == (4, 3, 3, 2)
    assert np.isnan(several.interval[:, [0, 1, 2], [0, 1, 2]]).all()
    assert pr.delong(Y, P, confidence=[0.9]).interval.shape == (1, 2)


def test_several_measures_are_each_as_alone() -> None:
    listed = pr.delong(Y, P, MEASURES, stratify=False)
    named = pr.delong(Y, P, {"a": pr.HandTill(), "b": pr.HandTill("prevalence")})
    assert list(listed) == MEASURES
    assert list(named) == ["a", "b"]
    for name in MEASURES:
        alone = pr.delong(Y, P, name, stratify=False)
        assert listed[name].to_dict() == alone.to_dict()
    assert pr.delong(Y, P).measure == pr.AucMu()


def test_other_intervals_of_the_same_estimate() -> None:
    result = pr.delong(Y, P, "hand_till", pairs=True)
    other = result.with_interval(confidence=0.8, sides="upper", transform=None)
    fresh = pr.delong(Y, P, "hand_till", confidence=0.8, sides="upper", transform=None, pairs=True)
    assert other.to_dict() == fresh.to_dict()
    assert other.with_interval(0.95, "two", "logit").to_dict() == result.to_dict()
    assert result.with_interval().to_dict() == result.to_dict()
    with pytest.raises(ValueError, match=r"^confidence is 1; it must lie in \(0, 1\)"):
        result.with_interval(1)
    with pytest.raises(ValueError, match=r"^sides is 'both'; choose one of 'two', 'lower', "):
        result.with_interval(sides="both")
    with pytest.raises(ValueError, match=r"^transform is 'log'; choose one of 'logit', None$"):
        result.with_interval(transform="log")


def test_results_are_shown() -> None:
    result = pr.delong(TWO, S, "auc")
    assert (
        repr(result)
        == str(result)
        == (
            "auc 0.8889, standard error 0.16\n"
            "  95 % DeLong (t) interval: 0.0890 to 0.9999\n"
            "  6 rows, class counts fixed\n"
            "  high scores favour class 1\n"
            f"  note: {FEW.format('0', '3 rows', MORE_ROWS)}"
        )
    )
    lower = pr.delong(TWO, S, "auc", confidence=[0.9, 0.99], sides="lower", transform=None,
                      groups=[1, 2, 3, 3, 2, 1])  # fmt: skip
    assert repr(lower) == (
        "auc 0.8889, standard error 0.11\n"
        "  90 % DeLong (plain t) lower bound: 0.6794\n"
        "  99 % DeLong (plain t) lower bound: 0.1150\n"
        "  6 rows in 3 groups, class counts vary\n"
        "  high scores favour class 1\n"
        f"  note: {FEW.format('0', '3 groups', MORE_ROWS)}"
    )
    pairs = pr.delong(Y, P, "hand_till", pairs=True)
    assert repr(pairs).endswith("\n  .pairs holds the same for all pairs of classes")
    assert repr(pairs.pairs) == (
        "hand_till, one value per pair of classes\n"
        "  first  second   value  std error  95 % DeLong (t) intervals\n"
        "  0      1       0.7500       0.11  0.4499 to 0.9143\n"
        "  0      2       0.9110      0.048  0.7160 to 0.9744\n"
        "  1      2       0.8083      0.078  0.5618 to 0.9298\n"
        "  33 rows, class counts fixed"
    )


def test_results_are_plain_values_too() -> None:
    result = pr.delong(TWO, S, "auc")
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False)) == {
        "measure": "Auc()",
        "estimate": 8 / 9,
        "standard_error": result.standard_error,
        "interval": result.interval.tolist(),
        "covariance": np.asarray(result.covariance).tolist(),
        "confidence": 0.95,
        "sides": "two",
        "transform": "logit",
        "reference": "t",
        "freedom": 2.0,
        "method": "t",
        "notes": [FEW.format("0", "3 rows", MORE_ROWS)],
        "stratified": True,
        "counted_in": "",
        "unit": "row",
        "n_units": 6,
        "classes": [0, 1],
        "favoured": 1,
        "sizes": [3, 3],
        "group_sizes": None,
        "version": pr.__version__,
    }
    pairs = pr.delong(Y, P, "hand_till", confidence=LEVELS, pairs=True, transform=None).to_dict()
    text = json.loads(json.dumps(pairs, allow_nan=False))
    assert text["pairs"]["covariance"] is None
    assert text["transform"] is None
    assert text["pairs"]["estimate"][1][1] is None
    assert text["pairs"]["interval"][3][0][0] == [None, None]


def test_results_cannot_be_changed() -> None:
    result = pr.delong(Y, P, "hand_till", pairs=True)
    again = pickle.loads(pickle.dumps(result))
    assert again.to_dict() == result.to_dict()
    assert repr(again) == repr(result)
    assert again.with_interval(0.8).to_dict() == result.with_interval(0.8).to_dict()
    assert result.pairs is not None
    for one in (result, result.pairs, again, again.pairs, result.with_interval(0.5)):
        arrays = [value for value in vars(one).values() if isinstance(value, np.ndarray)]
        arrays += [] if one.covariance is None else [one.covariance]
        assert len(arrays) >= 3
        for array in arrays:
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0.0
        changed: Any = one
        with pytest.raises(FrozenInstanceError):
            changed.estimate = 1.0


def test_labels_in_another_order() -> None:
    order = [2, 0, 1]
    names = np.array(["x", "y", "z"])[Y]
    for measure in MORE:
        plain = pr.delong(Y, P, measure)
        moved = pr.delong(Y, P[:, order], measure, labels=order)
        named = pr.delong(names, P[:, order], measure, labels=["z", "x", "y"])
        assert moved.standard_error == pytest.approx(plain.standard_error, rel=1e-12)
        assert named.standard_error == moved.standard_error
        assert moved.sizes.tolist() == [12, 11, 10]


def test_scale_of_weights_does_not_matter() -> None:
    w = np.random.default_rng(1).integers(1, 9, 33).astype(float)
    for measure in MORE:
        plain = pr.delong(Y, P, measure, sample_weight=w)
        for scale in (0.5, 1e300, 1e-300, 1e-308):
            found = pr.delong(Y, P, measure, sample_weight=w * scale)
            assert found.standard_error == pytest.approx(plain.standard_error, rel=1e-9)
            np.testing.assert_allclose(found.interval, plain.interval, rtol=1e-9)
        ones = pr.delong(Y, P, measure, sample_weight=np.ones(33))
        assert ones.to_dict() == pr.delong(Y, P, measure).to_dict()


def test_rows_of_one_overwhelming_weight() -> None:
    # Rows 0 and 3 are all that counts. Without either of them the AUC is another one, and one row
    # says nothing of what others may be.
    w = [1e12, 1, 1, 1e12, 1, 1]
    result = pr.delong(TWO, S, "auc", sample_weight=w)
    without = [pr.auc(np.delete(TWO, k), np.delete(S, k), sample_weight=np.delete(w, k))
               for k in (0, 3)]  # fmt: skip
    expected = np.sqrt(sum(2 / 3 * (1 - value) ** 2 for value in without))
    assert result.standard_error == pytest.approx(expected, rel=1e-3)
    assert result.interval.tolist() == [0.0, 1.0]
    assert result.notes[0].startswith("class 0 has 3 rows, worth 1.0 of equal weight, from which")


def test_infinite_scores_are_the_largest() -> None:
    finite, infinite = P.copy(), P.copy()
    for at, value in (((3, 1), 1e3), ((8, 0), -1e3), ((20, 2), 1e3)):
        finite[at], infinite[at] = value, np.copysign(np.inf, value)
    for measure in ("hand_till", "one_vs_rest", "polar_area", pr.OneVsRest("micro")):
        expected = pr.delong(Y, finite, measure).to_dict()
        assert pr.delong(Y, infinite, measure).to_dict() == expected


def test_plain_limits_by_t_say_so() -> None:
    result = pr.delong(Y, P, "hand_till", transform=None)
    assert result.method == "plain t"
    assert "95 % DeLong (plain t) interval" in repr(result)
    test = result.test(0.5)
    assert "t = " in repr(test)
    assert "two-sided test, DeLong (plain t)" in repr(test)


@pytest.mark.parametrize("call", [pr.delong, pr.bootstrap])
def test_tables_of_pairs(call: Any) -> None:
    options = {} if call is pr.delong else {"n_resamples": 20, "seed": 1}
    one = call(Y, P, "hand_till", pairs=True, **options)
    both = call(Y, P, ["hand_till", "auc_mu"], pairs=True, **options)
    lines = one.to_markdown("pairs").splitlines()
    assert [line.split(" | ")[0] for line in lines[2:]] == ["| 0", "| 0", "| 1"]
    assert lines == one.pairs.to_markdown().splitlines()
    assert one.to_latex("pairs").count(" to ") == 3
    frame = both.to_frame("pandas", what="pairs")
    assert frame["measure"].tolist() == ["hand_till"] * 3 + ["auc_mu"] * 3
    alone = one.to_frame("pandas", what="pairs")
    assert frame["estimate"][:3].tolist() == alone["estimate"].tolist()
    assert len(both.to_markdown("pairs").splitlines()) == 2 + 6
    assert both.to_latex("pairs").count(" to ") == 6
    for result in (one, both):
        with pytest.raises(ValueError, match=r'^library is "pairs"; pass what="pairs"$'):
            result.to_frame("pairs")
    none = call(Y, P, ["hand_till", "auc_mu"], **options)
    for result in (none, none["auc_mu"]):
        with pytest.raises(ValueError, match=r'^what is "pairs" but .* with pairs=True$'):
            result.to_markdown("pairs")
