"""The metric of training loops: batches, processes, and what it does without PyTorch."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import polyroc as pr
import pytest

from given.shards import softmax_rows

ROWS = softmax_rows(600, 4, "moderate", seed=2)
torch_installed = find_spec("torch") is not None
with_torch = pytest.mark.skipif(
    not torch_installed, reason="sync of one process is not tested: torch is not installed"
)
# What a Python must do here: torch reads arrays of numpy, and polyroc's core loads.
ASKED = """
import numpy, torch, torch.distributed, given.shards, polyroc._core
torch.tensor(numpy.arange(2))
"""


def python_with_torch(folder: Path) -> tuple[str, dict[str, str]] | None:
    """Return a Python that has torch and can import polyroc, and its environment.

    It is this one, or else the system's: Debian has a torch of some hundred megabytes, where that
    of the registry brings gigabytes.  That one finds polyroc in the folder, by itself: its torch
    fits its own numpy, not the one that is installed beside polyroc.
    """
    if torch_installed:
        return sys.executable, {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    (folder / "polyroc").symlink_to(Path(pr.__file__).parent)
    found_in = [str(folder), str(Path(__file__).parents[1])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(found_in)}
    asked = ["/usr/bin/python3", "-c", ASKED]
    try:
        found = subprocess.run(asked, env=environment, capture_output=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return (asked[0], environment) if found.returncode == 0 else None


def test_the_value_is_that_of_all_rows_not_a_mean_over_batches() -> None:
    metric = pr.torch.Metric(4, ["hand_till", "auc_mu"])
    for start in range(0, 600, 50):
        metric.update(ROWS.y[start : start + 50], ROWS.P[start : start + 50])
    found = metric.compute()
    assert found["hand_till"].estimate == pr.hand_till(ROWS.y, ROWS.P)
    whole = pr.State(range(4), ["hand_till", "auc_mu"]).update(ROWS.y, ROWS.P)
    assert metric.state == whole


def test_labels_may_be_named_and_rows_weighed() -> None:
    names = np.array(["a", "b", "c", "d"])
    metric = pr.torch.Metric(names, "one_vs_rest")
    weights = np.arange(600) % 3
    metric.update(names[ROWS.y], ROWS.P, sample_weight=weights)
    truth = pr.one_vs_rest(ROWS.y, ROWS.P, sample_weight=weights)
    assert metric.compute()["one_vs_rest"].estimate == pytest.approx(truth, abs=1e-12)


def test_reset_forgets_all_rows() -> None:
    metric = pr.torch.Metric(4)
    metric.update(ROWS.y, ROWS.P)
    assert "600 rows" in repr(metric)
    metric.reset()
    assert metric.state.n == 0
    metric.update(ROWS.y[:300], ROWS.P[:300])
    assert metric.compute()["hand_till"].estimate == pr.hand_till(ROWS.y[:300], ROWS.P[:300])


def test_a_bad_batch_leaves_the_metric_as_it_was() -> None:
    metric = pr.torch.Metric(4)
    metric.update(ROWS.y, ROWS.P)
    before = metric.state.to_bytes()
    with pytest.raises(ValueError, match=r"y_true\[0\] is 7, which is not in labels"):
        metric.update([7, 1], ROWS.P[:2])
    assert metric.state.to_bytes() == before


@pytest.mark.skipif(torch_installed, reason="torch is installed")
def test_sync_without_torch_names_the_extra() -> None:
    with pytest.raises(
        ModuleNotFoundError, match=r'sync needs PyTorch: pip install "polyroc\[torch\]"'
    ):
        pr.torch.Metric(4).sync()


# Runs as two processes; each prints its value before and after they have met.
PROCESS = """
import sys
import torch
import torch.distributed as distributed
import polyroc as pr
from given.shards import softmax_rows

rank, port = int(sys.argv[1]), int(sys.argv[2])
store = distributed.TCPStore("127.0.0.1", port, 2, rank == 0)
distributed.init_process_group("gloo", store=store, rank=rank, world_size=2)
rows = softmax_rows(600, 4, "moderate", seed=2)
metric = pr.torch.Metric(4)
mine = slice(0, 200) if rank == 0 else slice(200, 600)
metric.update(torch.tensor(rows.y[mine]), torch.tensor(rows.P[mine], requires_grad=True))
own = metric.state.n
metric.sync()
metric.sync()  # gathers what each has by itself, not what was gathered
print(own, metric.state.n, metric.compute()["hand_till"].estimate.hex())
metric.update(torch.tensor([0]), torch.tensor([[0.5, 0.5, 0.0, 0.0]], dtype=torch.bfloat16))
print(metric.state.n)
distributed.destroy_process_group()
"""


@pytest.mark.slow
@pytest.mark.engine
def test_processes_meet_over_gloo(tmp_path: Path) -> None:
    known = python_with_torch(tmp_path)
    if known is None:
        pytest.skip("sync over processes is not tested: torch is not installed")
    python, environment = known
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    processes = [
        subprocess.Popen(
            [python, "-c", PROCESS, str(rank), str(port)],
            stdout=subprocess.PIPE, text=True, env=environment,
        )
        for rank in range(2)
    ]  # fmt: skip
    said = [process.communicate(timeout=120)[0].split() for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    truth = pr.hand_till(ROWS.y, ROWS.P).hex()
    assert said == [["200", "600", truth, "201"], ["400", "600", truth, "401"]]


@with_torch
def test_without_process_group_there_is_one_process() -> None:
    metric = pr.torch.Metric(4)
    metric.update(ROWS.y, ROWS.P)
    metric.sync()
    assert metric.compute()["hand_till"].estimate == pr.hand_till(ROWS.y, ROWS.P)
