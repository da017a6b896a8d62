"""What `evaluate` gives: one report of everything that applies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from polyroc import _core
from polyroc._base.checks import choose
from polyroc._base.display import percents
from polyroc._base.frame import data_frame
from polyroc._base.plain import plain
from polyroc._base.public import public
from polyroc._base.result import Result, same
from polyroc._base.write import written
from polyroc._compare.result import comparison_remarks, comparison_title
from polyroc._report.columns import class_columns, measure_columns, pair_columns
from polyroc._report.given import Given
from polyroc._report.tables import (
    class_lines,
    class_table,
    corrected_line,
    data_lines,
    hardest_lines,
    measure_table,
    point_lines,
    run_line,
    title,
)

if TYPE_CHECKING:
    from os import PathLike

    from polyroc._base.table import Part, Table
    from polyroc._compare.result import Comparison
    from polyroc._inference.bootstrap_result import BootstrapResult
    from polyroc._inference.results import Results
    from polyroc._points.confusion_result import Confusion
    from polyroc._points.operating_point_result import OperatingPoint
    from polyroc._report.data import Data
    from polyroc._report.given import Reading


_WHAT = ("measures", "classes", "pairs", "models")


@public
@dataclass(frozen=True, eq=False, repr=False)
class Report(Result):
    """Everything that applies to one model or several; made by :func:`polyroc.evaluate`.

    Attributes
    ----------
    models : tuple of str
        The models, in the order given.
    measures : dict of Results
        For each model its headline measures with intervals, the one that models are compared by
        first.
    by_class : dict of Results
        For each model the measures with one value per class; empty for two classes.
    by_pair : dict of BootstrapResult
        For each model A(i,j) of every pair of classes; empty for two classes.
    operating_points : dict of OperatingPoint
        For each model, of two classes, the point of Youden's rule; empty for more classes.
    confusions : dict of Confusion
        For each model, true by said class: of two classes at that point, of more by the greatest
        score.
    comparison : Comparison or None
        Every two models compared by the first measure; None for one model.
    data : Data
        Rows, classes, groups, weights, ties.
    warnings : tuple of str
        What to keep in mind, one sentence each.
    confidence, n_resamples, seed, version
        What is needed to repeat the report.
    """

    models: tuple[str, ...]
    measures: Mapping[str, Results[BootstrapResult]]
    by_class: Mapping[str, Results[BootstrapResult]]
    by_pair: Mapping[str, BootstrapResult]
    operating_points: Mapping[str, OperatingPoint]
    confusions: Mapping[str, Confusion]
    comparison: Comparison | None
    data: Data
    warnings: tuple[str, ...]
    confidence: float
    n_resamples: int
    seed: int
    version: str = _core.__version__
    _given: Given = field(default=Given(None, {}, {}), repr=False)

    def to_frame(self, library: str | None = None, what: str | None = "measures") -> Any:
        """Return a table of the report as a data frame.

        Parameters
        ----------
        library : {"pandas", "polars"}, optional
            Whose; by default that of pandas, or of polars where pandas is not installed.
        what : {"measures", "classes", "pairs", "models"}
            What has a line each, for every model: headline measures, classes, pairs of classes;
            or every two models compared.
        """
        choose("what", what, _WHAT)
        if library in _WHAT:
            raise ValueError(f'library is {library!r}; pass what="{library}"')
        if what == "models":
            if self.comparison is None:
                raise ValueError('what="models" compares models, and there is one only')
            return self.comparison.to_frame(library)
        columns = {"measures": measure_columns, "classes": class_columns, "pairs": pair_columns}
        return data_frame(columns[str(what)](self), library)

    def to_dict(self, replicates: bool = False) -> dict[str, Any]:
        """Return all there is as plain Python: numbers, strings, lists. Ready for JSON.

        Parameters
        ----------
        replicates : bool
            Whether the replicates of the measures are in it, which are many.
        """

        def listed(results: Mapping[str, BootstrapResult]) -> dict[str, Any]:
            return {name: one.to_dict(replicates) for name, one in results.items()}

        contents = {
            "models": self.models,
            "measures": {model: listed(results) for model, results in self.measures.items()},
            "by_class": {model: listed(results) for model, results in self.by_class.items()},
            "by_pair": listed(self.by_pair),
            "operating_points": {
                model: {
                    name: value
                    for name, value in point.to_dict().items()
                    if replicates or name != "replicates"
                }
                for model, point in self.operating_points.items()
            },
            "confusions": {model: said.to_dict() for model, said in self.confusions.items()},
            "comparison": None if self.comparison is None else self.comparison.to_dict(),
            "data": self.data.contents(),
            "warnings": self.warnings,
            "confidence": self.confidence,
            "n_resamples": self.n_resamples,
            "seed": self.seed,
            "version": self.version,
        }
        return {name: plain(value) for name, value in contents.items()}

    def save(self, path: str | PathLike[str]) -> None:
        """Write the report as one HTML page, which opens from disk and needs no network.

        It holds summaries, never rows. The file takes its name when it is whole, not before.

        Parameters
        ----------
        path : str or path
            Where to; an older file is replaced.
        """
        self._save(path)

    def _save(self, path: str | PathLike[str], reading: Reading | None = None) -> None:
        from polyroc._report.page.page import page

        text = page(self, reading)  # first: a run that is killed meanwhile leaves nothing
        with written(path) as temporary:
            temporary.write_text(text, encoding="utf-8", newline="\n")

    def plot(self, kind: str | None = None, **options: Any) -> Any:
        """Draw a picture of the report by matplotlib: ``pip install "polyroc[plot]"``.

        Parameters
        ----------
        kind : str, optional
            The name of a picture in :mod:`polyroc.plot`: "roc", "precision_recall", "pairs",
            "pair_differences", "polar", "models", "differences", "replicates", "confusion",
            "scores", "decision_curve" or "calibration". By default "roc" of two classes; of more,
            "models", or "pairs" of a single model.
        **options
            As for that picture. Where it shows one model of several, ``model=`` says which, the
            first by default; "pair_differences" shows the first two, and "replicates" takes
            ``measure=`` too.

        Returns
        -------
        matplotlib axes, or an array of them
        """
        # By name: `_plot` is a room beside this one.
        return import_module("polyroc._plot.report").draw_report(self, kind, **options)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        own, others = dict(vars(self)), dict(vars(other))
        return same({**own, "_given": None}, {**others, "_given": None})

    __hash__ = Result.__hash__

    def _columns(self) -> dict[str, list[Any]]:
        return measure_columns(self)

    def _table(self) -> Table:
        return measure_table(self)

    def _parts(self) -> Iterable[Part]:
        yield title(self)
        yield from (f"  {line}" for line in data_lines(self.data))
        yield ""
        yield self._table()
        yield f"  {percents([self.confidence])} intervals: {run_line(self)}"
        yield from (f"  {line}" for line in filter(None, [corrected_line(self)]))
        if self.by_class:
            yield ""
            yield from (f"  {line}" for line in class_lines(self))
            yield class_table(self)
        hardest = list(hardest_lines(self))
        if hardest:
            yield ""
            yield "  the hardest pairs of classes, by A(i,j):"
            yield from (f"    {line}" for line in hardest)
        points = list(point_lines(self))
        if points:
            yield ""
            yield from (f"  {line}" for line in points)
        if self.comparison is not None:
            yield ""
            yield f"  models compared by {comparison_title(self.comparison)}"
            yield self.comparison._pair_table(("difference", ""))
            yield from (f"  {remark}" for remark in comparison_remarks(self.comparison))
        if self.warnings:
            yield ""
            yield from (f"  warning: {text}" for text in self.warnings)
