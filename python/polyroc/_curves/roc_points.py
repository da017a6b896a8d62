"""The points of one ROC curve."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from polyroc._base.checks import show
from polyroc._base.picture import Pictured
from polyroc._base.public import public
from polyroc._base.result import Result
from polyroc._base.table import Column, Table

if TYPE_CHECKING:
    from polyroc import _core
    from polyroc._base.table import Part
    from polyroc._base.types import Floats, Scores

_SHOWN = (0.01, 0.05, 0.1, 0.2, 0.5)  # the false positive rates of the table
_NEAR = 2.0**-40  # rates that differ by no more do so by the rounding of sums of weights alone


@public
@dataclass(frozen=True, eq=False, repr=False)
class RocCurve(Pictured, Result):
    """An ROC curve; made by :func:`polyroc.roc_curve`.

    ``fpr, tpr, thresholds = curve`` unpacks it.

    Attributes
    ----------
    fpr, tpr : ndarray
        The shares of the other rows and of the favoured rows that score `thresholds` or more,
        from (0, 0) to (1, 1).
    thresholds : ndarray
        The scores, falling; the first is infinite, above all rows, even those that score infinity.
    favoured : object
        What the curve is of: the class that high scores stand for.
    against : object
        The class that it is compared with; None for all others.

    Examples
    --------
    >>> import polyroc as pr
    >>> curve = pr.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    >>> curve.at(fpr=0.25), curve.at(tpr=0.5)
    (0.75, 0.0)
    """

    _picture = "results.roc_curve"

    fpr: Floats
    tpr: Floats
    thresholds: Floats
    favoured: Any = None
    against: Any = None

    def __post_init__(self) -> None:
        """Keep the arrays from being changed."""
        self._freeze()

    @property
    def auc(self) -> float:
        """The area below: the AUC, ties one half."""
        return float(np.dot(np.diff(self.fpr), self.tpr[1:] + self.tpr[:-1]) / 2.0)

    @overload
    def at(self, *, fpr: float, tpr: None = None) -> float: ...
    @overload
    def at(self, *, fpr: Scores, tpr: None = None) -> float | Floats: ...
    @overload
    def at(self, *, fpr: None = None, tpr: float) -> float: ...
    @overload
    def at(self, *, fpr: None = None, tpr: Scores) -> float | Floats: ...
    def at(self, *, fpr: Scores | None = None, tpr: Scores | None = None) -> float | Floats:
        """Return the TPR at an FPR, or the FPR at a TPR, straight between points.

        Where the curve is vertical, the greatest TPR; where it is horizontal, the least FPR. A
        point whose rate differs by the rounding of sums of weights alone is at that rate.

        Parameters
        ----------
        fpr, tpr : float or array_like
            One of the two, in [0, 1].

        Returns
        -------
        float or ndarray
            The other one.
        """
        if (fpr is None) == (tpr is None):
            raise TypeError("pass either fpr or tpr: at(fpr=0.05), or at(tpr=0.95)")
        if fpr is not None:
            wanted = _rates("fpr", fpr)
            left = np.searchsorted(self.fpr, wanted + _NEAR, side="right") - 1
            found = _between(wanted, left, self.fpr, self.tpr)
        else:
            wanted = _rates("tpr", tpr)
            right = np.searchsorted(self.tpr, wanted - _NEAR, side="left")
            # Seen from the other end, where rates fall.
            last = len(self.tpr) - 1
            found = _between(wanted, last - right, self.tpr[::-1], self.fpr[::-1])
        return float(found) if found.ndim == 0 else found

    def __iter__(self) -> Iterator[Floats]:
        return iter((self.fpr, self.tpr, self.thresholds))

    def __len__(self) -> int:
        return 3  # what it unpacks to

    def _contents(self) -> dict[str, Any]:
        return {**vars(self), "auc": self.auc}

    def _parts(self) -> Iterable[Part]:
        yield (
            f"ROC curve{_of(self.favoured, self.against)}: {len(self.fpr):,} points, "
            f"area {self.auc:.4f}"
        )
        yield self._table()

    def _summary(self) -> dict[str, str]:
        """Return what a table of several curves says of it."""
        against = {} if self.against is None else {"against": str(self.against)}
        return {
            "class": str(self.favoured),
            **against,
            "points": f"{len(self.fpr):,}",
            "area": f"{self.auc:.4f}",
            "TPR at FPR 0.1": f"{self.at(fpr=0.1):.4f}",
        }

    def _columns(self) -> dict[str, list[Any]]:
        return {name: getattr(self, name).tolist() for name in ("fpr", "tpr", "thresholds")}

    def _table(self) -> Table:
        shown = [f"{rate:g}" for rate in _SHOWN]
        return Table(
            [
                Column("at FPR", ["TPR"], left=True),
                *(
                    Column(title, [f"{self.at(fpr=rate):.4f}"])
                    for title, rate in zip(shown, _SHOWN, strict=True)
                ),
            ]
        )


def rates_of(curve: _core.Curve, drop_collinear: bool) -> tuple[Floats, Floats, Floats]:
    """Return false and true positive rates and thresholds of a curve in masses."""
    fp, tp, thresholds = curve.fp, curve.tp, curve.thresholds
    if drop_collinear:
        turns = corners(fp, tp)
        fp, tp, thresholds = fp[turns], tp[turns], thresholds[turns]
    fp /= fp[-1]  # in place: the arrays are ours
    tp /= tp[-1]
    return fp, tp, thresholds


def corners(fp: Floats, tp: Floats) -> Any:
    """Tell which points do not lie on the straight line between their neighbours."""
    across, up = np.diff(fp), np.diff(tp)
    turns = np.ones(len(fp), dtype=bool)
    turns[1:-1] = across[:-1] * up[1:] != across[1:] * up[:-1]
    return turns


def _between(x: Floats, left: Any, xs: Floats, ys: Floats) -> Floats:
    """Return y at x on the line from the point `left`, which is at x or before it, to the next."""
    right = np.minimum(left + 1, len(xs) - 1)
    way, step = x - xs[left], xs[right] - xs[left]
    share = np.divide(way, step, out=np.zeros_like(x), where=np.abs(way) > _NEAR)
    return np.asarray(ys[left] + share * (ys[right] - ys[left]))


def _rates(name: str, values: Any) -> Floats:
    rates = np.asarray(values, dtype=np.float64)
    if not ((rates >= 0) & (rates <= 1)).all():
        bad = rates[~((rates >= 0) & (rates <= 1))].ravel()[0]
        raise ValueError(f"{name} is {show(bad)}; rates lie in [0, 1]")
    return rates


def _of(favoured: Any, against: Any) -> str:
    if favoured is None:
        return ""
    return f" of {show(favoured)}" + ("" if against is None else f" against {show(against)}")
