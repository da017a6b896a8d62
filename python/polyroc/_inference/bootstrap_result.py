"""What a bootstrap gives: replicates, and what is made of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.display import counted, number_lines, plain, plain_labels, titled
from polyroc._base.result import FrozenArrays
from polyroc._inference.run import few_replicates
from polyroc._stats.confidence import check_confidence
from polyroc._stats.replicate_interval import Replicated, check_method, interval

if TYPE_CHECKING:
    from polyroc._base.types import Array, Floats
    from polyroc._inference.origin import Ingredients, Origin
    from polyroc._measures.measure import Measure

_NAMES = {"bca": "BCa", "newcombe": "Newcombe"}
_HOW = {
    ("multinomial", True): "stratified by class",
    ("multinomial", False): "not stratified",
    ("poisson", False): "Poisson weights",
    ("bayesian", True): "Bayesian, stratified by class",
    ("bayesian", False): "Bayesian, not stratified",
}


class BootstrapWarning(UserWarning):
    """Something about the replicates that a reader of the interval should know."""


@dataclass(frozen=True, eq=False, repr=False)
class BootstrapResult(FrozenArrays):
    """A measure with its bootstrap distribution; made by :func:`polyroc.bootstrap`.

    Attributes
    ----------
    estimate : float or ndarray
        The measure on the data; an array for measures with a value a class, or for pairs.
    standard_error : float or ndarray
        The standard deviation of the replicates.
    interval : ndarray
        Limits (low, high), in the last axis. With several confidence levels there is a first axis,
        one entry a level.
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
    pairs : BootstrapResult or None
        The same for the K x K values of all pairs of classes, where asked for.
    first : int
        The number of the first replicate; 0 unless a part of a run was asked for.
    classes, sizes : tuple
        The classes, and how many units (rows, or groups with rows of it) each of them has.
    seed, n_resamples, scheme, stratified, unit, n_units, degenerate, path, version
        All that is needed to repeat the run. `path` is "rows", "sorted rows" or "cells" and
        depends on data and measures alone.
    """

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
            errors=None if errors is None else errors[~self._lost()],
            error=float(np.sqrt(made.variance[k])),
            sizes=(int(made.sizes[k, 0]), int(made.sizes[k, 1])),
            power=made.degree,
            limit=getattr(self.measure, "max_fpr", None) or 1.0,
        )

    @property
    def seed(self) -> int:
        """The seed of the run."""
        return self.origin.seed

    @property
    def n_resamples(self) -> int:
        """The number of replicates of the whole run."""
        return self.origin.n_resamples

    @property
    def scheme(self) -> str:
        """How weights were drawn."""
        return self.origin.scheme

    @property
    def stratified(self) -> bool:
        """Whether every class was resampled by itself."""
        return self.origin.stratified

    @property
    def unit(self) -> str:
        """What was resampled: "row" or "group"."""
        return self.origin.unit

    @property
    def n_units(self) -> int:
        """How many of them there are."""
        return self.origin.n_units

    @property
    def classes(self) -> tuple[Any, ...]:
        """The label of each class."""
        return self.origin.classes

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many units each class has."""
        return self.origin.sizes

    @property
    def degenerate(self) -> str:
        """What was done about replicates that lost a class."""
        return self.origin.degenerate

    @property
    def path(self) -> str:
        """What was resampled: "rows" (or groups) by number, "sorted rows" by rank, or "cells".

        Cells are equal rows drawn together. Sorted rows are drawn where a run sorts more than
        131,072 rows by one column of scores: the same law, but not the resamples that other
        measures of the same seed see.
        """
        return self.origin.path

    @property
    def version(self) -> str:
        """The version of polyroc that drew the replicates."""
        return self.origin.version

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
        results : iterable of BootstrapResult, or of dicts of them
            Parts that touch each other, in any order: same data, seed and options, different
            ``replicates=range(...)``.

        Returns
        -------
        BootstrapResult or dict of them
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
            return {name: BootstrapResult.join(part[name] for part in parts) for name in parts[0]}
        for part in parts:
            if not isinstance(part, BootstrapResult):
                kind = type(part).__name__
                raise TypeError(f"an object of type {kind} cannot be joined; pass BootstrapResults")
        parts.sort(key=lambda part: part.first)
        head = parts[0]
        for before, part in pairwise(parts):
            if part.origin != head.origin or part.measure != head.measure:
                raise ValueError(
                    "the results come from different runs (seed, n_resamples, scheme, measure or "
                    "version differ); join parts of one run"
                )
            if _asked(part) != _asked(head):
                raise ValueError(
                    "the results were asked for different things (method, confidence, sides, "
                    "pairs); pass the same options for every part"
                )
            if not np.array_equal(part.estimate, head.estimate, equal_nan=True):
                raise ValueError("the results have different estimates; were the data the same?")
            if not part.ingredients.same_data(head.ingredients):
                raise ValueError(
                    "the results have different influence values; were the data the same?"
                )
            end = before.first + len(before.replicates)
            if part.first != end:
                gap = "overlap" if part.first < end else "leave a gap"
                raise ValueError(
                    f"the parts {gap} at replicate {min(part.first, end)}; "
                    "join ranges that touch each other"
                )
        errors = [part.ingredients.errors for part in parts]
        whole = None if errors[0] is None else np.concatenate([e for e in errors if e is not None])
        inner = [part.pairs for part in parts]
        return replace(
            head,
            replicates=np.concatenate([part.replicates for part in parts]),
            ingredients=replace(head.ingredients, errors=whole),
            n_lost=sum(part.n_lost for part in parts),
            n_redrawn=sum(part.n_redrawn for part in parts),
            pairs=None if inner[0] is None else BootstrapResult.join(inner),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return all there is as plain Python: numbers, strings, lists. Ready for JSON."""
        out = {
            "measure": repr(self.measure),
            "estimate": plain(self.estimate),
            "standard_error": plain(self.standard_error),
            "interval": plain(self.interval),
            "confidence": plain(self.confidence),
            "sides": self.sides,
            "method": self.method,
            "requested_method": self.requested,
            "notes": list(self.notes),
            "first": self.first,
            "n_lost": self.n_lost,
            "n_redrawn": self.n_redrawn,
            **vars(self.origin),
            "classes": plain_labels(self.classes),
            "sizes": list(self.sizes),
            "replicates": plain(self.replicates),
        }
        return out if self.pairs is None else {**out, "pairs": self.pairs.to_dict()}

    def __repr__(self) -> str:
        return "\n".join(_lines(self))


def _spread(replicates: Floats) -> float:
    """Return the standard deviation; 0, not rounding, where all are equal."""
    if len(replicates) < 2:
        return float("nan")
    return float(np.std(replicates, ddof=1)) if np.ptp(replicates) else 0.0


def _asked(result: BootstrapResult) -> tuple[Any, ...]:
    return result.requested, result.confidence, result.sides, result.pairs is None


def _lines(result: BootstrapResult) -> Iterable[str]:
    yield from number_lines(
        titled(result.measure), result.estimate, result.standard_error, result.interval,
        np.atleast_1d(result.confidence), result.sides, _NAMES.get(result.method, result.method),
        result.classes,
    )  # fmt: skip
    part = ""
    count = len(result.replicates)
    if count < result.n_resamples:
        part = f" ({result.first:,} to {result.first + count - 1:,} of {result.n_resamples:,})"
    units = counted(result.n_units, result.unit)
    if result.path == "cells":
        units += ", equal rows together"
    way = _HOW[result.scheme, result.stratified]
    yield f"  {counted(count, 'replicate')}{part} of {units}, {way}, seed {result.seed}"
    if result.n_redrawn:
        yield f"  {counted(result.n_redrawn, 'draw')} lost a class and were drawn again"
    for note in result.notes:
        yield f"  note: {note}"
    if result.pairs is not None:
        yield "  .pairs holds the same for all pairs of classes"
