"""The counts of all rows, in which the second pass over shards looks its rows up."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from polyroc import _core
from polyroc._base.checks import show, whole
from polyroc._base.public import public
from polyroc._base.seeds import seed_number
from polyroc._pipelines.note import MEASURES
from polyroc._pipelines.state import State
from polyroc._pipelines.state_value import StateValues, values_of

_MOST_RESAMPLES = 2**32  # the core allows fewer where classes are many


@public
class InfluenceTables:
    """What tells every shard how much each of its rows moves a measure.

    A multi-class measure has no error from one pass: how much a row moves it depends on where all
    other rows are. A merged :class:`State` knows that. Its tables go to all shards, which read
    their rows once more and return :class:`InfluenceSums`.

    Parameters
    ----------
    states : State, or dict of State
        The merged state of all rows; by name where several models were scored on the same rows.
    groups : bool
        Whether rows come in groups (patients, documents) that vary as one, as `groups` of
        :func:`polyroc.delong`.
    n_resamples : int
        Replicates of the multiplier bootstrap: Poisson weights times influence values, each weight
        a function of (seed, replicate, row id), or of the group where there are groups. 0 for none:
        errors are DeLong's.
    seed : int, numpy Generator or SeedSequence, optional
        Of the replicates; None draws one, which ``.seed`` tells.
    whole : State or InfluenceTables, optional
        The state of all rows, if `states` is that of a segment of them: results have the difference
        from all rows too. Tables of all rows are shared by all segments that they are given to.
        With groups or replicates it is not needed: ``compute(whole=)`` knows groups by their names,
        and replicates of one seed have the same weights.

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> P = models["naive Bayes"]
    >>> state = pr.State(range(10), "hand_till").update(y, P)
    >>> tables = pr.InfluenceTables(state)
    >>> halves = [pr.InfluenceSums(tables).update(y[part], P[part])
    ...           for part in (slice(0, 900), slice(900, None))]
    >>> halves[0].merge(halves[1]).compute()["hand_till"]
    hand_till 0.9756, exact
      standard error 0.0024, 95 % DeLong (t) interval: 0.9699 to 0.9800
      1,797 rows
    """

    __slots__ = ("_core", "_found", "_models", "_states", "_whole")

    def __init__(
        self,
        states: State | Mapping[str, State],
        *,
        groups: bool = False,
        n_resamples: int = 0,
        seed: Any = None,
        whole: State | InfluenceTables | None = None,
    ) -> None:
        listed, above = _listed(states), None
        if whole is not None:
            above = _tables_of_all(whole)
            _admit_whole(listed, above._states[0], groups, n_resamples)
        _fit(listed, None if above is None else above._states[0], bool(groups))
        names = None if isinstance(states, State) else list(listed)
        first = next(iter(listed.values()))
        self._core: _core.Tables = _core.Tables(
            states=[state._core for state in listed.values()],
            whole=None if above is None else above._core,
            kinds=[MEASURES.index(name) for name in first.measures],
            groups=_flag("groups", groups),
            n_resamples=_count(n_resamples),
            seed=seed_number(seed) if n_resamples else 0,
            note=json.dumps([names, above is not None], separators=(",", ":")).encode(),
        )
        self._models: tuple[str, ...] | None = None if names is None else tuple(names)
        self._states: list[State] = list(listed.values())
        self._whole = None if above is None else above._states[0]
        self._found: list[StateValues] | None = None

    def _values(self) -> list[StateValues]:
        """Return the measures of each model, found once."""
        if self._found is None:
            self._found = [values_of(state._note, state._core) for state in self._states]
        return self._found

    @property
    def labels(self) -> tuple[Any, ...]:
        """The classes, in column order."""
        return self._states[0].labels

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures."""
        return self._states[0].measures

    @property
    def models(self) -> tuple[str, ...] | None:
        """The names of the models; None where there is one without a name."""
        return self._models

    @property
    def groups(self) -> bool:
        """Whether rows come in groups."""
        return self._core.groups

    @property
    def n_resamples(self) -> int:
        """How many replicates there are."""
        return self._core.n_resamples

    @property
    def seed(self) -> int | None:
        """The seed of the replicates; None if there are none."""
        return self._core.seed if self.n_resamples else None

    def to_bytes(self) -> bytes:
        """Return the tables as bytes: versioned, with a checksum."""
        return self._core.to_bytes()

    @classmethod
    def from_bytes(cls, data: bytes | bytearray | memoryview) -> InfluenceTables:
        """Return the tables of such bytes; raise ValueError if they were changed on the way."""
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise TypeError(f"data is a {type(data).__name__}; pass the bytes of tables")
        tables = cls.__new__(cls)
        tables._core = _core.Tables.from_bytes(bytes(data))
        names, has_whole = json.loads(tables._core.note)
        tables._models = None if names is None else tuple(names)
        states = [State._of(core) for core in tables._core.states()]
        tables._whole = states.pop() if has_whole else None
        tables._states, tables._found = states, None
        return tables

    def __reduce__(self) -> tuple[Any, ...]:
        return InfluenceTables.from_bytes, (self.to_bytes(),)

    def __repr__(self) -> str:
        names = "" if self.models is None else f" for {', '.join(self.models)}"
        how = "DeLong's errors"
        if self.n_resamples:
            how = f"{self.n_resamples:,} replicates of seed {self.seed}"
        head = f"InfluenceTables of {', '.join(self.measures)}{names}"
        return f"{head}: {self._states[0].n:,} rows, {how}"


def _listed(states: Any) -> dict[str, State]:
    if isinstance(states, State):
        return {"": states}
    if not isinstance(states, Mapping) or not states:
        raise TypeError(f"states is {show(states)}; pass a State, or a dict of them by model")
    for name, state in states.items():
        if not isinstance(name, str):
            raise TypeError(f"states has the name {show(name)}; name models by strings")
        if not isinstance(state, State):
            raise TypeError(f"states[{name!r}] is a {type(state).__name__}; pass a State")
    return dict(states)


def _tables_of_all(whole: Any) -> InfluenceTables:
    """Return tables of all rows."""
    if isinstance(whole, State):
        return InfluenceTables(whole)
    if not isinstance(whole, InfluenceTables) or whole.models is not None:
        raise TypeError(
            f"whole is a {type(whole).__name__}; pass the State of all rows, or their tables"
        )
    return whole


def _fit(states: dict[str, State], whole: State | None, groups: bool) -> None:
    """Refuse states that are not of the same rows, and classes without spread."""
    (name, first), *others = states.items()
    if any(state.sample_rows is not None for state in states.values()):
        raise ValueError(
            "auc_mu of a sample of rows has its error from compute() of the state, and no tables "
            "for a second pass; make states of the other measures for that"
        )
    has_whole = whole is not None
    if whole is not None:
        others = [("all rows", whole)]
    for label, rows in zip(first.labels, first.class_counts.tolist(), strict=True):
        if rows < 1 or (rows == 1 and not groups):  # groups are counted in the second pass
            few = "a single row" if rows else "no rows"
            raise ValueError(
                f"class {show(label)} has {few}, so that no spread can be estimated; merge all "
                "shards first, leave the class out, or collect more"
            )
    for other_name, other in others:
        for what in ("labels", "measures", "key"):
            mine, theirs = getattr(first, what), getattr(other, what)
            if mine != theirs:
                raise ValueError(
                    f"states do not fit: {what} is {show(mine)} for {name or 'the segment'!r} and "
                    f"{show(theirs)} for {other_name!r}; make all states with the same arguments"
                )
        same = np.array_equal(first.class_counts, other.class_counts)
        if not has_whole and not (same and first._core.masses == other._core.masses):
            raise ValueError(
                f"{name!r} has {first.n:,} rows of classes {show(first.class_counts.tolist())} "
                f"and {other_name!r} {other.n:,} of {show(other.class_counts.tolist())}; all "
                "models have to be scored on the same rows: a shard was read twice or lost"
            )


def _admit_whole(states: dict[str, State], whole: State, groups: Any, n_resamples: Any) -> None:
    if len(states) > 1:
        raise ValueError("whole= takes the state of one segment, of one model")
    if groups:
        raise ValueError(
            "whole= is not needed where rows come in groups; leave it out, and pass the sums of "
            "all rows to compute(whole=)"
        )
    if n_resamples:
        raise ValueError(
            "whole= is not needed for replicates, whose weights hang on the row; leave it out, and "
            "pass the sums of all rows to compute(whole=)"
        )
    if whole._core.class_counts is not None:
        raise ValueError("whole= tells all classes apart; make its states without class_counts")


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} is {show(value)}; pass True or False")
    return bool(value)


def _count(n_resamples: Any) -> int:
    count = whole(n_resamples)
    if count is None or count == 1 or not 0 <= count <= _MOST_RESAMPLES:
        raise ValueError(
            f"n_resamples is {show(n_resamples)}; pass 0, or a whole number from 2 to 2^32"
        )
    return count
