"""Whether a build without optimisation says so."""

from __future__ import annotations

import warnings

import pytest
from polyroc import _core
from polyroc._base.build import warn_if_slow


def test_a_slow_build_warns_and_a_fast_one_does_not() -> None:
    with pytest.warns(RuntimeWarning, match=r"^the core of polyroc was built without optimisation"):
        warn_if_slow(optimised=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_if_slow(optimised=True)


def test_the_core_under_test_is_optimised() -> None:
    assert _core.optimised
