"""A measure with its closed-form error."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc import _core
from polyroc._base.checks import choose, number, show
from polyroc._base.display import rows_counted, titled
from polyroc._base.keywords import hinting
from polyroc._base.plain import plain_label, plain_labels
from polyroc._base.public import public
from polyroc._data.favoured import favour_text
from polyroc._data.units import counts_vary
from polyroc._inference.measured import Measured, Shown
from polyroc._inference.pilot import Pilot, pilot_of_one
from polyroc._stats.confidence import SIDES, check_confidence
from polyroc._stats.normal_interval import NAMES, TRANSFORMS, Scale, closed_interval
from polyroc._stats.normal_test import ALTERNATIVES, closed_test
from polyroc._stats.sided_limits import Spread

if TYPE_CHECKING:
    from collections.abc import Iterable

    from polyroc._base.types import Alternative, Floats
    from polyroc._inference.covariance import Covariance
    from polyroc._inference.value_test import ValueTest
    from polyroc._measures.measure import Measure


@public
@dataclass(frozen=True, eq=False, repr=False)
class Estimate(Measured):
    """A measure with its standard error and interval; made by :func:`polyroc.delong`.

    Attributes
    ----------
    estimate : float or ndarray
        The measure on the data; an array for measures with one value per class, or for pairs.
    standard_error : float or ndarray
        The closed-form standard error.
    interval : ndarray
        Limits (low, high), in the last axis. With several confidence levels there is a first axis,
        one entry per level.
    covariance : ndarray
        The covariance matrix of the values: 1 x 1 for a single one. None for pairs.
    method : str
        How the interval was made: "t", "logit" (by the normal distribution), "plain t" or "plain"
        without a transform, or "newcombe" where the error is zero.
    reference : str
        "t" or "normal": what errors are referred to.
    freedom : float or ndarray
        Degrees of freedom of the standard error; infinite for "normal".
    notes : tuple of str
        What is special about the interval, one sentence each.
    confidence : float or tuple of float
        The confidence level or levels.
    sides : str
        "two", "lower" or "upper".
    transform : str or None
        The transformation asked for.
    measure : measure object
        What was computed.
    stratified : bool
        Whether class counts were taken as fixed.
    counted_in : str
        The measure that class counts enter, if they vary because of that; else empty.
    unit, n_units : str, int
        What varies independently, "row" or "group", and how many there are.
    classes : tuple
        The label of each class.
    sizes : ndarray
        How many rows each class has.
    group_sizes : ndarray or None
        How many groups have rows of each class; None without groups.
    favoured : label or None
        Of two classes, the one that high scores stand for; None where every class has scores.
    pairs : Estimate or None
        The same for the K x K values of all pairs of classes, where asked for.
    version : str
        The version of polyroc.
    """

    measure: Measure[Any]
    estimate: Any
    standard_error: Any
    together: Covariance | None = field(repr=False)  # how the values vary together
    scale: Scale = field(repr=False)
    contests: Floats | None = field(repr=False)  # of each value; None for a single one
    confidence: Any
    sides: str
    transform: str | None
    reference: str
    stratified: bool
    unit: str
    n_units: int
    classes: tuple[Any, ...]
    sizes: Floats
    group_sizes: Floats | None = None
    spreads: tuple[Spread, ...] | None = field(default=None, repr=False)  # of each value
    pairs: Estimate | None = None
    remark: str = ""
    favoured: Any = None
    counted_in: str = ""
    version: str = _core.__version__
    interval: Floats = field(init=False)
    method: str = field(init=False)
    notes: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Make the interval."""
        levels, scalar = check_confidence(self.confidence)
        shape = () if isinstance(self.estimate, float) else np.shape(self.estimate)
        estimates = np.ravel(self.estimate).tolist() if shape else [self.estimate]
        errors = np.ravel(self.standard_error).tolist() if shape else [self.standard_error]
        lows: list[Any] = []
        highs: list[Any] = []
        methods: dict[str, None] = {}
        notes: dict[str, None] = {}
        for k, (estimate, error) in enumerate(zip(estimates, errors, strict=True)):
            if math.isnan(estimate):
                lows.append([math.nan] * len(levels))
                highs.append(lows[-1])
                continue
            found = closed_interval(
                estimate, error, self._scale(k), levels, self.sides, self.transform, self._spread(k)
            )
            lows.append(found.low)
            highs.append(found.high)
            methods[found.method] = notes[found.note or self.remark] = None
        limits = np.array((lows, highs)).T.reshape((len(levels), *shape, 2))
        listed = levels.tolist()
        vars(self).update(
            interval=limits[0] if scalar else limits,
            method=", ".join(methods),
            notes=tuple([note for note in notes if note]),
            confidence=listed[0] if scalar else tuple(listed),
        )
        self._freeze()

    @property
    def covariance(self) -> Floats | None:
        """The covariance matrix of the values; None for pairs."""
        return None if self.together is None else self.together.matrix()

    def _scale(self, k: int) -> Scale:
        """Return what the k-th value is made of."""
        if self.contests is None:
            return self.scale
        one, other = self.contests.reshape(-1, 2)[k].tolist()
        names = ("", "the class and the rest", "the two classes")
        return self.scale._replace(sizes=(one, other), classes=names[np.ndim(self.estimate)])

    def _spread(self, k: int) -> Spread | None:
        """Return how well the k-th error is known, where that counts."""
        return None if self.spreads is None else self.spreads[k]

    @property
    def freedom(self) -> Any:
        """Degrees of freedom of each standard error; infinite where it is taken as known."""
        shape = np.shape(self.estimate)
        if self.spreads is None:
            return np.full(shape, np.inf) if shape else np.inf
        found = [spread.freedom for spread in self.spreads]
        return np.reshape(found, shape) if shape else found[0]

    def with_interval(
        self, confidence: Any = None, sides: str | None = None, transform: str | None = "same"
    ) -> Estimate:
        """Return the same estimate with another interval.

        Examples
        --------
        >>> import polyroc as pr
        >>> y, models = pr.example_predictions()
        >>> pr.delong(y, models["naive Bayes"]).with_interval(confidence=[0.9, 0.99]).interval.shape
        (2, 2)
        """
        if sides is not None:
            choose("sides", sides, SIDES)
        if transform != "same":
            choose("transform", transform, TRANSFORMS)
        return replace(
            self,
            confidence=self.confidence if confidence is None else confidence,
            sides=self.sides if sides is None else sides,
            transform=self.transform if transform == "same" else transform,
            pairs=None if self.pairs is None else
            self.pairs.with_interval(confidence, sides, transform),
        )  # fmt: skip

    @hinting
    def test(self, null: float, alternative: Alternative = "two-sided") -> ValueTest:
        """Test that the true value is `null`.

        The test and the interval are made on one scale and agree: p is below 0.05 where, and only
        where, `null` lies outside the 95 % interval (for one-sided tests the 95 % bound).

        Parameters
        ----------
        null : float
            The value of the null hypothesis, as 0.5 for an AUC that tells nothing.
        alternative : {"two-sided", "greater", "less"}
            What the test looks for: a value other than `null`, above it, or below it.

        Returns
        -------
        ValueTest
            With ``.p_value`` and ``.statistic``; arrays where the estimate is one.

        Examples
        --------
        >>> import polyroc as pr
        >>> y, models = pr.example_predictions()
        >>> estimate = pr.delong(y, models["naive Bayes"], "hand_till")
        >>> estimate.test(0.97, alternative="greater")
        hand_till 0.9756 against 0.97: t = 1.94, p = 0.0260
          one-sided ("greater") test, DeLong (t)
        >>> round(estimate.test(0.97).p_value, 4)
        0.052
        """
        value = number("null", null)
        choose("alternative", alternative, ALTERNATIVES)
        bottom, top = self.scale.bounds
        if not bottom <= value <= top:
            raise ValueError(
                f"null is {show(null)} but {titled(self.measure)} lies within {bottom:g} and "
                f"{top:g}; pass a value that it can have"
            )
        shape = np.shape(self.estimate)
        estimates, errors = np.ravel(self.estimate), np.ravel(self.standard_error)
        found = np.full((2, estimates.size), np.nan)
        methods = []
        for k in np.flatnonzero(~np.isnan(estimates)).tolist():
            *found[:, k], method = closed_test(
                float(estimates[k]), float(errors[k]), self._scale(k), value, alternative,
                self.transform, self._spread(k),
            )  # fmt: skip
            methods.append(method)
        statistic, p_value = (row.reshape(shape) if shape else float(row[0]) for row in found)
        from polyroc._inference.value_test import ValueTest  # for this call alone

        return ValueTest(
            self.measure, self.estimate, value, alternative, statistic, p_value,
            ", ".join(dict.fromkeys(methods)), self.classes,
        )  # fmt: skip

    def _as_pilot(self, models: Any) -> Pilot:
        return pilot_of_one(self, models)

    def _contents(self) -> dict[str, Any]:
        names = ("estimate", "standard_error", "interval", "covariance", "confidence", "sides",
                 "transform", "reference", "freedom", "method", "notes", "stratified", "counted_in",
                 "unit", "n_units", "sizes", "group_sizes", "version")  # fmt: skip
        out: dict[str, Any] = {"measure": repr(self.measure)}
        out |= {name: getattr(self, name) for name in names}
        out["classes"] = plain_labels(self.classes)
        out["favoured"] = plain_label(self.favoured)
        return out if self.pairs is None else {**out, "pairs": self.pairs._contents()}

    def _shown(self) -> Shown:
        methods = ", ".join(NAMES[method] for method in self.method.split(", "))
        return Shown(
            self.measure, self.estimate, self.standard_error, self.interval, self.confidence,
            self.sides, self.method, methods, self.classes, list(self._remarks()),
            self.pairs is not None,
        )  # fmt: skip

    def _remarks(self) -> Iterable[str]:
        counts = "class counts fixed" if self.stratified else counts_vary(self.counted_in)
        yield f"{rows_counted(self.sizes, self.unit, self.n_units, self.measure.row)}, {counts}"
        if self.favoured is not None:
            yield favour_text(self.favoured)
        yield from (f"note: {note}" for note in self.notes)
