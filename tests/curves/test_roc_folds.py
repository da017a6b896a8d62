"""ROC curves over folds, against their definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest
from scipy import stats

RNG = np.random.default_rng(10)
FOLDS = []
for n in (40, 50, 60):
    Y = RNG.integers(0, 2, n)
    FOLDS.append((Y, np.round(Y + RNG.normal(size=n), 1)))
ALL = [np.concatenate(part) for part in zip(*FOLDS, strict=True)]


def test_pooled_curve() -> None:
    found = pr.roc_folds(FOLDS)
    assert found.pooled == pr.roc_curve(*ALL)
    np.testing.assert_allclose(found.aucs, [pr.auc(y, s) for y, s in FOLDS], rtol=1e-13)
    assert found.auc == pytest.approx(np.mean(found.aucs))


def test_averaged_curve() -> None:
    found = pr.roc_folds(FOLDS, confidence=0.9)
    half = stats.t.ppf(0.95, 2) / np.sqrt(3)
    for k, t in enumerate(found.thresholds):
        fpr = np.array([(s[y == 0] >= t).mean() for y, s in FOLDS])
        tpr = np.array([(s[y == 1] >= t).mean() for y, s in FOLDS])
        assert found.fpr[k] == pytest.approx(fpr.mean())
        assert found.tpr[k] == pytest.approx(tpr.mean())
        assert found.low[k] == pytest.approx(max(tpr.mean() - half * tpr.std(ddof=1), 0))
        assert found.high[k] == pytest.approx(min(tpr.mean() + half * tpr.std(ddof=1), 1))
        assert found.fpr_high[k] == pytest.approx(min(fpr.mean() + half * fpr.std(ddof=1), 1))
    assert (found.fpr[0], found.tpr[0], found.fpr[-1], found.tpr[-1]) == (0, 0, 1, 1)
    assert found.to_frame().shape == (len(found.thresholds), 7)
    assert repr(found).startswith("ROC curves of 1 over 3 folds")


def test_few_thresholds_are_printed_once_each() -> None:
    lines = repr(pr.roc_folds([(y, s > 0.5) for y, s in FOLDS])).splitlines()
    assert len(lines) == len(set(lines))


def test_infinite_scores_and_two_columns() -> None:
    folds = [([0, 1, 1], [0.0, np.inf, 1.0]), ([0, 0, 1], [np.inf, 0.0, 1.0])]
    found = pr.roc_folds(folds)
    np.testing.assert_array_equal(found.thresholds, [np.inf, np.inf, 1, 0])
    np.testing.assert_array_equal(found.tpr, [0, 0.25, 1, 1])
    wide = [(y, np.column_stack([-s, s])) for y, s in FOLDS]
    np.testing.assert_array_equal(pr.roc_folds(wide).tpr, pr.roc_folds(FOLDS).tpr)
    named = [(np.where(y == 1, "ill", "well"), s) for y, s in FOLDS]
    turned = pr.roc_folds(named, pos_label="ill")
    assert turned.pooled.favoured == "ill"
    np.testing.assert_array_equal(turned.tpr, pr.roc_folds(FOLDS).tpr)


@pytest.mark.parametrize(
    ("folds", "message"),
    [
        (3, r"^folds is a int; pass a list of \(y_true, y_score\)"),
        ([1, 2], r"^folds\[0\] is a int"),
        (FOLDS[:1], r"^folds holds fewer than two folds"),
        ([FOLDS[0], ([0, 1], [1.0, np.nan])], r"y_score\[1\] is NaN"),
        ([FOLDS[0], ([1, 1], [1.0, 2.0])], r"^folds\[1\]: every row has the label 1"),
        ([FOLDS[0], ([1, 2], [1.0, 2.0])], r"^folds\[1\] has the classes \[1, 2\]"),
    ],
)
def test_bad_folds(folds: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        pr.roc_folds(folds)
