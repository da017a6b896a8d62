"""Closed-form errors against placements pair by pair, derivatives, the jackknife, resamples."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, permutations
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from given.strategies import FLOATS, Sample, rounded_rows, samples
from oracle import delong_reference as slow
from oracle import leverage_reference as leverage
from oracle.delong_reference import Data, scored

COSTS = np.array([[0, 1, 2, 3], [1, 0, 4, 1], [2, 1, 0, 1], [0.5, 1, 1, 0]])
PAIR_WEIGHTS = np.array([[0, 3, 1, 0.5], [0, 0, 2, 0], [1, 0, 0, 0.25], [0, 1, 0, 0]])


def all_measures(K: int) -> dict[str, Any]:
    """Every measure with every option that changes its derivative."""
    A, W = COSTS[:K, :K], PAIR_WEIGHTS[:K, :K]
    found: dict[str, Any] = {
        "M": pr.HandTill(),
        "M prevalence": pr.HandTill("prevalence"),
        "M given": pr.HandTill(W),
        "mu": pr.AucMu(),
        "mu exact": pr.AucMu(ties="exact"),
        "mu costs": pr.AucMu(A),
        "mu costs exact": pr.AucMu(A, ties="exact"),
        "mu prevalence": pr.AucMu(A, "prevalence"),
        "mu given": pr.AucMu(pair_weights=W),
        "macro": pr.OneVsRest(),
        "prevalence": pr.OneVsRest("prevalence"),
        "micro": pr.OneVsRest("micro"),
        "each": pr.OneVsRest(None),
    }
    if K == 2:
        found["auc"] = pr.Auc()
    else:
        found["polar"] = pr.PolarArea()
        found["polar share"] = pr.PolarArea(normalize=True)
        found["polar by pairs"] = pr.PolarArea(order="pairs")
    return found


def agrees(data: Data, measures: dict[str, Any], within: float = 1e-6) -> None:
    """Estimates are the measures' own bits; covariances are those by derivatives and leverage."""
    found = pr.delong(data.y, data.P, measures, **data.options)
    for name, one in measures.items():
        result = found[name]
        value = one(data.y, data.P, labels=data.labels, sample_weight=data.w)
        np.testing.assert_array_equal(result.estimate, value, err_msg=name)
        expected = leverage.known_by_derivatives(one, data)
        assert result.covariance is not None
        np.testing.assert_allclose(
            result.covariance, expected.covariance, rtol=within, atol=within * 1e-3, err_msg=name
        )
        errors = np.sqrt(np.diag(result.covariance))
        said = np.ravel(result.standard_error)
        # Errors of rounding alone are 0, but for those that leverage has raised above it.
        np.testing.assert_array_equal(said[errors > 1e-11], errors[errors > 1e-11])
        assert (said[errors <= 1e-11] <= 1e-11).all()
        varies = errors > 1e-4  # else differences say little of fourth powers
        freedom = np.ravel(result.freedom)[: len(errors)][varies]
        np.testing.assert_allclose(
            freedom, expected.freedom[varies], rtol=100 * within, err_msg=name
        )


@pytest.mark.parametrize(("m", "n"), [(2, 2), (3, 40), (17, 5), (60, 60)])
@pytest.mark.parametrize("levels", [0, 3])
def test_binary_errors_are_delongs(m: int, n: int, levels: int) -> None:
    rng = np.random.default_rng(m + levels)
    y = rng.permutation(np.repeat([1, 0], [m, n]))
    s = rng.normal(size=m + n) + y
    s = np.round(s * levels) if levels else s
    by_pairs = slow.placements(s[y == 1], s[y == 0])
    by_ranks = slow.midrank_placements(s[y == 1], s[y == 0])
    for one, other in zip(by_pairs, by_ranks, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)
    variance = slow.delong_variance(*by_pairs)
    two_columns = np.column_stack([-s, s])
    for measure in ("auc", "hand_till", "auc_mu", "one_vs_rest"):
        for scores in (s, s.astype(np.float32).astype(float), two_columns):
            if scores.ndim == 1 and levels == 0 and scores is not s:
                continue  # float32 makes other ties
            found = pr.delong(y, scores, measure)
            assert found.standard_error**2 == pytest.approx(variance, rel=1e-12)
            assert found.estimate == pytest.approx(by_pairs[0].mean(), rel=1e-14)
    labels = np.where(y == 1, "ill", "well")
    swapped = pr.delong(labels, -s, "auc", labels=["ill", "well"])
    assert swapped.standard_error**2 == pytest.approx(variance, rel=1e-12)


def test_one_column_serves_every_measure_of_two_classes() -> None:
    y, P = scored([9, 14], 3, votes=7)
    auc = pr.delong(y, P[:, 1], "auc")
    for measure in (pr.HandTill(), pr.AucMu(), pr.OneVsRest(), pr.OneVsRest("prevalence")):
        assert pr.delong(y, P[:, 1], measure).standard_error == auc.standard_error
    each = pr.delong(y, P[:, 1], pr.OneVsRest(None))
    np.testing.assert_array_equal(each.standard_error, [auc.standard_error] * 2)
    np.testing.assert_array_equal(each.covariance, np.full((2, 2), auc.covariance))
    for measure in (pr.HandTill(), pr.AucMu()):
        pairs = pr.delong(y, P[:, 1], measure, pairs=True).pairs
        assert pairs is not None
        known = [[np.nan, auc.standard_error], [auc.standard_error, np.nan]]
        np.testing.assert_allclose(pairs.standard_error, known, rtol=1e-14)


SAMPLES = {
    "continuous": scored([9, 7, 6, 8], 5),
    "votes": scored([9, 7, 6, 8], 23, votes=9),
    "one vote": scored([9, 7, 6, 8], 9, votes=1),
}
ROWS = np.arange(30)
DESIGNS: dict[str, dict[str, Any]] = {
    "rows": {},
    "rows, counts vary": {"stratify": False},
    "whole weights": {"w": np.random.default_rng(1).integers(0, 4, 30).astype(float)},
    "real weights": {"w": np.random.default_rng(2).random(30) * (ROWS % 7 > 0)},
    "real weights, counts vary": {"w": 0.1 + ROWS % 5, "stratify": False},
    "groups": {"groups": ROWS // 3, "stratify": False},
    "weighted groups": {"groups": ROWS // 2, "stratify": False, "w": ROWS % 4 / 3},
}


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("kind", SAMPLES)
def test_errors_are_those_of_derivatives(kind: str, design: str) -> None:
    y, P = SAMPLES[kind]
    data, measures = Data(y, P, **DESIGNS[design]), all_measures(4)
    radii = pr.pairwise(y, P, sample_weight=data.w)[np.triu_indices(4, 1)]
    if len(np.unique(np.round(radii, 9))) < 6:  # the order of largest area has a kink there
        measures = {name: one for name, one in measures.items() if name not in KINKED}
    agrees(data, measures)
    if kind != "continuous":
        single = Data(y, P.astype(np.float32), **DESIGNS[design])
        agrees(single, measures)


KINKED = ("polar", "polar share")


def test_most_samples_have_no_kink() -> None:
    for y, P in (SAMPLES["continuous"], SAMPLES["votes"]):
        assert len(np.unique(pr.pairwise(y, P)[np.triu_indices(4, 1)])) == 6


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("K", [2, 3])
def test_errors_of_few_classes_are_those_of_derivatives(K: int, design: str) -> None:
    y, P = scored([30 - 8 * (K - 1), 8, 8][:K], 40 + K, votes=5)
    P = P + np.round(np.random.default_rng(0).normal(size=P.shape), 1)  # no common sum of rows
    agrees(Data(y, P, **DESIGNS[design]), all_measures(K))


def test_groups_of_one_class_each_in_strata() -> None:
    y, P = scored([12, 9, 9, 10], 8, votes=9)
    groups = y + 4 * np.random.default_rng(0).integers(0, 4, len(y))
    data = Data(y, P, groups=groups, stratify=True)
    agrees(data, {name: one for name, one in all_measures(4).items() if name not in KINKED})
    result = pr.delong(y, P, "hand_till", groups=groups, stratify=True)
    sizes = [len(np.unique(groups[y == i])) for i in range(4)]
    assert np.asarray(result.group_sizes).tolist() == sizes
    assert result.sizes.tolist() == np.bincount(y).tolist()
    assert (result.unit, result.n_units, result.stratified) == ("group", sum(sizes), True)


def test_clusters_add_up_what_obuchowski_does_with_the_leverage_of_each_class() -> None:
    y, P = scored([25, 31], 2, votes=6)
    groups = np.random.default_rng(3).integers(0, 17, 56)
    expected = leverage.auc_variance(y, P[:, 1], groups)
    names = np.array([f"patient {g}" for g in groups])
    for given_groups in (groups, names, groups * 1.5):
        found = pr.delong(y, P[:, 1], "auc", groups=given_groups)
        assert found.standard_error**2 == pytest.approx(expected, rel=1e-12)
        assert not found.stratified
    assert expected > slow.cluster_variance(y, P[:, 1], groups)  # with G / (G - 1)


@pytest.mark.parametrize("stratify", [True, False])
def test_rows_that_are_groups_of_their_own_have_the_errors_of_rows(stratify: bool) -> None:
    rng = np.random.default_rng(14)
    y = np.repeat([1, 0], [5, 50])
    s = rng.normal(size=55) + y
    plain = pr.delong(y, s, "auc")
    for options in ({"groups": np.arange(55)}, {"sample_weight": np.full(55, 0.3)},
                    {"groups": np.arange(55), "sample_weight": np.full(55, 3.0)}, {}):  # fmt: skip
        found = pr.delong(y, s, "auc", stratify=stratify, **options)
        assert found.standard_error == pytest.approx(plain.standard_error, rel=1e-12)
        if stratify or "groups" not in options:
            assert found.freedom == pytest.approx(plain.freedom, rel=1e-12)
            np.testing.assert_allclose(found.interval, plain.interval, rtol=1e-12)


def test_absent_classes_are_left_out() -> None:
    y, P = scored([9, 7, 8], 12, votes=9)
    wide = np.column_stack([P[:, 0], np.ones(24), P[:, 1:]])
    labels = ["a", "none", "b", "c"]
    names = np.array(["a", "b", "c"])[y]
    for measure in ("HandTill", "AucMu", "OneVsRest", "PolarArea"):
        make = getattr(pr, measure)
        full, skipped = make(), make(absent="skip")
        found = pr.delong(names, wide, skipped, labels=labels)
        assert found.estimate == skipped(names, wide, labels=labels)
        expected = pr.delong(names, P, full)
        assert found.standard_error == pytest.approx(expected.standard_error, rel=1e-12)
    agrees(Data(names, wide, labels=labels), {"micro": pr.OneVsRest("micro", absent="skip")})
    each = pr.delong(names, wide, pr.OneVsRest(None, absent="skip"), labels=labels)
    inner = pr.delong(names, P, pr.OneVsRest(None))
    there = [0, 2, 3]
    assert each.covariance is not None
    assert np.isnan(each.standard_error[1])
    assert np.isnan(each.interval[1]).all()
    assert np.isnan(each.covariance[1]).all()
    assert np.isnan(each.covariance[:, 1]).all()
    assert inner.covariance is not None
    np.testing.assert_allclose(each.covariance[np.ix_(there, there)], inner.covariance, rtol=1e-12)
    weightless = np.append(np.ones(24), [0.0, 0.0])
    more, y_more = np.vstack([wide, wide[:2]]), np.append(names, ["none", "none"])
    found = pr.delong(
        y_more, more, pr.HandTill(absent="skip"), labels=labels, sample_weight=weightless
    )
    assert found.standard_error == pytest.approx(pr.delong(names, P, "hand_till").standard_error)


@pytest.mark.parametrize("votes", [0, 9])
def test_means_of_aucs_have_their_jackknife_error(votes: int) -> None:
    y, P = scored([9, 7, 6, 8], 31, votes=votes)
    data = Data(y, P)
    for name in ("M", "M given", "mu exact", "mu given"):
        one = all_measures(4)[name]
        jackknife = slow.jackknife_variance(one, data)
        found = pr.delong(y, P, one).standard_error
        assert found**2 == pytest.approx(jackknife, rel=1e-10), name


def test_other_measures_have_nearly_their_jackknife_error() -> None:
    y, P = scored([40, 30, 25, 35], 32)
    for name in ("M prevalence", "mu prevalence", "macro", "prevalence", "micro", "polar"):
        one = all_measures(4)[name]
        for stratify in (True, False):
            jackknife = slow.jackknife_variance(one, Data(y, P, stratify=stratify))
            found = pr.delong(y, P, one, stratify=stratify).standard_error
            assert found**2 == pytest.approx(jackknife, rel=0.05), name


def test_duplicated_rows_count_each() -> None:
    y, P = scored([9, 7, 6], 4, votes=5)
    twice = pr.delong(np.tile(y, 2), np.tile(P, (2, 1)), "hand_till")
    together = pr.delong(
        np.tile(y, 2), np.tile(P, (2, 1)), "hand_till", groups=np.tile(ROWS[:22], 2)
    )
    once = pr.delong(y, P, "hand_till", groups=ROWS[:22])
    assert together.standard_error == pytest.approx(once.standard_error, rel=1e-12)
    assert twice.standard_error < 0.75 * once.standard_error


@pytest.mark.parametrize("votes", [0, 9])
def test_pairs_have_the_errors_of_two_classes_alone(votes: int) -> None:
    y, P = scored([9, 7, 6, 8], 6, votes=votes)
    both = pr.delong(y, P, {"M": "hand_till", "mu": "auc_mu", "costs": pr.AucMu(COSTS)}, pairs=True)
    conditional = pr.delong(y, P, "polar_area", pairs=True).pairs
    for i, j in combinations(range(4), 2):

        def two(s: Any, i: int = i, j: int = j) -> tuple[Any, Any]:
            return slow.placements(s[y == i], s[y == j])

        first, second = two(P[:, i]), two(-P[:, j])
        mean = [(a + b) / 2 for a, b in zip(first, second, strict=True)]
        expected = {
            "M": slow.delong_variance(*mean),
            "mu": slow.delong_variance(*two(slow.projected(P, i, j))),
            "costs": slow.delong_variance(*two(slow.projected(P, i, j, COSTS))),
        }
        for name, variance in expected.items():
            pairs = both[name].pairs
            assert pairs is not None
            assert pairs.standard_error[i, j] ** 2 == pytest.approx(variance, rel=1e-10)
            assert pairs.standard_error[i, j] == pairs.standard_error[j, i]
        assert conditional is not None
        assert conditional.standard_error[i, j] ** 2 == pytest.approx(expected["M"], rel=1e-10)
    kinds = {"M": pr.pairwise(y, P), "mu": pr.pairwise(y, P, kind="auc_mu")}
    for name, values in kinds.items():
        pairs = both[name].pairs
        assert pairs is not None
        np.testing.assert_array_equal(pairs.estimate, values)
        assert np.isnan(np.diag(pairs.standard_error)).all()
        assert pairs.covariance is None


def test_pairs_have_the_errors_of_derivatives() -> None:
    y, P = SAMPLES["votes"]
    data = Data(y, P, **DESIGNS["rows, counts vary"])
    for measure, kind in ((pr.HandTill(), "hand_till"), (pr.AucMu(), "auc_mu")):
        pairs = pr.delong(y, P, measure, pairs=True, **data.options).pairs
        assert pairs is not None
        upper = np.triu_indices(4, 1)

        def values(*rows: Any, kind: Any = kind, **options: Any) -> Any:
            return pr.pairwise(*rows, kind=kind, **options)[np.triu_indices(4, 1)]

        fixed = replace(data, stratify=True)  # counts do not enter the AUC of a pair
        expected = np.sqrt(np.diag(slow.covariance_by_derivatives(values, fixed)))
        np.testing.assert_allclose(pairs.standard_error[upper], expected, rtol=1e-6)


@pytest.mark.parametrize("stratify", [True, False])
def test_classes_against_the_rest_vary_together(stratify: bool) -> None:
    y, P = SAMPLES["votes"]
    each = pr.delong(y, P, pr.OneVsRest(None), stratify=stratify).covariance
    assert each is not None
    np.testing.assert_array_equal(each, each.T)
    assert np.linalg.eigvalsh(each).min() > -1e-15
    assert abs(each - np.diag(np.diag(each))).max() > 1e-4
    # The macro average has fixed weights, also where class counts vary.
    macro = pr.delong(y, P, "one_vs_rest", stratify=stratify).standard_error
    assert macro**2 == pytest.approx(each.sum() / 16, rel=1e-12)
    # Prevalence weights are fixed with the class counts, and only then.
    share = np.bincount(y) / len(y)
    prevalence = pr.delong(y, P, pr.OneVsRest("prevalence"), stratify=stratify).standard_error
    assert (prevalence**2 == pytest.approx(share @ each @ share, rel=1e-12)) == stratify


@pytest.mark.slow
@given(samples(K=st.integers(2, 4), weighting=("none", "whole", "real"), most=16, infinite=True,
               dtypes=(*FLOATS, "int8", "bool")), st.booleans())  # fmt: skip
@settings(max_examples=60)
def test_any_scores_by_column(sample: Sample, stratify: bool) -> None:
    names = ["M", "M prevalence", "macro", "prevalence", "micro", "each"]
    holds(sample, stratify, [*names, "polar by pairs"] if sample.K > 2 else [*names, "auc"])


@pytest.mark.slow
@given(samples(K=st.integers(2, 4), weighting=("none", "whole", "real"), most=16,
               dtypes=("float64",), scores=rounded_rows(6)), st.booleans())  # fmt: skip
@settings(max_examples=40)
def test_any_votes_by_projection(sample: Sample, stratify: bool) -> None:
    holds(sample, stratify, ["mu", "mu exact", "mu costs", "mu prevalence", "mu given"])


def holds(sample: Sample, stratify: bool, names: list[str]) -> None:
    """A class of one row is an error; else errors are those of derivatives, and never a point."""
    data = Data(sample.c, sample.P, sample.w, stratify=stratify)
    measures = {name: all_measures(sample.K)[name] for name in names}
    sizes = np.bincount(sample.c[data.weights > 0], minlength=sample.K)
    if sizes.min() == 1:
        with pytest.raises(ValueError, match=r"^class(es)? .* a single row, whose spread cannot"):
            pr.delong(sample.c, sample.P, measures, **data.options)
        return
    agrees(data, measures, within=1e-5)
    for result in pr.delong(sample.c, sample.P, measures, **data.options).values():
        assert (np.diff(result.interval, axis=-1) > 0).all()


def test_the_pair_of_two_classes_reads_the_column_that_auc_mu_reads() -> None:
    # Rows have one sum but for rounding; 1 - p ties where p does not.
    y = [0, 1, 0, 1, 0, 1, 0, 1]
    p = np.array([1e-20, 3e-20, 2e-20, 4e-20, 0.25, 0.5, 6e-20, 0.1])
    found = pr.delong(y, np.column_stack([1 - p, p]), "auc_mu", pairs=True)
    assert found.pairs is not None
    assert found.pairs.estimate[0, 1] == found.estimate == pr.auc(y, p)
    assert found.standard_error == pr.delong(y, p, "auc").standard_error
    assert found.pairs.standard_error[0, 1] == pytest.approx(found.standard_error, rel=1e-12)


def test_polar_areas_of_equal_rays_do_not_depend_on_the_order_of_classes() -> None:
    y, P = scored([9, 7, 6, 8], 45, votes=1)
    assert len(np.unique(pr.pairwise(y, P)[np.triu_indices(4, 1)])) < 6
    turned = [pr.delong(y, P[:, order], "polar_area", labels=order) for order in ORDERS]
    assert len({one.estimate for one in turned}) == 1
    assert np.ptp([one.standard_error for one in turned]) < 1e-12


@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.parametrize("votes", [0, 500])
def test_large_classes_have_the_errors_of_rows_that_weigh_alike(votes: int, kind: type) -> None:
    # Rows without weights keep counts of pairs; weighted rows are placed once slopes are known.
    y, P = scored([12_000, 9_000, 20_000, 70_000], 46, votes=votes)
    P = P.astype(kind)
    ways: list[dict[str, Any]] = [{}, {"stratify": False}, {"groups": np.arange(len(y)) // 3}]
    for how in ways:
        for one in ("polar_area", pr.PolarArea(order="pairs")):
            found = pr.delong(y, P, one, n_threads=2, **how)
            weighed = pr.delong(y, P, one, sample_weight=np.full(len(y), 0.5), **how)
            assert found.standard_error == pytest.approx(weighed.standard_error, rel=1e-11)
            alone = pr.delong(y, P, one, n_threads=1, **how)
            assert (found.estimate, found.standard_error) == (alone.estimate, alone.standard_error)
        assert pr.delong(y, P, "polar_area", **how).estimate == pr.polar_area(y, P)


ORDERS = [list(order) for order in permutations(range(4))]
