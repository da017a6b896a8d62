"""What the measure objects have in common."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, cast

import numpy as np

from polyroc import _core
from polyroc._base.keywords import hinting
from polyroc._data.sample import Sample, prepare
from polyroc._stats.newcombe import FromAuc

if TYPE_CHECKING:
    from collections.abc import Callable

    from polyroc._base.types import Floats, Labels, Scores

Value = TypeVar("Value", covariant=True)

AUC = _core.Measure("auc")
AS_AUC = FromAuc()
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

    @hinting
    def __call__(
        self,
        y_true: Labels,
        y_score: Scores,
        *,
        labels: Labels | None = None,
        pos_label: object = None,
        sample_weight: Scores | None = None,
        n_threads: int | None = None,
    ) -> Value:
        """Return the measure of scores `y_score` for rows labelled `y_true`."""
        read, marker = self.reading, {"marker": True} if self.orders_classes else {}
        return self._of(
            read(y_true, y_score, labels, sample_weight, n_threads, pos_label, **marker)
        )

    def _of(self, sample: Sample) -> Value:
        """Return the measure of rows already checked; several measures can share them."""
        self._admit(sample)
        rows, measure = sample.rows(self.projects), self._in_core(sample)
        if self.is_single:
            return cast("Value", _core.value(rows=rows, measure=measure))
        return cast("Value", self._shaped(_core.values(rows=rows, measure=measure), sample))

    # What a measure is: the core's object, and what differs from the following.

    averages: ClassVar[tuple[str, ...]] = ()
    """How it can put its values per class together; empty where it has no option `average`."""

    projects: ClassVar[bool] = False
    """Whether it computes with scores, and not only orders rows by them."""

    rest_decides: ClassVar[bool] = True
    """Whether a row of the rest may decide as much of a class's value as one of the class."""

    orders_classes: ClassVar[bool] = False
    """Whether one column of scores orders all classes, however many."""

    ordered_pairs: ClassVar[bool] = False
    """Whether classes i and j have another value than j and i, which are then told one by one."""

    each: ClassVar[str] = "class"
    """What has a value each, where it is not put together."""

    row: ClassVar[str] = "row"
    """What groups of a sample hold."""

    @property
    def reading(self) -> Callable[..., Sample]:
        """How labels and scores are read, as `prepare` does; measures of one call do it alike."""
        return prepare

    @property
    def has_influence(self) -> bool:
        """Whether it has influence values, and so closed-form errors."""
        return True

    @property
    def from_auc(self) -> FromAuc:
        """How it follows from its AUC where no more is known, as after perfect separation."""
        return AS_AUC

    def _from_auc(self, sample: Sample) -> FromAuc:
        """Return the same for a sample, on whose classes it may depend."""
        return self.from_auc

    @property
    def is_single(self) -> bool:
        """Whether it is one number, however many classes there are."""
        return True

    @property
    def is_binary_auc(self) -> bool:
        """Whether it is the AUC of two classes and nothing else, whose error has a formula."""
        return False

    @property
    def compares_with_rest(self) -> bool:
        """Whether it depends on how many rows the rest has that a class is compared with."""
        return False

    @property
    def needs_columns(self) -> bool:
        """Whether two classes need a column of scores each."""
        return False

    @property
    def reads_one_column(self) -> bool:
        """Whether of two columns it reads the second alone."""
        return False

    @property
    def reads_values(self) -> bool:
        """Whether it reads scores as the numbers they are, and not only how they compare."""
        return False

    def _describe(self, sample: Sample) -> _core.Measure:
        """Return the core's object."""
        raise NotImplementedError

    def _describe_pairs(self, sample: Sample) -> _core.Measure:
        """Return the core's object for the K x K values of all pairs of classes."""
        raise ValueError(f"pairs=True is for measures of pairs of classes, not for {self.name}")

    def _of_pair(self) -> Measure[Any]:
        """Return what on the rows of two classes alone is the value of their pair."""
        raise ValueError(f"pairs=True is for measures of pairs of classes, not for {self.name}")

    def _admit(self, sample: Sample) -> None:
        """Raise if the measure is not for such a sample."""
        if not self.orders_classes:
            sample.require_columns()
        if sample.present is not None and not self.skips_absent:
            sample.require_present()

    def _admit_replicates(self, sample: Sample, n_replicates: int) -> None:
        """Raise if so many replicates of such a sample would take unreasonably long."""

    def _is_auc(self, sample: Sample) -> bool:
        """Tell whether all that it is on such a sample is the AUC of one column."""
        return False

    def _counts_enter(self, sample: Sample) -> bool:
        """Tell whether it depends on how many rows each class has, and not on their scores alone.

        Then class counts vary by default: to hold them fixed would hide a part of its spread.
        """
        return False

    def _shape(self, sample: Sample) -> tuple[int, ...]:
        """Return the shape of its values: () for a single number."""
        return ()

    def _bounds(self, sample: Sample) -> tuple[float, float]:
        """Return the least and the largest value that the measure can have."""
        return 0.0, 1.0

    def _caution(self, estimate: Any, sizes: tuple[int, ...]) -> str:
        """Say what intervals of such an estimate are known to miss; `sizes` are units by class."""
        return ""

    def _optimism(self, sample: Sample) -> _core.Measure | None:
        """Return what tells of a replicate by how much what is chosen in it looks too good there.

        None where nothing is chosen on the rows that judge it, such as thresholds. Where something
        is, bootstrap intervals take the optimism off (:mod:`polyroc._stats.optimism`).
        """
        return None

    def _proven(self, sample: Sample, effective: Floats) -> Floats | None:
        """Return how much of the value a sample proves, with how many standard errors.

        Pairs of both, the value falling as the errors rise; `effective` are the units of each
        class. The lower limit of BCa intervals is no higher. None where that is no question.
        """
        return None

    def _class_weights(self, masses: Floats) -> Floats:
        """Return what all rows of each class together weigh in it, given the weight of each class.

        Both classes of an AUC weigh 1: an average over pairs or classes has sum 2.
        """
        present = masses > 0.0
        return np.where(present, 2.0 / np.count_nonzero(present), 0.0)

    # What follows from it.

    @property
    def skips_absent(self) -> bool:
        """Whether classes without rows are left out."""
        return getattr(self, "absent", "raise") == "skip"

    def _value_names(self, classes: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return what has a value each, given the classes of a sample."""
        return classes

    def _favoured(self, sample: Sample) -> Any:
        """Return the class that high scores stand for; None where every class has its own."""
        one = sample.scores.ndim == 1 or (sample.n_classes == 2 and self.reads_one_column)
        return sample.classes[1] if one else None

    def _in_core(self, sample: Sample) -> _core.Measure:
        """Return what the core computes of a sample."""
        described = self._describe(sample)  # asked in any case: it checks options
        return AUC if self._is_auc(sample) else described

    def _with_error_in_core(self, sample: Sample) -> _core.Measure | None:
        """Return the same with its standard error in every replicate; None if it has none."""
        one_auc = self.is_single and self._is_auc(sample)
        return _core.Measure("auc_and_error") if one_auc else None

    def _pairs_in_core(self, sample: Sample) -> _core.Measure:
        """Return the same for all pairs of classes."""
        described = self._describe_pairs(sample)
        return AUC if self._is_auc(sample) else described

    def _shaped(self, values: Floats, sample: Sample) -> Any:
        """Return what the core computed as the measure's value or values."""
        shape = self._shape(sample)
        if not shape:
            return float(values[0])
        # On one column of scores the AUC stands for all of them.
        return values.reshape(shape) if len(values) > 1 else np.full(shape, values[0])

    def _shaped_pairs(self, values: Floats, sample: Sample) -> Floats:
        """Return what the core computed of all pairs of classes, K x K."""
        shape = (sample.n_classes, sample.n_classes)
        if len(values) > 1:
            return values.reshape(shape)
        pairs = np.full(shape, values[0])
        np.fill_diagonal(pairs, np.nan)
        return pairs

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
