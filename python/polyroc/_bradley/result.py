"""What Bradley's protocol gives: means, tests and groups, and how they are printed."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc import _core
from polyroc._base.frame import label_column
from polyroc._base.picture import Pictured
from polyroc._base.plain import plain_label
from polyroc._base.public import public
from polyroc._base.result import Result
from polyroc._base.table import Column, Drawing, Table, padded, width_of
from polyroc._data.favoured import favour_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from polyroc._base.table import Part
    from polyroc._base.types import Floats
    from polyroc._measures.measure import Measure
    from polyroc._stats.anova import Anova, AnovaLine
    from polyroc._stats.multiple_range import RangeTest

_WIDTH = 88  # beyond it, classifiers are called by their numbers in underlined displays
_MOST_DECIMALS = 10


@public
@dataclass(frozen=True, eq=False, repr=False)
class BradleyResult(Pictured, Result):
    """Classifiers compared over folds; made by :func:`polyroc.bradley`.

    Prints as a table of the classifiers, highest mean first, the analysis of variance, and the
    groups of each test, underlined.

    Attributes
    ----------
    measure : measure object or str
        What was computed; for a table of values, what they are called.
    classifiers, folds : tuple
        Names, in the order given; folds with scores are numbered from 0.
    values : ndarray of shape (r, c)
        The measure in each fold (row) of each classifier (column).
    mean : ndarray of shape (c,)
        The average over folds, of each classifier.
    standard_deviation, standard_error : ndarray of shape (c,)
        The spread of the r fold values, r - 1 in the denominator, and this over sqrt(r): the
        standard error of the mean.
    standard_error_w : ndarray of shape (c,) or None
        SE(W), Hanley and McNeil's standard error of a single fold's AUC, at the average AUC: to be
        compared with `standard_deviation`. Root of the mean square where folds differ in size.
        None unless the measure is the binary AUC of folds with scores.
    pooled : ndarray of shape (c,) or None
        The measure of all folds' rows put together. None for a table of values.
    n_rows : tuple of int or None
        Rows of each fold. None for a table of values.
    anova : Anova
        Lines `classifiers`, `folds`, `error`, `total`, each with `sum_of_squares`, `df`,
        `mean_square`, `f`, `p_value`.
    duncan, tukey : RangeTest
        With `groups`, `differ(one, other)`, `ranges`, `quantiles`.
    favoured : label or None
        Of two classes, the one that high scores stand for; None where every class has scores, or
        for a table of values.
    alpha : float
        The level of both.
    notes : tuple of str
        What a reader should know, one sentence each.
    version : str
        The version of polyroc.
    """

    _picture = "folds.folds"

    measure: Measure[Any] | str
    classifiers: tuple[Any, ...]
    folds: tuple[Any, ...]
    values: Floats
    mean: Floats
    anova: Anova
    duncan: RangeTest
    tukey: RangeTest
    alpha: float
    pooled: Floats | None = None
    standard_error_w: Floats | None = None
    n_rows: tuple[int, ...] | None = None
    favoured: Any = None
    version: str = _core.__version__
    standard_deviation: Floats = field(init=False)
    standard_error: Floats = field(init=False)
    notes: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Compute what follows from the values."""
        spread = np.std(self.values, axis=0, ddof=1)
        # Equal values have no spread, though their mean may be rounded.
        spread = np.where(np.ptp(self.values, axis=0) <= self.anova.rounding, 0.0, spread)
        notes = list(self.anova.notes)
        p_value = self.anova.classifiers.p_value
        if p_value is not None and p_value > self.alpha:
            notes.append(
                f"F is not significant (p {_p(p_value)}), and Bradley looks for groups only "
                "where it is"
            )
        values = {
            "standard_deviation": spread,
            "standard_error": spread / math.sqrt(len(self.folds)),
            "notes": tuple(notes),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        self._freeze()

    @property
    def ranking(self) -> tuple[Any, ...]:
        """The classifiers, highest mean first."""
        return tuple(self.classifiers[k] for k in self._order())

    def _order(self) -> list[int]:
        return [int(k) for k in np.argsort(-self.mean, kind="stable")]

    def _contents(self) -> dict[str, Any]:
        arrays = ("values", "mean", "standard_deviation", "standard_error",
                  "standard_error_w", "pooled")  # fmt: skip
        return {
            "measure": self.measure if isinstance(self.measure, str) else repr(self.measure),
            "classifiers": self.classifiers,
            "folds": self.folds,
            **{name: getattr(self, name) for name in arrays},
            "n_rows": self.n_rows,
            "favoured": plain_label(self.favoured),
            "anova": self.anova.to_dict(),
            "duncan": self.duncan.to_dict(),
            "tukey": self.tukey.to_dict(),
            "alpha": self.alpha,
            "notes": self.notes,
            "version": self.version,
        }

    def _columns(self) -> dict[str, list[Any]]:
        """Return a line for each classifier, highest mean first."""
        order = self._order()
        names = ("mean", "standard_error", "standard_deviation", "standard_error_w", "pooled")
        arrays = {name: getattr(self, name) for name in names}
        return {
            "classifier": label_column(self.ranking),
            **{name: a[order].tolist() for name, a in arrays.items() if a is not None},
        }

    def _parts(self) -> Iterator[Part]:
        return _parts(self)

    def _table(self) -> Table:
        return _means(self)


def _parts(result: BradleyResult) -> Iterator[Part]:
    name = result.measure if isinstance(result.measure, str) else result.measure.name
    r, c = result.values.shape
    rows = "" if result.n_rows is None else f", {sum(result.n_rows):,} rows"
    yield f"{name} of {c} classifiers over {r} folds{rows}"
    yield _means(result)
    yield "  SE: of the mean; SD: over folds" + (
        "" if result.standard_error_w is None
        else "; SE(W): Hanley-McNeil's for one fold, beside SD"
    )  # fmt: skip
    if result.pooled is None:
        yield "  pooled, SE(W): not available, they need labels and scores"
    else:
        yield "  pooled: all folds' rows as one sample"
    if result.favoured is not None:
        yield f"  {favour_text(result.favoured)}"
    yield "Analysis of variance, folds as blocks"
    yield _anova(result.anova)
    for test, title in (
        (result.duncan, "Duncan's multiple range test"),
        (result.tukey, "Tukey's honestly significant difference"),
    ):
        if test is result.tukey and test.groups == result.duncan.groups:
            yield f"{title}, alpha {result.alpha:g}: the same groups"
            continue
        yield f"{title}, alpha {result.alpha:g}: a line joins those that do not differ"
        yield Drawing(list(_underlined(result, test)))
    yield from (f"note: {note}" for note in result.notes)


def _means(result: BradleyResult) -> Table:
    order = result._order()
    columns = [
        Column("", [str(k + 1) for k in range(len(order))]),
        Column("classifier", [str(name) for name in result.ranking], left=True),
        Column("mean", _aligned(result.mean[order], 4, 4)),
    ]
    for title, values, digits in (
        ("SE", result.standard_error, 2),
        ("SD", result.standard_deviation, 2),
        ("SE(W)", result.standard_error_w, 2),
        ("pooled", result.pooled, 4),
    ):
        if values is not None:
            columns.append(Column(title, _aligned(values[order], digits, 4)))
    return Table(columns)


def _anova(anova: Anova) -> Table:
    lines: dict[str, AnovaLine] = {
        "classifiers": anova.classifiers,
        "folds": anova.folds,
        "error": anova.error,
        "total": anova.total,
    }
    every = list(lines.values())
    return Table(
        [
            Column("source", list(lines), left=True),
            Column("sum of squares", _aligned((line.sum_of_squares for line in every), 3, 4)),
            Column("df", [str(line.df) for line in every]),
            Column("mean square", _aligned((line.mean_square for line in every), 3, 4)),
            Column("F", ["" if line.f is None else f"{line.f:.2f}" for line in every]),
            Column("p", ["" if line.p_value is None else _p(line.p_value) for line in every]),
        ]
    )


def _underlined(result: BradleyResult, test: RangeTest) -> Iterator[str]:
    """Names side by side, highest mean first, and a line under each group."""
    ranking = result.ranking
    means = _aligned(result.mean[result._order()], 4, 4)
    names = [str(name) for name in ranking]
    if 2 + sum(max(width_of(n), len(m)) + 2 for n, m in zip(names, means, strict=True)) > _WIDTH:
        yield "  (by their numbers in the table)"
        names = [str(k + 1) for k in range(len(names))]
    widths = [max(width_of(n), len(m)) for n, m in zip(names, means, strict=True)]
    starts = [2 + sum(widths[:k]) + 2 * k for k in range(len(widths))]
    for cells in (names, means):
        cells = [padded(cell, width, "centre") for cell, width in zip(cells, widths, strict=True)]
        yield ("  " + "  ".join(cells)).rstrip()
    place = {name: k for k, name in enumerate(ranking)}
    for group in test.groups:
        first, last = place[group[0]], place[group[-1]]
        yield " " * starts[first] + "-" * (starts[last] + widths[last] - starts[first])


def _aligned(values: Iterable[float | None], digits: int, least: int) -> list[str]:
    """Return numbers with as many decimals as the smallest needs to show so many digits."""
    listed = list(values)
    sizes = [abs(v) for v in listed if v]
    decimals = digits - 1 - math.floor(math.log10(min(sizes))) if sizes else least
    decimals = min(max(decimals, least), _MOST_DECIMALS)
    return ["" if v is None else f"{v:.{decimals}f}" for v in listed]


def _p(value: float) -> str:
    return "< 0.0001" if 0 < value < 0.0001 else f"{value:.4f}" if value else "0"
