"""Seeds, as callers may give them."""

from __future__ import annotations

from typing import Any

import numpy as np

from polyroc._base.checks import whole

_DRAWN = 53  # bits


def seed_number(seed: Any) -> int:
    """Return the 64-bit seed that `seed` stands for; None draws one.

    What is drawn stays below 2^53: a double holds it, and so does JSON everywhere.
    """
    if seed is None:
        import secrets  # brings all of hashlib along, for this line alone

        return secrets.randbits(_DRAWN)
    if isinstance(seed, np.random.Generator):
        return int(seed.integers(2**_DRAWN))
    if isinstance(seed, np.random.SeedSequence):
        return int(seed.generate_state(1, np.uint64)[0]) >> (64 - _DRAWN)
    number = whole(seed)
    if number is None:
        raise TypeError(
            f"seed is {seed!r}; pass a whole number, a numpy Generator or SeedSequence, or None"
        )
    if not 0 <= number < 2**64:
        raise ValueError(f"seed is {number}; it must lie in 0 .. 2^64 - 1")
    return number
