"""Many labels per row: a measure of two classes for each label, put together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, overload

import numpy as np

from polyroc import _core
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._data.entries import LabelReading, names_of_labels
from polyroc._measures.measure import Measure
from polyroc._measures.per_class import PerClass
from polyroc._measures.registry import measure_of

if TYPE_CHECKING:
    from polyroc._base.types import Absent, Average, Floats, Labels, Scores
    from polyroc._data.sample import Sample
    from polyroc._stats.newcombe import FromAuc


@public
@dataclass(frozen=True, eq=False, repr=False)
class Multilabel(PerClass):
    """A measure of many labels per row as an object; see :func:`multilabel`.

    It goes wherever a measure does, with a matrix of labels in the place of `y_true`:
    ``pr.delong(Y, S, pr.Multilabel("auc"))``, and so in `bootstrap`, `compare` and `scorer`. What
    varies, and is resampled, are rows (or groups of rows) with all their labels.

    Parameters
    ----------
    measure : str or measure object
        The measure of each label: "auc", "average_precision", "kolmogorov_smirnov", or an object
        as ``pr.Auc(max_fpr=0.1)``.
    average : {"macro", "micro", "prevalence"} or None
        How labels are put together; None keeps one value per label.
    absent : {"raise", "skip"}
        What to do about a label without rows of both kinds.

    Examples
    --------
    >>> import polyroc as pr
    >>> pr.Multilabel("average_precision", average="micro")
    Multilabel('average_precision', average='micro')
    >>> pr.Multilabel()([[0, 1], [1, 0], [1, 1]], [[0.2, 0.7], [0.6, 0.1], [0.1, 0.4]])
    0.75
    """

    measure: str | Measure[Any] = "auc"
    average: Average | None = "macro"
    absent: Absent = "raise"
    averages: ClassVar[tuple[str, ...]] = ("macro", "micro", "prevalence")
    each: ClassVar[str] = "label"
    row: ClassVar[str] = "label"

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        inner = measure_of(self.measure)
        if isinstance(inner, Multilabel):
            raise ValueError(f"measure is {inner!r}, of many labels itself; pass that of one label")
        if not inner.is_single:
            raise ValueError(
                f"measure is {inner!r}, one value per class; a label has one value, and average= "
                "says how labels are put together"
            )
        plain = inner == _named(inner.name)
        self._set(measure=inner.name if plain else inner)

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name of the measure of each label."""
        return self._inner.name

    @property
    def _inner(self) -> Measure[Any]:
        return measure_of(self.measure)

    @property
    def _pooled(self) -> bool:
        return self.average == "micro"

    @property
    def reading(self) -> LabelReading:
        """How labels are read: as a matrix of 0 and 1."""
        return LabelReading(self._pooled, self.absent == "skip")

    @property
    def projects(self) -> bool:  # type: ignore[override]
        """Whether the measure of a label computes with scores."""
        return self._inner.projects

    @property
    def has_influence(self) -> bool:
        """Whether influence values of a label are known in closed form: those of an AUC are."""
        return self._inner.is_binary_auc

    @property
    def from_auc(self) -> FromAuc:
        """As for one label."""
        return self._inner.from_auc

    def _admit(self, sample: Sample) -> None:
        """Raise if the measure of a label is not for two classes and one column."""
        if sample.entries is None:
            raise TypeError(f"{self!r} is for rows with many labels, and these have one class each")
        self._inner._admit(_one_label(sample))

    def _is_auc(self, sample: Sample) -> bool:
        return self._pooled and self._inner._is_auc(_one_label(sample))

    def _describe(self, sample: Sample) -> _core.Measure:
        return self._over_labels(self._inner._in_core(_one_label(sample)), sample)

    def _optimism(self, sample: Sample) -> _core.Measure | None:
        """Return the average over labels of that of their measure, if it has any."""
        inner = self._inner._optimism(_one_label(sample))
        return None if inner is None else self._over_labels(inner, sample)

    def _caution(self, estimate: Any, sizes: tuple[int, ...]) -> str:
        return self._inner._caution(estimate, sizes)

    def _over_labels(self, inner: _core.Measure, sample: Sample) -> _core.Measure:
        """Return what the core makes of the measure of a label over all of them."""
        if self._pooled:
            return inner
        if self._inner.reads_values:
            raise ValueError(
                f"{self._inner!r} reads scores as numbers, and values of labels are put together "
                'of how scores order rows; pass average="micro", or score each column by itself'
            )
        return _core.Measure(
            "multilabel",
            measure=inner,
            n_labels=sample.n_classes // 2,
            n_present=sample.n_present // 2,
            average=self.average,
        )

    def _counts_enter(self, sample: Sample) -> bool:
        return True  # rows are of no class: what a label has of either varies

    def _shape(self, sample: Sample) -> tuple[int, ...]:
        return () if self.is_single else (sample.n_classes // 2,)

    def _bounds(self, sample: Sample) -> tuple[float, float]:
        return self._inner._bounds(_one_label(sample))

    def _class_weights(self, masses: Floats) -> Floats:
        """Return what both classes of each label weigh: together 2, as for one AUC."""
        if self._pooled:
            return np.ones(2)
        positive = np.where(masses[::2] > 0.0, masses[1::2], 0.0)
        shares = positive if self.average == "prevalence" else (positive > 0.0).astype(np.float64)
        return np.repeat(shares / shares.sum(), 2)

    def _favoured(self, sample: Sample) -> Any:
        return None

    def _value_names(self, classes: tuple[Any, ...]) -> tuple[Any, ...]:
        return names_of_labels(classes)

    def __repr__(self) -> str:
        options = [repr(self.measure)]
        options += [] if self.average == "macro" else [f"average={self.average!r}"]
        options += [] if self.absent == "raise" else [f"absent={self.absent!r}"]
        return f"Multilabel({', '.join(options)})"


def _named(name: str) -> Measure[Any] | None:
    """Return the measure that a name stands for, if it stands for one."""
    try:
        return measure_of(name)
    except ValueError:
        return None


def _one_label(sample: Sample) -> Sample:
    """Return a sample as the measure of a label sees it: two classes, one column.

    Of codes a measure of two classes asks no more than how many there are.
    """
    entries = sample.entries
    if entries is None or entries.pooled:
        return sample
    return sample._replace(labels=np.array([0, 1]), present=None, entries=None, sizes=None)


@overload
def multilabel(
    y_true: Labels,
    y_score: Scores,
    measure: str | Measure[Any] = "auc",
    *,
    average: Average = "macro",
    labels: Labels | None = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
) -> float: ...
@overload
def multilabel(
    y_true: Labels,
    y_score: Scores,
    measure: str | Measure[Any] = "auc",
    *,
    average: None,
    labels: Labels | None = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
) -> Floats: ...
@public
@hinting
def multilabel(
    y_true: Labels,
    y_score: Scores,
    measure: str | Measure[Any] = "auc",
    *,
    average: Literal["macro", "micro", "prevalence"] | None = "macro",
    labels: Labels | None = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
) -> float | Floats:
    """Measure scores of rows that may have many labels each, or none.

    Every label is a question of two classes, rows that have it and rows that do not, with a column
    of scores. With V_l the measure of label l, and m_l the (weighted) rows that have it::

        macro:      1 / L * sum over l of V_l
        prevalence: sum over l of m_l V_l / sum over l of m_l       (scikit-learn's "weighted")
        micro:      the measure of all n L scores together, labels not told apart

    Micro compares scores of different labels, and asks for scores on one scale. Cost: that of the
    measure for each label; labels are worked on side by side.

    Parameters
    ----------
    y_true : array_like of shape (n, L)
        A column of 0 and 1 (or booleans) for each label; nan where a row is not labelled for it,
        which leaves the row out of that column. The columns of a data frame name the labels.
    y_score : array_like of shape (n, L)
        A column of scores for each label, higher for more likely. Columns that are named as those
        of `y_true` are matched by name.
    measure : str or measure object
        The measure of each label: "auc", "average_precision", "kolmogorov_smirnov", or an object
        as ``pr.Auc(max_fpr=0.1)``: any measure of how one score orders two classes.
    average : {"macro", "micro", "prevalence"} or None
        How the labels are put together; None returns one value per label.
    labels : array_like of shape (L,), optional
        Names of the labels, for messages and results.
    sample_weight : array_like of shape (n,), optional
        Weights of the rows, finite and >= 0.
    absent : {"raise", "skip"}
        Whether a label that no row has, or every row, is an error, or left out of the average (nan
        where `average` is None). Micro needs no such thing.
    n_threads : int, optional
        Threads to use; all cores by default. The result does not depend on it.

    Returns
    -------
    float or ndarray of shape (L,)
        The average, or the value of each label.

    See Also
    --------
    Multilabel : the same for `delong`, `bootstrap`, `compare` and `scorer`.

    Examples
    --------
    >>> import polyroc as pr
    >>> Y = [[1, 0, 1], [0, 1, 0], [1, 1, 0], [0, 0, 1]]
    >>> S = [[0.9, 0.2, 0.6], [0.4, 0.7, 0.3], [0.3, 0.8, 0.5], [0.2, 0.1, 0.4]]
    >>> round(pr.multilabel(Y, S), 4)
    0.8333
    >>> pr.multilabel(Y, S, average=None)
    array([0.75, 1.  , 0.75])
    >>> round(pr.multilabel(Y, S, "average_precision", average="micro"), 4)
    0.8968
    """
    chosen = Multilabel(measure, average, absent)
    return chosen(y_true, y_score, labels=labels, sample_weight=sample_weight, n_threads=n_threads)
