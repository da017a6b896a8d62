"""Levels, methods and replicates that are no input to an interval, and levels that are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from polyroc._stats.confidence import check_confidence
from polyroc._stats.replicate_interval import Replicated, check_method, interval

from given.interval_calls import NINE
from given.refusals import refused

inf, nan = float("inf"), float("nan")


@pytest.mark.parametrize(
    ("given", "levels", "scalar"),
    [
        (0.95, [0.95], True),
        (np.float32(0.5), [0.5], True),
        (np.array(0.95), [0.95], True),
        ([0.95], [0.95], False),
        ((0.9, 0.95), [0.9, 0.95], False),
        (np.array([0.9, 0.95]), [0.9, 0.95], False),
    ],
)
def test_confidence(given: Any, levels: list[float], scalar: bool) -> None:
    checked, was_scalar = check_confidence(given)
    assert checked.dtype == np.float64
    assert checked.tolist() == levels
    assert was_scalar is scalar


@pytest.mark.parametrize(
    ("given", "error", "begins"),
    [
        (1.5, ValueError, r"confidence is 1\.5; it must lie in \(0, 1\), as 0\.95 for 95 %$"),
        (95, ValueError, r"confidence is 95; it must lie in \(0, 1\)"),
        (0, ValueError, r"confidence is 0; it must lie in"),
        (1.0, ValueError, r"confidence is 1\.0; it must lie in"),
        (nan, ValueError, r"confidence is nan; it must lie in"),
        (-inf, ValueError, r"confidence is -inf; it must lie in"),
        ([0.9, 1.5], ValueError, r"confidence\[1\] is 1\.5; it must lie in \(0, 1\)"),
        ([0.9, np.float64(2)], ValueError, r"confidence\[1\] is 2\.0; it must lie in"),
        (np.array([0.9, nan]), ValueError, r"confidence\[1\] is nan; it must lie in"),
        ([], ValueError, r"confidence is empty; pass at least one level, as 0\.95$"),
        (np.array([]), ValueError, r"confidence is empty"),
        (True, TypeError, r"confidence is True, a bool; pass a number in \(0, 1\)$"),
        ([0.9, np.True_], TypeError, r"confidence\[1\] is (np\.)?True_?, a bool; pass"),
        ("0.95", TypeError, r"confidence is '0\.95', a str; pass a number in \(0, 1\)$"),
        (["0.95"], TypeError, r"confidence\[0\] is '0\.95', a str; pass a number"),
        (None, TypeError, r"confidence is None, a NoneType; pass a number"),
        ([0.9, None], TypeError, r"confidence\[1\] is None, a NoneType; pass a number"),
        ({0.9}, TypeError, r"confidence is \{0\.9\}, a set; pass a number"),
        (0.9j, TypeError, r"confidence is 0\.9j, a complex; pass a number"),
        ([[0.9, 0.95]], TypeError, r"confidence\[0\] is \[0\.9, 0\.95\], a list; pass a number"),
    ],
)
def test_bad_confidence(given: Any, error: type[Exception], begins: str) -> None:
    refused(error, begins, check_confidence, given)


def test_bad_names() -> None:
    data, level = Replicated(0.5, NINE), np.array([0.9])
    choices = r"choose one of 'bca', 'percentile', 'basic', 'normal', 'studentized', 'corrected'$"
    refused(ValueError, rf"method is 'BCa'; {choices}", interval, data, "BCa", level)
    refused(ValueError, rf"method is None; {choices}", check_method, None)
    refused(ValueError, rf"method is \['bca'\]; {choices}", check_method, ["bca"])
    refused(
        ValueError, r"sides is 'both'; choose one of 'two', 'lower', 'upper'$",
        interval, data, "bca", level, "both",
    )  # fmt: skip


def test_nothing_enters_that_would_become_nan() -> None:
    refused(ValueError, r"replicates is empty; an interval needs", Replicated, 0.5, np.array([]))
    refused(ValueError, r"the estimate or a replicate is NaN; leave", Replicated, nan, NINE)
    refused(
        ValueError, r"the estimate or a replicate is NaN", Replicated, 0.5, np.array([0.5, nan])
    )
    with pytest.raises(ValueError, match=r"^errors has 2 values for 9 replicates; pass one each$"):
        Replicated(0.5, NINE, errors=np.ones(2))
    with pytest.raises(ValueError, match=r"^sizes is \(0, 3\); every class needs a row$"):
        Replicated(0.5, NINE, sizes=(0, 3))
