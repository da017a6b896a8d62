"""The rows of the speed table of segments: a measure in thousands of parts of a frame."""

from __future__ import annotations

from benches.speed.rivals import segments
from benches.speed.row import Rival, Row, Size

_ZIPF = Size(2_000_000, 10, 0, 3_000)
_QUICK = Size(200_000, 10, 0, 300)
_LOOP = Rival(
    "scikit-learn ovo in a loop, no errors", segments.sklearn_loop, 200.0, every=segments.EVERY
)

ROWS: tuple[Row, ...] = (
    Row(
        key="segments-delong",
        measure="M with DeLong's errors and differences, Zipf segments of a frame",
        size=_ZIPF,
        quick=_QUICK,
        ours=segments.polyroc(),
        limit=0.5,
        rivals=(_LOOP,),
        note="loops do every 50th segment by size, from the 13th on",
    ),
    Row(
        key="segments-boot",
        measure="M with bootstrap errors and differences, Zipf segments of a frame",
        size=_ZIPF._replace(replicates=1_000),
        quick=_QUICK._replace(replicates=200),
        ours=segments.polyroc(),
        limit=5.0,
    ),
)
