"""What `evaluate` gives: one report of everything that applies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from polyroc import _core
from polyroc._base.checks import choose
from polyroc._base.display import percents
from polyroc._base.frame import data_frame
from polyroc._base.plain import plain
from polyroc._base.public import public
from polyroc._base.result import Result
from polyroc._compare.result import comparison_remarks, comparison_title
from polyroc._report.columns import class_columns, measure_columns, pair_columns
from polyroc._report.tables import (
    class_table,
    data_lines,
    hardest_lines,
    measure_table,
    run_line,
    title,
)

if TYPE_CHECKING:
    from polyroc._base.table import Part, Table
    from polyroc._compare.result import Comparison
    from polyroc._inference.bootstrap_result import BootstrapResult
    from polyroc._inference.results import Results
    from polyroc._report.data import Data

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
    comparison: Comparison | None
    data: Data
    warnings: tuple[str, ...]
    confidence: float
    n_resamples: int
    seed: int
    version: str = _core.__version__

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
            "comparison": None if self.comparison is None else self.comparison.to_dict(),
            "data": self.data.contents(),
            "warnings": self.warnings,
            "confidence": self.confidence,
            "n_resamples": self.n_resamples,
            "seed": self.seed,
            "version": self.version,
        }
        return {name: plain(value) for name, value in contents.items()}

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
        if self.by_class:
            yield ""
            yield class_table(self)
        hardest = list(hardest_lines(self))
        if hardest:
            yield ""
            yield "  the hardest pairs of classes, by A(i,j):"
            yield from (f"    {line}" for line in hardest)
        if self.comparison is not None:
            yield ""
            yield f"  models compared by {comparison_title(self.comparison)}"
            yield self.comparison._pair_table(("difference", ""))
            yield from (f"  {remark}" for remark in comparison_remarks(self.comparison))
        if self.warnings:
            yield ""
            yield from (f"  warning: {text}" for text in self.warnings)
