"""A page made again from the rows it says it is of, and what is other then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._base.checks import show
from polyroc._data.sample import prepare
from polyroc._measures.plain_form import from_plain
from polyroc._report.evaluate import evaluate
from polyroc._report.given import Given, Reading
from polyroc._report.origin import row_hashes
from polyroc._report.page.differences import differences
from polyroc._report.page.page import page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polyroc._base.types import Array


class Rows(NamedTuple):
    """The rows that a page is held against, from whatever file."""

    codes: Array  # the place of each row's class among `classes`
    classes: Sequence[str]  # as they are written
    models: dict[str, Any]  # scores, one column per class of `classes`, or a single one
    weights: Any = None
    groups: Any = None


def verify(text: str, held: dict[str, Any], rows: Rows, n_threads: int | None) -> list[str]:
    """Return what differs between a page and one made again from some rows; nothing if all agrees.

    Where the rows are others, that is all that is said: every number would differ.
    """
    origin = held["origin"]
    options = origin["options"]
    labels = [_same_label(word, options["classes"]) for word in rows.classes]
    unknown = [word for word, label in zip(rows.classes, labels, strict=True) if label is None]
    if unknown:
        return [f"class {unknown[0]!r} is not on the page, which has {show(options['classes'])}"]
    places = np.array(labels)
    y_true = _labels(options["classes"])[places[rows.codes]]
    given: dict[str, Any] = {
        "labels": _labels(options["classes"]), "pos_label": None, "sample_weight": rows.weights,
        "n_threads": n_threads,
    }  # fmt: skip
    models = {name: _in_page_order(one, places, options) for name, one in rows.models.items()}
    matched = _matched(models, y_true, given, origin)
    if isinstance(matched, str):
        return [matched]
    found = _other_rows(matched, y_true, Given(None, {}, given, groups=rows.groups), origin)
    if found:
        return found
    measures = options["measures"]
    report = evaluate(
        y_true, matched,
        None if measures is None else {name: from_plain(one) for name, one in measures},
        n_resamples=options["n_resamples"], seed=options["seed"],
        confidence=options["confidence"], stratify=options["stratify"], groups=rows.groups,
        absent=options["absent"], **given,
    )  # fmt: skip
    reading = held["reading"]
    again = page(report, None if reading is None else Reading(**reading))
    found = list(differences(text, again))
    if found and held["version"] != report.version:
        found.insert(0, f"made by polyroc {held['version']}, and this is {report.version}")
    return found


def _labels(classes: list[Any]) -> Array:
    """Return labels as an array that does not make them all words where some are."""
    kinds = {type(label) for label in classes}
    if len(kinds) == 1:
        return np.array(classes)
    out = np.empty(len(classes), dtype=object)
    out[:] = classes
    return out


def _same_label(word: str, classes: list[Any]) -> int | None:
    """Return the place of the class that a file calls `word`: True is also true, and 1.0 is 1."""
    for place, label in enumerate(classes):
        if word == str(label):
            return place
        if isinstance(label, bool) and word.casefold() == str(label).casefold():
            return place
        if isinstance(label, float) and label.is_integer() and word == str(int(label)):
            return place
    return None


def _in_page_order(scores: Any, places: Array, options: dict[str, Any]) -> Any:
    """Return scores with their columns as the page has its classes."""
    if scores.ndim == 1 or places.tolist() == list(range(len(places))):
        return scores
    out = np.zeros((len(scores), len(options["classes"])), dtype=scores.dtype)
    out[:, places] = scores
    return out


def _matched(
    models: dict[str, Any], y_true: Any, given: dict[str, Any], origin: dict[str, Any]
) -> dict[str, Any] | str:
    """Return the scores of every model of the page: by its name, or by what they are."""
    wanted = origin["rows"]["scores"]
    single = set(origin["options"]["single_precision"])
    matched: dict[str, Any] = {}
    for name, digest in wanted.items():
        kind = np.float32 if name in single else np.float64
        own = [models[name]] if name in models else []
        if not own and len(models) == len(wanted) == 1:
            own = list(models.values())
        if not own:
            own = [
                one
                for one in models.values()
                if _hash(y_true, one.astype(kind, copy=False), given) == digest
            ]
        if not own:
            return f"no model of the data is {name!r}; they are {show(list(models))}"
        matched[name] = own[0].astype(kind, copy=False)
    return matched


def _hash(y_true: Any, scores: Any, given: dict[str, Any]) -> str:
    samples = {"": prepare(y_true, scores, **given)}
    return str(row_hashes(samples, Given(None, {}, given))["scores"][""])


def _other_rows(
    models: dict[str, Any], y_true: Any, given: Given, origin: dict[str, Any]
) -> list[str]:
    samples = {name: prepare(y_true, one, **given.options) for name, one in models.items()}
    own, held = row_hashes(samples, given), origin["rows"]
    found = []
    for what in ("labels", "weights", "groups"):
        if own[what] != held[what]:
            state = "has none" if held[what] is None else "has others"
            state = "has some, and the data were read without" if own[what] is None else state
            found.append(f"the {what} are not those of the page, which {state}")
    for name, digest in own["scores"].items():
        if digest != held["scores"][name]:
            found.append(f"the scores of {name!r} are not those of the page")
    return found
