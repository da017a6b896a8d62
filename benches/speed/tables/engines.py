"""The rows of the speed table of engines: frames that live on a cluster, here on two cores."""

from __future__ import annotations

from benches.speed.rivals import engines
from benches.speed.row import Rival, Row, Size

ROWS: tuple[Row, ...] = (
    Row(
        key="spark",
        measure="M with DeLong's errors of a Parquet file, Spark local[2], warm",
        size=Size(2_000_000, 10),
        quick=Size(200_000, 10),
        ours=engines.polyroc_on_spark,
        limit=8.0,
        rivals=(
            Rival("Spark's BinaryClassificationEvaluator, one column", engines.spark_itself, 1.0),
        ),
        note="reading the file three times is part of it",
    ),
    Row(
        key="dask",
        measure="M with DeLong's errors of a Parquet file, Dask on two threads",
        size=Size(2_000_000, 10),
        quick=Size(200_000, 10),
        ours=engines.polyroc_on_dask,
    ),
    Row(
        key="dask-segments",
        measure="M with DeLong's errors in 3,000 segments (Zipf), Dask on two threads",
        size=Size(200_000, 10),
        quick=Size(20_000, 10),
        ours=engines.segments_on_dask,
    ),
)
