"""Measures computed from a state."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from polyroc import _core
from polyroc._base.checks import show
from polyroc._base.display import UNKNOWN, counted, error_text, limits_text, p_text
from polyroc._base.frame import data_frame
from polyroc._base.plain import plain_label
from polyroc._base.public import public
from polyroc._base.result import Result, as_text, refuse_what
from polyroc._base.table import Column, Part, Table
from polyroc._data.favoured import favour_text
from polyroc._pipelines.moments import limits_of

if TYPE_CHECKING:
    from polyroc._base.types import Array, Floats
    from polyroc._pipelines.note import Note
    from polyroc._pipelines.row_sample import RowSample


def _unknown() -> Floats:
    return np.full(2, np.nan)


_HALF_UNIT = 2.0**-33  # at most what rounding takes off a weight that is no whole number


@public
@dataclass(frozen=True, eq=False, repr=False)
class StateValue(Result):
    """A measure of the rows of a state; made by :meth:`polyroc.State.compute`.

    Attributes
    ----------
    measure : str
        Its name.
    estimate : float
        Its value, that of the library's own function while `exact`.
    exact : bool
        Whether every distinct score was counted by itself, and every weight as it is.
    error_bound : float
        The estimate is no further than this from the value of the rows themselves; 0 if `exact`.
        Mostly it is much nearer: within a bin errors cancel. A sample has no bound: inf.
    n : int
        Rows.
    class_counts : ndarray
        Rows of each class.
    labels : tuple
        The classes.
    standard_error, interval : float or nan, ndarray
        DeLong's error and the limits of :func:`polyroc.delong`, or those of replicates. A state
        alone has them for the binary AUC of rows without weights; errors of other measures take a
        second pass (:class:`polyroc.InfluenceSums`), and are nan before it. They tell of chance
        and leave `error_bound` out, which mostly is hundreds of times what bins do: limits that
        hold whatever stands within bins are ``low - error_bound`` and ``high + error_bound``.
    by_class : ndarray or None
        For one-vs-rest, the value of each class.
    confidence : float
        Of the interval.
    method : str
        How the interval was made; empty if there is none.
    replicates : ndarray or None
        Of the multiplier bootstrap, one for each resample.
    difference, difference_interval, p_value : float, ndarray, float
        Of a segment: its estimate minus that of all rows; nan otherwise.
    sampled : int or None
        The rows that a sample has, where the estimate is that of a sample of the rows; None where
        all of them count.
    sampling_error : float
        The standard error of the estimate of a sample around the value of all rows; 0 where all
        rows count. `standard_error` and `interval` are those of the sampled rows by themselves,
        as if no others had come, and so have it in them.
    favoured : label or None
        The class that high scores stand for, where there is one column of scores.
    """

    measure: str
    estimate: float
    exact: bool
    error_bound: float
    n: int
    class_counts: Array
    labels: tuple[Any, ...]
    standard_error: float = math.nan
    interval: Floats = field(default_factory=_unknown)
    by_class: Floats | None = None
    confidence: float = 0.95
    method: str = ""
    replicates: Floats | None = None
    difference: float = math.nan
    difference_interval: Floats = field(default_factory=_unknown)
    p_value: float = math.nan
    sampled: int | None = None
    sampling_error: float = 0.0
    favoured: Any = None

    def __post_init__(self) -> None:
        """Make its arrays read-only."""
        self._freeze()

    def _contents(self) -> dict[str, Any]:
        return {**vars(self), "favoured": plain_label(self.favoured)}

    def _line(self) -> str:
        how = "exact" if self.exact else f"within {self.error_bound:.1e} of exact"
        if self.sampled is not None:
            off = f"standard error of sampling {self.sampling_error:.1e}"
            how = f"sampled ({self.sampled:,} of {self.n:,} rows, {off})"
        return f"{self.measure} {self.estimate:.4f}, {how}"

    def _parts(self) -> Iterable[Part]:
        yield self._line()
        if not math.isnan(self.standard_error):
            (low, high), level = self.interval, f"{100 * self.confidence:.4g} %"
            limits = f"{level} {self.method} interval: {low:.4f} to {high:.4f}"
            yield f"  standard error {self.standard_error:.4f}, {limits}"
        elif self._no_error():
            yield f"  {self._no_error()}"
        if not math.isnan(self.difference):
            low, high = self.difference_interval
            apart = f"{self.difference:+.4f}, {low:+.4f} to {high:+.4f}, p {p_text(self.p_value)}"
            yield f"  difference from all rows {apart}"
        yield rows_line([self])

    def _no_error(self) -> str:
        """Say why there is no error of a binary AUC, which states mostly have."""
        if self.measure != "auc" or not math.isnan(self.standard_error):
            return ""
        if self.class_counts.min() < 2:
            return "no standard error: a class has one row"
        return "no standard error: weighted rows need a second pass (pr.InfluenceTables)"

    def _limits(self) -> str:
        if math.isnan(self.standard_error):
            return self._no_error()
        low, high = self.interval
        level = f"{100 * self.confidence:.4g} %"
        return f"standard error {self.standard_error:.4f}, {level} {low:.4f} to {high:.4f}"

    def _columns(self) -> dict[str, list[Any]]:
        return {
            "measure": [self.measure],
            "n": [self.n],
            "estimate": [self.estimate],
            "exact": [self.exact],
            "error_bound": [self.error_bound],
            "standard_error": [self.standard_error],
            "low": [float(self.interval[0])],
            "high": [float(self.interval[1])],
            "sampled": [self.sampled],
            "sampling_error": [self.sampling_error],
        }

    def _table(self) -> Table:
        return _table([self])


Found = TypeVar("Found", bound=Result)


class ByMeasure(Mapping[str, Found]):
    """Results by the names of measures."""

    def __init__(self, values: dict[str, Found]) -> None:
        self._values = values

    def __getitem__(self, name: str) -> Found:
        try:
            return self._values[name]
        except KeyError:
            raise KeyError(f"no measure {name!r}; there are {', '.join(self._values)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def to_dict(self) -> dict[str, Any]:
        """Return all there is as plain Python, by measure."""
        return {name: value.to_dict() for name, value in self._values.items()}

    def to_frame(self, library: str | None = None, what: str | None = None) -> Any:
        """Return all values as one data frame; `measure` holds the names.

        Parameters
        ----------
        library : {"pandas", "polars"}, optional
            Whose; by default that of pandas, or of polars where pandas is not installed.
        what : None
            Which table, for results that have several, as a comparison has; there is one here.
        """
        refuse_what(what)
        columns: dict[str, list[Any]] = {}
        for name, value in self._values.items():
            own = value._columns()
            count = len(next(iter(own.values())))
            for title, cells in {"measure": [name] * count, **own}.items():
                columns.setdefault(title, []).extend(cells)
        return data_frame(columns, library)

    def to_markdown(self) -> str:
        """Return all values as one table in Markdown."""
        return self._table().to_markdown()

    def to_latex(self) -> str:
        """Return all values as one LaTeX tabular."""
        return self._table().to_latex()

    def _repr_html_(self) -> str:
        """Return what notebooks show."""
        from polyroc._base.html import html  # which nothing else needs

        return html([self._table()])

    def _table(self) -> Table:
        columns: dict[str, Column] = {}
        for name, value in self._values.items():
            own = value._table().columns
            first = Column("measure", [name] * len(own[0].cells), left=True)
            for title, cells, left in [first, *(one for one in own if one.title != "measure")]:
                known = columns[title].cells if title in columns else []
                columns[title] = Column(title, [*known, *cells], left)
        return Table(list(columns.values()))


@public
class StateValues(ByMeasure[StateValue]):
    """The measures of a state by name."""

    def __repr__(self) -> str:
        values = list(self._values.values())
        lines = [", ".join(filter(None, (value._line(), value._limits()))) for value in values]
        return as_text([*lines, rows_line(values)])


def rows_line(values: list[StateValue]) -> str:
    """Say how many rows there are, and which class high scores stand for in which measures."""
    said = [one for one in values if one.favoured is not None]
    notes = [f"{one.measure}: {favour_text(one.favoured)}" for one in said]
    if said and len(said) == len(values):
        notes = [favour_text(said[0].favoured)]
    return f"  {', '.join([counted(values[0].n, 'row'), *notes])}"


def _table(values: Iterable[StateValue]) -> Table:
    listed = list(values)
    columns = [
        Column("measure", [value.measure for value in listed], left=True),
        Column("estimate", [f"{value.estimate:.4f}" for value in listed]),
        Column("error bound", ["0" if one.exact else f"{one.error_bound:.1e}" for one in listed]),
    ]
    if not all(math.isnan(value.standard_error) for value in listed):
        level = f"{100 * listed[0].confidence:.4g} %"
        limits = [
            UNKNOWN if math.isnan(one.standard_error) else limits_text(one.interval, 4, "two")
            for one in listed
        ]
        columns += [
            Column("std error", [error_text(value.standard_error) for value in listed]),
            Column(f"{level} interval", limits, left=True),
        ]
    return Table([*columns, Column("n", [f"{value.n:,}" for value in listed])])


def values_of(note: Note, core: _core.State, sample: RowSample | None = None) -> StateValues:
    """Compute the measures of a state."""
    rows, masses = np.array(core.rows, dtype=np.int64), np.array(core.masses)
    _require(note, core, masses)
    *areas, means = core.areas()
    sums, rest, projected = (np.array(found).reshape(-1, 2) for found in areas)
    count, single = len(note.labels), core.width == 1
    loose = 0.0
    if core.rounded:  # how far rounded weights may move shares of a class, and so an area
        loose = 2.0 * float(np.max(rows * _HALF_UNIT / masses)) / (1.0 - 2.0**-10)
    out = {}
    for name in note.measures:
        if name == "auc_mu" and sample is not None:
            out[name] = _of_sample(note, rows, sample)
            continue
        by_class = None
        if name == "auc" or single:
            value, bound = rest[-1]
            if name == "one_vs_rest":
                by_class = np.full(count, value)
        elif name == "hand_till":
            value, bound = means[0], sums[:, 1].sum() / (count * (count - 1))
        elif name == "one_vs_rest":
            value, bound, by_class = means[1], rest[:, 1].mean(), rest[:, 0].copy()
        else:
            value, bound = means[2], projected[:, 1].mean()
        exact = core.shifts[name == "auc_mu" and not single] == 0 and not core.rounded
        error, interval, method = math.nan, _unknown(), ""
        if (name == "auc" or (single and count == 2)) and not core.weighted and rows.min() > 1:
            error, interval, method = limits_of(core.moments())
        out[name] = StateValue(
            name, float(value), exact, float(bound) + loose, int(rows.sum()), rows,
            note.labels, error, interval, by_class, method=method,
            favoured=note.labels[1] if single or name == "auc" else None,
        )  # fmt: skip
    return StateValues(out)


def _of_sample(note: Note, rows: Array, sample: RowSample) -> StateValue:
    """Return AUC-mu of a sample: exact while it has all rows, and otherwise without a bound."""
    from polyroc._pipelines.sampled_measure import sampled_auc_mu  # brings delong, for this alone

    found = sampled_auc_mu(sample, rows)
    bound, count = (0.0, None) if found.whole else (math.inf, len(sample.kept().codes))
    return StateValue(
        "auc_mu", found.estimate, found.whole, bound, int(rows.sum()), rows, note.labels,
        found.standard_error, found.interval, method=found.method, sampled=count,
        sampling_error=found.sampling_error,
    )  # fmt: skip


def _require(note: Note, core: _core.State, masses: Floats) -> None:
    if not (masses > 0.0).all():
        absent = [label for label, mass in zip(note.labels, masses, strict=True) if mass == 0.0]
        raise ValueError(
            f"no row has a label of {show(absent)}; merge all shards before compute(), or leave "
            "labels without rows out of the state"
        )
    known = core.class_counts
    if known is not None and known != [int(mass) for mass in masses]:
        raise ValueError(
            f"class_counts is {show(known)} but rows of {show([int(m) for m in masses])} came; a "
            "shard is missing, or class_counts is of other rows"
        )
