"""What a curve compares: two classes, one class with all others, or one class with another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._base.checks import choose, show
from polyroc._curves.contrasts import readable
from polyroc._data.sample import prepare
from polyroc._measures.auc import auc

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from polyroc._base.types import Array, Floats
    from polyroc._data.sample import Sample

KINDS = (None, "pairwise")


class Contrast(NamedTuple):
    """Two sides, and what each model says of their rows."""

    favoured: str  # the class that high scores stand for
    against: str | None  # the other one; None for all others
    y_true: Array  # whether a row is of the favoured class
    scores: dict[str, Floats]  # by model
    options: dict[str, Any]  # what functions take beside: weights, groups, threads


def contrasts(
    y_true: Any,
    models: Mapping[str, Any],
    *,
    kind: Any = None,
    pos_label: Any = None,
    labels: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    n_threads: Any = None,
) -> list[Contrast]:
    """Return what is compared with what: one contrast of two classes, several of more.

    Of more classes than two, `pos_label` chooses the one that is compared with the rest. Classes
    without rows are left out.
    """
    choose("kind", kind, KINDS)
    samples = {
        name: prepare(y_true, scores, labels, sample_weight, n_threads)
        for name, scores in models.items()
    }
    head = next(iter(samples.values()))
    common: dict[str, Any] = {
        "sample_weight": head.weights, "groups": None if groups is None else np.asarray(groups),
        "n_threads": n_threads,
    }  # fmt: skip
    if head.n_classes == 2:
        if pos_label is not None:
            samples = {
                name: prepare(y_true, scores, labels, sample_weight, n_threads, pos_label)
                for name, scores in models.items()
            }
            head = next(iter(samples.values()))
        return [_contrast(samples, 1, None, common)]
    present = np.ones(head.n_classes, bool) if head.present is None else head.present
    here = [int(k) for k in np.flatnonzero(present)]
    if pos_label is not None:
        names = list(head.classes)
        if pos_label not in names:
            raise ValueError(f"pos_label is {show(pos_label)}, none of the classes {show(names)}")
        here = [names.index(pos_label)]
    if kind is None:
        return [_contrast(samples, i, None, common) for i in here]
    others = [int(k) for k in np.flatnonzero(present)]
    return [_contrast(samples, i, j, common) for i in here for j in others if i != j]


def _contrast(
    samples: Mapping[str, Sample], i: int, j: int | None, common: dict[str, Any]
) -> Contrast:
    head = next(iter(samples.values()))
    codes = head.codes
    rows = slice(None) if j is None else np.flatnonzero((codes == i) | (codes == j))
    named = head.classes
    against = j if head.n_classes > 2 else 0
    return Contrast(
        str(named[i]),
        None if against is None else str(named[against]),
        codes[rows] == i,
        {name: _column(sample, i)[rows] for name, sample in samples.items()},
        {
            name: value[rows] if isinstance(value, np.ndarray) else value
            for name, value in common.items()
        },
    )


def _column(sample: Sample, i: int) -> Floats:
    scores = readable(sample).scores
    return scores if scores.ndim == 1 else scores[:, i]


def hardest(found: Sequence[Contrast], most: int) -> list[Contrast]:
    """Return the contrasts of the lowest AUC of any model, in the order they came in."""
    if len(found) <= most:
        return list(found)
    weights = [one.options["sample_weight"] for one in found]
    areas = [
        min(auc(one.y_true, scores, sample_weight=weight) for scores in one.scores.values())
        for one, weight in zip(found, weights, strict=True)
    ]
    kept = set(np.argsort(areas, kind="stable")[:most].tolist())
    return [one for k, one in enumerate(found) if k in kept]
