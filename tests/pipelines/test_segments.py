"""Segments against a loop over `delong`, and what is said of those without a number."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import polyroc as pr
import pytest
from polyroc._pipelines.frame_columns import first_rows

from oracle.segments_reference import resampled_differences, segment_by_segment

CLASSES = ["a", "b", "c"]
SCORES = ["p_a", "p_b", "p_c"]
COLUMNS = [
    "by", "measure", "n", "n_a", "n_b", "n_c", "estimate", "standard_error", "low", "high",
    "difference", "difference_low", "difference_high", "p_value", "p_adjusted", "pairs_used",
    "status", "method", "error_bound",
]  # fmt: skip


def frame_of(n: int = 900, seed: int = 0, step: float = 0.01) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    codes = rng.choice(3, n, p=[0.5, 0.3, 0.2])
    scores = rng.normal(size=(n, 3))
    scores[np.arange(n), codes] += 1.0
    scores = np.round(scores / step) * step  # some ties
    country = rng.choice(["de", "fr", "us", "za"], n, p=[0.6, 0.3, 0.08, 0.02])
    return pd.DataFrame(scores, columns=SCORES).assign(
        label=np.array(CLASSES)[codes],
        country=country,
        device=rng.integers(0, 12, n),
        weight=rng.integers(1, 4, n) / 2.0,
    )


def evaluated(frame: Any, **options: Any) -> Any:
    return pr.evaluate(frame, y_true="label", y_score=SCORES, **options)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "measure",
    [
        "hand_till", "auc_mu", "one_vs_rest", "polar_area", pr.HandTill("prevalence"),
        pr.OneVsRest("prevalence"), pr.OneVsRest("micro"), pr.AucMu(ties="exact"),
        pr.HandTill(absent="skip"), "average_precision",
    ],
    ids=repr,
)  # fmt: skip
def test_segments_are_those_of_a_loop(measure: Any, weighted: bool) -> None:
    frame = frame_of()
    weights = {"sample_weight": frame.weight.to_numpy()} if weighted else {}
    keys = list(zip(frame.country, frame.device, strict=True))
    wanted = segment_by_segment(
        frame.label.to_numpy(), frame[SCORES].to_numpy(), keys, measure, CLASSES, **weights
    )
    table = evaluated(
        frame, measure=measure, by=["country", "device"],
        sample_weight="weight" if weighted else None,
    )  # fmt: skip
    ok = table[table.status == "ok"]
    assert len(ok) == len(wanted) > 15
    for line in ok.itertuples():
        found = (line.estimate, line.standard_error, line.low, line.high)
        np.testing.assert_allclose(found, wanted[line.country, line.device], rtol=1e-10, atol=1e-14)


def test_two_classes_and_one_column() -> None:
    frame = frame_of()
    frame = frame[frame.label != "c"]
    table = pr.evaluate(frame, y_true="label", y_score="p_b", by="country", measure="auc")
    wanted = segment_by_segment(
        frame.label.to_numpy(), frame.p_b.to_numpy(), list(frame.country), "auc", ["a", "b"]
    )
    for line in table[table.status == "ok"].itertuples():
        found = (line.estimate, line.standard_error, line.low, line.high)
        np.testing.assert_allclose(found, wanted[line.country], rtol=1e-10)


def test_perfect_and_constant_segments_have_limits() -> None:
    frame = frame_of(300)
    frame["kind"] = np.arange(300) % 3
    perfect, constant = frame.kind == 1, frame.kind == 2
    for name, label in zip(SCORES, CLASSES, strict=True):
        frame.loc[perfect, name] = (frame.label == label).astype(float)
    frame.loc[constant, SCORES] = 0.5
    table = evaluated(frame, by="kind")
    wanted = segment_by_segment(
        frame.label.to_numpy(), frame[SCORES].to_numpy(), frame.kind.tolist(), "hand_till", CLASSES
    )
    for line in table.itertuples():
        found = (line.estimate, line.standard_error, line.low, line.high)
        np.testing.assert_allclose(found, wanted[line.kind], rtol=1e-10)
        assert 0.0 <= line.p_value <= 1.0
        assert line.difference_low <= line.difference <= line.difference_high
    assert table.estimate.tolist()[1:] == [1.0, 0.5]


def test_the_table() -> None:
    frame = frame_of()
    by = [(), "country", ("country", "device")]
    table = evaluated(frame, by=by, measure=["hand_till", "one_vs_rest"])
    assert list(table.columns) == ["country", "device", *COLUMNS]
    assert table.measure.unique().tolist() == ["hand_till", "one_vs_rest"]
    first = table[table.measure == "hand_till"]
    assert first.by.unique().tolist() == ["", "country", "country, device"]
    for part in by:
        lines = first[first.by == (part if isinstance(part, str) else ", ".join(part))]
        assert lines.n.sum() == len(frame)
        assert (lines[["n_a", "n_b", "n_c"]].sum(axis=1) == lines.n).all()
    everything = first.iloc[0]
    one = pr.delong(frame.label, frame[SCORES], "hand_till")
    assert everything.estimate == one.estimate
    assert np.isnan([everything.difference, everything.p_value, everything.p_adjusted]).all()
    assert pd.isna(everything.country)
    assert (first.error_bound == 0.0).all()
    by_country = first[first.by == "country"]
    assert by_country.country.tolist() == ["de", "fr", "us", "za"]
    np.testing.assert_allclose(by_country.difference, by_country.estimate - one.estimate)


def test_p_values_are_adjusted_measure_by_measure() -> None:
    frame = frame_of()
    tables = {how: evaluated(frame, by=["device"], adjust=how) for how in ("holm", "bh", None)}
    p = tables[None].p_value.to_numpy()
    assert (tables[None].p_adjusted == p).all()
    order = np.argsort(p)
    q = len(p)
    holm = np.minimum(np.maximum.accumulate(p[order] * (q - np.arange(q))), 1.0)
    bh = [min(p[order][j] * q / (j + 1) for j in range(k, q)) for k in range(q)]
    np.testing.assert_allclose(tables["holm"].p_adjusted.to_numpy()[order], holm)
    np.testing.assert_allclose(tables["bh"].p_adjusted.to_numpy()[order], np.minimum(bh, 1.0))
    both = evaluated(frame, by=["device"], measure=["hand_till", "auc_mu"])
    assert both.p_adjusted[:q].tolist() == tables["holm"].p_adjusted.tolist()


def test_what_segments_lack_is_said() -> None:
    frame = frame_of(60)
    frame["part"] = ["one"] * 20 + ["no c"] * 20 + ["few"] * 3 + [None] * 17
    frame.loc[:19, "label"] = ["a"] * 10 + ["b"] * 9 + ["c"]
    frame.loc[20:39, "label"] = ["a", "b"] * 10
    frame.loc[40:59, "label"] = (CLASSES * 7)[:20]
    table = evaluated(frame, by="part", min_rows=5).set_index("part")
    assert table.index.tolist()[:3] == ["few", "no c", "one"]
    assert table.status.tolist() == [
        "fewer than 5 rows", "no rows of ['c']", "one row of ['c']: no error", "ok",
    ]  # fmt: skip
    assert table.pairs_used.tolist() == [0, 0, 3, 3]
    rows = frame[frame.part == "one"]
    assert table.estimate["one"] == pr.hand_till(rows.label, rows[SCORES])
    numbers = table[["standard_error", "low", "high", "p_value"]]
    assert numbers.iloc[:3].isna().all(axis=None)
    assert numbers.iloc[3].notna().all()
    assert table.n.tolist() == [3, 20, 20, 17]
    skipped = evaluated(frame, by="part", measure=pr.HandTill(absent="skip")).set_index("part")
    rows = frame[frame.part == "no c"]
    one = pr.delong(rows.label, rows[SCORES], pr.HandTill(absent="skip"), labels=CLASSES)
    assert skipped.estimate["no c"] == one.estimate
    assert skipped.pairs_used["no c"] == 1


@pytest.mark.parametrize("measure", [pr.HandTill(), pr.OneVsRest()], ids=repr)
@pytest.mark.parametrize("share", [0.3, 0.9])
@pytest.mark.slow
def test_differences_spread_as_those_of_resamples(measure: Any, share: float) -> None:
    frame = frame_of(500, seed=4)
    rows = np.random.default_rng(1).random(500) < share
    frame["inside"] = rows
    y, scores = frame.label.to_numpy(), frame[SCORES].to_numpy()
    drawn = resampled_differences(y, scores, rows, measure, CLASSES, 1500, 2)
    for interval in ("delong", "bootstrap"):
        table = evaluated(frame, by="inside", measure=measure, interval=interval, seed=5)
        line = table[table.inside].iloc[0]
        width = (line.difference_high - line.difference_low) / (2 * 1.96)
        assert width == pytest.approx(drawn.std(), rel=0.12)


def test_a_segment_of_all_rows_does_not_differ() -> None:
    frame = frame_of().assign(same=1)
    line = evaluated(frame, by="same").iloc[0]
    assert (line.difference, line.difference_low, line.difference_high) == (0.0, 0.0, 0.0)
    assert line.p_value == 1.0


def test_differences_are_turned_with_the_scores() -> None:
    frame = frame_of()
    frame = frame[frame.label != "c"]
    options: dict[str, Any] = {"y_true": "label", "by": "device", "measure": "auc"}
    up = pr.evaluate(frame, y_score="p_b", **options)
    down = pr.evaluate(frame.assign(p_b=-frame.p_b), y_score="p_b", **options)
    np.testing.assert_allclose(up.difference_low, -down.difference_high, rtol=1e-9)
    np.testing.assert_allclose(up.p_value, down.p_value, rtol=1e-6)


def test_threads_change_nothing() -> None:
    frame = frame_of(3000)
    for interval in ("delong", "bootstrap"):
        options: dict[str, Any] = {"by": "device", "interval": interval, "seed": 1}
        one = evaluated(frame, n_threads=1, n_resamples=50, **options)
        pd.testing.assert_frame_equal(
            one, evaluated(frame, n_threads=3, n_resamples=50, **options), check_exact=True
        )


@pytest.mark.slow
@pytest.mark.parametrize("text", [False, True])
def test_a_million_keys(text: bool) -> None:
    n = 1_000_000
    rng = np.random.default_rng(0)
    keys = rng.permutation(n)
    frame = pl.DataFrame({"y": rng.integers(0, 2, n), "s": rng.random(n), "id": keys})
    if text:
        frame = frame.cast({"id": pl.String})
    table = pr.evaluate(frame, y_true="y", y_score="s", by="id", measure="auc")
    assert len(table) == n
    assert table["estimate"].is_nan().all()
    assert set(table["status"]) == {"no rows of [0]", "no rows of [1]"}
    ids = table["id"].to_list()
    assert ids == sorted(map(str, range(n)) if text else range(n))


def test_small_segments_beside_a_large_one() -> None:
    n = 30_000
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, n)
    part = np.where(rng.random(n) < 0.5, -1, np.arange(n) // 20)
    frame = pd.DataFrame({"y": codes, "s": codes + rng.normal(size=n), "part": part})
    table = pr.evaluate(frame, y_true="y", y_score="s", by="part", measure="auc", n_threads=2)
    assert table.n.sum() == n
    for k in (0, 1, 700):  # the large one, and two of some ten rows each
        rows = frame[frame.part == table.part[k]]
        if table.status[k] == "ok":
            one = pr.delong(rows.y, rows.s, "auc")
            assert table.estimate[k] == one.estimate
            assert table.standard_error[k] == pytest.approx(one.standard_error, rel=1e-10)
    assert (table.status == "ok").sum() > 1000


def test_segments_of_all_rows_are_seldom_said_to_differ() -> None:
    """Near 1 the half row that knows nothing once made a segment look like all rows, but lower."""
    rng, rejected, lines = np.random.default_rng(5), 0, 0
    for _ in range(30):
        y = np.arange(400) % 2
        frame = pd.DataFrame(
            {"y": y, "s": rng.normal(size=400) + 2.5 * y, "g": rng.integers(0, 8, 400)}
        )
        table = pr.evaluate(frame, y_true="y", y_score="s", by="g", measure="auc")
        rejected += int((table.p_value < 0.05).sum())
        lines += len(table)
    assert rejected <= 0.06 * lines


def test_a_segment_without_weight_says_so() -> None:
    frame = frame_of(300)
    frame["weight"] = np.where(frame.country == "fr", 0.0, 1.0)
    table = evaluated(frame, by="country", sample_weight="weight").set_index("country")
    assert table.status["fr"] == "no row weighs more than 0"
    assert np.isnan(table.estimate["fr"])


@pytest.mark.parametrize(
    ("name", "way"),
    [("absent", r"pr.HandTill\(absent=\"skip\"\)"), ("stratify", "fix no class count")],
)
def test_what_is_for_arrays_alone_says_the_way_out(name: str, way: str) -> None:
    with pytest.raises(TypeError, match=f"evaluate got {name}, which is for arrays; .*{way}"):
        evaluated(frame_of(50), **{name: "skip"})


def test_first_rows_are_those_of_every_number_however_late_it_comes() -> None:
    rng = np.random.default_rng(5)
    codes = np.append(rng.integers(-1, 40, 70_000), [41, 40, 41, -1, 40])  # past the first block
    rows = np.flatnonzero(codes >= 0)
    found, at = np.unique(codes[rows], return_index=True)
    assert first_rows(codes, len(found)).tolist() == rows[at].tolist()
    found, at = np.unique(codes + 1, return_index=True)
    assert first_rows((codes + 1).astype(np.uint32), len(found)).tolist() == at.tolist()
    assert first_rows(codes[:0], 0).tolist() == []
