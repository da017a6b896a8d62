"""bfloat16 and float8, which numpy lacks: every value as it is, ties by their rounding."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest
from polyroc._data.scores import read_scores

RNG = np.random.default_rng(6)
Y = np.arange(60) % 3
P = RNG.dirichlet(np.ones(3), 60).astype(np.float32)
BFLOAT16 = (P.view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32)  # its values, as float32


class Named:
    """A dtype as torch shows it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"torch.{self.name}"


class Tensor:
    """A torch tensor on the CPU, as far as numpy goes; bfloat16 is refused as torch does."""

    def __init__(self, x: Any, dtype: str, on: str = "cpu") -> None:
        self.x, self.dtype, self.on = x, Named(dtype), on

    def float(self) -> Tensor:
        return Tensor(self.x, "float32", self.on)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if self.on != "cpu":
            raise TypeError("can't convert cuda:0 device type tensor to numpy; use Tensor.cpu()")
        if self.dtype.name != "float32":
            raise TypeError("Got unsupported ScalarType BFloat16")
        return self.x

    def __len__(self) -> int:
        return len(self.x)


@pytest.mark.parametrize(
    ("name", "roundoff"), [("bfloat16", 2**-8), ("float8_e4m3fn", 2**-4), ("float8_e5m2", 2**-3)]
)
def test_torch(name: str, roundoff: float) -> None:
    scores = read_scores(Tensor(BFLOAT16, name))
    assert scores.unit_roundoff == roundoff
    np.testing.assert_array_equal(scores.array, BFLOAT16)
    assert pr.hand_till(Y, Tensor(BFLOAT16, name)) == pr.hand_till(Y, BFLOAT16)
    assert pr.hand_till(Y, BFLOAT16, sample_weight=Tensor(np.ones(60), name)) == pr.hand_till(
        Y, BFLOAT16
    )


def test_what_torch_says_is_passed_on() -> None:
    with pytest.raises(TypeError, match=r"^y_score cannot be read .*use Tensor\.cpu\(\)$"):
        pr.hand_till(Y, Tensor(P, "bfloat16", on="cuda"))


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float8_e5m2", "float6_e2m3fn"])
def test_ml_dtypes(name: str) -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    kind = getattr(ml_dtypes, name)
    narrow = P.astype(kind)
    scores = read_scores(narrow)
    assert scores.unit_roundoff == float(ml_dtypes.finfo(kind).eps) / 2
    np.testing.assert_array_equal(scores.array, narrow.astype(np.float64))
    assert pr.hand_till(Y, narrow) == pr.hand_till(Y, narrow.astype(np.float64))
    assert pr.hand_till(Y, list(narrow)) == pr.hand_till(Y, narrow)
    with pytest.raises(ValueError, match=r"^y_score\[0, 1\] is NaN"):
        pr.hand_till(Y, np.where(np.arange(3) == 1, np.nan, P).astype(ml_dtypes.bfloat16))


def test_projections_tie_by_the_rounding_of_the_type() -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    tenths = np.array([[3, 2, 5], [2, 1, 7], [4, 3, 3]]) / 10  # the first two rows tie
    narrow = tenths.astype(ml_dtypes.bfloat16)
    assert pr.pairwise([0, 1, 2], narrow, kind="auc_mu")[0, 1] == 0.5
    assert pr.pairwise([0, 1, 2], narrow.astype(float), kind="auc_mu")[0, 1] != 0.5
