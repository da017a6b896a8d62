"""Several curves, by class or by pair of classes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, KeysView, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from polyroc._base.checks import show
from polyroc._base.frame import data_frame
from polyroc._base.picture import Pictured
from polyroc._base.plain import names_of
from polyroc._base.public import public
from polyroc._base.result import as_text, refuse_what
from polyroc._base.table import Column, Table
from polyroc._curves.pr_points import PrCurve
from polyroc._curves.roc_points import RocCurve

if TYPE_CHECKING:
    from polyroc._base.table import Part

_MOST = 20  # curves that are printed

Curve = TypeVar("Curve", bound=RocCurve | PrCurve)


class Curves(Mapping[Any, Curve], Generic[Curve]):
    """Curves by name: a mapping that cannot be changed."""

    _noun: ClassVar[str]

    def __init__(self, curves: Mapping[Any, Curve]) -> None:
        self._curves: dict[Any, Curve] = dict(curves)

    def __getitem__(self, name: Any) -> Curve:
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
        columns: dict[str, list[Any]] = {"curve": []}
        for name, curve in zip(names_of(self), self.values(), strict=True):
            points = curve._columns()
            columns["curve"] += [name] * len(next(iter(points.values())))
            for title, values in points.items():
                columns.setdefault(title, []).extend(values)
        return data_frame(columns, library)

    def to_markdown(self) -> str:
        """Return a line for every curve as a table in Markdown."""
        return self._table().to_markdown()

    def to_latex(self) -> str:
        """Return a line for every curve as a LaTeX tabular."""
        return self._table().to_latex()

    def _repr_html_(self) -> str:
        """Return what notebooks show."""
        from polyroc._base.html import html  # which nothing else needs

        return html(self._parts())

    def _table(self, most: int | None = None) -> Table:
        """Return a line for each of the first curves, by default for all."""
        listed: list[Any] = list(self.values())[:most]
        lines = [curve._summary() for curve in listed]
        names = list(lines[0]) if lines else []
        words = ("class", "against")
        return Table([Column(n, [line[n] for line in lines], left=n in words) for n in names])

    def _parts(self) -> Iterable[Part]:
        yield f"{len(self)} {self._noun}"
        yield self._table(_MOST)
        if len(self) > _MOST:
            yield f"  and {len(self) - _MOST:,} more"


@public
class RocCurves(Pictured, Curves[RocCurve]):
    """ROC curves by class or by pair of classes; made by :func:`polyroc.roc_curve`.

    A mapping that cannot be changed: ``curves[label]`` or ``curves[first, second]`` is a curve.

    Examples
    --------
    >>> import polyroc as pr
    >>> proba = [[0.8, 0.1, 0.1], [0.4, 0.5, 0.1], [0.1, 0.6, 0.3], [0.5, 0.3, 0.2]]
    >>> pr.roc_curve(["a", "a", "b", "c"], proba)
    3 ROC curves
      class  points    area  TPR at FPR 0.1
      a           5  0.7500          0.5000
      b           5  1.0000          1.0000
      c           4  0.6667          0.0000
    """

    _picture = "results.roc_curves"

    _noun = "ROC curves"


@public
class PrCurves(Pictured, Curves[PrCurve]):
    """Precision-recall curves by class; made by :func:`polyroc.pr_curve`.

    A mapping that cannot be changed: ``curves[label]`` is the curve of a class against the rest.

    Examples
    --------
    >>> import polyroc as pr
    >>> proba = [[0.8, 0.1, 0.1], [0.4, 0.5, 0.1], [0.1, 0.6, 0.3], [0.5, 0.3, 0.2]]
    >>> pr.pr_curve(["a", "a", "b", "c"], proba)
    3 precision-recall curves
      class  thresholds  average precision
      a               4             0.8333
      b               4             1.0000
      c               3             0.5000
    """

    _picture = "results.pr_curves"

    _noun = "precision-recall curves"
