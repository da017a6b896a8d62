"""Heavy tails: logits with Student's t noise, through a softmax of the wrong temperature, 50 : 1.

Logit i of a row of class c is d where c = i, else 0, plus t noise of f degrees of freedom; scores
are softmax(a z), with a other than 1. With two classes the score is z_1 - z_0 through a monotone
function: one t variable is taken for the difference, and

    AUC = integral over u in (0, 1) of F(F^-1(u) + d),

F being t's, by 20,000 midpoints. With three classes column i is above another row's where z_i - L_i
is, L_i = log(sum over j /= i of exp(a z_j)) / a; M is the mean over pairs of the probability of
that, all alike by symmetry. Its integral is taken by midpoints of quantiles: 300 x 300 for L, then
z_i given L exactly, on 4,000 points of z_i - L. Doubling them changes 1e-5. Probabilities that
round to 1 tie, in fewer than one in 1,000 rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import optimize, special

from benches.studies.designs.design import Design, Floats, Rows, own_class

_POINTS = 300
_STEPS = 4000


@dataclass(frozen=True)
class HeavyTails(Design):
    """Two classes have `value` as their AUC; three have the d that gives it to two logits."""

    value: float
    freedom: int
    temperature: float = 2.0

    @property
    def name(self) -> str:
        (truth,) = self.truths.values()
        softmax = f" softmax x{self.temperature:g}" if len(self.sizes) > 2 else ""
        return f"t{self.freedom}{softmax} {truth:.3f}"

    @property
    def truths(self) -> dict[str, float]:
        if len(self.sizes) == 2:
            return {"auc": self.value}
        shift = _shift(self.value, self.freedom)
        return {"hand_till": _softmax_truth(shift, self.freedom, self.temperature)}

    def scores(self, rows: Rows, noise: Floats, rng: np.random.Generator) -> Floats:
        # t as a normal over the root of a chi-square of its own.
        heavy = noise / np.sqrt(rng.chisquare(self.freedom, noise.shape) / self.freedom)
        logits = heavy + _shift(self.value, self.freedom) * own_class(rows, noise)
        return logits if noise.ndim == 1 else special.softmax(self.temperature * logits, axis=1)


@lru_cache
def _shift(value: float, freedom: int) -> float:
    """The d at which t variables of means d and 0 have an AUC."""
    middles = _middles(freedom, 20_000)

    def excess(shift: float) -> float:
        return float(special.stdtr(freedom, middles + shift).mean()) - value

    return float(optimize.brentq(excess, 0.0, 100.0, xtol=1e-9))


def _middles(freedom: int, count: int) -> Floats:
    """The quantiles of t at the middles of so many equal parts of (0, 1)."""
    quantiles: Floats = special.stdtrit(freedom, (np.arange(count) + 0.5) / count)
    return quantiles


@lru_cache
def _softmax_truth(shift: float, freedom: int, temperature: float) -> float:
    middles = _middles(freedom, _POINTS)
    points = np.sinh(np.linspace(-8.0, 8.0, _STEPS))  # dense in the middle, far in the tails

    def below(own: float, other: float) -> Floats:
        """How often z_i - L is below each point: means of z_i and of one logit in L."""
        first, second = temperature * (middles[:, None] + other), temperature * middles
        rest = np.sort((np.logaddexp(first, second) / temperature).ravel())
        rest = rest.reshape(-1, _POINTS // 2).mean(axis=1)  # neighbours, put together
        return np.array(
            [0.0, *(special.stdtr(freedom, x + rest - own).mean() for x in points), 1.0]
        )

    itself, another = below(shift, 0.0), below(0.0, shift)
    return float(np.diff(itself) @ (another[1:] + another[:-1]) / 2)


HEAVY_TAILS = [
    HeavyTails(sizes, value, freedom, family="heavy tails")
    for sizes, value, freedom in (
        ((1000, 200, 20), 0.9, 3),
        ((500, 100, 10), 0.9, 3),
        ((1000, 20), 0.85, 2),
        ((500, 10), 0.9, 2),
        ((60, 25), 0.85, 2),
        ((40, 40), 0.95, 3),
    )
]
