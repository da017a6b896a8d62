"""Bad input to power and sample size: an error that names the place and the way out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from polyroc._power.difference import power_difference, sample_size_difference
from polyroc._power.one_auc import power_auc, sample_size_auc
from polyroc._power.pilot import power_from_pilot, sample_size_from_pilot

from given.refusals import refused

nan, inf = float("nan"), float("inf")
COVARIANCE = [[9e-4, 5e-4], [5e-4, 8e-4]]
SIZES = [40, 60]


def one(**options: Any) -> Any:
    return sample_size_auc(**{"auc": 0.8, **options})


def two(**options: Any) -> Any:
    return sample_size_difference(**{"first": 0.8, "second": 0.85, "correlation": 0.5, **options})


def pilot(**options: Any) -> Any:
    given = {"estimate": (0.8, 0.85), "covariance": COVARIANCE, "sizes": SIZES}
    return sample_size_from_pilot(**{**given, **options})


def one_at(**options: Any) -> Any:
    return power_auc(**{"auc": 0.8, "n_pos": 20, "n_neg": 20, **options})


def two_at(**options: Any) -> Any:
    sizes = {"n_pos": 20, "n_neg": 20}
    return power_difference(
        **{"first": 0.8, "second": 0.85, "correlation": 0.5, **sizes, **options}
    )


def pilot_at(**options: Any) -> Any:
    given = {"estimate": (0.8, 0.85), "covariance": COVARIANCE, "sizes": SIZES, "new_sizes": SIZES}
    return power_from_pilot(**{**given, **options})


EVERY = [one, two, pilot, one_at, two_at, pilot_at]


@pytest.mark.parametrize("call", EVERY)
def test_levels_and_sides(call: Any) -> None:
    call()  # what is spoiled below is right as it stands
    for wrong in (0, 1, -0.1, 5, 1.0):
        refused(ValueError, rf"^alpha is {wrong}; it must lie in \(0, 1\)", call, alpha=wrong)
    for odd in (nan, inf):
        refused(ValueError, rf"^alpha is {odd}; pass a finite number$", call, alpha=odd)
    for kind in ("0.05", None, True, [0.05]):
        refused(TypeError, r"^alpha is .*; pass a number$", call, alpha=kind)
    side = r"^alternative is 'one-sided'; choose one of 'two-sided', 'greater', 'less'$"
    refused(ValueError, side, call, alternative="one-sided")


@pytest.mark.parametrize("call", [one, two, pilot])
def test_powers(call: Any) -> None:
    for wrong in (0, 1, 80, -0.8):
        refused(ValueError, rf"^power is {wrong}; it must lie in \(0, 1\), as 0\.8", call,
                power=wrong)  # fmt: skip
    refused(TypeError, r"^power is '80%'; pass a number$", call, power="80%")


def test_aucs() -> None:
    for call, names in ((one, ("auc", "null")), (one_at, ("auc", "null")),
                        (two, ("first", "second")), (two_at, ("first", "second"))):  # fmt: skip
        for name in names:
            for wrong in (0, 1, 1.0, -0.2, 80):
                message = rf"^{name} is {wrong}; it must lie in \(0, 1\), as 0\."
                refused(ValueError, message, call, **{name: wrong})
            refused(TypeError, rf"^{name} is None; pass a number$", call, **{name: None})


def test_nothing_to_detect() -> None:
    refused(ValueError, r"^auc is 0\.8 and null is 0\.8: there is nothing to detect; ", one,
            null=0.8)  # fmt: skip
    refused(ValueError, r"^first is 0\.85 and second is 0\.85: there is nothing", two, first=0.85)
    refused(ValueError, r"^the expected difference is 0 and null is 0: there is nothing", pilot,
            estimate=(0.8, 0.8))  # fmt: skip
    refused(ValueError, r"^the expected value is 0\.8 and null is 0\.8: ", pilot_at, estimate=0.8,
            covariance=1e-4, null=0.8)  # fmt: skip
    near = r"^no sample of up to 1e\+12 positive rows has power 0\.8; .*too near each other$"
    refused(ValueError, near, one, auc=0.8, null=0.8 + 1e-9)


@pytest.mark.parametrize("call", EVERY)
def test_effects_on_the_other_side(call: Any) -> None:
    other = r'.*, which alternative="less" does not look for; pass alternative="greater" or '
    refused(ValueError, other, call, alternative="less")


def test_ratios_and_row_counts() -> None:
    for call in (one, two):
        for wrong in (0, -1.5):
            refused(ValueError, rf"^ratio is {wrong}; it is n_neg / n_pos, a number > 0$", call,
                    ratio=wrong)  # fmt: skip
        refused(ValueError, r"^ratio is nan; pass a finite number$", call, ratio=nan)
    for call in (one_at, two_at):
        for name in ("n_pos", "n_neg"):
            refused(ValueError, rf"^{name} is 0; every class needs at least one row$", call,
                    **{name: 0})  # fmt: skip
            for kind in (20.5, "20", True, None):
                refused(TypeError, rf"^{name} is .*; pass a whole number of rows$", call,
                        **{name: kind})  # fmt: skip


def test_formulas_and_correlations() -> None:
    formulas = r"^variance is 'delong'; choose one of 'binormal', 'hanley-mcneil', 'obuchowski'$"
    for call in (one, two, one_at, two_at):
        refused(ValueError, formulas, call, variance="delong")
    for wrong in (1, 1.5, -1.1):
        refused(ValueError, rf"^correlation is {wrong}; pass a correlation >= -1 and < 1$", two,
                correlation=wrong)  # fmt: skip
    one_of = r"^pass one of correlation=, that of the two estimated AUCs"
    refused(ValueError, one_of, two, correlation=None)
    refused(ValueError, one_of, two, score_correlation=0.5)
    scores = {"correlation": None, "variance": "obuchowski"}
    only = r'^score_correlation is for variance="binormal" or "obuchowski", not "hanley-mcneil"; '
    refused(ValueError, only, two, correlation=None, score_correlation=0.5,
            variance="hanley-mcneil")  # fmt: skip
    refused(ValueError, r"^score_correlation has 3 values; pass one, or \(pos", two,
            score_correlation=(0.1, 0.2, 0.3), **scores)  # fmt: skip
    refused(ValueError, r"^score_correlation is 2; pass a correlation", two,
            score_correlation=(0.5, 2), **scores)  # fmt: skip


def test_spreads_and_references() -> None:
    for call in (one, two, one_at, two_at):
        for wrong in (0, -2):
            refused(ValueError, rf"^spread is {wrong}; it is the standard deviation of", call,
                    spread=wrong)  # fmt: skip
        refused(TypeError, r"^spread is '2'; pass a number$", call, spread="2")
        refused(ValueError, r"^reference is 'z'; choose one of 't', 'normal', None$", call,
                reference="z")  # fmt: skip
        for formula in ("hanley-mcneil", "obuchowski"):
            refused(ValueError, rf"^spread is for variance=\"binormal\", and '{formula}' has", call,
                    spread=2, variance=formula)  # fmt: skip
            refused(ValueError, rf"^reference is 't' but '{formula}' is a formula for z-t", call,
                    reference="t", variance=formula)  # fmt: skip
    refused(ValueError, r"^spread has 3 values; pass one, or \(first, second\)$", two,
            spread=(1, 2, 3))  # fmt: skip
    for call in (one_at, two_at):
        refused(ValueError, r"^n_neg is 1; a test takes the spread of every class from its rows: ",
                call, n_neg=1)  # fmt: skip


@pytest.mark.parametrize("call", [pilot, pilot_at])
def test_covariances(call: Any) -> None:
    indefinite = r"^covariance is not positive semidefinite: .*; no two estimates have such"
    refused(ValueError, indefinite, call, covariance=[[1e-4, 3e-4], [3e-4, 1e-4]])
    refused(ValueError, indefinite, call, covariance=[[-1e-4, 0], [0, 1e-4]])
    lopsided = [[9e-4, 1e-4], [5e-4, 8e-4]]
    refused(ValueError, r"^covariance is not symmetric: ", call, covariance=lopsided)
    refused(ValueError, r"^covariance holds nan or inf; ", call, covariance=[[nan, 0], [0, 1]])
    shape = r"^covariance has shape \(3, 3\); it must be 2 x 2 for two estimates$"
    refused(ValueError, shape, call, covariance=np.eye(3))
    single = {"estimate": 0.8, "null": 0.5}
    refused(ValueError, r"^covariance has shape \(2, 2\); it must be the variance of the estimate$",
            call, covariance=COVARIANCE, **single)  # fmt: skip
    refused(ValueError, r"^covariance gives the value a variance of 0; ", call, covariance=0,
            **single)  # fmt: skip
    equal = [[1e-4, 1e-4], [1e-4, 1e-4]]
    refused(ValueError, r"^covariance gives the difference a variance of 0; the pilot must show",
            call, covariance=equal)  # fmt: skip
    refused(TypeError, r"^covariance is 'x'; pass a number$", call, covariance="x", **single)


@pytest.mark.parametrize("call", [pilot, pilot_at])
def test_pilots(call: Any) -> None:
    refused(ValueError, r"^null is missing; pass the value that one estimate", call, estimate=0.8,
            covariance=1e-4)  # fmt: skip
    refused(ValueError, r"^estimate has 3 values; pass one, or those of two models$", call,
            estimate=(0.7, 0.8, 0.9))  # fmt: skip
    refused(ValueError, r"^estimate\[1\] is nan; pass a finite number$", call, estimate=(0.8, nan))
    refused(ValueError, r"^sizes\[1\] is 0; every class needs at least one row$", call,
            sizes=[40, 0])  # fmt: skip
    refused(TypeError, r"^sizes\['b'\] is 2\.5; pass a whole number", call,
            sizes={"a": 4, "b": 2.5})  # fmt: skip
    refused(ValueError, r"^sizes has 1 class; an AUC compares at least two$", call, sizes=[40])


def test_new_sizes_of_other_classes() -> None:
    names = r"^new_sizes has the classes \[0, 1, 2\] but sizes has \[0, 1\]; name the same$"
    refused(ValueError, names, pilot_at, new_sizes=[1, 2, 3])
