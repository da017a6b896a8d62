"""The rows of the second speed table, the bootstrap.  Keys start with ``boot-``."""

from __future__ import annotations

from functools import partial

from benches import machine
from benches.speed import own_process
from benches.speed.rivals import bootstrap, decisions, measures
from benches.speed.row import MEMORY, PER_CELL, PER_ROW, Rival, Row, Size

_BEATEN = 1.0
_OVO = measures.sklearn(multi_class="ovo", average="macro")
_ONE_CALL = "scikit-learn, ONE call"
_NUMBA = "numba by hand"

# What a replicate may cost a row, in seconds, by the widest instructions there are.
_PER_ROW = 0.2e-9 if "avx512bw" in machine.processor()[1] else 0.4e-9

_DEFAULT = 9_999  # replicates of a call that asks for no number

_AUC = bootstrap.polyroc("auc")
_M = bootstrap.polyroc("hand_till")
_MU = bootstrap.polyroc("auc_mu")
_COLUMNS = ("hand_till", "one_vs_rest", "polar_area")  # all of them walk the sorted columns
_MIXED = ("hand_till", "auc_mu", "polar_area")  # AUC-mu walks projections besides


# Sizes at which a row must cost the same, and the same with --quick.  Sorting is in the time, so
# the replicates are enough to make it small.
_GROWING = (
    (Size(10_000, 2, 100_000), Size(10_000, 2, 10_000)),
    (Size(100_000, 2, 10_000), Size(30_000, 2, 3_000)),
    (Size(1_000_000, 2, 2_000), Size(100_000, 2, 1_000)),
    (Size(10_000_000, 2, 1_000), Size(300_000, 2, 500)),
)

# What random class counts may cost: so many times a run that keeps them.
_RANDOM_COUNTS = 2.0


def _random_counts(key: str, name: str, measure: str, size: Size, quick: Size) -> Row:
    """A run that keeps class counts beside two that do not."""
    unstratified = bootstrap.polyroc(measure, stratify=False)
    poisson = bootstrap.polyroc(measure, scheme="poisson")
    return Row(
        key=key,
        measure=f"{name}, stratified",
        size=size,
        quick=quick,
        ours=bootstrap.polyroc(measure, stratify=True),
        rivals=(
            Rival("polyroc, stratify=False", unstratified, most=_RANDOM_COUNTS),
            Rival('polyroc, scheme="poisson"', poisson, most=_RANDOM_COUNTS),
        ),
    )


ROWS: tuple[Row, ...] = (
    Row(
        key="boot-youden",
        measure="operating point by Youden's rule",
        size=Size(10_000, 2, 2_000),
        quick=Size(10_000, 2, 2_000),
        ours=decisions.polyroc_youden,
        limit=0.25,
        rivals=(Rival("scikit-learn loop", decisions.sklearn_youden, 20.0, replicates=100),),
    ),
    Row(
        key="boot-m",
        measure="M",
        size=Size(100_000, 10, 3_000),
        quick=Size(20_000, 10, 1_000),
        ours=_M,
        rivals=(
            Rival("scikit-learn ovo, ONE call", _OVO, _BEATEN),
            Rival(_NUMBA, bootstrap.numba("hand_till"), 6.0),
        ),
    ),
    Row(
        key="boot-mu",
        measure="AUC-mu",
        size=Size(100_000, 10, 3_000),
        quick=Size(20_000, 10, 1_000),
        ours=_MU,
        rivals=(
            Rival("scikit-learn ovo (M), ONE call", bootstrap.unjudged(_OVO), _BEATEN),
            Rival("scikit-learn, loop over pairs, ONE call", measures.sklearn_pairs),
            Rival(_NUMBA, bootstrap.numba("auc_mu")),
        ),
    ),
    Row(
        key="boot-auc",
        measure="AUC",
        size=Size(1_000_000, 2, 1_500),
        quick=Size(100_000, 2, 1_500),
        ours=_AUC,
        rivals=(
            Rival(_ONE_CALL, measures.sklearn(), _BEATEN),
            Rival(_NUMBA, bootstrap.numba("auc")),
        ),
    ),
    Row(
        key="boot-auc-small",
        measure="AUC",
        size=Size(10_000, 2, 2_000),
        quick=Size(10_000, 2, 500),
        ours=_AUC,
        rivals=(
            Rival(_ONE_CALL, measures.sklearn()),
            Rival("scikit-learn, loop", bootstrap.sklearn_loop, 1_500.0, replicates=50),
            Rival("rapidstats", bootstrap.rapidstats, 200.0),
            Rival("scipy.stats.bootstrap", bootstrap.scipy),
            Rival(_NUMBA, bootstrap.numba("auc"), 4.0),
        ),
    ),
    Row(
        key="boot-partial",
        measure="partial AUC, FPR up to 0.1, standardised",
        size=Size(10_000, 2, 2_000),
        quick=Size(10_000, 2, 500),
        ours=bootstrap.polyroc(lambda pr: pr.PartialAuc(fpr=(0, 0.1), standardize=True)),
        limit=0.25,
        rivals=(
            Rival(
                "scikit-learn, loop", partial(bootstrap.sklearn_loop, max_fpr=0.1), replicates=50
            ),
        ),
    ),
    Row(
        key="boot-cells",
        measure="AUC",
        size=Size(1_000_000, 2, 200),
        quick=Size(100_000, 2, 200),
        data={"decimals": 2},
        ours=_AUC,
        rivals=(
            Rival("numpy unique + multinomial", bootstrap.numpy_cells, _BEATEN),
            Rival(_NUMBA, bootstrap.numba("auc")),
        ),
    ),
    Row(
        key="boot-row",
        measure="AUC",
        size=_GROWING[0][0],
        quick=_GROWING[0][1],
        unit=PER_ROW,
        limit=_PER_ROW,
        ours=_AUC,
        rivals=tuple(
            Rival("polyroc", _AUC, most=1.5, limit=_PER_ROW, size=size, quick=quick)
            for size, quick in _GROWING[1:]
        ),
        note="the time of a whole call, sorting included",
    ),
    Row(
        key="boot-plain",
        measure="AUC",
        size=_GROWING[0][0],
        quick=_GROWING[0][1],
        unit=PER_ROW,
        sigmas=0.0,  # the instruction set must not change a bit
        ours=_AUC,
        rivals=tuple(
            Rival(
                "polyroc, POLYROC_SIMD=plain",
                own_process.polyroc("auc", POLYROC_SIMD="plain"),
                size=size,
                quick=quick,
            )
            for size, quick in _GROWING
        ),
    ),
    _random_counts("boot-counts-4", "AUC", "auc", Size(10_000, 2, 9_999), Size(10_000, 2, 3_000)),
    _random_counts("boot-counts-5", "AUC", "auc", Size(100_000, 2, 2_000), Size(30_000, 2, 1_000)),
    _random_counts("boot-counts-6", "AUC", "auc", Size(1_000_000, 2, 500), Size(200_000, 2, 300)),
    _random_counts(
        "boot-counts-m", "M", "hand_till", Size(100_000, 10, 1_000), Size(20_000, 10, 500)
    ),
    _random_counts(
        "boot-counts-mu", "AUC-mu", "auc_mu", Size(100_000, 10, 1_000), Size(20_000, 10, 500)
    ),
    Row(
        key="boot-m-1000",
        measure="M",
        size=Size(50_000, 1_000, 200),
        quick=Size(10_000, 200, 200),
        data={"dtype": "float32"},
        ours=_M,
        limit=6.0,
        rivals=(Rival("numba by hand, ONE call", measures.numba("hand_till")),),
    ),
    Row(
        key="boot-mu-1000",
        measure="AUC-mu",
        size=Size(50_000, 1_000, 200),
        quick=Size(10_000, 200, 200),
        data={"dtype": "float32"},
        ours=_MU,
        limit=6.0,
        tolerance=1e-6,  # as for mu-1000 in measures.py
        rivals=(Rival("numba by hand, ONE call", measures.numba("auc_mu")),),
    ),
    Row(
        key="boot-threads",
        measure="AUC",
        size=Size(100_000, 2, _DEFAULT),
        quick=Size(100_000, 2, 1_000),
        sigmas=0.0,  # nor must the threads
        ours=_AUC,
        rivals=(Rival("polyroc, 1 thread", bootstrap.polyroc("auc", threads=1), 1.8),),
    ),
    Row(
        key="boot-threads-m",
        measure="M",
        size=Size(100_000, 10, _DEFAULT),
        quick=Size(20_000, 10, 1_000),
        sigmas=0.0,
        ours=_M,
        rivals=(Rival("polyroc, 1 thread", bootstrap.polyroc("hand_till", threads=1), 1.8),),
    ),
    Row(
        key="boot-linear",
        measure="M",
        size=Size(100_000, 10, 1_000),
        quick=Size(20_000, 10, 500),
        ours=_M,
        rivals=(
            Rival(
                "polyroc",
                _M,
                most=4.4,
                size=Size(100_000, 10, 4_000),
                quick=Size(20_000, 10, 2_000),
            ),
        ),
    ),
    Row(
        key="boot-cell",
        measure="M",
        size=Size(10_000, 10, 5_000),
        quick=Size(10_000, 10, 1_000),
        unit=PER_CELL,
        ours=_M,
        rivals=(
            Rival(
                "polyroc",
                _M,
                most=4.0,
                size=Size(100_000, 10, 1_000),
                quick=Size(30_000, 10, 500),
            ),
            Rival(
                "polyroc",
                _M,
                most=4.0,
                size=Size(1_000_000, 10, 500),
                quick=Size(100_000, 10, 200),
            ),
        ),
    ),
    Row(
        key="boot-three",
        measure="M, one-vs-rest and polar area",
        size=Size(100_000, 10, 640),
        quick=Size(20_000, 10, 640),
        ours=bootstrap.polyroc(_COLUMNS),
        rivals=(Rival("polyroc, one by one", bootstrap.one_by_one(_COLUMNS), 1 / 0.6),),
    ),
    Row(
        key="boot-three-mu",
        measure="M, AUC-mu and polar area",
        size=Size(100_000, 10, 640),
        quick=Size(20_000, 10, 640),
        ours=bootstrap.polyroc(_MIXED),
        rivals=(Rival("polyroc, one by one", bootstrap.one_by_one(_MIXED), 1 / 0.85),),
    ),
    Row(
        key="boot-c1",
        measure="proportion correct",
        size=Size(100_000, 10, 3_000),
        quick=Size(20_000, 10, 1_000),
        ours=bootstrap.polyroc("proportion_correct"),
        rivals=(
            Rival("scikit-learn, loop", bootstrap.sklearn_accuracy_loop, 100.0, replicates=50),
        ),
    ),
    Row(
        key="boot-jackknife",
        measure="Kolmogorov-Smirnov, percentiles",
        size=Size(100_000, 2, _DEFAULT),
        quick=Size(10_000, 2, 3_000),
        sigmas=0.0,
        ours=bootstrap.polyroc("kolmogorov_smirnov"),
        rivals=(
            Rival(
                "polyroc, BCa by a jackknife",
                bootstrap.polyroc("kolmogorov_smirnov", method="bca"),
                most=1.3,
            ),
        ),
    ),
    Row(
        key="boot-report",
        measure="report of two models (evaluate), all measures",
        size=Size(100_000, 10, 1_000),
        quick=Size(20_000, 10, 200),
        ours=bootstrap.evaluate(models=2),
        limit=10.0,
    ),
    Row(
        key="boot-memory",
        measure="AUC",
        size=Size(10_000_000, 2, 200),
        quick=Size(1_000_000, 2, 200),
        unit=MEMORY,
        limit=256 * 2**20,
        ours=own_process.memory("auc"),
    ),
)
