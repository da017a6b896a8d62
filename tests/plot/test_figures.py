"""What pictures show is what the library says."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest
from polyroc._figures.calibration import calibration_figures
from polyroc._figures.contrasts import contrasts, hardest
from polyroc._figures.curves import BOUND, FEWEST, pr_lines, roc_lines
from polyroc._figures.forest import differences_figure, models_figure, runs_of_alike
from polyroc._figures.pairs import by_similarity, lowest_pairs, pair_differences, pair_figure
from polyroc._figures.polar import LOWEST, largest_area, polar_figure
from polyroc._figures.replicates import class_figure, replicate_figure
from polyroc._figures.scores import score_figure
from polyroc._figures.thinned import thinned

from given.pictures import drawable


def test_pairs_are_those_of_pairwise_in_the_order_shown() -> None:
    y, models = drawable(4, 120)
    figure = pair_figure(y, models["model 0"])
    values = pr.pairwise(y, models["model 0"])
    np.testing.assert_array_equal(figure.values, values[np.ix_(figure.order, figure.order)])
    assert figure.classes == [f"c{k:02d}" for k in figure.order]
    off = ~np.eye(4, dtype=bool)
    assert (figure.low[off] < figure.values[off]).all()
    assert (figure.values[off] < figure.high[off]).all()
    i, j = lowest_pairs(figure, 1)[0]
    assert figure.values[i, j] == np.nanmin(figure.values)


def test_classes_that_are_alike_stand_side_by_side() -> None:
    values = np.full((4, 4), 0.99)
    values[0, 3] = values[3, 0] = values[1, 2] = values[2, 1] = 0.6
    order = by_similarity(values)
    assert abs(order.index(0) - order.index(3)) == 1
    assert abs(order.index(1) - order.index(2)) == 1
    assert by_similarity(values[:2, :2]) == [0, 1]


def test_differences_of_pairs_are_those_of_compare() -> None:
    y, models = drawable(3, 120)
    groups = np.arange(120) // 3
    figure = pair_differences(y, models, adjust=None, groups=groups)
    rows = np.isin(y, ["c00", "c01"])
    two = {name: scores[rows][:, :2] for name, scores in models.items()}
    expected = pr.compare(y[rows], two, "hand_till", groups=groups[rows])
    i, j = figure.classes.index("c00"), figure.classes.index("c01")
    assert figure.differences[i, j] == expected.difference
    assert figure.p_adjusted[i, j] == expected.p_value
    holm = pair_differences(y, models, groups=groups)
    assert holm.p_adjusted[i, j] >= expected.p_value
    with pytest.raises(ValueError, match="shows two"):
        pair_differences(y, {"one": models["model 0"]})
    with pytest.raises(ValueError, match="two classes are one pair"):
        pair_differences(y == "c00", {name: s[:, 0] for name, s in models.items()})


def test_rays_enclose_the_largest_area() -> None:
    y, models = drawable(4, 120)
    figure = polar_figure(y, models)
    values = figure.values["model 0"]
    area = 0.5 * np.sin(2 * np.pi / 6) * (values * np.roll(values, 1)).sum()
    assert area == pytest.approx(pr.polar_area(y, models["model 0"]))
    assert len(figure.lowest) == LOWEST
    assert figure.lowest[0][1] == min(min(v) for v in figure.values.values())
    assert sorted(largest_area(np.array([0.1, 0.5, 0.3]))) == [0, 1, 2]
    i, j = figure.ends[0]
    assert figure.pairs[0] == f"{figure.classes[i]}-{figure.classes[j]}"
    with pytest.raises(ValueError, match="two classes are one pair"):
        polar_figure(y == "c00", {"one": models["model 0"][:, 0]})


def test_scores_add_up_by_class() -> None:
    y, models = drawable(3, 120)
    figure = score_figure(y, models["model 0"], bins=7)
    assert figure.shares.sum(axis=1) == pytest.approx(1)
    assert figure.what == "score of the row's own class"
    two = score_figure(y == "c00", models["model 0"][:, 0], sample_weight=np.arange(120.0))
    assert two.what == "score of True"
    assert score_figure([0, 1], [3.0, 3.0]).shares.sum() == 2


def test_forests_and_replicates() -> None:
    y, models = drawable(4, 120)
    c = pr.compare(y, dict(reversed(models.items())), "hand_till")
    figure = models_figure(c)
    assert figure.names == [("model 0",), ("model 1",)]
    assert figure.values.tolist() == c.estimates[::-1].tolist()
    assert figure.low.tolist() == c.intervals[::-1, 0].tolist()
    assert differences_figure(c).low[0] == c.interval[0]
    b = pr.bootstrap(y, models["model 0"], "hand_till", n_resamples=200, seed=1)
    replicates = replicate_figure(b, 10)
    assert replicates.counts.sum() == 200
    assert [replicates.low, replicates.high] == b.interval.tolist()
    each = pr.bootstrap(y, models["model 0"], pr.OneVsRest(None), n_resamples=50, seed=1)
    assert class_figure(each).values.tolist() == each.estimate.tolist()
    with pytest.raises(ValueError, match="one value per class"):
        replicate_figure(each)
    with pytest.raises(ValueError, match="several confidence levels"):
        replicate_figure(b.with_interval(confidence=[0.9, 0.95]))


def test_runs_join_models_that_no_test_tells_apart() -> None:
    # a and b alike, b and c alike, a and c apart; d apart from all.
    apart = {frozenset(pair) for pair in ("ac", "ad", "bd", "cd")}
    assert runs_of_alike("abcd", apart) == [(0, 1), (1, 2)]
    assert runs_of_alike("abcd", set()) == [(0, 3)]
    assert runs_of_alike("ab", {frozenset("ab")}) == []


def test_contrasts_of_two_classes_and_of_more() -> None:
    y, models = drawable(4, 120)
    weights, groups = np.arange(120.0), np.arange(120) % 7
    found = contrasts(y, models, sample_weight=weights, groups=groups)
    assert [one.favoured for one in found] == ["c00", "c01", "c02", "c03"]
    assert found[1].y_true.tolist() == (y == "c01").tolist()
    assert found[1].scores["model 1"].tolist() == models["model 1"][:, 1].tolist()
    assert found[1].against is None
    (only,) = contrasts(y, models, pos_label="c02")
    assert only.favoured == "c02"
    pairs = contrasts(y, models, kind="pairwise", sample_weight=weights, groups=groups)
    assert len(pairs) == 12
    rows = np.isin(y, ["c00", "c01"])
    assert (pairs[0].favoured, pairs[0].against) == ("c00", "c01")
    assert pairs[0].scores["model 0"].tolist() == models["model 0"][rows, 0].tolist()
    assert pairs[0].options["sample_weight"].tolist() == weights[rows].tolist()
    assert pairs[0].options["groups"].tolist() == groups[rows].tolist()
    (two,) = contrasts(y == "c00", {"a": models["model 0"][:, 0]}, pos_label=False)
    assert (two.favoured, two.against) == ("False", "True")
    assert two.y_true.tolist() == (y != "c00").tolist()
    with pytest.raises(ValueError, match="none of the classes"):
        contrasts(y, models, pos_label="c9")
    with pytest.raises(ValueError, match="kind is 'both'"):
        contrasts(y, models, kind="both")


def test_classes_without_rows_have_no_contrast() -> None:
    y, models = drawable(3, 60)
    scores = {"a": np.hstack([models["model 0"], np.zeros((60, 1))])}
    found = contrasts(y, scores, labels=["c00", "c01", "c02", "c03"])
    assert [one.favoured for one in found] == ["c00", "c01", "c02"]


def test_the_hardest_are_those_of_the_lowest_auc() -> None:
    y, models = drawable(5, 200)
    found = contrasts(y, {"a": models["model 1"]})
    areas = pr.one_vs_rest(y, models["model 1"], average=None)
    kept = [one.favoured for one in hardest(found, 2)]
    assert set(kept) == {f"c{k:02d}" for k in np.argsort(areas)[:2]}


def test_lines_are_curves_with_their_areas_and_intervals() -> None:
    y, models = drawable(3, 90)
    groups = np.arange(90) // 2
    (contrast,) = contrasts(y, models, pos_label="c01", groups=groups)
    run: dict[str, Any] = {"n_resamples": 50, "seed": 3}
    lines = roc_lines(contrast, band="simultaneous", hull=True, point={"max_fpr": 0.2}, **run)
    truth, s = y == "c01", models["model 1"][:, 1]
    curve, line = pr.roc_curve(truth, s, drop_collinear=True), lines[1]
    assert (line.fpr.tolist(), line.tpr.tolist()) == (curve.fpr.tolist(), curve.tpr.tolist())
    known = pr.delong(truth, s, "auc", groups=groups)
    assert (line.area.value, line.area.low) == (known.estimate, known.interval[0])
    assert line.band == pr.roc_band(truth, s, groups=groups, **run)
    assert line.hull == pr.roc_hull(truth, s)
    assert line.point == pr.operating_point(truth, s, max_fpr=0.2, groups=groups, **run)
    recalled = pr_lines(contrast)[1]
    steps = -np.trapezoid(recalled.precision, recalled.recall)
    assert steps == pytest.approx(pr.average_precision(truth, s))
    assert recalled.prevalence == pytest.approx(1 / 3)


def test_a_class_with_one_row_has_a_curve_without_interval() -> None:
    y = np.array([0, 0, 0, 1])
    (contrast,) = contrasts(y, {"a": np.array([0.1, 0.6, 0.3, 0.5])})
    area = roc_lines(contrast)[0].area
    assert area.value == pytest.approx(2 / 3)
    assert np.isnan(area.low)


def test_long_curves_stay_within_the_bound() -> None:
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 20_000)
    s = y + rng.normal(size=20_000)
    curve = pr.roc_curve(y, s)
    (line,) = roc_lines(contrasts(y, {"a": s})[0])
    assert FEWEST < len(curve.fpr)
    assert len(line.fpr) < len(curve.fpr) / 5
    # How far points lie from the line that is drawn, each from its own stretch of it.
    ends = np.clip(np.searchsorted(line.fpr + line.tpr, curve.fpr + curve.tpr), 1, None)
    dx, dy = (np.diff(part)[ends - 1] for part in (line.fpr, line.tpr))
    off = (curve.fpr - line.fpr[ends - 1]) * dy - (curve.tpr - line.tpr[ends - 1]) * dx
    assert (np.abs(off) / np.hypot(dx, dy)).max() <= BOUND * (1 + 1e-9)


def test_thinned_keeps_to_its_bound_or_to_its_most() -> None:
    x = np.linspace(0, 1, 1001)
    wave = np.sin(20 * x)
    kept = thinned(x, wave, 0.01, most=1001)
    assert {0, 1000} <= set(kept.tolist())
    assert np.abs(np.interp(x, x[kept], wave[kept]) - wave).max() < 0.25
    assert len(thinned(x, wave, 1e-9, most=50)) <= 50


def test_calibration_counts_rows_by_probability() -> None:
    y = np.array([0, 0, 1, 0, 1, 1, 1, 1])
    p = np.array([0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9])
    (contrast,) = contrasts(y, {"a": p})
    (figure,) = calibration_figures(contrast, bins=2)
    assert figure.counts.tolist() == [4, 4]
    assert figure.predicted.tolist() == pytest.approx([0.25, 0.75])
    assert figure.observed.tolist() == [0.25, 1.0]
    assert figure.high[1] == 1.0
    assert figure.low[1] == pytest.approx(0.5101, abs=1e-4)  # Wilson: 4 / (4 + 1.96^2)
    (weighted,) = contrasts(y, {"a": p}, sample_weight=np.full(8, 3.0))
    (same,) = calibration_figures(weighted, bins=2)
    assert same.low.tolist() == pytest.approx(figure.low.tolist())
    (tied,) = calibration_figures(contrasts(y, {"a": np.full(8, 0.5)})[0])
    assert (tied.counts.tolist(), tied.observed.tolist()) == ([8], [0.625])
    with pytest.raises(ValueError, match=r"'a' is 1\.5 in row 7"):
        calibration_figures(contrasts(y, {"a": np.append(p[:-1], 1.5)})[0])
