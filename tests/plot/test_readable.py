"""What a reader needs to read a picture: which class, which centre, and nothing cut off."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import polyroc as pr
import pytest

pytest.importorskip("matplotlib")

RNG = np.random.default_rng(3)
LONG = [f"a rather long class name number {k}" for k in range(3)]


def _case(names: list[str]) -> tuple[Any, dict[str, Any]]:
    y = np.arange(120) % len(names)
    scores = {
        f"a model with a long name {m}": np.exp(
            np.eye(len(names))[y] + RNG.normal(size=(120, len(names)))
        )
        for m in range(2)
    }
    return np.array(names)[y], {m: p / p.sum(axis=1, keepdims=True) for m, p in scores.items()}


def _inside(text: Any) -> bool:
    box, figure = text.get_window_extent(), text.get_figure().bbox
    return bool(box.x0 >= 0 and box.x1 <= figure.width)


@pytest.mark.parametrize("kind", ["roc", "precision_recall", "decision_curve", "calibration"])
def test_two_classes_say_which_is_positive(kind: str) -> None:
    y, models = _case(["cat", "dog"])
    ax = getattr(pr.plot, kind)(y, {name: p[:, 1] for name, p in models.items()})
    assert ax.get_title().split("\n")[0] == "dog against cat"


def test_the_centre_of_a_polar_plot_is_named() -> None:
    y, models = _case(["cat", "dog", "owl"])
    ax = pr.plot.polar(y, models)
    assert ax.get_title().startswith(f"centre {ax.get_rmin():g}, outer circle 1")
    # Values stand between two rays, not on one.
    angles = np.degrees([0.0, 2 * np.pi / 3, 4 * np.pi / 3])
    assert np.abs(ax.get_rlabel_position() - angles).min() > 30


@pytest.mark.parametrize("names", [["cat", "dog", "owl"], LONG])
def test_names_and_titles_are_not_cut_off(names: list[str]) -> None:
    y, models = _case(names)
    polar = pr.plot.polar(y, models)
    for text in (*polar.get_xticklabels(), *polar.texts):
        assert _inside(text), text.get_text()
    for ax in (pr.plot.pair_differences(y, models), pr.plot.pairs(y, next(iter(models.values())))):
        assert _inside(ax._left_title)


def test_forest_plots_fit_a_column() -> None:
    y, models = _case(LONG)
    found = pr.compare(y, models, "hand_till")
    for ax in (pr.plot.differences(found), pr.plot.models(found)):
        assert ax.figure.get_size_inches()[0] == 3.4
        ax.figure.draw_without_rendering()
        assert ax.bbox.width > 0.25 * ax.figure.bbox.width
        assert all(_inside(text) for text in (*ax.get_yticklabels(), *ax.texts))


def test_names_of_many_classes_do_not_run_into_each_other() -> None:
    names = [f"c{k:02d}" for k in range(30)]
    y = np.repeat(names, 8)
    ax = pr.plot.confusion(pr.confusion(y, RNG.random((240, 30)) + np.eye(30).repeat(8, axis=0)))
    boxes = [label.get_window_extent() for label in ax.get_xticklabels()]
    assert all(one.x1 <= other.x0 for one, other in pairwise(boxes))
