"""Hypothesis profiles: `ci` is the default and repeats itself exactly; `heavy` looks further.

POLYROC_HYPOTHESIS=heavy pytest tests

`quick` takes the first examples of `ci` alone, for `make test-quick`.
"""

from __future__ import annotations

import os
import signal
import zlib

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

# What a helper asserts is taken apart in reports as in tests.
pytest.register_assert_rewrite("given", "oracle")

# Building numpy arrays is slow at first use on a cold machine; that is no fault of a test.
slow = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile(
    "ci",
    derandomize=True,
    deadline=None,
    max_examples=75,
    database=None,
    suppress_health_check=slow,
)
settings.register_profile("quick", settings.get_profile("ci"), max_examples=10)
settings.register_profile(
    "heavy",
    deadline=None,
    max_examples=5000,
    database=None,
    print_blob=True,
    suppress_health_check=slow,
)
settings.load_profile(os.environ.get("POLYROC_HYPOTHESIS", "ci"))


# A shell has what it starts in the background ignore Ctrl-C, which tests send to themselves.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of a file in one process, in order: they share what is costly to make."""
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.path.stem))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Seed RNG, the generator of a file, for each of its tests, whatever ran before it."""
    generator = getattr(getattr(item, "module", None), "RNG", None)
    if isinstance(generator, np.random.Generator):
        seed = zlib.crc32(item.name.encode())
        generator.bit_generator.state = np.random.default_rng(seed).bit_generator.state
