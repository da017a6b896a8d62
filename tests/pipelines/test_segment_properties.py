"""Whatever the rows, keys and ties are: segments are those of a loop, and lose no row."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import polyroc as pr
from hypothesis import given
from hypothesis import strategies as st

from oracle.segments_reference import segment_by_segment

CLASSES = ["a", "b", "c"]
NAMES = ["p_a", "p_b", "p_c"]
MEASURES = st.sampled_from(
    [pr.HandTill(), pr.AucMu(), pr.OneVsRest("prevalence"), pr.HandTill(absent="skip")]
)


@st.composite
def frames(draw: st.DrawFn) -> pl.DataFrame:
    """Return rows with keys that may be null, scores that tie, and all classes somewhere."""
    n = draw(st.integers(12, 60))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    step = draw(st.sampled_from([0.5, 0.1, 1e-9]))
    codes = np.append(np.arange(6) % 3, rng.choice(3, n - 6, p=[0.6, 0.3, 0.1]))
    scores = np.round((rng.random((n, 3)) + np.eye(3)[codes] * rng.random()) / step) * step
    keys = st.lists(st.sampled_from(["x", "y", "z", None]), min_size=n, max_size=n)
    return pl.DataFrame(scores, schema=NAMES).with_columns(
        label=pl.Series(np.array(CLASSES)[codes]),
        key=pl.Series(draw(keys), dtype=pl.String),
        number=pl.Series(rng.integers(0, draw(st.integers(1, 4)), n)),
    )


@given(frames(), MEASURES)
def test_segments_are_those_of_a_loop(frame: pl.DataFrame, measure: Any) -> None:
    by = ["key", "number"]
    table = pr.evaluate(frame, y_true="label", y_score=NAMES, by=by, measure=measure)
    assert table["n"].sum() == len(frame)
    keys = list(frame.select(by).iter_rows())
    assert set(table.select(by).iter_rows()) == set(keys)
    y, scores = frame["label"].to_numpy(), frame.select(NAMES).to_numpy()
    wanted = segment_by_segment(y, scores, keys, measure, CLASSES)
    found = {tuple(line[name] for name in by): line for line in table.iter_rows(named=True)}
    assert {key for key, line in found.items() if line["status"] == "ok"} == set(wanted)
    for key, numbers in wanted.items():
        line = found[key]
        shown = [line[name] for name in ("estimate", "standard_error", "low", "high")]
        np.testing.assert_allclose(shown, numbers, rtol=1e-9, atol=1e-13)


@given(frames(), st.integers(0, 2**32 - 1))
def test_the_order_of_rows_does_not_matter(frame: pl.DataFrame, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(frame))
    options: dict[str, Any] = {"y_true": "label", "y_score": NAMES, "by": [(), "key"]}
    one, other = pr.evaluate(frame, **options), pr.evaluate(frame[order], **options)
    assert one["key"].to_list() == other["key"].to_list()
    assert one["status"].to_list() == other["status"].to_list()
    for name in ("estimate", "standard_error", "low", "difference_high", "p_value"):
        np.testing.assert_allclose(one[name], other[name], rtol=1e-7, atol=1e-10, err_msg=name)


@given(frames())
def test_differences_fit_estimates_and_their_limits(frame: pl.DataFrame) -> None:
    table = pr.evaluate(frame, y_true="label", y_score=NAMES, by=[(), "key"])
    ok = table.filter(pl.col("status") == "ok")[1:]
    np.testing.assert_allclose(ok["difference"], ok["estimate"] - table["estimate"][0])
    assert (ok["difference_low"] <= ok["difference"] + 1e-12).all()
    assert (ok["difference"] <= ok["difference_high"] + 1e-12).all()
    assert ok["p_value"].is_between(0.0, 1.0).all()
    assert (ok["p_adjusted"] >= ok["p_value"]).all()
