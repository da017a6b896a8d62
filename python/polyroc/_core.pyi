from collections.abc import Callable, Sequence
from typing import ClassVar, TypeAlias, TypeVar, final

import numpy as np
from numpy.typing import NDArray

_Integer = TypeVar("_Integer", bound=np.integer)
_Scores: TypeAlias = NDArray[np.float32 | np.float64]
_Codes: TypeAlias = NDArray[np.uint32]
_Floats: TypeAlias = NDArray[np.float64]

__all__ = [
    "Scheme",
    "Statistic",
    "__version__",
    "auc",
    "auc_below",
    "auc_mu",
    "bootstrap",
    "conditional",
    "encode",
    "hand_till",
    "influence",
    "micro",
    "one_vs_rest",
    "pair_variances",
    "polar_area",
    "polar_maximum",
    "resample",
    "resample_portions",
    "separation",
]

__version__: str

def encode(y: NDArray[_Integer], n_threads: int) -> tuple[_Codes, NDArray[_Integer]]: ...
def auc(scores: _Scores, codes: _Codes, weights: _Floats | None, n_threads: int) -> float: ...
def auc_below(scores: _Scores, codes: _Codes, weights: _Floats | None, max_fpr: float) -> float: ...
def one_vs_rest(
    scores: _Scores, codes: _Codes, n_classes: int, weights: _Floats | None, n_threads: int
) -> _Floats: ...
def micro(
    scores: _Scores, codes: _Codes, n_classes: int, weights: _Floats | None, n_threads: int
) -> float: ...
def conditional(
    scores: _Scores, codes: _Codes, n_classes: int, weights: _Floats | None, n_threads: int
) -> tuple[_Floats, _Floats]: ...
def separation(
    scores: _Scores,
    codes: _Codes,
    n_classes: int,
    weights: _Floats | None,
    partition: _Floats | None,
    unit_roundoff: float,
    n_threads: int,
) -> tuple[_Floats, _Floats]: ...
def hand_till(
    scores: _Scores,
    codes: _Codes,
    n_classes: int,
    weights: _Floats | None,
    pair_weights: _Floats | None,
    prevalence: bool,
    n_threads: int,
) -> float: ...
def auc_mu(
    scores: _Scores,
    codes: _Codes,
    n_classes: int,
    weights: _Floats | None,
    partition: _Floats | None,
    unit_roundoff: float,
    pair_weights: _Floats | None,
    prevalence: bool,
    n_threads: int,
) -> float: ...
def polar_area(radii: _Floats, maximise: bool) -> float: ...
def polar_maximum(q: int) -> float: ...

@final
class Scheme:
    Multinomial: ClassVar[Scheme]
    Poisson: ClassVar[Scheme]
    Bayesian: ClassVar[Scheme]
    Exchange: ClassVar[Scheme]
    Complement: ClassVar[Scheme]
    def __int__(self) -> int: ...

@final
class Statistic:
    @staticmethod
    def auc(max_fpr: float | None) -> Statistic: ...
    @staticmethod
    def auc_and_error() -> Statistic: ...
    @staticmethod
    def hand_till(pair_weights: _Floats | None, prevalence: bool) -> Statistic: ...
    @staticmethod
    def auc_mu(
        partition: _Floats | None,
        unit_roundoff: float,
        pair_weights: _Floats | None,
        prevalence: bool,
    ) -> Statistic: ...
    @staticmethod
    def one_vs_rest(n_classes: int, prevalence: bool) -> Statistic: ...
    @staticmethod
    def each_vs_rest(n_classes: int) -> Statistic: ...
    @staticmethod
    def micro() -> Statistic: ...
    @staticmethod
    def polar_area(
        n_classes: int,
        i: NDArray[np.int64],
        j: NDArray[np.int64],
        maximise: bool,
        normalise: bool,
    ) -> Statistic: ...
    @staticmethod
    def column_pairs(n_classes: int, symmetric: bool) -> Statistic: ...
    @staticmethod
    def projected_pairs(
        n_classes: int, partition: _Floats | None, unit_roundoff: float
    ) -> Statistic: ...

def bootstrap(
    scores: _Scores,
    models: int,
    codes: _Codes,
    n_classes: int,
    weights: _Floats | None,
    groups: _Codes | None,
    n_groups: int,
    statistics: Sequence[Statistic],
    scheme: Scheme,
    stratified: bool,
    seed: int,
    first: int,
    last: int,
    redraw: bool,
    influence: bool,
    cells: bool,
    budget: int,
    n_threads: int,
    watcher: Callable[[int], object] | None,
) -> tuple[list[tuple[_Floats, _Floats]], NDArray[np.bool_], int, list[float | None], str]: ...
def influence(
    scores: _Scores,
    codes: _Codes,
    n_classes: int,
    weights: _Floats | None,
    groups: _Codes | None,
    n_groups: int,
    statistics: Sequence[Statistic],
    stratified: bool,
    n_threads: int,
) -> tuple[list[_Floats], list[int], list[float | None]]: ...
def pair_variances(
    scores: _Scores,
    codes: _Codes,
    n_classes: int,
    weights: _Floats | None,
    groups: _Codes | None,
    n_groups: int,
    statistic: Statistic,
    stratified: bool,
    n_threads: int,
) -> _Floats: ...
def resample(
    strata: _Codes,
    n_strata: int,
    scheme: Scheme,
    seed: int,
    first: int,
    last: int,
    attempt: int,
    again: bool,
) -> _Floats: ...
def resample_portions(
    sizes: Sequence[int], most: int, seed: int, first: int, last: int, attempt: int
) -> _Floats: ...
