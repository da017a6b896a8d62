"""Bands around ROC curves: what they are made of, and that they hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest
from polyroc import _core
from polyroc._curves.band import at_each_rate, standard_errors
from polyroc._curves.tube import rate_of, stabilised
from polyroc._curves.tube_radius import evenly_apart
from scipy import stats

RNG = np.random.default_rng(11)
Y = RNG.integers(0, 2, 150)
S = Y + RNG.normal(size=150)
GRID = np.linspace(0, 1, 101)


def heights(y: Any, s: Any, fpr: Any, weights: Any = None) -> Any:
    rows = _core.Rows(
        scores=np.asarray(s, float),
        codes=np.asarray(y, np.uint32),
        n_classes=2,
        weights=weights,
        n_threads=1,
    )
    measure = _core.Measure("roc_heights", fpr=np.atleast_2d(np.asarray(fpr, float)))
    return _core.values(rows=rows, measure=measure)


@pytest.mark.parametrize("scores", [S, np.round(S), -S, np.zeros(150)])
@pytest.mark.parametrize("weights", [None, RNG.random(150)])
def test_heights_are_those_of_the_curve(scores: Any, weights: Any) -> None:
    curve = pr.roc_curve(Y, scores, sample_weight=weights)
    found = heights(Y, scores, GRID, weights)
    np.testing.assert_allclose(found, curve.at(fpr=GRID), rtol=0, atol=1e-9)


SIZES = (float((Y == 1).sum()), float((Y == 0).sum()))


def replicates_of(scores: Any, count: int, seed: int, rates: Any = GRID) -> Any:
    """Heights of the curves of a run, drawn by the same stream."""
    found = np.empty((count, len(rates)))
    for b in range(count):
        drawn = _core.resample(
            strata=Y.astype(np.uint32), n_strata=2, scheme=_core.Scheme.Multinomial, seed=seed,
            first=b, last=b + 1, attempt=0, again=False,
        )  # fmt: skip
        found[b] = heights(Y, scores, rates, np.ravel(drawn))
    return found


def test_pointwise_band_is_what_it_says() -> None:
    band = pr.roc_band(Y, S, kind="pointwise", seed=3, n_resamples=400)
    np.testing.assert_array_equal(band.fpr, GRID)
    np.testing.assert_allclose(band.tpr, pr.roc_curve(Y, S).at(fpr=GRID), atol=1e-12)
    replicates = replicates_of(S, 400, seed=3)
    errors = standard_errors(GRID, band.tpr, replicates, SIZES)
    assert (errors >= 1 / SIZES[0]).all()
    assert (errors >= replicates.std(axis=0, ddof=1)).all()
    low, high, _ = at_each_rate(GRID, band.tpr, replicates, SIZES, 0.95)
    np.testing.assert_allclose(band.low, low, atol=1e-9)
    np.testing.assert_allclose(band.high, high, atol=1e-9)


def distances(fpr: Any, heights: Any, curve: pr.RocCurve) -> tuple[Any, Any]:
    """How far each point is below a curve and above it, by looking at many of its points."""
    steps = np.linspace(0, 1, 400)
    across, up = (
        np.ravel(rates[:-1, np.newaxis] + np.diff(rates)[:, np.newaxis] * steps)
        for rates in (curve.fpr, curve.tpr)
    )
    x, y = stabilised(across, SIZES[1]), stabilised(up, SIZES[0])
    below, above = [], []
    for f, h in zip(stabilised(fpr, SIZES[1]), stabilised(heights, SIZES[0]), strict=True):
        left, right = x <= f + 1e-9, x >= f - 1e-9
        below.append(np.hypot(f - x[left], np.maximum(y[left] - h, 0)).min())
        above.append(np.hypot(f - x[right], np.maximum(h - y[right], 0)).min())
    return np.array(below), np.array(above)


@pytest.mark.parametrize("scores", [S, np.round(S)], ids=["no ties", "ties"])
def test_simultaneous_band_is_a_tube(scores: Any) -> None:
    """Its limits are as far from the curve as its radius, measured by brute force.

    Up to 4 % nearer at corners: the tube looks in 33 directions.
    """
    band = pr.roc_band(Y, scores, seed=3, n_resamples=400)
    curve = pr.roc_curve(Y, scores)
    inner = (band.low > 0) & (band.fpr > 0)
    below, _ = distances(band.fpr[inner], band.low[inner], curve)
    np.testing.assert_allclose(below / band.width, 0.98, atol=0.021)
    inner = (band.high < 1) & (band.fpr < 1)
    _, above = distances(band.fpr[inner], band.high[inner], curve)
    np.testing.assert_allclose(above / band.width, 0.98, atol=0.021)


def test_no_narrower_than_one_rate_needs() -> None:
    band = pr.roc_band(Y, Y + 0.0, seed=1, n_resamples=200, confidence=0.5)
    assert band.width >= stats.norm.ppf(0.75)
    band = pr.roc_band(Y, Y + 0.0, seed=1, n_resamples=200)
    assert band.width == pytest.approx(stats.norm.ppf(0.975), abs=0.3)
    assert band.width >= stats.norm.ppf(0.975) - 1e-9


def test_scores_matter_by_their_order_alone() -> None:
    band = pr.roc_band(Y, S, seed=1, n_resamples=100)
    again = pr.roc_band(Y, np.exp(S), seed=1, n_resamples=100)
    np.testing.assert_array_equal(band.low, again.low)
    np.testing.assert_array_equal(band.high, again.high)


def test_scale_of_rates() -> None:
    rates = np.linspace(0, 1, 41)
    for n in (1.0, 20.0, 1e6):
        np.testing.assert_allclose(rate_of(stabilised(rates, n), n), rates, atol=1e-12)
    drawn = np.random.default_rng(0).binomial(100, [[0.1], [0.5], [0.9]], size=(3, 20_000)) / 100
    np.testing.assert_allclose(stabilised(drawn, 100.0).std(axis=1), 1, atol=0.02)


@pytest.mark.parametrize("kind", ["pointwise", "simultaneous"])
def test_shape(kind: Any) -> None:
    band = pr.roc_band(Y, S, kind=kind, seed=1, n_resamples=200)
    assert (band.low <= band.tpr).all()
    assert (band.tpr <= band.high).all()
    assert band.low[0] == 0
    assert band.high[-1] == 1
    for limit in (band.low, band.high):
        assert (np.diff(limit) >= 0).all()
        assert ((limit >= 0) & (limit <= 1)).all()
    assert band == pr.roc_band(Y, S, kind=kind, seed=1, n_resamples=200, n_threads=1)
    assert band.to_frame().shape == (len(band.fpr), 4)


def test_default_rates_are_finer_where_a_steep_curve_rises() -> None:
    y = np.arange(4000) % 2
    s = RNG.exponential(1 + 5 * y)
    band = pr.roc_band(y, s, seed=1, n_resamples=50)
    assert set(evenly_apart(2000)[:8]) < set(band.fpr.tolist())
    apart = np.diff(stabilised(band.fpr, 2000))
    assert apart[(band.fpr[1:] <= 0.01) | (band.fpr[:-1] >= 0.99)].max() < 0.51
    assert set(GRID) < set(band.fpr.tolist())
    pointwise = pr.roc_band(y, s, kind="pointwise", seed=1, n_resamples=50)
    np.testing.assert_array_equal(pointwise.fpr, GRID)


@pytest.mark.parametrize("kind", ["pointwise", "simultaneous"])
def test_one_replicate_has_no_spread(kind: Any) -> None:
    with pytest.raises(ValueError, match=r"^n_resamples is 1, which tells of no spread; pass "):
        pr.roc_band(Y, S, kind=kind, seed=1, n_resamples=1)


def test_whole_curves_need_wider_bands() -> None:
    whole = pr.roc_band(Y, S, seed=1, n_resamples=500)
    single = pr.roc_band(Y, S, seed=1, n_resamples=500, kind="pointwise")
    assert whole.width > single.width == pytest.approx(1.959964, abs=1e-6)
    assert np.mean(whole.high - whole.low) > 1.2 * np.mean(single.high - single.low)
    sure = pr.roc_band(Y, S, seed=1, n_resamples=500, confidence=0.99)
    assert sure.width > whole.width


def test_rates_of_ones_own() -> None:
    whole = pr.roc_band(Y, S, seed=1, n_resamples=300)
    some = pr.roc_band(Y, S, seed=1, n_resamples=300, fpr=[0.1, 0.2])
    at = np.searchsorted(whole.fpr, some.fpr)
    np.testing.assert_allclose(some.low, whole.low[at], atol=1e-12)
    np.testing.assert_allclose(some.high, whole.high[at], atol=1e-12)


def test_groups_weights_and_schemes() -> None:
    groups = np.arange(150) // 3
    for scheme in ("multinomial", "poisson", "bayesian"):
        options: dict[str, Any] = {"scheme": scheme, "seed": 1, "n_resamples": 200}
        weighted = pr.roc_band(Y, S, sample_weight=RNG.random(150), **options)
        grouped = pr.roc_band(Y, S, groups=groups, stratify=False, **options)
        for band in (weighted, grouped):
            assert 0.1 < np.mean(band.high - band.low) < 0.6


@pytest.mark.parametrize("kind", ["pointwise", "simultaneous"])
def test_replicates_without_a_class(kind: Any) -> None:
    with pytest.raises(ValueError, match=r"^all replicates lost a class"):
        pr.roc_band([0, 1], [0.1, 0.2], kind=kind, stratify=False, n_resamples=2, seed=1)


def test_many_replicates_are_held_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = pr.roc_band(Y, S, seed=1, n_resamples=100)
    monkeypatch.setattr("polyroc._inference.roc_band._AT_ONCE", 30 * 2 * 151)
    again = pr.roc_band(Y, S, seed=1, n_resamples=100)
    assert again.width == pytest.approx(whole.width, rel=0.1)  # other rows tell nothing


def test_perfect_and_useless_scores() -> None:
    perfect = pr.roc_band(Y, Y + 0.0, seed=1, n_resamples=200)
    assert (perfect.low[5:] < 1).all()
    assert (perfect.high == 1).all()
    useless = pr.roc_band(Y, np.zeros(150), seed=1, n_resamples=200)
    assert (useless.low <= useless.fpr).all()
    assert (useless.fpr <= useless.high).all()


@pytest.mark.parametrize("grades", [0, 5], ids=["no ties", "ratings"])
def test_bands_hold_whole_curves(grades: int) -> None:
    """Roughly: ``make coverage`` has the figures."""
    y = np.repeat([1, 0], 60)
    fine = np.linspace(0, 1, 1001)
    cuts = np.linspace(-1, 2.5, 4)
    true = stats.norm.cdf(1.5 + stats.norm.ppf(fine))
    if grades:
        corners = np.array([[0, *stats.norm.sf(cuts[::-1] - shift), 1] for shift in (0, 1.5)])
        true = np.interp(fine, *corners)
    rng = np.random.default_rng(0)
    held = 0
    for k in range(100):
        scores: Any = 1.5 * y + rng.normal(size=120)
        scores = np.searchsorted(cuts, scores) if grades else scores
        band = pr.roc_band(y, scores, seed=k, n_resamples=199)
        low, high = (np.interp(fine, band.fpr, limit) for limit in (band.low, band.high))
        held += bool(((low <= true + 1e-12) & (true <= high + 1e-12)).all())
    assert held >= 88  # three Monte-Carlo errors below 95


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "both"}, r"^kind is 'both'; choose one of"),
        ({"confidence": 1.5}, r"confidence"),
        ({"confidence": [0.9, 0.95]}, r"^confidence holds several levels"),
        ({"fpr": [0.2, 0.1]}, r"^fpr must hold rates in \[0, 1\]"),
        ({"fpr": [-0.1]}, r"^fpr must hold rates in \[0, 1\]"),
        ({"fpr": 0.5}, r"^fpr has 0 dimensions"),
        ({"n_resamples": 0}, r"^n_resamples is 0"),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        pr.roc_band(Y, S, **options)


def test_more_classes_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^roc_band compares two classes but there are 3"):
        pr.roc_band(np.arange(6) % 3, np.ones((6, 3)))
