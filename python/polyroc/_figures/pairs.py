"""Every pair of classes: how well one model tells them apart, and where two models differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._compare.compare import compare
from polyroc._data.sample import prepare
from polyroc._inference.delong import delong
from polyroc._measures.hand_till import HandTill
from polyroc._stats.wald import adjust as adjust_p

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from polyroc._base.types import Array, Floats


class PairFigure(NamedTuple):
    """A(i,j) of every pair, in the order in which classes are shown."""

    classes: list[str]
    values: Floats  # K x K, nan on the diagonal
    low: Floats
    high: Floats
    order: list[int]  # of the classes as given
    confidence: float


class PairDifferences(NamedTuple):
    """The difference of two models in A(i,j), of every pair, with its test."""

    classes: list[str]
    models: tuple[str, str]
    differences: Floats
    p_adjusted: Floats
    order: list[int]


def pair_figure(y_true: Any, y_score: Any, *, confidence: float = 0.95, **given: Any) -> PairFigure:
    """Return the pairs of classes of one model, classes that are alike side by side."""
    found: Any = delong(
        y_true, y_score, HandTill(absent="skip"), pairs=True, confidence=confidence, **given
    )
    return pairs_in_order(found.classes, found.pairs, confidence)


def pairs_in_order(classes: Sequence[Any], pairs: Any, confidence: float) -> PairFigure:
    """Return the estimates and intervals of all pairs, classes that are alike side by side."""
    values, limits = np.array(pairs.estimate), np.array(pairs.interval)
    order = by_similarity(values)
    at = np.ix_(order, order)
    return PairFigure(
        [str(classes[k]) for k in order], values[at], limits[..., 0][at], limits[..., 1][at],
        order, confidence,
    )  # fmt: skip


def lowest_pairs(figure: PairFigure, most: int) -> list[tuple[int, int]]:
    """Return the pairs of the lowest values, as places in the order shown."""
    i, j = np.triu_indices(len(figure.classes), k=1)
    values = figure.values[i, j]
    known = np.flatnonzero(~np.isnan(values))
    chosen = known[np.argsort(values[known], kind="stable")[:most]]
    return [(int(i[k]), int(j[k])) for k in chosen]


def by_similarity(values: Floats) -> list[int]:
    """Return the classes so that those that are hard to tell apart stand side by side.

    By the second eigenvector of the graph's Laplacian, whose edges weigh 1 - A(i,j): neighbours on
    it are those that share much weight (Fiedler's vector).
    """
    count = len(values)
    if count < 3:
        return list(range(count))
    near = np.nan_to_num(1.0 - values, nan=0.0).clip(0.0) + 1e-9
    np.fill_diagonal(near, 0.0)
    near = np.sqrt(near)  # or the hardest pair would decide alone
    _, vectors = np.linalg.eigh(np.diag(near.sum(axis=1)) - near)
    second = vectors[:, 1]
    if second[0] > second[-1]:
        second = -second  # eigenvectors have no sign of their own
    return [int(k) for k in np.argsort(second, kind="stable")]


def pair_differences(
    y_true: Any, models: Mapping[str, Any], *, adjust: Any = "holm", groups: Any = None,
    **given: Any,
) -> PairDifferences:  # fmt: skip
    """Return where two models differ: first minus second in A(i,j), tested pair by pair."""
    if len(models) != 2:
        raise ValueError(f"models holds {len(models)} models; a map of differences shows two")
    names = list(models)
    samples = [prepare(y_true, scores, **given) for scores in models.values()]
    codes, count = samples[0].codes, samples[0].n_classes
    if count < 3:
        raise ValueError("two classes are one pair; use compare, and plot.differences of it")
    weights, units = samples[0].weights, None if groups is None else np.asarray(groups)
    differences, p_values = np.full((2, count, count), np.nan)
    for i in range(count):
        for j in range(i + 1, count):
            rows = np.flatnonzero((codes == i) | (codes == j))
            own: Array = (codes[rows] == j).astype(np.int8)
            if len(set(own.tolist())) < 2:
                continue
            two = {
                name: np.asarray(sample.scores)[rows][:, [i, j]]
                for name, sample in zip(names, samples, strict=True)
            }
            found = compare(
                own, two, "hand_till", sample_weight=None if weights is None else weights[rows],
                groups=None if units is None else units[rows],
            )  # fmt: skip
            differences[i, j], p_values[i, j] = found.difference, found.p_value
    known = ~np.isnan(p_values)
    p_values[known] = adjust_p(p_values[known], adjust)
    differences = np.where(np.isnan(differences), differences.T, differences)
    p_values = np.where(np.isnan(p_values), p_values.T, p_values)
    order = by_similarity(1.0 - np.abs(differences))
    at = np.ix_(order, order)
    classes = [str(samples[0].classes[k]) for k in order]
    return PairDifferences(classes, (names[0], names[1]), differences[at], p_values[at], order)
