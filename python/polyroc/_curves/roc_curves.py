"""Several ROC curves, by class or by pair of classes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, KeysView, Mapping
from typing import TYPE_CHECKING, Any

from polyroc._base.checks import show
from polyroc._base.frame import data_frame
from polyroc._base.plain import names_of
from polyroc._base.public import public
from polyroc._base.result import as_text, refuse_what
from polyroc._base.table import Column, Table

if TYPE_CHECKING:
    from polyroc._base.table import Part
    from polyroc._curves.roc_points import RocCurve

_MOST = 20  # curves that are printed


@public
class RocCurves(Mapping[Any, "RocCurve"]):
    """ROC curves by class or by pair of classes; made by :func:`polyroc.roc_curve`.

    A mapping that cannot be changed: ``curves[label]`` or ``curves[first, second]`` is a curve.

    Examples
    --------
    >>> import polyroc as pr
    >>> proba = [[0.8, 0.1, 0.1], [0.4, 0.5, 0.1], [0.1, 0.6, 0.3], [0.5, 0.3, 0.2]]
    >>> pr.roc_curve(["a", "a", "b", "c"], proba)
    3 ROC curves
      class  points    area  TPR at FPR 0.1
      'a'         5  0.7500          0.5000
      'b'         5  1.0000          1.0000
      'c'         4  0.6667          0.0000
    """

    def __init__(self, curves: Mapping[Any, RocCurve]) -> None:
        self._curves: dict[Any, RocCurve] = dict(curves)

    def __getitem__(self, name: Any) -> RocCurve:
        try:
            return self._curves[name]
        except KeyError:
            raise KeyError(f"no curve {show(name)}; there are {show(list(self))}") from None

    def __iter__(self) -> Iterator[Any]:
        return iter(self._curves)

    def __len__(self) -> int:
        return len(self._curves)

    def keys(self) -> KeysView[Any]:
        """Return the names, which print as such: a mapping's own view would print the table."""
        return self._curves.keys()

    def __repr__(self) -> str:
        return as_text(self._parts())

    def to_dict(self) -> dict[str, Any]:
        """Return every curve as plain Python, by name."""
        curves = zip(names_of(self), self.values(), strict=True)
        return {name: curve.to_dict() for name, curve in curves}

    def to_frame(self, library: str | None = None, what: str | None = None) -> Any:
        """Return the points of all curves as one data frame; `curve` holds the names.

        Parameters
        ----------
        library : {"pandas", "polars"}, optional
            Whose; by default that of pandas, or of polars where pandas is not installed.
        what : None
            Which table, for results that have several; there is one here.
        """
        refuse_what(what)
        columns: dict[str, list[Any]] = {"curve": [], "fpr": [], "tpr": [], "thresholds": []}
        for name, curve in zip(names_of(self), self.values(), strict=True):
            columns["curve"] += [name] * len(curve.fpr)
            for rate in ("fpr", "tpr", "thresholds"):
                columns[rate] += getattr(curve, rate).tolist()
        return data_frame(columns, library)

    def _repr_html_(self) -> str:
        """Return what notebooks show."""
        from polyroc._base.html import html  # which nothing else needs

        return html(self._parts())

    def _parts(self) -> Iterable[Part]:
        yield f"{len(self)} ROC curves"
        shown = list(self.values())[:_MOST]
        yield Table(
            [
                Column("class", [show(curve.favoured) for curve in shown], left=True),
                *(
                    [Column("against", [show(curve.against) for curve in shown], left=True)]
                    if any(curve.against is not None for curve in shown)
                    else []
                ),
                Column("points", [f"{len(curve.fpr):,}" for curve in shown]),
                Column("area", [f"{curve.auc:.4f}" for curve in shown]),
                Column("TPR at FPR 0.1", [f"{curve.at(fpr=0.1):.4f}" for curve in shown]),
            ]
        )
        if len(self) > _MOST:
            yield f"  and {len(self) - _MOST:,} more"
