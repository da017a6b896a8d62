"""Limits of an estimate whose thresholds were chosen on the rows that judge them.

Such an estimate is too high by some M. In a resample, choices look better by O on average than the
same choices do on the sample (E83). O is the noise of a choice as it pays in the resample; with
losses that lie smoothly around the least one, as where few thresholds are in question, half of
that is M, and the other half what a choice loses on new rows. Where neighbouring thresholds differ
by few rows, a choice wanders as n^(-1/3) and M goes with n^(-2/3): then M is 3/4 of what new rows
would show, and a resample, which adds its own noise to that of the sample, shows 2^(-1/3) of it
(KP90): M = 0.94 O. So M lies between O / 2 and O, and each limit is made where it is further out.

With v the share of the range that the estimate has reached, e the replicates' standard error as a
share of the range, c = v - O (or v - O / 2), and t the quantile, a limit is

    tanh(atanh c + t e (1 - c) / (1 - v) / (1 - c^2))

as what is lost, 1 - v, is a mean over rows that was too small, its error grows along with it. The
scale is the logit one of (1 + c) / 2, as of an AUC: no better than chance is not an end.

References
----------
E83: B. Efron, Estimating the error rate of a prediction rule: improvement on cross-validation,
J. Am. Stat. Assoc. 78 (1983) 316-331.
KP90: J. Kim and D. Pollard, Cube root asymptotics, Ann. Stat. 18 (1990) 191-219.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from polyroc._base.types import Floats

LEAST, MOST = 0.5, 1.0  # shares of the optimism that an estimate is too high by
_FLOOR = -0.99  # of c: chosen thresholds may be worse than none


def corrected_limits(
    estimate: float, bounds: tuple[float, float], optimism: float, error: float, t: Floats
) -> tuple[Floats, Floats]:
    """Return the lower and the upper limit; `t` are lower quantiles, one for each level.

    The estimate is below the end of its range.

    Examples
    --------
    >>> low, high = corrected_limits(0.4, (0.0, 1.0), 0.08, 0.07, np.array([-1.96]))
    >>> f"{low[0]:.3f} to {high[0]:.3f}"
    '0.157 to 0.497'
    """
    bottom, top = bounds
    span = top - bottom
    share = (estimate - bottom) / span

    def limit(taken: float, away: Floats) -> Floats:
        centre = max(share - taken * max(optimism, 0.0) / span, _FLOOR)
        step = error / span / (1.0 - share) / (1.0 + centre)
        return np.asarray(bottom + span * np.tanh(np.arctanh(centre) + away * step))

    return limit(MOST, t), limit(LEAST, -t)
