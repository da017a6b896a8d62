"""One-sided comparisons: they agree with their intervals and with the two-sided test."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest
from polyroc._compare.by_permutation import permutation_p_value

METHODS = ["delong", "bootstrap", "permutation"]


def _data(seed: int = 5, n: int = 60) -> tuple[Any, dict[str, Any]]:
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3 == 0
    return y, {"good": y * 1.2 + rng.normal(size=n), "poor": y * 0.3 + rng.normal(size=n)}


@pytest.mark.parametrize("method", METHODS)
def test_half_of_the_two_sided_p_on_the_side_of_the_difference(method: Any) -> None:
    y, models = _data()
    call: Any = {"method": method, "n_resamples": 999, "seed": 1}
    both = pr.compare(y, models, "auc", **call)
    greater = pr.compare(y, models, "auc", alternative="greater", **call)
    less = pr.compare(y, models, "auc", alternative="less", **call)
    assert both.difference > 0
    exact = method != "permutation"
    assert greater.p_value == pytest.approx(both.p_value / 2, rel=1e-9 if exact else 0.3)
    assert less.p_value == pytest.approx(1 - greater.p_value, abs=1e-9 if exact else 4e-3)
    assert (greater.alternative, less.pairs[0].alternative) == ("greater", "less")


@pytest.mark.parametrize("reference", ["t", "normal"])
@pytest.mark.parametrize("method", ["delong", "bootstrap"])
@pytest.mark.parametrize("seed", range(4))
def test_zero_is_outside_where_p_is_small(method: Any, reference: Any, seed: Any) -> None:
    y, models = _data(seed)
    sided: Any = (("greater", 0), ("less", 1))
    for alternative, end in sided:
        call: Any = {"method": method, "reference": reference, "n_resamples": 299, "seed": 1}
        p = pr.compare(y, models, "auc", alternative=alternative, **call).p_value
        for level in (1 - 1.01 * p, 1 - 0.99 * p):
            if not 0.5 < level < 1:
                continue
            c = pr.compare(y, models, "auc", alternative=alternative, confidence=level, **call)
            limit = c.interval[end]
            assert c.interval[1 - end] == (1 if end == 0 else -1)
            assert ((limit > 0) if end == 0 else (limit < 0)) == (p < 1 - level)


def test_a_pair_turned_is_the_same_test_the_other_way_round() -> None:
    y, models = _data()
    c = pr.compare(y, models, "auc", alternative="greater")
    turned = c.pair("poor", "good")
    assert turned.alternative == "less"
    assert (turned.p_value, turned.high) == (c.p_value, -c.interval[0])
    assert "one-sided: p and intervals are of first > second" in repr(c)


def test_permutations_as_far_up_or_down() -> None:
    drawn = np.array([0.5, -0.5, 0.5 - 1e-15, 0.49])
    assert permutation_p_value(0.5, drawn, "greater") == 3 / 5
    assert permutation_p_value(0.5, drawn, "less") == 1
    assert permutation_p_value(-0.5, drawn, "less") == 2 / 5


def test_studentized_permutations_have_sides_too() -> None:
    y, models = _data(n=30)
    call: Any = {"method": "permutation", "statistic": "studentized", "n_resamples": 99, "seed": 1}
    greater = pr.compare(y, models, "auc", alternative="greater", **call).p_value
    less = pr.compare(y, models, "auc", alternative="less", **call).p_value
    assert greater < 0.3 < 0.7 < less


def test_what_has_no_one_sided_form_is_refused() -> None:
    y, models = _data()
    with pytest.raises(ValueError, match="alternative is 'larger'; choose"):
        pr.compare(y, models, "auc", alternative="larger")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="interval='bca' has two sides"):
        pr.compare(y, models, "auc", alternative="less", method="bootstrap", interval="bca")
    with pytest.raises(ValueError, match=r"needs more than 0\.5"):
        pr.compare(y, models, "auc", alternative="less", confidence=0.4)
