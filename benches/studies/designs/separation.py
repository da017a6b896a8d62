"""Perfect separation at unequal sizes: samples that look perfect while the truth is not.

All or nothing: a row of class 1 scores above every row of class 0 with probability p, else below
all of them: AUC = p, and a sample of m such rows is separated with probability p^m whatever the
size of class 0: the law under which separation says least. Beside it normal scores whose class 1 is
spread 20 times as wide, and plain normal ones in small samples.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from benches.studies.designs.design import Design, Floats, Rows
from benches.studies.designs.normal import Normal

_NORMAL = NormalDist()


@dataclass(frozen=True)
class AllOrNothing(Design):
    """The AUC, p."""

    value: float

    @property
    def name(self) -> str:
        return f"all or nothing {self.value:g}"

    @property
    def truths(self) -> dict[str, float]:
        return {"auc": self.value}

    def scores(self, rows: Rows, noise: Floats, rng: np.random.Generator) -> Floats:
        del rng
        above = noise < _NORMAL.inv_cdf(self.value)
        return np.where(rows.labels == 1, np.where(above, 1.0, -1.0), noise / 100)


SEPARATION: list[Design] = [
    AllOrNothing((1000, 10), 0.9, family="separation"),
    AllOrNothing((200, 25), 0.93, family="separation"),
    AllOrNothing((20, 20), 0.95, family="separation"),
    AllOrNothing((500, 50), 0.97, family="separation"),
    Normal((300, 30), 0.95, 20.0, family="separation"),
    Normal((100, 8), 0.9, 20.0, family="separation"),
    Normal((10, 10), 0.97, family="separation"),
    Normal((1000, 10), 0.97, family="separation"),
]
