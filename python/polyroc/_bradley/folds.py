"""Labels and scores by fold: the same classifiers and classes in every one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._base.checks import show
from polyroc._bradley.table import FoldTable, columns_of, columns_of_records, is_triple, read_table
from polyroc._data.labels import encode
from polyroc._data.numbers import exact_float64
from polyroc._data.sample import Sample, alike_in_ties, prepare

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polyroc._base.types import Array

_FORMS = 'pass folds as (y_true, {"name": scores, ...}), or a table of fold, classifier and value'


class ScoredFolds(NamedTuple):
    """Rows checked, for each classifier one sample per fold."""

    samples: dict[Any, list[Sample]]

    @property
    def n_folds(self) -> int:
        """How many folds there are."""
        return len(next(iter(self.samples.values())))

    def measured(self, measure: Callable[[Sample], Any]) -> FoldTable:
        """Return the measure of every classifier in every fold."""
        values = np.empty((self.n_folds, len(self.samples)))
        for j, (name, samples) in enumerate(self.samples.items()):
            for i, sample in enumerate(samples):
                with at(f"folds[{i}], {show(name)}"):
                    values[i, j] = measure(sample)
        return FoldTable(tuple(range(self.n_folds)), tuple(self.samples), values)

    def pooled(self) -> dict[Any, Sample]:
        """Return the rows of all folds put together, by classifier."""
        found = {}
        for name, samples in self.samples.items():
            with at(f"all folds of {show(name)} together"):
                found[name] = _pool(samples)
        return found


def read_folds(folds: Any) -> FoldTable | list[Any]:
    """Tell the forms of input apart: return a table of values, or the folds to be scored."""
    if isinstance(folds, np.ndarray) and folds.dtype.kind == "f":
        raise TypeError(
            "folds is an array of numbers, which does not say what they are; pass tuples "
            "(fold, classifier, value), a data frame with these columns, or folds of scores"
        )
    columns = columns_of(folds)
    if columns is None:
        entries = _entries(folds)
        if not (is_triple(entries[0]) or isinstance(entries[0], Mapping)):
            return entries
        columns = columns_of_records(entries)
    table = read_table(columns)
    _at_least_two(list(table.classifiers), len(table.folds))
    return table


def check_folds(
    entries: list[Any], labels: Any, pos_label: Any, n_threads: Any, skips_absent: bool
) -> ScoredFolds:
    """Check folds of labels and scores; `skips_absent` if the measure goes without some class."""
    first: dict[Any, Any] = {}
    found: list[Array] = []
    for k, entry in enumerate(entries):
        y_true, scores = _pair(entry, k)
        if k == 0:
            first = dict(scores)
        _same_classifiers(first, scores, k)
        with at(f"folds[{k}]"):
            found.append(encode(y_true)[1])
    _at_least_two(list(first), len(entries))
    complete = _classes(found) if labels is None else []
    samples: dict[Any, list[Sample]] = {name: [] for name in first}
    for k, (y_true, scores) in enumerate(entries):
        here = set(found[k].tolist())
        lost = [label for label in complete if label not in here]
        if lost and not skips_absent:
            raise ValueError(_lost(k, lost))
        known = complete if lost else labels
        for name in first:
            with at(f"folds[{k}], {show(name)}"):
                sample = prepare(y_true, scores[name], known, None, n_threads, pos_label)
            if sample.present is not None and not skips_absent:
                raise ValueError(_lost(k, list(sample.labels[~sample.present])))
            samples[name].append(sample)
    alike = iter(alike_in_ties([one for listed in samples.values() for one in listed]))
    return ScoredFolds({name: [next(alike) for _ in samples[name]] for name in samples})


@contextmanager
def at(place: str) -> Iterator[None]:
    """Put the place before the message of an error raised in the block."""
    try:
        yield
    except (TypeError, ValueError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"{place}: {error}") from error


def _entries(folds: Any) -> list[Any]:
    if isinstance(folds, (str, bytes)) or not isinstance(folds, Iterable):
        raise TypeError(f"folds is a {type(folds).__name__}; {_FORMS}")
    if isinstance(folds, tuple) and len(folds) == 2 and isinstance(folds[1], Mapping):
        raise TypeError(
            "folds is one (y_true, scores) by itself; pass a list of them, one per fold"
        )
    entries = list(folds)
    if not entries:
        raise ValueError(f"folds is empty; {_FORMS}")
    return entries


def _at_least_two(classifiers: list[Any], n_folds: int) -> None:
    if not classifiers:
        raise ValueError("folds holds no classifier; a comparison needs at least two")
    if len(classifiers) == 1:
        raise ValueError(
            f"folds holds one classifier, {show(classifiers[0])}; a comparison needs at least two"
        )
    if n_folds < 2:
        raise ValueError("folds holds one fold; a spread over folds needs at least two")


def _pair(entry: Any, k: int) -> tuple[Any, Mapping[Any, Any]]:
    if not isinstance(entry, (tuple, list)) or len(entry) != 2:
        size = f" of {len(entry)}" if isinstance(entry, (tuple, list)) else ""
        raise TypeError(f"folds[{k}] is a {type(entry).__name__}{size}; {_FORMS}")
    if not isinstance(entry[1], Mapping):
        raise TypeError(
            f"folds[{k}][1] is a {type(entry[1]).__name__}; pass the scores of all classifiers as "
            'a dict by name, {"name": scores, ...}'
        )
    return entry[0], entry[1]


def _same_classifiers(first: Mapping[Any, Any], scores: Mapping[Any, Any], k: int) -> None:
    for name in first:
        if name not in scores:
            raise ValueError(
                f"folds[{k}] has no scores of {show(name)}, which folds[0] has; "
                "score every classifier on every fold"
            )
    for name in scores:
        if name not in first:
            raise ValueError(
                f"folds[{k}] has scores of {show(name)}, which folds[0] has not; "
                "score every classifier on every fold"
            )


def _classes(found: list[Array]) -> list[Any]:
    """Return the classes of all folds, sorted."""
    try:
        return sorted({label for values in found for label in values.tolist()})
    except TypeError as error:
        raise TypeError(
            f"the folds have labels of different types ({error}); make them one type"
        ) from error


def _lost(k: int, lost: list[Any]) -> str:
    names = f"class {show(lost[0])}" if len(lost) == 1 else f"the classes {show(lost)}"
    return (
        f"folds[{k}] has no row of {names}, so that the measure is not defined there; "
        "use stratified folds, or fewer of them"
    )


def _pool(samples: list[Sample]) -> Sample:
    """Put the rows of the folds together, columns in the order of the first fold's."""
    head = samples[0]
    labels = head.labels.tolist()
    scores, codes = [], []
    for k, sample in enumerate(samples):
        array = sample.scores
        if sample.integers is not None:
            # Large integers were ranked within their fold, and such ranks cannot be mixed.
            array = exact_float64(sample.integers, f"y_score of folds[{k}]")
        if array.ndim != head.scores.ndim:
            raise ValueError(
                f"folds[0] has {head.scores.ndim}-D scores, folds[{k}] {array.ndim}-D; "
                "pass all of one kind"
            )
        own = sample.labels.tolist()
        column = np.array([labels.index(label) for label in own], dtype=np.uint32)
        if array.ndim == 2:
            array = array[:, [own.index(label) for label in labels]]
        scores.append(array)
        codes.append(column[sample.codes])
    pooled, classes = np.concatenate(scores), np.concatenate(codes)
    present = np.bincount(classes, minlength=len(labels)) > 0
    return Sample(
        scores=pooled,
        codes=classes,
        labels=head.labels,
        weights=None,
        present=None if present.all() else present,
        unit_roundoff=max(sample.unit_roundoff for sample in samples),
        n_threads=head.n_threads,
        integers=None,
    )
