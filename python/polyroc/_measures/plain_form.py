"""Measures as plain data: what a page holds, so that it can be made again."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from polyroc._base.plain import plain
from polyroc._measures.measure import Measure
from polyroc._measures.registry import MEASURES, WITH_OPTIONS


def to_plain(measure: Measure[Any]) -> dict[str, Any]:
    """Return a measure as its kind and its options."""
    options = {one.name: plain(getattr(measure, one.name)) for one in fields(measure)}
    return {"kind": type(measure).__name__, "options": options}


def from_plain(form: Any) -> Measure[Any]:
    """Return the measure again; raise a ValueError for what is none."""
    kind = form.get("kind") if isinstance(form, dict) else None
    kinds = {type(one).__name__: type(one) for one in (*MEASURES.values(), *WITH_OPTIONS.values())}
    if kind not in kinds:
        raise ValueError(f"{kind!r} is no measure of this version")
    options = {str(name): _tuples(value) for name, value in form["options"].items()}
    try:
        return kinds[kind](**options)
    except TypeError as error:
        raise ValueError(f"{kind}: {error}") from error


def _tuples(value: Any) -> Any:
    return tuple(_tuples(one) for one in value) if isinstance(value, list) else value
