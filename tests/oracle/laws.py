"""Laws of weights, and whether drawn ones follow them."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

from numpy.typing import NDArray
from scipy import stats

Array = NDArray[Any]

UNLIKELY = 1e-4


def fits(counts: Counter[Any], law: dict[Any, float], draws: int) -> float:
    """The p-value of chi-square; outcomes of mean below 10 and those not in the law are pooled."""
    common = [k for k, p in law.items() if p * draws >= 10]
    observed = [counts[k] for k in common]
    mean = [law[k] * draws for k in common]
    if draws - sum(mean) > 1:
        observed.append(draws - sum(observed))
        mean.append(draws - sum(mean))
    else:
        mean = [m * sum(observed) / sum(mean) for m in mean]
    return float(stats.chisquare(observed, mean).pvalue)


def of(values: Array) -> Counter[Any]:
    """How often each value, or each row of values, occurs."""
    if values.ndim == 1:
        return Counter(values.tolist())
    return Counter(tuple(row) for row in values.tolist())


def binomial_law(n: int) -> dict[float, float]:
    return {float(k): float(stats.binom.pmf(k, n, 1 / n)) for k in range(min(n, 20) + 1)}


def pair_law(n: int) -> dict[tuple[float, float], float]:
    """Two units of one stratum: trinomial."""
    law = stats.multinomial(n, [1 / n, 1 / n, 1 - 2 / n])
    pairs = product(range(8), repeat=2)
    return {(float(a), float(b)): float(law.pmf([a, b, n - a - b])) for a, b in pairs if a + b <= n}


def independent(law: dict[float, float], other: dict[float, float]) -> dict[Any, float]:
    return {(a, b): p * q for (a, p), (b, q) in product(law.items(), other.items())}
