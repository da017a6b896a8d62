"""Comparisons of models, slowly: DeLong 1988 as printed, derivatives, permutations one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import polyroc as pr
from numpy.typing import NDArray
from polyroc import _core
from polyroc._compare.models import Model, one_number, read_models

from given import core_weights
from given.strategies import Sample
from oracle import replicate_measures as rep
from oracle.replicates import Design, Replicate, positive, projected

Array = NDArray[Any]

MEASURES: dict[str, Any] = {
    "M": "hand_till",
    "M prevalence": pr.HandTill("prevalence"),
    "macro": "one_vs_rest",
    "prevalence": pr.OneVsRest("prevalence"),
    "micro": pr.OneVsRest("micro"),
    "polar area True": pr.PolarArea(normalize=True),
    "mu": "auc_mu",
    "mu prevalence": pr.AucMu(pair_weights="prevalence"),
}
"""Measures of the package, by the names that `replicate_measures` has for what they should be."""


class DeLong(NamedTuple):
    """AUCs theta and their covariance S."""

    theta: Array
    S: Array


def delong_1988(y: Array, models: Sequence[Array]) -> DeLong:
    """DeLong, DeLong & Clarke-Pearson 1988, Eq. 2-5: X are the m rows of class 1, Y the n others.

    psi(X, Y) = 1 if Y < X, 1/2 if Y = X, 0 if Y > X; V10(X_i) = 1/n sum_j psi(X_i, Y_j) and
    V01(Y_j) = 1/m sum_i psi(X_i, Y_j); S = S10 / m + S01 / n.
    """
    V10, V01 = [], []
    for scores in models:
        X, Y = scores[y == 1], scores[y == 0]
        psi = (Y[None, :] < X[:, None]) + 0.5 * (Y[None, :] == X[:, None])
        V10.append(psi.mean(axis=1))
        V01.append(psi.mean(axis=0))
    m, n, r = len(V10[0]), len(V01[0]), len(models)
    theta = np.array([v.mean() for v in V10])
    S10, S01 = np.zeros((r, r)), np.zeros((r, r))
    for a in range(r):
        for b in range(r):
            S10[a, b] = ((V10[a] - theta[a]) * (V10[b] - theta[b])).sum() / (m - 1)
            S01[a, b] = ((V01[a] - theta[a]) * (V01[b] - theta[b])).sum() / (n - 1)
    return DeLong(theta, S10 / m + S01 / n)


def values_of(sample: Sample, name: str, u: float = 2.0**-53) -> rep.Value:
    """A measure of a replicate of the sample."""
    W = np.ones((sample.K, sample.K))
    if name.startswith("mu"):
        return rep.projected_measures(sample, W, None, u)[name].value
    return rep.column_measures(sample, W)[name].value


def derivatives(design: Design, name: str, h: float = 2.0**-17) -> Array:
    """How a measure moves with the weight of each unit."""
    sample, value = design.sample, values_of(design.sample, name)
    w = np.ones(len(sample.c)) if sample.w is None else sample.w

    def moved(u: int, step: float) -> float:
        r = np.where(np.arange(len(design.strata)) == u, 1 + step, 1.0)
        return value(Replicate(sample, w * r[design.unit]))[0]

    units = range(len(design.strata))
    return np.array([(moved(u, h) - moved(u, -h)) / (2 * h) for u in units])


def covariance(designs: Sequence[Design], name: str) -> Array:
    """The covariance of models' measures: sum over strata of n / (n - 1) sum l_a l_b, l centred."""
    slopes, strata = np.array([derivatives(one, name) for one in designs]), designs[0].strata
    total = np.zeros((len(designs), len(designs)))
    for s in set(strata.tolist()) - {-1}:
        part = slopes[:, strata == s]
        part = part - part.mean(axis=1, keepdims=True)
        n = part.shape[1]
        total += n / (n - 1) * part @ part.T
    return total


def midranks(x: Array, counted: Array) -> Array:
    """Mid-ranks of the values that are counted, among these; 0 for the others."""
    values = x[counted]
    ranks = np.zeros(x.shape)
    ranks[counted] = [(values < v).sum() + ((values == v).sum() + 1) / 2 for v in values]
    return ranks


def coins(n_units: int, seed: int, count: int, complement: bool = False) -> Array:
    """The core's 0/1 weights, one row per replicate: units of the first model, then the second."""
    scheme = _core.Scheme.Complement if complement else _core.Scheme.Exchange
    strata = np.zeros(2 * n_units, dtype=np.uint32)
    return core_weights.weights(strata, 1, scheme, seed, 0, count)


def permuted(
    first: Sample, second: Sample, name: str, seed: int, count: int, groups: Array | None = None,
    u: float = 2.0**-53,
) -> Array:  # fmt: skip
    """The difference of two models in each permutation, their ranks exchanged by the coins."""
    n, K = len(first.c), first.K
    rows = positive(first)
    c = np.concatenate([first.c, first.c])
    w = None if first.w is None else np.concatenate([first.w, first.w])
    unit = np.arange(n) if groups is None else groups
    value: rep.Value
    if name.startswith("mu"):
        tables = [projected(one, None, u) for one in (first, second)]
        ties = {}
        for i, j in tables[0]:
            mine = rows & ((first.c == i) | (first.c == j))
            ties[i, j] = np.concatenate([midranks(table[i, j], mine) for table in tables])
        both = Sample(K, c, np.zeros((2 * n, K)), w)
        value = rep.averaged(lambda r: r.separation(ties), None, "prevalence" in name)
    else:
        P = np.concatenate([ranks(one.P, rows, name == "micro") for one in (first, second)])
        both = Sample(K, c, P, w)
        value = rep.single_measures()["auc"].value if name == "auc" else values_of(both, name)
    out = []
    for bits in coins(int(unit.max()) + 1, seed, count):
        own = bits[: len(bits) // 2][unit]
        own = np.concatenate([own, 1 - own])
        halves = [Replicate(both, q if w is None else q * w) for q in (own, 1 - own)]
        out.append(value(halves[0])[0] - value(halves[1])[0])
    return np.array(out)


def ranks(P: Array, rows: Array, pooled: bool) -> Array:
    """Scores on the rank scale, by column, or of all columns together."""
    if P.ndim == 1:
        return midranks(P, rows)
    if pooled:
        return midranks(P.ravel(), np.repeat(rows, P.shape[1])).reshape(P.shape)
    return np.column_stack([midranks(P[:, k], rows) for k in range(P.shape[1])])


def p_value(difference: float, drawn: Array) -> float:
    """The share of differences as large, the observed one among them."""
    return float((1 + (np.abs(drawn) >= abs(difference) - 1e-12).sum()) / (1 + len(drawn)))


def listed(
    y: Any, models: dict[str, Any], measure: Any = "auc_mu", **options: Any
) -> tuple[list[Model], Any]:
    """The models as the methods take them, and the measure."""
    names = ("stratify", "groups", "labels", "pos_label", "sample_weight", "n_threads")
    one = one_number(measure)
    found, _ = read_models(y, models, one, *(options.get(name) for name in names))
    return found, one


def scored(n: int = 60, K: int = 3, seed: int = 0, digits: int = 8) -> tuple[Array, Array, Array]:
    """Labels, and two models of different scale that agree in part."""
    rng = np.random.default_rng([n, K, seed])
    y = np.sort(np.arange(n) % K)
    y[-(n // 5) :] = 0  # classes of different sizes, not in order
    shared = rng.normal(size=(n, K)) + np.eye(K)[y]
    A = (shared + rng.normal(size=(n, K)) / 2).round(digits)
    B = (3 * shared + rng.normal(size=(n, K)) * 2).round(digits)
    return y, A, B


def binary(n: int = 60, seed: int = 0, digits: int = 8) -> tuple[Array, Array, Array]:
    """The same with two classes and a single column."""
    y, A, B = scored(n, 2, seed, digits)
    return y, A[:, 1], B[:, 1]
