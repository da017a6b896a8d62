"""Shards of a Spark frame: tasks take Arrow batches and return pieces, which tasks merge in a tree.

Everything goes by the frame's own operations (`mapInArrow`, `repartition`), so that a laptop and a
cluster are one thing to it. What is sent out travels within the function; what comes back is the
output of tasks, which Spark makes anew where an executor is lost: nothing is added up on the side,
where a task that ran twice would count twice.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timezone
from functools import partial
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from polyroc._base.checks import show
from polyroc._pipelines.engine_passes import Segment, merged, pieces_of
from polyroc._pipelines.engine_plan import ROW_ID
from polyroc._pipelines.engine_rows import instants
from polyroc._pipelines.frame_columns import check_names

if TYPE_CHECKING:
    from polyroc._pipelines.engine_fault import Fault
    from polyroc._pipelines.engine_passes import Work
    from polyroc._pipelines.engine_plan import Columns
    from polyroc._pipelines.engine_progress import Passes

# The pieces that one task merges at the first level of the tree; the second level has the rest.
_BRANCH = 32
_MOST_LABELS = 100_000
_PAUSE = 0.2  # seconds between two looks at how far tasks are
_GROUP = "spark.jobGroup.id"
_SPEC, _PART, _PIECE = "polyroc_spec", "polyroc_part", "polyroc_piece"


class SparkFrame:
    """A frame of Spark as shards."""

    def __init__(self, frame: Any) -> None:
        self.frame, self.session = frame, frame.sparkSession
        self.functions = importlib.import_module("pyspark.sql.functions")

    def require(self, columns: Columns, ids: bool) -> Columns:
        """Check that columns are there; return them with one that tells rows apart, if needed."""
        check_names(columns.names, self.frame.columns)
        if ids and columns.row_id is None:
            if not self._has_files():
                raise ValueError(
                    "weights of a bootstrap, and samples of rows for auc_mu, hang on rows, and the "
                    "rows of this frame have no number of their own (only those read from Parquet "
                    "files have); pass row_id= with a column that is unique, and the same in every "
                    "run"
                )
            return columns._replace(row_id=ROW_ID)
        return columns

    def _has_files(self) -> bool:
        """Tell whether rows know the file that they are from, and their place in it."""
        errors = importlib.import_module("pyspark.errors")
        log = logging.getLogger("DataFrameQueryContextLogger")  # prints what is caught here
        quiet, log.disabled = log.disabled, True
        try:
            return bool(self.frame.select("_metadata.file_path", "_metadata.row_index").columns)
        except errors.AnalysisException:
            return False
        finally:
            log.disabled = quiet

    def zones(self, columns: Iterable[str]) -> dict[str, Any]:
        """Return none: a time of Spark is an instant, which any zone may show; here it is UTC."""
        return {}

    def labels(self, column: str) -> list[Any]:
        """Return the distinct labels, None for nulls."""
        with self._job("polyroc: which labels there are"):
            rows = self.frame.select(self._column(column)).distinct().limit(_MOST_LABELS).collect()
        return [_as_in_tasks(row[0], self.frame.schema[column].dataType) for row in rows]

    def run(self, work: Work, passes: Passes | None) -> dict[Segment, bytes]:
        """Run a pass over all rows; return one piece of each segment."""
        types = importlib.import_module("pyspark.sql.types")
        columns, functions = work.plan.columns, self.functions
        kinds = [self.frame.schema[name].dataType for name in columns.keys]
        schema = types.StructType(
            [
                types.StructField(_SPEC, types.LongType()),
                *(types.StructField(_named(k), kind) for k, kind in enumerate(kinds)),
                types.StructField(_PART, types.LongType()),
                types.StructField(_PIECE, types.BinaryType()),
            ]
        )
        pieces = self._selected(columns).mapInArrow(partial(take, work), schema)
        by = [_SPEC, *map(_named, range(len(kinds)))]
        for part in (functions.col(_PART) / _BRANCH, functions.lit(0)):
            pieces = pieces.withColumn(_PART, part.cast("long"))
            pieces = pieces.repartition(*by, _PART).mapInArrow(partial(merge, work), schema)
        with self._job(f"polyroc: {work.title}") as tag, self._watched(tag, passes):
            rows = pieces.collect()
        out = {}
        for row in rows:
            places = [columns.keys.index(name) for name in work.plan.spec(row[0])]
            keys = tuple(_as_in_tasks(row[1 + place], kinds[place]) for place in places)
            out[Segment(row[0], keys)] = bytes(row[-1])
        return out

    def _column(self, name: str) -> Any:
        return self.functions.col("`" + name.replace("`", "``") + "`")

    def _selected(self, columns: Columns) -> Any:
        """Return the columns of a job under plain names, as Spark reads a dot as a field.

        The row id, if it is that of files, is a hash of 64 bits.
        """
        chosen = []
        for k, name in enumerate(columns.names):
            column = self._column(name)
            if name == ROW_ID:
                column = self.functions.xxhash64("_metadata.file_path", "_metadata.row_index")
            chosen.append(column.alias(f"polyroc_column_{k}"))
        return self.frame.select(*chosen)

    def place(self, fault: Fault, columns: Columns, labels: tuple[Any, ...]) -> str:
        """Say where a row is that a shard found fault with: its file, its id, or its partition."""
        found = self._find(fault, columns, labels) if fault.kind else None
        if found is not None:
            return found
        at = f"row {fault.row} of " if fault.row >= 0 else ""
        return f"{at}partition {fault.partition}"

    def _find(self, fault: Fault, columns: Columns, labels: tuple[Any, ...]) -> str | None:
        """Look for the row in Spark, which knows what the shard was not told."""
        bad = self._frame_of(fault, labels)
        if columns.row_id not in (None, ROW_ID, fault.column):
            ids = bad.select(self._column(str(columns.row_id)).alias("id"))
            rows = ids.orderBy("id").limit(1).collect()
            return f"the row with {columns.row_id} {show(rows[0].id)}" if rows else None
        if not self._has_files():
            return None
        named = bad.selectExpr("_metadata.file_path AS file", "_metadata.row_index AS row")
        rows = named.orderBy("file", "row").limit(1).collect()
        return f"row {rows[0].row} of {rows[0].file}" if rows else None

    def _frame_of(self, fault: Fault, labels: tuple[Any, ...]) -> Any:
        """Return the rows that are at fault, those with the value that is told where there is one.

        Others may be at fault as well, and stand before it.
        """
        column = self._column(fault.column)
        bad = column.isNull()
        if fault.value is not None:
            bad = column == self.functions.lit(fault.value)
        elif fault.kind == "label":
            bad = ~column.isin(list(labels))
        elif self.frame.schema[fault.column].dataType.typeName() in ("float", "double"):
            bad = bad | self.functions.isnan(column)
        return self.frame.where(bad)

    @contextmanager
    def _watched(self, tag: str, passes: Passes | None) -> Iterator[None]:
        """Tell how many tasks are done of the jobs of a block."""
        context = getattr(self.session, "_sc", None)
        if passes is None or context is None:  # Spark Connect does not tell
            yield
            return
        group = context.getLocalProperty(_GROUP)
        context.setLocalProperty(_GROUP, tag)
        over, failed = Event(), list[BaseException]()

        def look() -> None:
            tracker = context.statusTracker()
            while not over.wait(_PAUSE):
                try:
                    passes.update(*_tasks(tracker, tag))
                except BaseException as error:  # of whoever is told: it ends the work
                    failed.append(error)
                    self.session.interruptTag(tag)
                    return

        watcher = Thread(target=look, name="polyroc progress", daemon=True)
        watcher.start()
        try:
            yield
            passes.update(*_tasks(context.statusTracker(), tag))
        except Exception as error:
            if failed:
                raise failed[0] from error
            raise
        finally:
            over.set()
            watcher.join()
            context.setLocalProperty(_GROUP, group)

    @contextmanager
    def _job(self, title: str) -> Iterator[str]:
        """Name the jobs of a block, and have them end with it, whatever ends it."""
        import uuid

        tag = f"polyroc-{uuid.uuid4()}"
        self.session.addTag(tag)
        context = getattr(self.session, "_sc", None)  # Spark Connect has none
        if context is not None:
            context.setJobDescription(title)
        try:
            yield tag
        except BaseException as error:
            self.session.interruptTag(tag)
            if "No module named 'polyroc" in str(error):
                raise ModuleNotFoundError(
                    "polyroc is not installed in the Python of Spark's executors, or is another "
                    "version there; install it, ship it (spark.archives), or set PYSPARK_PYTHON"
                ) from error
            raise
        finally:
            self.session.removeTag(tag)
            if context is not None:
                context.setLocalProperty("spark.job.description", None)


def _tasks(tracker: Any, group: str) -> tuple[int, int]:
    """Return how many tasks are done, and how many there are in stages that have begun."""
    jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(group)]
    numbers = {stage for job in jobs if job is not None for stage in job.stageIds}
    stages = [tracker.getStageInfo(number) for number in numbers]
    known = [one for one in stages if one and one.numActiveTasks + one.numCompletedTasks > 0]
    done = sum(stage.numCompletedTasks for stage in known)
    return done, sum(stage.numTasks for stage in known)


def _as_in_tasks(value: Any, kind: Any) -> Any:
    """Return a value of a collected row as tasks have it, who read it from Arrow.

    Rows come with the clock of the driver's own zone, and bytes that change.
    """
    if value is not None and kind.typeName() == "timestamp":
        return value.astimezone(timezone.utc)
    return bytes(value) if isinstance(value, bytearray) else value


def _named(number: int) -> str:
    return f"polyroc_key_{number}"


def take(work: Work, batches: Iterable[Any]) -> Iterator[Any]:
    """Return the pieces of a task's rows."""
    from pyspark import TaskContext

    task = TaskContext.get()
    partition = -1 if task is None else task.partitionId()
    types: dict[str, Any] = {}
    own, names = work.plan.columns.keys, work.plan.columns.names
    named = (batch.rename_columns(names) for batch in batches)
    for segment, piece in pieces_of(work, _noted(named, own, types), partition):
        keys = dict(zip(work.plan.spec(segment.spec), segment.keys, strict=True))
        yield _batch(
            segment.spec, [(keys.get(name), types[name]) for name in own], partition, piece
        )


def _noted(batches: Iterable[Any], names: Iterable[str], types: dict[str, Any]) -> Iterator[Any]:
    """Hand batches on, and note the types of some columns."""
    for batch in batches:
        types.update({name: batch.schema.field(name).type for name in names})
        yield batch


def merge(work: Work, batches: Iterable[Any]) -> Iterator[Any]:
    """Return one piece of each segment that there are pieces of, one batch's merged at a time."""
    own, types = work.plan.columns.keys, dict[str, Any]()
    found: dict[Segment, tuple[int, bytes]] = {}
    for batch in _noted(batches, [_named(k) for k in range(len(own))], types):
        here: dict[Segment, list[tuple[int, bytes]]] = {}
        columns = [instants(column).to_pylist() for column in batch.columns]
        for spec, *values, part, piece in zip(*columns, strict=True):
            names = work.plan.spec(spec)
            segment = Segment(spec, tuple(values[own.index(str(name))] for name in names))
            here.setdefault(segment, []).append((part, piece))
        for segment, pieces in here.items():
            if segment in found:
                pieces.append(found[segment])
            part = min(part for part, _ in pieces)
            found[segment] = part, merged(work, segment, [piece for _, piece in pieces])
    for segment, (part, piece) in found.items():
        keys = dict(zip(work.plan.spec(segment.spec), segment.keys, strict=True))
        told = [(keys.get(name), types[_named(k)]) for k, name in enumerate(own)]
        yield _batch(segment.spec, told, part, piece)


def _batch(spec: int, keys: list[tuple[Any, Any]], part: int, piece: bytes) -> Any:
    """Return a piece as a row of Arrow; keys with their types."""
    arrow = importlib.import_module("pyarrow")
    columns = {
        _SPEC: arrow.array([spec], "int64"),
        **{_named(k): arrow.array([key], kind) for k, (key, kind) in enumerate(keys)},
        _PART: arrow.array([part], "int64"),
        _PIECE: arrow.array([piece], "binary"),
    }
    return arrow.RecordBatch.from_pydict(columns)
