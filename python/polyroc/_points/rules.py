"""The rules by which a point of the curve is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from polyroc import _core
from polyroc._base.checks import choose, number, share, show
from polyroc._points.decide import cost_pair

if TYPE_CHECKING:
    from polyroc._base.types import Floats

_CHOICES = "max_fpr=, min_tpr=, rule='youden' or costs=(false positive, false negative)"


class Rule(NamedTuple):
    """What is chosen, in words and as the core has it."""

    name: str
    text: str
    options: dict[str, Any]
    costs: tuple[float, float] | None = None
    prevalence: float | None = None

    @property
    def counts_enter(self) -> bool:
        """Whether the choice depends on how many rows each class has."""
        return self.costs is not None and self.prevalence is None

    def in_core(self) -> _core.Measure:
        """Return the core's object, whose values are FPR, TPR and the number of the threshold."""
        return _core.Measure("operating_point", **self.options)

    def expected_cost(self, fpr: float, tpr: float, masses: Floats) -> float | None:
        """Return what a row costs on average: B97 Eq. 6 over n, at the prevalence."""
        if self.costs is None:
            return None
        own = masses[1] / masses.sum() if self.prevalence is None else self.prevalence
        false_positive, false_negative = self.costs
        return float((1 - own) * fpr * false_positive + own * (1 - tpr) * false_negative)


def rule_of(max_fpr: Any, min_tpr: Any, rule: Any, costs: Any, prevalence: Any) -> Rule:
    """Return the only rule that was given."""
    given = {"max_fpr": max_fpr, "min_tpr": min_tpr, "rule": rule, "costs": costs}
    names = [name for name, value in given.items() if value is not None]
    if len(names) != 1:
        got = f"got {' and '.join(names)}" if names else "got none of them"
        raise ValueError(f"pass exactly one of {_CHOICES}; {got}")
    if prevalence is not None and names != ["costs"]:
        raise ValueError(
            f"prevalence weighs costs and does not matter to {names[0]}; leave it out, or pass "
            "costs=(false positive, false negative)"
        )
    if names == ["max_fpr"]:
        bound = _rate("max_fpr", max_fpr)
        text = f"the greatest TPR with FPR <= {bound:g}"
        return Rule("max_fpr", text, {"rule": "max_fpr", "bound": bound})
    if names == ["min_tpr"]:
        bound = _rate("min_tpr", min_tpr)
        text = f"the least FPR with TPR >= {bound:g}"
        return Rule("min_tpr", text, {"rule": "min_tpr", "bound": bound})
    if names == ["rule"]:
        choose("rule", rule, ("youden",))
        text = "the greatest TPR - FPR (Youden)"
        return Rule("youden", text, {"rule": "rates", "gain": 1.0, "loss": 1.0})
    return _least_cost(cost_pair(costs), prevalence)


def _least_cost(pair: tuple[float, float], prevalence: Any) -> Rule:
    # With tp and fp rows said positive, false negatives are P - tp: least cost is the greatest
    # tp c_fn - fp c_fp; of rates at prevalence pi, TPR pi c_fn - FPR (1 - pi) c_fp.
    false_positive, false_negative = pair
    prices = f"{false_positive:g} per false positive, {false_negative:g} per false negative"
    if prevalence is None:
        text = f"the least cost at {prices}"
        options = {"rule": "masses", "gain": false_negative, "loss": false_positive}
        return Rule("costs", text, options, pair)
    own = share("prevalence", prevalence, "0.02 for 2 % of rows")
    text = f"the least cost at {prices}, prevalence {own:g}"
    options = {"rule": "rates", "gain": own * false_negative, "loss": (1 - own) * false_positive}
    return Rule("costs", text, options, pair, own)


def _rate(name: str, value: Any) -> float:
    rate = number(name, value)
    if not 0 <= rate <= 1:
        raise ValueError(f"{name} is {show(value)}; it must lie in [0, 1], as 0.1")
    return rate
