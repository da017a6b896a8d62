"""Segments on an engine: weights, groups, and what a segment lacks, against the local call.

Dask's threads stand for any engine: what tasks do is the same on all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import polyroc as pr
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from given.engine_frames import BY, CALL, LABELS, agree, frame_of_rows, local_table

dask = pytest.importorskip("dask", reason="segments on Dask are not tested: it is not installed")
dd = pytest.importorskip("dask.dataframe", reason="segments on Dask are not tested: no pandas")

pytestmark = [
    pytest.mark.engine,
    pytest.mark.filterwarnings("ignore:no column of y_score is named after a class"),
]
FRAME = frame_of_rows(1200, seed=5)
FRAME["real"] = np.random.default_rng(4).gamma(0.7, size=len(FRAME))
MEASURES = ["hand_till", "one_vs_rest", pr.AucMu(ties="exact")]


@pytest.fixture(autouse=True)
def threads() -> Iterator[None]:
    with dask.config.set(scheduler="threads"):
        yield


def table(frame: pd.DataFrame, count: int = 3, **options: Any) -> pd.DataFrame:
    found: pd.DataFrame = pr.dask.evaluate(
        dd.from_pandas(frame, npartitions=count, sort=False), **{**CALL, **options}
    )
    return found


@pytest.mark.parametrize(
    "options",
    [
        {"sample_weight": "weight"},
        {"sample_weight": "real"},
        {"groups": "house"},
        {"groups": "house", "sample_weight": "weight"},
    ],
)
def test_weights_and_groups_have_the_differences_of_the_local_call(options: dict[str, Any]) -> None:
    given: dict[str, Any] = {"by": BY, "measure": MEASURES, "adjust": "bh", **options}
    found, local = table(FRAME, **given), local_table(FRAME, **given)
    known = found["p_value"].notna()
    assert known.sum() >= 3 * 4
    if "real" in options.values():  # weights are rounded to 2^-32, which error_bound has
        pd.testing.assert_frame_equal(
            found.drop(columns="error_bound"), local.drop(columns="error_bound"), rtol=1e-7
        )
        assert ((found["estimate"] - local["estimate"]).abs() <= found["error_bound"])[known].all()
    else:
        agree(found, local, rtol=1e-8)


def test_a_segment_whose_rows_count_alike_beside_rows_that_do_not() -> None:
    frame = FRAME.assign(weight=np.where(FRAME["country"] == "fr", 1.0, FRAME["real"]))
    given: dict[str, Any] = {"by": "country", "measure": MEASURES, "sample_weight": "weight"}
    found, local = table(frame, **given), local_table(frame, **given)
    columns = ["country", "standard_error", "difference_low", "difference_high", "p_value"]
    pd.testing.assert_frame_equal(found[columns], local[columns], rtol=1e-7)


@settings(max_examples=25)
@given(
    seed=st.integers(0, 2**32),
    K=st.sampled_from([2, 3, 5]),
    step=st.sampled_from([0.0, 0.1]),
    how=st.sampled_from(["plain", "weights", "groups", "both"]),
)
def test_any_segments_are_those_of_the_local_call(seed: int, K: int, step: float, how: str) -> None:
    rng, n = np.random.default_rng(seed), 150
    y, P = rng.integers(0, K, n), rng.dirichlet(np.full(K, 0.6), n)
    P = (np.round(P / step) * step).clip(0, 1) if step else P
    names = [f"p_{k}" for k in range(K)]
    frame = pd.DataFrame(P, columns=names).assign(
        y=y, a=rng.integers(0, 4, n), all=1, w=rng.integers(0, 3, n), g=rng.integers(0, 40, n)
    )
    options: dict[str, Any] = {"y_true": "y", "y_score": names, "by": [(), "a", "all"]}
    options["measure"] = MEASURES
    if how in ("weights", "both"):
        options["sample_weight"] = "w"
    if how in ("groups", "both"):
        options["groups"] = "g"
    found, local = table(frame, int(rng.integers(1, 5)), **options), pr.evaluate(frame, **options)
    agree(
        found, local, rtol=1e-7, atol=1e-8
    )  # roots of what rounding leaves where all rows are one


def test_a_segment_without_any_weight_is_listed() -> None:
    frame = FRAME.assign(weight=np.where(FRAME["country"] == "fr", 0, 1))
    found = table(frame, by="country", sample_weight="weight")
    agree(found, local_table(frame, by="country", sample_weight="weight"))
    lacking = found[found["country"] == "fr"].iloc[0]
    assert lacking["n"] == 0
    assert lacking["status"] == "no row weighs more than 0"


@pytest.mark.parametrize("interval", ["delong", "bootstrap"])
def test_a_class_with_one_group_keeps_its_estimate(interval: str) -> None:
    alone = (FRAME["country"] == "fr") & (FRAME["label"] == "cat")
    frame = FRAME.assign(house=np.where(alone, -1, FRAME["house"]) + 1)
    options: dict[str, Any] = {"by": "country", "groups": "house", "interval": interval, "seed": 1}
    found, local = table(frame, **options), local_table(frame, **options)
    for name in ("estimate", "status", "n"):
        pd.testing.assert_series_equal(found[name], local[name])
    line = found[found["country"] == "fr"].iloc[0]
    assert line["status"] == "one group of ['cat']: no error"
    assert np.isnan(line["standard_error"])
    assert not np.isnan(line["estimate"])


@pytest.mark.parametrize("measure", ["auc", "hand_till", pr.AucMu(ties="exact")])
def test_one_column_of_two_classes(measure: Any) -> None:
    two = FRAME[FRAME["label"].isin(["cat", "dog"])]
    call: dict[str, Any] = {"y_true": "label", "y_score": "p_dog", "measure": measure}
    agree(table(two, **call, by="country"), pr.evaluate(two, **call, by="country"))


def test_one_pass_has_no_errors_of_two_classes_either() -> None:
    """A state knows DeLong's error of a binary AUC, of rows without groups and at 95 % alone."""
    two = FRAME[FRAME["label"].isin(["cat", "dog"])]
    call: dict[str, Any] = {"y_true": "label", "y_score": "p_dog", "measure": "auc"}
    found = table(two, **call, interval=None, confidence=0.5, groups="house")
    assert found["estimate"].notna().all()
    assert found[["standard_error", "low", "high"]].isna().all().all()
    assert set(found["method"]) == {""}


@pytest.mark.parametrize("interval", ["delong", "bootstrap"])
@pytest.mark.parametrize("share", [0.0, 0.01, 1.0])
def test_rows_that_came_twice_are_noticed_by_their_ids(interval: str, share: float) -> None:
    options: dict[str, Any] = {"interval": interval, "n_resamples": 20, "seed": 1, "row_id": "id"}
    again = FRAME[: round(share * len(FRAME))]
    frame = pd.concat([FRAME, again], ignore_index=True)
    if share == 0.0:
        assert table(frame, **options)["standard_error"].notna().all()
        return
    with pytest.raises(
        ValueError, match=r"^of 1,200 row ids .* came more than once, one of them 2"
    ):
        table(frame, **options)


def test_an_id_that_all_rows_have_is_none() -> None:
    with pytest.raises(ValueError, match=r"one of them 1,200 times.*pass a column that is unique"):
        table(FRAME.assign(id="x"), row_id="id", interval="bootstrap", n_resamples=20, by="device")


@pytest.mark.parametrize("measure", ["hand_till", "one_vs_rest"])
def test_a_few_rows_without_spread_by_chance_are_no_proof(measure: str) -> None:
    """Each of seven rows moves one column up as far as the other down: DeLong has no error."""
    rng = np.random.default_rng(2)
    rows = pd.DataFrame({"label": rng.integers(0, 2, 200), "country": "all"})
    rows["p_1"] = 100 * (rng.random(200) + 0.5 * rows["label"])
    rows["p_0"] = -rows["p_1"]
    chance = pd.DataFrame({"label": [0, 0, 0, 1, 0, 1, 0], "country": "chance"})
    chance["p_0"] = [10.0, 86.0, -26.0, 142.0, 168.0, 121.0, 199.0]
    chance["p_1"] = [-18.0, -58.0, -56.0, -15.0, 103.0, 21.0, 150.0]
    frame = pd.concat([rows, chance], ignore_index=True)
    call: dict[str, Any] = {"y_true": "label", "y_score": ["p_0", "p_1"], "by": "country"}
    local = pr.evaluate(frame, **call, measure=measure).set_index("country").loc["chance"]
    shards = dd.from_pandas(frame, npartitions=3)
    found = pr.dask.evaluate(shards, **call, measure=measure, key="float")
    there = found.set_index("country").loc["chance"]
    assert (local["estimate"], local["standard_error"], local["method"]) == (0.5, 0.0, "Newcombe")
    assert local["p_value"] > 0.01
    assert local["difference_low"] < -0.25 < local["difference_high"]
    names = ["low", "high", "difference_low", "difference_high", "p_value"]
    assert there[names].tolist() == pytest.approx(local[names].tolist(), rel=1e-9)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (None, r"^every row has the label 'cat'; an AUC compares classes"),
        ("cats", r"^every row of positive weight has the label 'cat'"),
        ("none", r"^sample_weight is zero in every row"),
    ],
)
def test_rows_of_one_class_are_refused_as_in_the_local_call(
    weights: str | None, message: str
) -> None:
    """Labels that are named, or rows without weight, let the first pass go well."""
    cat = FRAME["label"] == "cat"
    frame = FRAME.assign(cats=1.0 * cat, none=0.0)
    frame = frame if weights else frame[cat]
    options: dict[str, Any] = {"labels": LABELS, "sample_weight": weights, "by": "country"}
    for evaluate in (table, local_table):
        with pytest.raises(ValueError, match=message):
            evaluate(frame, **options)
