"""One style for all pictures: colours that tell apart in print, in grey and on dark ground.

Of Okabe and Ito's eight colours these four have a contrast of 3 : 1 on white and on near-black;
dashes and markers say the same to those who see no colour.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#AA4499", "#000000")
DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.2)), (0, (4, 1.5, 1, 1.5)), (0, (8, 2)))
MARKERS = ("o", "s", "^", "D", "v")
GREY = "#767676"
FAINT = "#BBBBBB"


def axes(ax: Any, size: tuple[float, float] = (4.2, 4.2), **options: Any) -> Any:
    """Return the axes given, or those of a new figure that a notebook shows."""
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError(
            'plots need matplotlib: pip install "polyroc[plot]"', name="matplotlib"
        ) from error
    _, made = pyplot.subplots(figsize=size, layout="constrained", subplot_kw=options or None)
    return made


def line_of(k: int) -> dict[str, Any]:
    """Return the colour and the dashes of the k-th model."""
    at = k % len(COLOURS)
    return {"color": COLOURS[at], "linestyle": DASHES[at], "linewidth": 1.6}


def despined(ax: Any, despine: bool = True) -> None:
    """Take the upper and the right side of the frame away."""
    if despine:
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)


def by_name(models: Any, name: str | None) -> dict[str, Any]:
    """Return the models of a dict, or one model by the name given."""
    from collections.abc import Mapping

    if isinstance(models, Mapping):
        if not models:
            raise ValueError("there is no model to draw; pass scores, or a dict of them")
        return dict(models)
    return {name or "model": models}


def short(name: str, most: int = 24) -> str:
    """Return a name that fits a label; the middle goes, as names often differ at their ends."""
    if len(name) <= most:
        return name
    end = most // 2
    return f"{name[: most - 1 - end]}\u2026{name[-end:]}"


def kwargs(given: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what a user asks of the lines themselves."""
    return dict(given or {})
