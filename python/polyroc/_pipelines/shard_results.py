"""Measures with their errors, of all rows of all shards, once these are merged."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.checks import show
from polyroc._base.display import counted
from polyroc._compare.by_delong import by_limits
from polyroc._compare.difference import Difference, Side
from polyroc._compare.pair_test import PairTest
from polyroc._pipelines.segment_limits import side_of
from polyroc._pipelines.segment_replicates import MULTIPLIER, by_replicates
from polyroc._pipelines.shard_errors import Errors, errors_of
from polyroc._pipelines.shard_replicates import drawn_errors, replicates_of
from polyroc._pipelines.shard_segment import difference_of
from polyroc._pipelines.state_comparison import StateComparison, StateComparisons
from polyroc._pipelines.state_value import StateValue, StateValues
from polyroc._stats.confidence import check_confidence
from polyroc._stats.normal_interval import NAMES
from polyroc._stats.wald import adjust

if TYPE_CHECKING:
    from polyroc import _core
    from polyroc._base.types import Floats
    from polyroc._pipelines.influence_sums import InfluenceSums
    from polyroc._pipelines.influence_tables import InfluenceTables

_ADJUSTED = "holm"


def results_of(
    given: InfluenceSums, confidence: Any, whole: InfluenceSums | None
) -> StateValues | StateComparisons:
    """Return the measures of all models, with their errors."""
    tables, sums = given._tables, given._core
    _admit_whole(tables, whole)
    levels, single = check_confidence(confidence)
    if not single:
        raise ValueError(f"confidence is {show(confidence)}; pass one level, as 0.95")
    level = float(levels[0])
    _same_rows(tables, sums)
    _distinct_ids(sums)
    values, errors = tables._values(), errors_of(tables, sums)
    replicates = replicates_of(tables, sums, values) if tables.n_resamples else {}
    errors |= {name: drawn_errors(errors[name], drawn) for name, drawn in replicates.items()}
    by_measure: dict[str, list[StateValue]] = {}
    for name, error in errors.items():
        each = [_by_errors(found[name], error, k, level) for k, found in enumerate(values)]
        if replicates:
            each = [_drawn(*both) for both in zip(each, replicates[name], strict=True)]
        by_measure[name] = each
    if tables.models is None:
        alone = {name: each[0] for name, each in by_measure.items()}
        if whole is not None:
            alone = _beside_all(given, errors, alone, whole, level)
        return StateValues(alone)
    return StateComparisons(
        {
            name: StateComparison(
                name,
                dict(zip(tables.models, each, strict=True)),
                _pairs(tables.models, each, errors[name], level),
                level,
            )
            for name, each in by_measure.items()
        }
    )


def _admit_whole(tables: InfluenceTables, whole: InfluenceSums | None) -> None:
    """Refuse sums of other rows than the tables know of."""
    if tables.groups or tables.n_resamples:
        fits = whole is None or _way(tables) == _way(whole._tables)
    else:
        fits = (whole is None) == (tables._whole is None)
    if not fits:
        raise ValueError(
            "whole= takes the sums of all rows, where InfluenceTables has whole= their state, or "
            "both have groups=True, or both the same n_resamples and seed; pass both or none"
        )
    if whole is None:
        return
    own, above = tables._states[0], whole._tables._states[0]
    known = tables._whole is None or tables._whole._core.identity() == above._core.identity()
    same = (own.labels, own.measures, own.key) == (above.labels, above.measures, above.key)
    if whole._tables.models is not None or tables.models is not None or not known or not same:
        raise ValueError("whole= are sums of other rows than the state that InfluenceTables has")


def _way(tables: InfluenceTables) -> tuple[object, ...]:
    """Return how rows are resampled, if they are."""
    return tables.groups, tables.n_resamples, tables.seed


def _distinct_ids(sums: _core.Sums) -> None:
    """Refuse row ids that several rows have."""
    looked_at, several, most = sums.repeated_ids()
    if several:
        raise ValueError(
            f"of {counted(looked_at, 'row id')} that were looked at, {several:,} came more than "
            f"once, one of them {most:,} times: rows were read twice, or row_id does not tell rows "
            "apart; pass a column that is unique"
        )


def _beside_all(
    given: InfluenceSums, errors: dict[str, Errors], found: dict[str, StateValue],
    whole: InfluenceSums, level: float,
) -> dict[str, StateValue]:  # fmt: skip
    """Return the values of a segment with their differences from all rows."""
    if whole._above is None:
        _same_rows(whole._tables, whole._core)
    out = {}
    for k, (name, value) in enumerate(found.items()):
        away = difference_of(given, k, value, errors[name], whole._as_all_rows(), level)
        out[name] = replace(
            value, difference=away.value, difference_interval=np.array([away.low, away.high]),
            p_value=away.p_value,
        )  # fmt: skip
    return out


def _same_rows(tables: InfluenceTables, sums: _core.Sums) -> None:
    """Refuse sums of other rows than the states have seen."""
    for k, state in enumerate(tables._states):
        core = state._core
        model = "" if tables.models is None else f" of {tables.models[k]!r}"
        if core.rows == sums.rows and core.masses != sums.masses:
            raise ValueError(
                f"both passes saw {sum(core.rows):,} rows{model}, but sample weights add up to "
                f"{show(core.masses)} by class in the first and to {show(sums.masses)} in the "
                "second; pass the same sample_weight in both"
            )
        if core.rows != sums.rows:
            raise ValueError(
                f"the first pass saw {sum(core.rows):,} rows{model}, {show(core.rows)} by class, "
                f"and the second {sum(sums.rows):,}, {show(sums.rows)} by class; a shard was read "
                "twice or lost: merge every shard once in each pass"
            )
        if core.checksum != sums.checksums[k]:
            raise ValueError(
                f"both passes saw {sum(core.rows):,} rows{model}, but not the same ones (their "
                "checksums differ): a shard was read twice or lost, or the data changed in between"
            )


def _side(value: StateValue, errors: Errors, model: int) -> Side:
    return side_of(value.estimate, errors.models[model], errors.scale)


def _by_errors(value: StateValue, errors: Errors, model: int, level: float) -> StateValue:
    """Return a value with its error and limits."""
    if math.isnan(errors.models[model].variance):  # nearly all replicates lost a class
        return replace(value, standard_error=math.nan, interval=np.full(2, np.nan), method="")
    side = _side(value, errors, model)
    limits = side.limits(np.array([level]))
    interval = np.array([limits.low[0], limits.high[0]])
    return replace(
        value, standard_error=side.error, interval=interval, confidence=level,
        method=NAMES[limits.method],
    )  # fmt: skip


def _drawn(value: StateValue, replicates: Floats) -> StateValue:
    """Return a value whose error is that of replicates."""
    method = by_replicates(value.method, MULTIPLIER)
    return replace(value, method=method, replicates=replicates)


def _pairs(
    names: tuple[str, ...], values: list[StateValue], errors: Errors, level: float
) -> tuple[PairTest, ...]:
    """Return the comparison of every two models."""
    found = []
    for i, j in combinations(range(len(names)), 2):
        one, other = values[i], values[j]
        spread, nan = errors.differences[i, j], math.nan
        if math.isnan(spread.variance):
            value = one.estimate - other.estimate
            found.append(PairTest(names[i], names[j], value, nan, nan, nan, nan, nan, nan))
            continue
        first, second = _side(one, errors, i), _side(other, errors, j)
        ends, other_ends = (side.limits(np.array([level])).ends for side in (first, second))
        difference = Difference(
            first, second, math.sqrt(max(spread.variance, 0.0)), freedom=spread.freedom
        )
        difference = difference._replace(
            by_limits=by_limits(difference, ends, other_ends, errors.covariance(i, j), spread.pull)
        )
        low, high = difference.interval(level)
        found.append(
            PairTest(
                names[i], names[j], difference.value, difference.error, low, high, difference.z,
                difference.p_value(), nan, freedom=difference.freedom,
            )
        )  # fmt: skip
    adjusted = adjust(np.array([pair.p_value for pair in found]), _ADJUSTED).tolist()
    return tuple(replace(pair, p_adjusted=p) for pair, p in zip(found, adjusted, strict=True))
