"""What a bootstrap gives: replicates, and what is made of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.display import counted, rows_counted
from polyroc._base.picture import Pictured
from polyroc._base.plain import plain, plain_label, plain_labels
from polyroc._base.public import public
from polyroc._data.favoured import favour_text
from polyroc._inference.join import joined
from polyroc._inference.measured import Measured, Shown
from polyroc._inference.origin import FromOrigin
from polyroc._inference.pilot import Pilot, pilot_of_one
from polyroc._inference.results import Results
from polyroc._inference.run import few_replicates
from polyroc._stats.confidence import check_confidence
from polyroc._stats.replicate_interval import Replicated, check_method, interval

if TYPE_CHECKING:
    from polyroc._base.types import Array, Floats
    from polyroc._inference.origin import Ingredients, Origin
    from polyroc._measures.measure import Measure

_NAMES = {"bca": "BCa", "newcombe": "Newcombe", "wilson": "Wilson"}
_HOW = {
    ("multinomial", True): "stratified by class",
    ("multinomial", False): "not stratified",
    ("poisson", False): "Poisson weights",
    ("bayesian", True): "Bayesian, stratified by class",
    ("bayesian", False): "Bayesian, not stratified",
}


@public
class BootstrapWarning(UserWarning):
    """Something about the replicates that a reader of the interval should know."""


@public
@dataclass(frozen=True, eq=False, repr=False)
class BootstrapResult(Pictured, FromOrigin, Measured):
    """A measure with its bootstrap distribution; made by :func:`polyroc.bootstrap`.

    Attributes
    ----------
    estimate : float or ndarray
        The measure on the data; an array for measures with one value per class, or for pairs.
    standard_error : float or ndarray
        The standard deviation of the replicates.
    interval : ndarray
        Limits (low, high), in the last axis. With several confidence levels there is a first axis,
        one entry per level.
    replicates : ndarray
        The measure on each resample, in the order of their numbers. nan where a resample lost a
        class and `degenerate` is "skip".
    method : str
        The method that gave the interval: the one asked for, or the one that took its place.
    notes : tuple of str
        What is special about the interval, one sentence each.
    confidence : float or tuple of float
        The confidence level or levels.
    sides : str
        "two", "lower" or "upper".
    n_lost, n_redrawn : int
        Replicates that lost a class for good; draws that were thrown away.
    measure : measure object
        What was computed.
    favoured : label or None
        Of two classes, the one that high scores stand for; None where every class has scores.
    pairs : BootstrapResult or None
        The same for the K x K values of all pairs of classes, where asked for.
    first : int
        The number of the first replicate; 0 unless a part of a run was asked for.
    classes : tuple
        The label of each class.
    sizes : ndarray
        How many rows each class has.
    group_sizes : ndarray or None
        How many groups have rows of each class; None without groups.
    counted_in : str
        The measure that class counts enter, if they varied because of that; else empty.
    seed, n_resamples, scheme, stratified, unit, n_units, degenerate, path, version
        All that is needed to repeat the run. `path` is "rows", "sorted rows" or "cells" and
        depends on data and measures alone.
    """

    _picture = "results.bootstrap_result"

    measure: Measure[Any]
    estimate: Any
    replicates: Floats
    origin: Origin = field(repr=False)
    ingredients: Ingredients = field(repr=False)
    requested: str
    confidence: Any
    sides: str
    first: int
    n_lost: int
    n_redrawn: int
    pairs: BootstrapResult | None = None
    remark: str = ""
    favoured: Any = None
    standard_error: Any = field(init=False)
    interval: Floats = field(init=False)
    method: str = field(init=False)
    notes: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Compute what follows from the replicates."""
        levels, scalar = check_confidence(self.confidence)
        shape = np.shape(self.estimate)
        valid = self.replicates[~self._lost()]
        estimates = np.ravel(self.estimate)
        columns = valid.reshape(len(valid), estimates.size)
        limits = np.full((len(levels), estimates.size, 2), np.nan)
        spread = np.full(estimates.size, np.nan)
        methods: list[str] = []
        notes = [self.remark] if self.remark else []
        if self.n_lost:
            share = f"{self.n_lost:,} of {counted(len(self.replicates), 'replicate')}"
            notes.insert(0, f"{share} lost a class and were left out")
        if not len(valid):
            notes.append("no replicate is left to make an interval of")
        for k in np.flatnonzero(~np.isnan(estimates)).tolist() if len(valid) else ():
            spread[k] = _spread(columns[:, k])
            found = interval(self._replicated(k, estimates[k], columns[:, k]), self.requested,
                             levels, self.sides)  # fmt: skip
            limits[:, k, 0], limits[:, k, 1] = found.low, found.high
            methods.append(found.method)
            if found.note:
                notes.append(found.note)
            elif found.method != "normal" and len(self.replicates) == self.n_resamples:
                # Parts of a run are to be joined.
                notes += few_replicates(len(valid), float(levels.max()))
        limits = limits.reshape((len(levels), *shape, 2))
        values = {
            "standard_error": spread.reshape(shape) if shape else float(spread[0]),
            "interval": limits[0] if scalar else limits,
            "method": ", ".join(dict.fromkeys(methods)) or "none",
            "notes": tuple(dict.fromkeys(notes)),
            "confidence": float(levels[0]) if scalar else tuple(levels.tolist()),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        self._freeze()

    def _lost(self) -> Array:
        flat = self.replicates.reshape(len(self.replicates), -1)
        known = ~np.isnan(np.ravel(self.estimate))
        return np.asarray(np.isnan(flat[:, known]).any(axis=1))

    def _replicated(self, k: int, estimate: float, replicates: Floats) -> Replicated:
        made = self.ingredients
        errors = made.errors
        return Replicated(
            estimate=float(estimate),
            replicates=replicates,
            bounds=made.bounds,
            acceleration=float(made.acceleration[k]),
            inflation=float(made.inflation[k]),
            freedom=float(made.freedom[k]),
            pull=float(made.pulls[k]),
            optimism=None if made.optimism is None else float(made.optimism[k]),
            errors=None if errors is None else errors[~self._lost()],
            error=float(np.sqrt(made.variance[k])),
            sizes=(int(made.sizes[k, 0]), int(made.sizes[k, 1])),
            from_auc=made.from_auc,
            proven=made.proven,
        )

    def with_interval(
        self, method: str | None = None, confidence: Any = None, sides: str | None = None
    ) -> BootstrapResult:
        """Return the same replicates with another interval; nothing is drawn again.

        Examples
        --------
        >>> import polyroc as pr
        >>> y, models = pr.example_predictions()
        >>> result = pr.bootstrap(y, models["naive Bayes"], n_resamples=500, seed=1)
        >>> result.with_interval(method="percentile", confidence=[0.9, 0.99]).interval.shape
        (2, 2)
        """
        requested = self.requested if method is None else check_method(method)
        if requested == "studentized" and self.ingredients.errors is None:
            raise ValueError(
                "the standard errors that method='studentized' needs were not computed; "
                "pass method='studentized' to bootstrap"
            )
        if requested == "corrected" and self.ingredients.optimism is None:
            raise ValueError(
                f"the optimism that method='corrected' takes off was not computed for "
                f"{self.measure!r}; it is for those that choose thresholds, by the default method"
            )
        return replace(
            self,
            requested=requested,
            confidence=self.confidence if confidence is None else confidence,
            sides=self.sides if sides is None else sides,
            pairs=None if self.pairs is None else
            self.pairs.with_interval(method, confidence, sides),
        )  # fmt: skip

    @staticmethod
    def join(
        results: Iterable[Any],
    ) -> Any:
        """Join results of parts of one run, computed anywhere, into one.

        Parameters
        ----------
        results : iterable of BootstrapResult, or of Results
            Parts that touch each other, in any order: same data, seed and options, different
            ``replicates=range(...)``.

        Returns
        -------
        BootstrapResult or Results
            What one run over all the ranges gives, to the last bit.

        Examples
        --------
        >>> import polyroc as pr
        >>> y, models = pr.example_predictions()
        >>> parts = [
        ...     pr.bootstrap(y, models["naive Bayes"], n_resamples=400, seed=1, replicates=part)
        ...     for part in (range(0, 100), range(100, 400))
        ... ]
        >>> whole = pr.bootstrap(y, models["naive Bayes"], n_resamples=400, seed=1)
        >>> (pr.BootstrapResult.join(parts).replicates == whole.replicates).all()
        np.True_
        """
        parts = list(results)
        if not parts:
            raise ValueError("there is nothing to join; pass at least one result")
        if all(isinstance(part, Mapping) for part in parts):
            if any(part.keys() != parts[0].keys() for part in parts):
                raise ValueError("the results hold different measures; join like with like")
            return Results(
                {name: BootstrapResult.join(part[name] for part in parts) for name in parts[0]}
            )
        for part in parts:
            if not isinstance(part, BootstrapResult):
                kind = type(part).__name__
                raise TypeError(f"an object of type {kind} cannot be joined; pass BootstrapResults")
        return joined(parts)

    def to_dict(self, replicates: bool = True) -> dict[str, Any]:
        """Return all there is as plain Python: numbers, strings, lists. Ready for JSON.

        Parameters
        ----------
        replicates : bool
            Whether the replicates are in it; without them it is short.
        """
        contents = self._contents()
        for part in () if replicates else (contents, contents.get("pairs", {})):
            part.pop("replicates", None)
        return {name: plain(value) for name, value in contents.items()}

    def _as_pilot(self, models: Any) -> Pilot:
        return pilot_of_one(self, models)

    def _contents(self) -> dict[str, Any]:
        out = {
            "measure": repr(self.measure),
            "estimate": self.estimate,
            "standard_error": self.standard_error,
            "interval": self.interval,
            "confidence": self.confidence,
            "sides": self.sides,
            "method": self.method,
            "requested_method": self.requested,
            "notes": self.notes,
            "first": self.first,
            "n_lost": self.n_lost,
            "n_redrawn": self.n_redrawn,
            **vars(self.origin),
            "classes": plain_labels(self.classes),
            "favoured": plain_label(self.favoured),
            "replicates": self.replicates,
        }
        return out if self.pairs is None else {**out, "pairs": self.pairs._contents()}

    def _shown(self) -> Shown:
        return Shown(
            self.measure, self.estimate, self.standard_error, self.interval, self.confidence,
            self.sides, self.method, _NAMES.get(self.method, self.method), self.classes,
            list(self._remarks()), self.pairs is not None,
        )  # fmt: skip

    def _run(self) -> str:
        """Return what was drawn, and how."""
        part, count = "", len(self.replicates)
        if count < self.n_resamples:
            part = f" ({self.first:,} to {self.first + count - 1:,} of {self.n_resamples:,})"
        units = rows_counted(self.sizes, self.unit, self.n_units, self.measure.row)
        if self.path == "cells":
            units += ", equal rows together"
        way = _HOW[self.scheme, self.stratified]
        if self.counted_in:
            way = f"{way}, as class counts enter {self.counted_in}"
        return f"{counted(count, 'replicate')}{part} of {units}, {way}, seed {self.seed}"

    def _remarks(self) -> Iterable[str]:
        yield self._run()
        if self.n_redrawn:
            yield f"{counted(self.n_redrawn, 'draw')} lost a class and were drawn again"
        if self.favoured is not None:
            yield favour_text(self.favoured)
        yield from (f"note: {note}" for note in self.notes)


def _spread(replicates: Floats) -> float:
    """Return the standard deviation; 0, not rounding, where all are equal."""
    if len(replicates) < 2:
        return float("nan")
    return float(np.std(replicates, ddof=1)) if np.ptp(replicates) else 0.0
