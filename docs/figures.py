"""Draw the pictures of the gallery; `make docs-figures` calls it.

`gallery.md` is the only list of pictures: its examples are run from top to bottom, and where it
shows `figures/NAME.svg`, the axes drawn last (`ax`) are written to that file. A picture is added by
an example and a line that shows it.
"""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib import pyplot

DOCS = Path(__file__).parent
LARGEST = 150_000  # bytes
SHOWN = re.compile(r"!\[.*\]\((figures/[\w-]+\.svg)\)")


def pictures(text: str) -> list[tuple[str, str]]:
    """Return the code before every picture, from the picture before it on, and its file."""
    parser = doctest.DocTestParser()
    parts = SHOWN.split(text)
    return [
        ("".join(example.source for example in parser.get_examples(before)), file)
        for before, file in zip(parts[:-1:2], parts[1::2], strict=True)
    ]


def main() -> None:
    """Write every picture, and remove those that are not shown any more."""
    matplotlib.use("agg")
    # The same bytes for the same picture: no time, and ids that are not random.
    matplotlib.rcParams["svg.hashsalt"] = "polyroc"
    names: dict[str, Any] = {}
    files = []
    for code, file in pictures((DOCS / "gallery.md").read_text(encoding="utf-8")):
        exec(code, names)
        path = DOCS / file
        path.parent.mkdir(exist_ok=True)
        figure = np.ravel(names["ax"])[0].figure  # of a grid too
        figure.savefig(path, bbox_inches="tight", metadata={"Date": None, "Creator": None})
        pyplot.close(figure)
        size = path.stat().st_size
        if size > LARGEST:
            raise SystemExit(f"docs/{file} has {size:,} bytes; {LARGEST:,} are allowed")
        print(f"docs/{file}: {size:,} bytes")
        files.append(path)
    for path in set((DOCS / "figures").glob("*.svg")).difference(files):
        path.unlink()


if __name__ == "__main__":
    main()
