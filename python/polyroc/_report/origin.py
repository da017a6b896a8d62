"""Where the numbers of a report come from: options, and hashes of the rows.

A page holds them, so that it can be made again from the same rows and compared.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.plain import plain_labels
from polyroc._data.units import plan
from polyroc._measures.plain_form import to_plain

if TYPE_CHECKING:
    from polyroc._data.sample import Sample
    from polyroc._report.given import Given
    from polyroc._report.report import Report

_BLOCK = 2**16  # rows hashed at a time: a copy of all would double the memory


def origin(report: Report, samples: dict[str, Sample]) -> dict[str, Any]:
    """Return the options and the hashes of a report whose models have these samples."""
    given = report._given
    first = next(iter(samples.values()))
    rows = row_hashes(samples, given)
    measures = None
    if given.measures is not None:
        measures = [[name, to_plain(one)] for name, one in given.measures.items()]
    return {
        "options": {
            "measures": measures,
            "n_resamples": report.n_resamples,
            "seed": report.seed,
            "confidence": report.confidence,
            "stratify": given.stratify,
            "absent": given.absent,
            "classes": plain_labels(first.classes),
            "single_column": [name for name, one in samples.items() if one.scores.ndim == 1],
            "single_precision": [
                name for name, one in samples.items() if one.scores.dtype == np.float32
            ],
        },
        "rows": rows,
        "hash": hash_of_all(rows),
    }


def row_hashes(samples: dict[str, Sample], given: Given) -> dict[str, Any]:
    """Return the SHA-256 of labels, weights, groups and every model's scores.

    The same for the same rows, whatever held them: labels go by their places among the classes,
    groups by the order in which they appear, scores as float64 in the order of the classes.
    """
    first = next(iter(samples.values()))
    groups = None
    if given.groups is not None:
        groups = plan(first, "multinomial", given.stratify, given.groups).groups
    return {
        "labels": _digest(first.codes, np.uint32),
        "weights": None if first.weights is None else _digest(first.weights, np.float64),
        "groups": None if groups is None else _digest(groups, np.uint32),
        "scores": {name: _digest(one.scores, np.float64) for name, one in samples.items()},
    }


def hash_of_all(rows: dict[str, Any]) -> str:
    """Return one hash of all hashes; models go by their order, not by their names."""
    listed = [rows["labels"], rows["weights"], rows["groups"], *rows["scores"].values()]
    return hashlib.sha256(json.dumps(listed).encode()).hexdigest()


def _digest(values: Any, kind: Any) -> str:
    made = hashlib.sha256(json.dumps(list(np.shape(values))).encode())
    for first in range(0, len(values), _BLOCK):
        block = np.array(values[first : first + _BLOCK], dtype=kind, order="C")
        if block.dtype.kind == "f":
            block += 0.0  # -0.0 and 0.0 are one score
        made.update(block.astype(block.dtype.newbyteorder("<"), copy=False).tobytes())
    return made.hexdigest()
