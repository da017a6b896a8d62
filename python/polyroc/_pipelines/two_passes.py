"""Both passes over batches of rows that one process reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

from polyroc._base.checks import choose, show
from polyroc._base.keywords import hinting
from polyroc._base.progress import check_progress, following
from polyroc._base.public import public
from polyroc._pipelines.influence_sums import InfluenceSums
from polyroc._pipelines.influence_tables import InfluenceTables
from polyroc._pipelines.note import note_of
from polyroc._pipelines.row_sample import refuse_two_passes
from polyroc._pipelines.state import State, checked_bins

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polyroc._base.types import Labels, Seed

_INTERVALS = ("delong", "bootstrap", None)
_NAMES = ("y_true", "y_score", "sample_weight", "row_id", "groups")


@public
@hinting
def evaluate_batches(
    batches: Iterable[Any] | Callable[[], Iterable[Any]],
    *,
    labels: Labels,
    measures: str | Sequence[str] = "hand_till",
    interval: Literal["delong", "bootstrap"] | None = "delong",
    key: Literal["fold", "float"] = "fold",
    max_bins: int = 16384,
    class_counts: Any = None,
    n_resamples: int = 1000,
    seed: Seed = None,
    confidence: float = 0.95,
    n_threads: int | None = 1,
    progress: bool | Callable[[int, int | None], object] = False,
) -> Any:
    """Evaluate predictions that come batch by batch and need not fit into memory.

    Batches are read twice: the first pass counts scores into a :class:`State`, the second one sums
    up influence values (:class:`InfluenceSums`). Memory does not grow with the rows.

    Parameters
    ----------
    batches : iterable that can be read twice, or a function that returns one
        Each batch is a tuple ``(y_true, y_score)`` or a dict with these and any of
        ``sample_weight``, ``row_id`` and ``groups``. `y_score` may be a dict of the scores of
        several models, which are then compared.
    labels, measures, key, max_bins, class_counts
        As for :class:`State`.
    interval : {"delong", "bootstrap", None}
        Closed-form errors as :func:`polyroc.delong` has them, or those of the Poisson multiplier
        bootstrap, whose weights hang on the row (`row_id`; by default rows are numbered in the
        order in which they come); None reads batches once and gives no errors but those of a
        binary AUC.
    n_resamples, seed
        Of the bootstrap.
    confidence : float
        Of intervals, in (0, 1).
    n_threads : int, optional
        Threads to use; None for all cores. Results do not depend on it.
    progress : bool or callable
        True for a bar on stderr, or a function of (done, total) that is called after each batch.
        Batches of both passes count; `total` is None in the first one of batches without a length.

    Returns
    -------
    StateValues, or StateComparisons of several models
        By measure: ``.estimate``, ``.standard_error``, ``.interval``, ``.error_bound``, ...

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> P = models["naive Bayes"]
    >>> batches = [(y[k : k + 500], P[k : k + 500]) for k in range(0, len(y), 500)]
    >>> pr.evaluate_batches(batches, labels=range(10), measures=["hand_till", "auc_mu"])
    hand_till 0.9756, exact, standard error 0.0024, 95 % 0.9699 to 0.9800
    auc_mu 0.9876, exact, standard error 0.0011, 95 % 0.9849 to 0.9896
      1,797 rows
    """
    choose("interval", interval, _INTERVALS)
    if interval == "bootstrap" and n_resamples == 0:
        raise ValueError('n_resamples is 0 and interval is "bootstrap"; pass n_resamples=1000')
    if interval is not None:
        note = note_of(labels, measures)
        refuse_two_passes(note.measures, len(note.labels), checked_bins(max_bins))
    options: dict[str, Any] = {"key": key, "max_bins": max_bins, "class_counts": class_counts}
    check_progress(progress)
    passes = 1 if interval is None else 2
    with following(progress, "batches", "evaluate_batches") as report:
        reader = _Reader(batches, passes, report)
        states, grouped = _counted(reader, labels, measures, options, n_threads)
        merged: Any = states[None] if list(states) == [None] else states
        if interval is None:
            if merged is states:
                raise ValueError(
                    'several models are compared by their errors; pass interval="delong"'
                )
            return states[None].compute()
        count = n_resamples if interval == "bootstrap" else 0
        tables = InfluenceTables(merged, groups=grouped, n_resamples=count, seed=seed)
        sums, seen = InfluenceSums(tables), 0
        for batch in reader.read():
            size = len(batch["y_true"])
            if count and not grouped and batch.get("row_id") is None:
                batch["row_id"] = range(seen, seen + size)
            seen += size
            sums.update(**batch, n_threads=n_threads)
    return sums.compute(confidence=confidence)


def _counted(
    reader: _Reader, labels: Labels, measures: Any, options: dict[str, Any], n_threads: int | None
) -> tuple[dict[str | None, State], bool]:
    """Return the state of each model, and whether rows come in groups: the first pass."""
    states: dict[str | None, State] = {}
    grouped = False
    for batch in reader.read():
        grouped |= batch.get("groups") is not None
        for name, scores in _models(batch["y_score"]).items():
            if name not in states:
                states[name] = State(labels, measures, **options)
            states[name].update(
                batch["y_true"], scores, sample_weight=batch.get("sample_weight"),
                row_id=batch.get("row_id"), n_threads=n_threads,
            )  # fmt: skip
    if not states:
        raise ValueError("batches is empty; there is nothing to rank")
    return states, grouped


class _Reader:
    """Batches that are read once or twice, and somebody who is told how far that is."""

    def __init__(
        self, batches: Any, passes: int, report: Callable[[int, int | None], object] | None
    ) -> None:
        self.batches, self.passes, self.report = batches, passes, report
        self.count = len(batches) if hasattr(batches, "__len__") else None
        self.done = 0

    def read(self) -> Iterator[dict[str, Any]]:
        """Yield all batches once."""
        before = self.done
        for batch in _read(self.batches):
            yield batch
            self.done += 1
            self._tell()
        if self.count is None:
            self.count = self.done - before
            self._tell()

    def _tell(self) -> None:
        if self.report is not None:
            self.report(self.done, None if self.count is None else self.count * self.passes)


def _read(batches: Any) -> Iterator[dict[str, Any]]:
    """Yield batches by the names of their parts."""
    again = batches() if callable(batches) else batches
    if isinstance(again, Iterator) and not callable(batches):
        raise TypeError(
            f"batches is a {type(again).__name__}, which can be read once only; pass a list, or a "
            "function that returns an iterator"
        )
    for k, batch in enumerate(again):
        if isinstance(batch, Mapping):
            named = dict(batch)
        elif isinstance(batch, tuple) and len(batch) == 2:
            named = dict(zip(_NAMES, batch, strict=False))
        else:
            raise TypeError(
                f"batch {k} is a {type(batch).__name__}; pass (y_true, y_score), or a dict with "
                f"{', '.join(_NAMES)}"
            )
        if not {"y_true", "y_score"} <= set(named) <= set(_NAMES):
            raise ValueError(
                f"batch {k} has {show(sorted(named))}; it needs y_true and y_score and may have "
                f"{', '.join(_NAMES[2:])}"
            )
        yield named


def _models(y_score: Any) -> dict[str | None, Any]:
    return dict(y_score) if isinstance(y_score, dict) else {None: y_score}
