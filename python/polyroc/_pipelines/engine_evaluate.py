"""`evaluate` of frames that live on a cluster: counts by score, then errors, then the table."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from polyroc._base.checks import choose, show, thread_count
from polyroc._base.keywords import hinting
from polyroc._base.progress import check_progress, following
from polyroc._data.arrays import is_missing
from polyroc._data.labels import label_list
from polyroc._pipelines.engine_fault import Fault
from polyroc._pipelines.engine_passes import EVERYTHING, FAULTY, Count, Influence, Segment, Work
from polyroc._pipelines.engine_plan import (
    ALL_ROWS,
    Columns,
    Plan,
    Shape,
    columns_asked,
    counts_told,
    measures_asked,
    require_two_classes,
    sample_of_labels,
)
from polyroc._pipelines.engine_progress import Passes
from polyroc._pipelines.engine_table import Found, table_of_shards
from polyroc._pipelines.frame_table import ADJUST, INTERVALS, options_of, own_columns
from polyroc._pipelines.influence_sums import InfluenceSums
from polyroc._pipelines.row_sample import has_to_sample, refuse_two_passes
from polyroc._pipelines.segment_runs import Options
from polyroc._pipelines.state import State, checked_bins

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from polyroc._base.types import Labels, Seed


class Shards(Protocol):
    """A frame that an engine holds in parts."""

    def require(self, columns: Columns, ids: bool) -> Columns:
        """Check that columns are there; return them with one that tells rows apart, if needed."""

    def zones(self, columns: Iterable[str]) -> dict[str, Any]:
        """Return the time zones of the columns that have one other than UTC."""

    def labels(self, column: str) -> list[Any]:
        """Return the distinct labels, None for nulls."""

    def run(self, work: Work, passes: Passes | None) -> dict[Segment, bytes]:
        """Run a pass over all rows; return one piece of each segment."""

    def place(self, fault: Fault, columns: Columns, labels: tuple[Any, ...]) -> str:
        """Say where a row is that a shard found fault with."""


@hinting
def evaluate(
    frame: Any,
    /,
    *,
    y_true: str,
    y_score: str | Sequence[str],
    by: Any = (),
    measure: Any = "hand_till",
    interval: str | None = "delong",
    n_resamples: int = 1000,
    seed: Seed = None,
    adjust: str | None = "holm",
    min_rows: int = 1,
    confidence: float = 0.95,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: str | None = None,
    groups: str | None = None,
    row_id: str | None = None,
    key: str = "fold",
    max_bins: int = 16384,
    class_counts: Any = None,
    n_threads: int | None = 1,
    progress: bool | Callable[[int, int | None], object] = False,
) -> Any:
    """Evaluate a frame of Spark or Dask where it is, with the table of :func:`polyroc.evaluate`.

    Two passes over the rows: the first counts scores, the second sums up how much each row moves
    the measures. What shards return depends on the rows alone, so that neither partitions nor
    retries change a bit. Estimates are those of all rows to the last bit until a column has more
    than `max_bins` distinct scores, and within ``error_bound`` of them from then on.

    Parameters
    ----------
    frame : DataFrame of Spark or Dask
        It is read twice, and once more for its labels unless `labels` names them: cache or persist
        what is dear to make.
    y_true, y_score, by, measure, n_resamples, seed, adjust, min_rows, confidence, labels, pos_label
        As in :func:`polyroc.evaluate`. Measures are "auc", "hand_till", "one_vs_rest" and "auc_mu",
        without options; AUC-mu has ``ties="exact"``.
    interval : {"delong", "bootstrap", None}
        Closed-form errors; a Poisson multiplier bootstrap, whose weights times influence values
        stand for resamples; or None for estimates alone, in one pass.
    sample_weight, groups : str, optional
        Columns: weights of rows, and groups of rows that vary as one, by whole numbers or text.
    row_id : str, optional
        A column of whole numbers or text that tells rows apart and stays the same from run to run:
        the weights of a bootstrap hang on it. By default rows of Parquet files go by file and row
        (Spark), and rows of Dask by their number in the frame; other frames of Spark need it.
    key : {"fold", "float"}
        "fold" for probabilities, "float" for other scores; see :class:`polyroc.State`.
    max_bins : int
        The most distinct scores, or bins, of a column.
    class_counts : array_like of shape (K,), optional
        The rows of each class in the order of `labels`, where they are known: of hundreds of
        classes, states and tables then are many times smaller (see :class:`polyroc.State`). For all
        rows alone (without `by`), and not for "auc_mu".
    n_threads : int, optional
        Threads of each task; one by default, as engines run tasks side by side.
    progress : bool or callable
        True for a bar on stderr, or a function of (done, total): tasks of both passes. Dask's are
        known from the start; of Spark's more become known as its stages begin.

    Returns
    -------
    pandas.DataFrame
        The table of :func:`polyroc.evaluate`; ``method`` and ``error_bound`` say what is
        approximate.

    Raises
    ------
    ValueError
        If a row is null, has an unknown label or a score out of range, with its place; if the two
        passes did not see the same rows.

    Examples
    --------
    >>> import dask.dataframe as dd, pandas as pd, polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> frame = pd.DataFrame(models["naive Bayes"]).add_prefix("p_").assign(digit=y)
    >>> shards = dd.from_pandas(frame, npartitions=4)
    >>> table = pr.dask.evaluate(shards, y_true="digit", y_score=[f"p_{k}" for k in range(10)])
    >>> table[["n", "estimate", "standard_error", "low", "high", "method"]].round(4)
          n  estimate  standard_error     low  high      method
    0  1797    0.9756          0.0024  0.9699  0.98  DeLong (t)
    """
    choose("interval", interval, (*INTERVALS, None))
    choose("adjust", adjust, ADJUST)
    options = options_of(str(interval), confidence, min_rows, n_resamples, seed)
    measures = measures_asked(measure)
    columns, specs = columns_asked(
        y_true, y_score, by, sample_weight=sample_weight, row_id=row_id, groups=groups
    )
    names = tuple(dict.fromkeys(one.name for one in measures.values()))
    n_classes, max_bins = max(2, len(columns.y_score)), checked_bins(max_bins)
    if interval is not None:
        refuse_two_passes(names, n_classes, max_bins)
    known_counts = None
    if class_counts is not None:
        known_counts = counts_told(class_counts, labels, specs, sample_weight, interval)
    check_progress(progress)
    shards = shards_of(frame)
    # Weights of replicates hang on rows, or on the groups that rows are in; so do samples.
    drawn = interval == "bootstrap" and groups is None
    columns = shards.require(columns, drawn or has_to_sample(names, n_classes, max_bins))
    known = _labels_in(shards, columns) if labels is None else label_list(labels, np.array([]))
    sample, columns = sample_of_labels(known, columns, labels, pos_label)
    plan = Plan(
        columns,
        sample.classes,
        (ALL_ROWS, *(spec for spec in specs if spec)),
        Shape(names, key, max_bins, _in_order(known_counts, sample.classes)),
        thread_count(n_threads),
    )
    plan.state()  # refuses here, not in every task, what no state is made of
    own_columns(sample, list(columns.keys))
    with following(progress, "tasks", "evaluate") as report:
        passes = None if report is None else Passes(1 if interval is None else 2, report)
        states = _run(shards, Count(plan), passes)
        found = _values(states, options.min_rows)
        require_two_classes(sample.labels, found[EVERYTHING].counts, sample_weight is not None)
        if interval is not None:
            found = _with_errors(shards, plan, states, found, options, passes)
        if passes is not None:
            passes.close()
    zones = shards.zones(columns.keys)
    return table_of_shards(sample, plan, specs, measures, found, options, adjust, zones)


def _in_order(counts: dict[Any, Any] | None, classes: Sequence[Any]) -> tuple[Any, ...] | None:
    return None if counts is None else tuple(counts[label] for label in classes)


def shards_of(frame: Any) -> Shards:
    """Return the frame of an engine as shards."""
    home = type(frame).__module__.split(".")[0]
    if home == "pyspark" and hasattr(frame, "mapInArrow"):
        _require("spark", "pandas", "pyarrow")
        from polyroc._pipelines.spark_frame import SparkFrame

        return SparkFrame(frame)
    if home in ("dask", "dask_expr") and hasattr(frame, "to_delayed") and hasattr(frame, "columns"):
        _require("dask", "pyarrow")
        from polyroc._pipelines.dask_frame import DaskFrame

        return DaskFrame(frame)
    raise TypeError(
        f"{type(frame).__name__} is no frame of Spark or Dask; pass one (polyroc[spark], "
        "polyroc[dask]), or give frames of one machine to polyroc.evaluate"
    )


def _require(extra: str, *packages: str) -> None:
    """Raise if a package of an extra is not there; the engine itself has made the frame."""
    for package in packages:
        if find_spec(package) is None:
            raise ModuleNotFoundError(
                f'evaluate of such a frame needs {package}: pip install "polyroc[{extra}]"'
            )


def _labels_in(shards: Shards, columns: Columns) -> list[Any]:
    """Return the labels of all rows; a null is left to the shard that has it, and knows the row."""
    found = shards.labels(columns.y_true)
    labels = [label for label in found if not is_missing(label)]
    if not labels:
        what = (
            f"column {show(columns.y_true)} is null in every row"
            if found
            else "the frame has no rows"
        )
        raise ValueError(f"{what}; there is nothing to rank")
    return labels


def _values(states: dict[Segment, bytes], min_rows: int) -> dict[Segment, Found]:
    """Return the measures of every segment that has all classes."""
    found = {}
    for segment, piece in states.items():
        state = State.from_bytes(piece)
        counts = state.class_counts
        enough = counts.min() > 0 and (segment == EVERYTHING or counts.sum() >= min_rows)
        found[segment] = Found(counts, state.compute() if enough else None)
    return found


def _with_errors(
    shards: Shards, plan: Plan, states: dict[Segment, bytes], found: dict[Segment, Found],
    options: Options, passes: Passes | None,
) -> dict[Segment, Found]:  # fmt: skip
    """Return the measures with errors, by a second pass over the rows."""
    grouped = plan.columns.groups is not None
    asked = {
        segment: states[segment]
        for segment, one in found.items()
        if one.values is not None and (one.counts.min() > 1 or grouped)
    }
    if not asked:
        return found
    resampled = options.interval == "bootstrap"
    beside = EVERYTHING in asked and not grouped and not resampled
    work = Influence(plan, asked, options.n_resamples if resampled else 0, options.seed, beside)
    pieces = _run(shards, work, passes)
    lost = asked.keys() - pieces.keys()
    if lost:
        raise ValueError(
            f"the first pass saw rows of {len(asked):,} segments and the second of "
            f"{len(pieces):,}; a shard was lost, or the data changed in between"
        )
    whole: InfluenceSums | None = None
    # All rows first: segments stand beside them.
    for segment in sorted(pieces, key=lambda segment: segment != EVERYTHING):
        sums, one = work.total(segment, [pieces[segment]]), found[segment]
        if grouped:
            one = one._replace(groups=sums._groups_by_class())
        if one.units.min() > 1:
            values = sums.compute(confidence=options.level, whole=whole)
            one = one._replace(values=values)
            if segment == EVERYTHING:
                whole = sums
        found[segment] = one
    return found


def _run(shards: Shards, work: Work, passes: Passes | None) -> dict[Segment, bytes]:
    """Run a pass; raise what a shard found fault with."""
    pieces = shards.run(work, passes)
    if passes is not None:
        passes.end()
    if Segment(FAULTY) in pieces:
        fault = Fault.from_bytes(pieces[Segment(FAULTY)])
        raise fault.error(shards.place(fault, work.plan.columns, work.plan.labels))
    if not pieces:
        raise ValueError("the frame has no rows; there is nothing to rank")
    return pieces
