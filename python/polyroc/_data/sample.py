"""The validated rows that every measure reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc import _core
from polyroc._base.checks import show, thread_count
from polyroc._data.arrays import of_batches, of_models
from polyroc._data.column_names import class_of_single, labels_of_columns, refuse_other_class
from polyroc._data.favoured import favours_first
from polyroc._data.frequencies import repeated_rows
from polyroc._data.labels import align, encode
from polyroc._data.numbers import exact_float64
from polyroc._data.order_doubts import warn_of_alphabet, warn_of_categories, warn_of_rows
from polyroc._data.row_weights import row_weights
from polyroc._data.scores import read_scores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polyroc._base.types import Array, Codes, Floats
    from polyroc._data.entries import Entries
    from polyroc._data.units import Plan


class Sample(NamedTuple):
    """Rows whose shapes, types and labels fit together. The core checks the values as it reads."""

    # (n,): the score of labels[1] of two classes, or a marker of ordered ones; else (n, K)
    scores: Floats
    codes: Codes  # the column of each row's class
    labels: Array  # the label of each column
    weights: Floats | None
    present: Array | None  # which classes have rows of weight > 0; None when all have
    unit_roundoff: float  # of the scores as the caller gave them
    n_threads: int
    integers: Array | None  # as given, where float64 cannot hold them and `scores` are their ranks
    seen: Array | None = None  # the row that each one repeats, where rows came with frequencies
    n_given: int = 0  # rows that came, where each had a frequency
    entries: Entries | None = None  # where rows have many labels, and these are their entries
    sizes: Array | None = None  # entries of each class, those of positive weight
    index: Any = None  # of the labels, where they come with one: that of a pandas Series

    @property
    def n_classes(self) -> int:
        """K, the classes with a column, those without rows included."""
        return len(self.labels)

    @property
    def n_present(self) -> int:
        """How many classes have rows of positive weight."""
        return self.n_classes if self.present is None else int(np.count_nonzero(self.present))

    @property
    def classes(self) -> tuple[Any, ...]:
        """The label of each column as plain Python where there is a type for it."""
        if self.labels.dtype.kind in "biufU":
            return tuple(self.labels.tolist())
        return tuple(_plain_label(label) for label in self.labels)

    def rows(self, projected: bool = False, units: Plan | None = None) -> _core.Rows:
        """Return the rows as the core takes them; `projected` if it computes with the scores.

        With units that are groups, rows are in these.
        """
        rows = _core.Rows(
            scores=self.projectable() if projected else self.scores,
            codes=self.codes,
            n_classes=self.n_classes,
            weights=self.weights,
            n_threads=self.n_threads,
        )
        if units is None or units.groups is None:
            return rows
        return rows.grouped(codes=units.groups, count=units.n_groups)

    def projectable(self) -> Floats:
        """Return the scores, unless they are ranks, whose differences mean nothing.

        A single column orders rows, whatever its differences mean.
        """
        if self.integers is None or self.scores.ndim == 1:
            return self.scores
        return exact_float64(self.integers, "y_score", ", as the projection of AUC-mu needs")

    def require_columns(self) -> None:
        """Raise if one column of scores is to tell more classes apart than two."""
        if self.scores.ndim == 1 and self.n_classes > 2:
            raise ValueError(_columns(self.scores, self.codes, self.labels))

    def require_two_classes(
        self, name: str, way: str = "pass y == label and the scores of one class"
    ) -> None:
        """Raise if there are more classes than two, which is too many for the call of this name."""
        if self.n_classes != 2:
            raise ValueError(
                f"{name} compares two classes but there are {self.n_classes} {show(self.labels)}; "
                f"{way}"
            )

    def require_present(self) -> None:
        """Raise if a class has no rows."""
        if self.present is not None:
            absent = self.labels[~self.present]
            names = (
                f"the label {show(absent[0])}" if len(absent) == 1 else f"a label of {show(absent)}"
            )
            weight = "" if self.weights is None else " of positive weight"
            raise ValueError(
                f'no row{weight} has {names}; pass absent="skip", or a measure with it as '
                'pr.HandTill(absent="skip"), to average without such classes; or drop the column'
            )


def prepare(
    y_true: Any,
    y_score: Any,
    labels: Any = None,
    sample_weight: Any = None,
    n_threads: Any = None,
    pos_label: Any = None,
    frequency_weight: Any = None,
    marker: bool = False,
    fewest: int = 2,
) -> Sample:
    """Check the input of a measure and bundle it, of two classes the favoured one last.

    `marker` tells that 1-D scores may order more classes than two; `fewest` of the classes have
    rows.
    """
    threads = thread_count(n_threads)
    encoded = encode(y_true, threads)
    sample = bundle(
        y_true, encoded, y_score, labels, sample_weight, threads, pos_label, marker, fewest
    )
    return sample if frequency_weight is None else repeated(sample, frequency_weight, fewest)


def repeated(sample: Sample, frequency_weight: Any, fewest: int = 2) -> Sample:
    """Return a sample with every row as often as it was seen."""
    seen = repeated_rows(frequency_weight, len(sample.codes))
    warn_of_rows(sample.index, frequency_weight, "frequency_weight")
    codes = sample.codes[seen]
    weights = None if sample.weights is None else sample.weights[seen]
    masses = np.ones(len(codes)) if weights is None else weights
    return sample._replace(
        scores=sample.scores[seen],
        codes=codes,
        weights=weights,
        present=_with_mass(codes, sample.labels, masses, "frequency_weight", fewest),
        integers=None if sample.integers is None else sample.integers[seen],
        seen=seen,
        n_given=len(sample.codes),
    )


def bundle(
    y_true: Any, encoded: tuple[Codes, Array], y_score: Any, labels: Any, sample_weight: Any,
    threads: int, pos_label: Any, marker: bool = False, fewest: int = 2,
) -> Sample:  # fmt: skip
    """Check scores and weights, and bundle them with labels that were `encoded`."""
    (codes, values), given = encoded, labels
    scores, unit_roundoff, names, integers = read_scores(y_score)
    if len(scores) != len(codes):
        raise ValueError(_lengths(len(codes), scores, y_score))
    if names is not None and scores.ndim == 2:
        labels = labels_of_columns(names, values, labels)
    codes, classes, present = align(codes, values, labels)
    if len(values) < fewest:
        raise ValueError(one_class(values[0]))
    if len(classes) < 2:
        raise ValueError(_one_label(values[0]))
    turned = pos_label is not None and favours_first(pos_label, classes, given)
    orders_all = marker and scores.ndim == 1 and not _fractional(classes)
    if not orders_all and len(classes) != (2 if scores.ndim == 1 else scores.shape[1]):
        raise ValueError(_columns(scores, codes, classes))
    if turned:
        codes, classes = 1 - codes, classes[::-1]
        if scores.ndim == 2:
            scores = scores[:, ::-1]
            integers = None if integers is None else integers[:, ::-1]
    named = False  # whether the only column tells which of two classes it is of
    if names is not None and scores.ndim == 1 and len(classes) == 2:
        refuse_other_class(names[0], classes)
        named = class_of_single(names[0], classes) == 1
    index = None
    if type(y_true) is not np.ndarray:
        index = getattr(y_true, "index", None)
        if type(y_score) is not np.ndarray:
            warn_of_rows(index, y_score, "y_score")
        single = scores.ndim == 1
        told = single and (pos_label is not None or named)
        if labels is None and not told:
            warn_of_categories(y_true, classes[::-1] if turned else classes, single)
    if labels is None and orders_all and len(classes) > 2:
        warn_of_alphabet(y_true, classes)
    weights = None
    if sample_weight is not None:
        weights = row_weights(sample_weight, len(codes))
        warn_of_rows(index, sample_weight, "sample_weight")
        if weights.min() == 0:
            present = _with_mass(codes, classes, weights, fewest=fewest)
    return Sample(
        scores, codes, classes, weights, present, unit_roundoff, threads, integers, index=index
    )


def _plain_label(label: Any) -> Any:
    if isinstance(label, (np.datetime64, np.timedelta64)):
        return label  # .item() may give a bare number
    return label.item() if isinstance(label, np.generic) else label


def alike_in_ties(samples: Sequence[Sample]) -> list[Sample]:
    """Return samples whose projected scores tie by one rule, that of the lowest precision.

    Else scores would differ from the same scores in another dtype.
    """
    coarsest = max([sample.unit_roundoff for sample in samples])
    return [
        sample if sample.unit_roundoff == coarsest else sample._replace(unit_roundoff=coarsest)
        for sample in samples
    ]


def in_order_of(sample: Sample, labels: Array) -> Sample:
    """Return a sample with its columns in the order of `labels`; as it is if it has others."""
    if sample.labels is labels or sample.scores.ndim == 1:
        return sample
    own, wanted = sample.labels.tolist(), labels.tolist()
    if own == wanted or set(own) != set(wanted):
        return sample
    columns = [own.index(label) for label in wanted]
    column_of = np.argsort(columns).astype(np.uint32)
    return sample._replace(
        scores=sample.scores[:, columns],
        codes=column_of[sample.codes],
        labels=sample.labels[columns],
        present=None if sample.present is None else sample.present[columns],
        integers=None if sample.integers is None else sample.integers[:, columns],
    )


def alike_in_type(samples: Sequence[Sample], projected: bool) -> list[Sample]:
    """Return samples whose scores, as the core will read them, have one type that holds them all.

    `projected` if it computes with the scores.
    """
    scores = [sample.projectable() if projected else sample.scores for sample in samples]
    dtype = np.result_type(*scores)
    return [
        sample._replace(scores=array.astype(dtype, copy=False), integers=None)
        for sample, array in zip(samples, scores, strict=True)
    ]


def _with_mass(
    codes: Codes, labels: Array, weights: Floats, name: str = "sample_weight", fewest: int = 2
) -> Array | None:
    present = np.bincount(codes, weights, len(labels)) > 0
    if not present.any():
        raise ValueError(f"{name} is zero in every row; give some rows a weight > 0")
    if np.count_nonzero(present) < fewest:
        raise ValueError(one_class(labels[present][0], " of positive weight"))
    return None if present.all() else present


def one_class(label: Any, weight: str = "") -> str:
    """Say that there is nothing to compare rows of one class with."""
    return (
        f"every row{weight} has the label {show(label)}; "
        "an AUC compares classes: pass rows of at least two"
    )


def _one_label(label: Any) -> str:
    return (
        f"every row has the label {show(label)}; pass labels= with all classes, in column order, "
        "for those that have no rows here"
    )


def _lengths(n_rows: int, scores: Array, y_score: Any) -> str:
    if scores.ndim == 1 or scores.shape[1] != n_rows:
        hint = "pass one label and one row of scores each"
    elif isinstance(y_score, (list, tuple)):
        # Columns of classes, or of models: side by side, models would be taken for classes.
        hint = f"of classes pass np.column_stack(y_score), {of_models()}"
    else:
        hint = "pass y_score.T if it has a row for each class"
    # Batches of 1-D scores, where as many rows as there are labels come of them.
    joined = of_batches(y_score, "y_score") if scores.size == n_rows else ""
    return f"y_true has {n_rows} rows but y_score has {len(scores)}; {hint}{joined}"


def _columns(scores: Array, codes: Codes, labels: Array) -> str:
    """Say why the columns do not fit the classes, with the likely mistake where one shows."""
    classes = f"{len(labels)} classes {show(labels)}"
    if scores.ndim == 2:
        more = scores.shape[1] > len(labels)
        way = ', and absent="skip" if some of them have no rows' if more else ""
        if more and sorted(map(str, labels.tolist())) in (["False", "True"], ["0", "1"]):
            way += "; where y_true says one class or not, pass that class's column alone"
        return (
            f"y_score has {scores.shape[1]} columns but there are {classes}; "
            f"pass labels= with one label per column, in column order{way}"
        )
    if _fractional(labels):
        steps = np.diff(codes.astype(np.int64))
        if labels[0] >= 0 and labels[-1] <= 1 and ((steps >= 0).all() or (steps <= 0).all()):
            return (
                "these look like the (fpr, tpr) of a curve: polyroc.auc takes (y_true, y_score), "
                "and the trapezoid rule for a curve is sklearn.metrics.auc(fpr, tpr)"
            )
        return (
            f"y_true holds {len(labels)} distinct fractional values, which are hardly labels; "
            "pass the arguments in the order (y_true, y_score)"
        )
    return (
        f"y_score is 1-D but there are {classes}; one score orders two classes only: "
        "pass one column per class to hand_till or auc_mu, or use vus for classes in an order"
    )


def _fractional(labels: Array) -> bool:
    return labels.dtype.kind == "f" and bool((np.floor(labels) != labels).any())
