"""Replicates of segments: weights hang on rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polyroc as pr
import pytest
from polyroc import _core

from pipelines.test_segments import CLASSES, SCORES, evaluated, frame_of


def test_all_rows_are_resampled_as_by_bootstrap() -> None:
    frame = frame_of()
    two = frame[frame.label != "c"]
    for rows, scores, measure, how in (
        (frame, SCORES, "hand_till", "t"),
        (frame, SCORES, "h_measure", "corrected"),
        (two, "p_b", pr.TprAt(fpr=0.2), "percentile"),
    ):
        line = pr.evaluate(
            rows, y_true="label", y_score=scores, measure=measure, interval="bootstrap",
            n_resamples=200, seed=9,
        ).iloc[0]  # fmt: skip
        run = pr.bootstrap(
            rows.label, rows[scores], measure, scheme="poisson", n_resamples=200, seed=9,
            method="percentile",
        )  # fmt: skip
        values = np.asarray(run.replicates)
        assert line.standard_error == pytest.approx(values.std(ddof=1), rel=1e-12)
        assert line.method == f"Poisson bootstrap ({how})"
    assert [line.low, line.high] == pytest.approx(np.quantile(values, [0.025, 0.975]).tolist())


@pytest.mark.parametrize(
    "measure",
    [pr.HandTill(), pr.AucMu(), pr.OneVsRest(), pr.HMeasure(), pr.TprAt(fpr=0.2)],
    ids=repr,
)
def test_segments_and_all_rows_see_the_same_weights(measure: Any) -> None:
    frame, count, columns, labels = frame_of(400), 24, SCORES, CLASSES
    if isinstance(measure, pr.TprAt):
        frame["label"] = np.where(frame.label == "c", "b", frame.label)
        columns, labels = ["p_b"], ["a", "b"]
    weights = _core.resample(
        strata=np.zeros(400, dtype=np.uint32), n_strata=1, scheme=_core.Scheme.Poisson, seed=3,
        first=0, last=count, attempt=0, again=False,
    )  # fmt: skip
    y, scores = frame.label.to_numpy(), np.squeeze(frame[columns].to_numpy())

    def replicates(rows: Any) -> Any:
        return np.array(
            [
                measure(y[rows], scores[rows], labels=labels, sample_weight=weight[rows])
                for weight in weights
            ]
        )

    table = pr.evaluate(
        frame, y_true="label", y_score=columns, by=[(), "country"], measure=measure,
        interval="bootstrap", n_resamples=count, seed=3,
    )  # fmt: skip
    whole = replicates(np.ones(400, dtype=np.bool_))
    assert table.standard_error[0] == pytest.approx(whole.std(ddof=1), rel=1e-9)
    for line in table[table.country.isin(["de", "fr"])].itertuples():
        own = replicates((frame.country == line.country).to_numpy())
        assert line.standard_error == pytest.approx(own.std(ddof=1), rel=1e-9)
        if "percentile" not in line.method:
            continue
        assert line.low == pytest.approx(np.quantile(own, 0.025), rel=1e-9)
        step = 1.959963984540054 * (own - whole).std(ddof=1)
        assert line.difference_high - line.difference == pytest.approx(step, rel=1e-9)


def test_sample_weights_are_multiplied() -> None:
    frame = frame_of(400)
    options: dict[str, Any] = {
        "by": "country", "interval": "bootstrap", "n_resamples": 40, "seed": 2,
    }  # fmt: skip
    plain = evaluated(frame, **options)
    same = evaluated(frame.assign(weight=2.0), sample_weight="weight", **options)
    np.testing.assert_allclose(plain.standard_error, same.standard_error, rtol=1e-9)
    other = evaluated(frame, sample_weight="weight", **options)
    assert (plain.standard_error - other.standard_error).abs().max() > 1e-4


def test_lost_classes_are_counted() -> None:
    frame = frame_of(40)
    frame["label"] = ["a"] * 19 + ["b"] * 19 + ["c"] * 2
    line = evaluated(frame.assign(all=1), by="all", interval="bootstrap", seed=1).iloc[0]
    lost = int(line.status.split()[0])
    assert line.status == f"{lost} of 1000 resamples lost a class"
    assert 90 < lost < 190  # both rows of a class: exp(-2) of them
    assert line.standard_error > 0


def test_measures_without_a_closed_form_need_the_bootstrap() -> None:
    frame = frame_of()
    frame = frame[frame.label != "c"]
    options: dict[str, Any] = {"y_true": "label", "y_score": "p_b", "by": "country"}
    with pytest.raises(ValueError, match='no closed-form error; pass interval="bootstrap"'):
        pr.evaluate(frame, measure="kolmogorov_smirnov", **options)
    table = pr.evaluate(
        frame, measure="kolmogorov_smirnov", interval="bootstrap", n_resamples=50, seed=1, **options
    )
    assert (table.status[:2] == "ok").all()
    assert (table.standard_error[:2] > 0).all()


@pytest.mark.parametrize(
    "measure", [pr.HandTill(), pr.AucMu(), pr.OneVsRest("prevalence")], ids=repr
)
def test_many_rows_go_by_influence_values_and_say_so(measure: Any) -> None:
    frame = frame_of(9000, seed=2)
    options: dict[str, Any] = {
        "by": [(), "country"], "interval": "bootstrap", "n_resamples": 400, "seed": 4,
        "measure": measure,
    }  # fmt: skip
    found = evaluated(frame, **options)
    assert found.method[:2].tolist() == ["Poisson multiplier bootstrap (t)"] * 2
    assert found.method[4] == "Poisson bootstrap (t)"
    # Rows with weights, here all alike, are resampled as they are; the weights drawn are the same.
    drawn = evaluated(frame.assign(weight=1.0), sample_weight="weight", **options)
    assert set(drawn.method) == {"Poisson bootstrap (t)"}
    for name in ("standard_error", "low", "high", "difference_low", "difference_high"):
        one, other = found[name][:3].to_numpy(), drawn[name][:3].to_numpy()
        scale = drawn.standard_error[:3].to_numpy()
        assert np.nanmax(np.abs(one - other) / scale) < 0.06, name


def test_multiplied_replicates_are_nearly_those_of_resamples() -> None:
    frame = frame_of(8000, seed=3)
    codes = frame.label.map({"a": 0, "b": 1, "c": 2}).to_numpy().astype(np.uint32)
    rows = _core.Rows(
        scores=frame[SCORES].to_numpy(), codes=codes, n_classes=3, weights=None, n_threads=1
    )
    options: dict[str, Any] = {
        "rows": rows, "measure": _core.Measure("hand_till"), "stratified": True, "fewest": 4,
        "seed": 7, "count": 300,
    }  # fmt: skip
    estimate, linear, multiplied = _core.row_replicates(multiplies=True, **options)
    same, drawn, walked = _core.row_replicates(multiplies=False, **options)
    assert (multiplied, walked) == (True, False)
    assert estimate == same == pr.hand_till(frame.label, frame[SCORES])
    assert np.corrcoef(linear, drawn)[0, 1] > 0.999
    assert np.abs(linear - drawn).std() < 0.03 * drawn.std()


def separated(frame: Any) -> Any:
    """A frame with a part whose classes are separated without fault."""
    frame["part"] = np.where(np.arange(len(frame)) < 60, "separated", "others")
    apart = frame.part == "separated"
    frame.loc[apart, SCORES] = (frame.label[apart].to_numpy()[:, None] == CLASSES).astype(float)
    return frame


@pytest.mark.parametrize("more", [{}, {"sample_weight": "weight"}, {"groups": "group"}], ids=str)
def test_replicates_that_do_not_spread_have_the_limits_of_the_closed_form(more: Any) -> None:
    frame = separated(frame_of(400)).assign(group=np.arange(400) // 2)
    one = evaluated(frame, by="part", **more).set_index("part").loc["separated"]
    other = evaluated(
        frame, by="part", interval="bootstrap", n_resamples=999, seed=1, **more
    ).set_index("part").loc["separated"]  # fmt: skip
    assert (other.estimate, other.standard_error, other.status) == (1.0, 0.0, "ok")
    assert [other.low, other.high] == pytest.approx([one.low, one.high], rel=1e-12)
    names = ["difference_low", "difference_high"]  # of which the half from all rows is resampled
    assert other[names].tolist() == pytest.approx(one[names].tolist(), abs=5e-3)


def test_replicates_that_do_not_spread_are_no_proof() -> None:
    table = evaluated(
        separated(frame_of(400)), by="part", interval="bootstrap", n_resamples=99, seed=1,
        measure="h_measure",
    )  # fmt: skip
    line = table[table.part == "separated"].iloc[0]
    assert (line.estimate, line.standard_error) == (1.0, 0.0)
    assert line[["low", "high", "difference_low", "difference_high", "p_value"]].isna().all()
    assert line.status == "replicates do not spread: no interval"


KNOWN = [
    "standard_error", "low", "high", "difference_low", "difference_high", "p_value",
]  # fmt: skip


@pytest.mark.parametrize("more", [{}, {"sample_weight": "weight"}, {"groups": "group"}], ids=str)
@pytest.mark.parametrize("measure", [pr.HandTill(), pr.OneVsRest()], ids=repr)
def test_limits_are_nearly_those_of_the_closed_form(measure: Any, more: Any) -> None:
    rng = np.random.default_rng(8)
    y = rng.integers(0, 3, 3000)
    scores = 1.0 / (1.0 + np.exp(-(rng.normal(size=(3000, 3)) + 3.0 * (y[:, None] == range(3)))))
    frame = pd.DataFrame(scores, columns=SCORES).assign(
        label=np.array(CLASSES)[y], part=rng.integers(0, 25, 3000), group=np.arange(3000) // 2,
        weight=rng.uniform(1.0, 2.0, 3000),
    )  # fmt: skip
    options: dict[str, Any] = {"by": [(), "part"], "measure": measure, **more}
    one = evaluated(frame, **options)
    other = evaluated(frame, interval="bootstrap", n_resamples=2000, seed=3, **options)
    assert set(other.method) == {"Poisson bootstrap (t)"}
    error = one.standard_error
    # Errors of 2,000 replicates differ by 1.6 % by chance, and more near 1 in small segments.
    assert (other.standard_error / error).between(0.7, 1.4).all()
    assert (other.standard_error / error).median() == pytest.approx(1.0, abs=0.03)
    for name in KNOWN[1:5]:
        assert (((one[name] - other[name]) / error).abs().dropna() < 0.8).all(), name
        assert ((one[name] - other[name]) / error).abs().median() < 0.12, name
    apart = (other.difference_low > 0.0) | (other.difference_high < 0.0)
    assert (apart == (other.p_value < 0.05)).all()
    assert other.low.min() > 0.0
    assert other.high.max() < 1.0


def test_a_single_resample_says_why_there_is_no_error() -> None:
    table = evaluated(
        frame_of(300), by=[(), "country"], interval="bootstrap", n_resamples=1, seed=1
    )
    few = table.status.str.startswith(("no rows", "one row"))
    assert set(table.status[~few]) == {"a single resample has no spread: no error"}
    assert table.standard_error.isna().all()
