"""The volume of crisp classifiers against its definition: which points some mixture dominates."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest
from polyroc._measures import ferri_vus as module
from scipy.optimize import linprog

RNG = np.random.default_rng(5)
Y = np.repeat([0, 1, 2], 20)


def guesses(right: float) -> Any:
    return np.where(RNG.random(60) < right, Y, RNG.integers(0, 3, 60))


def dominated(point: Any, classifiers: Any) -> bool:
    """Whether some mixture makes no more errors of any kind than the point."""
    found = linprog(
        np.zeros(len(classifiers)), classifiers.T, point, np.ones((1, len(classifiers))), [1.0]
    )
    return bool(found.status == 0)


def test_ends() -> None:
    for same in range(3):
        assert pr.ferri_vus(Y, np.full(60, same)) == pytest.approx(1 / 180, rel=1e-10)
    assert pr.ferri_vus(Y, Y) == pytest.approx(1 / 8, rel=1e-10)
    assert pr.ferri_vus(Y, [Y, guesses(0.3)]) == pytest.approx(1 / 8, rel=1e-10)


def test_the_volume_is_that_of_points_that_a_mixture_dominates() -> None:
    said = [guesses(0.5), guesses(0.7)]
    everyone = [*said, *(np.full(60, k) for k in range(3))]
    rates = [
        [np.mean(one[Y == i] == j) for i in range(3) for j in range(3) if i != j]
        for one in everyone
    ]
    # Two rates of each class, uniform where they sum to at most 1.
    points = RNG.dirichlet([1, 1, 1], (2000, 3))[:, :, :2].reshape(2000, 6)
    share = np.mean([dominated(point, np.array(rates)) for point in points])
    assert pr.ferri_vus(Y, said) * 8 == pytest.approx(share, abs=4 * 0.5 / 2000**0.5)


def test_more_classifiers_and_other_labels() -> None:
    one, other = guesses(0.6), guesses(0.6)
    both = pr.ferri_vus(Y, [one, other])
    assert both >= max(pr.ferri_vus(Y, one), pr.ferri_vus(Y, other))
    assert pr.ferri_vus(Y, [one, other, one]) == pytest.approx(both, rel=1e-10)
    names = np.array(["x", "y", "z"])
    assert pr.ferri_vus(names[Y], [list(names[one]), names[other]]) == pytest.approx(both, rel=1e-9)
    w = RNG.integers(1, 4, 60)
    again = np.repeat(np.arange(60), w)
    weighted = pr.ferri_vus(Y, one, sample_weight=w)
    assert weighted == pytest.approx(pr.ferri_vus(Y[again], one[again]), rel=1e-9)


def test_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    cases: list[tuple[Any, Any, dict[str, Any], str]] = [
        (Y % 2, Y % 2, {}, r"^ferri_vus is for three classes, all with rows, but y_true has 2"),
        (Y, [Y, Y + 1], {}, r"^predictions\[1\]\[40\] is 3, which is none of the classes"),
        (Y, Y[:9], {}, r"^predictions has 9 rows but y_true has 60"),
        (Y, Y, {"sample_weight": -1.0 * Y}, r"^sample_weight\[20\] is -1.0; weights must be"),
        (Y, Y, {"sample_weight": 1.0 * (Y > 0)}, r"^no row of positive weight has the label 0"),
        (Y, np.eye(3)[Y], {}, r"^predictions has shape \(60, 3\); pass the class said of each row"),
        (Y, [np.eye(3)[Y]], {}, r"^predictions\[0\] has shape \(60, 3\); pass the class said of"),
        (Y, [], {}, r"^predictions is empty; pass the class that a classifier says of each row"),
    ]  # fmt: skip
    for y, said, options, message in cases:
        with pytest.raises(ValueError, match=message):
            pr.ferri_vus(y, said, **options)
    monkeypatch.setitem(__import__("sys").modules, "scipy.spatial", None)
    with pytest.raises(ImportError, match=r'^ferri_vus needs scipy; install it with pip install "'):
        module.ferri_vus(Y, Y)
