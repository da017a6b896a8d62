"""Power and sample size: published figures, round trips, and simulation."""

from __future__ import annotations

import json
import math
import pickle
from statistics import NormalDist
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from polyroc._power.difference import power_difference, sample_size_difference
from polyroc._power.one_auc import power_auc, sample_size_auc
from polyroc._power.pilot import power_from_pilot, sample_size_from_pilot
from polyroc._power.variance import hanley_mcneil_variance, obuchowski_variance

PHI = NormalDist()
FORMULAS = ("binormal", "hanley-mcneil", "obuchowski")
PILOT = {"a": 40, "b": 70, "c": 25}
COVARIANCE = np.array([[9.0, 5.0], [5.0, 8.0]]) * 1e-4
aucs = st.floats(0.55, 0.97)
levels = st.sampled_from([0.01, 0.05, 0.1])
powers = st.sampled_from([0.3, 0.8, 0.9, 0.99])
sides = st.sampled_from(["two-sided", "greater"])


# Obuchowski, Lieber & Wians (2004), Table 4: cases for a one-sided test against 0.5 at level 0.05
# with power 0.9, by controls for each case and AUC. The table gives at least 10 rows a class, and
# such cells are left out here.
TABLE_4 = {
    (0.25, 0.6): 334, (0.25, 0.7): 80, (0.5, 0.6): 201, (0.5, 0.7): 49, (1, 0.6): 135,
    (1, 0.7): 33, (1, 0.8): 14, (2, 0.6): 102, (2, 0.7): 25, (2, 0.8): 11, (4, 0.6): 85,
    (4, 0.7): 21,
}  # fmt: skip


@pytest.mark.parametrize(("ratio", "auc"), TABLE_4)
def test_sizes_of_obuchowskis_table_4(ratio: float, auc: float) -> None:
    found = sample_size_auc(
        auc, ratio=ratio, power=0.9, alternative="greater", variance="obuchowski"
    )
    printed = TABLE_4[ratio, auc]
    # Negatives rounded up to a whole row can save positives, where there are fewer negatives.
    assert printed - (1 / ratio if ratio < 1 else 0) <= found.n_pos <= printed
    assert found.n_neg == math.ceil(ratio * found.n_pos)


def test_powers_and_sizes_that_r_proc_documents() -> None:
    """power.roc.test of R's pROC: the examples of its manual, figures of its own tests."""

    def power(auc: float, **options: Any) -> float:
        return power_auc(auc, n_pos=41, n_neg=72, variance="obuchowski", **options).power

    assert power(0.73) == pytest.approx(0.9897453, abs=1e-6)
    s100b = 2159 / 2952  # its example data, 41 x 72 pairs
    assert power(s100b) == pytest.approx(0.9904833, abs=1e-6)
    # The level, and the AUC, that have power 0.95; the latter found by a search of its own.
    assert power(0.73, alpha=0.009238584) == pytest.approx(0.95, abs=1e-6)
    assert power(0.6961054) == pytest.approx(0.95, abs=2e-5)
    # 29.29764 cases, 1.7 controls each, for 0.95; 29.5697422, one control each, for 0.9.
    for ratio, wanted in ((1.7, 0.95), (1, 0.9)):
        found = sample_size_auc(s100b, power=wanted, ratio=ratio, variance="obuchowski")
        assert found.n_pos == 30


def test_sizes_of_hanley_and_mcneils_formula() -> None:
    """HM82: n = (z_a sqrt(2 V1) + z_b sqrt(V1 + V2))^2 / d^2, V = Q1 + Q2 - 2 t^2, by hand."""
    for first, second, power in ((0.7, 0.75, 0.8), (0.7, 0.75, 0.9), (0.85, 0.95, 0.95)):
        v1, v2 = (t / (2 - t) + 2 * t * t / (1 + t) - 2 * t * t for t in (first, second))
        z_a, z_b = PHI.inv_cdf(0.95), PHI.inv_cdf(power)
        n = ((z_a * math.sqrt(2 * v1) + z_b * math.sqrt(v1 + v2)) / (second - first)) ** 2
        found = sample_size_difference(
            first,
            second,
            correlation=0,
            power=power,
            alternative="greater",
            variance="hanley-mcneil",
        )
        # The formula drops what falls as 1/n^2; that is about one row.
        assert n < found.n_pos < n + 3


def test_variances() -> None:
    # Under AUC = 1/2 without ties the variance of U / (m n) is (m + n + 1) / (12 m n) exactly.
    assert hanley_mcneil_variance(0.5, 7, 11) == pytest.approx(19 / (12 * 77))
    # OLW04: 0.0792 (1 + 1 / R) is the variance, times n_pos, at 1/2.
    assert obuchowski_variance(0.5, 10, 20) == pytest.approx(0.0792 * 1.5 / 10)
    # B97's example form, written out for t = 0.8, 30 positives, 50 negatives.
    q1, q2 = 0.8 / 1.2, 1.28 / 1.8
    expected = (0.16 + 29 * (q1 - 0.64) + 49 * (q2 - 0.64)) / 1500
    assert hanley_mcneil_variance(0.8, 30, 50) == pytest.approx(expected)


@given(aucs, st.floats(0.4, 0.97), levels, powers, st.floats(0.1, 8), st.sampled_from(FORMULAS))
def test_the_size_for_one_auc_is_the_least(
    auc: float, null: float, alpha: float, power: float, ratio: float, variance: Any
) -> None:
    assume(abs(auc - null) > 0.01)
    fixed: dict[str, Any] = {"alpha": alpha, "variance": variance}
    found = sample_size_auc(auc, null, power=power, ratio=ratio, **fixed)
    again = power_auc(auc, null, n_pos=found.n_pos, n_neg=found.n_neg, **fixed)
    assert again.power == found.power >= power
    assert ratio * found.n_pos <= found.n_neg * (1 + 1e-9) or found.n_neg == 2
    if found.n_pos > 2:
        n_neg = max(2, math.ceil(ratio * (found.n_pos - 1) - 1e-9))
        assert power_auc(auc, null, n_pos=found.n_pos - 1, n_neg=n_neg, **fixed).power < power


@settings(max_examples=30)
@given(aucs, st.floats(0.02, 0.2), st.floats(-0.5, 0.95), powers, sides, st.booleans())
def test_the_size_for_a_difference_is_the_least(
    first: float, step: float, r: float, power: float, alternative: Any, by_scores: bool
) -> None:
    second = min(first + step, 0.99)
    fixed: dict[str, Any] = {"correlation": r, "alternative": alternative}
    if by_scores:
        fixed = {"score_correlation": (r, r / 2), "variance": "obuchowski", **fixed}
        del fixed["correlation"]
    found = sample_size_difference(first, second, power=power, **fixed)
    again = power_difference(first, second, n_pos=found.n_pos, n_neg=found.n_neg, **fixed)
    assert again.power == found.power >= power
    if found.n_pos > 2:
        n = found.n_pos - 1
        assert power_difference(first, second, n_pos=n, n_neg=n, **fixed).power < power


@given(st.floats(0.005, 0.2), powers, levels, sides)
def test_the_sizes_from_a_pilot_are_the_least(
    step: float, power: float, alpha: float, alternative: Any
) -> None:
    values, fixed = (0.7, 0.7 + step), {"alpha": alpha, "alternative": alternative}
    found = sample_size_from_pilot(values, COVARIANCE, PILOT, power=power, **fixed)
    again = power_from_pilot(values, COVARIANCE, PILOT, found.sizes, **fixed)
    assert again.power == found.power >= power
    for label, size in found.sizes.items():
        fewer = {**found.sizes, label: size - 1}
        if size > 2:
            assert power_from_pilot(values, COVARIANCE, PILOT, fewer, **fixed).power < power


def test_rounding_of_a_ratio_adds_no_row() -> None:
    found = sample_size_auc(0.9, 0.8, ratio=1.1)
    assert found.n_neg == math.ceil(found.n_pos * 11 / 10)
    scaled = sample_size_from_pilot(0.8, 0.01, [10, 30], null=0.5, power=0.9)
    assert scaled.sizes == {0: 12, 1: 36}  # 1.1675 times as many, each rounded up


def test_a_pilots_variance_scales_with_the_rows() -> None:
    # By hand: s = (z_a + z_b)^2 V / d^2, V = v1 + v2 - 2 c.
    spread = 9e-4 + 8e-4 - 2 * 5e-4
    factor = (PHI.inv_cdf(0.975) + PHI.inv_cdf(0.9)) ** 2 * spread / 0.04**2
    found = sample_size_from_pilot((0.8, 0.84), COVARIANCE, PILOT, power=0.9)
    assert found.sizes == {label: math.ceil(factor * size) for label, size in PILOT.items()}
    assert found.total == sum(found.sizes.values())
    # A margin of non-inferiority shifts the null value.
    margin = sample_size_from_pilot(
        (0.8, 0.8), COVARIANCE, PILOT, null=-0.04, alternative="greater", alpha=0.025, power=0.9
    )
    assert margin.sizes == found.sizes


def test_the_reference_is_the_first_auc() -> None:
    up = sample_size_difference(0.7, 0.8, correlation=0.3, variance="hanley-mcneil")
    down = sample_size_difference(0.8, 0.7, correlation=0.3, variance="hanley-mcneil")
    assert up.n_pos > down.n_pos  # the variance at 0.7, taken under the null, is the larger


def test_correlation_saves_rows() -> None:
    sizes = [sample_size_difference(0.8, 0.85, correlation=r).total for r in (0, 0.3, 0.6, 0.9)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 5 * sizes[-1]
    by_scores = [
        sample_size_difference(0.8, 0.85, score_correlation=r, variance="obuchowski").total
        for r in (0, 0.4, 0.8)
    ]
    assert by_scores == sorted(by_scores, reverse=True)
    unrelated = sample_size_difference(0.8, 0.85, correlation=0, variance="obuchowski")
    assert by_scores[0] == unrelated.total


def test_mirrored_aucs_need_the_same_rows() -> None:
    for variance in FORMULAS:
        options: dict[str, Any] = {"variance": variance}
        above = sample_size_auc(0.7, alternative="greater", **options)
        below = sample_size_auc(0.3, alternative="less", **options)
        assert (above.n_pos, above.n_neg) == (below.n_neg, below.n_pos)


def _placements(pos: Any, neg: Any) -> tuple[Any, Any]:
    wins = pos[:, :, np.newaxis] > neg[:, np.newaxis, :]
    return wins.mean(axis=2), wins.mean(axis=1)


def _delong(pos: Any, neg: Any) -> tuple[Any, Any]:
    """AUCs of two models (one per row of scores) and their DeLong covariance, from placements."""
    up, down = _placements(pos, neg)
    return up.mean(axis=1), np.cov(up) / pos.shape[1] + np.cov(down) / neg.shape[1]


def test_the_power_for_one_auc_by_simulation() -> None:
    # Normal scores; the test takes its standard error from the null value, as the formula does.
    rng, trials, m, n = np.random.default_rng(2), 4000, 40, 60
    auc, null, alpha = 0.78, 0.65, 0.05
    shift = math.sqrt(2) * PHI.inv_cdf(auc)
    wins = rng.normal(shift, 1, (trials, m, 1)) > rng.normal(0, 1, (trials, 1, n))
    z = (wins.mean(axis=(1, 2)) - null) / math.sqrt(hanley_mcneil_variance(null, m, n))
    simulated = np.mean(z > PHI.inv_cdf(1 - alpha / 2))
    predicted = power_auc(auc, null, n_pos=m, n_neg=n, alpha=alpha, variance="hanley-mcneil").power
    assert 0.5 < predicted < 0.8
    assert simulated == pytest.approx(predicted, abs=0.04)  # three standard errors are 0.024


def test_the_power_for_a_difference_by_simulation() -> None:
    # One large pilot gives the covariance; DeLong's test on many small samples the power.
    rng = np.random.default_rng(3)
    shifts = np.array([[1.0], [1.6]])

    def sample(m: int, n: int) -> tuple[Any, Any]:
        common = 0.8  # both models' scores share this much of what moves them
        parts = [
            common * rng.normal(size=(1, k)) + math.sqrt(1 - common**2) * rng.normal(size=(2, k))
            for k in (m, n)
        ]
        return parts[0] + shifts, parts[1]

    aucs, covariance = _delong(*sample(1500, 1500))
    size, trials, rejected = 60, 1500, 0
    truth = [PHI.cdf(float(s) / math.sqrt(2)) for s in shifts[:, 0]]
    assert aucs == pytest.approx(truth, abs=0.03)
    predicted = power_from_pilot(truth, covariance, [1500, 1500], [size, size]).power
    for _ in range(trials):
        found, spread = _delong(*sample(size, size))
        error = math.sqrt(spread[0, 0] + spread[1, 1] - 2 * spread[0, 1])
        rejected += (found[1] - found[0]) / error > PHI.inv_cdf(0.975)
    assert 0.5 < predicted < 0.9
    assert rejected / trials == pytest.approx(predicted, abs=0.05)


def test_a_pilot_by_the_bootstrap_for_many_classes() -> None:
    y, models = pr.example_predictions()
    results = [
        pr.bootstrap(y, models[name], "auc_mu", n_resamples=400, seed=1, method="percentile")
        for name in ("naive Bayes", "9 nearest neighbours")
    ]
    covariance = np.cov([result.replicates for result in results])
    values = [result.estimate for result in results]
    sizes = np.bincount(y)
    found = sample_size_from_pilot(values, covariance, sizes, power=0.9)
    assert found.total < len(y)  # that these two differ shows in fewer rows than there are
    assert power_from_pilot(values, covariance, sizes, sizes).power > 0.99


def test_results_are_frozen_values_that_print_and_dump() -> None:
    found = sample_size_difference(0.8, 0.85, correlation=0.5, power=0.9, variance="hanley-mcneil")
    assert repr(found) == (
        "AUCs 0.8 and 0.85: two-sided test at level 0.05\n"
        "  power 0.900 (0.9 asked for) with 394 positive and 394 negative rows\n"
        "  standard error 0.0158 if the null hypothesis holds, else 0.0149 (Hanley & McNeil 1982)"
    )
    margin = power_from_pilot(
        (0.8, 0.8), COVARIANCE, PILOT, PILOT, null=-0.04, alternative="greater"
    )
    assert repr(margin).startswith(
        "estimates 0.8 and 0.8, second - first against -0.04: "
        'one-sided ("greater") test at level 0.05\n'
        "  power 0.447 with 135 rows: 40 of 'a', 70 of 'b', 25 of 'c'\n"
    )
    for result in (found, margin):
        assert pickle.loads(pickle.dumps(result)) == result
        assert hash(result) == hash(pickle.loads(pickle.dumps(result)))
        assert json.loads(json.dumps(result.to_dict())) == result.to_dict()
        assert result.to_dict()["version"] == pr.__version__
        with pytest.raises(AttributeError):
            result.power = 1.0  # type: ignore[misc]
    assert found.options == {"correlation": 0.5, "ratio": 1.0}
    with pytest.raises(AttributeError, match=r"see \.sizes"):
        _ = margin.n_pos


def test_sizes_of_a_series_belong_to_its_index() -> None:
    pd = pytest.importorskip("pandas")
    counts = pd.Series(PILOT).sort_values(ascending=False)  # as value_counts gives them
    values = (0.8, 0.7)
    assert sample_size_from_pilot(values, COVARIANCE, counts) == sample_size_from_pilot(
        values, COVARIANCE, dict(counts)
    )
    new = {label: 2 * size for label, size in PILOT.items()}
    found = power_from_pilot(values, COVARIANCE, counts, pd.Series(new))
    assert found.power == power_from_pilot(values, COVARIANCE, PILOT, new).power
    with pytest.raises(ValueError, match=r"^sizes names a class twice"):
        sample_size_from_pilot(values, COVARIANCE, pd.Series([3, 4], index=["a", "a"]))
