"""What power is promised, beside how often tests reject; the width that is promised, too."""

from __future__ import annotations

import json
import math
import pickle
from statistics import NormalDist
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from polyroc._power.difference import power_difference, sample_size_difference
from polyroc._power.limits import Rule, difference_limit, limits
from polyroc._power.one_auc import power_auc, sample_size_auc
from polyroc._power.width import sample_size_width

from given.refusals import refused

PHI = NormalDist()
KNOWN: Any = {"reference": "normal"} if "reference" in pr.delong.__annotations__ else {}
CLOSE = 0.04  # 0.03 promised, and the error of a thousand trials


def shift(auc: float, spread: float) -> float:
    return PHI.inv_cdf(auc) * math.hypot(1, spread)


def influence(pos: Any, neg: Any) -> tuple[Any, Any, Any]:
    """AUCs of many samples, and placements of either class about them."""
    wins = pos[:, :, None] > neg[:, None, :]
    up, down = wins.mean(axis=2), wins.mean(axis=1)
    auc = up.mean(axis=1)
    return auc, up - auc[:, None], down - auc[:, None]


def parts_of(up: Any, down: Any, other: Any = None) -> tuple[Any, Any]:
    """DeLong's variance, or covariance, of many samples: the part of either class."""
    pairs = zip((up, down), other or (up, down), strict=True)
    found = [(a * b).sum(axis=1) / (a.shape[1] * (a.shape[1] - 1)) for a, b in pairs]
    return found[0], found[1]


def simulated_one(plan: Any, auc: float, null: float, trials: int = 1000) -> float:
    rng, spread = np.random.default_rng(1), plan.options["spread"]
    rejected = 0.0
    for _ in range(4):
        pos = shift(auc, spread) + spread * rng.normal(size=(trials // 4, plan.n_pos))
        values, up, down = influence(pos, rng.normal(size=(trials // 4, plan.n_neg)))
        rule = Rule(plan.n_pos, plan.n_neg, 0.025, plan.options["reference"])
        with np.errstate(all="ignore"):  # a sample without spread has no limit here
            lower, upper = limits(np.minimum(values, 1 - 1e-9), parts_of(up, down), rule)
        rejected += (lower > null).mean() if auc > null else (upper < null).mean()
    return rejected / 4


@pytest.mark.slow
@pytest.mark.parametrize("reference", ["normal", "t"])
@pytest.mark.parametrize(
    ("auc", "null", "ratio", "spread"),
    [(0.9, 0.8, 0.1, 1), (0.7, 0.5, 10, 2), (0.95, 0.9, 1, 0.5), (0.8, 0.9, 1, 1)],
)
def test_the_power_of_one_auc(auc: float, null: float, ratio: float, spread: float,
                              reference: Any) -> None:  # fmt: skip
    plan = sample_size_auc(auc, null, power=0.9, ratio=ratio, spread=spread, reference=reference)
    assert 0.9 <= plan.power < 0.93
    assert simulated_one(plan, auc, null) == pytest.approx(plan.power, abs=CLOSE)


def test_where_negatives_are_scarce_the_old_formula_promised_too_much() -> None:
    old = sample_size_auc(0.9, 0.8, power=0.9, ratio=0.1, variance="hanley-mcneil")
    at: dict[str, Any] = {"n_pos": old.n_pos, "n_neg": old.n_neg}
    plan = power_auc(0.9, 0.8, reference="normal", **at)
    assert old.power > 0.9
    assert plan.power < 0.75
    assert simulated_one(plan, 0.9, 0.8) == pytest.approx(plan.power, abs=CLOSE)


@pytest.mark.slow
@pytest.mark.parametrize("reference", ["normal", "t"])
@pytest.mark.parametrize(
    ("aucs", "ratio", "spreads"),
    [((0.8, 0.9), 0.2, (1, 1)), ((0.85, 0.95), 5, (1, 1)), ((0.9, 0.75), 1, (1, 2))],
)
def test_the_power_of_a_difference(aucs: Any, ratio: float, spreads: Any, reference: Any) -> None:
    plan = sample_size_difference(
        *aucs, score_correlation=(0.6, 0.4), ratio=ratio, spread=spreads, reference=reference
    )
    rng, trials, found = np.random.default_rng(2), 250, 0.0
    for _ in range(4):
        noise = []
        for rows, r in ((plan.n_pos, 0.6), (plan.n_neg, 0.4)):
            own = rng.normal(size=(2, trials, rows))
            noise.append(math.sqrt(r) * rng.normal(size=(trials, rows)) + math.sqrt(1 - r) * own)
        models = [
            influence(shift(auc, spread) + spread * noise[0][k], noise[1][k])
            for k, (auc, spread) in enumerate(zip(aucs, spreads, strict=True))
        ]
        (a, *one), (b, *other) = sorted(models, key=lambda model: float(model[0].mean()))
        parts = parts_of(*one), parts_of(*other)
        covariance = np.add(*parts_of(one[0], one[1], other))
        rule = Rule(plan.n_pos, plan.n_neg, 0.025, reference)
        with np.errstate(all="ignore"):
            limit = difference_limit((a, np.minimum(b, 1 - 1e-9)), parts, covariance, rule)
        found += float((limit > 0).mean()) / 4
    assert found == pytest.approx(plan.power, abs=CLOSE + 0.01)


@pytest.mark.slow
def test_the_power_of_what_delong_and_compare_say() -> None:
    rng, trials = np.random.default_rng(3), 600
    plan = power_difference(
        0.75, 0.9, n_pos=25, n_neg=60, score_correlation=0.5, reference="normal"
    )
    alone = power_auc(0.9, 0.75, n_pos=25, n_neg=60, reference="normal")
    y, found = np.repeat([1, 0], [25, 60]), np.zeros(2)
    for _ in range(trials):
        common, own = rng.normal(size=85), rng.normal(size=(2, 85))
        a, b = (
            shift(auc, 1) * y + math.sqrt(0.5) * (common + noise)
            for auc, noise in zip((0.75, 0.9), own, strict=True)
        )
        found[0] += pr.compare(y, {"a": a, "b": b}, "auc", reference="normal").p_value <= 0.05
        found[1] += pr.delong(y, b, "auc", **KNOWN).interval[0] > 0.75
    assert found / trials == pytest.approx([plan.power, alone.power], abs=0.055)


def test_a_correlation_of_aucs_that_scores_have_gives_the_same() -> None:
    at: dict[str, Any] = {"n_pos": 80, "n_neg": 120}
    by_scores = power_difference(0.8, 0.88, score_correlation=0.5, **at)
    first, second = (power_auc(auc, **at).standard_errors[1] for auc in (0.8, 0.88))
    error = by_scores.standard_errors[1]
    r = (first**2 + second**2 - error**2) / (2 * first * second)
    by_aucs = power_difference(0.8, 0.88, correlation=r, **at)
    assert by_aucs.standard_errors[1] == pytest.approx(error)
    assert by_aucs.power == pytest.approx(by_scores.power, abs=0.01)


def test_either_order_of_models_has_the_same_power() -> None:
    at: dict[str, Any] = {"n_pos": 50, "n_neg": 90, "score_correlation": 0.3}
    up = power_difference(0.7, 0.85, spread=(2, 1), **at)
    down = power_difference(0.85, 0.7, spread=(1, 2), **at)
    assert up.power == down.power
    less = power_difference(0.85, 0.7, spread=(1, 2), alternative="less", alpha=0.025, **at)
    assert less.power == up.power


def test_t_promises_less_than_z_and_they_meet_in_large_samples() -> None:
    for rows, near in ((20, 0.15), (2000, 0.01)):
        null = 0.9 - 0.1 * math.sqrt(58 / rows)
        z, t = (
            power_auc(0.9, null, n_pos=rows, n_neg=rows, reference=r).power for r in ("normal", "t")
        )
        assert z - near < t < z


def test_tests_and_spreads_are_told() -> None:
    plan = power_auc(0.9, 0.8, n_pos=60, n_neg=60, spread=2)
    assert repr(plan).startswith("AUC 0.9 against 0.8: two-sided t-test at level 0.05\n")
    assert repr(plan).endswith(" (normal scores, spread 2)")
    assert plan.options == {"spread": 2.0, "reference": "t"}
    assert type(plan.power) is float
    two = power_difference(0.8, 0.9, n_pos=60, n_neg=60, correlation=0, spread=(1, 2),
                           reference="normal")  # fmt: skip
    assert " two-sided z-test " in repr(two)
    assert repr(two).endswith(" (normal scores, spreads 1 and 2)")


@pytest.mark.parametrize("reference", ["normal", "t"])
@pytest.mark.parametrize(("auc", "ratio", "spread"), [(0.9, 1, 1), (0.75, 4, 2), (0.95, 0.2, 1)])
def test_widths(auc: float, ratio: float, spread: float, reference: Any) -> None:
    options: dict[str, Any] = {"ratio": ratio, "spread": spread, "reference": reference}
    wanted = 1.2 * (1 - auc)
    plan = sample_size_width(auc, wanted, **options)
    assert plan.width <= wanted
    wider = sample_size_width(auc, plan.width * 1.001, **options)
    assert wider.n_pos <= plan.n_pos  # no fewer rows would do
    rng, rule = np.random.default_rng(6), Rule(plan.n_pos, plan.n_neg, 0.025, reference)
    pos = shift(auc, spread) + spread * rng.normal(size=(300, plan.n_pos))
    values, up, down = influence(pos, rng.normal(size=(300, plan.n_neg)))
    low, high = limits(values, parts_of(up, down), rule)
    assert np.median(high - low) == pytest.approx(plan.width, rel=0.05)


def test_the_width_is_that_of_delong() -> None:
    plan = sample_size_width(0.85, 0.2, reference="normal")
    rng, y = np.random.default_rng(7), np.repeat([1, 0], [plan.n_pos, plan.n_neg])
    found = [
        np.ptp(pr.delong(y, shift(0.85, 1) * y + rng.normal(size=len(y)), "auc", **KNOWN).interval)
        for _ in range(300)
    ]
    assert np.median(found) == pytest.approx(0.2, rel=0.05)


def test_results_of_widths() -> None:
    plan = pr.sample_size_width(0.9, 0.1, ratio=4)
    assert plan.total == plan.n_pos + plan.n_neg == 5 * plan.n_pos
    assert pickle.loads(pickle.dumps(plan)) == plan
    assert json.loads(json.dumps(plan.to_dict())) == plan.to_dict()
    assert "| auc | low | high | width |" in plan.to_markdown()
    assert plan.to_frame("pandas")["n_pos"][0] == plan.n_pos


def test_what_widths_refuse() -> None:
    for wrong in (0, 1, -0.1):
        refused(ValueError, rf"^width is {wrong}; it must lie in \(0, 1\), as 0\.1",
                pr.sample_size_width, 0.9, wrong)  # fmt: skip
    refused(ValueError, r"^confidence is 95; it must lie", pr.sample_size_width, 0.9, 0.1,
            confidence=95)  # fmt: skip
    refused(ValueError, r"^reference is 'z'; choose one of 't', 'normal', None$",
            pr.sample_size_width, 0.9, 0.1, reference="z")  # fmt: skip
    refused(ValueError, r"^no sample of up to 1e\+12 positive rows has an interval of width 1e-09",
            pr.sample_size_width, 0.9, 1e-9)  # fmt: skip
