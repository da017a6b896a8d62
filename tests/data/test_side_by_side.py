"""Columns that lie in one array already are not copied to be laid side by side."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polyroc as pr
import pytest
from polyroc._data.frames import side_by_side
from polyroc._data.scores import read_scores

MATRIX = np.random.default_rng(0).random((60, 4))


@pytest.mark.parametrize("matrix", [MATRIX, np.asfortranarray(MATRIX)], ids=["rows", "columns"])
def test_columns_of_one_array_are_that_array(matrix: np.ndarray) -> None:
    columns = [matrix[:, k] for k in range(4)]
    found = side_by_side(columns)
    assert found is not None
    assert np.shares_memory(found, matrix)
    np.testing.assert_array_equal(found, matrix)
    every_other = side_by_side(columns[::2])
    assert every_other is not None
    np.testing.assert_array_equal(every_other, matrix[:, ::2])


def test_others_are_not() -> None:
    columns = [MATRIX[:, k] for k in range(4)]
    own = [column.copy() for column in columns]
    for given in (
        own, columns[:1], columns[::-1], [columns[k] for k in (0, 1, 3)], [columns[0], own[1]],
        [columns[0][::2], columns[1][:30]], [columns[0], columns[0]],
    ):  # fmt: skip
        assert side_by_side(given) is None


def test_a_frame_of_pandas_is_read_without_a_copy() -> None:
    frame = pd.DataFrame(MATRIX, columns=list("abcd"), copy=False).assign(z=1.0)[list("abcd")]
    scores = read_scores({name: frame[name].to_numpy() for name in frame})
    assert np.shares_memory(scores.array, frame["b"].to_numpy())
    np.testing.assert_array_equal(scores.array, MATRIX)
    y = np.arange(60) % 4
    assert pr.hand_till(y, frame.rename(columns=dict(zip("abcd", range(4), strict=True)))) == (
        pr.hand_till(y, MATRIX)
    )
