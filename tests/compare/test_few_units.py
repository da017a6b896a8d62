"""What a comparison says where a class has too few units for its tests."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest


def said(c: pr.Comparison) -> str:
    """The note on few units."""
    notes = [note for note in c.notes if "with fewer than" in note]
    assert len(notes) <= 1
    return notes[0] if notes else ""


def test_few_rows_are_named_with_the_way_out() -> None:
    rng = np.random.default_rng(4)
    y = np.repeat(["no", "yes"], [40, 19])
    models = {name: rng.random(59) for name in "abc"}
    two = {name: models[name] for name in "ab"}
    run: dict[str, Any] = {"n_resamples": 20, "seed": 1}
    begin, end = "class 'yes' has 19 rows: with fewer than 20 the", " equal models too often; pass "
    assert said(pr.compare(y, two, "auc", reference="normal")) == (
        f'{begin} z-test rejects{end}reference="t", method="bootstrap" or method="permutation"'
    )
    assert said(pr.compare(y, models, "auc", reference="normal")).startswith(
        f'{begin} z-test and the chi-square test reject{end}reference="t", method'
    )
    assert said(pr.compare(y, models, "auc", method="permutation", reference="normal", **run)) == (
        f'{begin} chi-square test rejects{end}reference="t"'
    )
    assert said(pr.compare(y, models, "auc", method="bootstrap", reference="normal", **run)) == (
        f'{begin} z-test and the chi-square test reject{end}reference="t" or method="permutation"'
    )
    for quiet in (
        pr.compare(y, two, "auc"),
        pr.compare(y, models, "auc"),
        pr.compare(y, two, "auc", method="bootstrap", **run),
        pr.compare(y, two, "auc", method="permutation", **run),
        pr.compare([*y, "yes"], {k: [*v, 0.5] for k, v in two.items()}, "auc", reference="normal"),
    ):
        assert said(quiet) == ""
    options = {"method": "bootstrap", "reference": "normal", **run}
    partial = pr.compare(y, two, pr.Auc(max_fpr=0.5), **options)
    assert "rejects equal models too often" in said(partial)


def test_few_groups_and_few_rows_of_a_model_are_named() -> None:
    rng = np.random.default_rng(4)
    y, groups = np.arange(60) % 2, np.arange(60) // 4
    two = {name: rng.random(60) for name in "ab"}
    assert said(pr.compare(y, two, "auc", groups=groups, reference="normal")).startswith(
        "class 0 has 15 groups: with"
    )
    apart, short = {"a": y, "b": y[:30]}, two | {"b": two["b"][:30]}
    assert said(pr.compare(apart, short, "auc", reference="normal")) == (
        "class 0 of b has 15 rows: with fewer than 20 the z-test rejects equal models too often; "
        'pass reference="t" or method="bootstrap"'
    )


def test_two_or_three_rows_leave_t_one_or_two_degrees_of_freedom() -> None:
    rng = np.random.default_rng(4)
    y = np.repeat([0, 1], [30, 3])
    two = {name: rng.random(33) for name in "ab"}
    expected = (
        "class 1 has 3 rows: with fewer than 4 the t-test hardly ever rejects; "
        'pass method="permutation"'
    )
    run: dict[str, Any] = {"n_resamples": 20, "seed": 1}
    assert said(pr.compare(y, two, "auc", reference="t")) == expected
    assert said(pr.compare(y, two, "auc", method="bootstrap", **run)) == expected
    for method in ("delong", "bootstrap"):
        how: Any = method
        c = pr.compare(y, two, "auc", method=how, reference="t", **run)
        assert c.pairs[0].freedom <= 2 + 1e-9
        assert c.overall.p_value == pytest.approx(c.p_value, rel=1e-9)


def test_uneven_weights_count_for_fewer_rows() -> None:
    rng = np.random.default_rng(4)
    y = np.repeat([0, 1], [60, 30])
    two = {name: rng.random(90) for name in "ab"}
    w = np.where(np.arange(90) >= 85, 9.0, 1.0)
    worth = (25 + 5 * 9) ** 2 / (25 + 5 * 81)
    assert said(pr.compare(y, two, "auc", sample_weight=w, reference="normal")).startswith(
        f"class 1 has 30 rows, worth {worth:.1f} of equal weight: with fewer than 20 the z-test"
    )
    assert said(pr.compare(y, two, "auc", sample_weight=w)) == ""
    assert said(pr.compare(y, two, "auc", sample_weight=3 * np.ones(90), reference="normal")) == ""
    uneven = np.repeat(np.arange(40), [1] * 20 + [2] * 5 + [4] * 15)
    groups = pr.compare(y, two, "auc", groups=uneven, reference="normal")
    assert "groups, worth " in said(groups)
