"""The rows of the table of shards: states and their second pass.  Keys start with ``shard-``."""

from __future__ import annotations

from benches import report
from benches.speed.rivals import shards
from benches.speed.row import Row, Size, Unit

_PER_COLUMN = Unit(report.nanoseconds, lambda size: size.n * size.k, "per row and column", "limit")
_BYTES = Unit(report.kilobytes, name="bytes on the wire", limit="limit", timed=False)
_ERROR = Unit(lambda value: f"{value:.1e}", name="error", limit="limit", timed=False)
_RELATIVE = Unit(lambda value: f"{value:.1e}", name="relative error", limit="limit", timed=False)

_TAKEN = 2.5e-9  # what a row and column may cost, in seconds
_MANY, _FEW = Size(1_000_000, 10), Size(125_000, 10)  # the second is a batch, or a shard

ROWS: tuple[Row, ...] = (
    *(
        Row(
            key=f"shard-update-{regime}",
            measure=f"State.update, M, 4,096 bins, {regime}, one core",
            size=_MANY,
            quick=_FEW,
            ours=shards.update("hand_till", 4096, regime),
            unit=_PER_COLUMN,
            limit=_TAKEN,
        )
        for regime in shards.REGIMES
    ),
    *(
        Row(
            key=f"shard-second-{regime}",
            measure=f"InfluenceSums.update, M, 4,096 bins, {regime}, one core",
            size=_MANY,
            quick=_FEW,
            ours=shards.second_pass("hand_till", 4096, regime),
            unit=_PER_COLUMN,
            limit=_TAKEN,
        )
        for regime in shards.REGIMES
    ),
    Row(
        key="shard-wire",
        measure="State of M, 4,096 bins",
        size=_FEW,
        quick=_FEW,
        ours=shards.wire("hand_till", 4096),
        unit=_BYTES,
        limit=150e3,
    ),
    Row(
        key="shard-wire-1000",
        measure="State of M, 4,096 bins, class counts given",
        size=Size(20_000, 1_000),
        quick=Size(20_000, 1_000),
        ours=shards.wire("hand_till", 4096, counts=True),
        unit=_BYTES,
        limit=100e6,
        data={"dtype": "float32"},
    ),
    *(
        Row(
            key=f"shard-{key}-{regime}",
            measure=f"{name} of a state, 16,384 bins, {regime}",
            size=_MANY,
            quick=_FEW,
            ours=shards.estimate_error(measure, 2**14, regime),
            unit=_ERROR,
            limit=1e-6,
            data={"dtype": "float32"},
        )
        for key, measure, name in (("m", "hand_till", "M"), ("mu", "auc_mu", "AUC-mu"))
        for regime in shards.REGIMES
    ),
    *(
        Row(
            key=f"shard-se-{key}-{regime}",
            measure=f"standard error of {name} by two passes, 4,096 bins, {regime}",
            size=_MANY,
            quick=_FEW,
            ours=shards.standard_error_error(measure, 2**12, regime),
            unit=_RELATIVE,
            limit=1e-5,
            data={"dtype": "float32"},
        )
        for key, measure, name in (("m", "hand_till", "M"), ("mu", "auc_mu", "AUC-mu"))
        for regime in shards.REGIMES
    ),
)
