"""Thresholds that are chosen on the rows of a segment flatter it, the more the fewer it has."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polyroc as pr
import pytest

CHOOSING = ["h_measure", "hull_area", "kolmogorov_smirnov"]


def alike(seed: int, classes: int = 2) -> pd.DataFrame:
    """Forty segments of 50 rows a class or so beside a large one, all of one distribution."""
    rng = np.random.default_rng(seed)
    part = np.r_[np.repeat(np.arange(40), 25 * classes), np.full(6000, 40)]
    y = rng.integers(0, classes, len(part))
    scores = rng.normal(size=(len(part), classes)) + (y[:, np.newaxis] == np.arange(classes))
    return pd.DataFrame(scores, columns=[str(k) for k in range(classes)]).assign(y=y, part=part)


def table_of(frame: pd.DataFrame, measure: Any, **options: Any) -> pd.DataFrame:
    columns = [name for name in frame if name not in ("y", "part", "weight", "patient")]
    found: pd.DataFrame = pr.evaluate(
        frame, y_true="y", y_score=columns if len(columns) > 2 else columns[1], measure=measure,
        interval="bootstrap", n_resamples=300, seed=1, **options,
    )  # fmt: skip
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("measure", "classes"), [*((m, 2) for m in CHOOSING), ("h_measure", 3)])
def test_small_segments_that_do_not_differ_are_told_so(measure: str, classes: int) -> None:
    tables = [table_of(alike(seed, classes), measure, by="part") for seed in (1, 2)]
    small = pd.concat([table[table.part < 40] for table in tables])
    truth = np.mean([table[table.part == 40].estimate.iloc[0] for table in tables])
    assert small.difference.mean() > 0.04  # they look better
    assert (small.method == "Poisson bootstrap (corrected)").all()
    assert (small.p_value < 0.05).mean() <= 0.1  # 0.2 to 0.3 of estimates that are believed
    assert ((small.low <= truth) & (truth <= small.high)).mean() >= 0.9  # 0.5 to 0.7 of percentiles
    assert ((small.difference_low <= 0) & (small.difference_high >= 0)).mean() >= 0.9


@pytest.mark.parametrize("measure", CHOOSING)
def test_a_segment_that_does_differ_is_found(measure: str) -> None:
    frame = alike(3)
    worse = frame.part < 12
    frame.loc[worse, "1"] = np.random.default_rng(4).normal(size=int(worse.sum()))
    frame["part"] = np.where(worse, "worse", "other")
    line = table_of(frame, measure, by="part").set_index("part").loc["worse"]
    assert line.p_value < 1e-4
    assert line.difference < line.difference_high < 0


def test_limits_of_all_rows_are_near_those_of_the_local_bootstrap() -> None:
    frame = alike(5).iloc[:300]
    line = table_of(frame, "kolmogorov_smirnov").iloc[0]
    run = pr.bootstrap(
        frame.y, frame["1"], "kolmogorov_smirnov", scheme="poisson", n_resamples=300, seed=1
    )
    assert run.method == "corrected"
    assert [line.low, line.high] == pytest.approx(run.interval.tolist(), abs=0.01)
    assert np.isnan(line.difference_low)


def test_intervals_and_p_values_agree() -> None:
    frame = alike(6)
    for level in (0.5, 0.9):
        table = table_of(frame, "kolmogorov_smirnov", by="part", confidence=level)
        outside = (table.difference_low > 0) | (table.difference_high < 0)
        np.testing.assert_array_equal(outside, table.p_value < 1.0 - level)


def test_weights_groups_and_a_segment_of_all_rows() -> None:
    frame = alike(7).iloc[:600].assign(part="all")
    options = {"sample_weight": "weight", "groups": "patient"}
    given = frame.assign(weight=1.0, patient=np.arange(600))
    for table in (
        table_of(frame, "h_measure", by="part"),
        table_of(given, "h_measure", by="part", **options),
    ):
        line = table.iloc[0]
        assert (line.difference, line.difference_low, line.difference_high) == (0.0, 0.0, 0.0)
        assert line.p_value == 1.0
        assert line.method == "Poisson bootstrap (corrected)"
    lines = [
        table_of(one, "h_measure", by=[()], **more).iloc[0]
        for one, more in ((frame, {}), (given, options))
    ]
    assert lines[0][["low", "high"]].tolist() == pytest.approx(lines[1][["low", "high"]].tolist())
