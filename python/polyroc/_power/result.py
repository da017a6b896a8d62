"""What a power analysis gives, and the normal test behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from polyroc import _core
from polyroc._base.checks import show
from polyroc._base.display import counted
from polyroc._base.plain import names_of
from polyroc._base.public import public
from polyroc._base.result import Result
from polyroc._base.table import Column, Table
from polyroc._power.variance import NAMES, scores_as
from polyroc._stats.normal import normal_cdf, normal_quantile

if TYPE_CHECKING:
    from collections.abc import Iterable

    from polyroc._base.table import Part

_SHOWN = 5  # classes in a repr; .sizes has them all
_SHORT = {"positive": "pos", "negative": "neg"}  # as the attributes n_pos and n_neg


@public
@dataclass(frozen=True, eq=False, repr=False)
class PowerAnalysis(Result):
    """The power of a test at some size of sample.

    Made by :func:`polyroc.sample_size_auc`, :func:`polyroc.power_auc` and their kin.

    Attributes
    ----------
    estimates : tuple of float
        The value, or the two values, that are expected.
    null : float
        What the null hypothesis says of the value, or of the difference, second minus first.
    power : float
        The probability that the test rejects, in the right direction.
    sizes : dict
        The number of units of each class: rows, or groups with rows of it. "positive" and
        "negative" where there is no pilot.
    n_pos, n_neg : int
        The same.
    unit : str
        "row", or "group" where the pilot has groups.
    total : int
        The number of units of all classes; a group that has several counts once.
    n_rows : int
        The number of rows; of groups that have as many as the pilot's.
    requested : float or None
        The power that was asked for; None where the size was given.
    alpha : float
        The level of the test.
    alternative : str
        "two-sided", "greater" or "less".
    variance : str
        Where variances come from: "binormal", "hanley-mcneil", "obuchowski" or "pilot".
    standard_errors : tuple of float
        Of the estimate or the difference, at these sizes: if the null hypothesis holds, and if
        the expected values do.
    measure, models : str, tuple of str
        Of the pilot, where it is a result.
    options : dict
        What else was given.
    version : str
        The version of polyroc.
    """

    estimates: tuple[float, ...]
    null: float
    power: float
    class_sizes: tuple[tuple[Any, int], ...]
    requested: float | None
    alpha: float
    alternative: str
    variance: str
    standard_errors: tuple[float, float]
    further: tuple[tuple[str, Any], ...] = ()
    unit: str = "row"
    n_groups: int | None = None
    implied_rows: int | None = None
    measure: str = ""
    models: tuple[str, ...] = ()
    paired: bool = True
    version: str = _core.__version__

    @property
    def sizes(self) -> dict[Any, int]:
        """The number of units of each class."""
        return dict(self.class_sizes)

    @property
    def options(self) -> dict[str, Any]:
        """What else was given."""
        return dict(self.further)

    @property
    def n_pos(self) -> int:
        """The number of rows of the positive class."""
        return self._rows("positive")

    @property
    def n_neg(self) -> int:
        """The number of rows of the negative class."""
        return self._rows("negative")

    @property
    def total(self) -> int:
        """The number of units of all classes."""
        return sum(size for _, size in self.class_sizes) if self.n_groups is None else self.n_groups

    @property
    def n_rows(self) -> int:
        """The number of rows; of groups that have as many as the pilot's."""
        return self.total if self.implied_rows is None else self.implied_rows

    def _rows(self, name: str) -> int:
        if self.variance == "pilot":
            raise AttributeError(
                f"a pilot's classes have their own names, not {name!r}: see .sizes"
            )
        return self.sizes[name]

    def _contents(self) -> dict[str, Any]:
        return {
            "estimates": self.estimates,
            "null": self.null,
            "power": self.power,
            "requested_power": self.requested,
            "sizes": self.sizes,
            "unit": self.unit,
            "total": self.total,
            "n_rows": self.n_rows,
            "measure": self.measure or None,
            "models": self.models,
            "alpha": self.alpha,
            "alternative": self.alternative,
            "variance": self.variance,
            "standard_errors": self.standard_errors,
            **self.options,
            "version": self.version,
        }

    def _columns(self) -> dict[str, list[Any]]:
        """Return one line, so that those of several analyses make a table."""
        names = ("estimate",) if len(self.estimates) == 1 else ("first", "second")
        sizes = {_SHORT.get(label, label): size for label, size in self.class_sizes}
        counts = zip(names_of(sizes), sizes.values(), strict=True)
        line = {
            **dict(zip(names, self.estimates, strict=True)),
            "null": self.null,
            "power": self.power,
            "total": self.total,
            **({} if self.unit == "row" else {"unit": self.unit, "n_rows": self.n_rows}),
            **{f"n_{name}": size for name, size in counts},
            "alpha": self.alpha,
            "alternative": self.alternative,
            "variance": self.variance,
        }
        return {name: [value] for name, value in line.items()}

    def _parts(self) -> Iterable[Part]:
        return _lines(self)

    def _table(self) -> Table:
        """Return the same line as it is printed."""
        words = ("unit", "alternative", "variance")
        return Table(
            [
                Column(name, [_shown(name, value)], left=name in words)
                for name, (value,) in self._columns().items()
            ]
        )


def normal_power(
    effect: float, errors: tuple[float, float], alpha: float, alternative: str
) -> float:
    """Return Phi((effect - z se0) / se1), the power of a normal test.

    se0 and se1 are the standard errors under the null hypothesis and the truth, z is the quantile
    at 1 - alpha, or 1 - alpha / 2 for two sides; to reject on the wrong side is no success.

    Examples
    --------
    >>> f"{normal_power(0.1, (0.05, 0.05), 0.05, 'two-sided'):.3f}"
    '0.516'
    """
    if alternative == "two-sided":
        effect, alpha = abs(effect), alpha / 2
    elif alternative == "less":
        effect = -effect
    under_null, under_truth = errors
    return normal_cdf((effect + normal_quantile(alpha) * under_null) / under_truth)


def require_effect(effect: float, alternative: str, what: str) -> None:
    """Raise if no size of sample can show the effect."""
    if effect == 0:
        raise ValueError(f"{what}: there is nothing to detect; pass values that differ")
    if (alternative == "greater" and effect < 0) or (alternative == "less" and effect > 0):
        other = "less" if alternative == "greater" else "greater"
        raise ValueError(
            f'{what}, which alternative="{alternative}" does not look for; '
            f'pass alternative="{other}" or "two-sided"'
        )


def _lines(result: PowerAnalysis) -> Iterable[str]:
    values = " and ".join(f"{value:g}" for value in result.estimates)
    noun = "estimate" if result.variance == "pilot" else "AUC"
    if len(result.estimates) == 1:
        title = f"{result.measure or noun} {values} against {result.null:g}"
    elif result.models:
        named = zip(result.estimates, result.models, strict=True)
        title = f"{result.measure} {' and '.join(f'{value:g} ({name})' for value, name in named)}"
        if result.null or result.alternative != "two-sided":
            # The signs need to be known.
            title += f", {result.models[1]} - {result.models[0]} against {result.null:g}"
    else:
        title = f"{noun}s {values}"
        if result.null or result.alternative != "two-sided":
            title += f", second - first against {result.null:g}"
    yield f"{title}: {_side(result)} {_test(result)} at level {result.alpha:g}"
    if result.variance == "pilot":
        word = "of" if result.unit == "row" else "with rows of"
        shown = [f"{size:,} {word} {show(label)}" for label, size in result.class_sizes[:_SHOWN]]
        if len(result.class_sizes) > _SHOWN:
            shown.append("...")
        whose = "" if result.paired else ", of both models together"
        rows = f"{counted(result.total, result.unit)}{whose}: {', '.join(shown)}"
    else:
        rows = f"{result.n_pos:,} positive and {result.n_neg:,} negative rows"
    asked = "" if result.requested is None else f" ({result.requested:g} asked for)"
    yield f"  power {result.power:.3f}{asked} with {rows}"
    if result.unit == "group":
        yield f"  some {counted(result.n_rows, 'row')}, if groups are as large as the pilot's"
    null, truth = (f"{error:.3g}" for error in result.standard_errors)
    same = result.standard_errors[0] == result.standard_errors[1]
    errors = null if same else f"{null} if the null hypothesis holds, else {truth}"
    binormal = result.variance == "binormal"
    source = scores_as(result.options["spread"]) if binormal else NAMES[result.variance]
    yield f"  standard error {errors} ({source})"


def _side(result: PowerAnalysis) -> str:
    return (
        "two-sided" if result.alternative == "two-sided" else f'one-sided ("{result.alternative}")'
    )


def _test(result: PowerAnalysis) -> str:
    return {"t": "t-test", "normal": "z-test"}.get(result.options.get("reference", ""), "test")


def _shown(name: str, value: Any) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, str):
        return value
    return f"{value:.3f}" if name == "power" else f"{value:g}"
