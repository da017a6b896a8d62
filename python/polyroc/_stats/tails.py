"""Tail areas of the normal, chi-square, t and F distributions, with numpy as the only dependency.

References
----------
NIST Digital Library of Mathematical Functions, https://dlmf.nist.gov, 5.11.13, 8.4.9, 8.17.
D. L. Wallace, Bounds on normal approximations to Student's and the chi-square distributions, Ann.
Math. Stat. 30 (1959) 1121-1130.
A. R. DiDonato and A. H. Morris, Algorithm 708: significant digit computation of the incomplete beta
function ratios, ACM Trans. Math. Softw. 18 (1992) 360-373.
"""

from __future__ import annotations

import math

from polyroc._stats.normal import normal_quantile

_LARGE = 60.0  # from here on five terms of DLMF 5.11.13 are right to the last bits
_MOST_TERMS = 10_000  # some fifty are the most that were ever needed


def normal_tail(z: float) -> float:
    """Return P(Z > z) of a standard normal Z."""
    return 0.5 * math.erfc(z / math.sqrt(2.0))


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
    if math.isinf(freedom):
        return normal_tail(t)
    if math.isnan(t):
        return math.nan
    beyond = 0.5 * _two_sided(t * t / freedom, freedom / 2.0)
    return beyond if t > 0.0 else 1.0 - beyond


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
    tail = _two_sided(ratio, a) if odd else 0.0
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
    """Return the t > 0 with P(T > t) = `tail`, which lies in (0, 1/2].

    Newton's steps for ln P in ln t, from Wallace's (1959) sqrt(f (exp(((8 f + 3) / (8 f + 1)
    z)^2 / f) - 1)). ln P is concave in ln t, so that steps approach the root from one side.
    """
    z, f = -normal_quantile(tail), freedom
    if math.isinf(f) or not z > 0.0:
        return max(z, 0.0)
    t = math.sqrt(f * math.expm1(min(((8 * f + 3) / (8 * f + 1) * z) ** 2 / f, 700.0)))
    scale = _gamma_ratio(f / 2.0) / math.sqrt(math.pi * f)
    for _ in range(100):
        found = t_tail(t, f)
        density = scale * math.exp(-(f + 1.0) / 2.0 * math.log1p(t * t / f))
        step = math.log(found / tail) * found / (t * density)
        t *= math.exp(step)
        if abs(step) <= 1e-14:
            break
    return t


def _two_sided(ratio: float, a: float) -> float:
    """Return I_w(a, 1/2) with w = 1 / (1 + ratio): P(T^2 > f ratio), f = 2 a.

    By the continued fraction of whichever of I_w(a, 1/2) and 1 - I_(1-w)(1/2, a) converges fast:
    that where x < (p + 1) / (p + q + 2) for I_x(p, q) (DLMF 8.17.22).
    """
    if ratio == 0.0:
        return 1.0
    if math.isinf(ratio):
        return 0.0
    below = math.log1p(ratio)
    above = math.log(ratio) - below
    # w^a (1 - w)^(1/2) / B(a, 1/2), without the cancellation of logarithms of Gamma.
    front = math.exp(above / 2.0 - a * below) * _gamma_ratio(a) / math.sqrt(math.pi)
    w, rest = 1.0 / (1.0 + ratio), ratio / (1.0 + ratio)
    if w < (a + 1.0) / (a + 2.5):
        return min(front * _fraction(a, 0.5, w, rest), 1.0)
    return max(1.0 - front * _fraction(0.5, a, rest, w), 0.0)


def _fraction(p: float, q: float, x: float, y: float) -> float:
    """Return I_x(p, q) B(p, q) / (x^p y^q) with y = 1 - x: DiDonato & Morris (1992), Eq. 9.

    1 / (b_0 + a_1 / (b_1 + a_2 / (b_2 + ...))), from the front by ratios of successive numerators
    and denominators (Lentz's method, DLMF 3.10(iii)). p y - q x takes the place of p - (p + q) x,
    which cancels where p is large.
    """
    slack = p * y - q * x + 1.0
    value = above = p / (p + 1.0) * slack
    below = 0.0
    for n in range(1, _MOST_TERMS):
        even = p + 2 * n - 1
        a = (p + n - 1) * (p + q + n - 1) * n * (q - n) * (x / even) ** 2
        b = n + n * (q - n) * x / even + (p + n) / (even + 2) * (slack + n * (1.0 + y))
        below, above = 1.0 / (b + a * below), b + a / above
        value *= below * above
        if abs(below * above - 1.0) <= 2.0**-52:
            break
    return 1.0 / value


def _gamma_ratio(a: float) -> float:
    """Return Gamma(a + 1/2) / Gamma(a): DLMF 5.11.13 for large a."""
    if a < _LARGE:
        return math.exp(math.lgamma(a + 0.5) - math.lgamma(a))
    u = 1.0 / (8.0 * a)
    return math.sqrt(a) * (1.0 + u * (-1.0 + u * (0.5 + u * (2.5 + u * (-2.625 - 49.875 * u)))))
