"""Two or more models on the same rows, whose noise correlates."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase
from typing import Any, NamedTuple

import numpy as np

from benches.studies.designs.design import Design, Floats, Rows, generator, sizes_text

_COMPARING_COLUMNS = ("auc_mu", "C1", "C2", "hum")


class Contest(NamedTuple):
    """One data set of rival models, by name."""

    rows: Rows
    models: dict[str, Floats]


@dataclass(frozen=True)
class Rivals:
    """A first and a second model; all further ones are as the first.

    The noise of each is sqrt(r) u + sqrt(1 - r) e with u common to all. With `fresh` the second
    model has the noise of the first in all but that share of the rows. The second one's scores are
    put on another scale where a measure does not see it: AUC-mu, HUM and proportions correct
    compare columns, others rank them.
    """

    first: Design
    second: Design
    measure: str = "auc"
    correlation: float = 0.5
    fresh: float = 1.0
    margin: bool = False  # whether the difference is the margin of non-inferiority
    group: str = ""  # a family of its own

    @property
    def family(self) -> str:
        return self.group or self.first.family

    @property
    def name(self) -> str:
        first, second = self.first.name, self.second.name
        second = "the same" if first == second else second
        fresh = f", {100 * self.fresh:g} % of rows" if self.fresh < 1 else ""
        return f"{first} v {second}{fresh}"

    @property
    def key(self) -> str:
        noise = "" if self.correlation == 0.5 else f" r {self.correlation:g}"
        return f"{self.family}/{self.measure} {self.name}{noise} {sizes_text(self.first.sizes)}"

    @cached_property
    def asked(self) -> Any:
        """What `compare` is told to measure."""
        return self.first.measures[self.measure]

    @cached_property
    def difference(self) -> float:
        """First minus second, in truth; differences in rounding are none."""
        difference = self.first.truths[self.measure] - self.second.truths[self.measure]
        return 0.0 if abs(difference) < 1e-9 else difference

    def draw(self, number: int, count: int = 3) -> Contest:
        """Draw the data set of this number, with so many models: a, b, ..."""
        rng = generator(self.key, number)
        rows = self.first.rows(rng)
        common = self.first.noise(rows, rng)
        models = {}
        for name in ascii_lowercase[:count]:
            design = self.second if name == "b" else self.first
            noise = self.first.noise(rows, rng)
            if self.fresh < 1 and name in "ab":
                kept = rng.random(len(rows.labels)) >= (self.fresh if name == "b" else 0.0)
                noise = np.where(kept if common.ndim == 1 else kept[:, None], common, noise)
            else:
                shared, own = math.sqrt(self.correlation), math.sqrt(1 - self.correlation)
                noise = shared * common + own * noise
            models[name] = design.scores(rows, noise, rng)
        if not self.measure.startswith(_COMPARING_COLUMNS):
            models["b"] = np.cbrt(models["b"])
        return Contest(rows, models)
