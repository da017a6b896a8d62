"""Closed-form errors the slow way: placements pair by pair, derivatives by difference, jackknife.

A unit is a row, or a group of rows. l is how much a unit moves a measure, one row of L a unit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

Array = NDArray[Any]
Placements = tuple[Array, Array]


def placements(x: Array, y: Array) -> Placements:
    """V10 of each row of x and V01 of each row of y, m n comparisons, as DeLong (1988) has them.

    V10(x_a) = 1/n sum_b psi(x_a, y_b), V01(y_b) = 1/m sum_a psi(x_a, y_b), with psi = 1 where
    x > y, 1/2 where they tie.
    """
    psi = (x[:, None] > y[None, :]) + 0.5 * (x[:, None] == y[None, :])
    return psi.mean(axis=1), psi.mean(axis=0)


def midrank_placements(x: Array, y: Array) -> Placements:
    """The same by mid-ranks (Sun & Xu 2014): T_Z in both together, T_X and T_Y within each."""
    m, n = len(x), len(y)
    T_Z = rankdata(np.concatenate([x, y]))
    T_X, T_Y = rankdata(x), rankdata(y)
    return (T_Z[:m] - T_X) / n, 1 - (T_Z[m:] - T_Y) / m


def delong_variance(V10: Array, V01: Array) -> float:
    """S10 / m + S01 / n (DeLong 1988)."""
    return float(np.var(V10, ddof=1) / len(V10) + np.var(V01, ddof=1) / len(V01))


def projected(P: Array, i: int, j: int, A: Array | None = None) -> Array:
    """A score that favours class i against j (KP19 Eq. 2); rounding parts no tie."""
    A = 1.0 - np.eye(P.shape[1]) if A is None else A
    return np.asarray(np.round(P.astype(float) @ (A[j] - A[i]), 12))


def multiclass_variance(
    c: Array, P: Array, by_column: bool, place: Callable[[Array, Array], Placements]
) -> float:
    """Sum over classes of Var(psi) / n_i, for M (by column) or AUC-mu.

    psi(a) is the sum, over the pairs of classes that row a takes part in, of weight x placement.
    """
    psi = np.zeros(len(c))
    pairs = list((permutations if by_column else combinations)(range(P.shape[1]), 2))
    for i, j in pairs:
        s = P[:, i] if by_column else projected(P, i, j)
        V10, V01 = place(s[c == i], s[c == j])
        psi[c == i] += V10 / len(pairs)
        psi[c == j] += V01 / len(pairs)
    classes = [psi[c == i] for i in range(P.shape[1])]
    return float(sum(np.var(one, ddof=1) / len(one) for one in classes))


@dataclass(frozen=True)
class Data:
    """Rows as `delong` takes them, and what varies in them."""

    y: Array
    P: Array
    w: Array | None = None
    groups: Array | None = None
    stratify: bool = True
    labels: Any = None

    @property
    def weights(self) -> Array:
        return np.ones(len(self.y)) if self.w is None else self.w

    @property
    def options(self) -> dict[str, Any]:
        """The options of `delong`."""
        return {
            "sample_weight": self.w,
            "groups": self.groups,
            "stratify": self.stratify,
            "labels": self.labels,
        }

    def units(self) -> tuple[list[Array], Array]:
        """The rows of every unit that has weight, as masks, and the stratum of each unit."""
        name = np.arange(len(self.y)) if self.groups is None else self.groups
        there = self.weights > 0
        masks = [(name == g) & there for g in np.unique(name[there])]
        strata = [self.y[mask][0] if self.stratify else 0 for mask in masks]
        return masks, np.array(strata)

    def value(self, measure: Callable[..., Any], w: Array | None) -> Array:
        """The measure with other weights."""
        found = measure(self.y, self.P, labels=self.labels, sample_weight=w)
        return np.atleast_1d(np.asarray(found, dtype=float))


def derivatives(measure: Callable[..., Any], data: Data, h: float = 2.0**-10) -> Array:
    """L by central differences in the weight of each unit: d f(w (1 + t on the unit)) / dt."""
    w = data.weights
    masks, _ = data.units()
    up = [data.value(measure, np.where(mask, w * (1 + h), w)) for mask in masks]
    down = [data.value(measure, np.where(mask, w * (1 - h), w)) for mask in masks]
    return np.asarray((np.array(up) - np.array(down)) / (2 * h))


def covariance(L: Array, strata: Array) -> Array:
    """Sum over strata of n / (n - 1) sum l l', l centred within the stratum."""
    total = np.zeros((L.shape[1], L.shape[1]))
    for stratum in np.unique(strata):
        part = L[strata == stratum]
        part = part - part.mean(axis=0)
        total += len(part) / (len(part) - 1) * part.T @ part
    return total


def covariance_by_derivatives(measure: Callable[..., Any], data: Data) -> Array:
    """The covariance matrix of the values of a measure."""
    return covariance(derivatives(measure, data), data.units()[1])


def cluster_variance(c: Array, s: Array, groups: Array) -> float:
    """G / (G - 1) sum_g (sum of l in g)^2 of one AUC, l_a = (V_a - A) / n_i (Obuchowski 1997)."""
    V10, V01 = placements(s[c == 1], s[c == 0])
    value = np.zeros(len(c))
    value[c == 1] = (V10 - V10.mean()) / len(V10)
    value[c == 0] = (V01 - V01.mean()) / len(V01)
    sums = np.array([value[groups == g].sum() for g in np.unique(groups)])
    return float(len(sums) / (len(sums) - 1) * (sums**2).sum())


def jackknife_variance(measure: Callable[..., Any], data: Data) -> float:
    """Sum over strata of (n - 1) / n sum (f without a unit - their mean)^2, by leaving units out.

    For a mean of AUCs with fixed weights f - f_(a) = l_a n / (n - 1), so that this is the
    closed form itself (Arvesen 1969).
    """
    masks, strata = data.units()
    left = [measure(data.y[~mask], data.P[~mask], labels=data.labels) for mask in masks]
    total = 0.0
    for stratum in np.unique(strata):
        part = np.array(left)[strata == stratum]
        total += (len(part) - 1) / len(part) * ((part - part.mean()) ** 2).sum()
    return total


def scored(sizes: list[int], seed: int, votes: int = 0, shift: float = 1.0) -> tuple[Array, Array]:
    """Labels 0 .. K-1 and a column of scores for each; with `votes`, shares of so many votes."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    P = rng.normal(size=(len(y), len(sizes)))
    P[np.arange(len(y)), y] += shift
    if votes:
        P = np.exp(P) / np.exp(P).sum(axis=1, keepdims=True)
        P = np.array([rng.multinomial(votes, p) for p in P]) / votes
    return y, P
