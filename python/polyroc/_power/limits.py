"""The confidence limits that estimates would have, if variances were those of the binormal model.

What `delong` and `compare` do with data is here done with expectations: DeLong's variance is put
at its mean given the AUC.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from polyroc._stats.normal import normal_quantile
from polyroc._stats.sided_limits import HALF_ROW
from polyroc._stats.tails import t_quantile

if TYPE_CHECKING:
    from polyroc._base.types import Floats

_TABLE = 64  # right to 1e-4 or better


class Rule(NamedTuple):
    """The sizes of classes, the error allowed at one end, and what is referred to."""

    n_pos: int
    n_neg: int
    tail: float
    reference: str

    @property
    def pull(self) -> float:
        """How much one row of the smaller class counts in an AUC."""
        return 1 / min(self.n_pos, self.n_neg)


def limits(auc: Floats, parts: tuple[Floats, Floats], rule: Rule) -> tuple[Floats, Floats]:
    """Return the limits around AUCs whose variance has these `parts` by class, V = v1 + v2.

    "normal": logit(AUC) +- z sqrt(V) / (AUC (1 - AUC)), turned back. "t": away from 1/2 the same
    with Student's t for z, and V^2 / (v1^2 / (m - 1) + v2^2 / (n - 1)) degrees of freedom; towards
    1/2 from the AUC and the variance that there would be with half a row of placement 1/2 more in
    the smaller class.
    """
    variance = parts[0] + parts[1]
    if rule.reference == "normal":
        z = -normal_quantile(rule.tail)
        return _logit_limit(auc, variance, -z), _logit_limit(auc, variance, z)
    low = auc < 0.5
    share = np.where(low, 1 - auc, auc)
    doubt = parts[0] ** 2 / (rule.n_pos - 1) + parts[1] ** 2 / (rule.n_neg - 1)
    centre, more = with_pseudo_row(share, rule.pull)
    wider = variance + more**2
    inner = _logit_limit(centre, wider, -_quantiles(rule.tail, wider**2 / doubt))
    outer = _logit_limit(share, variance, _quantiles(rule.tail, variance**2 / doubt))
    return np.where(low, 1 - outer, inner), np.where(low, 1 - inner, outer)


def difference_limit(
    aucs: tuple[Floats, Floats],
    parts: tuple[tuple[Floats, Floats], tuple[Floats, Floats]],
    covariance: Floats,
    rule: Rule,
) -> Floats:
    """Return the lower limit of second - first.

    "normal": z standard errors below the difference. "t": put together from the lower limit l of
    the second AUC b and the upper limit u of the first, a (Zou & Donner 2008)::

        b - a - sqrt((b - l)^2 + (u - a)^2 - 2 r (b - l) (u - a))

    r being the correlation of the two with the pseudo-row of `limits`; or, if that is shorter, by
    sqrt(V_D / (V_a + V_b) ((b - l)^2 + (u - a)^2)), V_D being the variance of the difference.

    References
    ----------
    G. Y. Zou and A. Donner, Construction of confidence limits about effect measures: a general
    approach, Statistics in Medicine 27, 2008.
    """
    (a, b), (first, second) = aucs, (one + other for one, other in parts)
    if rule.reference == "normal":
        spread = np.maximum(first + second - 2 * covariance, 0.0)
        return b - a + normal_quantile(rule.tail) * np.sqrt(spread)
    below, above = b - limits(b, parts[1], rule)[0], limits(a, parts[0], rule)[1] - a
    (_, more_a), (_, more_b) = (with_pseudo_row(auc, rule.pull) for auc in aucs)
    r = (covariance + more_a * more_b) / np.sqrt((first + more_a**2) * (second + more_b**2))
    apart = below**2 + above**2
    left = (first + second - 2 * covariance) / (first + second)
    square = np.minimum(apart - 2 * r * below * above, left * apart)
    return b - a - np.sqrt(np.maximum(square, 0.0))


def with_pseudo_row(auc: Floats, pull: float) -> tuple[Floats, Floats]:
    """Return the AUC with half a row of placement 1/2 more, and that row's part in its error."""
    centre = (auc + 0.5 * HALF_ROW * pull) / (1 + HALF_ROW * pull)
    return centre, math.sqrt(HALF_ROW) * (centre - 0.5) * pull


def _logit_limit(auc: Floats, variance: Floats, steps: Floats | float) -> Floats:
    """Return the AUC so many standard errors away on the logit scale."""
    end = np.log(auc / (1 - auc)) + steps * np.sqrt(variance) / (auc * (1 - auc))
    return np.asarray(0.5 * (1 + np.tanh(0.5 * end)))


def _quantiles(tail: float, freedom: Floats) -> Floats:
    """Return Student's quantiles; of many by a table, since they are smooth in 1 / freedom."""
    inverse = 1 / freedom
    if freedom.size <= _TABLE:
        table = inverse.ravel()
    else:
        table = np.linspace(inverse.min(), inverse.max(), _TABLE)
    values = np.array([t_quantile(tail, 1 / x) for x in table])
    if freedom.size <= _TABLE:
        return values.reshape(freedom.shape)
    return np.asarray(np.interp(inverse, table, values))
