"""Every measure in segments, by both kinds of errors, and rows that come in groups."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest
from polyroc._measures.registry import MEASURES, WITH_OPTIONS

from oracle.segments_reference import segment_by_segment
from pipelines.test_segments import CLASSES, SCORES, frame_of

EVERY = [
    *MEASURES.values(), *WITH_OPTIONS.values(), pr.Auc(max_fpr=0.2), pr.PolarArea(normalize=True),
    pr.PartialAuc(fpr=(0, 0.2), pairs="hand_till"), pr.OneVsRest("micro"),
]  # fmt: skip
FRAME = frame_of()
TWO = FRAME[FRAME.label != "c"]


def taken(measure: Any) -> tuple[Any, Any, list[str]]:
    """Return a frame, columns and classes that a measure is for."""
    for frame, names, labels in (
        (FRAME, SCORES, CLASSES), (FRAME, "p_b", CLASSES), (TWO, "p_b", CLASSES[:2]),
        (TWO, SCORES[:2], CLASSES[:2]),
    ):  # fmt: skip
        try:
            measure(frame.label, frame[names].to_numpy(), labels=labels)
        except ValueError:
            continue
        return frame, names, labels
    raise AssertionError(f"{measure} is for none of these")


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("measure", [one for one in EVERY if one.has_influence], ids=repr)
def test_errors_are_those_of_a_loop(measure: Any, grouped: bool) -> None:
    frame, names, labels = taken(measure)
    frame = frame.assign(patient=np.random.default_rng(3).integers(0, 200, len(frame)))
    given = {"groups": frame.patient.to_numpy()} if grouped else {}
    wanted = segment_by_segment(
        frame.label.to_numpy(), frame[names].to_numpy(), list(frame.country), measure, labels,
        **given,
    )  # fmt: skip
    table = pr.evaluate(
        frame, y_true="label", y_score=names, by="country", measure=measure, labels=labels,
        groups="patient" if grouped else None,
    )  # fmt: skip
    ok = table[table.status == "ok"]
    assert len(ok) == len(wanted) >= 3
    for line in ok.itertuples():
        found = (line.estimate, line.standard_error, line.low, line.high)
        np.testing.assert_allclose(found, wanted[line.country], rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize("measure", EVERY, ids=repr)
def test_every_measure_is_resampled(measure: Any) -> None:
    frame, names, labels = taken(measure)
    options: dict[str, Any] = {
        "y_true": "label", "y_score": names, "measure": measure, "labels": labels,
        "by": [(), "country"], "interval": "bootstrap", "n_resamples": 30, "seed": 3,
    }  # fmt: skip
    table = pr.evaluate(frame, **options)
    weighed = pr.evaluate(frame.assign(weight=0.5), sample_weight="weight", **options)
    for line, other in zip(table[:3].itertuples(), weighed[:3].itertuples(), strict=True):
        rows = frame if line.Index == 0 else frame[frame.country == line.country]
        wanted = measure(rows.label, rows[names].to_numpy(), labels=labels)
        assert line.estimate == pytest.approx(wanted, rel=1e-12)
        # The core has all segments at once, those of weighted rows come one by one.
        assert other.standard_error == pytest.approx(line.standard_error, rel=1e-9, abs=1e-12)
        assert (line.low, line.high) == pytest.approx((other.low, other.high), rel=1e-9, abs=1e-12)


def test_several_measures_in_one_table() -> None:
    measures = {"M": pr.HandTill(), "by class": "one_vs_rest", "mu": "auc_mu"}
    options: dict[str, Any] = {"y_true": "label", "y_score": SCORES, "by": [(), "country"]}
    table = pr.evaluate(FRAME, measure=measures, **options)
    assert table.measure.unique().tolist() == list(measures)
    for name, measure in measures.items():
        alone = pr.evaluate(FRAME, measure=measure, **options)
        part = table[table.measure == name]
        for column in ("n", "estimate", "standard_error", "p_value", "p_adjusted"):
            np.testing.assert_array_equal(part[column].to_numpy(), alone[column].to_numpy())


def test_groups_are_drawn_whole() -> None:
    frame = FRAME.copy()
    frame["patient"] = np.arange(len(frame)) // 2
    twice = frame.loc[frame.index.repeat(2)].reset_index(drop=True)
    twice["patient"] = np.arange(len(twice)) // 2
    options: dict[str, Any] = {
        "y_true": "label", "y_score": SCORES, "by": [(), "country"], "n_resamples": 60, "seed": 1,
    }  # fmt: skip
    # Rows that stand twice in a group of their own are one unit, drawn as the row was. How well
    # errors are known counts for limits by t, and is told of groups in another way than of rows.
    names = ["estimate", "standard_error", "difference", "low", "high", "difference_low", "p_value"]
    for measure, same in (("hand_till", names[:3]), ("h_measure", names)):
        given = {**options, "interval": "bootstrap", "measure": measure}
        plain, grouped = pr.evaluate(frame, **given), pr.evaluate(twice, groups="patient", **given)
        for name in same:
            np.testing.assert_allclose(grouped[name], plain[name], rtol=1e-9, err_msg=name)
    closed = pr.evaluate(twice, groups="patient", **options)
    alone = pr.evaluate(frame.assign(patient=np.arange(len(frame))), groups="patient", **options)
    for name in ("estimate", "standard_error", "difference_low", "difference_high"):
        np.testing.assert_allclose(closed[name], alone[name], rtol=1e-9, err_msg=name)


@pytest.mark.slow
def test_differences_of_groups_spread_as_those_of_resamples() -> None:
    frame = frame_of(600, seed=8)
    frame["patient"] = np.random.default_rng(2).integers(0, 150, len(frame))
    options: dict[str, Any] = {
        "y_true": "label", "y_score": SCORES, "by": "country", "groups": "patient",
    }  # fmt: skip
    closed = pr.evaluate(frame, **options)
    drawn = pr.evaluate(frame, interval="bootstrap", n_resamples=4000, seed=1, **options)
    for one, other in zip(closed[:2].itertuples(), drawn[:2].itertuples(), strict=True):
        widths = [line.difference_high - line.difference_low for line in (one, other)]
        assert widths[0] == pytest.approx(widths[1], rel=0.1)


def test_a_class_of_one_group_has_no_error() -> None:
    frame = FRAME.assign(patient=np.where(FRAME.label == "c", -1, np.arange(len(FRAME))))
    line = pr.evaluate(frame, y_true="label", y_score=SCORES, groups="patient").iloc[0]
    assert line.status == "one group of ['c']: no error"
    assert line.estimate == pr.hand_till(FRAME.label, FRAME[SCORES])
    assert np.isnan(line.standard_error)


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("measure", [pr.OneVsRest(None), pr.AveragePrecision(None)], ids=repr)
def test_measures_of_many_values_have_a_line_each(measure: Any, grouped: bool) -> None:
    frame = FRAME.assign(patient=np.arange(len(FRAME)) // 3)
    options: dict[str, Any] = {"y_true": "label", "y_score": SCORES, "by": "country"}
    options["groups"] = "patient" if grouped else None
    table = pr.evaluate(frame, measure=measure, **options)
    drawn = pr.evaluate(
        frame, measure=measure, interval="bootstrap", n_resamples=20, seed=1, **options
    )
    lines = len(table) // 3
    assert table.measure[::lines].tolist() == [f"{measure.name}[{label}]" for label in CLASSES]
    assert (table.p_adjusted[:lines] >= table.p_value[:lines]).all()
    for country in ("de", "fr"):
        rows = frame[frame.country == country]
        groups = rows.patient if grouped else None
        wanted = pr.delong(rows.label, rows[SCORES], measure, groups=groups)
        found = table[table.country == country]
        np.testing.assert_allclose(found.estimate, wanted.estimate, rtol=1e-12)
        np.testing.assert_allclose(found.standard_error, wanted.standard_error, rtol=1e-9)
        np.testing.assert_allclose(found[["low", "high"]], wanted.interval, rtol=1e-9)
        assert drawn[drawn.country == country].estimate.tolist() == found.estimate.tolist()


@pytest.mark.parametrize("interval", ["delong", "bootstrap"])
@pytest.mark.parametrize(
    ("measure", "names", "message"),
    [
        ("auc", SCORES, r"^auc compares two classes but there are 3 \['a', 'b', 'c'\]"),
        (pr.OneVsRest("micro"), "p_b", r'^average="micro" pools one column per class but y_score'),
    ],
)
def test_what_a_measure_is_not_for_is_refused_as_in_arrays(
    measure: Any, names: Any, message: str, interval: str
) -> None:
    frame, labels = (TWO, CLASSES[:2]) if names == "p_b" else (FRAME, CLASSES)
    options: dict[str, Any] = {"measure": measure, "interval": interval, "n_resamples": 10}
    for by in ((), "country"):
        with pytest.raises(ValueError, match=message):
            pr.evaluate(frame, y_true="label", y_score=names, labels=labels, by=by, **options)
