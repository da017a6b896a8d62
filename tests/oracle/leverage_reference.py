"""Small-sample factors of closed-form errors the slow way: one cell of rows at a time.

A cell is the rows of one class in one group, or one row. Where it weighs h of its class and the
class has n cells, it counts as (L - h sum of L) / (1 - h) sqrt((n - 1) / n), L being its influence
value by derivatives; what is taken off is between classes and counts by itself. Where the number of
cells of each class is fixed, the mean of L is taken off instead and does not count.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from oracle.delong_reference import Array, Data, placements


class Cell(NamedTuple):
    """Rows of one class that vary together."""

    rows: Array  # a mask
    label: Any
    group: Any


class Known(NamedTuple):
    """A covariance matrix and the degrees of freedom of its diagonal, with kurtosis and without."""

    covariance: Array
    freedom: Array
    plain_freedom: Array


def cells_of(data: Data) -> list[Cell]:
    """The cells that have weight."""
    groups = np.arange(len(data.y)) if data.groups is None else np.asarray(data.groups)
    y, there = np.asarray(data.y), data.weights > 0
    found = []
    for label in np.unique(y[there]):
        for group in np.unique(groups[there & (y == label)]):
            found.append(Cell(there & (y == label) & (groups == group), label, group))
    return found


def shares(cells: list[Cell], w: Array) -> Array:
    """The share of its class's weight that each cell has."""
    total = {cell.label: 0.0 for cell in cells}
    for cell in cells:
        total[cell.label] += w[cell.rows].sum()
    return np.array([w[cell.rows].sum() / total[cell.label] for cell in cells])


def effective_sizes(data: Data) -> list[float]:
    """1 / sum of h^2 of each class that has weight."""
    cells = cells_of(data)
    h = shares(cells, data.weights)
    labels = np.array([cell.label for cell in cells])
    return [float(1 / (h[labels == label] ** 2).sum()) for label in np.unique(labels)]


def moved_by_cells(measure: Callable[..., Any], data: Data, step: float = 2.0**-10) -> Array:
    """L of each cell by central differences in its weight, one row of values a cell."""
    w, found = data.weights, []
    for cell in cells_of(data):
        up = data.value(measure, np.where(cell.rows, w * (1 + step), w))
        down = data.value(measure, np.where(cell.rows, w * (1 - step), w))
        found.append((up - down) / (2 * step))
    return np.array(found)


def by_leverage(L: Array, data: Data) -> Known:
    """The covariance of numbers from influence values of cells, one row of L a cell."""
    cells = cells_of(data)
    h = shares(cells, data.weights)
    labels = np.array([cell.label for cell in cells])
    own, between = np.zeros_like(L), np.zeros_like(L)
    parts: list[tuple[Array, float, bool]] = []  # values, effective units, whether kurtosis counts
    for label in np.unique(labels):
        mine = np.flatnonzero(labels == label)
        n, total = len(mine), L[mine].sum(axis=0)
        for u in mine:
            between[u] = total / n if data.stratify else h[u] * total
            own[u] = (L[u] - between[u]) / (1 - h[u]) * math.sqrt((n - 1) / n)
        parts.append((own[mine], 1 / float((h[mine] ** 2).sum()), True))
    if not data.stratify and data.groups is None:
        n = len(cells)
        parts.append((math.sqrt(n / (n - 1)) * between, n, False))
    elif not data.stratify:
        names = sorted({cell.group for cell in cells})
        count = len(names)
        whole = np.zeros((count, L.shape[1]))
        for k, cell in enumerate(cells):
            whole[names.index(cell.group)] += own[k] + math.sqrt(count / (count - 1)) * between[k]
        parts = [(whole, count, True)]
    V = sum(np.array([np.outer(u, u) for u in values]).sum(axis=0) for values, _, _ in parts)
    V = np.asarray(V)
    known, kurtosis = np.zeros(L.shape[1]), np.zeros(L.shape[1])
    for values, effective, counts in parts:
        n, second = len(values), (values**2).sum(axis=0)
        known += second**2 / max(effective - 1, 2.0**-10)  # of hardly more than one cell
        if counts:
            kurtosis += np.maximum(n * (values**4).sum(axis=0) - 3 * second**2, 0) / (2 * n)
    fewest = min(len(values) for values, _, counts in parts if counts)
    most = fewest - 1 if fewest < 4 else math.inf
    with np.errstate(divide="ignore", invalid="ignore"):
        squares = np.diag(V) ** 2
        return Known(
            V, np.minimum(squares / (known + kurtosis), most), np.minimum(squares / known, most)
        )


def known_by_derivatives(measure: Callable[..., Any], data: Data) -> Known:
    """The covariance matrix of the values of a measure, and how well it is known."""
    return by_leverage(moved_by_cells(measure, data), data)


def auc_variance(y: Array, s: Array, groups: Array) -> float:
    """The same of one AUC of unweighted rows in groups of both classes, by pairs of rows."""
    V10, V01 = placements(s[y == 1], s[y == 0])
    value = np.zeros(len(y))
    value[y == 1] = (V10 - V10.mean()) / len(V10)
    value[y == 0] = (V01 - V01.mean()) / len(V01)
    total = 0.0
    for group in np.unique(groups):
        whole = 0.0
        for label in (0, 1):
            rows = (groups == group) & (y == label)
            n = len(np.unique(groups[y == label]))
            h = rows.sum() / (y == label).sum()
            whole += value[rows].sum() / (1 - h) * math.sqrt((n - 1) / n)
        total += whole**2
    return float(total)
