"""One style for all pictures: colours that tell apart in print, in grey and on dark ground.

Of Okabe and Ito's eight colours these four have a contrast of 3 : 1 on white and on near-black;
dashes and markers say the same to those who see no colour. Sizes are those of a journal's column,
about 3.4 inches. What a picture looks like is set on its own axes: rcParams are left alone.
"""

from __future__ import annotations

import math
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from polyroc._base.checks import show
from polyroc._figures.names import cut, cut_apart

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from polyroc._figures.contrasts import Contrast
    from polyroc._figures.curves import Area

    # What matplotlib is told of the lines: of all, or of each.
    CurveKwargs: TypeAlias = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#AA4499")
MOST_COLOURED = 5  # with that of text: black, or white where the user draws on dark ground
DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.2)), (0, (4, 1.5, 1, 1.5)), (0, (8, 2)))
MARKERS = ("o", "s", "^", "D", "v")
GREY = "#767676"
FAINT = "#BBBBBB"
COLUMN = 3.4  # inches
TEXT = 8  # points, of titles and of what axes are called
SMALL = 7  # of ticks and legends
EDGE = 3  # pixels that stay free at the edge of a figure

_bare: ContextVar[bool] = ContextVar("bare", default=False)


@contextmanager
def no_windows() -> Iterator[None]:
    """Make figures that no window or notebook knows of, for those who write files alone."""
    token = _bare.set(True)
    try:
        yield
    finally:
        _bare.reset(token)


def subplots(
    rows: int = 1, columns: int = 1, size: tuple[float, float] = (COLUMN, COLUMN), **options: Any
) -> Any:
    """Return the axes of a new figure."""
    try:
        if _bare.get():
            from matplotlib.figure import Figure

            return Figure(figsize=size, layout="constrained").subplots(rows, columns, **options)
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError(
            'plots need matplotlib: pip install "polyroc[plot]"', name="matplotlib"
        ) from error
    return pyplot.subplots(rows, columns, figsize=size, layout="constrained", **options)[1]


def axes(ax: Any, size: tuple[float, float] = (COLUMN, COLUMN), **options: Any) -> Any:
    """Return the axes given, or those of a new figure that a notebook shows."""
    return subplots(size=size, subplot_kw=options or None) if ax is None else ax


def settle(ax: Any, title: Any = None) -> None:
    """Lay a figure out once more: axes of a fixed shape need a second pass to make room.

    A title that begins at the axes, and would end beyond them, is moved to the left.
    """
    ax.figure.draw_without_rendering()
    if title is not None:
        box = title.get_window_extent()
        beyond = min(box.x1 - ax.bbox.x1, box.x0 - EDGE)
        if beyond > 0:
            title.set_x(title.get_position()[0] - beyond / ax.bbox.width)


def line_of(k: int) -> dict[str, Any]:
    """Return the colour and the dashes of the k-th model; the fifth has the colour of text."""
    from matplotlib import rcParams

    at = k % MOST_COLOURED
    colour = COLOURS[at] if at < len(COLOURS) else rcParams["text.color"]
    return {"color": colour, "linestyle": DASHES[at], "linewidth": 1.6}


def lines_of(
    names: Sequence[str], values: Sequence[float], highlight: str | Sequence[str] | None
) -> list[dict[str, Any] | None]:
    """Return the style of each line, None for those in grey.

    So many curves are no picture: of more than five the one of the greatest value stands out,
    unless others are named.
    """
    if highlight is None:
        if len(names) <= MOST_COLOURED:
            return [line_of(k) for k in range(len(names))]
        chosen = [names[max(range(len(names)), key=lambda k: values[k])]]
    else:
        chosen = [highlight] if isinstance(highlight, str) else list(highlight)
        unknown = [name for name in chosen if name not in names]
        if unknown:
            raise ValueError(f"highlight names {show(unknown[0])}; there are {show(list(names))}")
    return [line_of(chosen.index(name)) if name in chosen else None for name in names]


def grey_line(
    styles: Sequence[dict[str, Any] | None], k: int, values: Sequence[float] = (), what: str = ""
) -> dict[str, Any]:
    """Return the style of the k-th line, which is grey; the first of these speaks for all."""
    label = ""
    if styles.index(None) == k:
        label = f"{styles.count(None)} others"
        grey = [value for value, style in zip(values, styles, strict=False) if style is None]
        if grey:
            label += f", {what}{min(grey):.3f} to {max(grey):.3f}"
    return {"color": FAINT, "linewidth": 0.8, "zorder": 1, "label": label}


def own_kwargs(given: CurveKwargs, count: int) -> list[dict[str, Any]]:
    """Return what a user asks of each line: the same of all, or one dict for each."""
    from collections.abc import Mapping

    if given is None or isinstance(given, Mapping):
        return [dict(given or {})] * count
    listed = [dict(one) for one in given]
    if len(listed) != count:
        raise ValueError(f"curve_kwargs holds {len(listed)} dicts for {count} curves")
    return listed


def despined(ax: Any, despine: bool = True) -> None:
    """Take the upper and the right side of the frame away, and make ticks small."""
    ax.tick_params(labelsize=SMALL)
    ax.xaxis.label.set_size(TEXT)
    ax.yaxis.label.set_size(TEXT)
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
    """Return a name that fits a label; the middle goes, as names often differ at their ends.

    Names are data: dollars are no formula in them, and a leading underscore hides nothing.
    """
    return _as_data(cut(_on_one_line(name), most))


def shorts(names: Sequence[Any], most: int = 24) -> list[str]:
    """Return names that fit labels, as `short` does, and that differ where the names do."""
    return [_as_data(text) for text in cut_apart([_on_one_line(name) for name in names], most)]


def short_by_name(names: Iterable[Any], most: int = 24) -> dict[str, str]:
    """Return for each name what labels call it."""
    listed = list(dict.fromkeys(str(name) for name in names))
    return dict(zip(listed, shorts(listed, most), strict=True))


def _on_one_line(name: Any) -> str:
    return " ".join(str(name).split())


def _as_data(name: str) -> str:
    name = name.replace("$", r"\$")
    return f"\N{ZERO WIDTH SPACE}{name}" if name.startswith("_") else name


def sides(favoured: Any, against: Any, most: int = 40) -> str:
    """Return what a curve compares; a short name leaves its room to the other."""
    first, second = str(favoured), str(against)
    room = [max(most // 2, most - len(other)) for other in (second, first)]
    return f"{short(first, room[0])} against {short(second, room[1])}"


def panel_titles(compared: Sequence[tuple[Any, Any]], most: int = 26) -> list[str]:
    """Return what each panel compares; a class that is compared with the rest stands alone."""
    if all(against is None for _, against in compared):
        return shorts([favoured for favoured, _ in compared], most)
    told = short_by_name((name for both in compared for name in both), most // 2)
    return [f"{told[str(one)]} against {told[str(other)]}" for one, other in compared]


def versus(one: Contrast) -> str:
    """Return which class is told from which: from the other one, or from the rest."""
    return sides(one.favoured, "the rest" if one.against is None else one.against)


def digits_for(areas: Sequence[Area]) -> int:
    """Return as many digits, 3 to 6, as show two of the smallest error."""
    errors = [area.standard_error for area in areas if area.standard_error > 0]
    return min(max(1 - math.floor(math.log10(min(errors))), 3), 6) if errors else 3


def valued(area: Area, digits: int, limits: bool = True) -> str:
    """Return a value with its interval, or alone: then what is less than 1 does not read as 1."""
    if math.isnan(area.value):
        return ""
    if limits and not math.isnan(area.low):
        return f"{area.value:.{digits}f} ({area.low:.{digits}f} to {area.high:.{digits}f})"
    digits = min(digits, 4)
    if 1.0 - 0.5 * 10.0**-digits <= area.value < 1.0:
        return f"> {1 - 10.0**-digits:.{digits}f}"
    return f"{area.value:.{digits}f}"
