"""The proportion of rows that are put into their own class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from polyroc import _core
from polyroc._base.checks import choose
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._data.sample import Sample, prepare
from polyroc._measures.measure import ABSENT, Measure
from polyroc._stats.from_proportion import FromProportion

if TYPE_CHECKING:
    from polyroc._base.types import Absent, Floats, Labels, Scores


@public
@dataclass(frozen=True, eq=False, repr=False)
class ProportionCorrect(Measure[float]):
    """The proportion correct as an object; see :func:`proportion_correct`.

    Parameters
    ----------
    pairs : bool
        Whether two classes are compared at a time.
    absent : {"raise", "skip"}
        What to do about a class without rows.

    Examples
    --------
    >>> import polyroc as pr
    >>> pr.ProportionCorrect(pairs=True)
    ProportionCorrect(pairs=True)
    """

    pairs: bool = False
    absent: Absent = "raise"
    name: ClassVar[str] = "proportion_correct"

    def __post_init__(self) -> None:
        """Check the options."""
        if not isinstance(self.pairs, (bool, np.bool_)):
            raise TypeError(f"pairs is {self.pairs!r}; pass True or False")
        choose("absent", self.absent, ABSENT)
        self._set(pairs=bool(self.pairs))

    @property
    def from_auc(self) -> FromProportion:
        """A proportion of rows."""
        return FromProportion()

    @property
    def compares_with_rest(self) -> bool:
        """Whether all rows count at once."""
        return not self.pairs

    @property
    def needs_columns(self) -> bool:
        """It does: a row is put where its greatest score is."""
        return True

    def _admit(self, sample: Sample) -> None:
        super()._admit(sample)
        if sample.scores.ndim == 1:
            raise ValueError(
                "proportion_correct compares the scores of a row's classes but y_score is 1-D; "
                "pass both columns, as np.column_stack([1 - p, p]) for probabilities p"
            )

    def _counts_enter(self, sample: Sample) -> bool:
        """Tell that they do: every row counts, whatever its class."""
        return True

    def _class_weights(self, masses: Floats) -> Floats:
        if not self.pairs:
            return np.asarray(masses / masses.sum())
        rows = np.flatnonzero(masses)
        own = masses[rows]
        each = own[:, np.newaxis] / (own[:, np.newaxis] + own)
        weights = np.zeros_like(masses)
        weights[rows] = (each.sum(axis=1) - 0.5) * (2.0 / (len(own) * (len(own) - 1)))
        return weights

    def _describe(self, sample: Sample) -> _core.Measure:
        kind = "proportion_correct_by_pairs" if self.pairs else "proportion_correct"
        return _core.Measure(kind)


@public
@hinting
def proportion_correct(
    y_true: Labels,
    y_score: Scores,
    *,
    pairs: bool = False,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
) -> float:
    """Proportion correct: the share of rows whose own class has their greatest score.

    Each row is put into the class of its greatest score; where m scores share the greatest, 1/m of
    the row is put into each of their classes. The share of all rows that are in their own is C1 of
    HT01, elsewhere called accuracy. With ``pairs=True`` it is their C2, in which only two
    classes are compared at a time, as M and AUC-mu do::

        C2 = 2 / (K (K - 1)) * sum over i < j of
             (share of the rows of i and j together that are on the right side of p_i = p_j)

    ties counting one half. With two classes C1 = C2. Both depend on how many rows each class
    has: by chance and with equal classes C1 is 1/K, and with unequal ones a rule that always says
    the largest class has its share. Scores tie when they are equal.
    Cost: O(n K) time, O(n) memory for each value of a row at work.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        Labels: integers, booleans, strings, a categorical.
    y_score : array_like of shape (n, K)
        A column of scores for each class, higher for more likely, on one scale for all columns:
        they are compared within rows. For probabilities p of one class pass
        ``np.column_stack([1 - p, p])``.
    pairs : bool
        Whether two classes are compared at a time.
    labels : array_like of shape (K,), optional
        The classes, in column order. By default the sorted values of `y_true`, or the column
        names of a data frame where these are the classes.
    pos_label : label, optional
        Of two classes, the one whose column is the last; ``labels[1]`` by default.
    sample_weight : array_like of shape (n,), optional
        Weights of the rows, finite and >= 0.
    absent : {"raise", "skip"}
        Whether a class of `labels` without rows of positive weight is an error. If not, rows may
        still be put into it, wrongly; `pairs` compares the other classes only.
    n_threads : int, optional
        Threads to use; all cores by default. The result does not depend on it.

    Returns
    -------
    float
        The proportion, in [0, 1].

    References
    ----------
    HT01: D. J. Hand and R. J. Till, A simple generalisation of the area under the ROC curve for
    multiple class classification problems, Machine Learning 45, 2001, section 4.

    Examples
    --------
    >>> import polyroc as pr
    >>> proba = [[0.8, 0.1, 0.1], [0.4, 0.5, 0.1], [0.1, 0.6, 0.3], [0.5, 0.3, 0.2]]
    >>> pr.proportion_correct(["a", "a", "b", "c"], proba)
    0.5
    >>> round(pr.proportion_correct(["a", "a", "b", "c"], proba, pairs=True), 4)
    0.6111
    """
    return ProportionCorrect(pairs, absent)._of(
        prepare(y_true, y_score, labels, sample_weight, n_threads, pos_label)
    )
