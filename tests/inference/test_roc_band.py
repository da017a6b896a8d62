"""Bands around ROC curves: what they are made of, and that they hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest
from polyroc import _core
from polyroc._curves.band import limits, standard_errors
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


def test_band_is_what_it_says() -> None:
    band = pr.roc_band(Y, S, seed=3, n_resamples=400)
    np.testing.assert_array_equal(band.fpr, GRID)
    np.testing.assert_allclose(band.tpr, pr.roc_curve(Y, S).at(fpr=GRID), atol=1e-12)
    replicates = np.empty((400, 101))
    for b in range(400):  # the weights of the run, by the same stream
        drawn = _core.resample(
            strata=Y.astype(np.uint32), n_strata=2, scheme=_core.Scheme.Multinomial, seed=3,
            first=b, last=b + 1, attempt=0, again=False,
        )  # fmt: skip
        replicates[b] = heights(Y, S, GRID, np.ravel(drawn))
    sizes = (float((Y == 1).sum()), float((Y == 0).sum()))
    low, high, width = limits(GRID, band.tpr, replicates, sizes, True, 0.95)
    errors = standard_errors(GRID, band.tpr, replicates, sizes)
    assert (errors >= 1 / sizes[0]).all()
    assert (errors >= replicates.std(axis=0, ddof=1)).all()
    inside = (np.abs(replicates - band.tpr) <= width * errors + 1e-12).all(axis=1)
    assert inside.mean() == pytest.approx(0.95, abs=0.01)
    np.testing.assert_allclose(band.low, low, atol=1e-9)
    np.testing.assert_allclose(band.high, high, atol=1e-9)


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
    assert band.to_frame().shape == (101, 4)


def test_whole_curves_need_wider_bands() -> None:
    whole = pr.roc_band(Y, S, seed=1, n_resamples=500)
    single = pr.roc_band(Y, S, seed=1, n_resamples=500, kind="pointwise")
    assert whole.width > single.width == pytest.approx(1.959964, abs=1e-6)
    assert (whole.low <= single.low).all()
    sure = pr.roc_band(Y, S, seed=1, n_resamples=500, confidence=0.99)
    assert sure.width > whole.width


def test_rates_of_ones_own() -> None:
    whole = pr.roc_band(Y, S, seed=1, n_resamples=300)
    some = pr.roc_band(Y, S, seed=1, n_resamples=300, fpr=[0.1, 0.2])
    np.testing.assert_allclose(some.low, whole.low[[10, 20]], atol=1e-12)
    np.testing.assert_allclose(some.high, whole.high[[10, 20]], atol=1e-12)


def test_groups_weights_and_schemes() -> None:
    groups = np.arange(150) // 3
    for scheme in ("multinomial", "poisson", "bayesian"):
        options: dict[str, Any] = {"scheme": scheme, "seed": 1, "n_resamples": 200}
        weighted = pr.roc_band(Y, S, sample_weight=RNG.random(150), **options)
        grouped = pr.roc_band(Y, S, groups=groups, stratify=False, **options)
        for band in (weighted, grouped):
            assert 0.1 < np.mean(band.high - band.low) < 0.6


def test_perfect_and_useless_scores() -> None:
    perfect = pr.roc_band(Y, Y + 0.0, seed=1, n_resamples=200)
    assert (perfect.low[5:] < 1).all()
    assert (perfect.high == 1).all()
    useless = pr.roc_band(Y, np.zeros(150), seed=1, n_resamples=200)
    assert (useless.low <= GRID).all()
    assert (GRID <= useless.high).all()


def test_bands_hold_whole_curves() -> None:
    """Roughly: ``make coverage`` has the figures."""
    y = np.repeat([1, 0], 60)
    true = stats.norm.cdf(1.5 + stats.norm.ppf(GRID))
    rng = np.random.default_rng(0)
    held = 0
    for k in range(60):
        band = pr.roc_band(y, 1.5 * y + rng.normal(size=120), seed=k, n_resamples=199)
        held += bool(((band.low <= true) & (true <= band.high)).all())
    assert held >= 52


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
