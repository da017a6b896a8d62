from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeAlias, TypeVar, final

import numpy as np
from numpy.typing import NDArray

_Integer = TypeVar("_Integer", bound=np.integer)
_Scores: TypeAlias = NDArray[np.float32 | np.float64]
_Codes: TypeAlias = NDArray[np.uint32]
_Floats: TypeAlias = NDArray[np.float64]
_Counts: TypeAlias = NDArray[np.uint64]

__all__ = [
    "HALF_ROW",
    "ROUNDING",
    "Curve",
    "Entries",
    "Estimated",
    "Influence",
    "Measure",
    "Mover",
    "Pairs",
    "Replicates",
    "Rows",
    "Scheme",
    "Shape",
    "State",
    "Sums",
    "Tables",
    "__version__",
    "bootstrap",
    "by_class",
    "conditional",
    "curve",
    "encode",
    "entries",
    "farthest",
    "find_numpy",
    "influence",
    "known",
    "known_by_class",
    "optimised",
    "pair_curves",
    "pair_variances",
    "polar_maximum",
    "projected_curves",
    "resample",
    "resample_portions",
    "row_influence",
    "row_replicates",
    "segment_errors",
    "segment_limits",
    "segment_replicates",
    "separation",
    "t_quantile",
    "t_tail",
    "tuple_shares",
    "value",
    "values",
]

HALF_ROW: float
ROUNDING: float
__version__: str
optimised: bool

def find_numpy() -> None: ...
def encode(*, y: NDArray[_Integer], n_threads: int) -> tuple[_Codes, NDArray[_Integer]]: ...

@final
class Rows:
    def __new__(
        cls,
        *,
        scores: _Scores,
        codes: _Codes,
        n_classes: int,
        weights: _Floats | None,
        n_threads: int,
    ) -> Rows: ...
    def grouped(self, *, codes: _Codes, count: int) -> Rows: ...

@final
class Measure:
    def __new__(
        cls, name: str, **options: bool | float | str | _Floats | Measure | None
    ) -> Measure: ...

def value(*, rows: Rows, measure: Measure) -> float: ...
def values(*, rows: Rows, measure: Measure) -> _Floats: ...

@final
class Pairs:
    @property
    def auc(self) -> _Floats: ...
    @property
    def tied(self) -> _Floats: ...

def conditional(*, rows: Rows) -> Pairs: ...
def separation(*, rows: Rows, partition: _Floats | None, unit_roundoff: float) -> Pairs: ...
def tuple_shares(*, rows: Rows, tuples: _Codes, unit_roundoff: float) -> _Floats: ...
def polar_maximum(*, q: int) -> float: ...

@final
class Curve:
    @property
    def thresholds(self) -> _Floats: ...
    @property
    def tp(self) -> _Floats: ...
    @property
    def fp(self) -> _Floats: ...
    def hull(self) -> Curve: ...

def curve(*, rows: Rows, favoured: int | None) -> Curve: ...
def farthest(
    *, across: _Floats, up: _Floats, lines_across: _Floats, lines_up: _Floats, n_threads: int
) -> _Floats: ...
def pair_curves(*, rows: Rows, pairs: Sequence[tuple[int, int]]) -> list[Curve]: ...
def projected_curves(
    *,
    rows: Rows,
    pairs: Sequence[tuple[int, int]],
    partition: _Floats | None,
    unit_roundoff: float,
) -> list[Curve]: ...

@final
class Scheme:
    Multinomial: ClassVar[Scheme]
    Poisson: ClassVar[Scheme]
    Bayesian: ClassVar[Scheme]
    Exchange: ClassVar[Scheme]
    Complement: ClassVar[Scheme]
    LeaveOut: ClassVar[Scheme]
    def __int__(self) -> int: ...

@final
class Replicates:
    @property
    def values(self) -> list[_Floats]: ...
    @property
    def shapes(self) -> list[Shape]: ...
    @property
    def lost(self) -> NDArray[np.bool_]: ...
    @property
    def n_redrawn(self) -> int: ...
    @property
    def estimates(self) -> list[_Floats]: ...
    @property
    def path(self) -> str: ...

@final
class Shape:
    @property
    def acceleration(self) -> _Floats: ...
    @property
    def variance(self) -> _Floats: ...
    @property
    def inflation(self) -> _Floats: ...
    @property
    def df(self) -> _Floats: ...

def bootstrap(
    *,
    models: Sequence[Rows],
    measures: Sequence[Measure],
    scheme: Scheme,
    stratified: bool,
    seed: int,
    first: int,
    last: int,
    redraw: bool,
    estimates: bool,
    influence: bool,
    cells: bool,
    budget: int,
    grows: bool,
    held: int,
    watcher: Callable[[int], object] | None,
) -> Replicates: ...

@final
class Entries:
    @property
    def scores(self) -> _Floats: ...
    @property
    def codes(self) -> _Codes: ...
    @property
    def rows(self) -> _Codes: ...
    @property
    def sizes(self) -> list[int]: ...

def entries(*, labels: NDArray[Any], scores: _Floats, n_threads: int) -> Entries: ...

@final
class Influence:
    @property
    def values(self) -> list[_Floats]: ...
    @property
    def bounds(self) -> list[int]: ...
    @property
    def estimates(self) -> list[_Floats]: ...

def influence(
    *, rows: Rows, measures: Sequence[Measure], stratified: bool, widened: bool
) -> Influence: ...
def pair_variances(*, rows: Rows, measure: Measure, stratified: bool) -> _Floats: ...
def resample(
    *,
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
    *,
    sizes: Sequence[int],
    most: int,
    scheme: Scheme,
    stratified: bool,
    seed: int,
    first: int,
    last: int,
    attempt: int,
) -> _Floats: ...
def t_tail(t: float, freedom: float) -> float: ...
def t_quantile(area: float, freedom: float) -> float: ...
def by_class(
    values: _Floats, classes: _Codes, n_classes: int
) -> tuple[_Floats, list[int], _Floats]: ...
def known(
    values: _Floats,
    bounds: Sequence[int],
    *,
    fewest: int,
    covariance: bool,
    widened: bool,
    n_threads: int,
) -> tuple[list[list[float]], list[float], list[float], list[float]]: ...
def known_by_class(
    values: _Floats,
    classes: _Codes,
    weights: _Floats | None,
    n_classes: int,
    *,
    fewest: int,
    n_threads: int,
) -> tuple[list[float], list[float], list[float]]: ...

@final
class Estimated:
    def __new__(
        cls,
        value: float,
        spread: tuple[float, float, float, float],
        bounds: tuple[float, float],
        degree: float,
    ) -> Estimated: ...
    @property
    def variance(self) -> float: ...
    @property
    def with_half_row(self) -> tuple[float, float]: ...
    def limits(self, tail: float) -> tuple[float, float]: ...
    def tails_at(self, value: float) -> tuple[float, float]: ...
    def distances(self, value: float) -> tuple[float, float]: ...

@final
class Mover:
    def __new__(
        cls, first: Estimated, second: Estimated, together: tuple[float, float, float] | None
    ) -> Mover: ...
    def limits(self, tail: float) -> tuple[float, float]: ...
    def p_above(self, bound: float) -> float: ...
    def turned(self) -> Mover: ...

def row_influence(
    *, rows: Rows, measure: Measure, stratified: bool, fewest: int
) -> tuple[float, float, float, float, _Floats]: ...
def segment_errors(
    *,
    rows: Rows,
    keys: _Codes,
    wanted: _Codes,
    measure: Measure,
    stratified: bool,
    fewest: int,
    moved: _Floats | None,
    variance: float,
) -> list[_Floats]: ...
def row_replicates(
    *,
    rows: Rows,
    measure: Measure,
    stratified: bool,
    fewest: int,
    multiplies: bool,
    seed: int,
    count: int,
) -> tuple[float, _Floats, bool]: ...
def segment_replicates(
    *,
    rows: Rows,
    keys: _Codes,
    wanted: _Codes,
    measure: Measure,
    stratified: bool,
    fewest: int,
    multiplies: bool,
    seed: int,
    whole: _Floats,
    tail: float,
) -> list[_Floats]: ...
def segment_limits(
    *,
    estimates: _Floats,
    spreads: Sequence[_Floats],
    covariances: _Floats,
    difference_variances: _Floats,
    whole: tuple[float, tuple[float, float, float, float]] | None,
    bounds: tuple[float, float],
    degree: float,
    tail: float,
    n_threads: int,
) -> list[_Floats]: ...

@final
class State:
    def __new__(
        cls,
        *,
        n_classes: int,
        folded: bool,
        max_bins: int,
        by_column: bool,
        by_pair: bool,
        class_counts: Sequence[int] | None,
        note: bytes,
    ) -> State: ...
    def update(
        self, *, scores: _Scores, codes: _Codes, weights: _Floats | None, n_threads: int
    ) -> None: ...
    def add(
        self, *, scores: _Scores | list[_Scores], codes: _Codes, weights: _Floats | None
    ) -> None: ...
    def take_cells(
        self, *, columns: _Codes, codes: _Codes, scores: _Floats, counts: _Counts, width: int
    ) -> None: ...
    def merge(self, other: State) -> None: ...
    def copy(self) -> State: ...
    def to_bytes(self) -> bytes: ...
    def identity(self) -> bytes: ...
    @staticmethod
    def from_bytes(data: bytes) -> State: ...
    @property
    def note(self) -> bytes: ...
    @property
    def class_counts(self) -> list[int] | None: ...
    @property
    def max_bins(self) -> int: ...
    @property
    def folded(self) -> bool: ...
    @property
    def width(self) -> int: ...
    @property
    def rows(self) -> list[int]: ...
    @property
    def masses(self) -> list[float]: ...
    @property
    def weighted(self) -> bool: ...
    @property
    def rounded(self) -> bool: ...
    @property
    def checksum(self) -> int: ...
    @property
    def shifts(self) -> tuple[int, int]: ...
    @property
    def bins(self) -> tuple[int, int]: ...
    def areas(
        self,
    ) -> tuple[
        list[tuple[float, float]],
        list[tuple[float, float]],
        list[tuple[float, float]],
        tuple[float, float, float],
    ]: ...
    def moments(self) -> tuple[float, list[tuple[int, float, float]]]: ...

@final
class Tables:
    def __new__(
        cls,
        *,
        states: Sequence[State],
        whole: Tables | None,
        kinds: Sequence[int],
        groups: bool,
        n_resamples: int,
        seed: int,
        note: bytes,
    ) -> Tables: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(data: bytes) -> Tables: ...
    def states(self) -> list[State]: ...
    @property
    def note(self) -> bytes: ...
    @property
    def groups(self) -> bool: ...
    @property
    def n_resamples(self) -> int: ...
    @property
    def seed(self) -> int: ...
    @property
    def fingerprint(self) -> int: ...
    def centres(self) -> list[list[float]]: ...
    def differences(self) -> list[tuple[int, int]]: ...

@final
class Sums:
    def __new__(cls, tables: Tables) -> Sums: ...
    def update(
        self,
        *,
        scores: Sequence[_Scores],
        codes: _Codes,
        weights: _Floats | None,
        ids: NDArray[np.uint64] | None,
        groups: NDArray[np.uint64] | None,
        n_threads: int,
    ) -> None: ...
    def merge(self, other: Sums) -> None: ...
    def copy(self) -> Sums: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(data: bytes, tables: Tables) -> Sums: ...
    @property
    def rows(self) -> list[int]: ...
    @property
    def positive(self) -> list[int]: ...
    @property
    def masses(self) -> list[float]: ...
    @property
    def checksums(self) -> list[int]: ...
    @property
    def uneven(self) -> bool: ...
    def shares(self) -> list[bytes]: ...
    def crossed(self) -> list[bytes]: ...
    def repeated_ids(self) -> tuple[int, int, int]: ...
    def group_ids(self) -> NDArray[np.uint64]: ...
    def powers(self) -> list[list[bytes]]: ...
    def group_cells(self) -> tuple[_Codes, _Codes, _Floats, _Floats]: ...
    def replicate_sums(self) -> _Floats: ...
