"""The bits that weights are drawn from, in plain Python, as `src/resample/stream.rs` has them.

b is a replicate, t an attempt, u a unit, s a stratum, q a quad of replicates. Whole numbers are
Python integers cut to 64 or 32 bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import count
from typing import NamedTuple

G = 0x9E3779B97F4A7C15
WIDE, NARROW = 2**64 - 1, 2**32 - 1


def mix(z: int) -> int:
    """The finaliser of splitmix64."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WIDE
    z = (z ^ z >> 27) * 0x94D049BB133111EB & WIDE
    return z ^ z >> 31


def derive(h: int, *numbers: int) -> int:
    """h = mix(h + G k), for one k after the other."""
    for k in numbers:
        h = mix(h + G * k & WIDE)
    return h


@cache
def key(seed: int, d: int) -> int:
    """d = 1 units, 2 quads, 3 fine, 4 sequences, 5 steps, 6 numbers."""
    return derive(mix(seed), d)


@cache
def unit(seed: int, u: int) -> int:
    """The 64 bits of a unit."""
    return derive(key(seed, 1), u)


@cache
def quad(seed: int, q: int, t: int) -> tuple[int, int]:
    """kx and ky."""
    h = derive(key(seed, 2), q, t)
    return derive(h, 1), derive(h, 2)


@cache
def step(seed: int, k: int) -> int:
    """What the k-th number of any draw is made of, beside the draw's own bits."""
    return derive(key(seed, 5), k)


def word(z: int, k: int) -> int:
    """32 bits of a unit and a quad."""
    x = ((z & NARROW) + (k & NARROW)) * ((z >> 32 ^ k >> 32) | 1) & NARROW
    x = (x ^ x >> 16) * 0xD35A2D97 & NARROW
    return x ^ x >> 15


def fraction(z: int) -> float:
    """f: an odd multiple of 2^-53 in (0, 1)."""
    return ((z >> 12) + 0.5) / 2.0**52


class Draw(NamedTuple):
    """A replicate b at its attempt t."""

    seed: int
    b: int
    t: int = 0

    def bits(self, u: int) -> int:
        """16 bits: a byte of X and, above it, the same byte of Y."""
        q, i = divmod(self.b, 4)
        x, y = (word(unit(self.seed, u), k) >> 8 * i & 0xFF for k in quad(self.seed, q, self.t))
        return y << 8 | x

    def fine(self, u: int, k: int) -> int:
        """The k-th further 64 bits at a unit."""
        return derive(key(self.seed, 3), self.b, self.t, u, k)

    def fraction(self, u: int, k: int) -> float:
        """f at a unit."""
        return fraction(self.fine(u, k))

    def words(self, s: int) -> Iterator[int]:
        """Sequence s of the draw, 64 bits after 64 bits."""
        h = derive(key(self.seed, 4), self.b, self.t, s)
        return (derive(h, k) for k in count(1))

    def numbers(self, s: int) -> Iterator[int]:
        """Numbers s of the draw, 32 bits after 32 bits."""
        h = derive(key(self.seed, 6), self.b, self.t, s)
        return (word(step(self.seed, k), h) for k in count())


def below(numbers: Iterator[int], n: int) -> int:
    """A whole number below n, each with the same probability (Lemire 2019)."""
    while True:
        product = next(numbers) * n
        if product & NARROW >= 2**32 % n:
            return product >> 32
