"""Data and calls that the tests of the bootstrap share."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
import polyroc as pr
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

COSTS = [[0, 1, 4], [2, 0, 1], [1, 1, 0]]
BINARY: dict[str, Any] = {
    "auc": "auc",
    "auc below": pr.Auc(max_fpr=0.4),
    "hand_till": pr.HandTill(),
    "auc_mu": "auc_mu",
    "one_vs_rest": "one_vs_rest",
}
MATRIX: dict[str, Any] = {
    "hand_till": "hand_till",
    "hand_till prevalence": pr.HandTill("prevalence"),
    "hand_till weights": pr.HandTill(COSTS),
    "auc_mu": "auc_mu",
    "auc_mu costs": pr.AucMu(COSTS),
    "auc_mu exact": pr.AucMu(ties="exact", pair_weights="prevalence"),
    "macro": "one_vs_rest",
    "prevalence": pr.OneVsRest("prevalence"),
    "micro": pr.OneVsRest("micro"),
    "each": pr.OneVsRest(None),
    "polar_area": "polar_area",
    "polar share": pr.PolarArea(normalize=True, order="pairs"),
}
NAMES: dict[str, Any] = {
    "auc": pr.Auc(),
    "hand_till": pr.HandTill(),
    "auc_mu": pr.AucMu(),
    "one_vs_rest": pr.OneVsRest(),
    "polar_area": pr.PolarArea(),
}
METHODS: list[Any] = ["bca", "percentile", "basic", "normal"]
SCHEMES: list[Any] = ["multinomial", "poisson", "bayesian"]

PERFECT = ([0, 0, 0, 0, 1, 1, 1], [1, 2, 3, 4, 5, 6, 7])

NEWCOMBE = "all replicates are equal: Newcombe's (2006) method 5, from the sizes of the classes"


def binary(n: int = 40, shift: float = 1.0, digits: int = 1) -> tuple[Ints, Floats]:
    rng = np.random.default_rng([n, 2])
    y = np.arange(n) % 2
    return y, (rng.normal(size=n) + shift * y).round(digits)


def matrix(n: int = 60, K: int = 3, shift: float = 1.0, digits: int = 1) -> tuple[Ints, Floats]:
    rng = np.random.default_rng([n, K])
    y = np.arange(n) % K
    return y, (rng.normal(size=(n, K)) + shift * np.eye(K)[y]).round(digits)


def boot(y: Any, scores: Any, measure: Any = "auc_mu", **options: Any) -> Any:
    return pr.bootstrap(y, scores, measure, **{"n_resamples": 99, "seed": 1, **options})


def quietly(*arguments: Any, **options: Any) -> Any:
    """The same without warnings, for runs that are meant to have something to warn of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pr.BootstrapWarning)
        return boot(*arguments, **options)


def bits(value: Any) -> bytes:
    return np.asarray(value, dtype=np.float64).tobytes()


def same(one: Any, other: Any) -> None:
    """Two results, or two dicts of them, hold the same to the last bit."""
    if isinstance(one, Mapping):
        assert list(one) == list(other)
        for name in one:
            same(one[name], other[name])
        return
    for name in ("estimate", "standard_error", "interval", "replicates", "confidence"):
        assert np.shape(getattr(one, name)) == np.shape(getattr(other, name)), name
        assert bits(getattr(one, name)) == bits(getattr(other, name)), name
    for name in (
        "measure", "method", "requested", "notes", "sides", "first", "n_lost", "n_redrawn", "seed",
        "n_resamples", "scheme", "stratified", "unit", "n_units", "degenerate", "path", "version",
    ):  # fmt: skip
        assert getattr(one, name) == getattr(other, name), name
    assert (one.pairs is None) == (other.pairs is None)
    if one.pairs is not None:
        same(one.pairs, other.pairs)


def unbalanced(n: int, few: int) -> tuple[Ints, Floats]:
    rng = np.random.default_rng([n, few])
    y = (np.arange(n) < few).astype(np.int64)
    return y, rng.normal(size=n) + y
