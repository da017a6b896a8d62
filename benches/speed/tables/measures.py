"""The rows of the first speed table, measures computed once.  A new row is one more entry.

A target is how many times longer than polyroc the rival must take.
"""

from __future__ import annotations

from benches.speed.rivals import decisions, measures
from benches.speed.row import Rival, Row, Size

_BEATEN = 1.0

_NUMBA_AUC = measures.numba("auc")
_NUMBA_M = measures.numba("hand_till")
_NUMBA_MU = measures.numba("auc_mu")
_OVO = measures.sklearn(multi_class="ovo", average="macro")

ROWS: tuple[Row, ...] = (
    Row(
        key="auc",
        measure="AUC",
        size=Size(10_000_000),
        quick=Size(1_000_000),
        ours=measures.polyroc("auc"),
        rivals=(
            Rival("scikit-learn", measures.sklearn(), 30.0),
            Rival("LightGBM auc", measures.lightgbm("auc")),
            Rival("numpy sort + searchsorted", measures.numpy_sort, 3.0),
            Rival("numba by hand", _NUMBA_AUC, _BEATEN),
        ),
    ),
    Row(
        key="auc-rounded",
        measure="AUC",
        size=Size(10_000_000),
        quick=Size(1_000_000),
        data={"decimals": 2},
        ours=measures.polyroc("auc"),
        rivals=(
            Rival("scikit-learn", measures.sklearn()),
            Rival("polars-ds", measures.polars_ds, 3.0),
            Rival("polars-ds, labels cast beforehand", measures.polars_ds_cast),
            Rival("numba by hand", _NUMBA_AUC, _BEATEN),
        ),
    ),
    Row(
        key="auc-small",
        measure="AUC, one call",
        size=Size(1_000),
        quick=Size(1_000),
        ours=measures.polyroc("auc"),
        limit=50e-6,
        rivals=(
            Rival("scikit-learn", measures.sklearn(), 20.0),
            Rival("numpy sort + searchsorted", measures.numpy_sort),
            Rival("numba by hand", _NUMBA_AUC),
        ),
    ),
    Row(
        key="m-10",
        measure="M",
        size=Size(1_000_000, 10),
        quick=Size(100_000, 10),
        ours=measures.polyroc("hand_till"),
        rivals=(
            Rival("scikit-learn ovo", _OVO, 30.0),
            Rival("numba by hand", _NUMBA_M, _BEATEN),
        ),
    ),
    Row(
        key="mu-10",
        measure="AUC-mu",
        size=Size(1_000_000, 10),
        quick=Size(100_000, 10),
        ours=measures.polyroc("auc_mu"),
        rivals=(
            Rival("scikit-learn, loop over pairs", measures.sklearn_pairs, 25.0),
            Rival("LightGBM auc_mu", measures.lightgbm("auc_mu"), 6.0),
            Rival("numba by hand", _NUMBA_MU, _BEATEN),
        ),
    ),
    Row(
        key="m-100",
        measure="M",
        size=Size(100_000, 100),
        quick=Size(20_000, 50),
        ours=measures.polyroc("hand_till"),
        rivals=(
            Rival("scikit-learn ovo", _OVO, 100.0),
            Rival("numba by hand", _NUMBA_M, _BEATEN),
        ),
    ),
    Row(
        key="m-1000",
        measure="M",
        size=Size(50_000, 1_000),
        quick=Size(10_000, 200),
        data={"dtype": "float32"},
        ours=measures.polyroc("hand_till"),
        limit=1.5,
        rivals=(Rival("numba by hand", _NUMBA_M, _BEATEN),),
        note="scikit-learn is not run: at K = 1,000 its ovo would make 999,000 calls",
    ),
    Row(
        key="mu-1000",
        measure="AUC-mu",
        size=Size(50_000, 1_000),
        quick=Size(10_000, 200),
        data={"dtype": "float32"},
        ours=measures.polyroc("auc_mu"),
        limit=1.5,
        # polyroc ties projections closer than float32 rounding; the numba version does not.
        tolerance=1e-6,
        rivals=(Rival("numba by hand", _NUMBA_MU, _BEATEN),),
        note="no loop over scikit-learn is run: there are 499,500 pairs",
    ),
    Row(
        key="c1-10",
        measure="proportion correct",
        size=Size(1_000_000, 10),
        quick=Size(100_000, 10),
        ours=measures.polyroc("proportion_correct"),
        rivals=(Rival("scikit-learn, of argmax", measures.sklearn_accuracy, _BEATEN),),
    ),
    Row(
        key="c2-1000",
        measure="proportion correct of pairs",
        size=Size(50_000, 1_000),
        quick=Size(10_000, 200),
        data={"dtype": "float32"},
        ours=measures.polyroc("proportion_correct", pairs=True),
        limit=1.5,
    ),
    Row(
        key="confusion-10",
        measure="confusion matrix, rates and intervals",
        size=Size(1_000_000, 10),
        quick=Size(100_000, 10),
        ours=measures.polyroc("confusion", lambda found: found.counts),
        rivals=(Rival("scikit-learn, the matrix alone", decisions.sklearn_confusion, _BEATEN),),
    ),
)
