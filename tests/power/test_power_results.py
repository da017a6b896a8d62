"""Results as pilots: a comparison, or one measure with its error."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from polyroc._power.pilot import power_from_pilot, sample_size_from_pilot

from given.refusals import refused

rng = np.random.default_rng(5)
Y = np.array(["a", "b", "c"])[np.arange(120) % 3]
P = np.eye(3)[np.arange(120) % 3] + rng.normal(size=(120, 3))
Q = P + rng.normal(size=P.shape)
R = P + rng.normal(size=P.shape) / 2
TWO = pr.compare(Y, {"p": P, "q": Q}, "hand_till")
THREE = pr.compare(Y, {"p": P, "q": Q, "r": R}, "hand_till")
MIXED = np.arange(120) // 4  # groups with rows of all classes
PURE = np.arange(120) // 6 * 3 + np.arange(120) % 3  # groups of two rows of one class


def numbers(c: pr.Comparison) -> Any:
    return tuple(c.estimates), c.covariance, dict(zip(c.classes, c.sizes.tolist(), strict=True))


def test_a_comparison_brings_values_covariance_and_sizes() -> None:
    found = sample_size_from_pilot(TWO, power=0.9)
    plain = sample_size_from_pilot(*numbers(TWO), power=0.9)
    assert (found.sizes, found.power, found.total) == (plain.sizes, plain.power, plain.total)
    assert found.options["pilot_variance"] == pytest.approx(TWO.standard_error**2)
    assert (found.models, found.measure, found.unit) == (("p", "q"), "hand_till", "row")
    assert found.n_rows == found.total == sum(found.sizes.values())
    new = power_from_pilot(TWO, new_sizes=found.sizes)
    assert new.power == found.power
    # In the order of the classes, which have names here.
    assert power_from_pilot(TWO, new_sizes=list(found.sizes.values())) == new
    assert power_from_pilot(TWO, new_sizes=2 * TWO.sizes).sizes == {"a": 80, "b": 80, "c": 80}


def test_two_of_several_models_in_either_order() -> None:
    found = sample_size_from_pilot(THREE, models=("r", "p"))
    assert found.estimates == (THREE.estimates[2], THREE.estimates[0])
    assert found.options["pilot_variance"] == pytest.approx(
        THREE.pair("r", "p").standard_error ** 2
    )
    turned = sample_size_from_pilot(THREE, models=["p", "r"])
    assert turned.sizes == found.sizes
    # Second minus first: p is the better one.
    assert sample_size_from_pilot(THREE, models=("q", "p"), alternative="greater").total
    refused(ValueError, r"^the expected difference is -", sample_size_from_pilot, THREE,
            models=("p", "q"), alternative="greater")  # fmt: skip


def test_what_is_expected_need_not_be_what_was_found() -> None:
    found = sample_size_from_pilot(TWO, expected=(0.9, 0.93))
    assert found.estimates == (0.9, 0.93)
    assert found.sizes == sample_size_from_pilot((0.9, 0.93), *numbers(TWO)[1:]).sizes


def test_one_measure_against_a_value() -> None:
    for one in (pr.delong(Y, P, "hand_till"), pr.bootstrap(Y, P, "hand_till", seed=1)):
        found = sample_size_from_pilot(one, null=0.7)
        sizes = dict.fromkeys("abc", 40)
        plain = sample_size_from_pilot(one.estimate, one.standard_error**2, sizes, null=0.7)
        assert (found.sizes, found.power) == (plain.sizes, plain.power)
        assert repr(found).startswith(f"hand_till {one.estimate:g} against 0.7: two-sided test")
        assert power_from_pilot(one, new_sizes=found.sizes, null=0.7, expected=0.8).estimates == (
            0.8,
        )


def test_pilots_in_groups_are_answered_in_groups() -> None:
    grouped = pr.compare(Y, {"p": P, "q": Q}, "hand_till", groups=PURE)
    found = sample_size_from_pilot(grouped, expected=(0.8, 0.78))
    assert found.unit == "group"
    assert found.total == sum(found.sizes.values())  # no group has two classes
    assert found.n_rows == 2 * found.total
    per_group = found.options["pilot_variance"]
    assert per_group == pytest.approx(grouped.standard_error**2)
    sizes = dict.fromkeys("abc", 20)
    assert found.sizes == sample_size_from_pilot((0.8, 0.78), grouped.covariance, sizes).sizes
    lines = repr(found).splitlines()
    assert lines[1].endswith(
        f" with {found.total:,} groups: "
        + ", ".join(f"{size:,} with rows of '{label}'" for label, size in found.sizes.items())
    )
    assert lines[2] == f"  some {found.n_rows:,} rows, if groups are as large as the pilot's"
    out = found.to_dict()
    assert json.loads(json.dumps(out, allow_nan=False)) == out
    assert (out["unit"], out["total"], out["n_rows"]) == ("group", found.total, found.n_rows)
    frame = found.to_frame("pandas")
    assert (frame["unit"][0], frame["total"][0]) == ("group", found.total)
    same = power_from_pilot(grouped, new_sizes=grouped.group_sizes, expected=(0.8, 0.78))
    assert (same.total, same.n_rows) == (60, 120)
    assert same.standard_errors[0] == pytest.approx(grouped.standard_error)


def test_groups_with_several_classes_count_once() -> None:
    grouped = pr.delong(Y, P, "auc_mu", groups=MIXED)
    assert grouped.n_units == 30
    same = power_from_pilot(grouped, new_sizes=grouped.group_sizes, null=0.5)
    assert (same.total, same.n_rows, same.sizes) == (30, 120, dict.fromkeys("abc", 30))
    more = sample_size_from_pilot(grouped, expected=0.8, null=0.78)
    factor = more.sizes["a"] / 30
    assert more.total == pytest.approx(30 * factor, abs=1)
    assert more.n_rows == pytest.approx(120 * factor, abs=4)


def test_models_on_different_rows_grow_together() -> None:
    given = {"p": P, "q": Q[:60], "r": R[:90]}
    y = {name: Y[: len(scores)] for name, scores in given.items()}
    apart = pr.compare(y, given, "hand_till")
    same = power_from_pilot(apart, new_sizes=[60, 60, 60], models=("p", "q"))
    assert same.standard_errors[0] == pytest.approx(apart.pair("p", "q").standard_error)
    assert " with 180 rows, of both models together: 60 of 'a', " in repr(same)
    groups = {name: np.arange(len(scores)) // 4 for name, scores in given.items()}
    clusters = pr.compare(y, given, "hand_till", groups=groups)
    refused(ValueError, r"^the models have groups of their own with rows of several classes; ",
            sample_size_from_pilot, clusters, models=("p", "q"))  # fmt: skip


def test_classes_without_rows_have_no_size() -> None:
    wide = np.column_stack([P, rng.normal(size=120)])
    estimate = pr.delong(Y, wide, pr.HandTill(absent="skip"), labels=["a", "b", "c", "d"])
    found = power_from_pilot(estimate, new_sizes=2 * estimate.sizes, null=0.5)
    assert found.sizes == dict.fromkeys("abc", 80)


def test_titles_name_models_and_directions() -> None:
    first = repr(sample_size_from_pilot(TWO, expected=(0.9, 0.93))).splitlines()[0]
    assert first == "hand_till 0.9 (p) and 0.93 (q): two-sided test at level 0.05"
    margin = sample_size_from_pilot(TWO, expected=(0.9, 0.9), null=-0.02, alternative="greater")
    assert repr(margin).splitlines()[0] == (
        'hand_till 0.9 (p) and 0.9 (q), q - p against -0.02: one-sided ("greater") test at level '
        "0.05"
    )


def test_wrong_pilots() -> None:
    def size(*given: Any, **options: Any) -> Any:
        return sample_size_from_pilot(*given, **options)

    refused(ValueError, r"^the pilot compares 3 models, \['p', 'q', 'r'\]; name two of them, as "
            r"models=\('p', 'q'\)$", size, THREE)  # fmt: skip
    for wrong in ("p", ("p", "p"), ("p", "x"), ("p",), ("p", ["q"])):
        refused(ValueError, r"^models is .*; name two of \['p', 'q'\], the first", size, TWO,
                models=wrong)  # fmt: skip
    refused(TypeError, r"^models is \('p', 'q'\) but the pilot has one model; leave", size,
            pr.delong(Y, P), models=("p", "q"), null=0.5)  # fmt: skip
    refused(ValueError, r"^null is missing; ", size, pr.delong(Y, P))
    each = pr.delong(Y, P, pr.OneVsRest(None))
    refused(ValueError, r"^the pilot has one value per class; pass one of its", size, each,
            null=0.5)  # fmt: skip
    own = r"^covariance is given but the pilot is a Comparison, which has its own; leave it out"
    refused(TypeError, own, power_from_pilot, TWO, [200, 200, 200])
    refused(TypeError, r"^sizes is given but the pilot is", size, TWO, sizes=[40, 40, 40])
    refused(TypeError, r"^new_sizes is missing; ", power_from_pilot, TWO)
    refused(ValueError, r"^new_sizes has 2 values but the pilot the classes \['a', 'b', 'c'\]; ",
            power_from_pilot, TWO, new_sizes=[9, 9])  # fmt: skip
    refused(ValueError, r"^expected has 1 value; pass those of both models$", size, TWO,
            expected=0.9)  # fmt: skip
    refused(ValueError, r"^new_sizes has shape \(2, 3\); pass one number per class, or a dict of",
            power_from_pilot, TWO, new_sizes=np.unique(Y, return_counts=True))  # fmt: skip
    several = pr.delong(Y, P, ["auc_mu", "hand_till"])
    refused(TypeError, r"^the pilot is a Results of several measures; .* as pilot\['auc_mu'\]$",
            size, several, null=0.5)  # fmt: skip
    refused(TypeError, r"^covariance is missing; .*or pass the result of compare", size, 0.9)
    refused(TypeError, r"^expected goes with a result as the pilot; leave it out$", size, 0.9,
            0.001, [9, 9], expected=0.9, null=0.5)  # fmt: skip
    bare = pr.compare(Y == "a", {"p": P[:, 0], "q": Q[:, 0]}, pr.TprAt(0.5), method="permutation",
                      n_resamples=20, seed=1)  # fmt: skip
    refused(ValueError, r"^the pilot has no standard errors; make it by method=", size, bare)
