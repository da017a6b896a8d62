"""Dask: two worker processes, partitions in any number, a killed worker, rows that are wrong."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polyroc as pr
import pytest

from given.engine_frames import (
    BY,
    CALL,
    LABELS,
    NAMES,
    agree,
    frame_of_rows,
    local_table,
    when_marked,
)

dd = pytest.importorskip("dask.dataframe", reason="Dask is not tested: it is not installed")
distributed = pytest.importorskip(
    "distributed", reason="Dask is not tested: distributed is missing"
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.engine,
    pytest.mark.xdist_group("dask"),
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:no column of y_score is named after a class"),
]
FRAME = frame_of_rows()


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0",
        host="127.0.0.1", silence_logs="CRITICAL",
    )  # fmt: skip
    with cluster, distributed.Client(cluster, set_as_default=True) as client:
        yield client


def shards(frame: pd.DataFrame = FRAME, count: int = 5) -> Any:
    return dd.from_pandas(frame, npartitions=count, sort=False)


@pytest.mark.parametrize("measure", ["hand_till", "one_vs_rest", pr.AucMu(ties="exact")])
def test_the_table_is_that_of_the_local_call(client: Any, measure: Any) -> None:
    options = {"measure": measure, "by": BY, "adjust": "bh"}
    agree(pr.dask.evaluate(shards(), **CALL, **options), local_table(FRAME, **options))


def test_several_measures_and_options(client: Any) -> None:
    options: dict[str, Any] = {"measure": ["hand_till", "one_vs_rest"], "by": ["country", "device"]}
    options |= {"confidence": 0.9, "min_rows": 50, "adjust": None}
    agree(pr.dask.evaluate(shards(), **CALL, **options), local_table(FRAME, **options))


def test_a_binary_column_and_its_positive_label(client: Any) -> None:
    two = FRAME[FRAME["label"].isin(["cat", "dog"])]
    for column, options in (("p_dog", {}), ("p_cat", {"pos_label": "cat"})):
        call: dict[str, Any] = {"y_true": "label", "y_score": column, "measure": "auc", **options}
        agree(pr.dask.evaluate(shards(two), **call), pr.evaluate(two, **call))
    with pytest.raises(ValueError, match=r"^y_score is named 'p_cat', .* pass pos_label='cat'"):
        pr.dask.evaluate(shards(two), y_true="label", y_score="p_cat", measure="auc")


def test_a_bootstrap_has_the_bits_of_any_partitioning(client: Any) -> None:
    options: dict[str, Any] = {"interval": "bootstrap", "n_resamples": 200, "seed": 7, "by": BY}
    by_number = pr.dask.evaluate(shards(count=5), **CALL, **options)
    by_column = pr.dask.evaluate(
        shards(FRAME.sample(frac=1.0, random_state=1), 3), **CALL, **options, row_id="id"
    )
    pd.testing.assert_frame_equal(by_number, by_column, check_exact=True)
    assert set(by_number["method"]) == {"Poisson multiplier bootstrap (t)", ""}
    local = local_table(FRAME, **options)  # resamples rows where there are fewer than a thousand
    ok = (local["n"] > 500).to_numpy()
    for name in ("standard_error", "difference_low", "difference_high"):
        np.testing.assert_allclose(by_number[name][ok], local[name][ok], rtol=0.05, atol=2e-4)


def test_ids_and_groups_may_be_below_0(client: Any) -> None:
    """Hashes are: half of all whole numbers of 64 bits. Groups are, in frames of one machine."""
    houses = FRAME.assign(house=FRAME["house"] - 500)
    found = pr.dask.evaluate(shards(houses), **CALL, groups="house", by="country")
    agree(found, local_table(houses, groups="house", by="country"))
    options: dict[str, Any] = {"interval": "bootstrap", "n_resamples": 20, "seed": 7}
    options["row_id"] = "id"
    below = FRAME.assign(id=-1 - FRAME["id"])
    one = pr.dask.evaluate(shards(below), **CALL, **options)
    other = pr.dask.evaluate(shards(below[::-1], 2), **CALL, **options)
    pd.testing.assert_frame_equal(one, other, check_exact=True)


def test_partitioning_and_order_of_rows_leave_all_bits(client: Any) -> None:
    one = pr.dask.evaluate(shards(count=1), **CALL, by=BY, max_bins=64)
    other = pr.dask.evaluate(shards(FRAME[::-1], 7), **CALL, by=BY, max_bins=64)
    pd.testing.assert_frame_equal(one, other, check_exact=True)
    assert (one["error_bound"][one["estimate"].notna()] > 0).any()
    truth = local_table(FRAME, by=BY)
    assert ((one["estimate"] - truth["estimate"]).abs() <= one["error_bound"]).sum() > 2


def test_one_pass_gives_estimates_alone(client: Any) -> None:
    found = pr.dask.evaluate(shards(), **CALL, interval=None)
    assert found["estimate"].tolist() == local_table(FRAME)["estimate"].tolist()
    assert found["standard_error"].isna().all()


def test_a_killed_worker_changes_no_bit(client: Any, tmp_path: Path) -> None:
    def slow(part: pd.DataFrame, folder: str) -> pd.DataFrame:
        import os
        import time

        open(f"{folder}/{os.getpid()}.pid", "w").close()
        time.sleep(0.15)
        return part

    frame = shards(count=8)
    calm = pr.dask.evaluate(frame, **CALL, by="country")
    before = client.run(os.getpid)
    marked = frame.map_partitions(slow, str(tmp_path), meta=frame)
    with when_marked(tmp_path, lambda process: os.kill(process, signal.SIGKILL)) as killed:
        found = pr.dask.evaluate(marked, **CALL, by="country")
    assert killed[0] in before.values()
    assert killed[0] not in client.run(os.getpid).values()
    pd.testing.assert_frame_equal(found, calm, check_exact=True)


def test_an_interrupted_job_leaves_nothing_behind(client: Any, tmp_path: Path) -> None:
    def endless(part: pd.DataFrame, folder: str) -> pd.DataFrame:
        import os
        import time

        open(f"{folder}/{os.getpid()}.pid", "w").close()
        time.sleep(0.5)
        return part

    frame = shards(count=8)
    marked = frame.map_partitions(endless, str(tmp_path), meta=frame)

    def interrupt(_: int) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt), when_marked(tmp_path, interrupt, again=2.0):
        pr.dask.evaluate(marked, **CALL)
    assert len(client.futures) == 0
    agree(pr.dask.evaluate(frame, **CALL), local_table(FRAME))


@pytest.mark.parametrize(
    ("change", "options", "error", "message"),
    [
        (
            {"p_cat": np.nan},
            {},
            ValueError,
            r"^column 'p_cat' is null in row 110 of partition 3; drop or fill",
        ),
        (
            {"label": None},
            {},
            ValueError,
            r"^column 'label' is null in row 110 of partition 3; drop or label",
        ),
        (
            {"p_dog": 1.5},
            {},
            ValueError,
            r"^column 'p_dog' is 1.5 in row 110 of partition 3, which is no prob",
        ),
        (
            {"label": "zebra"},
            {"labels": LABELS},
            ValueError,
            r"^column 'label' in row 110 of partition 3 is 'zebra'",
        ),
        ({"label": "zebra"}, {}, ValueError, r"zebra"),
        (
            {"weight": -1},
            {"sample_weight": "weight"},
            ValueError,
            r"^column 'weight' is -1.* in row 110 of",
        ),
        (
            {},
            {"y_score": [*NAMES[:3], "country"], "labels": LABELS},
            TypeError,
            r"^column 'country' holds .*string, but scores",
        ),
        (
            {},
            {"y_score": [*NAMES[:3], "p_eels"]},
            ValueError,
            r"no column 'p_eels'; did you mean 'p_eel'",
        ),
        ({}, {"measure": "polar_area"}, ValueError, r"^PolarArea\(\) cannot be counted by shards"),
        ({}, {"measure": pr.HandTill(absent="skip")}, ValueError, r"cannot be counted by shards"),
        ({}, {"interval": "bca"}, ValueError, r"^interval is 'bca'; choose one of"),
        ({}, {"y_true": 3}, TypeError, r"^y_true is a int; with a frame it is the name"),
        ({}, {"random_state": 3}, TypeError, r"it is called seed"),
    ],
)
def test_what_is_wrong_is_told_where_it_is(
    client: Any,
    change: dict[str, Any],
    options: dict[str, Any],
    error: type[Exception],
    message: str,
) -> None:
    frame = FRAME.copy()
    for name, value in change.items():
        frame[name] = frame[name].astype(object)
        frame.loc[1910, name] = value
        if name != "label":
            frame[name] = pd.to_numeric(frame[name])
    with pytest.raises(error, match=message):
        pr.dask.evaluate(shards(frame, 5), **{**CALL, **options})


def test_a_partition_that_changes_between_the_passes_is_noticed(
    client: Any, tmp_path: Path
) -> None:
    def moody(part: pd.DataFrame, folder: str) -> pd.DataFrame:
        import pathlib

        seen = pathlib.Path(folder) / f"{part['id'].iloc[0]}"
        if seen.exists() and part["id"].iloc[0] == 0:
            return part.iloc[1:]
        seen.touch()
        return part

    frame = shards().map_partitions(moody, str(tmp_path), meta=shards())
    with pytest.raises(ValueError, match=r"a shard was read twice or lost"):
        pr.dask.evaluate(frame, **CALL, labels=LABELS)


def test_other_frames_are_told_where_to_go() -> None:
    with pytest.raises(
        TypeError, match=r"^DataFrame is no frame of Spark or Dask; .*polyroc\.evaluate"
    ):
        pr.dask.evaluate(FRAME, **CALL)


def test_batches_within_a_partition_leave_all_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    import dask
    from polyroc._pipelines import engine_passes, engine_rows

    with dask.config.set(scheduler="threads"):
        for options in (
            {"interval": "delong"},
            {"interval": "bootstrap", "n_resamples": 20, "seed": 1},
        ):
            given: dict[str, Any] = {**CALL, "by": BY, **options}
            at_once = pr.dask.evaluate(shards(count=2), **given)
            with monkeypatch.context() as patch:
                patch.setattr(engine_rows, "_SCORES_AT_ONCE", 225)
                patch.setattr(engine_passes, "_MOST_HELD", 20_000)  # tables of a few segments
                split = pr.dask.evaluate(shards(count=2), **given)
            pd.testing.assert_frame_equal(split, at_once, check_exact=True)


def test_the_local_schedulers_do_as_well() -> None:
    import dask

    with dask.config.set(scheduler="threads"):
        agree(pr.dask.evaluate(shards(), **CALL), local_table(FRAME))


SOME_CLASSES = 130


def many_classes() -> Any:
    rng = np.random.default_rng(3)
    scores = rng.random((3 * SOME_CLASSES, SOME_CLASSES))
    names = [f"p_{k}" for k in range(SOME_CLASSES)]
    frame = pd.DataFrame(scores, columns=names)
    frame["label"] = np.arange(len(frame)) % SOME_CLASSES
    call = {"y_true": "label", "y_score": names, "measure": "auc_mu"}
    return frame, call


def untouched(part: pd.DataFrame) -> pd.DataFrame:
    raise AssertionError("a task was started")


@pytest.mark.parametrize("interval", ["delong", "bootstrap"])
def test_a_sample_of_rows_with_errors_is_refused_before_any_task(interval: str) -> None:
    frame, call = many_classes()
    never = shards(frame, 2).map_partitions(untouched, meta=frame)
    match = r"^auc_mu of 130 classes has 8,385 tables.*max_bins=16,006 or fewer, interval=None"
    with pytest.raises(ValueError, match=match):
        pr.dask.evaluate(never, **call, interval=interval)


def test_a_sample_of_rows_goes_by_their_numbers() -> None:
    import dask

    frame, call = many_classes()
    with dask.config.set(scheduler="threads"):
        found = pr.dask.evaluate(shards(frame, 2), **call, interval=None)
    wanted = pr.auc_mu(frame["label"], frame[call["y_score"]], ties="exact")
    assert found["estimate"][0] == pytest.approx(wanted, abs=1e-12)


def test_class_counts_change_no_number(client: Any) -> None:
    counts = FRAME["label"].value_counts()
    options: dict[str, Any] = {"labels": LABELS, "measure": ["hand_till", "one_vs_rest"]}
    one = pr.dask.evaluate(shards(), **CALL, **options)
    for interval in ("delong", "bootstrap"):
        other = pr.dask.evaluate(
            shards(), **CALL, **options, class_counts=counts[LABELS].to_numpy(), seed=1,
            interval=interval,
        )  # fmt: skip
        np.testing.assert_allclose(other["estimate"], one["estimate"], rtol=1e-12)
        away = 1e-9 if interval == "delong" else 0.1
        np.testing.assert_allclose(other["standard_error"], one["standard_error"], rtol=away)
    with pytest.raises(ValueError, match=r"says that class .* more came|but rows of"):
        pr.dask.evaluate(shards(), **CALL, **options, class_counts=[5] * len(LABELS))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"by": "country"}, r"^class_counts are those of all rows, and every segment has others"),
        ({"labels": None}, r"^class_counts is in the order of labels; pass labels= too"),
        ({"sample_weight": "weight"}, r"^class_counts with sample_weight has no second pass"),
        ({"class_counts": [4, 5]}, r"^class_counts has 2 numbers and labels has"),
        ({"measure": "auc_mu"}, r"^class_counts makes no difference to auc_mu"),
    ],
)
def test_class_counts_that_are_of_no_use(options: dict[str, Any], message: str) -> None:
    frame = shards().map_partitions(untouched, meta=FRAME)
    given = {**CALL, "labels": LABELS, "class_counts": [100] * len(LABELS), **options}
    with pytest.raises(ValueError, match=message):
        pr.dask.evaluate(frame, **given)


@pytest.mark.parametrize("interval", ["delong", None])
def test_progress_counts_the_partitions_of_both_passes(client: Any, interval: str | None) -> None:
    import dask

    passes = 1 if interval is None else 2
    for scheduler in (None, "threads"):
        told: list[tuple[int, int | None]] = []

        def note(done: int, total: int | None, told: Any = told) -> None:
            told.append((done, total))

        with dask.config.set(scheduler=scheduler):
            found = pr.dask.evaluate(shards(), **CALL, interval=interval, progress=note)
            quiet = pr.dask.evaluate(shards(), **CALL, interval=interval)
        pd.testing.assert_frame_equal(found, quiet, check_exact=True)
        assert told == sorted(told)
        assert {total for _, total in told} == {5 * passes}
        assert told[-1] == (5 * passes, 5 * passes)


def test_a_class_of_rows_without_weight_is_none_everywhere() -> None:
    import dask

    frame = FRAME.assign(weight=1.0)
    german, french = frame["country"] == "de", frame["country"] == "fr"
    frame.loc[german & (frame["label"] == LABELS[0]), "weight"] = 0.0
    frame.loc[french, "weight"] = 0.0
    options: dict[str, Any] = {"by": "country", "sample_weight": "weight"}
    with dask.config.set(scheduler="threads"):
        found = pr.dask.evaluate(shards(frame), **CALL, **options)
    wanted = local_table(frame, **options)
    agree(found, wanted)
    told = dict(zip(wanted["country"], wanted["status"], strict=True))
    assert told["de"] == f"no rows of ['{LABELS[0]}']"
    assert told["fr"] == "no row weighs more than 0"
    frame.loc[frame["label"] == LABELS[0], "weight"] = 0.0
    options["by"] = BY
    with dask.config.set(scheduler="threads"):
        found = pr.dask.evaluate(shards(frame), **CALL, **options)
    agree(found, local_table(frame, **options))
    assert found["estimate"].isna().all()
