"""Many labels per row: each row has or lacks each of several labels, whose scores correlate.

Label l is there where a standard normal number lies below its quantile; score l is normal with
variance 1 and mean m_l where the label is there, else 0. Both kinds of numbers share half of their
variance between the labels of a row, which leaves each label's AUC, Phi(m_l / sqrt 2), as it is:
macro is their mean, and prevalence the mean weighed by the shares. A share of the entries may not
be labelled (nan), at random. Average precision of a label is that of `curves`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np
import polyroc as pr

from benches.studies.designs.curves import average_precision
from benches.studies.designs.design import Design, Floats, Rows

_NORMAL = NormalDist()


@dataclass(frozen=True)
class Labelled(Design):
    """So many rows, of which `sizes` have each label, on average; the AUC of each label."""

    count: int
    values: tuple[float, ...]
    unlabelled: float = 0.0

    @property
    def name(self) -> str:
        values = ", ".join(f"{value:g}" for value in self.values)
        unlabelled = f", {100 * self.unlabelled:g} % not labelled" if self.unlabelled else ""
        return f"{self.count} rows, labels {values}{unlabelled}"

    @property
    def _shares(self) -> list[float]:
        return [size / self.count for size in self.sizes]

    @property
    def _shifts(self) -> Floats:
        return math.sqrt(2.0) * np.array([_NORMAL.inv_cdf(value) for value in self.values])

    @property
    def truths(self) -> dict[str, float]:
        return {
            "macro": float(np.mean(self.values)),
            "prevalence": float(np.average(self.values, weights=self._shares)),
        }

    @property
    def measures(self) -> dict[str, Any]:
        return {
            "macro": pr.Multilabel("auc"),
            "prevalence": pr.Multilabel("auc", average="prevalence"),
        }

    def _correlated(self, rng: np.random.Generator) -> Floats:
        common = rng.standard_normal((self.count, 1))
        own = rng.standard_normal((self.count, len(self.sizes)))
        return (common + own) / math.sqrt(2.0)

    def rows(self, rng: np.random.Generator) -> Rows:
        """Draw labels again where one is on, or lacks, fewer than two rows, which is rare."""
        quantiles = [_NORMAL.inv_cdf(share) for share in self._shares]
        while True:
            labels = np.where(self._correlated(rng) < quantiles, 1.0, 0.0)
            labels[rng.random(labels.shape) < self.unlabelled] = np.nan
            rows = Rows(labels)
            if rows.least_units >= 2:
                return rows

    def noise(self, rows: Rows, rng: np.random.Generator) -> Floats:
        del rows
        return self._correlated(rng)

    def scores(self, rows: Rows, noise: Floats, rng: np.random.Generator) -> Floats:
        del rng
        return np.where(rows.labels == 1, noise + self._shifts, noise)


class Precisions(Labelled):
    """Average precision of each label, which has no closed-form error."""

    has_closed_form: ClassVar[bool] = False

    @property
    def name(self) -> str:
        return f"{super().name}, precision"

    @property
    def truths(self) -> dict[str, float]:
        found = map(average_precision, self._shifts, self._shares)
        return {"macro average precision": float(np.mean(list(found)))}

    @property
    def measures(self) -> dict[str, Any]:
        return {"macro average precision": pr.Multilabel("average_precision")}


_KINDS: tuple[type[Labelled], ...] = (Labelled, Precisions)
LABELS = [
    kind(sizes, count, values, unlabelled, family="many labels")
    for kind in _KINDS
    for sizes, count, values, unlabelled in (
        ((50, 30, 25), 100, (0.7, 0.85, 0.9), 0.0),
        ((150, 60, 30), 300, (0.7, 0.8, 0.95), 0.2),
    )
]
