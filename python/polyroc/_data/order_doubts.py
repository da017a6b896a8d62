"""Warnings where what was passed has an order of its own, and another one was followed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from polyroc._base.checks import show
from polyroc._base.warn import warn

if TYPE_CHECKING:
    from polyroc._base.types import Array


def warn_of_categories(y_true: Any, found: Array, single: bool) -> None:
    """Warn if the labels are a categorical whose order is not the sorted one, which was followed.

    `found` are the classes in sorted order, `single` says that there is one column of scores.
    """
    categories = _categories(y_true)
    if categories is None:
        return
    listed = found.tolist()
    used = set(listed)
    own = [label for label in categories if label in used]
    if own == listed:
        return
    if single:
        warn(
            f"y_true is a categorical in the order {show(own)}, but y_score is taken as the score "
            f"of {show(listed[1])}, the last in sorted order; pass labels={show(own)} if it is "
            f"that of {show(own[1])}, else labels={show(listed)}",
            UserWarning,
        )
    else:
        warn(
            f"y_true is a categorical in the order {show(own)}, but the columns of y_score are "
            f"taken in sorted order, {show(listed)}; pass labels= with the classes in the order of "
            "the columns",
            UserWarning,
        )


def _categories(y_true: Any) -> list[Any] | None:
    """Return the categories of pandas' categoricals and polars' enums in their order."""
    # A pandas Series or Index holds its Categorical in `.array`.
    values = getattr(y_true, "array", y_true)
    if hasattr(values, "categories") and hasattr(values, "codes"):
        return list(values.categories)
    # A Categorical of polars has no list of its own: it sorts by name.
    dtype: Any = getattr(y_true, "dtype", None)
    return dtype.categories.to_list() if type(dtype).__name__ == "Enum" else None


def warn_of_rows(y_true: Any, y_score: Any) -> None:
    """Warn if the index of the scores holds that of the labels in another order.

    Both have as many rows. Indices that are equal cost one comparison. A default index of the
    scores says nothing about rows: it is that of a new frame around an array.
    """
    own: Any = getattr(y_true, "index", None)
    other: Any = getattr(y_score, "index", None)
    if own is other or not (hasattr(own, "get_indexer") and hasattr(other, "get_indexer")):
        return
    if own.equals(other) or _is_default(other) or own.nlevels != other.nlevels:
        return
    if own.is_unique and other.is_unique and (other.get_indexer(own) >= 0).all():
        warn(
            "the index of y_score holds that of y_true in another order, but rows are matched by "
            "position; pass y_score.loc[y_true.index] to match them by index, or "
            "y_score.to_numpy() if the positions are right",
            UserWarning,
        )


def _is_default(index: Any) -> bool:
    return type(index).__name__ == "RangeIndex" and (index.start, index.step) == (0, 1)
