"""The bootstrap in children, threads and little memory."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import polyroc as pr
import pytest

from given.fault_calls import FORKED, bits, child, matrix

MIB = 2**20
unix = pytest.mark.skipif(sys.platform == "win32", reason="signals and forks of Unix")
linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


# Processes and threads


FORK = """
import numpy as np
import polyroc as pr

rng = np.random.default_rng(0)
y, scores = rng.integers(0, 4, 20_000), rng.random((20_000, 4))

def work():
    results = pr.bootstrap(y, scores, ["hand_till", "auc_mu"], n_resamples=100, seed=1)
    return [result.replicates.tobytes() for result in results.values()]

"""


@unix
def test_a_forked_child_works() -> None:
    done = child(FORK + FORKED)
    assert done.returncode == 0, done.stderr


# Each worker computes a part of one run; the results come back by pickle and are joined.
POOL = """
import sys
import numpy as np
import polyroc as pr

rng = np.random.default_rng(0)
y, scores = rng.integers(0, 3, 5000), rng.random((5000, 3))
parts = [range(300, 400), range(0, 150), range(150, 300)]

def work(part):
    return pr.bootstrap(
        y, scores, ["auc_mu", "hand_till"], n_resamples=400, seed=1, pairs=True, replicates=part
    )

def check(results):
    joined, whole = pr.BootstrapResult.join(results), work(None)
    for name, result in whole.items():
        for one, other in ((result, joined[name]), (result.pairs, joined[name].pairs)):
            assert one.replicates.tobytes() == other.replicates.tobytes()
            assert one.interval.tobytes() == other.interval.tobytes()

if __name__ == "__main__":
    work(None)  # the parent has used threads before it forks
    if sys.argv[1] == "joblib":
        from joblib import Parallel, delayed

        check(Parallel(n_jobs=2)(delayed(work)(part) for part in parts))
    else:
        import multiprocessing

        with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
            check(pool.map_async(work, parts).get(timeout=40))
"""


@pytest.mark.slow
@pytest.mark.parametrize("way", ["fork", "spawn", "joblib"])
def test_parts_of_a_run_in_processes_join(way: str, tmp_path: Any) -> None:
    if way == "fork" and sys.platform == "win32":
        pytest.skip("there is no fork")
    if way == "joblib":
        pytest.importorskip("joblib")
    script = tmp_path / "parts_of_a_run.py"
    script.write_text(POOL, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script), way], capture_output=True, text=True, timeout=90, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_storm_of_threads_gives_the_same_bits() -> None:
    jobs = [(*matrix(1500 + 100 * (k % 5), 3 + k % 3), k) for k in range(16)]

    def work(job: Any) -> bytes:
        y, scores, seed = job
        measures: Any = ["hand_till", "auc_mu"]
        results = pr.bootstrap(y, scores, measures, n_resamples=150, seed=seed)
        return b"".join(map(bits, results.values()))

    expected = [work(job) for job in jobs]
    for _ in range(2):
        ready = threading.Barrier(16)

        def at_once(job: Any, ready: threading.Barrier = ready) -> bytes:
            ready.wait(timeout=30)
            return work(job)

        with ThreadPoolExecutor(16) as pool:
            assert list(pool.map(at_once, jobs)) == expected


@pytest.mark.parametrize("watched", [False, True])
def test_the_interpreter_is_free_during_work(watched: bool) -> None:
    # Another Python thread keeps counting while the core is busy.
    y, scores = matrix(50_000, 10)
    counted = 0
    over = threading.Event()

    def count() -> None:
        nonlocal counted
        while not over.is_set():
            counted += 1
            time.sleep(0.0005)

    progress: Any = (lambda done, total: None) if watched else False
    other = threading.Thread(target=count)
    other.start()
    try:
        before, start = counted, time.perf_counter()
        pr.bootstrap(y, scores, n_resamples=1500, seed=1, n_threads=1, progress=progress)
        during, elapsed = counted - before, time.perf_counter() - start
    finally:
        over.set()
        other.join()
    assert during >= elapsed / 0.0005 * 0.05


def test_a_run_in_another_thread_works_and_may_be_watched() -> None:
    y, scores = matrix(20_000, 5)
    calls: list[tuple[int, int]] = []
    found: list[Any] = []

    def work() -> None:
        def note(done: int, total: int) -> None:
            calls.append((done, total))

        found.append(pr.bootstrap(y, scores, n_resamples=300, seed=1, progress=note))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(timeout=60)
    assert bits(found[0]) == bits(pr.bootstrap(y, scores, n_resamples=300, seed=1))
    assert calls[-1] == (300, 300)


# Memory


PEAK = """
import sys
import numpy as np
import polyroc as pr

def peak():
    with open("/proc/self/status") as status:
        return 1024 * next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))

n, K, measure, budget, options = map(eval, sys.argv[1:])
rng = np.random.default_rng(0)
y = rng.integers(0, K, n, dtype=np.int32)
P = np.empty((n, K) if K > 2 else n)
for start in range(0, n, 1000):  # in blocks: building the input must not raise the peak
    P[start:start + 1000] = rng.random((min(1000, n - start), *P.shape[1:]))
options = {"n_resamples": 64, "seed": 1, "max_memory": budget, **options}
# A small run comes first, so that threads and code are loaded.
small = np.arange(4 * K) % K
pr.bootstrap(small, rng.random((4 * K, *P.shape[1:])), measure, **options)
before = peak()
pr.bootstrap(y, P, measure, **options)
print((peak() - before) / 2**20)
"""


@pytest.mark.slow
@linux
@pytest.mark.parametrize(
    ("n", "K", "measure", "budget", "options"),
    [
        (2_000_000, 2, "'auc'", 64, {}),
        (2_000_000, 2, "'auc'", 96, {"stratify": False, "method": "percentile"}),
        (20_000, 200, "'hand_till'", 64, {}),
        (20_000, 200, "'auc_mu'", 96, {}),
        (20_000, 200, "pr.OneVsRest('micro')", 64, {"stratify": True}),
        (20_000, 200, "pr.OneVsRest(None)", 64, {"stratify": True}),
        (100_000, 10, "['hand_till', 'auc_mu', 'polar_area']", 32, {}),
        (20_000, 40, "['hand_till', 'auc_mu']", 32, {"pairs": True, "n_resamples": 50}),
        (50_000, 10, "'hand_till'", 16, {"scheme": "bayesian", "n_resamples": 8}),
    ],
)
def test_memory_stays_within_its_limit(
    n: int, K: int, measure: str, budget: int, options: dict[str, Any]
) -> None:
    done = child(PEAK, str(n), str(K), measure, str(budget * MIB), repr(options))
    assert done.returncode == 0, done.stderr
    more = float(done.stdout)
    print(f"n = {n}, K = {K}, {measure}: {more:.0f} MiB of {budget}")
    assert more <= budget + 16
