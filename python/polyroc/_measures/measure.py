"""What the measure objects have in common."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import numpy as np

from polyroc import _core
from polyroc._data.sample import Sample, prepare

if TYPE_CHECKING:
    from polyroc._base.types import Floats, Labels, Scores

Value = TypeVar("Value", covariant=True)

ABSENT = ("raise", "skip")
TIES = ("rounding", "exact")


@dataclass(frozen=True, eq=False, repr=False)
class Measure(Generic[Value]):
    """A measure with its options: frozen, comparable, hashable, and callable on data.

    Subclasses are frozen dataclasses without generated equality, because options may be arrays.
    """

    name: ClassVar[str]
    """The name that stands for the measure with its default options."""

    @property
    def __name__(self) -> str:
        """The name again, where functions have theirs: scikit-learn's scorers ask for it."""
        return self.name

    def __call__(
        self,
        y_true: Labels,
        y_score: Scores,
        *,
        labels: Labels | None = None,
        sample_weight: Scores | None = None,
        n_threads: int | None = None,
    ) -> Value:
        """Return the measure of scores `y_score` for rows labelled `y_true`."""
        return self._of(prepare(y_true, y_score, labels, sample_weight, n_threads))

    def _of(self, sample: Sample) -> Value:
        """Return the measure of rows already checked; several measures can share them."""
        self._admit(sample)
        return self._compute(sample)

    def _admit(self, sample: Sample) -> None:
        """Raise if the measure is not for such a sample."""
        if sample.present is not None and getattr(self, "absent", "raise") == "raise":
            sample.require_present()

    def _compute(self, sample: Sample) -> Value:
        raise NotImplementedError

    degree: ClassVar[int] = 1
    """The degree of the measure in the AUCs it is made of."""

    def _statistic(self, sample: Sample) -> _core.Statistic:
        """Return what the core's bootstrap computes for the measure."""
        raise NotImplementedError

    def _pairs_statistic(self, sample: Sample) -> _core.Statistic:
        """Return the same for the K x K values of all pairs of classes."""
        raise ValueError(f"pairs=True is for measures of pairs of classes, not for {self.name}")

    def _pairs(self, sample: Sample) -> Floats:
        """Return those K x K values for the sample itself."""
        raise NotImplementedError

    def _bounds(self, sample: Sample) -> tuple[float, float]:
        """Return the least and the largest value that the measure can have."""
        return 0.0, 1.0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        options = ((field, getattr(self, field.name)) for field in fields(self))
        shown = (f"{f.name}={_show(v)}" for f, v in options if _differs(v, f.default))
        return f"{type(self).__name__}({', '.join(shown)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(vars(self).values())  # rebuilt, so that arrays stay read-only

    def _set(self, **options: Any) -> None:
        """Replace options by their checked form, while the object is being made."""
        for name, value in options.items():
            object.__setattr__(self, name, value)

    def _key(self) -> tuple[Any, ...]:
        options = (v.tobytes() if isinstance(v, np.ndarray) else v for v in vars(self).values())
        return type(self), *options


def _differs(value: Any, default: Any) -> bool:
    return isinstance(value, np.ndarray) or bool(value != default)


def _show(value: Any) -> str:
    if not isinstance(value, np.ndarray):
        return repr(value)
    return str(value.tolist()) if len(value) <= 8 else f"<{len(value)} x {len(value)} matrix>"
