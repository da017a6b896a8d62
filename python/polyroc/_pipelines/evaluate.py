"""`evaluate` in its two forms: predictions to a report, a frame to a table of segments."""

from __future__ import annotations

import inspect
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, overload

from polyroc._base.public import public
from polyroc._pipelines.frame_columns import KINDS, is_frame, no_frame
from polyroc._pipelines.frame_table import evaluate as of_frame
from polyroc._report.evaluate import evaluate as of_predictions

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from polyroc._base.types import Absent, Labels, Scores, Seed
    from polyroc._report.report import Report

# What only a frame is asked for.
_OF_FRAMES = ("by", "interval", "adjust", "min_rows")
# What frames do otherwise.
_OF_ARRAYS = {
    "absent": 'pass a measure that skips classes without rows, as pr.HandTill(absent="skip")',
    "stratify": "resamples of segments are Poisson's, which fix no class count",
    "progress": "segments are too fast for it",
}


@overload
def evaluate(
    y_true: Labels,
    y_score: Scores | Mapping[str, Scores],
    measure: Any = None,
    *,
    n_resamples: int = 1000,
    seed: Seed = None,
    confidence: float = 0.95,
    stratify: bool | None = None,
    groups: Labels | None = None,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
    progress: bool | Callable[[int, int], object] = False,
) -> Report: ...
@overload
def evaluate(
    frame: Any,
    /,
    *,
    y_true: Hashable,
    y_score: Hashable | Sequence[Hashable],
    by: Any = (),
    measure: Any = "hand_till",
    interval: Literal["delong", "bootstrap"] = "delong",
    n_resamples: int = 1000,
    seed: Seed = None,
    adjust: Literal["holm", "bh"] | None = "holm",
    min_rows: int = 1,
    confidence: float = 0.95,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Hashable | None = None,
    groups: Hashable | None = None,
    n_threads: int | None = None,
) -> Any: ...
@public
def evaluate(*given: Any, **options: Any) -> Any:
    """Evaluate predictions: everything that applies in one report, or segments of a frame.

    ``evaluate(y_true, y_score, ...)`` takes arrays and gives a :class:`Report`: one model or
    several, every measure that applies, with intervals. ``evaluate(frame, y_true="label",
    y_score=["p_a", "p_b", "p_c"], ...)`` takes the columns of a frame by name and gives one long
    table: a measure in all rows, or in every segment of them.

    Parameters
    ----------
    y_true, labels, pos_label, sample_weight, stratify, groups
        As for `bootstrap`; of a frame, `y_true`, `sample_weight` and `groups` are names of columns,
        and there is no `stratify`.
    y_score : array_like, or dict of them; name or list of names
        The scores of a model, or of several by name, all for the same rows. Of a frame, the columns
        that hold the scores of the classes, matched to them by their names, or by `labels`.
    measure : str, measure object, or a list or dict of them, optional
        Which headline measures; by default all that apply. Models are compared by the first one.
        In segments, "hand_till" by default, which for two classes is the AUC. A single column of
        scores is that of `pos_label`, or else of the last class.
    n_resamples, seed, n_threads, progress
        Of the bootstrap. All measures see the same resamples, and so do all segments.
    confidence : float
        Of intervals, in (0, 1).
    absent : {"raise", "skip"}
        Whether a class of `labels` without rows of positive weight is an error, or left out; for
        arrays. Of a frame the measure says it: ``HandTill(absent="skip")``.
    frame : data frame
        Of pandas, polars (a LazyFrame is collected), pyarrow (also a RecordBatchReader or a
        Dataset), duckdb, or anything with ``__arrow_c_stream__`` (extra ``polyroc[arrow]``).
    by : column, list of columns, or list of such lists
        What parts rows into segments; ``()`` is all rows. ``[(), "country", ("country",
        "device")]`` gives all three in one table. A null is a key like others.
    interval : {"delong", "bootstrap"}
        Closed-form errors as `delong` has them, or the Poisson bootstrap's, whose weights hang on
        the row.
    adjust : {"holm", "bh", None}
        How p-values are adjusted for their number: all those of one measure together.
    min_rows : int
        Segments with fewer rows have no number, and their status says so.

    Returns
    -------
    Report, or a data frame
        The report prints as text; ``.measures``, ``.by_class``, ``.by_pair``,
        ``.operating_points``, ``.confusions``, ``.comparison``, ``.data``, ``.warnings``;
        ``.to_dict()``, ``.to_frame()``. The table is of the kind that came (of readers, datasets,
        streams and duckdb a pyarrow Table), one row per measure and segment: the keys, ``by``,
        ``measure``, ``n``, ``n_<label>``, ``estimate``, ``standard_error``, ``low``, ``high``,
        ``difference`` (from all rows), ``difference_low``, ``difference_high``, ``p_value``,
        ``p_adjusted``, ``pairs_used``, ``status`` ("ok", or why a number is missing), ``method``,
        ``error_bound`` (0: exact).

    References
    ----------
    Y. Benjamini and Y. Hochberg, Controlling the false discovery rate: a practical and powerful
    approach to multiple testing, J. R. Stat. Soc. B 57, 1995.

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> report = pr.evaluate(y, models["naive Bayes"], ["auc_mu", "hand_till"], seed=7)
    >>> report.measures["model"]["hand_till"].interval.round(3)
    array([0.97, 0.98])

    >>> import numpy as np, pandas as pd
    >>> frame = pd.DataFrame(models["naive Bayes"]).add_prefix("p_").assign(
    ...     digit=y, writer=np.arange(len(y)) % 3)
    >>> names = [f"p_{k}" for k in range(10)]
    >>> table = pr.evaluate(frame, y_true="digit", y_score=names, by=[(), "writer"])
    >>> table[["writer", "n", "estimate", "low", "high", "p_adjusted"]].round(3)
       writer     n  estimate    low   high  p_adjusted
    0    <NA>  1797     0.976  0.970  0.980         NaN
    1       0   599     0.970  0.957  0.979       0.307
    2       1   599     0.976  0.966  0.983       0.949
    3       2   599     0.980  0.971  0.986       0.510
    """
    if given and "y_true" in options:
        if not is_frame(given[0]):
            raise TypeError(_no_frame(given[0]))
        for name in _OF_ARRAYS.keys() & options.keys():
            raise TypeError(f"evaluate got {name}, which is for arrays; {_OF_ARRAYS[name]}")
        return of_frame(*given, **options)
    if given and is_frame(given[0]) and _names(given[1:2] or options.get("y_score")):
        raise TypeError(
            "evaluate got a frame; name its columns by keywords: evaluate(frame, y_true=column, "
            "y_score=columns)"
        )
    for name in _OF_FRAMES:
        if name in options:
            raise TypeError(
                f"evaluate got {name}, which is for frames; pass evaluate(frame, y_true=column, "
                f"y_score=columns, {name}=...)"
            )
    return of_predictions(*given, **options)


def _no_frame(given: Any) -> str:
    kind, library = type(given).__name__, type(given).__module__.split(".")[0]
    for name, own in {"dask": "dask", "dask_expr": "dask", "pyspark": "spark"}.items():
        if library == name:
            return (
                f"evaluate got a frame of {name}, whose rows are elsewhere; pass it to "
                f"pr.{own}.evaluate with the same arguments"
            )
    if isinstance(given, (str, PathLike)):
        return str(no_frame(given))
    return (
        f"evaluate got a {kind} and y_true by name: the first argument is a frame then "
        f"({KINDS}); or pass (y_true, y_score)"
    )


def _names(given: Any) -> bool:
    """Tell whether something is a name, or a list that begins with one."""
    while isinstance(given, (list, tuple)) and given:
        given = given[0]
    return isinstance(given, str)


evaluate.__signature__ = inspect.signature(of_predictions)  # type: ignore[attr-defined]
