"""Parts of one run of replicates, joined."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from polyroc._inference.bootstrap_result import BootstrapResult


def joined(parts: list[BootstrapResult]) -> BootstrapResult:
    """Return what one run over all the ranges gives; raise unless the parts are of one run."""
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
            raise ValueError("the results have different influence values; were the data the same?")
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
        pairs=joined([pairs for pairs in inner if pairs is not None]) if head.pairs else None,
    )


def _asked(result: BootstrapResult) -> tuple[Any, ...]:
    return result.requested, result.confidence, result.sides, result.pairs is None
