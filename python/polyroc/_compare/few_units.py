"""Words of warning where a class has too few units for the tests of a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from polyroc._base.checks import show
from polyroc._base.display import counted
from polyroc._inference.small_sample import FEWEST
from polyroc._inference.spread import cells_of

if TYPE_CHECKING:
    from polyroc._base.types import Floats
    from polyroc._compare.models import Model

# Units of a class below which z-tests were seen to reject too often
# (benches/studies/REJECTIONS.md), and below which t-tests hardly can reject.
ENOUGH = {"normal": 20, "t": FEWEST}
_TESTS = {"normal": ("the z-test", "the chi-square test"), "t": ("the t-test", "the F test")}
_FAULTS = {"normal": "rejects equal models too often", "t": "hardly ever rejects"}
_FAULTS_OF_BOTH = {"normal": "reject equal models too often", "t": "hardly ever reject"}


def _effective(model: Model) -> Floats:
    """Return the effective units of each class, which are no more than its units."""
    cells, _ = cells_of(model.sample, model.units)
    return cells.effective


def few_units(
    models: list[Model], method: str, reference: str, paired: bool, has_errors: bool, tested: bool
) -> str:
    """Say if a class has too few effective units for the tests, and what to do about it.

    `has_errors` is whether the measure has closed-form errors; without them there is no other test.
    `tested` is whether the overall test was made, and not left to the pairs.
    """
    pair, overall = _TESTS[reference]
    tests = [] if method == "permutation" else [pair]
    tests += [overall] if len(models) > 2 and tested else []
    listed = models[:1] if paired else models
    if not tests:
        return ""
    # Plain numbers: there are two classes mostly, for which arrays would take longer.
    worth = [_effective(model).tolist() for model in listed]
    fewest = min([size for sizes in worth for size in sizes if size > 0.0])
    if fewest >= ENOUGH[reference]:
        return ""
    model, label = next(
        (model, sizes.index(fewest)) for model, sizes in zip(listed, worth, strict=True)
        if fewest in sizes
    )  # fmt: skip
    owner = "" if paired else f" of {model.name}"
    unit, count = model.units.unit, int(model.units.sizes[label])
    worth_of = "" if np.isclose(fewest, count) else f", worth {fewest:.1f} of equal weight"
    ways: list[str] = []
    if has_errors and reference == "normal":
        ways = ['reference="t"', *(['method="bootstrap"'] if method == "delong" else [])]
    if has_errors and paired and method != "permutation":
        ways.append('method="permutation"')
    way = "collect more"
    if ways:
        *others, last = ways
        way = f"pass {', '.join(others)} or {last}" if others else f"pass {last}"
    return (
        f"class {show(model.sample.labels[label])}{owner} has {counted(count, unit)}{worth_of}: "
        f"with fewer than {ENOUGH[reference]} {' and '.join(tests)} "
        f"{(_FAULTS if len(tests) == 1 else _FAULTS_OF_BOTH)[reference]}; {way}"
    )
