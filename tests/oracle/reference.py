"""Every measure as the papers write it: O(n^2), exact, and nothing clever.

Letters are the papers'. P is the n x K score matrix, c[a] the class of row a (the index of its
column), w[a] the weight of row a, K the number of classes. Values are `Fraction`s: counts and
weights are Python integers, so there is no rounding before the caller's own `float(...)`, which
is the correctly rounded quotient. `None` stands for a value that is not defined (a class without
mass). Projected scores (AUC-mu) are the one thing computed in float64, because the rule for
their ties is stated in it.

HT01 = Hand & Till 2001; KP19 = Kleiman & Page 2019; HA10 = Hassan et al. 2010.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Value = Fraction | None
Table = dict[tuple[int, int], Value]


def whole(w: Array | None, n: int) -> Array:
    """Weights as Python integers on one scale, which a ratio of weighted counts does not see."""
    exact = [Fraction(float(x)) for x in (np.ones(n) if w is None else w)]
    scale = math.lcm(*(x.denominator for x in exact))
    return np.array([int(x * scale) for x in exact], dtype=object)


def doubled_u(x: Array, y: Array, wx: Array, wy: Array) -> int:
    """2U = 2 sum_ab w_a w_b I~(x_a - y_b), with I~(0) = 1/2 (KP19 Eq. 1): x is favoured."""
    twice = 2 * (x[:, None] > y[None, :]).astype(int) + (x[:, None] == y[None, :])
    return int(wx @ (twice.astype(object) @ wy)) if len(x) and len(y) else 0


def doubled_ties(x: Array, y: Array, wx: Array, wy: Array) -> int:
    """Twice the weight of the tied pairs, so that `auc` can share its denominator."""
    equal = (x[:, None] == y[None, :]).astype(int).astype(object)
    return 2 * int(wx @ (equal @ wy)) if len(x) and len(y) else 0


def auc(x: Array, y: Array, wx: Array, wy: Array, count: Any = doubled_u) -> Value:
    """A = U / (n0 n1) (HT01 Eq. 3): the chance that a row of x outranks one of y, ties one half."""
    pairs = int(sum(wx)) * int(sum(wy))
    return Fraction(count(x, y, wx, wy), 2 * pairs) if pairs else None


def auc_by_ranks(x: Array, y: Array) -> Fraction:
    """A = (S0 - n0 (n0 + 1) / 2) / (n0 n1), S0 the sum of x's mid-ranks (HT01 Eq. 3 as printed)."""
    pooled = np.concatenate([x, y])
    midrank = [Fraction(int(2 * (pooled < v).sum() + (pooled == v).sum() + 1), 2) for v in x]
    n0, n1 = len(x), len(y)
    return (sum(midrank, Fraction(0)) - Fraction(n0 * (n0 + 1), 2)) / (n0 * n1)


def auc_below(x: Array, y: Array, wx: Array, wy: Array, f: float) -> Value:
    """McClish's standardised area for FPR in [0, f]: (1 + (pAUC - f^2/2) / (f - f^2/2)) / 2."""
    if not (sum(wx) and sum(wy)):
        return None
    limit, area = Fraction(f), Fraction(0)
    fpr = tpr = Fraction(0)
    for v in np.unique(np.concatenate([x, y]))[::-1]:  # a group of ties is one slanted segment
        dx = Fraction(int(sum(wy[y == v])), int(sum(wy)))
        dy = Fraction(int(sum(wx[x == v])), int(sum(wx)))
        inside = min(dx, limit - fpr)
        if inside > 0:
            area += inside * (tpr + dy * inside / dx / 2)
        fpr, tpr = fpr + dx, tpr + dy
    low = limit * limit / 2
    return (1 + (area - low) / (limit - low)) / 2


def kolmogorov_smirnov(x: Array, y: Array, wx: Array, wy: Array) -> Value:
    """KS = max over t of TPR(t) - FPR(t), with x positive, and 0 above the highest score."""
    if not (sum(wx) and sum(wy)):
        return None
    rates = [
        Fraction(int(sum(wx[x >= t])), int(sum(wx))) - Fraction(int(sum(wy[y >= t])), int(sum(wy)))
        for t in np.concatenate([x, y])
    ]
    return max([Fraction(0), *rates])


def average_precision(x: Array, y: Array, wx: Array, wy: Array) -> Value:
    """AP = sum over t of (R_t - R_(t-1)) P_t, thresholds from the highest down, with x positive."""
    if not sum(wx):
        return None
    total, recall = Fraction(0), Fraction(0)
    for t in np.unique(np.concatenate([x, y]))[::-1]:
        tp, fp = int(sum(wx[x >= t])), int(sum(wy[y >= t]))
        if tp + fp:
            total += (Fraction(tp, int(sum(wx))) - recall) * Fraction(tp, tp + fp)
        recall = Fraction(tp, int(sum(wx)))
    return total


def conditional(
    P: Array, c: Array, K: int, w: Array | None = None, count: Any = doubled_u
) -> Table:
    """A(i|j): column i, rows of classes i and j, i favoured (HT01 s.2)."""
    q = whole(w, len(c))
    table: Table = {}
    for i, j in permutations(range(K), 2):
        table[i, j] = auc(P[c == i, i], P[c == j, i], q[c == i], q[c == j], count)
    return table


def hand_till_pairs(P: Array, c: Array, K: int, w: Array | None = None) -> Table:
    """A(i,j) = (A(i|j) + A(j|i)) / 2, both ways round (HT01 s.2)."""
    A = conditional(P, c, K, w)
    halves = {(i, j): (A[i, j], A[j, i]) for i, j in A}
    return {at: None if a is None or b is None else (a + b) / 2 for at, (a, b) in halves.items()}


def project(P: Array, A: Array | None, i: int, j: int) -> tuple[Array, Array]:
    """s = v_ij . p with v_ij = A[i,:] - A[j,:] (KP19 Eq. 2), and m = sum_k e_k |p_k|.

    m bounds what rounding of p and of A can have done to s: e_k = |A[i,k]| + |A[j,k]|, or 0 where
    the two are equal. `A=None` is the argmax partition, s = p_j - p_i.
    """
    if A is None:
        pi, pj = P[:, i].astype(float), P[:, j].astype(float)
        return pj - pi, np.abs(pi) + np.abs(pj)
    v = [Fraction(float(A[i, k])) - Fraction(float(A[j, k])) for k in range(len(A))]
    s, m = np.zeros(len(P)), np.zeros(len(P))
    for a, row in enumerate(P):
        used = [(v[k], float(row[k])) for k in range(len(A)) if v[k] != 0]
        if all(math.isfinite(p) for _, p in used):
            s[a] = float(sum(vk * Fraction(p) for vk, p in used))
        else:
            s[a] = sum(math.copysign(1, vk) * p for vk, p in used if math.isinf(p))
        e = [abs(float(A[i, k])) + abs(float(A[j, k])) for k in range(len(A)) if v[k] != 0]
        m[a] = sum(ek * abs(p) for ek, (_, p) in zip(e, used, strict=True))
    return s, m


def signs_tell(A: Array | None, i: int, j: int) -> bool:
    """Whether v_ij . p is a difference of two scores, which is 0 just where they are equal."""
    if A is None:
        return True
    v = [x for x in A[i].astype(float) - A[j].astype(float) if x != 0]
    return len(v) == 2 and v[0] == -v[1]


def tie_groups(s: Array, m: Array, u: float, signs: bool = True) -> Array:
    """The rank of each row's tie group, for projected scores of inputs with unit roundoff u.

    Sorted neighbours a, b are linked when b - a <= 2 u (m_a + m_b), m being the largest among the
    rows that share a value; where `signs` tell, only those of one sign (zero is a sign of its own).
    A chain of links is one group if its ends differ by at most 4 u max m; otherwise the data are
    dense there and only equal values tie. Infinite values tie when equal.
    """
    value = np.unique(s)
    top = [float(max(m[s == v])) for v in value]
    group = list(range(len(value)))

    def linked(a: int, b: int) -> bool:
        if not (math.isfinite(value[a]) and math.isfinite(value[b])):
            return False
        near = bool(value[b] - value[a] <= 2 * u * (top[a] + top[b]))
        return near and (not signs or bool(np.sign(value[a]) == np.sign(value[b])))

    first = 0
    for last in range(len(value)):
        if last + 1 < len(value) and linked(last, last + 1):
            continue
        if last > first and value[last] - value[first] <= 4 * u * max(top[first : last + 1]):
            group[first : last + 1] = [first] * (last - first + 1)
        first = last + 1
    return np.array([group[r] for r in np.searchsorted(value, s)])


def separation(
    P: Array,
    c: Array,
    K: int,
    w: Array | None = None,
    A: Array | None = None,
    u: float = 0.0,
    count: Any = doubled_u,
) -> Table:
    """S(i,j) (KP19 Eq. 3): the share of pairs a in i, b in j with s_a < s_b, ties one half."""
    if K == 2 and same_sums(P):
        A_column = auc(
            P[c == 1, 1], P[c == 0, 1], whole(w, len(c))[c == 1], whole(w, len(c))[c == 0], count
        )
        return {(0, 1): A_column, (1, 0): A_column}
    table: Table = {}
    for i, j in combinations(range(K), 2):
        rows = ((c == i) | (c == j)) & (np.ones(len(c), bool) if w is None else w > 0)
        ci, q = c[rows], whole(None if w is None else w[rows], int(rows.sum()))
        s = tie_groups(*project(P[rows], A, i, j), u, signs_tell(A, i, j))
        value = auc(s[ci == j], s[ci == i], q[ci == j], q[ci == i], count)
        table[i, j] = table[j, i] = value
    return table


def same_sums(P: Array) -> bool:
    """Two columns whose rows all add up to one number: KP19 Th. 5.1, any partition is the AUC."""
    return bool(np.isfinite(P).all()) and len({sum(map(Fraction, map(float, p))) for p in P}) == 1


def prevalence_weights(c: Array, K: int, w: Array | None = None) -> Array:
    """w_ij = n_i n_j (KP19 Eq. 5), not yet normalised."""
    q = whole(w, len(c))
    n = [int(sum(q[c == i])) for i in range(K)]
    return np.array([[n[i] * n[j] for j in range(K)] for i in range(K)], dtype=object)


def average(table: Table, W: Array | None = None) -> Value:
    """sum_{i<j} w_ij A(i,j) over the defined pairs, w_ij = W[i,j] + W[j,i] made to sum to 1."""
    total, mass = Fraction(0), Fraction(0)
    for (i, j), value in table.items():
        if i < j and value is not None:
            wij = Fraction(1) if W is None else Fraction(W[i, j]) + Fraction(W[j, i])
            total, mass = total + wij * value, mass + wij
    return total / mass if mass else None


def hand_till(P: Array, c: Array, K: int, w: Array | None = None, W: Array | None = None) -> Value:
    """M = 2/(K(K-1)) sum_{i<j} A(i,j) (HT01 Eq. 7)."""
    return average(hand_till_pairs(P, c, K, w), W)


def auc_mu(
    P: Array,
    c: Array,
    K: int,
    w: Array | None = None,
    A: Array | None = None,
    u: float = 0.0,
    W: Array | None = None,
) -> Value:
    """2/(K(K-1)) sum_{i<j} S(i,j) (KP19 Eq. 4), or any weights of the pairs (Eq. 5)."""
    return average(separation(P, c, K, w, A, u), W)


def one_vs_rest(P: Array, c: Array, K: int, w: Array | None = None) -> list[Value]:
    """AUC of column i, class i against all other rows."""
    q = whole(w, len(c))
    return [auc(P[c == i, i], P[c != i, i], q[c == i], q[c != i]) for i in range(K)]


def provost_domingos(P: Array, c: Array, K: int, w: Array | None = None) -> Value:
    """sum_i pi_i AUC(i against the rest), pi_i the class's share of the mass (KP19 s.2)."""
    q, values = whole(w, len(c)), one_vs_rest(P, c, K, w)
    mass = [int(sum(q[c == i])) for i in range(K)]
    known = [(Fraction(m), v) for m, v in zip(mass, values, strict=True) if v is not None]
    return sum((m * v for m, v in known), Fraction(0)) / sum(m for m, _ in known)


def micro(P: Array, c: Array, K: int, w: Array | None = None) -> Value:
    """One AUC over all n K pairs (is it the row's class?, score)."""
    hit = (c[:, None] == np.arange(K)[None, :]).ravel()
    q, x = np.repeat(whole(w, len(c)), K), P.ravel()
    return auc(x[hit], x[~hit], q[hit], q[~hit])


def polar_area(r: Sequence[float]) -> float:
    """sin(2 pi/q)/2 times the sum of neighbours' products around the circle (HA10 Eq. 2)."""
    q = len(r)
    return math.sin(2 * math.pi / q) / 2 * math.fsum(r[k] * r[(k + 1) % q] for k in range(q))


def polar_area_maximum(r: Sequence[float]) -> float:
    """The area in the order of HA10 Lemma 1: largest in the middle, then right and left in turn."""
    r = sorted(r, reverse=True)
    q = len(r)
    inner = math.fsum(r[k] * r[k + 2] for k in range(q - 2))
    return math.sin(2 * math.pi / q) / 2 * (r[0] * r[1] + inner + r[-2] * r[-1])
