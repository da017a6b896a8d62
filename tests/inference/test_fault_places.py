"""Faults in scores are named by row and column, whatever the call."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import polyroc as pr
import pytest

RNG = np.random.default_rng(8)
CALLS: dict[str, Callable[..., Any]] = {
    "value": lambda y, p, m: m(y, p),
    "bootstrap": lambda y, p, m: pr.bootstrap(y, p, m, n_resamples=20, seed=1),
    "percentile": lambda y, p, m: pr.bootstrap(y, p, m, method="percentile", n_resamples=20),
    "delong": lambda y, p, m: pr.delong(y, p, m),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("n", [60, 140_000])  # rows by number, and sorted rows
def test_nan_in_the_second_of_two_columns(call: str, n: int) -> None:
    y = RNG.integers(0, 2, n)
    p = RNG.random((n, 2))
    p[17, 1] = np.nan
    with pytest.raises(ValueError, match=r"^" + re.escape("y_score[17, 1] is NaN; drop")):
        CALLS[call](y, p, pr.Auc())
    with pytest.raises(ValueError, match=r"^" + re.escape("y_score[17] is NaN; drop")):
        CALLS[call](y, p[:, 1].copy(), pr.Auc())


@pytest.mark.parametrize("call", ["value", "bootstrap", "percentile"])
def test_nan_in_a_partial_area(call: str) -> None:
    y, p = RNG.integers(0, 2, 60), RNG.random((60, 2))
    p[17, 1] = np.nan
    with pytest.raises(ValueError, match=r"^" + re.escape("y_score[17, 1] is NaN; drop")):
        CALLS[call](y, p, pr.Auc(max_fpr=0.3))


@pytest.mark.parametrize("call", CALLS)
def test_nan_in_many_columns(call: str) -> None:
    y, p = np.arange(60) % 4, RNG.random((60, 4))
    p[11, 3] = p[20, 0] = np.nan
    for measure in (pr.HandTill(), pr.OneVsRest(), pr.OneVsRest("micro"), pr.AucMu()):
        with pytest.raises(ValueError, match=r"^" + re.escape("y_score[11, 3] is NaN; drop")):
            CALLS[call](y, p, measure)
