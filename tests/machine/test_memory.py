"""Peak memory beyond the input: at most twice the input's size plus 16 MiB, for every measure.

Measured in a child process, as the growth of its peak resident set over what it held before the
call. A small call comes first, so that threads and code are loaded.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

SCRIPT = """
import resource, sys
import numpy as np
import polyroc as pr

def peak():
    try:
        with open("/proc/self/status") as status:
            return 1024 * next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    except OSError:
        unit = 1 if sys.platform == "darwin" else 1024
        return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

n, K, dtype = {n}, {K}, np.{dtype}
rng = np.random.default_rng(0)
y = rng.integers(0, K, n, dtype=np.{labels})
y[:K] = np.arange(K)
if {turns}:
    for start in range(K):
        y[start::K] = start
P = np.empty((n, K), dtype=dtype, order={order!r})
for start in range(0, n, 1000):  # in blocks: building the input must not raise the peak
    P[start:start + 1000] = rng.random((min(1000, n - start), K), dtype=np.float32)
if {coarse}:
    for start in range(0, n, 1000):
        P[start:start + 1000] = np.round(P[start:start + 1000], 2)
if {turns}:
    P[:, 1] += 2 * y  # classes apart
if K == 2:
    P = P[:, 1].copy() if {order!r} == "C" else P[:, 1]
w = None if not {weighted} else rng.random(n)
w = w if not {whole} else rng.integers(1, 4, n).astype(float)
small = np.arange(4 * K) % K
for m in ({call},):
    m(small, rng.random((4 * K, *P.shape[1:])).astype(dtype), None)
try:
    open("/proc/self/clear_refs", "w").write("5")  # building the input left no room to spare
except OSError:
    pass
size = P.nbytes + y.nbytes + (0 if w is None else w.nbytes)
before = peak()
{call}(y, P, w)
print((peak() - before) / 2**20, size / 2**20)
"""

MEASURES = {
    "hand_till": "lambda y, p, w: pr.hand_till(y, p, sample_weight=w)",
    "auc_mu": "lambda y, p, w: pr.auc_mu(y, p, sample_weight=w)",
    "one_vs_rest": "lambda y, p, w: pr.one_vs_rest(y, p, sample_weight=w)",
    "micro": 'lambda y, p, w: pr.one_vs_rest(y, p, average="micro", sample_weight=w)',
    "polar_area": "lambda y, p, w: pr.polar_area(y, p, sample_weight=w)",
    "conditional": 'lambda y, p, w: pr.pairwise(y, p, kind="conditional", sample_weight=w)',
    "separation": 'lambda y, p, w: pr.pairwise(y, p, kind="auc_mu", sample_weight=w)',
    "costs": "lambda y, p, w: pr.auc_mu(y, p, partition=2 - 2 * np.eye(p.shape[1]) "
    "+ np.tri(p.shape[1], k=-1), sample_weight=w)",
}


def beyond(call: str, n: int, K: int, **options: object) -> tuple[float, float]:
    """MiB beyond the input, and MiB of input."""
    defaults: dict[str, object] = {"dtype": "float64", "order": "C", "labels": "int32"}
    defaults |= {"coarse": False, "weighted": False, "whole": False, "turns": False}
    values = {**defaults, **options, "call": f"({call})", "n": n, "K": K}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(**values)],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    more, size = map(float, done.stdout.split())
    return more, size


@pytest.mark.parametrize("name", MEASURES)
def test_many_rows(name: str) -> None:
    more, size = beyond(MEASURES[name], n=500_000, K=10)
    assert more <= 2 * size + 16


@pytest.mark.parametrize("name", ["hand_till", "auc_mu", "micro"])
def test_many_rows_of_float32_with_weights(name: str) -> None:
    more, size = beyond(MEASURES[name], n=500_000, K=10, dtype="float32", weighted=True)
    assert more <= 2 * size + 16


@pytest.mark.parametrize("name", ["hand_till", "auc_mu", "conditional", "separation"])
def test_many_classes(name: str) -> None:
    more, size = beyond(MEASURES[name], n=10_000, K=500, dtype="float32")
    assert more <= 2 * size + 16


@pytest.mark.parametrize("coarse", [False, True])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_binary(dtype: str, coarse: bool) -> None:
    call = "lambda y, p, w: pr.auc(y, p, sample_weight=w)"
    more, size = beyond(call, n=8_000_000, K=2, dtype=dtype, coarse=coarse)
    assert more <= 2 * size + 16


def test_binary_whose_classes_come_in_turns_and_lie_apart() -> None:
    call = "lambda y, p, w: pr.auc(y, p, sample_weight=w)"
    more, size = beyond(call, n=8_000_000, K=2, dtype="float32", labels="int8", turns=True)
    assert more <= 2 * size + 16


@pytest.mark.parametrize("call", [
    "lambda y, p, w: pr.auc(y, p, sample_weight=w)",
    "lambda y, p, w: pr.auc(y, p, sample_weight=w, max_fpr=0.1)",
])  # fmt: skip
def test_binary_with_weights(call: str) -> None:
    more, size = beyond(call, n=2_000_000, K=2, weighted=True)
    assert more <= 2 * size + 16
    more, size = beyond(call, n=2_000_000, K=2, order="F")
    assert more <= 2 * size + 16


STEPPED = {
    "max_fpr": "lambda y, p, w: pr.auc(y, p, sample_weight=w, max_fpr=0.1)",
    "kolmogorov_smirnov": "lambda y, p, w: pr.kolmogorov_smirnov(y, p, sample_weight=w)",
    "average_precision": "lambda y, p, w: pr.average_precision(y, p, sample_weight=w)",
}


@pytest.mark.parametrize(("n", "coarse"), [(4_000_000, 0), (16_000_000, 0), (16_000_000, 1)])
@pytest.mark.parametrize("name", STEPPED)
def test_binary_curves(name: str, n: int, coarse: int) -> None:
    more, size = beyond(STEPPED[name], n, 2, dtype="float32", coarse=bool(coarse), labels="int8")
    assert more <= 2 * size + 16


@pytest.mark.parametrize("name", STEPPED)
def test_binary_curves_with_whole_weights(name: str) -> None:
    more, size = beyond(STEPPED[name], 4_000_000, 2, dtype="float32", labels="int8", whole=True)
    assert more <= 2 * size + 16


@pytest.mark.parametrize("labels", ["int8", "int64"])
def test_closed_form_errors_of_an_auc(labels: str) -> None:
    call = 'lambda y, p, w: pr.delong(y, p, "auc", sample_weight=w)'
    more, size = beyond(call, n=8_000_000, K=2, labels=labels)
    assert more <= 3 * size + 16
