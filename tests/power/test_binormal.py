"""Exact variances of normal scores: against numerical integrals, known values and simulation."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from polyroc._power.binormal import covariance_of, covary, normal_cdfs, variance_of
from polyroc._power.variance import hanley_mcneil_variance
from scipy import integrate

PHI = NormalDist()


def drawn(rng: Any, auc: float, spread: float, trials: int, m: int, n: int) -> Any:
    shift = PHI.inv_cdf(auc) * math.hypot(1, spread)
    wins = (shift + spread * rng.normal(size=(trials, m, 1))) > rng.normal(size=(trials, 1, n))
    return wins.mean(axis=(1, 2))


@pytest.mark.parametrize("h", [-0.7, 0.0, 1.3, 2.5])
@pytest.mark.parametrize("k", [0.4, 2.0])
@pytest.mark.parametrize("r", [-0.9, 0.0, 0.2, 0.7, 0.99])
def test_covariances_of_events_by_another_integral(h: float, k: float, r: float) -> None:
    """P(A < h, B < k) as the mean over A of P(B < k | A)."""

    def joint(x: float) -> float:
        return PHI.pdf(x) * PHI.cdf((k - r * x) / math.sqrt(1 - r * r))

    both = integrate.quad(joint, -9, h, epsabs=1e-13, points=[min(k, h)], limit=400)[0]
    assert float(covary(h, k, r)) == pytest.approx(both - PHI.cdf(h) * PHI.cdf(k), abs=1e-11)


def test_one_correlated_wholly_is_one_event() -> None:
    assert float(covary(0.6, 0.6, 1.0)) == pytest.approx(PHI.cdf(0.6) * PHI.cdf(-0.6), abs=1e-13)
    assert normal_cdfs(np.array([-1.0, 2.0])).tolist() == pytest.approx([PHI.cdf(-1), PHI.cdf(2)])


@pytest.mark.parametrize(("auc", "spread"), [(0.6, 1), (0.9, 0.5), (0.95, 3)])
def test_variances_by_integrals_of_placements(auc: float, spread: float) -> None:
    """The variance of P(right | row), for rows of either class."""
    shift = PHI.inv_cdf(auc) * math.hypot(1, spread)

    def variance(place: Any) -> float:
        square = integrate.quad(lambda z: PHI.pdf(z) * place(z) ** 2, -9, 9, limit=400)[0]
        return float(square) - auc**2

    shared = variance_of(PHI.inv_cdf(auc), spread)
    assert float(shared.pos) == pytest.approx(
        variance(lambda z: PHI.cdf(shift + spread * z)), abs=1e-10
    )
    assert float(shared.neg) == pytest.approx(
        variance(lambda z: PHI.cdf((shift - z) / spread)), abs=1e-10
    )
    assert float(shared.both) == pytest.approx(auc * (1 - auc))


def test_known_variances() -> None:
    # At 1/2 and equal spreads ranks are all alike: (m + n + 1) / (12 m n).
    assert float(variance_of(0.0, 1).covariance(7, 11)) == pytest.approx(19 / (12 * 77))
    # Turned about, positives are negatives.
    here = variance_of(1.1, 2).covariance(30, 80)
    assert float(variance_of(-1.1, 0.5).covariance(80, 30)) == pytest.approx(float(here))
    # A model beside itself.
    itself = covariance_of((0.8, 0.8), (2, 2), (1, 1)).covariance(30, 80)
    assert float(itself) == pytest.approx(float(variance_of(0.8, 2).covariance(30, 80)))


@pytest.mark.parametrize(
    ("auc", "spread", "m", "n"), [(0.9, 1, 100, 10), (0.8, 3, 12, 40), (0.95, 0.5, 20, 20)]
)
def test_standard_errors_by_simulation(auc: float, spread: float, m: int, n: int) -> None:
    found = drawn(np.random.default_rng(m), auc, spread, 6000, m, n).std()
    exact = math.sqrt(variance_of(PHI.inv_cdf(auc), spread).covariance(m, n))
    assert found == pytest.approx(exact, rel=0.04)
    if (m, n) == (100, 10):  # where negatives are scarce
        assert math.sqrt(hanley_mcneil_variance(auc, m, n)) < 0.75 * exact


def test_what_delong_estimates_on_average() -> None:
    rng, (m, n), spread, trials = np.random.default_rng(4), (9, 6), 2.0, 4000
    labels, shift = np.repeat([1, 0], [m, n]), PHI.inv_cdf(0.8) * math.hypot(1, spread)
    wide = np.repeat([spread, 1.0], [m, n])
    found = [
        pr.delong(labels, shift * labels + wide * rng.normal(size=m + n), "auc").standard_error ** 2
        for _ in range(trials)
    ]
    shared = variance_of(PHI.inv_cdf(0.8), spread)
    assert np.mean(found) == pytest.approx(float(sum(shared.delong(m, n))), rel=0.02)
    assert float(sum(shared.delong(m, n))) > 1.03 * float(shared.covariance(m, n))


def test_covariances_by_simulation() -> None:
    rng, trials, m, n = np.random.default_rng(8), 6000, 15, 30
    aucs, spreads, (r, q) = (0.75, 0.9), (2.0, 1.0), (0.8, 0.3)
    noise = {}
    for name, rows, share in (("pos", m, r), ("neg", n, q)):
        common = rng.normal(size=(trials, rows))
        own = rng.normal(size=(2, trials, rows))
        noise[name] = math.sqrt(share) * common + math.sqrt(1 - share) * own
    found = []
    for k, (auc, spread) in enumerate(zip(aucs, spreads, strict=True)):
        pos = PHI.inv_cdf(auc) * math.hypot(1, spread) + spread * noise["pos"][k]
        found.append((pos[:, :, None] > noise["neg"][k][:, None, :]).mean(axis=(1, 2)))
    exact = covariance_of((PHI.inv_cdf(0.75), PHI.inv_cdf(0.9)), spreads, (r, q)).covariance(m, n)
    assert np.cov(found)[0, 1] == pytest.approx(float(exact), rel=0.06)
