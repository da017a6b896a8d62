"""Tail areas of the normal, chi-square, t and F distributions; the core has the normal and t.

References
----------
NIST Digital Library of Mathematical Functions, https://dlmf.nist.gov, 5.11.13, 8.4.9, 8.17.
"""

from __future__ import annotations

import math

from polyroc import _core

_LARGE = 60.0  # from here on five terms of DLMF 5.11.13 are right to the last bits


def normal_tail(z: float) -> float:
    """Return P(Z > z) of a standard normal Z."""
    return _core.t_tail(z, math.inf)


def chi_square_tail(x: float, df: int) -> float:
    """Return P(X > x) of a chi-square X, whose degrees of freedom are whole: a finite sum.

    With y = x / 2: exp(-y) sum over k < df / 2 of y^k / k! for even df; for odd df the same over
    k = 1/2, 3/2, ... < df / 2 with k! = Gamma(k + 1), beside P(Z^2 > x) = erfc(sqrt y).
    """
    if not x > 0.0:
        return math.nan if math.isnan(x) else 1.0
    y = x / 2.0
    if math.isinf(y):
        return 0.0
    odd = df % 2 == 1
    tail = math.erfc(math.sqrt(y)) if odd else 0.0
    for step in range(df // 2):
        k = step + (0.5 if odd else 0.0)
        # By logarithms, since exp(-y) alone may be below the range of doubles.
        tail += math.exp(k * math.log(y) - y - math.lgamma(k + 1.0))
    return min(tail, 1.0)


def t_tail(t: float, freedom: float) -> float:
    """Return P(T > t) of Student's t; the degrees of freedom may be any number above 0, or inf."""
    return _core.t_tail(t, freedom)


def f_tail(x: float, numerator: int, denominator: float) -> float:
    """Return P(F > x) of an F ratio, whose numerator has whole degrees of freedom: a finite sum.

    With a = denominator / 2, b = numerator / 2 and w = 1 / (1 + b x / a) the tail is the
    incomplete beta function I_w(a, b), and I_w(a, k + 1) - I_w(a, k) = w^a (1 - w)^k
    Gamma(a + k) / (Gamma(a) Gamma(k + 1)) (DLMF 8.17.20), from I_w(a, 0) = 0 or, for an odd
    numerator, from I_w(a, 1/2), which is Student's. All terms are positive: no digit is lost.
    """
    if math.isinf(denominator):
        return chi_square_tail(numerator * x, numerator)
    if not x > 0.0:
        return math.nan if math.isnan(x) else 1.0
    ratio, a = numerator * x / denominator, denominator / 2.0
    if math.isinf(ratio):
        return 0.0
    odd = numerator % 2 == 1
    tail = 2.0 * _core.t_tail(math.sqrt(numerator * x), denominator) if odd else 0.0
    below = math.log1p(ratio)
    above = math.log(ratio) - below
    k = 0.5 if odd else 0.0
    term = k * above - a * below
    if odd:
        term += math.log(_gamma_ratio(a)) - math.lgamma(1.5)
    for _ in range(numerator // 2):
        tail += math.exp(term)
        term += above + math.log((a + k) / (k + 1.0))
        k += 1.0
    return min(tail, 1.0)


def t_quantile(tail: float, freedom: float) -> float:
    """Return the t >= 0 with P(T > t) = `tail`, which lies in (0, 1/2]."""
    return _core.t_quantile(tail, freedom)


def _gamma_ratio(a: float) -> float:
    """Return Gamma(a + 1/2) / Gamma(a): DLMF 5.11.13 for large a."""
    if a < _LARGE:
        return math.exp(math.lgamma(a + 0.5) - math.lgamma(a))
    u = 1.0 / (8.0 * a)
    return math.sqrt(a) * (1.0 + u * (-1.0 + u * (0.5 + u * (2.5 + u * (-2.625 - 49.875 * u)))))
