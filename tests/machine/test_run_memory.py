"""A bootstrap keeps to its `max_memory`, and by default takes what its input needs.

Measured in a child process: the growth of its resident set from before the call to its peak.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

import numpy as np
import polyroc as pr
import pytest

MIB = 2**20
SPARE = 16 * MIB  # threads, tables, what the allocator keeps

SCRIPT = """
import json, re, sys, warnings
import numpy as np
import polyroc as pr

def status(key):
    with open("/proc/self/status") as lines:
        return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(key + ":"))

warnings.simplefilter("ignore")
n, K, dtype, measure, given, options = json.loads(sys.argv[1])
rng = np.random.default_rng(0)
y = rng.integers(0, max(K, 2), n, dtype=np.int8)
s = np.empty((n, K), dtype)
for first in range(0, n, 10_000):  # in blocks: building the input must not raise the peak
    rows = slice(first, first + 10_000)
    s[rows] = rng.random(s[rows].shape, dtype=np.float32) + y[rows, None] % 3 / 4
if "zeros" in given:
    s[rng.random(n) < 0.6] = 0
s = s[:, 0].copy() if K == 1 else s
arrays = {}
if "groups" in given:
    arrays["groups"] = rng.integers(0, n // 5, n)
if "weights" in given:
    arrays["sample_weight"] = rng.random(n) + 0.1
if "counts" in given:
    arrays["sample_weight"] = rng.integers(1, 4, n).astype(float)

def boot(rows, **more):
    picked = {name: array[rows] for name, array in arrays.items()}
    return pr.bootstrap(y[rows], s[rows], measure, n_resamples=32, seed=1, **options, **picked,
                        **more)

boot(slice(0, 500))
try:
    boot(slice(None), max_memory=1)
except MemoryError as error:
    allowed = int(re.search(r"max_memory=(\\d+)", str(error))[1])
before = status("VmRSS")
with open("/proc/self/clear_refs", "w") as marks:
    marks.write("5")  # the peak starts again
boot(slice(None), max_memory=allowed)
print(json.dumps([allowed, status("VmHWM") - before]))
"""


def least_and_peak(
    n: int, K: int, dtype: str, measure: str, given: str, **options: Any
) -> tuple[int, int]:
    """Return the bytes that the refusal of a run asks for, and those it takes when it gets them."""
    request = json.dumps([n, K, dtype, measure, given, options])
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, request],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    allowed, peak = json.loads(done.stdout)
    return allowed, peak


linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

CASES: dict[str, tuple[int, int, str, str, str]] = {
    "one column": (3_000_000, 1, "float32", "auc", ""),
    "one column of doubles": (3_000_000, 1, "float64", "auc", ""),
    "mostly one score": (3_000_000, 1, "float64", "auc", "zeros"),
    "weights": (1_500_000, 1, "float32", "auc", "weights"),
    "whole weights": (1_500_000, 1, "float64", "auc", "counts"),
    "groups": (2_000_000, 1, "float32", "auc", "groups"),
    "groups and weights": (1_500_000, 1, "float32", "auc", "groups weights"),
    "columns": (1_000_000, 4, "float64", "hand_till", ""),
    "columns and weights": (1_000_000, 4, "float32", "hand_till", "weights"),
    "columns and groups": (1_000_000, 4, "float32", "one_vs_rest", "groups"),
    "projections": (1_000_000, 4, "float32", "auc_mu", ""),
}


@linux
@pytest.mark.slow
@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize("case", CASES)
def test_no_more_memory_than_allowed(case: str, method: str) -> None:
    allowed, peak = least_and_peak(*CASES[case], method=method)
    assert peak <= allowed + SPARE


@linux
@pytest.mark.slow
def test_no_more_memory_than_allowed_for_a_curve() -> None:
    allowed, peak = least_and_peak(2_000_000, 1, "float32", "average_precision", "")
    assert peak <= allowed + SPARE


@linux
@pytest.mark.slow
@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize("options", [{"stratify": False}, {"scheme": "poisson"}])
def test_no_more_memory_than_allowed_for_random_counts(options: Any, method: str) -> None:
    for case in ("one column of doubles", "columns"):
        allowed, peak = least_and_peak(*CASES[case], method=method, **options)
        assert peak <= allowed + SPARE


def needed(n: int, dtype: Any, **options: Any) -> int:
    """Return the bytes that the refusal of a run of n binary rows asks for."""
    rng = np.random.default_rng(n)
    y = rng.integers(0, 2, n, dtype=np.int8)
    with pytest.raises(MemoryError) as refused:
        pr.bootstrap(y, rng.random(n).astype(dtype), "auc", max_memory=1, **options)
    found = re.search(r"max_memory=(\d+)", str(refused.value))
    assert found
    return int(found[1])


@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize("options", [{}, {"stratify": False}, {"scheme": "poisson"}])
def test_a_row_of_one_column_takes_few_bytes(options: Any, method: str) -> None:
    # What 10^8 rows need follows: 2.4 GB.
    for dtype in (np.float32, np.float64):
        few, many = (needed(n, dtype, method=method, **options) for n in (400_000, 800_000))
        assert many - few <= 24.5 * 400_000


def test_by_default_the_budget_grows_with_the_input(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    y, s = rng.integers(0, 2, 200_000), rng.random(200_000, dtype=np.float32)
    options: dict[str, Any] = {"n_resamples": 64, "seed": 1}
    expected = pr.bootstrap(y, s, "auc", **options)
    monkeypatch.setattr("polyroc._inference.run._DEFAULT_MEMORY", 1)  # as if the input were large
    found = pr.bootstrap(y, s, "auc", **options)
    assert found.replicates.tobytes() == expected.replicates.tobytes()
    for more in ({"groups": y + 2 * np.arange(200_000) // 4}, {"scheme": "bayesian"}):
        pr.bootstrap(y, s, "auc", **options, **more)


REFUSED = """
import resource
import numpy as np
import polyroc as pr

resource.setrlimit(resource.RLIMIT_AS, (4 * 2**30, 4 * 2**30))
rng = np.random.default_rng(0)
y, s = rng.integers(0, 2, 200), rng.random(200)
for call in (
    lambda: pr.bootstrap(y, s, "auc", n_resamples=2**30, seed=1),
    lambda: pr.compare(y, {"a": s, "b": -s}, "auc", method="permutation", n_resamples=2**30),
    lambda: pr.roc_band(y, s, kind="pointwise", n_resamples=2**25, seed=1),
):
    try:
        call()
    except MemoryError as error:
        print(error)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
def test_replicates_beyond_the_memory_there_is_are_refused() -> None:
    """An allocation that fails would end the process, and the session of whoever works in it."""
    done = subprocess.run(
        [sys.executable, "-c", REFUSED], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    message = r"the replicates take \d+ bytes, more than there is memory for; lower n_resamples, .*"
    assert re.fullmatch(f"({message}\n){{3}}", done.stdout)
