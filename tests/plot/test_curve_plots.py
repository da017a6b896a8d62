"""ROC, precision-recall, calibration and decision curves: what is on the axes."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest

from given.pictures import drawable, labels, points


def _two(n: int = 120, models: int = 2) -> tuple[Any, Any]:
    y, scores = drawable(2, n, models=models)
    return y == "c01", {name: s[:, 1] for name, s in scores.items()}


def test_roc_draws_the_curves_of_the_library() -> None:
    y, models = _two()
    ax = pr.plot.roc(y, models)
    for line, scores in zip(ax.lines, models.values(), strict=False):
        fpr, tpr, _ = pr.roc_curve(y, scores, drop_collinear=True)
        assert points(line) == (fpr.tolist(), tpr.tolist())
    known = pr.delong(y, models["model 0"], "auc")
    low, high = known.interval
    assert labels(ax)[0] == f"model 0, AUC {known.estimate:.3f} ({low:.3f} to {high:.3f})"
    assert labels(ax)[-1] == "chance, 0.5"
    assert "chance, 0.5" not in labels(pr.plot.roc(y, models, plot_chance_level=False))
    assert ax.get_aspect() == 1


@pytest.mark.parametrize("kind", ["pointwise", "simultaneous"])
def test_bands_say_what_they_are(kind: Any) -> None:
    y, models = _two()
    ax = pr.plot.roc(y, models, band=kind, confidence=0.9, n_resamples=60, seed=1)
    assert f"90 % {kind} band" in labels(ax)
    band = pr.roc_band(y, models["model 1"], kind=kind, confidence=0.9, n_resamples=60, seed=1)
    corners = ax.collections[1].get_paths()[0].vertices
    for x, low, high in zip(band.fpr, band.low, band.high, strict=True):
        drawn = corners[np.isclose(corners[:, 0], x), 1]
        assert (drawn.min(), drawn.max()) == pytest.approx((low, high))


def test_hull_and_operating_point() -> None:
    y, models = _two()
    one = {"model 0": models["model 0"]}
    ax = pr.plot.roc(y, one, hull=True, point="youden", n_resamples=60, seed=1)
    drawn = [points(line) for line in ax.lines]
    hull = pr.roc_hull(y, models["model 0"])
    assert (hull.fpr.tolist(), hull.tpr.tolist()) in drawn
    point = pr.operating_point(y, models["model 0"], rule="youden", n_resamples=60, seed=1)
    assert ([point.fpr], [point.tpr]) in drawn
    assert (point.interval["fpr"].tolist(), [point.tpr] * 2) in drawn
    assert ([point.fpr] * 2, point.interval["tpr"].tolist()) in drawn
    assert any(f"{point.threshold:.4g}" in text for text in labels(ax))


def test_many_models_one_stands_out() -> None:
    y, models = _two(models=20)
    areas = {name: pr.auc(y, s) for name, s in models.items()}
    best = max(areas, key=areas.__getitem__)
    ax = pr.plot.roc(y, models)
    assert any(text.get_text().startswith(best) for text in ax.texts)  # beside its curve
    others = sorted(value for name, value in areas.items() if name != best)
    assert labels(ax)[0] == f"19 others, AUC {others[0]:.3f} to {others[-1]:.3f}"
    colours = {line.get_color() for line in ax.lines}
    assert len(colours) == 3  # one model, grey ones, chance
    ax = pr.plot.roc(y, models, highlight=["model 3", "model 4"])
    assert [text.get_text()[:7] for text in ax.texts] == ["model 3", "model 4"]


def test_a_class_of_many_is_one_picture() -> None:
    y, models = drawable(4, 120)
    ax = pr.plot.roc(y, models, pos_label="c02")
    fpr, tpr, _ = pr.roc_curve(y == "c02", models["model 0"][:, 2], drop_collinear=True)
    assert points(ax.lines[0]) == (fpr.tolist(), tpr.tolist())
    assert ax.get_title() == "c02 against the rest"


@pytest.mark.parametrize(("k", "panels"), [(3, 3), (10, 10), (30, 12)])
def test_more_classes_are_a_grid(k: int, panels: int) -> None:
    y, models = drawable(k, name="a class with a long name, number {:02d}")
    for grid in (pr.plot.roc(y, models), pr.plot.precision_recall(y, models)):
        shown = [ax for ax in grid.flat if ax.axison]
        assert len(shown) == panels
        if k == 3:
            assert grid.shape == (1, 3)  # no empty corner
        figure = shown[0].figure
        names = [text.get_text() for text in figure.legends[0].get_texts()]
        assert names == ["model 0", "model 1"]
        said = figure.legends[0].get_title().get_text()
        more = "" if k <= 12 else f"; the 12 lowest of {k}"
        assert said == f"each class against the rest{more}"
    with pytest.raises(ValueError, match="choose a class by pos_label"):
        pr.plot.roc(y, models, ax=shown[0])


def test_a_grid_of_many_models_says_which_one_stands_out() -> None:
    y, models = drawable(3, 90, models=7)
    grid = pr.plot.roc(y, models)
    names = [text.get_text() for text in grid.flat[0].figure.legends[0].get_texts()]
    means = {name: pr.one_vs_rest(y, s) for name, s in models.items()}
    best = max(means, key=means.__getitem__)
    assert names == [best, "6 others"]
    for ax in grid.flat[:3]:
        assert ax.lines[list(models).index(best)].get_color() == "#0072B2"
    chosen = pr.plot.roc(y, models, highlight="model 3").flat[0].figure.legends[0]
    assert [text.get_text() for text in chosen.get_texts()] == ["model 3", "6 others"]


def test_bands_are_told_whichever_model_stands_out() -> None:
    y, models = _two()
    run: dict[str, Any] = {"band": "pointwise", "hull": True, "n_resamples": 50, "seed": 1}
    ax = pr.plot.roc(y, models, highlight="model 1", curve_kwargs={"color": "red"}, **run)
    assert {"95 % pointwise band", "convex hull"} <= set(labels(ax))
    from matplotlib.colors import to_rgb

    assert to_rgb(ax.collections[0].get_facecolor()[0][:3]) == to_rgb("red")  # the user's colour


def test_pairs_of_few_classes_are_crossed() -> None:
    y, models = drawable(3, 90)
    grid = pr.plot.roc(y, models["model 0"], kind="pairwise")
    assert [ax.axison for ax in grid.flat] == [i != j for i in range(3) for j in range(3)]
    scores = models["model 0"]
    curve = pr.roc_curve(y, scores, kind="pairwise", drop_collinear=True)["c02", "c00"]
    assert points(grid[2, 0].lines[0]) == (curve.fpr.tolist(), curve.tpr.tolist())
    assert grid[2, 0].get_title() == "c02 against c00"
    few: dict[str, Any] = {"n_resamples": 50, "seed": 1}
    grid = pr.plot.roc(y, models, kind="pairwise", band="pointwise", **few)
    assert grid.flat[0].figure.legends[0].get_title().get_text() == "95 % pointwise band"
    many, scores = drawable(6)
    assert sum(ax.axison for ax in pr.plot.roc(many, scores, kind="pairwise").flat) == 12


def test_precision_recall_has_the_area_of_average_precision() -> None:
    y, models = _two()
    ax = pr.plot.precision_recall(y, models)
    recall, precision = points(ax.lines[0])
    average = pr.average_precision(y, models["model 0"])
    assert -np.trapezoid(precision, recall) == pytest.approx(average)
    assert labels(ax)[0].startswith(f"model 0, AP {average:.3f} (")
    assert labels(ax)[-1] == "chance, 0.5"
    assert points(ax.lines[-1])[1] == pytest.approx([y.mean()] * 2)


def test_decision_curves_and_calibration() -> None:
    y, models = _two()
    shares = {name: 1 / (1 + np.exp(-s)) for name, s in models.items()}
    ax = pr.plot.decision_curve(y, shares, thresholds=[0.1, 0.2, 0.5])
    known = pr.decision_curve(y, shares["model 1"], thresholds=[0.1, 0.2, 0.5])
    assert points(ax.lines[1]) == ([0.1, 0.2, 0.5], known.net_benefit.tolist())
    assert points(ax.lines[2])[1] == known.treat_all.tolist()
    assert "95 % pointwise limits" in labels(ax)
    ax = pr.plot.calibration(y, shares, bins=4)
    rows = np.argsort(shares["model 0"])[:30]
    assert points(ax.lines[0])[1][0] == pytest.approx(y[rows].mean())
    assert len(ax.collections[0].get_segments()) == 4
    y, models = _two(models=6)
    shares = {name: 1 / (1 + np.exp(-s)) for name, s in models.items()}
    assert labels(pr.plot.decision_curve(y, shares, highlight="model 2"))[0] == "5 others"
    assert "5 others" in labels(pr.plot.calibration(y, shares))
    many, scores = drawable(3, 60)
    with pytest.raises(ValueError, match="choose it by pos_label"):
        pr.plot.calibration(many, scores)
    with pytest.raises(ValueError, match="probabilities in"):
        pr.plot.calibration(y, models)


def test_arguments_of_scikit_learn() -> None:
    from matplotlib import pyplot

    y, models = _two()
    _, ax = pyplot.subplots()
    look: dict[str, Any] = {"curve_kwargs": {"linewidth": 3, "color": "red"}, "despine": False}
    assert pr.plot.roc(y, models["model 0"], ax=ax, name="mine", **look) is ax
    assert labels(ax)[0].startswith("mine, AUC 0.")
    assert (ax.lines[0].get_linewidth(), ax.lines[0].get_color()) == (3, "red")
    assert ax.spines["top"].get_visible()
    own = pr.plot.roc(y, models, curve_kwargs=[{"linewidth": 4}, {"linewidth": 5}])
    assert [line.get_linewidth() for line in own.lines[:2]] == [4, 5]
    assert not own.spines["top"].get_visible()
    with pytest.raises(ValueError, match="curve_kwargs holds 1 dicts for 2 curves"):
        pr.plot.roc(y, models, curve_kwargs=[{}])
    with pytest.raises(ValueError, match="no model to draw"):
        pr.plot.roc(y, {})


def test_lines_differ_without_colour() -> None:
    y, models = _two(models=5)
    ax = pr.plot.roc(y, models)
    assert len({str(line.get_linestyle()) + str(line._dash_pattern) for line in ax.lines[:5]}) == 5


def test_names_are_data_and_not_formulas() -> None:
    y, models = _two()
    names = ["_hidden", "$x^{$ and $y$", "<b>" + 60 * "long" + "</b>"]
    scores = dict(zip(names, [*models.values(), models["model 0"]], strict=True))
    ax = pr.plot.roc(y, scores)
    ax.figure.canvas.draw()  # a formula that is none would raise here
    shown = [text.lstrip("\u200b") for text in labels(ax)]
    assert shown[0].startswith("_hidden, AUC 0.")
    assert shown[1].startswith(r"\$x^{\$ and \$y\$, AUC 0.")
    assert shown[2].startswith("<b>longlo")


def test_rc_params_are_left_alone() -> None:
    import matplotlib

    before = dict(matplotlib.rcParams)
    y, models = _two()
    pr.plot.roc(y, models)
    pr.plot.polar(*drawable(3, 60))
    assert dict(matplotlib.rcParams) == before


def test_the_fifth_model_can_be_seen_on_dark_ground() -> None:
    import matplotlib

    y, models = _two(models=5)
    assert pr.plot.roc(y, models).lines[4].get_color() == "black"
    with matplotlib.rc_context({"text.color": "white", "axes.facecolor": "black"}):
        assert pr.plot.roc(y, models).lines[4].get_color() == "white"
