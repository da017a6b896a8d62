"""The rivals of every family: equal models, models that differ, and margins."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist

from benches.studies.designs.clusters import clustered
from benches.studies.designs.contaminated import Contaminated
from benches.studies.designs.correct import Correct
from benches.studies.designs.curves import Curve, Distance
from benches.studies.designs.design import Design
from benches.studies.designs.exponential import Exponential
from benches.studies.designs.heavy_tails import HeavyTails
from benches.studies.designs.hulls import HMeasures
from benches.studies.designs.labels import Labelled
from benches.studies.designs.normal import Normal
from benches.studies.designs.parts import Areas, Rates
from benches.studies.designs.random_counts import RandomCounts
from benches.studies.designs.rivals import Rivals
from benches.studies.designs.separation import AllOrNothing
from benches.studies.designs.ties import Graded
from benches.studies.designs.volumes import Columns, Marker
from benches.studies.designs.weights import Weighted

_NORMAL = NormalDist()


def _grid_design(sizes: tuple[int, ...], measure: str, value: float) -> Normal:
    """A design of the grid whose measure has a value; Normal takes M's."""
    if measure == "auc_mu":
        value = _NORMAL.cdf(_NORMAL.inv_cdf(value) / math.sqrt(2.0))
    return Normal(sizes, value, asked=(measure,), family="grid")


GRID = [
    Rivals(_grid_design(sizes, measure, first), _grid_design(sizes, measure, second), measure)
    for measure, all_sizes in {
        "auc": ((20, 20), (36, 2), (36, 4), (100, 100), (180, 20)),
        "hand_till": ((20, 20, 20), (40, 16, 4), (100, 100, 100)),
        "auc_mu": ((20, 20, 20), (40, 16, 4), (100, 100, 100)),
    }.items()
    for sizes in all_sizes
    for first, second in ((0.7, 0.7), (0.9, 0.9), (0.7, 0.8), (0.9, 0.95))
]


def _same(design: Design, correlation: float = 0.5, fresh: float = 1.0) -> Rivals:
    measure = next(iter(design.measures))
    return Rivals(design, design, measure, correlation, fresh)


TIES = [
    _same(Graded((60, 8), 0.8, 4, family="ties")),
    _same(Graded((150, 20), 0.8, 4, family="ties")),
    _same(Graded((200, 100, 40), 0.85, 4, family="ties")),
]

EXPONENTIAL = [
    _same(Exponential((100, 15), 0.85, family="exponential")),
    _same(Exponential((100, 40), 0.85, family="exponential")),
    Rivals(
        Exponential((100, 20), 0.9, family="exponential"),
        Exponential((100, 20), 0.9, turned=True, family="exponential"),
    ),
]

HEAVY_TAILS = [
    _same(HeavyTails((500, 100, 10), 0.9, 3, family="heavy tails")),
    _same(HeavyTails((1000, 200, 20), 0.9, 3, family="heavy tails")),
    _same(HeavyTails((60, 25), 0.85, 2, family="heavy tails")),
]

CONTAMINATED = [
    _same(Contaminated((100, 12), 0.95, 0.06, family="contaminated")),
    _same(Contaminated((300, 30), 0.95, 0.06, family="contaminated")),
    Rivals(
        Contaminated((200, 40), 0.95, 0.06, family="contaminated"),
        Normal((200, 40), 0.95, family="contaminated"),
    ),
]

SPREAD = [
    Rivals(
        Normal(sizes, value, first, family="spread"),
        Normal(sizes, value, second, family="spread"),
        "auc" if len(sizes) == 2 else "hand_till",
        correlation,
    )
    for sizes, value, first, second, correlation in (
        ((300, 30), 0.8, 4.0, 1.0, 0.5),
        ((100, 10), 0.9, 4.0, 1.0, 0.5),
        ((300, 30), 0.9, 4.0, 1.0, 0.5),
        ((200, 20), 0.9, 4.0, 1.0, 0.8),
        ((30, 300), 0.9, 0.25, 1.0, 0.5),
        ((300, 30), 0.9, 4.0, 0.25, 0.5),
        ((50, 10), 0.75, 4.0, 1.0, 0.5),
        ((100, 60, 20), 0.85, 4.0, 1.0, 0.5),
    )
]

# Two models good on different classes of equal shares: equal by every measure.
RANDOM_COUNTS = [
    Rivals(
        RandomCounts(sizes, values, family="random counts"),
        RandomCounts(sizes, (values[1], values[0], *values[2:]), family="random counts"),
        measure,
    )
    for sizes, values, measure in (
        ((40, 40, 40), (0.98, 0.6, 0.8), "one_vs_rest prevalence"),
        ((160, 160, 80), (0.95, 0.65, 0.8), "one_vs_rest prevalence"),
        ((60, 60, 20), (0.95, 0.65, 0.8), "one_vs_rest micro"),
        ((40, 40, 40), (0.98, 0.6, 0.8), "hand_till prevalence"),
        ((40, 40, 40), (0.98, 0.6, 0.8), "auc_mu prevalence"),
    )
]

CLUSTERS = [
    _same(clustered(0.8, 12, (8,))),
    _same(clustered(0.8, 40, (3,))),
    _same(clustered(0.8, 20, (8,), pure=8)),
    _same(clustered(0.9, 60, (1, 2, 4), pure=20)),
]

WEIGHTS = [
    _same(Weighted((40, 40), 0.8, 2.0, family="weights")),
    _same(Weighted((100, 100), 0.8, 1.5, family="weights")),
    _same(Weighted((320, 80), 0.9, 0.8, lognormal=True, family="weights")),
]

SEPARATION = [
    _same(AllOrNothing((200, 12), 0.9, family="separation")),
    _same(AllOrNothing((200, 40), 0.95, family="separation")),
]

NEAR_ONE = [
    _same(Normal((30, 30), 0.97, family="near 1")),
    _same(Normal((200, 200), 0.98, family="near 1")),
    _same(Normal((200, 20), 0.95, family="near 1")),
]

TWINS = [  # models that differ in few rows
    _same(Normal((100, 50), 0.85, family="twins"), fresh=0.02),
    _same(Normal((400, 200), 0.85, family="twins"), fresh=0.02),
    _same(Normal((60, 20), 0.9, family="twins"), correlation=0.95),
]

# Measures without a closed form, and those with one that are no means of AUCs.
MEASURES = [
    _same(HMeasures((50, 50), 0.8, family="H measure")),
    _same(HMeasures((200, 30), 0.9, family="H measure")),
    _same(Rates((50, 50), 0.9, family="curve at a rate")),
    _same(Rates((100, 100), 0.8, family="curve at a rate")),
    _same(Areas((100, 100), 0.8, family="partial areas")),
    _same(Areas((200, 50), 0.9, family="partial areas")),
    _same(Curve((40, 30), 0.8, "average_precision", family="along the curve")),
    _same(Curve((180, 20), 0.85, "average_precision", family="along the curve")),
    _same(Distance((100, 100), 0.9, "kolmogorov_smirnov", family="along the curve")),
    _same(Correct((30, 30, 30), 0.8, family="proportions correct")),
    _same(Correct((120, 60, 20), 0.9, family="proportions correct")),
    _same(Marker((20, 20, 20), 0.8, family="ordered volume")),
    _same(Marker((100, 40, 20), 0.9, family="ordered volume")),
    _same(Columns((20, 20, 20), 0.8, family="volumes of columns")),
    _same(Columns((60, 40, 20), 0.9, family="volumes of columns")),
    _same(Labelled((50, 30, 25), 100, (0.7, 0.85, 0.9), family="many labels")),
    _same(Labelled((150, 60, 30), 300, (0.7, 0.8, 0.95), 0.2, family="many labels")),
]


def _margin(
    first: Design, second: Design, correlation: float = 0.5, measure: str = "auc"
) -> Rivals:
    return Rivals(first, second, measure, correlation, margin=True, group="margins")


def _normal_margin(
    sizes: tuple[int, int],
    values: tuple[float, float],
    spreads: tuple[float, float] = (1.0, 1.0),
    correlation: float = 0.5,
) -> Rivals:
    first, second = (
        Normal(sizes, value, spread) for value, spread in zip(values, spreads, strict=True)
    )
    return _margin(first, second, correlation)


# Class 1 last: "12:200" of the designs is 12 rows of class 1 and 200 of class 0.
MARGINS = [
    _normal_margin((40, 40), (0.93, 0.98)),
    _normal_margin((200, 12), (0.93, 0.98)),
    _normal_margin((50, 50), (0.97, 0.99)),
    _normal_margin((12, 200), (0.93, 0.98)),
    _normal_margin((40, 40), (0.98, 0.93)),
    _normal_margin((40, 40), (0.93, 0.98), correlation=0.8),
    _normal_margin((200, 200), (0.98, 0.99)),
    _normal_margin((50, 50), (0.75, 0.8)),
    _normal_margin((20, 20), (0.95, 0.99)),
    _normal_margin((300, 30), (0.9, 0.95), (3.0, 1.0)),
    _normal_margin((300, 30), (0.9, 0.95), (1.0, 3.0)),
    _normal_margin((200, 20), (0.85, 0.95), (4.0, 1.0), 0.8),
    _margin(Exponential((100, 20), 0.8), Exponential((100, 20), 0.9)),
    _margin(clustered(0.85, 40, (3,)), clustered(0.92, 40, (3,))),
    _margin(Contaminated((200, 40), 0.93, 0.06), Contaminated((200, 40), 0.97, 0.03)),
]

AREAS: list[Rivals] = [
    *GRID,
    *TIES,
    *EXPONENTIAL,
    *HEAVY_TAILS,
    *CONTAMINATED,
    *SPREAD,
    *RANDOM_COUNTS,
    *CLUSTERS,
    *WEIGHTS,
    *SEPARATION,
    *NEAR_ONE,
    *TWINS,
    *MARGINS,
]

# Options that are no defaults are tried on rivals that tell them apart.
OTHER_OPTIONS = [
    replace(rivals, group="other options")
    for rivals in (*EXPONENTIAL[:2], *SPREAD[:3], *RANDOM_COUNTS[:3], *TWINS[:2])
]

BEYOND: list[Rivals] = [
    *MEASURES,
    _margin(HMeasures((100, 100), 0.8), HMeasures((100, 100), 0.9), measure="h_measure"),
    _margin(Rates((100, 100), 0.8), Rates((100, 100), 0.9), measure="TPR at 0.1"),
    *OTHER_OPTIONS,
]

ALL = [*AREAS, *BEYOND]
