"""The area under a part of the ROC curve."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from polyroc import _core
from polyroc._base.checks import choose
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._data.sample import Sample, prepare
from polyroc._measures.measure import ABSENT, AUC, Measure
from polyroc._measures.ranges import rate_range
from polyroc._stats.newcombe import FromAuc

if TYPE_CHECKING:
    from polyroc._base.types import Absent, Floats, Labels, Scores

Range = tuple[float, float]
_PAIRS = ("hand_till", "auc_mu", None)


@public
@dataclass(frozen=True, eq=False, repr=False)
class PartialAuc(Measure[float]):
    """A partial area as an object; see :func:`partial_auc`.

    Parameters
    ----------
    fpr, tpr : tuple of two floats, optional
        The range of false, or of true, positive rates that counts: one of the two.
    standardize : bool
        Whether the area is put on the scale on which chance has 1/2 and perfection 1.
    pairs : {"hand_till", "auc_mu"}, optional
        How more than two classes are compared, two at a time.
    absent : {"raise", "skip"}
        What to do about a class without rows.

    Examples
    --------
    >>> import polyroc as pr
    >>> pr.PartialAuc(fpr=(0, 0.1))
    PartialAuc(fpr=(0.0, 0.1))
    >>> pr.PartialAuc(tpr=(0.5, 1), standardize=True)([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    0.8333333333333333
    """

    fpr: Range | None = None
    tpr: Range | None = None
    standardize: bool = False
    pairs: Literal["hand_till", "auc_mu"] | None = None
    absent: Absent = "raise"
    name: ClassVar[str] = "partial_auc"
    ordered_pairs: ClassVar[bool] = True
    _both_ways: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the options."""
        if self.fpr is None and self.tpr is None:
            raise ValueError(
                "neither fpr nor tpr is given; pass the range that counts, as fpr=(0, 0.1) or "
                "tpr=(0.9, 1); for the whole area use auc"
            )
        if self.fpr is not None and self.tpr is not None:
            raise ValueError("fpr and tpr are both given; an area is over one of them: leave one")
        if not isinstance(self.standardize, (bool, np.bool_)):
            raise TypeError(f"standardize is {self.standardize!r}; pass True or False")
        choose("pairs", self.pairs, _PAIRS)
        choose("absent", self.absent, ABSENT)
        self._set(standardize=bool(self.standardize))
        if self.fpr is not None:
            self._set(fpr=rate_range("fpr", self.fpr, "(0, 0.1)"))
        else:
            self._set(tpr=rate_range("tpr", self.tpr, "(0.9, 1)"))

    @property
    def _range(self) -> Range:
        found = self.tpr if self.fpr is None else self.fpr
        assert found is not None
        return found

    @property
    def from_auc(self) -> FromAuc:
        """How a part of the area follows from the whole."""
        low, high = self._range
        if (low, high) == (0.0, 1.0):
            return FromAuc()
        # Turned round, with classes exchanged, true positive rates are false positive ones.
        end = high if self.tpr is None else 1.0 - low
        return _PartialFromAuc(width=high - low, end=end)

    @property
    def projects(self) -> bool:  # type: ignore[override]  # for others it is the same for all
        """Whether it computes with scores: where it projects them as AUC-mu does."""
        return self.pairs == "auc_mu"

    @property
    def reads_one_column(self) -> bool:
        """It does, but for pairs of classes: that of the favoured class."""
        return self.pairs is None

    @property
    def is_binary_auc(self) -> bool:
        """Whether the whole area of two classes counts."""
        return self._range == (0.0, 1.0) and self.pairs is None

    def _admit(self, sample: Sample) -> None:
        super()._admit(sample)
        if self.pairs is None:
            sample.require_two_classes(self.name, 'pass pairs="hand_till" or pairs="auc_mu"')

    def _is_auc(self, sample: Sample) -> bool:
        return self._range == (0.0, 1.0) and (self.pairs is None or sample.scores.ndim == 1)

    def _class_weights(self, masses: Floats) -> Floats:
        # Of the class that the range cuts, the rows in it alone decide: a share w of all, so that
        # each counts 1 / w times as much.
        low, high = self._range
        all_rows, cut = super()._class_weights(masses), 1.0 / (high - low)
        if len(masses) != 2 or (self.pairs is not None and self._both_ways):
            return np.asarray(all_rows * (1.0 + cut) / 2.0)  # in turn, over ordered pairs
        return np.asarray(all_rows * np.array([cut, 1.0] if self.tpr is None else [1.0, cut]))

    def _describe(self, sample: Sample) -> _core.Measure:
        if self._is_auc(sample):
            return AUC
        one, (low, high) = sample.scores.ndim == 1, self._range
        by_column = self.pairs == "hand_till" and not one
        projected = self.pairs == "auc_mu" and not one
        options: dict[str, Any] = {"partition": None, "unit_roundoff": sample.unit_roundoff}
        return _core.Measure(
            "partial_auc", low=low, high=high, over_tpr=self.fpr is None,
            standardize=self.standardize, by_column=by_column, projected=projected,
            both_ways=self._both_ways and (projected or (self.pairs is not None and one)),
            **(options if projected else {}),
        )  # fmt: skip

    def _describe_pairs(self, sample: Sample) -> _core.Measure:
        self._of_pair()
        raise ValueError(
            "pairs=True is for whole areas here; delong(pairs=True) has parts of them too"
        )

    def _of_pair(self) -> PartialAuc:
        """Return what is the value of a pair on its rows and columns, the positive class last."""
        if self.pairs is None:
            raise ValueError(
                "pairs=True is for measures of pairs of classes; pass "
                f"pr.{replace(self, pairs='hand_till')!r}, or with pairs='auc_mu'"
            )
        if self.pairs == "hand_till":
            return replace(self, pairs=None, absent="raise")
        return _OneWay(self.fpr, self.tpr, self.standardize, self.pairs)

    def _bounds(self, sample: Sample) -> tuple[float, float]:
        low, high = self._range
        most, chance = high - low, (high - low) * (high + low) / 2
        if not self.standardize:
            return 0.0, most
        chance = chance if self.tpr is None else most - chance
        return (1 - chance / (most - chance)) / 2, 1.0  # an area of 0, standardised


@dataclass(frozen=True, eq=False, repr=False)
class _OneWay(PartialAuc):
    """The area of two classes by the difference of their columns, the second one being positive."""

    _both_ways: ClassVar[bool] = False


@dataclass(frozen=True)
class _PartialFromAuc(FromAuc):
    """What an area over a range of width w that ends at e can be, given the whole area A.

    A curve never falls: if all of it beyond e is at 1, A - (1 - e) is left for what comes before,
    and that is lowest within the range where it is level. And the range has no more than all.
    """

    width: float = 1.0
    end: float = 1.0

    def shares(
        self, low: Floats, high: Floats, sizes: tuple[float, float]
    ) -> tuple[Floats, Floats]:
        least = np.maximum(low - (1.0 - self.end), 0.0) / self.end
        return least, np.minimum(high, self.width) / self.width


@public
@hinting
def partial_auc(
    y_true: Labels,
    y_score: Scores,
    *,
    fpr: Range | None = None,
    tpr: Range | None = None,
    standardize: bool = False,
    pairs: Literal["hand_till", "auc_mu"] | None = None,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
) -> float:
    """Area under the part of the ROC curve between two rates.

    Over false positive rates in [a, b] it is the integral of the true positive rate; over true
    positive rates in [a, b] that of 1 - FPR. The curve is straight between its points, and the ends
    of a range are exact wherever they lie. The area is at most b - a. Chance has (b^2 - a^2) / 2
    over FPR, and b - a less that over TPR; with `standardize` the area P becomes (McClish 1989)::

        1/2 (1 + (P - chance) / ((b - a) - chance))

    which is 1/2 for chance, 1 for perfection, and below 1/2 for scores that are worse than chance
    within the range. ``auc(max_fpr=f)`` is this over FPR in [0, f].

    More than two classes are compared in ordered pairs (i, j), i being positive, whose mean is
    returned: K (K - 1) areas, since that of (j, i) is another part of the curve than that of
    (i, j). With ``pairs="hand_till"`` the scores of a pair are column i, with ``pairs="auc_mu"``
    p_i - p_j.
    Cost: O(n log n) time for each column or projection, O(n) memory for each at work.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        Labels: integers, booleans, strings, a categorical.
    y_score : array_like of shape (n,) or (n, 2), or (n, K) with `pairs`
        Scores of ``labels[1]``, higher for more likely; of two columns the second is used. With
        `pairs` a column of scores for each class; a single column of two classes counts both ways.
    fpr, tpr : tuple of two floats, optional
        The range that counts, (a, b) with 0 <= a < b <= 1: one of the two.
    standardize : bool
        Whether the area is put on the scale from chance, 1/2, to perfection, 1.
    pairs : {"hand_till", "auc_mu"}, optional
        How more than two classes are compared.
    labels : array_like of shape (K,), optional
        The classes, in column order. By default the sorted values of `y_true`, or the column
        names of a data frame where these are the classes.
    pos_label : label, optional
        Of two classes, the one that high scores stand for; ``labels[1]`` by default.
    sample_weight : array_like of shape (n,), optional
        Weights of the rows, finite and >= 0.
    absent : {"raise", "skip"}
        Whether a class of `labels` without rows of positive weight is an error, or its pairs are
        left out.
    n_threads : int, optional
        Threads to use; all cores by default. The result does not depend on it.

    Returns
    -------
    float
        The area, in [0, b - a]; standardised, at most 1.

    References
    ----------
    D. K. McClish, Analyzing a portion of the ROC curve, Medical Decision Making 9, 1989.
    Y. Jiang, C. E. Metz and R. M. Nishikawa, A receiver operating characteristic partial area index
    for highly sensitive diagnostic tests, Radiology 201, 1996: true positive rates.

    Examples
    --------
    >>> import polyroc as pr
    >>> y, s = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.3, 0.4, 0.6, 0.35, 0.5, 0.7, 0.9]
    >>> pr.partial_auc(y, s, fpr=(0, 0.5))
    0.3125
    >>> pr.partial_auc(y, s, fpr=(0, 0.5), standardize=True)
    0.75
    >>> y, models = pr.example_predictions()
    >>> round(pr.partial_auc(y, models["naive Bayes"], fpr=(0, 0.1), pairs="hand_till"), 4)
    0.0901
    """
    return PartialAuc(fpr, tpr, standardize, pairs, absent)._of(
        prepare(y_true, y_score, labels, sample_weight, n_threads, pos_label)
    )
