"""The rows of the third speed table: closed-form errors, comparisons.  Keys start with ``err-``."""

from __future__ import annotations

from benches.speed.rivals import errors, measures
from benches.speed.row import Answer, Rival, Row, Size

ROWS: tuple[Row, ...] = (
    Row(
        key="err-auc",
        measure="AUC with DeLong's error",
        size=Size(1_000_000),
        quick=Size(100_000),
        ours=errors.delong("auc"),
        tolerance=1e-6,  # confidenceinterval ranks in single precision
        rivals=(
            Rival("confidenceinterval", errors.confidenceinterval, 30.0),
            Rival("scipy rankdata, Sun & Xu", errors.sun_xu, 8.0),
            Rival("scikit-learn, the AUC alone", measures.sklearn(), 5.0),
        ),
    ),
    Row(
        key="err-m",
        measure="M",
        size=Size(1_000_000, 10),
        quick=Size(100_000, 10),
        ours=measures.polyroc("hand_till"),
        rivals=(Rival("polyroc, with its error", errors.delong("hand_till"), most=2.5),),
    ),
    Row(
        key="err-mu",
        measure="AUC-mu",
        size=Size(1_000_000, 10),
        quick=Size(100_000, 10),
        ours=measures.polyroc("auc_mu"),
        rivals=(Rival("polyroc, with its error", errors.delong("auc_mu"), most=2.5),),
    ),
    Row(
        key="err-mu-400",
        measure="AUC-mu",
        size=Size(20_000, 400),
        quick=Size(2_000, 400),
        ours=measures.polyroc("auc_mu"),
        rivals=(Rival("polyroc, with its error", errors.delong("auc_mu"), most=3.0),),
    ),
    Row(
        key="err-mu-1000",
        measure="AUC-mu",
        size=Size(20_000, 1_000),
        quick=Size(5_000, 1_000),
        ours=measures.polyroc("auc_mu"),
        rivals=(Rival("polyroc, with its error", errors.delong("auc_mu"), most=3.0),),
    ),
    Row(
        key="err-rest-300",
        measure="one-vs-rest",
        size=Size(20_000, 300),
        quick=Size(3_000, 300),
        ours=measures.polyroc("one_vs_rest"),
        rivals=(Rival("polyroc, with its error", errors.delong("one_vs_rest"), most=3.0),),
    ),
    Row(
        key="err-rests-300",
        measure="one-vs-rest, one value per class",
        size=Size(20_000, 300),
        quick=Size(3_000, 300),
        ours=measures.polyroc("one_vs_rest", Answer, average=None),
        rivals=(
            Rival("polyroc, with its error", errors.delong("OneVsRest", average=None), most=3.0),
        ),
    ),
    Row(
        key="err-rests-1000",
        measure="one-vs-rest, one value per class",
        size=Size(20_000, 1_000),
        quick=Size(6_000, 1_000),
        ours=measures.polyroc("one_vs_rest", Answer, average=None),
        rivals=(
            Rival("polyroc, with its error", errors.delong("OneVsRest", average=None), most=3.0),
        ),
    ),
    Row(
        key="err-micro",
        measure="one-vs-rest, micro average",
        size=Size(100_000, 10),
        quick=Size(20_000, 10),
        ours=measures.polyroc("one_vs_rest", average="micro"),
        rivals=(
            Rival("polyroc, with its error", errors.delong("OneVsRest", average="micro"), most=3.0),
        ),
    ),
    Row(
        key="err-correct",
        measure="proportion correct",
        size=Size(1_000_000, 10),
        quick=Size(100_000, 10),
        ours=measures.polyroc("proportion_correct"),
        rivals=(Rival("polyroc, with its error", errors.delong("proportion_correct"), most=3.0),),
    ),
    Row(
        key="err-polar",
        measure="polar area",
        size=Size(2_000_000, 3),
        quick=Size(100_000, 3),
        ours=measures.polyroc("polar_area"),
        rivals=(Rival("polyroc, with its error", errors.delong("polar_area"), most=3.0),),
    ),
    Row(
        key="err-pdi",
        measure="PDI",
        size=Size(100_000, 10),
        quick=Size(10_000, 10),
        ours=measures.polyroc("pdi"),
        rivals=(Rival("polyroc, with its error", errors.delong("pdi"), most=3.0),),
    ),
    Row(
        key="err-labels",
        measure="macro AUC with its error",
        size=Size(100_000, 14),
        quick=Size(20_000, 14),
        ours=errors.delong("Multilabel", measure="auc"),
        rivals=(
            Rival("scikit-learn, the value alone", measures.sklearn(average="macro"), 20.0),
            Rival("polyroc, the value alone", measures.polyroc("multilabel")),
        ),
        data={"labels": True},
    ),
    Row(
        key="err-20",
        measure="M of 20 models compared",
        size=Size(100_000, 10),
        quick=Size(20_000, 10),
        ours=errors.compare("hand_till", models=20),
        limit=10.0,
    ),
    Row(
        key="err-paired",
        measure="AUCs of two models, paired",
        size=Size(10_000, 2, 2_000),
        quick=Size(10_000, 2, 500),
        ours=errors.paired,
        rivals=(
            Rival("scikit-learn, loop", errors.sklearn_paired, 1_000.0, replicates=25),
            Rival("numba by hand", errors.numba_paired, 3.0),
        ),
    ),
)
