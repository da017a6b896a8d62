"""Segments the slow way: a loop over `delong`, and differences by a bootstrap of both."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr


def segment_by_segment(
    y: Any, scores: Any, keys: Any, measure: Any, labels: Any, **options: Any
) -> dict[Any, tuple[float, float, float, float]]:
    """Return estimate, error and limits of every segment that `delong` has an answer for."""
    found = {}
    for key in dict.fromkeys(keys):
        rows = np.array([one == key for one in keys])
        given = {name: values[rows] for name, values in options.items()}
        try:
            one = pr.delong(y[rows], scores[rows], measure, labels=labels, **given)
        except ValueError:
            continue
        found[key] = (one.estimate, one.standard_error, *one.interval.tolist())
    return found


def resampled_differences(
    y: Any, scores: Any, rows: Any, measure: Any, labels: Any, count: int, seed: int
) -> Any:
    """Return replicates of a segment minus all rows, from the same drawn rows."""
    rng, n, out = np.random.default_rng(seed), len(y), np.empty(count)
    for b in range(count):
        drawn = rng.integers(0, n, n)
        inside = drawn[rows[drawn]]
        own = measure(y[inside], scores[inside], labels=labels)
        out[b] = own - measure(y[drawn], scores[drawn], labels=labels)
    return out
