"""The core's weights, asked for in one line."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from polyroc import _core


def weights(
    strata: NDArray[np.uint32], n_strata: int, scheme: _core.Scheme, seed: int, first: int,
    last: int, attempt: int = 0, again: bool = False,
) -> NDArray[np.float64]:  # fmt: skip
    return _core.resample(
        strata=strata,
        n_strata=n_strata,
        scheme=scheme,
        seed=seed,
        first=first,
        last=last,
        attempt=attempt,
        again=again,
    )


def in_portions(
    sizes: list[int] | tuple[int, ...], most: int, seed: int, first: int, last: int,
    attempt: int = 0, scheme: str = "Multinomial", stratified: bool = True,
) -> NDArray[np.float64]:  # fmt: skip
    return _core.resample_portions(
        sizes=sizes,
        most=most,
        scheme=getattr(_core.Scheme, scheme),
        stratified=stratified,
        seed=seed,
        first=first,
        last=last,
        attempt=attempt,
    )
