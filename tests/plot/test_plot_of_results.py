"""`plot` of results draws what they hold."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import polyroc as pr
import pytest

from given.pictures import drawable, labels, points

Y, MODELS = drawable(3, 90)
S = MODELS["model 0"]
TRUE = Y == "c01"


def test_roc_curves() -> None:
    curve = pr.roc_curve(TRUE, S[:, 1])
    ax = curve.plot(name="mine")
    assert points(ax.lines[0]) == (curve.fpr.tolist(), curve.tpr.tolist())
    assert labels(ax)[0] == f"mine, AUC {curve.auc:.3f}"
    grid = pr.roc_curve(Y, S).plot()
    assert [ax.get_title() for ax in grid.flat if ax.axison][1] == "c01"
    pairs = pr.roc_curve(Y, S, kind="auc_mu").plot()
    assert pairs.flat[0].get_title() == "c00 against c01"
    many, scores = drawable(30)
    grid = pr.roc_curve(many, scores["model 0"]).plot()
    assert grid.flat[0].figure._suptitle.get_text().endswith("the 12 lowest of 30")


def test_hull_band_and_folds() -> None:
    hull = pr.roc_hull(TRUE, S[:, 1])
    assert points(hull.plot().lines[0]) == (hull.fpr.tolist(), hull.tpr.tolist())
    band = pr.roc_band(TRUE, S[:, 1], kind="pointwise", n_resamples=50, seed=1)
    assert labels(band.plot()) == ["ROC curve", "95 % pointwise band", "chance, 0.5"]
    folds = pr.roc_folds([(TRUE[k : k + 30], S[k : k + 30, 1]) for k in (0, 30, 60)])
    ax = folds.plot()
    assert points(ax.lines[0]) == (folds.fpr.tolist(), folds.tpr.tolist())
    assert points(ax.lines[1])[1] == folds.pooled.tpr.tolist()
    assert "95 % pointwise limits over folds" in labels(ax)


def test_precision_recall() -> None:
    curve = pr.pr_curve(TRUE, S[:, 1])
    assert labels(curve.plot())[0] == f"AP {curve.average_precision:.3f}"
    assert sum(ax.axison for ax in pr.pr_curve(Y, S).plot().flat) == 3


def test_estimates() -> None:
    comparison = pr.compare(Y, MODELS, "hand_till")
    assert points(comparison.plot().lines[0])[0] == [comparison.difference]
    results = pr.bootstrap(Y, S, ["hand_till", pr.OneVsRest(None)], n_resamples=60, seed=1)
    one, each = results.values()
    assert one.plot().get_ylabel() == "replicates"
    assert points(each.plot().lines[0])[0] == each.estimate.tolist()
    pairs = pr.bootstrap(Y, S, "hand_till", pairs=True, n_resamples=60, seed=1).pairs
    assert pairs is not None
    drawn = np.ma.filled(pairs.plot().images[0].get_array(), np.nan)
    assert sorted(drawn[np.triu_indices(3, 1)]) == sorted(pairs.estimate[np.triu_indices(3, 1)])
    curve = pr.decision_curve(TRUE, 1 / (1 + np.exp(-S[:, 1])))
    assert points(curve.plot().lines[0])[1] == curve.net_benefit.tolist()


def test_confusions() -> None:
    found = pr.confusion(Y, S)
    ax = found.plot(name="mine")
    shares = found.counts / found.counts.sum(axis=1, keepdims=True)
    np.testing.assert_array_equal(np.asarray(ax.images[0].get_array()), shares)
    written = {text.get_position(): text.get_text() for text in ax.texts}
    assert written[0, 1] == str(found.counts[1, 0])
    assert ax.get_title(loc="left").startswith(f"mine\naccuracy {found.accuracy:.3f} (")
    many, scores = drawable(30)
    assert not pr.confusion(many, scores["model 0"]).plot().texts


def test_reports() -> None:
    groups = np.arange(90) // 2
    report = pr.evaluate(Y, MODELS, ["hand_till"], n_resamples=60, seed=1, groups=groups)
    expected = pr.delong(Y == "c01", S[:, 1], "auc", groups=groups).interval
    ax = report.plot("roc", pos_label="c01")
    assert f"({expected[0]:.3f} to {expected[1]:.3f})" in labels(ax)[0]
    assert report.comparison is not None
    assert points(report.plot().lines[0])[0] == sorted(report.comparison.estimates)[::-1]
    assert points(report.plot("differences").lines[0])[0] == [report.comparison.difference]
    assert report.plot("pairs", model="model 1").get_title(loc="left").startswith("model 1\n")
    assert sum(report.plot("replicates").patches[0].get_data().values) == 60
    assert report.plot("confusion", model="model 1").get_title(loc="left").startswith("model 1\n")
    for kind in ("polar", "pair_differences", "scores", "precision_recall"):
        assert report.plot(kind) is not None
    with pytest.raises(ValueError, match="kind is 'pie'; choose one of roc"):
        report.plot("pie")
    with pytest.raises(ValueError, match="model is 'x'; the report has model 0, model 1"):
        report.plot("pairs", model="x")
    with pytest.raises(ValueError, match="measure is 'x'"):
        report.plot("replicates", measure="x")
    two = pr.evaluate(TRUE, S[:, 1], ["auc"], n_resamples=60, seed=1)
    assert two.plot().get_xlabel() == "false positive rate"
    with pytest.raises(ValueError, match="has one only"):
        two.plot("models")


def test_matplotlib_is_named_where_it_lacks() -> None:
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "import polyroc as pr\n"
        "try: pr.roc_curve([0, 1, 1], [1, 2, 3]).plot()\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == 'plots need matplotlib: pip install "polyroc[plot]"\n'


def test_results_load_no_matplotlib() -> None:
    code = (
        "import sys, polyroc as pr; pr.roc_curve([0, 1, 1], [1, 2, 3]); pr.plot.roc;"
        "sys.exit('matplotlib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_differences_show_the_margin_of_a_comparison() -> None:
    y, models = drawable(3, 90)
    plain, shaded = (pr.compare(y, models, "hand_till", margin=m).plot() for m in (None, 0.02))
    assert not plain.patches
    (band,) = shaded.patches
    assert band.get_extents().transformed(shaded.transData.inverted()).intervalx.tolist() == (
        pytest.approx([-0.02, 0.02])
    )
    assert shaded.get_title(loc="right") == "shaded: within the margin of 0.02"
