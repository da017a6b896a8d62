"""Results that have one natural picture."""

from __future__ import annotations

from importlib import import_module
from typing import Any, ClassVar


class Pictured:
    """Gives a result `plot`."""

    # Which function of which module of the room `_plot` draws it. By name, because pictures are
    # drawn in a room above those of results.
    _picture: ClassVar[str]

    def plot(self, **options: Any) -> Any:
        """Draw the result by matplotlib: ``pip install "polyroc[plot]"``.

        Parameters
        ----------
        **options
            ``ax=`` is where to draw, a new figure by default; for what else there is see the
            picture in :mod:`polyroc.plot`.

        Returns
        -------
        matplotlib axes
        """
        module, name = self._picture.split(".")
        return getattr(import_module(f"polyroc._plot.{module}"), name)(self, **options)
