"""The rows of the speed table of volumes: all classes at once.  A new row is one more entry."""

from __future__ import annotations

from benches.speed.rivals import measures, volumes
from benches.speed.row import Rival, Row, Size

_BEATEN = 1.0

ROWS: tuple[Row, ...] = (
    Row(
        key="vus",
        measure="VUS, one marker",
        size=Size(1_000_000, 3),
        quick=Size(100_000, 3),
        ours=volumes.on_marker("vus"),
        rivals=(Rival("numpy argsort + running sums", volumes.numpy_vus, _BEATEN),),
    ),
    Row(
        key="vus-curve",
        measure="ROC curve of one class",
        size=Size(1_000_000, 3),
        quick=Size(100_000, 3),
        ours=volumes.curve_of_marker,
        rivals=(Rival("polyroc, VUS of all three", volumes.vus_on_marker, most=2.0),),
    ),
    Row(
        key="pdi",
        measure="PDI",
        size=Size(100_000, 10),
        quick=Size(20_000, 10),
        ours=measures.polyroc("pdi"),
        limit=0.2,
        rivals=(Rival("numpy sort + searchsorted", volumes.numpy_pdi, _BEATEN),),
    ),
    Row(
        key="hum",
        measure="HUM",
        size=Size(3_000, 3),
        quick=Size(600, 3),
        ours=measures.polyroc("hum"),
        limit=1.0,
        rivals=(Rival("numpy, all tuples", volumes.numpy_hum, _BEATEN),),
    ),
)
