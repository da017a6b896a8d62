"""Intervals of the rates of a confusion matrix: Wilson's, or from resamples."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from polyroc._points.effective_counts import effective_wilson, moments_of
from polyroc._points.rates import RATES, Margins, Ratio, of_jaccard, ratios, shares_of
from polyroc._points.tally import weighted_sums
from polyroc._stats.replicate_interval import Replicated, interval
from polyroc._stats.wilson_interval import wilson

if TYPE_CHECKING:
    from polyroc._base.types import Array, Codes, Floats
    from polyroc._data.sample import Sample
    from polyroc._points.tally import Entries

_NO_SPREAD = (
    "where all resamples have one value, the interval is Wilson's for the {unit}s that would count "
    "as much if all weighed the same"
)
EFFECTIVE = "intervals are Wilson's for the number of independent rows that each rate is worth"


class Limits(NamedTuple):
    """Limits (low, high) in the last axis: of each class, and of the average over classes."""

    each: dict[str, Floats]
    macro: dict[str, Floats]
    notes: tuple[str, ...]


def by_wilson(margins: Margins, confidence: float) -> Limits:
    """Wilson's limits of every rate; averages over classes have none.

    F1 = 2 J / (1 + J) rises with J = TP / (TP + FP + FN), which is a proportion.
    """
    each = {
        name: wilson(ratio.above, ratio.below, confidence)
        for name, ratio in ratios(margins).items()
    }
    tp, true, said = margins
    each["f1"] = of_jaccard(wilson(tp, true + said - tp, confidence))
    return Limits(each, {name: np.full(2, np.nan) for name in RATES}, ())


def by_effective_wilson(
    sample: Sample, said: Array, groups: Codes | None, confidence: float
) -> Limits:
    """Wilson's limits with the number of independent rows that each rate is worth.

    For rows with weights or in groups; averages over classes have none.
    """
    mass = np.ones(len(said)) if sample.weights is None else sample.weights
    kept = mass > 0
    true, said, mass = sample.codes[kept], said[kept], mass[kept]
    unit = None if groups is None else np.unique(groups[kept], return_inverse=True)[1]
    by_class = []
    for k in range(sample.n_classes):
        cell = np.where(true == k, np.where(said == k, 0, 2), np.where(said == k, 1, 3))
        by_class.append(moments_of(cell, mass, unit))
    each = {
        name: np.stack([effective_wilson(name, one, confidence) for one in by_class])
        for name in RATES
    }
    right = moments_of(np.where(true == said, 0, 2), mass, unit)
    each["accuracy"] = effective_wilson("accuracy", right, confidence)
    return Limits(each, {name: np.full(2, np.nan) for name in RATES}, (EFFECTIVE,))


def by_bootstrap(
    margins: Margins, drawn: Margins, entries: Entries, unit: str, confidence: float
) -> Limits:
    """BCa limits of every rate and of their averages over classes.

    The acceleration comes from influence values: a ratio X / Y of sums over units changes by
    (x - r y) / Y with the weight of a unit that adds x and y. `drawn` are the resamples.
    """
    n_classes = len(margins.true)
    true, said = entries.true(n_classes), entries.said(n_classes)
    found, replicates = ratios(margins), {name: r.value for name, r in ratios(drawn).items()}
    each: dict[str, Floats] = {}
    macro: dict[str, Floats] = {}
    notes: list[str] = []
    for name, ratio in found.items():
        one = name == "accuracy"
        values = np.atleast_1d(ratio.value)
        columns = replicates[name].reshape(len(drawn.true), -1)
        mean = _Unit(np.zeros(entries.n_units), np.zeros(entries.n_units))
        limits = np.full((len(values), 2), np.nan)
        for k, value in enumerate(values.tolist()):
            right = (true == said, true == said) if one else (true == k, said == k)
            above, below = shares_of(name, *right)
            part = _unit_of(above, below, entries, float(np.ravel(ratio.below)[k]), value)
            mean = _Unit(mean.influence + part.influence / len(values), mean.mass + part.mass)
            limits[k] = _limits(
                value, columns[:, k], part, entries.times, name, confidence, unit, notes
            )
        each[name] = limits[0] if one else limits
        if not one:
            value = float(values.mean())
            macro[name] = _limits(
                value, columns.mean(axis=1), mean, entries.times, "macro", confidence, unit, notes
            )
    return Limits(each, macro, tuple(dict.fromkeys(notes)))


class _Unit(NamedTuple):
    """What each unit does to a rate: its influence, and its mass below."""

    influence: Floats
    mass: Floats


def _unit_of(above: Floats, below: Floats, entries: Entries, total: float, rate: float) -> _Unit:
    mass = weighted_sums(entries.unit, entries.mass * below, entries.n_units)
    if not total > 0:
        return _Unit(np.zeros(entries.n_units), mass)
    moved = entries.mass * (above - rate * below) / total
    return _Unit(weighted_sums(entries.unit, moved, entries.n_units), mass)


def _limits(
    value: float, column: Array, part: _Unit, times: Array, name: str, confidence: float,
    unit: str, notes: list[str],
) -> Floats:  # fmt: skip
    defined = column[~np.isnan(column)]
    if np.isnan(value) or not len(defined):
        return np.full(2, np.nan)
    if len(defined) < len(column):
        notes.append("resamples in which a rate is not defined are left out of its interval")
    l2 = float(np.sum(times * part.influence**2))
    if np.ptp(defined) <= 1e-12 or l2 == 0.0:
        notes.append(_NO_SPREAD.format(unit=unit))
        # Kish's number of units of equal weight.
        effective = np.sum(times * part.mass) ** 2 / np.sum(times * part.mass**2)
        if name == "f1":
            jaccard = value / (2.0 - value)
            return of_jaccard(wilson(jaccard * effective, effective, confidence))
        return wilson(value * effective, effective, confidence)
    counted = int(np.sum(times[part.mass > 0]))
    data = Replicated(
        value,
        defined,
        acceleration=float(np.sum(times * part.influence**3) / (6.0 * l2**1.5)),
        inflation=counted / (counted - 1) if counted > 1 else 1.0,
        freedom=float(counted - 1) if counted > 1 else np.inf,
    )
    limits = interval(data, "bca", np.array([confidence]))
    if limits.note:
        notes.append(limits.note)
    return np.array([limits.low[0], limits.high[0]])


def values_of(margins: Margins) -> dict[str, Floats]:
    """Return the rates themselves; nan where they are not defined."""
    return {name: Ratio(*ratio).value for name, ratio in ratios(margins).items()}
