"""Threads change nothing but the time, and neither forks nor callers' threads hang the pool."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import polyroc as pr
import pytest

from given.fault_calls import FORKED, child

COUNTS = (2, 3, 7, None)


def sample(n: int, K: int, dtype: type = np.float64) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng([n, K])
    c = rng.integers(0, K, n)
    P = rng.normal(size=(n, K))
    P[np.arange(n), c] += 1
    P[::7] = P[::7].round(1)  # ties
    return c, P.astype(dtype)


MEASURES: dict[str, Any] = {
    "hand_till": pr.HandTill(),
    "hand_till prevalence": pr.HandTill("prevalence"),
    "auc_mu": pr.AucMu(),
    "auc_mu exact": pr.AucMu(ties="exact"),
    "auc_mu costs": pr.AucMu(partition=1.5 - 1.5 * np.eye(5) + 0.5 * np.tri(5, k=-1)),
    "one_vs_rest": pr.OneVsRest(None),
    "micro": pr.OneVsRest("micro"),
    "polar_area": pr.PolarArea(),
}


@pytest.mark.parametrize("weighted", ["no weights", "whole weights", "real weights"])
@pytest.mark.parametrize("name", MEASURES)
def test_any_number_of_threads_gives_the_same_bits(name: str, weighted: str) -> None:
    rng = np.random.default_rng(1)
    for n in (200, 30_000):
        c, P = sample(n, 5)
        w = {
            "no weights": None,
            "whole weights": rng.integers(0, 9, n),
            "real weights": rng.exponential(size=n),
        }[weighted]
        one = np.asarray(MEASURES[name](c, P, sample_weight=w, n_threads=1))
        for count in COUNTS:
            many = np.asarray(MEASURES[name](c, P, sample_weight=w, n_threads=count))
            assert one.tobytes() == many.tobytes()


@pytest.mark.parametrize("digits", [17, 2, 0])
def test_any_number_of_threads_gives_the_same_auc(digits: int) -> None:
    for n in (1000, 2**18 + 1000):
        c, P = sample(n, 2)
        s = P[:, 1].round(digits)
        for w in (None, np.arange(n) % 5, np.random.default_rng(2).exponential(size=n)):
            values = {pr.auc(c, s, sample_weight=w, n_threads=count) for count in (1, *COUNTS)}
            assert len(values) == 1


@pytest.mark.parametrize("kind", ["hand_till", "conditional", "auc_mu"])
def test_any_number_of_threads_gives_the_same_table(kind: Any) -> None:
    c, P = sample(20_000, 6, np.float32)
    w = np.random.default_rng(3).exponential(size=len(c))
    for weights in (None, w):
        options: dict[str, Any] = {"kind": kind, "sample_weight": weights, "return_ties": True}
        one = pr.pairwise(c, P, n_threads=1, **options)
        for count in COUNTS:
            many = pr.pairwise(c, P, n_threads=count, **options)
            np.testing.assert_array_equal(one, many)


def test_many_python_threads_at_once() -> None:
    jobs = [sample(5_000 + 100 * k, 3 + k % 3) for k in range(24)]
    expected = [(pr.hand_till(c, P, n_threads=1), pr.auc_mu(c, P, n_threads=1)) for c, P in jobs]

    def work(job: tuple[np.ndarray, np.ndarray]) -> tuple[float, float]:
        return pr.hand_till(*job), pr.auc_mu(*job)

    with ThreadPoolExecutor(8) as pool:
        for _ in range(3):
            assert list(pool.map(work, jobs)) == expected


def test_more_threads_than_cores_or_rows() -> None:
    c, P = sample(10, 3)
    assert pr.hand_till(c, P, n_threads=64) == pr.hand_till(c, P, n_threads=1)
    assert pr.auc_mu(c, P, n_threads=int(np.int64(2))) == pr.auc_mu(c, P, n_threads=1)


FORK = """
import numpy as np
import polyroc as pr

rng = np.random.default_rng(0)
c, P = rng.integers(0, 4, 60_000), rng.random((60_000, 4))
s = rng.random(600_000)
y = s + rng.normal(size=600_000) > 0.5

def work():
    return [pr.hand_till(c, P), pr.auc_mu(c, P), pr.auc(y, s), pr.one_vs_rest(c, P),
            pr.hand_till(c, P, n_threads=2)]

"""


def test_a_forked_child_works() -> None:
    done = child(FORK + FORKED, timeout=90)
    assert done.returncode == 0, done.stderr


POOL = """
import multiprocessing as mp
import numpy as np
import polyroc as pr

rng = np.random.default_rng(0)
c, P = rng.integers(0, 3, 30_000), rng.random((30_000, 3))

def work(_):
    return pr.auc_mu(c, P)

if __name__ == "__main__":
    before = work(0)
    with mp.get_context("fork").Pool(2) as pool:
        assert pool.map_async(work, range(4)).get(timeout=30) == [before] * 4
"""


def test_a_process_pool_works() -> None:
    done = subprocess.run(
        [sys.executable, "-c", POOL], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_interpreter_is_free_during_work() -> None:
    # Another Python thread keeps counting while the core is busy.
    c, P = sample(400_000, 5)
    counted = 0
    done = threading.Event()

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.0005)

    other = threading.Thread(target=count)
    other.start()
    try:
        start = time.perf_counter()
        before = counted
        pr.auc_mu(c, P, n_threads=1)
        during, elapsed = counted - before, time.perf_counter() - start
    finally:
        done.set()
        other.join()
    assert during >= elapsed / 0.0005 * 0.05
