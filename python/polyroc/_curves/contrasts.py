"""The curves of a sample in masses, by what is compared with what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from polyroc import _core
from polyroc._base.checks import choose
from polyroc._data.numbers import exact_float64

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polyroc._base.types import Array
    from polyroc._data.sample import Sample

CurveKind: TypeAlias = Literal["pairwise", "auc_mu"] | None
KINDS = ("pairwise", "auc_mu", None)
ABSENT = ("raise", "skip")
_POINTS = 2_000_000  # of curves at a time: some 50 MB


def readable(sample: Sample) -> Sample:
    """Return the sample with scores that can be thresholds, and not only order rows."""
    if sample.integers is None:
        return sample
    scores = exact_float64(sample.integers, "y_score", ", as thresholds need")
    return sample._replace(scores=scores, integers=None)


def is_single(sample: Sample, kind: CurveKind) -> bool:
    """Tell whether there is one curve only: that of ``labels[1]`` of two classes."""
    choose("kind", kind, KINDS)
    if kind is None:
        return sample.n_classes == 2
    if sample.scores.ndim == 1:
        raise ValueError(
            f"kind is {kind!r} but y_score is 1-D, which has one curve; leave kind out, or pass "
            "one column per class"
        )
    return False


def single_curve(sample: Sample) -> _core.Curve:
    """Return the curve of ``labels[1]`` against the other class."""
    return _core.curve(rows=readable(sample).rows(), favoured=None)


def curves_by_contrast(sample: Sample, kind: CurveKind) -> dict[Any, _core.Curve]:
    """Return the curves of the classes that have rows, by class or by pair of classes."""
    return dict(curves_in_turn(sample, kind))


def curves_in_turn(sample: Sample, kind: CurveKind) -> Iterator[tuple[Any, _core.Curve]]:
    """Yield the same a few at a time: all of them have many times the points of the scores."""
    sample = readable(sample)
    classes = sample.classes
    present = range(sample.n_classes) if sample.present is None else np.flatnonzero(sample.present)
    here = [int(i) for i in present]
    if kind is None:
        rows = sample.rows()
        for i in here:
            yield classes[i], _core.curve(rows=rows, favoured=i)
        return
    both = kind == "pairwise"
    rows = sample.rows(projected=not both)
    pairs = [(i, j) for i in here for j in here if i < j or (both and i != j)]
    sizes = np.bincount(sample.codes, minlength=sample.n_classes)
    for some in _parts(pairs, sizes):
        if both:
            found = _core.pair_curves(rows=rows, pairs=some)
        else:
            found = _core.projected_curves(
                rows=rows, pairs=some, partition=None, unit_roundoff=sample.unit_roundoff
            )
        for (i, j), one in zip(some, found, strict=True):
            yield (classes[i], classes[j]), one


def _parts(pairs: list[tuple[int, int]], sizes: Array) -> Iterator[list[tuple[int, int]]]:
    """Yield pairs of classes in parts, of which each has so many points at most, or one pair."""
    part: list[tuple[int, int]] = []
    points = 0
    for i, j in pairs:
        own = int(sizes[i] + sizes[j])
        if part and points + own > _POINTS:
            yield part
            part, points = [], 0
        part.append((i, j))
        points += own
    if part:
        yield part
