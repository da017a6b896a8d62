"""Sizes and distributions at which the core changes its method, against sort and binary search.

The core counts small samples plainly, larger ones through an index by distribution, coarse scores
by cell and very large samples by partition. Whatever it does, the integers are the same.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from given.agreement import unit_roundoff
from oracle import fast_oracle

Generator = np.random.Generator


def _log_uniform(rng: Generator, n: int) -> np.ndarray:
    return np.asarray(10.0 ** rng.uniform(-300, 300, n) * rng.choice([-1, 1], n))


def _two_clusters(rng: Generator, n: int) -> np.ndarray:
    return np.where(rng.random(n) < 0.3, -5.0, 1e6) + 1e-9 * rng.random(n)


def _all_equal_but_one(rng: Generator, n: int) -> np.ndarray:
    s = np.full(n, 0.25)
    s[rng.integers(n)] = np.nextafter(0.25, 1)
    return s


def _one_outlier(rng: Generator, n: int) -> np.ndarray:
    s = rng.random(n)
    s[rng.integers(n)] = 1.7e308
    return s


def _atoms_and_continuum(rng: Generator, n: int) -> np.ndarray:
    return np.where(rng.random(n) < 0.7, rng.integers(0, 3, n) / 2, rng.random(n))


def _infinities(rng: Generator, n: int) -> np.ndarray:
    s = rng.normal(size=n)
    s[rng.random(n) < 0.2] = np.inf
    s[rng.random(n) < 0.2] = -np.inf
    return s


def _only_infinities(rng: Generator, n: int) -> np.ndarray:
    return rng.choice([-np.inf, np.inf], n)


def _signed_zeros(rng: Generator, n: int) -> np.ndarray:
    return rng.choice([-0.0, 0.0, 5e-324, -5e-324], n)


def _bit_patterns(rng: Generator, n: int) -> np.ndarray:
    s = rng.integers(-(2**63), 2**63 - 1, n).view(np.float64)
    return np.where(np.isnan(s), 1.0, s)


def _huge_span(rng: Generator, n: int) -> np.ndarray:
    return rng.uniform(-1, 1, n) * 1.7e308


def _int64_extremes(rng: Generator, n: int) -> np.ndarray:
    ends = np.array([-(2**63), -(2**63) + 1, -1, 0, 1, 2**53, 2**53 + 1, 2**63 - 2, 2**63 - 1])
    return np.where(rng.random(n) < 0.5, rng.choice(ends, n), rng.integers(-(2**63), 2**63 - 1, n))


def _uint64_extremes(rng: Generator, n: int) -> np.ndarray:
    return rng.integers(0, 2**64, n, dtype=np.uint64) | np.uint64(2**63)


DISTRIBUTIONS: dict[str, Callable[[Generator, int], np.ndarray]] = {
    "uniform": lambda rng, n: rng.random(n),
    "uniform float32": lambda rng, n: rng.random(n, dtype=np.float32),
    "normal": lambda rng, n: rng.normal(size=n),
    "log-uniform over 600 decades": _log_uniform,
    "mass near one": lambda rng, n: 1 - 10.0 ** -rng.uniform(0, 17, n),
    "mass near one float32": lambda rng, n: (1 - 10.0 ** -rng.uniform(0, 8, n)).astype(np.float32),
    "two clusters": _two_clusters,
    "geometric": lambda rng, n: 0.5 ** rng.geometric(0.01, n).astype(float),
    "halving": lambda rng, n: 0.5 ** (np.arange(n) % 1070),
    "two decimals": lambda rng, n: rng.random(n).round(2),
    "two decimals float32": lambda rng, n: rng.random(n).round(2).astype(np.float32),
    "two values": lambda rng, n: rng.integers(0, 2, n).astype(float),
    "three hundred values": lambda rng, n: np.exp(rng.integers(0, 300, n)),
    "few thousand values": lambda rng, n: rng.integers(0, 5000, n) / 7,
    "all equal but one": _all_equal_but_one,
    "one outlier": _one_outlier,
    "sorted": lambda rng, n: np.sort(rng.random(n)),
    "reverse sorted": lambda rng, n: np.sort(rng.random(n))[::-1],
    "duplicates and a continuum": _atoms_and_continuum,
    "neighbouring floats": lambda rng, n: 1 + rng.integers(0, 60, n) * 2.0**-52,
    "subnormals": lambda rng, n: rng.integers(-(2**20), 2**20, n) * 5e-324,
    "infinities": _infinities,
    "only infinities": _only_infinities,
    "signed zeros": _signed_zeros,
    "bit patterns": _bit_patterns,
    "huge span": _huge_span,
    "small integers": lambda rng, n: rng.integers(-3, 4, n),
    "int64 extremes": _int64_extremes,
    "uint64 extremes": _uint64_extremes,
    "cluster of integers near 2^62": lambda rng, n: 2**62 + rng.integers(0, 1000, n),
}

SIZES = [2, 63, 64, 65, 200, 1000, 4096, 2**14 - 1, 2**14 + 1, 50_000]
LARGE = [2**18 - 1, 2**18 + 1, 300_000]


def labelled(name: str, n: int, positives: float) -> tuple[np.ndarray, np.ndarray]:
    """Scores of a distribution, and classes that follow their order loosely."""
    rng = np.random.default_rng([zlib.crc32(name.encode()), n, int(1000 * positives)])
    with np.errstate(all="ignore"):
        s = DISTRIBUTIONS[name](rng, n)
        place = np.searchsorted(np.sort(s), s) / n
    y = rng.random(n) < positives * (0.5 + place)
    y[[0, n // 2]] = True, False
    return y.astype(np.int64), s


def check(y: np.ndarray, s: np.ndarray) -> None:
    expected = float(fast_oracle.auc(s[y == 1], s[y == 0]))
    assert pr.auc(y, s) == expected
    assert pr.auc(y[::-1], s[::-1]) == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_auc_at_every_size(name: str) -> None:
    for n in SIZES:
        for positives in (0.5, 0.02):
            check(*labelled(name, n, positives))


@pytest.mark.slow
@pytest.mark.parametrize("n", LARGE)
@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_auc_of_large_samples(name: str, n: int) -> None:
    check(*labelled(name, n, 0.4))


@pytest.mark.slow
@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_auc_of_large_samples_with_one_positive(name: str) -> None:
    n = 2**18 + 3
    for positives in (0.0, 2.0):  # one positive row; nearly all positive
        check(*labelled(name, n, positives))


@pytest.mark.parametrize("name", ["two decimals", "two values", "small integers", "signed zeros"])
def test_coarse_scores_that_turn_fine(name: str) -> None:
    # What looks coarse at first is not: the last rows are all different.
    n = 2**18
    y, s = labelled(name, n, 0.3)
    s = s.astype(float)
    s[n // 2 :] += np.linspace(0, 1, n - n // 2)
    check(y, s)
    check(y[::-1].copy(), s[::-1].copy())


@pytest.mark.parametrize("n", [100, 2**14 + 5, 2**18 + 5])
@pytest.mark.parametrize("name", ["uniform", "two decimals", "mass near one", "int64 extremes"])
def test_weighted_auc(name: str, n: int) -> None:
    y, s = labelled(name, n, 0.4)
    rng = np.random.default_rng(n)
    w = rng.integers(0, 5, n)
    w[:2] = w[n // 2] = 1
    one, zero = y == 1, y == 0
    expected = float(fast_oracle.auc(s[one], s[zero], w[one], w[zero]))
    assert pr.auc(y, s, sample_weight=w) == expected
    # Real weights that are whole numbers on another scale: same ratio, other arithmetic.
    assert pr.auc(y, s, sample_weight=w / 10) == pytest.approx(expected, abs=1e-12)


def matrix(name: str, n: int, K: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng([zlib.crc32(name.encode()), n, K])
    with np.errstate(all="ignore"):
        P = DISTRIBUTIONS[name](rng, n * K).reshape(n, K)
    c = rng.choice(K, size=n, p=np.linspace(2, 1, K) / np.linspace(2, 1, K).sum())
    c[:K] = np.arange(K)
    rows = np.flatnonzero(rng.random(n) < 0.4)
    best = P[rows].argmax(axis=1)
    P[rows, c[rows]], P[rows, best] = P[rows, best], P[rows, c[rows]]
    return c, P


@pytest.mark.slow
@pytest.mark.parametrize(("n", "K"), [(90, 3), (2_000, 40), (3_000, 3), (40_000, 5)])
@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_conditional(name: str, n: int, K: int) -> None:
    c, P = matrix(name, n, K)
    expected = fast_oracle.conditional(P, c, K)
    np.testing.assert_array_equal(pr.pairwise(c, P, kind="conditional"), expected)
    mean = expected[~np.eye(K, dtype=bool)].mean()
    assert pr.hand_till(c, np.asfortranarray(P)) == pytest.approx(mean, abs=1e-14)


FINITE = [
    "uniform", "uniform float32", "normal", "mass near one", "mass near one float32",
    "two clusters", "geometric", "halving", "two decimals", "two decimals float32", "two values",
    "three hundred values", "few thousand values", "duplicates and a continuum",
    "neighbouring floats", "subnormals", "signed zeros", "small integers", "sorted",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("n", "K"), [(90, 3), (2_000, 40), (3_000, 3), (40_000, 5)])
@pytest.mark.parametrize("name", FINITE)
def test_separation(name: str, n: int, K: int) -> None:
    c, P = matrix(name, n, K)
    u = unit_roundoff(P)
    rules: Any = (("rounding", u), ("exact", 0.0))
    for ties, roundoff in rules:
        expected = fast_oracle.separation(P, c, K, roundoff)
        np.testing.assert_array_equal(pr.pairwise(c, P, kind="auc_mu", ties=ties), expected)
    mean = expected[np.triu_indices(K, 1)].mean()
    assert pr.auc_mu(c, P, ties="exact") == pytest.approx(mean, abs=1e-14)


@pytest.mark.parametrize(
    "name", ["uniform", "two decimals float32", "infinities", "int64 extremes"]
)
@pytest.mark.parametrize(("n", "K"), [(300, 3), (20_000, 4)])
def test_one_vs_rest(name: str, n: int, K: int) -> None:
    c, P = matrix(name, n, K)
    expected = [float(fast_oracle.auc(P[c == i, i], P[c != i, i])) for i in range(K)]
    assert pr.one_vs_rest(c, P, average=None).tolist() == expected
    hit = c[:, None] == np.arange(K)
    micro = float(fast_oracle.auc(P[hit], P[~hit]))
    assert pr.one_vs_rest(c, P, average="micro") == micro


@pytest.mark.slow
def test_many_classes() -> None:
    # More classes than rows for most of them.
    rng = np.random.default_rng(4)
    K, n = 100, 400
    c = np.concatenate([np.arange(K), rng.integers(0, K, n - K)])
    P = rng.random((n, K), dtype=np.float32)
    np.testing.assert_array_equal(
        pr.pairwise(c, P, kind="conditional"), fast_oracle.conditional(P, c, K)
    )
    S = fast_oracle.separation(P, c, K, 2.0**-24)
    np.testing.assert_array_equal(pr.pairwise(c, P, kind="auc_mu"), S)


@pytest.mark.slow
@given(
    n=st.integers(2, 3000) | st.sampled_from([2**14, 2**18, 2**18 + 17]),
    seed=st.integers(0, 2**32 - 1),
    values=st.lists(
        st.floats(allow_nan=False) | st.floats(0, 1) | st.floats(allow_nan=False, width=32),
        min_size=1, max_size=30,
    ),
    noise=st.sampled_from([0.0, 1e-300, 1e-12, 1.0, 1e12]),
    share=st.floats(0, 1),
)  # fmt: skip
@settings(max_examples=60)
def test_any_mixture(n: int, seed: int, values: list[Any], noise: float, share: float) -> None:
    rng = np.random.default_rng(seed)
    s = rng.choice(np.array(values), n)
    with np.errstate(all="ignore"):
        s = np.where(rng.random(n) < share, s + noise * rng.normal(size=n), s)
    y = rng.integers(0, 2, n)
    y[:2] = 0, 1
    check(y, s)


integers = st.integers(-(2**63), 2**63 - 1)


@pytest.mark.slow
@given(
    values=st.lists(integers | integers.map(lambda x: x >> 40), min_size=1, max_size=30),
    span=st.sampled_from([1, 2, 100, 2**20]),
    n=st.integers(2, 3000) | st.just(2**18 + 9),
    seed=st.integers(0, 2**32 - 1),
)
@settings(max_examples=40)
def test_any_mixture_of_integers(values: list[int], span: int, n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    near = [min(v, 2**63 - 1 - span) for v in values]
    s = rng.choice(np.array(near, dtype=np.int64), n) + rng.integers(0, span, n)
    y = rng.integers(0, 2, n)
    y[:2] = 0, 1
    check(y, s)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "int64", "uint64", "bool"])
def test_integer_labels_are_coded_whatever_their_spread(dtype: str) -> None:
    rng = np.random.default_rng(11)
    kind = np.dtype(dtype)
    ends = [0, 1] if kind.kind == "b" else [np.iinfo(kind).min, np.iinfo(kind).max]
    for labels in ([0, 1], ends):
        names = np.array(labels, dtype=kind)
        for n in (50, 200_000):
            c = rng.integers(0, 2, n)
            s = rng.normal(c)
            expected = pr.auc(c, s)
            assert pr.auc(names[c], s) == expected
            assert pr.auc(names[c][::-1], s[::-1]) == expected
            assert pr.auc(np.repeat(names[c], 2)[::2], s) == expected


def test_a_rare_label_far_from_the_rest() -> None:
    n = 300_000
    y = np.full(n, 1000)
    y[1::2] = 1001
    y[123_456] = -(2**62)
    P = np.zeros((n, 3))
    P[np.arange(n), np.searchsorted([-(2**62), 1000, 1001], y)] = 1.0
    assert pr.hand_till(y, P) == 1.0
    wide = np.arange(n) % 70_000 * 1_000_003
    P = np.random.default_rng(0).random((n, 1))
    with pytest.raises(ValueError, match=r"70000|70,000"):
        pr.hand_till(wide, P)
