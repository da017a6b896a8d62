"""Floats that numpy itself lacks: bfloat16 and float8, as torch, JAX and ml_dtypes have them.

float32 holds every value of theirs exactly. They are known by the names of their types, so that
none of these packages is imported.
"""

from __future__ import annotations

import re
from typing import Any

_NAME = re.compile(r"(?:torch\.)?(?:bfloat16|float\d_e\dm(\d)\w*)")  # m: bits of the fraction
_FRACTION_OF_BFLOAT16 = 7


def narrow_roundoff(dtype: Any) -> float | None:
    """Return the unit roundoff of such a type; None for all others."""
    match = _NAME.fullmatch(str(dtype))
    if match is None:
        return None
    bits = _FRACTION_OF_BFLOAT16 if match[1] is None else int(match[1])
    return 2.0 ** -(bits + 1)


def widened(x: Any) -> Any:
    """Return a torch tensor of such a type as float32, for numpy cannot ask for it; else `x`."""
    dtype = getattr(x, "dtype", None)
    if str(dtype).startswith("torch.") and narrow_roundoff(dtype) is not None:
        return x.float()
    return x
