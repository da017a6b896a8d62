"""Names of the package: a public object does not say which room it lives in."""

from __future__ import annotations

from typing import Any, TypeVar

from polyroc._base.keywords import hinting

Object = TypeVar("Object", bound=Any)


def public(thing: Object) -> Object:
    """Let a public function or class call itself ``polyroc.name``: in pickles, help pages, reprs.

    What makes objects of a class hints at its arguments. On a dataclass it stands first, above
    ``@dataclass``, which reads the annotations where the class is written.
    """
    thing.__module__ = "polyroc"
    if isinstance(thing, type) and "__init__" in vars(thing):
        made: Any = thing
        made.__init__ = hinting(made.__init__)
    return thing


def picture(draw: Object) -> Object:
    """Let a function that draws call itself ``polyroc.plot.name``, and hint at its arguments."""
    drawn: Object = hinting(draw)
    drawn.__module__ = "polyroc.plot"
    return drawn
