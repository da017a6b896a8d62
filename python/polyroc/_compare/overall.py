"""The test that all models are equal."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from polyroc._base.display import counted
from polyroc._compare.evidence import contrasts
from polyroc._inference.small_sample import allowance
from polyroc._stats.rounding import ROUNDING
from polyroc._stats.tails import f_tail
from polyroc._stats.wald import Directions, Wald, directions, wald_test

if TYPE_CHECKING:
    from polyroc._compare.evidence import Evidence, ModelInfluences
    from polyroc._inference.small_sample import Allowance

BY_PAIRS = "p-value by Bonferroni from the pairs"
BY_ONE_PAIR = "p is raised to the least p-value of the pairs; that of F by itself is smaller"


def overall_test(
    evidence: Evidence, span: float, resampled: bool, influence: ModelInfluences | None
) -> Wald:
    """Test that all models are equal: by F, or by chi-square without `influence` values.

    Where neither can tell, the least p-value of the pairs times their number takes the place.
    `span` is the size of the measure's range; covariances are `resampled` or by influence values.
    """
    d = evidence.estimates[1:] - evidence.estimates[0]
    if np.isnan(evidence.apart).any():
        test = Wald(math.nan, len(d), math.nan, "differences have no estimated error")
    elif influence is None:
        test = wald_test(d, evidence.apart, span)
    else:
        along = directions(d, evidence.apart, span)
        test = along.settled or _f_test(along, influence, resampled)
    if math.isfinite(test.statistic):
        return _no_surer_than_pairs(test, evidence)
    least = min(pair.p_value for pair in evidence.pairs.values())
    bonferroni = min(len(evidence.pairs) * least, 1.0)
    return test._replace(p_value=bonferroni, note=f"{test.note}: {BY_PAIRS}")


def _no_surer_than_pairs(test: Wald, evidence: Evidence) -> Wald:
    """Return a test whose p-value is not below that of every pair.

    Two models are one pair. Of more, limits that respect the scale know what F does not: with
    unequal spread F alone rejected equal models in up to 8 %.
    """
    if not evidence.least:
        return test
    if len(evidence.pairs) == 1:
        freedom = next(iter(evidence.pairs.values())).difference.freedom
        return test._replace(p_value=evidence.least, freedom=freedom)
    if test.p_value >= evidence.least:
        return test
    note = f"{test.note}; {BY_ONE_PAIR}" if test.note else BY_ONE_PAIR
    return test._replace(p_value=evidence.least, note=note)


def _f_test(varying: Directions, influence: ModelInfluences, resampled: bool) -> Wald:
    p = len(varying.along)
    sums = influence.sums(varying.vectors.T @ contrasts(len(influence.models)))
    least = np.linalg.eigvalsh(sums.covariance())[0]
    if least <= ROUNDING * varying.variances.max():
        return Wald(math.nan, p, math.nan, "influence values do not tell how differences vary")
    return f_test(varying, allowance(sums), resampled)


def f_test(varying: Directions, allowed: Allowance, resampled: bool) -> Wald:
    """Test that differences are zero in all directions: Hotelling's T^2 with estimated f.

    (f - p + 1) / (f p) d' C^-1 d is F with p and f - p + 1 degrees of freedom, p the number of
    directions (Krishnamoorthy & Yu 2004). C is the covariance at hand; of resamples it is M S M'
    with S theirs, and M = (V B^-1)^(1/2) takes it from what it estimates, B, to what it should by
    influence values, V; for p = 1 that is the inflation of a t-test.

    There is no F where a class has p units or fewer: its part of C is zero in some direction, in
    which T^2 may be anything, while f is a mean over directions. Otherwise f >= p.

    References
    ----------
    K. Krishnamoorthy and J. Yu, Modified Nel and Van der Merwe test for the multivariate
    Behrens-Fisher problem, Stat. Probab. Lett. 66 (2004) 161-169.
    """
    p, f = len(varying.along), allowed.freedom
    if allowed.least <= p:
        few = f"{allowed.least} units in a class are too few for F in {counted(p, 'direction')}"
        return Wald(math.nan, p, math.nan, few)
    square = float((varying.along**2 / varying.variances).sum())
    if resampled:
        values, vectors = np.linalg.eigh(allowed.plain)
        white = vectors / np.sqrt(values)  # B is the unit matrix in its coordinates, M symmetric
        values, vectors = np.linalg.eigh(white.T @ allowed.widened @ white)
        away = vectors / np.sqrt(values) @ vectors.T @ white.T @ varying.along
        square = float(away @ np.linalg.solve((white.T * varying.variances) @ white, away))
    freedom = f - p + 1
    statistic = freedom / (f * p) * square
    return Wald(statistic, p, f_tail(statistic, p, freedom), varying.note, freedom)
