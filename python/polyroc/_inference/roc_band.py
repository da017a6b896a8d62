"""Bands around an ROC curve, at each false positive rate or for the whole curve."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from polyroc import _core
from polyroc._base.checks import choose, show
from polyroc._base.display import counted
from polyroc._base.keywords import hinting
from polyroc._base.picture import Pictured
from polyroc._base.public import public
from polyroc._base.result import Result
from polyroc._base.seeds import seed_number
from polyroc._base.table import Column, Table
from polyroc._curves.band import at_each_rate, whole_curve
from polyroc._curves.roc_points import rates_of
from polyroc._curves.thresholds import thresholds
from polyroc._curves.tube_radius import Sizes, evenly_apart, radius
from polyroc._data.sample import prepare
from polyroc._data.units import SCHEMES, plan
from polyroc._inference.run import memory_budget, replicate_range
from polyroc._stats.confidence import check_confidence

if TYPE_CHECKING:
    from polyroc._base.table import Part
    from polyroc._base.types import Array, Floats, Labels, Scheme, Scores, Seed
    from polyroc._data.sample import Sample
    from polyroc._data.units import Plan
    from polyroc._inference.run import Budget

_KINDS = ("pointwise", "simultaneous")
_GRID = 101  # false positive rates unless others are asked for
_AT_ONCE = 2**22  # numbers of replicates held at a time
_LEAST = 2  # replicates that tell of a spread
_SHOWN = (0.01, 0.05, 0.1, 0.2, 0.5, 0.8)


@public
@dataclass(frozen=True, eq=False, repr=False)
class RocBand(Pictured, Result):
    """A band around an ROC curve; made by :func:`polyroc.roc_band`.

    Attributes
    ----------
    fpr : ndarray
        False positive rates, rising; between them the band is straight.
    tpr : ndarray
        The curve itself there.
    low, high : ndarray
        The limits of the true positive rate.
    kind : str
        "pointwise" or "simultaneous".
    confidence : float
        The confidence level: at each rate by itself, or for the whole curve.
    width : float
        By how many standard errors the limits lie from the curve; of a simultaneous band, the
        radius of its tube.
    n_resamples, seed : int
        What repeats the run.
    favoured : object
        The class that high scores stand for.
    """

    _picture = "results.roc_band"

    fpr: Floats
    tpr: Floats
    low: Floats
    high: Floats
    kind: str
    confidence: float
    width: float
    n_resamples: int
    seed: int
    favoured: Any = None

    def __post_init__(self) -> None:
        """Keep the arrays from being changed."""
        self._freeze()

    def _contents(self) -> dict[str, Any]:
        return dict(vars(self))

    def _parts(self) -> Iterable[Part]:
        level = f"{100 * self.confidence:g} %"
        what = "at each rate by itself" if self.kind == "pointwise" else "for the whole curve"
        yield f"ROC curve of {show(self.favoured)} with a {level} band {what}"
        yield self._table()
        yield f"  {counted(self.n_resamples, 'replicate')}, seed {self.seed}"

    def _columns(self) -> dict[str, list[Any]]:
        return {name: getattr(self, name).tolist() for name in ("fpr", "tpr", "low", "high")}

    def _table(self) -> Table:
        shown = [rate for rate in _SHOWN if self.fpr[0] <= rate <= self.fpr[-1]]
        values = [np.interp(shown, self.fpr, part) for part in (self.tpr, self.low, self.high)]
        return Table(
            [
                Column("FPR", [f"{rate:g}" for rate in shown]),
                Column("TPR", [f"{value:.4f}" for value in values[0]]),
                Column("band", [f"{a:.4f} to {b:.4f}" for a, b in zip(*values[1:], strict=True)]),
            ]
        )


@public
@hinting
def roc_band(
    y_true: Labels,
    y_score: Scores,
    *,
    kind: Literal["pointwise", "simultaneous"] = "simultaneous",
    confidence: float = 0.95,
    fpr: Scores | None = None,
    n_resamples: int = 2000,
    scheme: Scheme = "multinomial",
    stratify: bool | None = None,
    groups: Labels | None = None,
    seed: Seed = None,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    n_threads: int | None = None,
) -> RocBand:
    """Band around the ROC curve of two classes, by bootstrap.

    The *simultaneous* band is a tube: all that lies within a distance w of the curve R, rates
    being measured on Anscombe's scale, where those of n rows have a standard error of one::

        z_n(p) = 2 sqrt(n + 1/2) arcsin sqrt((n p + 3/8) / (n + 3/4))
        low(f)  = min over g <= f, high(f) = max over g >= f, of the h for which
                  (z_n0(f) - z_n0(g))^2 + (z_n1(h) - z_n1(R(g)))^2 = w^2

    with n1 favoured and n0 other rows (of uneven weights, as many as they are worth). A tube,
    because a threshold's point is off to the side as much as up or down (C94): where the curve
    bends, as it does at every grade of tied scores, replicates bend elsewhere, and their spread
    straight up says little of the error there.

    The bootstrap lets the sample play the truth and each replicate the sample (E79). So w is the
    least for which tubes *round that share of the replicates* hold the curve they stray from, a
    quantile of ::

        D = max over thresholds s, min over t, of |T(s) - T*(t)|

    where T and T* are points on this scale. The tube round R has to hold replicates only if it is
    wider, since these stray without regard to how R did. What plays the truth has to be like one.
    The truth is smooth, R is rough, and points where R's roughness is added to a replicate's are
    farther from it than a truth would be. So T is R, straightened over what it does not tell, by
    pieces three standard errors long (tie groups that are longer stay), and replicates are moved
    along, threshold by threshold: T*(t) = T(t) + z(R*(t)) - z(R(t)). And where no row of R errs,
    none does in any replicate, though some err in the truth: either class has one row more in R
    here, or a group of rows, whose score is one of the other class, and a replicate R* a Poisson
    number of such rows. w is no less than the normal quantile, which one rate needs by itself.

    The *pointwise* band is R(f) -+ w S(f), w the normal quantile. The spread sd(f) of replicates
    alone will not do for S: it is 0 where R is 1, or where no other row is near. So S has what one
    row of the other class moves the curve by, and is no less than one favoured row; R(f - 1 / n0)
    is taken as 0 where no row lies to the left::

        S(f) = max(sqrt(sd(f)^2 + h(f)^2), 1 / n1),   h(f) = (R(f + 1/n0) - R(f - 1/n0)) / 2

    and no limit is nearer than -log(1 - confidence) / n1, some three rows, which is the exact one
    where no row errs.

    Either band is within [0, 1] and rises. How often it holds is measured in ``make coverage``.
    Cost: O(n log n + B n) time for B replicates, and O(B sqrt(n)) for w.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        Labels of two classes: integers, booleans, strings, a categorical.
    y_score : array_like of shape (n,) or (n, 2)
        Scores of ``labels[1]``, higher for more likely; of two columns the second is used.
    kind : {"simultaneous", "pointwise"}
        Whether the band is to hold for the whole curve or at each rate by itself.
    confidence : float
        The confidence level.
    fpr : array_like, optional
        The false positive rates, rising; by default 0, 0.01, ..., 1, and for a simultaneous band
        more of them in the first and the last hundredth, half a standard error apart.
    n_resamples : int
        How many replicates.
    scheme : {"multinomial", "poisson", "bayesian"}
        How weights are drawn; see :func:`polyroc.bootstrap`.
    stratify : bool, optional
        Whether class counts are fixed; see :func:`polyroc.bootstrap`.
    groups : array_like of shape (n,), optional
        The group of each row: rows of a group are resampled together.
    seed : int, Generator, SeedSequence or None
        What makes the run repeatable.
    labels : array_like of shape (2,), optional
        The classes, in column order. By default the sorted values of `y_true`, or the column
        names of a data frame where these are the classes.
    pos_label : label, optional
        The class that high scores stand for; ``labels[1]`` by default.
    sample_weight : array_like of shape (n,), optional
        Weights of the rows, finite and >= 0.
    n_threads : int, optional
        Threads to use; all cores by default. The result does not depend on it.

    Returns
    -------
    RocBand
        The band, with `.fpr`, `.low`, `.high`, and the curve there, `.tpr`.

    References
    ----------
    C94: G. Campbell, Advances in statistical methodology for the evaluation of diagnostic and
    laboratory tests, Stat. Med. 13, 1994: bands of curves moved up and aside.
    E79: B. Efron, Bootstrap methods: another look at the jackknife, Ann. Stat. 7, 1979.
    F. J. Anscombe, The transformation of Poisson, binomial and negative-binomial data,
    Biometrika 35, 1948.

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> pr.roc_band(y == 8, models["naive Bayes"][:, 8], seed=1)
    ROC curve of True with a 95 % band for the whole curve
       FPR     TPR              band
      0.01  0.2713  0.0951 to 0.5187
      0.05  0.7931  0.6416 to 0.9005
       0.1  0.9023  0.8279 to 0.9665
       0.2  0.9713  0.9234 to 1.0000
       0.5  0.9828  0.9421 to 1.0000
       0.8  0.9926  0.9603 to 1.0000
      2,000 replicates, seed 1
    """
    choose("kind", kind, _KINDS)
    check_confidence(confidence)
    if np.ndim(confidence):
        raise TypeError("confidence holds several levels; a band has one")
    _, total = replicate_range(None, n_resamples)
    if total < _LEAST:
        raise ValueError(f"n_resamples is {total}, which tells of no spread; pass 2000 or so")
    number = seed_number(seed)
    asked = None if fpr is None else _rates(fpr)
    sample = prepare(y_true, y_score, labels, sample_weight, n_threads, pos_label)
    sample.require_two_classes("roc_band")
    sample.require_present()
    units = plan(sample, scheme, stratify, groups)
    sizes = _worth(sample, units)
    grid = np.linspace(0.0, 1.0, _GRID)
    if kind == "simultaneous":
        # A steep curve of many rows is through most of its rise before the first hundredth.
        finer = evenly_apart(sizes.others)
        grid = np.union1d(grid, finer[(finer < grid[1]) | (finer > grid[-2])])
    # The band rises by what it is between the rates that are asked for, too.
    grid = grid if asked is None else np.union1d(grid, asked)
    run = _Run(sample, units, number, total, memory_budget(None, sample, y_score))
    tpr = _core.values(rows=sample.rows(), measure=_heights(grid))
    if kind == "pointwise":
        heights = next(run.replicates(_heights(grid), total, cells=True))
        low, high, width = at_each_rate(grid, tpr, heights, sizes[:2], confidence)
    else:
        curve = _core.curve(rows=sample.rows(), favoured=None)
        looked = thresholds(curve.fp, curve.tp, sizes[:2])
        rates = _core.Measure("roc_rates", weights=looked.weights[np.newaxis, :])
        # Of cells of equal rows it is not known what lies above a threshold in the sample.
        some = max(_AT_ONCE // (2 * len(looked.weights)), 1)
        replicates = run.replicates(rates, some, cells=False)
        needed = radius(looked, replicates, sizes, confidence, number, sample.n_threads)
        across, up, _ = rates_of(curve, False)
        low, high, width = whole_curve(grid, (across, up), needed, sizes, confidence)
    at = slice(None) if asked is None else np.searchsorted(grid, asked)
    return RocBand(
        fpr=grid[at],
        tpr=tpr[at],
        low=low[at],
        high=high[at],
        kind=kind,
        confidence=float(confidence),
        width=width,
        n_resamples=total,
        seed=number,
        favoured=sample.classes[1],
    )


class _Run(NamedTuple):
    """What is drawn, and how often."""

    sample: Sample
    units: Plan
    seed: int
    total: int
    budget: Budget

    def replicates(self, measure: _core.Measure, some: int, *, cells: bool) -> Iterator[Floats]:
        """Yield those of a measure, so many at a time; lost ones are left out."""
        kept = 0
        for first in range(0, self.total, some):
            run = _core.bootstrap(
                models=[self.sample.rows(units=self.units)],
                measures=[measure],
                scheme=SCHEMES[self.units.scheme],
                stratified=self.units.stratified,
                seed=self.seed,
                first=first,
                last=min(first + some, self.total),
                redraw=False,
                estimates=False,
                influence=False,
                cells=cells,
                watcher=None,
                **self.budget._asdict(),
            )
            values = run.values[0][~np.asarray(run.lost, dtype=np.bool_)]
            kept += len(values)
            if first + some >= self.total and kept < _LEAST:
                raise ValueError("all replicates lost a class; stratify=True keeps both")
            yield values


def _heights(fpr: Floats) -> _core.Measure:
    return _core.Measure("roc_heights", fpr=fpr[np.newaxis, :])


def _rates(fpr: Any) -> Floats:
    rates = np.asarray(fpr, dtype=np.float64)
    if rates.ndim != 1 or not len(rates):
        raise ValueError(f"fpr has {rates.ndim} dimensions; pass a list of rates, as [0.05, 0.1]")
    if not ((rates >= 0) & (rates <= 1)).all() or not (np.diff(rates) > 0).all():
        raise ValueError("fpr must hold rates in [0, 1], each greater than the one before it")
    return rates


def _worth(sample: Sample, units: Plan) -> Sizes:
    """Return how many rows of weight one each class is worth, and a unit of it that is drawn."""
    masses = np.ones(len(sample.codes)) if sample.weights is None else sample.weights
    found = []
    for code in (1, 0):
        own = sample.codes == code
        rows, drawn = _effective(masses[own]), None if units.groups is None else units.groups[own]
        count = rows if drawn is None else _effective(np.bincount(drawn, masses[own]))
        found.append((rows, rows / count))
    (own_rows, own_unit), (others, others_unit) = found
    return Sizes(own_rows, others, own_unit, others_unit)


def _effective(masses: Array) -> float:
    return float(masses.sum() ** 2 / (masses**2).sum())
