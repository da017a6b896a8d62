"""Whatever is passed, nothing comes out but a number, a ValueError or a TypeError."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.slow

Y = [0, 1, 2, 0, 1, 2]
P = np.array([[6, 3, 1], [2, 5, 3], [1, 2, 7], [5, 2, 3], [3, 4, 3], [2, 2, 6]]) / 10
OPTIONS: dict[Callable[..., Any], list[str]] = {
    pr.auc: ["max_fpr"],
    pr.hand_till: ["pair_weights", "absent"],
    pr.auc_mu: ["partition", "pair_weights", "ties", "absent"],
    pr.one_vs_rest: ["average", "absent"],
    pr.polar_area: ["normalize", "order", "absent"],
    pr.pairwise: ["kind", "partition", "ties", "absent"],
}
MEASURES = [*OPTIONS, pr.Auc(), pr.HandTill(), pr.AucMu(), pr.OneVsRest(), pr.PolarArea()]

atoms = (
    st.none()
    | st.booleans()
    | st.integers(-(10**400), 10**400)
    | st.integers(-3, 3)
    | st.floats()
    | st.text(max_size=3)
    | st.binary(max_size=3)
    | st.complex_numbers()
    | st.decimals()
    | st.fractions()
    | st.dates()
    | st.just(np.datetime64("NaT"))
    | st.just(np.float16(2))
    | st.just(object())
)
flat = st.lists(atoms, max_size=6)
numbers = st.lists(st.integers(-2, 2) | st.floats(), min_size=4, max_size=4)
kinds = st.sampled_from("? i1 u8 f2 f8 g c16 S2 U2 M8[s] m8[s] O V3".split())
shapes = st.lists(st.integers(0, 4), max_size=3)
junk = (
    atoms
    | flat
    | numbers
    | st.lists(flat, max_size=5)
    | st.lists(numbers, min_size=2, max_size=5)
    | flat.map(tuple)
    | st.dictionaries(st.text(max_size=2), atoms, max_size=3)
    | st.sets(st.integers(), max_size=3)
    | st.builds(np.zeros, shapes, kinds)
    | st.builds(np.zeros, st.sampled_from([(4,), (4, 2), (6,), (6, 3), (3, 3)]), kinds)
)
sound = st.just([0, 1, 0, 1]) | st.just(P[:4, :2]) | st.just(Y) | st.just(P)


def survives(call: Callable[..., Any], *data: Any, **options: Any) -> None:
    try:
        value = call(*data, **options)
    except (ValueError, TypeError):
        return
    if isinstance(value, float):
        assert math.isfinite(value)
    else:
        assert isinstance(value, np.ndarray)


@given(st.sampled_from(MEASURES), junk | sound, junk | sound)
@settings(max_examples=300)
def test_data(call: Any, y: Any, scores: Any) -> None:
    survives(call, y, scores)


@given(
    st.sampled_from(MEASURES),
    st.sampled_from(["labels", "sample_weight", "n_threads"]),
    junk | sound,
)
@settings(max_examples=200)
def test_common_options(call: Any, name: str, value: Any) -> None:
    survives(call, Y, P, **{name: value})
    survives(call, [0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4], **{name: value})


@given(st.sampled_from([(call, name) for call in OPTIONS for name in OPTIONS[call]]), junk)
@settings(max_examples=300)
def test_own_options(option: tuple[Any, str], value: Any) -> None:
    call, name = option
    survives(call, Y, P, **{name: value})
    survives(call, [0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4], **{name: value})
