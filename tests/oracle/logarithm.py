"""Logarithms in plain operations, the same bits everywhere: no library's last bits are in them."""

from __future__ import annotations

import math

LN2_HIGH, LN2_LOW = 0.6931471803691238, 1.9082149292705877e-10


def artanh_series(s: float, last: int) -> float:
    """s^2/3 + s^4/5 + ..., by Horner from the last term."""
    series = 0.0
    for k in range(last, 1, -2):
        series = s * s * (series + 1.0 / k)
    return series


def ln(x: float) -> float:
    """ln x = e ln 2 + 2 artanh((m - 1) / (m + 1)), x = 2^e m."""
    m, e = math.frexp(x)
    m, e = 2.0 * m, e - 1
    if m > math.sqrt(2.0):
        m, e = 0.5 * m, e + 1
    s = (m - 1.0) / (m + 1.0)
    return e * LN2_HIGH + (2.0 * s + (2.0 * s * artanh_series(s, 23) + e * LN2_LOW))


def ln_one_minus(p: float) -> float:
    """ln(1 - p) = -2 artanh(p / (2 - p))."""
    s = p / (2.0 - p)
    return -2.0 * (s + s * artanh_series(s, 37))


def exp_negative(x: float) -> float:
    """exp(-x), x = k ln 2 + r."""
    k = math.floor(x / math.log(2.0))
    r = (x - k * LN2_HIGH) - k * LN2_LOW
    series = 1.0
    for j in range(20, 0, -1):
        series = 1.0 - series * r / j
    return math.ldexp(series, -k)


def ln_factorial(k: float) -> float:
    """ln k!: products below 10, Stirling's series with x = k + 1 from there on."""
    if k < 10:
        return ln(float(math.factorial(int(k))))
    x = k + 1.0
    y = 1.0 / (x * x)
    inner = 1.0 / 360.0 - y * (1.0 / 1260.0 - y * (1.0 / 1680.0 - y / 1188.0))
    series = (1.0 / 12.0 - y * inner) / x
    return (x - 0.5) * ln(x) - x + 0.9189385332046728 + series
