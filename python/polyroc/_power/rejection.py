"""How often the tests of `delong` and `compare` reject, for scores that are normal in both classes.

An estimated AUC is taken for Phi of a normal number, with the mean and the variance that it has
exactly. A test rejects where its confidence limit passes the null value, and the limit follows from
the estimate (see `limits`), so that the power is the probability of a range of estimates. How much
a standard error varies by itself, among samples with one and the same estimate, is allowed for
where there is one AUC, and left out where there are two.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from polyroc._power.binormal import Shared, covariance_of, covary, normal_cdfs, variance_of
from polyroc._power.limits import difference_limit, limits
from polyroc._stats.normal import normal_quantile

if TYPE_CHECKING:
    from polyroc._base.types import Floats
    from polyroc._power.limits import Rule

_STEPS = np.linspace(-5.0, 5.0, 61)  # in standard deviations
_OUTER = 12  # nodes for what two estimates have in common
_FEW, _MANY = 5, 40  # nodes for a correction, and for moments of a bounded function
_HALVINGS = 50
_FARTHEST = 7.0


class Scores(NamedTuple):
    """What is expected of a model: its AUC, and the ratio of spreads of its scores."""

    auc: float
    spread: float

    @property
    def probit(self) -> float:
        return normal_quantile(self.auc)

    def shared(self) -> Shared:
        return variance_of(self.probit, self.spread)


class Tie(NamedTuple):
    """How two models are tied: by the correlation of their AUCs, or of their scores by class."""

    of_aucs: float | None
    of_scores: tuple[float, float] | None

    def covariance(self, first: Scores, second: Scores, n_pos: int, n_neg: int) -> float:
        """Return the covariance of two estimated AUCs."""
        if self.of_scores is None:
            product = math.prod(
                float(one.shared().covariance(n_pos, n_neg)) for one in (first, second)
            )
            return (self.of_aucs or 0.0) * math.sqrt(product)
        probits, spreads = (first.probit, second.probit), (first.spread, second.spread)
        return float(covariance_of(probits, spreads, self.of_scores).covariance(n_pos, n_neg))


def power_of_one(model: Scores, null: float, rule: Rule) -> float:
    """Return how often the limit of one AUC lies beyond the null value, on the side of the AUC."""
    centre, deviation = _law(model, rule)
    probits = np.clip(centre + deviation * _STEPS, -_FARTHEST, _FARTHEST)
    parts = variance_of(probits, model.spread).delong(rule.n_pos, rule.n_neg)
    power, aucs = 0.0, normal_cdfs(probits)
    nodes, weights = _rule(_FEW)
    scale = math.log1p(_scatter(model, rule))
    for factor, weight in zip(np.exp(math.sqrt(scale) * nodes - scale / 2), weights, strict=True):
        lower, upper = limits(aucs, (factor * parts[0], factor * parts[1]), rule)
        margin = lower - null if model.auc > null else null - upper
        power += float(weight * _probability(margin))
    return power


def power_of_two(lesser: Scores, greater: Scores, tie: Tie, rule: Rule) -> float:
    """Return how often the lower limit of greater - lesser is above 0.

    With z1 and z2 the standardised probits and r their correlation, (z1 + z2) / 2 and (z2 - z1) / 2
    are independent, with variances (1 + r) / 2 and (1 - r) / 2. The second is what decides.
    """
    sizes = rule.n_pos, rule.n_neg
    models = lesser, greater
    variances = [float(one.shared().covariance(*sizes)) for one in models]
    r = tie.covariance(lesser, greater, *sizes) / math.sqrt(math.prod(variances))
    nodes, weights = _rule(_OUTER)
    common = math.sqrt(max(1 + r, 0.0) / 2) * nodes[:, np.newaxis]
    apart = math.sqrt(max(1 - r, 0.0) / 2) * _STEPS
    probits = [
        np.clip(centre + deviation * (common + sign * apart), -_FARTHEST, _FARTHEST)
        for (centre, deviation), sign in zip((_law(m, rule) for m in models), (-1, 1), strict=True)
    ]
    first, second = (
        variance_of(h, model.spread).delong(*sizes)
        for h, model in zip(probits, models, strict=True)
    )
    if tie.of_scores is None:
        product = (first[0] + first[1]) * (second[0] + second[1])
        covariance = (tie.of_aucs or 0.0) * np.sqrt(product)
    else:
        spreads = lesser.spread, greater.spread
        shared = covariance_of((probits[0], probits[1]), spreads, tie.of_scores)
        covariance = np.add(*shared.delong(*sizes))
    aucs = normal_cdfs(probits[0]), normal_cdfs(probits[1])
    return float(weights @ _probability(difference_limit(aucs, (first, second), covariance, rule)))


def _law(model: Scores, rule: Rule) -> tuple[float, float]:
    """Return mean c and deviation s of a normal number Z, Phi(Z) having the estimate's moments.

    With h the probit of the AUC and r = s^2 / (1 + s^2), Phi(Z) has the mean Phi(h) if
    c = h / sqrt(1 - r), and then the variance covary(h, h, r), which grows at least as fast as
    r phi(h)^2.
    """
    h = model.probit
    variance = float(model.shared().covariance(rule.n_pos, rule.n_neg))
    low, high = 0.0, min(variance * 2 * math.pi * math.exp(h * h), 1 - 1e-9)
    for _ in range(_HALVINGS):
        r = 0.5 * (low + high)
        low, high = (r, high) if covary(h, h, r) < variance else (low, r)
    return h / math.sqrt(1 - high), math.sqrt(high / (1 - high))


def _scatter(model: Scores, rule: Rule) -> float:
    """Return the relative variance of DeLong's variance among samples with one estimate.

    Of n numbers with skewness g and kurtosis b the variance has the relative variance (b - 1) / n,
    to first order, of which g^2 / n goes with their mean; b - 1 - g^2 is never negative (Pearson).
    The numbers are placements, Phi(d + s z) of positives and Phi((d - z) / s) of negatives.
    """
    z, weights = _rule(_MANY)
    distance = model.probit * math.hypot(1, model.spread)
    placed = normal_cdfs(distance + model.spread * z), normal_cdfs((distance - z) / model.spread)
    parts, scatter = 0.0, 0.0
    for placements, size in zip(placed, (rule.n_pos, rule.n_neg), strict=True):
        moved = placements - weights @ placements
        second, third, fourth = (float(weights @ moved**k) for k in (2, 3, 4))
        parts += second / size
        if second > 0:
            rest = fourth - second**2 - third**2 / second
            scatter += max(rest, 0.0) / size**3
    return scatter / parts**2 if parts > 0 else 0.0


def _probability(margin: Floats) -> Floats:
    """Return how often `margin`, given at `_STEPS` and linear between them, is above 0."""
    left, right = margin[..., :-1], margin[..., 1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        crossed = np.maximum(left, right) / np.abs(right - left)
    above = np.where(
        (left > 0) & (right > 0), 1.0, np.where((left > 0) | (right > 0), crossed, 0.0)
    )
    return np.asarray(above @ _masses())


@cache
def _masses() -> Floats:
    """Return the probabilities of the steps, tails included in the outermost."""
    below = normal_cdfs(_STEPS)
    below[0], below[-1] = 0.0, 1.0
    return np.diff(below)


@cache
def _rule(count: int) -> tuple[Floats, Floats]:
    """Return nodes and weights for the mean of a function of a standard normal number."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(count)
    return nodes, weights / weights.sum()
