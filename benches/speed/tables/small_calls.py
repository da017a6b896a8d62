"""The rows of the table of small calls, of which there are thousands: what Python adds to the core.

Keys start with ``small-``.
"""

from __future__ import annotations

from benches.speed.rivals import errors, measures
from benches.speed.row import Rival, Row, Size

_SMALL = Size(200)

ROWS: tuple[Row, ...] = (
    Row(
        key="small-auc",
        measure="AUC, one call",
        size=_SMALL,
        quick=_SMALL,
        ours=measures.polyroc("auc"),
        limit=12.6e-6,
        rivals=(Rival("scikit-learn", measures.sklearn()),),
    ),
    Row(
        key="small-delong",
        measure="AUC with DeLong's error and interval, one call",
        size=_SMALL,
        quick=_SMALL,
        ours=errors.delong("auc"),
        limit=100e-6,
        rivals=(Rival("scipy rankdata, Sun & Xu", errors.sun_xu),),
    ),
    Row(
        key="small-compare",
        measure="AUCs of two models compared, one call",
        size=_SMALL,
        quick=_SMALL,
        ours=errors.compare("auc", models=2),
        limit=250e-6,
    ),
)
