from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

_Integer = TypeVar("_Integer", bound=np.integer)
_Scores: TypeAlias = NDArray[np.float32 | np.float64]
_Codes: TypeAlias = NDArray[np.uint32]
_Floats: TypeAlias = NDArray[np.float64]

__all__ = [
    "__version__",
    "auc",
    "auc_below",
    "auc_mu",
    "conditional",
    "encode",
    "hand_till",
    "micro",
    "one_vs_rest",
    "polar_area",
    "polar_maximum",
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
