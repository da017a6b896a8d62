"""Warnings where what was passed has an order of its own, and another one was followed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from polyroc._base.checks import show
from polyroc._base.warn import warn
from polyroc._data.frames import is_default

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
    if single and len(listed) > 2:
        warn(
            f"y_true is a categorical in the order {show(own)}, but the classes that y_score puts "
            f"in order are taken in sorted order, {show(listed)}; pass labels={show(own)} to "
            "follow the categories",
            UserWarning,
        )
    elif single:
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


def warn_of_alphabet(y_true: Any, found: Array) -> None:
    """Warn if classes that one score is to put in order are words, in the order of the alphabet.

    Letters, and words that differ by rising numbers alone ("grade 1", "grade 2"), tell an order.
    """
    listed = found.tolist()
    if _categories(y_true) is not None or not all(isinstance(label, str) for label in listed):
        return
    numbers = [list(map(int, re.findall(r"[0-9]+", label))) for label in listed]
    rising = all(one < other for one, other in pairwise(numbers))
    alike = len({re.sub("[0-9]+", "", label) for label in listed}) == 1
    if max(map(len, listed)) == 1 or (rising and alike):
        return
    warn(
        "the classes that y_score puts in order are words, taken in the order of the alphabet, "
        f"{show(listed)}; pass labels= with the classes in the order in which scores rise",
        UserWarning,
    )


def _categories(y_true: Any) -> list[Any] | None:
    """Return the categories, in their order, of pandas' categoricals, polars' and Arrow's."""
    # A pandas Series or Index holds its Categorical in `.array`.
    values = getattr(y_true, "array", y_true)
    if hasattr(values, "categories") and hasattr(values, "codes"):
        return list(values.categories)
    # A Categorical of polars has no list of its own: it sorts by name.
    dtype: Any = getattr(y_true, "dtype", None)
    if type(dtype).__name__ == "Enum":
        listed: list[Any] = dtype.categories.to_list()
        return listed
    kind: Any = getattr(y_true, "type", None)
    # Arrow's dictionaries list values as they come, unless they say to have an order.
    if not getattr(kind, "ordered", False):
        return None
    parts = getattr(y_true, "chunks", [y_true])
    lists = [part.dictionary.to_pylist() for part in parts]
    return lists[0] if lists and all(one == lists[0] for one in lists) else None


def warn_of_all_rows(y_true: Any, **others: Any) -> None:
    """Warn as `warn_of_rows` does for each of the others, by name, that has an index."""
    index: Any = getattr(y_true, "index", None)
    for name, other in others.items():
        warn_of_rows(index, other, name)


def warn_of_rows(index: Any, other: Any, name: str) -> bool:
    """Warn if the index of `other`, called `name`, holds that of the labels in another order.

    Both have as many rows. Indices that are equal cost one comparison. A default index says
    nothing about rows: it is that of a new frame or series around an array. Columns of a dict have
    an index each, of which the first in another order is named. Returns whether it warned.
    """
    if isinstance(other, Mapping):
        return any(warn_of_rows(index, one, f"{name}[{key!r}]") for key, one in other.items())
    own: Any = getattr(other, "index", None)
    if own is index or not (hasattr(index, "get_indexer") and hasattr(own, "get_indexer")):
        return False
    if index.equals(own) or is_default(own) or index.nlevels != own.nlevels:
        return False
    if not (index.is_unique and own.is_unique and (own.get_indexer(index) >= 0).all()):
        return False
    warn(
        f"the index of {name} holds that of y_true in another order, but rows are matched by "
        f"position; pass {name}.loc[y_true.index] to match them by index, or "
        f"{name}.to_numpy() if the positions are right",
        UserWarning,
    )
    return True
