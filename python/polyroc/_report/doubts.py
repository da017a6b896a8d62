"""What a reader of a report should be warned of, in plain sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from polyroc._base.checks import show
from polyroc._base.display import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from polyroc._base.types import Array, Floats
    from polyroc._inference.bootstrap_result import BootstrapResult
    from polyroc._report.data import Data

FEW = 20  # units in a class below which limits depend on few of them
SKEW = 50.0  # times as many rows in the largest class
MANY_TIES = 0.05  # of the pairs of rows
AMPLE = 200  # units that tell most models from chance
AUCS = ("auc", "auc_mu", "hand_till", "one_vs_rest")  # of which one half is chance
_NAMED = 3  # classes named in a sentence


def doubts(
    data: Data, areas: Mapping[str, Floats], measures: Mapping[str, Mapping[str, BootstrapResult]]
) -> tuple[str, ...]:
    """Return the warnings; `areas` are the AUCs of each model, of all classes or of every pair."""
    found = [
        *_few(data),
        *_absent(data),
        *_skew(data),
        *_weights(data),
        *_ties(data),
        *_areas(areas),
        *_chance(data, measures),
    ]
    return tuple(found)


def _few(data: Data) -> Iterable[str]:
    few = (data.effective_sizes < FEW) & (data.sizes > 0)
    if few.any():
        unit = _unit(data)
        # What was compared with FEW is what they are worth, and that is what is shown.
        uneven = few & _is_uneven(data)
        kind = f"effective {unit}" if uneven.any() else unit
        worth = [
            f"{effective:.1f} of {count:,}" if uneven.any() else f"{count:,}"
            for effective, count in zip(data.effective_sizes, data.units, strict=True)
        ]
        yield (
            f"fewer than {FEW} {kind}s in {_named(data, few, worth)}: what is said of "
            f"{'it' if np.count_nonzero(few) == 1 else 'them'} rests on few of them"
        )


def _is_uneven(data: Data) -> Array:
    """Tell which classes have units that are worth less than their number, as it is shown."""
    return np.asarray(data.effective_sizes < data.units - 0.05)


def _absent(data: Data) -> Iterable[str]:
    absent = data.sizes == 0
    if absent.any():
        yield f"no rows of {_named(data, absent)}: averages are over the classes that have some"


def _skew(data: Data) -> Iterable[str]:
    present = data.sizes[data.sizes > 0]
    ratio = present.max() / present.min()
    if ratio >= SKEW:
        yield (
            f"the largest class has {ratio:,.0f} times the rows of the smallest: AUCs do not see "
            "that, average precision and proportions correct do"
        )


def _unit(data: Data) -> str:
    return "group" if data.group_sizes is not None else "row"


def _weights(data: Data) -> Iterable[str]:
    if data.weighted:
        least = int(np.argmin(np.where(data.sizes > 0, data.effective_sizes, np.inf)))
        effective = data.effective_sizes[least]
        told = effective < FEW  # by the warning of few rows, with the same number
        if effective < 0.8 * data.units[least] and not told:
            yield (
                f"weights are uneven: the {data.units[least]:,} {_unit(data)}s of class "
                f"{show(data.classes[least])} are worth {effective:.1f} of equal weight"
            )


def _ties(data: Data) -> Iterable[str]:
    for model, share in data.ties.items():
        if share > MANY_TIES:
            yield f"{model}: {share:.0%} of the pairs of rows tie, which count one half"


def _areas(areas: Mapping[str, Floats]) -> Iterable[str]:
    for model, values in areas.items():
        known = values[~np.isnan(values)]
        perfect = int(np.count_nonzero(known == 1.0))
        if perfect and len(known) == 1:
            yield f"{model}: the classes are perfectly separated, so that its AUC is 1"
        elif perfect:
            yield f"{model}: {counted(perfect, 'pair')} of classes perfectly separated"
        if known.mean() < 0.5:
            yield (
                f"{model}: its AUC is below one half; are its scores those of another class, or "
                "its columns in another order?"
            )


def _chance(data: Data, measures: Mapping[str, Mapping[str, BootstrapResult]]) -> Iterable[str]:
    if data.units.sum() < AMPLE:
        return
    for model, results in measures.items():
        name, first = next(iter(results.items()))
        low, high = np.ravel(first.interval)[:2]
        if name in AUCS and low <= 0.5 <= high:
            yield (
                f"{model}: its {name} is not told from chance; are scores and labels of the same "
                "rows, in the same order?"
            )


def _named(data: Data, which: Array, units: Sequence[str] | None = None) -> str:
    places = np.flatnonzero(which).tolist()
    shown = [
        show(data.classes[k]) + ("" if units is None else f" ({units[k]})") for k in places[:_NAMED]
    ]
    more = f" and {len(places) - _NAMED} more" if len(places) > _NAMED else ""
    return f"class{'' if len(places) == 1 else 'es'} {', '.join(shown)}{more}"
