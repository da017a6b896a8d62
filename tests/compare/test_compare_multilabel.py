"""Models compared by measures of many labels per row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polyroc as pr
import pytest

from oracle import multilabel_reference as ref

RNG = np.random.default_rng(5)
N, L = 150, 3
Y = (RNG.random((N, L)) < [0.5, 0.3, 0.2]).astype(int)
SHARED = RNG.normal(size=(N, L))
GOOD = 1.5 * Y + SHARED
BAD = 0.4 * Y + SHARED + 0.5 * RNG.normal(size=(N, L))
MODELS = {"good": GOOD, "bad": BAD}


def close(found: Any, expected: Any, rtol: float = 1e-12) -> None:
    np.testing.assert_allclose(found, expected, rtol=rtol)


@pytest.mark.parametrize("method", ["delong", "bootstrap", "permutation"])
@pytest.mark.parametrize("average", ["macro", "micro", "prevalence"])
def test_models_are_compared(method: Any, average: Any) -> None:
    measure = pr.Multilabel("auc", average)
    c = pr.compare(Y, MODELS, measure, method=method, n_resamples=300, seed=1)
    close(c.estimates, [measure(Y, GOOD), measure(Y, BAD)])
    assert 0 < c.p_value < 0.01
    assert (c.unit, c.n_units) == ("row", N)
    same = pr.compare(Y, {"a": GOOD, "b": GOOD}, measure, method=method, n_resamples=50, seed=1)
    assert same.p_value == 1


@pytest.mark.parametrize("average", ["macro", "prevalence"])
def test_differences_vary_by_row(average: Any) -> None:
    moved = ref.moved(Y.astype(float), GOOD, average) - ref.moved(Y.astype(float), BAD, average)
    c = pr.compare(Y, MODELS, pr.Multilabel("auc", average), reference="normal")
    assert c.pairs[0].standard_error == pytest.approx(np.sqrt(moved @ moved), rel=1e-9)
    drawn = pr.compare(
        Y, MODELS, pr.Multilabel("auc", average), method="bootstrap", n_resamples=3000, seed=1
    )
    assert drawn.pairs[0].standard_error == pytest.approx(np.sqrt(moved @ moved), rel=0.08)


@pytest.mark.parametrize("method", ["bootstrap", "permutation"])
@pytest.mark.parametrize("inner", ["average_precision", "kolmogorov_smirnov"])
def test_measures_without_closed_form(method: Any, inner: str) -> None:
    measure = pr.Multilabel(inner)
    c = pr.compare(Y, MODELS, measure, method=method, n_resamples=200, seed=1)
    close(c.estimates, [measure(Y, GOOD), measure(Y, BAD)])
    assert 0 < c.p_value < 0.05


def test_permutations_know_no_scale() -> None:
    """Labels and models on scales of their own are exchanged by ranks within each label."""
    scaled = {"good": np.exp(GOOD) * [1.0, 100.0, 0.01], "bad": BAD}
    run: Any = {"method": "permutation", "n_resamples": 200, "seed": 1}
    for statistic in ("difference", "studentized"):
        ways: Any = {**run, "statistic": statistic}
        one = pr.compare(Y, MODELS, pr.Multilabel(), **ways)
        other = pr.compare(Y, scaled, pr.Multilabel(), **ways)
        assert one.p_value == other.p_value


def test_more_models_and_different_rows() -> None:
    three = {**MODELS, "noise": RNG.normal(size=(N, L))}
    methods: list[Any] = ["delong", "bootstrap"]
    for method in methods:
        c = pr.compare(Y, three, pr.Multilabel(), method=method, n_resamples=200, seed=1)
        assert c.overall.p_value < 0.01
    halves = {"good": Y[:80], "bad": Y[80:]}
    scores = {"good": GOOD[:80], "bad": BAD[80:]}
    for method in methods:
        c = pr.compare(halves, scores, pr.Multilabel(), method=method, n_resamples=200, seed=1)
        assert not c.paired
        assert c.n_units == N


def test_groups_weights_and_missing_labels() -> None:
    holes = np.where(RNG.random((N, L)) < 0.1, np.nan, Y)
    run: Any = {"groups": np.arange(N) // 2, "sample_weight": RNG.random(N) + 0.5}
    closed = pr.compare(holes, MODELS, pr.Multilabel(), **run)
    drawn = pr.compare(
        holes, MODELS, pr.Multilabel(), method="bootstrap", n_resamples=2000, seed=1, **run
    )
    np.testing.assert_allclose(closed.estimates, drawn.estimates, rtol=1e-12)
    np.testing.assert_allclose(closed.standard_errors, drawn.standard_errors, rtol=0.12)


def test_columns_are_found_by_name() -> None:
    names = ["a", "b", "c"]
    labels = pd.DataFrame(Y, columns=names)
    frames = {
        "good": pd.DataFrame(GOOD, columns=names),
        "bad": pd.DataFrame(BAD, columns=names)[["c", "a", "b"]],
    }
    named = pr.compare(labels, frames, pr.Multilabel())
    bare = pr.compare(Y, MODELS, pr.Multilabel())
    np.testing.assert_array_equal(named.estimates, bare.estimates)
    assert named.p_value == bare.p_value


def test_bad_models_are_named() -> None:
    with pytest.raises(ValueError, match=r"^model 'bad': y_true has shape \(150, 3\) but y_score"):
        pr.compare(Y, {"good": GOOD, "bad": BAD[:, :2]}, pr.Multilabel())
    with pytest.raises(ValueError, match=r"^Multilabel\(None\) has one value per label; compare"):
        pr.compare(Y, MODELS, pr.Multilabel("auc", None))
