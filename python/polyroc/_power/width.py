"""Sample size for a wanted width of the interval of one AUC."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc import _core
from polyroc._base.checks import choose, share
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._base.result import Result
from polyroc._base.table import Column, Table
from polyroc._power.binormal import variance_of
from polyroc._power.checks import ratio_of_rows, ratio_of_spreads
from polyroc._power.limits import Rule, limits
from polyroc._power.plan import MOST, least_rows
from polyroc._power.variance import scores_as
from polyroc._stats.normal import normal_quantile

if TYPE_CHECKING:
    from collections.abc import Iterable

    from polyroc._base.table import Part
    from polyroc._base.types import Reference


@dataclass(frozen=True, eq=False, repr=False)
class WidthAnalysis(Result):
    """The interval that an AUC will have at some size of sample, if it is as expected.

    Made by :func:`polyroc.sample_size_width`.

    Attributes
    ----------
    auc : float
        The AUC that is expected.
    interval : tuple of float
        Its limits at these sizes.
    width : float
        The distance between them.
    requested : float
        The width that was asked for.
    n_pos, n_neg : int
        The number of rows of each class.
    total : int
        Of both.
    confidence : float
        Of the interval.
    standard_error : float
        The standard deviation of the estimated AUC at these sizes.
    spread, reference, ratio : float, str, float
        As given.
    version : str
        The version of polyroc.
    """

    auc: float
    interval: tuple[float, float]
    requested: float
    n_pos: int
    n_neg: int
    confidence: float
    standard_error: float
    spread: float
    reference: str
    ratio: float
    version: str = _core.__version__

    @property
    def width(self) -> float:
        """The distance between the limits."""
        return self.interval[1] - self.interval[0]

    @property
    def total(self) -> int:
        """The number of rows of both classes."""
        return self.n_pos + self.n_neg

    def _contents(self) -> dict[str, Any]:
        own = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {**own, "width": self.width, "total": self.total}

    def _columns(self) -> dict[str, list[Any]]:
        line = {
            "auc": self.auc,
            "low": self.interval[0],
            "high": self.interval[1],
            "width": self.width,
            "total": self.total,
            "n_pos": self.n_pos,
            "n_neg": self.n_neg,
            "confidence": self.confidence,
        }
        return {name: [value] for name, value in line.items()}

    def _table(self) -> Table:
        return Table(
            [
                Column(name, [f"{value:,}" if isinstance(value, int) else f"{value:.4g}"])
                for name, (value,) in self._columns().items()
            ]
        )

    def _parts(self) -> Iterable[Part]:
        low, high = self.interval
        yield f"AUC {self.auc:g}: {100 * self.confidence:g} % interval (reference {self.reference})"
        yield (
            f"  width {self.width:.4f} ({self.requested:g} asked for), {low:.4f} to {high:.4f}, "
            f"with {self.n_pos:,} positive and {self.n_neg:,} negative rows"
        )
        yield f"  standard error {self.standard_error:.3g} ({scores_as(self.spread)})"


@public
@hinting
def sample_size_width(
    auc: float,
    width: float,
    *,
    confidence: float = 0.95,
    ratio: float = 1.0,
    spread: float = 1.0,
    reference: Reference | None = None,
) -> WidthAnalysis:
    """Return how many rows the interval of an AUC needs to be no wider than asked for.

    The least number of rows at which the interval of :func:`delong` is no wider, if the estimate is
    `auc`, and its standard error what it is on average for scores that are normal in both classes
    (see :func:`sample_size_auc`). The width of a sample at hand varies about this one: ask for less
    if it must not be passed.

    Parameters
    ----------
    auc : float
        The AUC that is expected, in (0, 1).
    width : float
        The distance between the limits that is wanted, in (0, 1).
    confidence : float
        Of the interval, in (0, 1).
    ratio : float
        Negative rows for each positive row.
    spread : float
        The standard deviation of the positives' scores over the negatives'.
    reference : {"t", "normal"}, optional
        What the interval refers to, as in :func:`delong`; by default "t", as there.

    Returns
    -------
    WidthAnalysis
        With ``.n_pos``, ``.n_neg``, ``.total``, and the ``.interval`` and ``.width`` reached.

    Examples
    --------
    >>> import polyroc as pr
    >>> pr.sample_size_width(0.9, 0.1, ratio=4)
    AUC 0.9: 95 % interval (reference t)
      width 0.0999 (0.1 asked for), 0.8379 to 0.9379, with 52 positive and 208 negative rows
      standard error 0.0233 (normal scores)
    """
    value, wanted = share("auc", auc, "0.8"), share("width", width, "0.1")
    level, rows = share("confidence", confidence, "0.95"), ratio_of_rows(ratio)
    choose("reference", reference, ("t", "normal", None))
    scatter = ratio_of_spreads("spread", spread, "binormal")
    shared = variance_of(normal_quantile(value), scatter)

    def interval(n_pos: int, n_neg: int) -> tuple[float, float]:
        rule = Rule(n_pos, n_neg, (1 - level) / 2, reference or "t")
        low, high = limits(np.asarray(value), shared.delong(n_pos, n_neg), rule)
        return float(low), float(high)

    def narrow(n_pos: int, n_neg: int) -> bool:
        low, high = interval(n_pos, n_neg)
        return high - low <= wanted

    sizes = least_rows(narrow, rows)
    if sizes is None:
        raise ValueError(
            f"no sample of up to {MOST:g} positive rows has an interval of width {wanted:g}; "
            "ask for a wider one"
        )
    return WidthAnalysis(
        auc=value,
        interval=interval(*sizes),
        requested=wanted,
        n_pos=sizes[0],
        n_neg=sizes[1],
        confidence=level,
        standard_error=math.sqrt(float(shared.covariance(*sizes))),
        spread=scatter,
        reference=reference or "t",
        ratio=rows,
    )
