"""A measure with its closed-form error."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc import _core
from polyroc._base.checks import choose
from polyroc._base.display import counted
from polyroc._base.plain import plain_label, plain_labels
from polyroc._data.favoured import favour_text
from polyroc._inference.measured import Measured, Shown
from polyroc._stats.confidence import SIDES, check_confidence
from polyroc._stats.normal_interval import NAMES, TRANSFORMS, Scale, closed_interval

if TYPE_CHECKING:
    from collections.abc import Iterable

    from polyroc._base.types import Floats
    from polyroc._measures.measure import Measure


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
        How the interval was made: "logit", "plain", or "newcombe" where the error is zero.
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
    unit, n_units : str, int
        What varies independently, "row" or "group", and how many there are.
    classes : tuple
        The label of each class.
    sizes : ndarray
        How many units each class has.
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
    covariance: Floats | None
    scale: Scale = field(repr=False)
    contests: Floats = field(repr=False)
    confidence: Any
    sides: str
    transform: str | None
    stratified: bool
    unit: str
    n_units: int
    classes: tuple[Any, ...]
    sizes: Floats
    pairs: Estimate | None = None
    remark: str = ""
    favoured: Any = None
    version: str = _core.__version__
    interval: Floats = field(init=False)
    method: str = field(init=False)
    notes: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Make the interval."""
        levels, scalar = check_confidence(self.confidence)
        shape = np.shape(self.estimate)
        estimates, errors = np.ravel(self.estimate), np.ravel(self.standard_error)
        limits = np.full((len(levels), estimates.size, 2), np.nan)
        methods, notes = [], []
        for k in np.flatnonzero(~np.isnan(estimates)).tolist():
            low, high, method, note = closed_interval(
                float(estimates[k]), float(errors[k]), self._scale(k), levels, self.sides,
                self.transform,
            )  # fmt: skip
            limits[:, k, 0], limits[:, k, 1] = low, high
            methods.append(method)
            notes.append(note or self.remark)
        limits = limits.reshape((len(levels), *shape, 2))
        values = {
            "interval": limits[0] if scalar else limits,
            "method": ", ".join(dict.fromkeys(methods)),
            "notes": tuple(dict.fromkeys(note for note in notes if note)),
            "confidence": float(levels[0]) if scalar else tuple(levels.tolist()),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        self._freeze()

    def _scale(self, k: int) -> Scale:
        """Return what the k-th value is made of."""
        values = np.ndim(self.estimate)
        if not values:
            return self.scale
        one, other = self.contests.reshape(-1, 2)[k].tolist()
        names = ("", "the class and the rest", "the two classes")
        return self.scale._replace(sizes=(one, other), classes=names[values])

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

    def _contents(self) -> dict[str, Any]:
        names = ("estimate", "standard_error", "interval", "covariance", "confidence", "sides",
                 "transform", "method", "notes", "stratified", "unit", "n_units", "sizes",
                 "version")  # fmt: skip
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
        counts = "class counts fixed" if self.stratified else "class counts vary"
        yield f"{counted(self.n_units, self.unit)}, {counts}"
        if self.favoured is not None:
            yield favour_text(self.favoured)
        yield from (f"note: {note}" for note in self.notes)
