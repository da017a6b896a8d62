"""Names for what callers may pass; imported by type checkers only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array: TypeAlias = NDArray[Any]
Floats: TypeAlias = NDArray[np.float64]
Codes: TypeAlias = NDArray[np.uint32]

Labels: TypeAlias = ArrayLike | Sequence[Any]
Scores: TypeAlias = ArrayLike
Absent: TypeAlias = Literal["raise", "skip"]
Average: TypeAlias = Literal["macro", "prevalence", "micro"]
Kind: TypeAlias = Literal["hand_till", "conditional", "auc_mu"]
Ties: TypeAlias = Literal["rounding", "exact"]
PairWeights: TypeAlias = Literal["prevalence"] | ArrayLike
Method: TypeAlias = Literal[
    "bca", "percentile", "basic", "normal", "studentized", "studentised", "corrected"
]
Scheme: TypeAlias = Literal["multinomial", "poisson", "bayesian"]
Sides: TypeAlias = Literal["two", "lower", "upper"]
Degenerate: TypeAlias = Literal["skip", "redraw", "raise"]
Transform: TypeAlias = Literal["logit"] | None
Reference: TypeAlias = Literal["t", "normal"]
Alternative: TypeAlias = Literal["two-sided", "greater", "less"]
CompareBy: TypeAlias = Literal["delong", "bootstrap", "permutation"]
Statistic: TypeAlias = Literal["difference", "studentized", "studentised"]
DifferenceBy: TypeAlias = Literal["test", "bca", "percentile"]
Adjust: TypeAlias = Literal["holm", "bonferroni"] | None
RateIntervals: TypeAlias = Literal["wilson", "bootstrap"] | None
Seed: TypeAlias = int | np.random.Generator | np.random.SeedSequence | None
Order: TypeAlias = Literal["pairs"] | Sequence[tuple[Any, Any]]
