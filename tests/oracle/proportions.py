"""Proportions correct the slow way, in the papers' letters.

HT01: D. J. Hand and R. J. Till 2001; HA13: D. J. Hand and C. Anagnostopoulos 2013. Rows a have
classes c[a], scores p[a] and weights q[a].
"""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

import numpy as np
from scipy import integrate, stats

Array = Any


def c1(c: Array, p: Array, q: Array) -> float:
    """HT01 s.4, C1: a row is put where its greatest score is, in equal parts where several are."""
    right = 0.0
    for a in range(len(c)):
        greatest = [k for k in range(p.shape[1]) if p[a, k] == max(p[a])]
        right += q[a] * (int(c[a]) in greatest) / len(greatest)
    return float(right / sum(q))


def c2(c: Array, p: Array, q: Array) -> float:
    """HT01 s.4, C2: the same for every two classes, with their rows and scores alone."""
    found = []
    for i, j in combinations(sorted({k for k, w in zip(c, q, strict=True) if w > 0}), 2):
        both = np.flatnonzero((c == i) | (c == j))
        right = 0.0
        for a in both:
            own, other = (i, j) if c[a] == i else (j, i)
            right += q[a] * (0.5 if p[a, own] == p[a, other] else p[a, own] > p[a, other])
        found.append(right / q[both].sum())
    return float(np.mean(found))


def at_share(c: Array, s: Array, q: Array, share: float) -> float:
    """HA13 s.3: the proportion correct where a share of all rows is said to be of class 1.

    From the highest score down; of the tie group that is not needed whole, as much of every row.
    """
    left, right = share * q.sum(), float(q[c == 0].sum())
    for score in sorted(set(s), reverse=True):
        tied = s == score
        part = min(1.0, max(left / q[tied].sum(), 0.0)) if q[tied].sum() else 0.0
        right += part * (q[tied & (c == 1)].sum() - q[tied & (c == 0)].sum())
        left -= part * q[tied].sum()
    return float(right / q.sum())


def over_shares(c: Array, s: Array, q: Array, a: float, b: float) -> float:
    """The mean of that over Beta(a, b) distributed shares, by quadrature between its bends."""
    scores = sorted(set(s), reverse=True)
    bends = [0.0, *np.cumsum([q[s == score].sum() for score in scores]) / q.sum()]
    law = stats.beta(a, b)
    total = 0.0
    for low, high in pairwise(bends):
        if high > low:
            # In the scale of the distribution function, where densities without bound do no harm.
            ends = law.cdf(low), law.cdf(min(high, 1.0))
            at = lambda u: at_share(c, s, q, float(law.ppf(u)))  # noqa: E731
            total += integrate.quad(at, *ends, epsabs=1e-13, epsrel=1e-13)[0]
    return total


def over_thresholds(c: Array, s: Array, q: Array, a: float, b: float) -> float:
    """HA13 s.2: the mean over thresholds t of Beta(a, b), rows with s >= t said to be class 1."""
    law = stats.beta(a, b)
    right = [law.cdf(s[k]) if c[k] == 1 else law.sf(s[k]) for k in range(len(c))]
    return float(np.dot(q, right) / q.sum())


def over_rows(c: Array, s: Array, q: Array) -> float:
    """HT01 Eq. 5 before it is integrated: the threshold is the score of a row drawn at random.

    Where a row's score is the threshold it is on either side with probability one half.
    """
    right = 0.0
    for t in range(len(c)):
        for a in range(len(c)):
            above = 0.5 if s[a] == s[t] else float(s[a] > s[t])
            right += q[t] * q[a] * (above if c[a] == 1 else 1.0 - above)
    return float(right / q.sum() ** 2)
