"""Errors and resamples of many labels per row: by row, across all labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest
from numpy.typing import NDArray
from polyroc import _core

from given import core_weights
from oracle import multilabel_reference as ref

Array = NDArray[Any]
RNG = np.random.default_rng(2)
N, L = 120, 3
SKILL = RNG.normal(size=(N, 1))  # shared by all labels of a row
Y = (RNG.normal(size=(N, L)) + SKILL > [0.0, 0.8, 1.3]).astype(float)
S = np.round(Y + RNG.normal(size=(N, L)) + SKILL, 1)
HOLES = np.where(RNG.random((N, L)) < 0.15, np.nan, Y)
HOLES[:2] = np.nan  # rows without any label
GROUPS = np.arange(N) // 3
SEED, COUNT = 3, 40
AVERAGES: list[Any] = ["macro", "micro", "prevalence", None]


def close(found: Any, expected: Any, rtol: float = 1e-12) -> None:
    np.testing.assert_allclose(found, expected, rtol=rtol)


def test_one_label_is_an_auc_of_varying_class_counts() -> None:
    y, s = Y[:, :1], S[:, :1]
    plain = pr.delong(y[:, 0], s[:, 0], "auc", stratify=False)
    for average in ("macro", "micro", "prevalence"):
        found = pr.delong(y, s, pr.Multilabel("auc", average))
        assert found.estimate == plain.estimate
        assert found.standard_error == pytest.approx(plain.standard_error, rel=1e-12)
        assert found.n_units == plain.n_units
    grouped = pr.delong(y[:, 0], s[:, 0], "auc", groups=GROUPS)
    found = pr.delong(y, s, pr.Multilabel(), groups=GROUPS)
    np.testing.assert_allclose(found.interval, grouped.interval, rtol=1e-12)


@pytest.mark.parametrize("average", ["macro", "prevalence"])
@pytest.mark.parametrize("labels", [Y, HOLES], ids=["complete", "holes"])
def test_rows_move_an_average_by_all_their_labels(average: Any, labels: Array) -> None:
    found = pr.delong(labels, S, pr.Multilabel("auc", average))
    moved = ref.moved(
        labels[~np.isnan(labels).all(axis=1)], S[~np.isnan(labels).all(axis=1)], average
    )
    assert found.standard_error == pytest.approx(np.sqrt(moved @ moved), rel=1e-10)
    assert found.n_units == len(moved)


def test_labels_have_covariances() -> None:
    found: Any = pr.delong(HOLES, S, pr.Multilabel("auc", None))
    rows = ~np.isnan(HOLES).all(axis=1)
    each = [ref.moved(HOLES[rows][:, [k]], S[rows][:, [k]], "macro") for k in range(L)]
    np.testing.assert_allclose(found.covariance, np.array(each) @ np.array(each).T, rtol=1e-10)
    for k in range(L):
        known = ~np.isnan(HOLES[:, k])
        alone = pr.delong(HOLES[known, k], S[known, k], "auc", stratify=False)
        assert found.standard_error[k] == pytest.approx(alone.standard_error, rel=1e-12)
    macro = pr.delong(HOLES, S, pr.Multilabel())
    assert macro.standard_error**2 == pytest.approx(found.covariance.mean(), rel=1e-10)


@pytest.mark.parametrize("average", AVERAGES)
def test_rows_are_groups_of_their_labels(average: Any) -> None:
    """The quick way for rows, and the one for groups and for uneven weights, say the same."""
    measure = pr.Multilabel("auc", average)
    known = pr.delong(HOLES, S, measure)
    for options in (
        {"groups": np.arange(N)},
        {"sample_weight": np.full(N, 2.0)},
        {"sample_weight": np.where(np.arange(N) % 2, 1.0, 1.0 + 1e-13)},
    ):
        other = pr.delong(HOLES, S, measure, **options)
        np.testing.assert_allclose(other.estimate, known.estimate, rtol=1e-12)
        close(other.covariance, known.covariance, 1e-9)
        if "sample_weight" not in options or np.ptp(options["sample_weight"]) == 0:
            # Uneven weights have fewer degrees of freedom, however little they differ.
            np.testing.assert_allclose(other.interval, known.interval, rtol=1e-9)


def test_pooled_labels_are_rows_in_groups() -> None:
    known = ~np.isnan(HOLES)
    rows = np.nonzero(known)[0]
    expected = pr.delong(HOLES[known], S[known], "auc", groups=rows)
    found = pr.delong(HOLES, S, pr.Multilabel("auc", "micro"))
    np.testing.assert_allclose(found.interval, expected.interval, rtol=1e-12)
    of_groups = pr.delong(HOLES[known], S[known], "auc", groups=GROUPS[rows])
    found = pr.delong(HOLES, S, pr.Multilabel("auc", "micro"), groups=GROUPS)
    np.testing.assert_allclose(found.interval, of_groups.interval, rtol=1e-12)


def test_frequencies_are_repeated_rows() -> None:
    times = np.arange(N) % 3
    found = pr.delong(HOLES, S, pr.Multilabel(), frequency_weight=times)
    again = pr.delong(np.repeat(HOLES, times, 0), np.repeat(S, times, 0), pr.Multilabel())
    np.testing.assert_array_equal(found.interval, again.interval)
    grouped = pr.delong(HOLES, S, pr.Multilabel(), frequency_weight=times, groups=GROUPS)
    np.testing.assert_allclose(
        grouped.interval,
        pr.delong(
            np.repeat(HOLES, times, 0), np.repeat(S, times, 0), pr.Multilabel(),
            groups=np.repeat(GROUPS, times),
        ).interval,
    )  # fmt: skip


@pytest.mark.parametrize("scheme", ["multinomial", "poisson", "bayesian"])
@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("measure", ["auc", "average_precision", "kolmogorov_smirnov"])
def test_replicates_are_the_measure_of_weighted_rows(
    scheme: Any, average: Any, measure: str
) -> None:
    chosen = pr.Multilabel(measure, average)
    how = getattr(_core.Scheme, scheme.capitalize())
    rows = ~np.isnan(HOLES).all(axis=1)
    labels, scores = HOLES[rows], S[rows]
    drawn = core_weights.weights(np.zeros(len(labels), np.uint32), 1, how, SEED, 0, COUNT)
    run: Any = {"n_resamples": COUNT, "seed": SEED, "scheme": scheme, "method": "percentile"}
    for weights in (None, RNG.random(N)):
        result = pr.bootstrap(HOLES, S, chosen, sample_weight=weights, **run)
        own = np.ones(len(labels)) if weights is None else weights[rows]
        expected = [chosen(labels, scores, sample_weight=w * own) for w in drawn]
        close(result.replicates, expected, 1e-10)
        np.testing.assert_allclose(
            result.estimate, chosen(HOLES, S, sample_weight=weights), rtol=1e-12
        )
        assert result.n_units == len(labels)


def test_groups_are_drawn_whole() -> None:
    names, codes = np.unique(GROUPS, return_inverse=True)
    drawn = core_weights.weights(
        np.zeros(len(names), np.uint32), 1, _core.Scheme.Multinomial, SEED, 0, COUNT
    )
    run: Any = {"n_resamples": COUNT, "seed": SEED, "groups": GROUPS}
    for measure in (pr.Multilabel(), pr.Multilabel("average_precision", "prevalence")):
        result = pr.bootstrap(Y, S, measure, **run)
        expected = [measure(Y, S, sample_weight=w[codes]) for w in drawn]
        close(result.replicates, expected)
        assert (result.unit, result.n_units) == ("group", len(names))


def test_threads_and_memory_change_no_bit() -> None:
    ways: list[dict[str, Any]] = [{"n_threads": 1}, {"n_threads": 2}, {"max_memory": 3_000_000}]
    for measure in (pr.Multilabel(), pr.Multilabel("average_precision", None)):
        results = [pr.bootstrap(Y, S, measure, n_resamples=70, seed=1, **way) for way in ways]
        for other in results[1:]:
            assert results[0].replicates.tobytes() == other.replicates.tobytes()
            np.testing.assert_array_equal(results[0].interval, other.interval)


def test_resamples_spread_as_errors_say() -> None:
    for average in ("macro", "prevalence", "micro"):
        measure = pr.Multilabel("auc", average)
        closed = pr.delong(Y, S, measure)
        drawn = pr.bootstrap(Y, S, measure, n_resamples=4000, seed=1)
        assert drawn.standard_error == pytest.approx(closed.standard_error, rel=0.08)
        np.testing.assert_allclose(drawn.interval, closed.interval, atol=0.012)
    # Rows share their labels: to take these for independent would make errors too small.
    each = pr.delong(Y, S, pr.Multilabel("auc", None))
    alone = np.sqrt(np.sum(each.standard_error**2)) / L
    assert pr.delong(Y, S, pr.Multilabel()).standard_error > 1.03 * alone


def test_measures_without_closed_form_have_intervals() -> None:
    for measure in (pr.Multilabel("average_precision"), pr.Multilabel("kolmogorov_smirnov", None)):
        result = pr.bootstrap(HOLES, S, measure, n_resamples=300, seed=1)
        low, high = result.interval[..., 0], result.interval[..., 1]
        assert (low < result.estimate).all()
        assert (result.estimate < high).all()
        with pytest.raises(ValueError, match=r"has no closed-form error; use bootstrap"):
            pr.delong(HOLES, S, measure)


def test_several_measures_share_resamples() -> None:
    measures = [pr.Multilabel("auc"), pr.Multilabel("average_precision", "prevalence")]
    both = pr.bootstrap(Y, S, measures, n_resamples=50, seed=1)
    assert list(both) == ["auc", "average_precision"]
    for measure in measures:
        alone = pr.bootstrap(Y, S, measure, n_resamples=50, seed=1)
        np.testing.assert_array_equal(both[measure.name].replicates, alone.replicates)


def test_labels_left_out_have_no_error() -> None:
    lacking, scores = np.column_stack([Y, np.zeros(N)]), np.column_stack([S, S[:, 0]])
    found: Any = pr.delong(lacking, scores, pr.Multilabel("auc", None, "skip"))
    known = pr.delong(Y, S, pr.Multilabel("auc", None))
    np.testing.assert_array_equal(found.interval[:L], known.interval)
    assert np.isnan(found.interval[L]).all()
    assert np.isnan(found.covariance[L]).all()
    macro = pr.delong(lacking, scores, pr.Multilabel(absent="skip"))
    np.testing.assert_array_equal(macro.interval, pr.delong(Y, S, pr.Multilabel()).interval)
    drawn = pr.bootstrap(lacking, scores, pr.Multilabel(absent="skip"), n_resamples=50, seed=1)
    again = pr.bootstrap(Y, S, pr.Multilabel(), n_resamples=50, seed=1)
    np.testing.assert_array_equal(drawn.replicates, again.replicates)


def test_a_label_with_one_positive_row() -> None:
    rare = np.column_stack([Y, np.arange(N) == 5])
    scores = np.column_stack([S, S[:, 0]])
    with pytest.raises(ValueError, match=r"^class '3 = 1' has a single row, whose spread cannot"):
        pr.delong(rare, scores, pr.Multilabel())
    with pytest.warns(pr.BootstrapWarning, match=r'lost a class.*scheme="bayesian" avoids that'):
        pr.bootstrap(rare, scores, pr.Multilabel(), n_resamples=200, seed=1)
    kept = pr.bootstrap(rare, scores, pr.Multilabel(), n_resamples=200, seed=1, scheme="bayesian")
    assert kept.n_lost == 0


def test_results_say_what_varied() -> None:
    text = str(pr.delong(Y, S, pr.Multilabel()))
    assert text.startswith("Multilabel('auc') 0.")
    assert "120 rows, class counts vary" in text
    each = str(pr.delong(Y, S, pr.Multilabel("auc", None), labels=["a", "b", "c"]))
    assert "one value per label" in each
    assert "\n  a      0." in each
    grouped = str(pr.delong(Y, S, pr.Multilabel(), groups=GROUPS))
    assert "360 labels in 40 groups" in grouped
    test = str(pr.delong(Y, S, pr.Multilabel("auc", None)).test(0.5))
    assert "one test per label" in test


def test_no_pilot_of_classes_that_overlap() -> None:
    message = r"^the pilot has many labels per row, and no rows of one class that could be counted"
    with pytest.raises(ValueError, match=message):
        pr.sample_size_from_pilot(pr.delong(Y, S, pr.Multilabel()), null=0.5)
    other = S + RNG.normal(size=S.shape)
    with pytest.raises(ValueError, match=message):
        pr.sample_size_from_pilot(pr.compare(Y, {"a": S, "b": other}, pr.Multilabel()))
