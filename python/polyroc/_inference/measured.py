"""What a measure with an error shows, however the error was found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._base.checks import choose
from polyroc._base.display import decimals, error_text, limits_text, percents, titled
from polyroc._base.frame import label_column
from polyroc._base.result import Result
from polyroc._base.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from polyroc._base.table import Part
    from polyroc._base.types import Floats
    from polyroc._measures.measure import Measure

_KINDS = {"two": "interval", "lower": "lower bound", "upper": "upper bound"}
_PAIRS = ".pairs holds the same for all pairs of classes"
MOST_LINES = 20  # of a table that is printed


class Values(NamedTuple):
    """The values of a measure in a row: a single one, one per class, or one per pair of classes."""

    labels: dict[str, list[Any]]  # of the class, or of the two classes; empty for a single value
    estimates: Floats
    errors: Floats
    limits: Floats  # of shape (levels, values, 2)


class Shown(NamedTuple):
    """All that is shown of a measure with its error."""

    measure: Measure[Any]
    estimate: Any
    error: Any
    interval: Floats
    confidence: Any
    sides: str
    method: str
    method_name: str  # as it is printed
    classes: tuple[Any, ...]
    remarks: list[str]  # what stands below the numbers
    has_pairs: bool

    @property
    def levels(self) -> list[float]:
        """The confidence levels."""
        return [float(level) for level in np.atleast_1d(self.confidence)]

    @property
    def values(self) -> Values:
        """The values in a row."""
        labels, kept = places_of(self.estimate, self.measure, self.classes)
        limits = np.reshape(self.interval, (len(self.levels), -1, 2))
        estimates, errors = np.ravel(self.estimate), np.ravel(self.error)
        return Values(labels, estimates[kept], errors[kept], limits[:, kept])

    @property
    def what_has_a_value(self) -> str:
        """What has a value each, where there are several."""
        return self.measure.each if np.ndim(self.estimate) == 1 else "pair of classes"

    def title_of_limits(self, levels: list[float], method_name: str) -> str:
        """Return what the limits are: 95 % BCa interval."""
        return " ".join([percents(levels), *method_name.split(), _KINDS[self.sides]])


def places_of(
    estimate: Any, measure: Measure[Any], classes: tuple[Any, ...]
) -> tuple[dict[str, list[Any]], Any]:
    """Return what the values of a measure in a row are called, and which of them are listed."""
    shape = np.shape(estimate)
    if not shape:
        return {}, slice(None)
    if len(shape) == 1:
        return {measure.each: label_column(measure._value_names(classes))}, slice(None)
    names = label_column(classes)
    both = ~np.eye(shape[0], dtype=np.bool_)
    # Below the diagonal is the same again, unless pairs are ordered.
    first, second = np.nonzero(both if measure.ordered_pairs else np.triu(both))
    labels = {"first": [names[i] for i in first], "second": [names[j] for j in second]}
    return labels, first * shape[0] + second


class Measured(Result):
    """The parent of results that hold a measure, its standard error and an interval."""

    pairs: Any  # the same for all pairs of classes, or None

    def _shown(self) -> Shown:
        raise NotImplementedError

    def _parts(self) -> Iterable[Part]:
        shown = self._shown()
        yield from self._numbers(shown)
        yield from (f"  {remark}" for remark in shown.remarks)
        if shown.has_pairs:
            yield f"  {_PAIRS}"

    def _numbers(self, shown: Shown) -> Iterable[Part]:
        name, levels, estimate = titled(shown.measure), shown.levels, shown.estimate
        few = len(levels) == 1 and len(shown.values.estimates) <= MOST_LINES
        if np.ndim(estimate) and few:
            yield f"{name}, one value per {shown.what_has_a_value}"
            yield self._table()
        elif np.ndim(estimate):
            shape = " x ".join(map(str, np.shape(estimate)))
            yield f"{name}, {shape} values: .estimate, .standard_error, .interval"
            yield f"  {shown.title_of_limits(levels, shown.method_name)}s"
        else:
            digits = decimals(np.array([shown.error]))
            yield f"{name} {estimate:.{digits}f}, standard error {error_text(shown.error)}"
            for level, (limits,) in zip(levels, shown.values.limits, strict=True):
                title = shown.title_of_limits([level], shown.method_name)
                yield f"  {title}: {limits_text(limits, digits, shown.sides)}"

    def _parts_of_html(self) -> Iterable[Part]:
        shown = self._shown()
        if np.ndim(shown.estimate):
            yield f"{titled(shown.measure)}, one value per {shown.what_has_a_value}"
        yield self._table()
        yield from shown.remarks
        if shown.has_pairs:
            yield _PAIRS

    def _table(self) -> Table:
        shown = self._shown()
        columns = values_table([(titled(shown.measure), shown)]).columns
        # A measure names the only line; otherwise the classes do.
        return Table(columns[1:] if shown.values.labels else columns)

    def to_frame(self, library: str | None = None, what: str | None = None) -> Any:
        """Return the result as a data frame, one line per value.

        Parameters
        ----------
        library : {"pandas", "polars"}, optional
            Whose; by default that of pandas, or of polars where pandas is not installed.
        what : {"pairs"}, optional
            The pairs of classes, where the result has them, in the place of the measure.
        """
        if library == "pairs":
            raise ValueError('library is "pairs"; pass what="pairs"')
        return super().to_frame(library) if what is None else self._of(what).to_frame(library)

    def to_markdown(self, what: str | None = None) -> str:
        """Return the table in Markdown, or with "pairs" that of the pairs of classes."""
        return super().to_markdown() if what is None else self._of(what).to_markdown()

    def to_latex(self, what: str | None = None) -> str:
        """Return the table as a LaTeX tabular, or with "pairs" that of the pairs of classes."""
        return super().to_latex() if what is None else self._of(what).to_latex()

    def _of(self, what: str) -> Measured:
        """Return the result whose table is asked for."""
        choose("what", what, ("pairs",))
        if self.pairs is None:
            raise ValueError('what is "pairs" but the result has none; compute it with pairs=True')
        return self.pairs  # type: ignore[no-any-return]

    def _columns(self) -> dict[str, list[Any]]:
        shown = self._shown()
        return values_columns([(titled(shown.measure), shown)])


def values_table(listed: list[tuple[str, Shown]]) -> Table:
    """Return named measures as a table: one line per value, with as many digits as errors ask for.

    They are shown alike: at the same confidence levels, on the same sides.
    """
    head = listed[0][1]
    columns = values_columns(listed, head.levels[:1])
    digits = decimals(np.array(columns["standard_error"]))
    alike = len({shown.method_name for _, shown in listed}) == 1
    limits: list[list[str]] = [[] for _ in head.levels]
    for _, shown in listed:
        method = "" if alike else f" ({shown.method_name})"
        for cells, rows in zip(limits, shown.values.limits, strict=True):
            cells += [limits_text(row, digits, shown.sides) + method for row in rows]
    several = "s" if len(listed) == 1 and head.values.labels else ""
    titles = [
        head.title_of_limits([level], head.method_name if alike else "") + several
        for level in head.levels
    ]
    names = [name for name in ("measure", "class", "label", "first", "second") if name in columns]
    words = (["" if cell is None else str(cell) for cell in columns[name]] for name in names)
    return Table(
        [
            *(Column(name, cells, left=True) for name, cells in zip(names, words, strict=True)),
            Column("value", [f"{value:.{digits}f}" for value in columns["estimate"]]),
            Column("std error", [*map(error_text, columns["standard_error"])]),
            *(Column(title, cells, left=True) for title, cells in zip(titles, limits, strict=True)),
        ]
    )


def values_columns(
    listed: Sequence[tuple[Any, Shown]], levels: list[float] | None = None
) -> dict[str, list[Any]]:
    """Return named measures as columns: a line for each value and each confidence level.

    `levels` are those to list; all by default.
    """
    titles = list(dict.fromkeys(title for _, shown in listed for title in shown.values.labels))
    columns: dict[str, list[Any]] = {name: [] for name in (
        "measure", *titles, "estimate", "standard_error", "low", "high", "confidence", "sides",
        "method",
    )}  # fmt: skip
    for name, shown in listed:
        values, at = shown.values, shown.levels if levels is None else levels
        count = len(values.estimates)
        lines = {
            "measure": [name] * count,
            **{title: values.labels.get(title, [None] * count) for title in titles},
            "estimate": values.estimates.tolist(),
            "standard_error": values.errors.tolist(),
            "sides": [shown.sides] * count,
            "method": [shown.method] * count,
        }
        for title, cells in lines.items():
            columns[title] += [cell for cell in cells for _ in at]
        columns["low"] += values.limits[: len(at), :, 0].T.ravel().tolist()
        columns["high"] += values.limits[: len(at), :, 1].T.ravel().tolist()
        columns["confidence"] += at * count
    for title in titles:
        # Results of different calls may have labels of different types.
        columns[title] = label_column(columns[title])
    return columns
