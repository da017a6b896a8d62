"""Hypothesis strategies: small samples that hold whatever scores, labels and memory can do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

Array = NDArray[Any]

FLOATS = ("float16", "float32", "float64")
INTEGERS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "bool")
LAYOUTS = ("C", "F", "strided", "reversed", "transposed", "offset", "unaligned", "swapped")


@dataclass(frozen=True)
class Sample:
    """K classes, codes c in 0..K-1 (each with rows unless said otherwise), scores P, weights w."""

    K: int
    c: Array
    P: Array
    w: Array | None


def special(dtype: str) -> list[Any]:
    """Values of a dtype that have broken something before: ends, neighbours, zeros, subnormals."""
    kind = np.dtype(dtype)
    if kind.kind == "b":
        return [False, True]
    near: list[Any]
    if kind.kind in "iu":
        info = np.iinfo(kind)
        near = [info.min, info.min + 1, -1, 0, 1, 2, info.max - 1, info.max]
        wide = [2**53 - 1, 2**53, 2**53 + 1, 2**62, 2**62 + 1, -(2**53), -(2**53) - 1]
        return [x for x in [*near, *wide] if info.min <= x <= info.max]
    tiny, one, big = np.finfo(kind).tiny, kind.type(1), np.finfo(kind).max
    least = np.nextafter(kind.type(0), one)
    near = [0.0, least, 2 * least, tiny, np.nextafter(one, 0 * one), one, np.nextafter(one, big)]
    values = [float(x) for x in [*near, 0.5, float(big) / 4, big]]
    return [*values, *(-x for x in values)]  # -0.0 among them


def score(dtype: str, infinite: bool = True) -> st.SearchStrategy[Any]:
    """One score. Whether it ties with others is up to `pool`."""
    kind = np.dtype(dtype)
    plain: st.SearchStrategy[Any]
    if kind.kind == "b":
        return st.booleans()
    if kind.kind in "iu":
        info = np.iinfo(kind)
        plain = st.integers(int(info.min), int(info.max)) | st.integers(0, 3)
        return plain | st.sampled_from(special(dtype))
    width: Any = 8 * kind.itemsize
    plain = st.floats(width=width, allow_nan=False, allow_infinity=infinite)
    return plain | st.integers(0, 8).map(lambda x: x / 8) | st.sampled_from(special(dtype))


def laid_out(P: Array, layout: str) -> Array:
    """The same numbers, differently laid out in memory."""
    if layout == "F":
        return np.asfortranarray(P)
    if layout == "strided":
        room = np.zeros(tuple(2 * n + 1 for n in P.shape), P.dtype)
        view = room[tuple(slice(1, None, 2) for _ in P.shape)]
        view[...] = P
        return view
    if layout == "reversed":
        back = tuple(slice(None, None, -1) for _ in P.shape)
        return np.ascontiguousarray(P[back])[back]
    if layout == "transposed":
        return np.ascontiguousarray(P.T).T
    if layout == "offset":
        room = np.zeros((*P.shape[:-1], P.shape[-1] + 3), P.dtype)
        view = room[..., 2:-1]
        view[...] = P
        return view
    if layout == "unaligned":
        view = np.zeros(P.nbytes + 1, np.uint8)[1:].view(P.dtype).reshape(P.shape)
        view[...] = P
        return view
    if layout == "swapped":
        return P.astype(P.dtype.newbyteorder())
    return np.ascontiguousarray(P)


def layouts() -> st.SearchStrategy[str]:
    """How the numbers lie in memory."""
    return st.sampled_from(LAYOUTS)


@st.composite
def codes(draw: st.DrawFn, K: int, most: int, absent: bool = False) -> Array:
    """Classes of n <= most rows, unbalanced as they come; every class has a row unless `absent`."""
    extra = draw(st.lists(st.integers(0, K - 1), max_size=most - K))
    base = [0, 1] if absent else list(range(K))
    if absent:
        base = draw(st.permutations(range(K)))[:2]
    return np.array(draw(st.permutations([*base, *extra])), dtype=np.int64)


def weights(n: int, kind: str) -> st.SearchStrategy[Array | None]:
    """None, whole numbers or reals, zeros among them."""
    if kind == "none":
        return st.none()
    whole = st.integers(0, 3) | st.integers(0, 10**6)
    real = st.sampled_from([0.0, 0.1, 0.5, 1.0, 1 / 3]) | st.floats(1e-3, 1e3)
    one: st.SearchStrategy[Any] = whole if kind == "whole" else real
    return st.lists(one, min_size=n, max_size=n).map(lambda w: np.array(w, dtype=float))


@st.composite
def samples(
    draw: st.DrawFn,
    K: st.SearchStrategy[int] = st.integers(2, 5),  # noqa: B008
    dtypes: tuple[str, ...] = FLOATS + INTEGERS,
    weighting: tuple[str, ...] = ("none", "whole"),
    most: int = 24,
    absent: bool = False,
    infinite: bool = True,
    scores: st.SearchStrategy[Any] | None = None,
    columns: bool = True,
) -> Sample:
    """A labelled and scored sample. Scores come from a small pool, so that ties are common.

    A pool of one value gives constant scores. With `columns=False` the scores are 1-D.
    """
    k, dtype = draw(K), draw(st.sampled_from(dtypes))
    c = draw(codes(k, most, absent))
    n = len(c)
    one = score(dtype, infinite) if scores is None else scores
    pool = draw(st.lists(one, min_size=1, max_size=12))
    width = k if columns else 1
    pick = draw(st.lists(st.integers(0, len(pool) - 1), min_size=n * width, max_size=n * width))
    P = np.array(pool, dtype=dtype)[pick].reshape(n, width)
    w = draw(weights(n, draw(st.sampled_from(weighting))))
    if w is not None:
        needed = sorted(set(c.tolist()))
        for i in needed:  # a class of zero mass is another test's business
            if not w[c == i].any():
                w[np.flatnonzero(c == i)[0]] = 1.0
    P = laid_out(P if columns else P[:, 0], draw(layouts()))
    return Sample(k, c, P, w)


def rounded_rows(k: int = 10) -> st.SearchStrategy[float]:
    """Votes out of k, as k-NN and trees give them: fractions that rounding puts off the grid."""
    return st.integers(0, k).map(lambda v: v / k)


@st.composite
def partitions(draw: st.DrawFn, K: int) -> Array:
    """A valid partition matrix whose entries and differences are exact in float64."""
    cells = st.lists(st.integers(1, 12), min_size=K * K, max_size=K * K)
    A = np.array(draw(cells), dtype=float).reshape(K, K) / 4
    np.fill_diagonal(A, 0.0)
    return A


@st.composite
def pair_weight_matrices(draw: st.DrawFn, K: int) -> Array:
    """Non-negative weights of pairs: symmetric, triangular or neither, zeros allowed, sum > 0."""
    cells = st.lists(st.integers(0, 5), min_size=K * K, max_size=K * K)
    W = np.array(draw(cells), dtype=float).reshape(K, K)
    shape = draw(st.sampled_from(["full", "upper", "symmetric"]))
    W = np.triu(W, 1) if shape == "upper" else W + W.T if shape == "symmetric" else W
    if (W + W.T)[np.triu_indices(K, 1)].sum() == 0:
        W[0, 1] = 1.0
    return W
