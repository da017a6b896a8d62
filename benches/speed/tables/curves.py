"""The rows of the table of curves: curves, what is read off them, and their bootstrap."""

from __future__ import annotations

from benches.speed.rivals import bootstrap, curves, measures
from benches.speed.row import Rival, Row, Size

_RUN = Size(10_000, 2, 2_000)
_QUICK = Size(10_000, 2, 500)
_RUN_LIMIT = 0.25  # seconds on two cores


def _boot(key: str, name: str, measure: str, rivals: tuple[Rival, ...] = ()) -> Row:
    return Row(
        key=f"curve-boot-{key}",
        measure=name,
        size=_RUN,
        quick=_QUICK,
        ours=bootstrap.polyroc(measure),
        limit=_RUN_LIMIT,
        rivals=rivals,
    )


ROWS: tuple[Row, ...] = (
    Row(
        key="curve-roc",
        measure="roc_curve",
        size=Size(1_000_000),
        quick=Size(100_000),
        ours=curves.polyroc_area("roc_curve"),
        rivals=(
            Rival("scikit-learn", curves.sklearn_curve("roc_curve", drop_intermediate=False), 10.0),
        ),
    ),
    Row(
        key="curve-pr",
        measure="pr_curve",
        size=Size(1_000_000),
        quick=Size(100_000),
        ours=curves.polyroc_area("pr_curve"),
        rivals=(Rival("scikit-learn", curves.sklearn_curve("precision_recall_curve"), 10.0),),
    ),
    Row(
        key="curve-ap",
        measure="average precision",
        size=Size(1_000_000),
        quick=Size(100_000),
        ours=measures.polyroc("average_precision"),
        rivals=(Rival("scikit-learn", curves.sklearn_average_precision, 10.0),),
    ),
    Row(
        key="curve-h",
        measure="H measure",
        size=Size(100_000),
        quick=Size(10_000),
        ours=measures.polyroc("h_measure", severity="r"),
        rivals=(Rival("hmeasure", curves.hmeasure, 15.0),),
    ),
    _boot("h", "bootstrap of H", "h_measure"),
    _boot("ks", "bootstrap of KS", "kolmogorov_smirnov"),
    _boot(
        "ap",
        "bootstrap of average precision",
        "average_precision",
        (Rival("scikit-learn in a loop", curves.average_precision_loop, 200.0, replicates=20),),
    ),
)
