"""Several measures of the same rows, which print as one table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, KeysView, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from polyroc._base.checks import choose
from polyroc._base.display import titled
from polyroc._base.frame import data_frame, label_column
from polyroc._base.plain import plain
from polyroc._base.public import public
from polyroc._base.table import Table
from polyroc._inference.measured import Measured, Shown, values_columns, values_table

if TYPE_CHECKING:
    from polyroc._base.table import Part

Each = TypeVar("Each", bound=Measured)


@public
class Results(Mapping[str, Each], Generic[Each]):
    """Results by name; made by :func:`polyroc.bootstrap` and :func:`polyroc.delong`.

    A mapping that cannot be changed: ``results["auc_mu"]`` is the result of one measure, and
    ``dict(results)`` a dict of them.

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> results = pr.delong(y, models["naive Bayes"], ["hand_till", "auc_mu"])
    >>> results
    measure     value  std error  95 % DeLong (t) interval
    hand_till  0.9756     0.0024  0.9699 to 0.9800
    auc_mu     0.9867     0.0011  0.9839 to 0.9888
      1,797 rows, class counts fixed
    >>> results["auc_mu"].interval.round(3)
    array([0.984, 0.989])
    """

    def __init__(self, results: Mapping[str, Each]) -> None:
        self._results = dict(results)
        asked = {(tuple(shown.levels), shown.sides) for _, shown in self._shown()}
        if len(asked) != 1:
            raise ValueError(
                "the results have different confidence levels or sides, or there is none; "
                "collect those in a dict"
            )

    def __getitem__(self, name: str) -> Each:
        try:
            return self._results[name]
        except KeyError:
            raise KeyError(f"no measure {name!r}; there are {list(self)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def keys(self) -> KeysView[str]:
        """Return the names, which print as such: a mapping's own view would print the table."""
        return self._results.keys()

    def __repr__(self) -> str:
        lines: list[str] = []
        for part in self._parts():
            lines += part.lines("") if isinstance(part, Table) else [f"  {part}"]
        return "\n".join(lines)

    def to_dict(self, **options: Any) -> dict[str, Any]:
        """Return each result as plain Python, by name; options as each of them takes."""
        return dict(plain({name: result.to_dict(**options) for name, result in self.items()}))

    def to_frame(self, library: str | None = None, what: str | None = None) -> Any:
        """Return all values as one data frame, a line each; `measure` holds the names.

        Parameters
        ----------
        library : {"pandas", "polars"}, optional
            Whose; by default that of pandas, or of polars where pandas is not installed.
        what : {"pairs"}, optional
            The pairs of classes, where results have them, in the place of the measures.
        """
        if library == "pairs":
            raise ValueError('library is "pairs"; pass what="pairs"')
        listed = self._asked(what)
        names = label_column(listed)
        shown = [shown for _, shown in listed._shown()]
        return data_frame(values_columns(list(zip(names, shown, strict=True))), library)

    def to_markdown(self, what: str | None = None) -> str:
        """Return all values as one table in Markdown, or with "pairs" those of pairs of classes."""
        return values_table(self._asked(what)._shown()).to_markdown()

    def to_latex(self, what: str | None = None) -> str:
        """Return all values as one LaTeX tabular, or with "pairs" those of pairs of classes."""
        return values_table(self._asked(what)._shown()).to_latex()

    def _asked(self, what: str | None) -> Results[Any]:
        """Return the results whose table is asked for."""
        if what is None:
            return self
        choose("what", what, ("pairs",))
        found = {name: one.pairs for name, one in self.items() if one.pairs is not None}
        if not found:
            raise ValueError('what is "pairs" but no result has them; compute them with pairs=True')
        return Results(found)

    def _repr_html_(self) -> str:
        """Return what notebooks show."""
        from polyroc._base.html import html  # which nothing else needs

        return html(self._parts_of_html())

    def _ipython_key_completions_(self) -> list[str]:
        """Return what follows ``results["`` in a notebook."""
        return list(self)

    def _shown(self) -> list[tuple[str, Shown]]:
        """Return what is shown of each, with what it is called."""
        listed = []
        for name, result in self.items():
            shown = result._shown()
            own = name == shown.measure.name  # a name that the caller chose stands for the options
            listed.append((titled(shown.measure) if own else str(name), shown))
        return listed

    def _parts(self) -> Iterable[Part]:
        """Yield the table of single numbers, a line for other measures, and what all share."""
        listed = self._shown()
        single = [(name, shown) for name, shown in listed if not np.ndim(shown.estimate)]
        if single:
            yield values_table(single)
        for key, (name, shown) in zip(self, listed, strict=True):
            if np.ndim(shown.estimate):
                yield f"{name}: one value per {shown.what_has_a_value}, see [{key!r}]"
        yield from self._remarks()

    def _parts_of_html(self) -> Iterable[Part]:
        # Single numbers come first: many classes would push them out of a table that is cut.
        yield values_table(sorted(self._shown(), key=lambda one: np.ndim(one[1].estimate)))
        yield from self._remarks()

    def _remarks(self) -> Iterable[str]:
        """Yield what is to be said of all, and what only of some with their names."""
        listed = self._shown()
        concerned: dict[str, list[str]] = {}
        for name, shown in listed:
            for remark in shown.remarks:
                concerned.setdefault(remark, []).append(name)
        for remark, names in concerned.items():
            whose = "" if len(names) == len(listed) else f"{', '.join(names)}: "
            note = "note: " if remark.startswith("note: ") else ""
            yield note + whose + remark.removeprefix(note)
        with_pairs = [name for name, shown in listed if shown.has_pairs]
        if with_pairs:
            whose = "each has" if len(with_pairs) == len(listed) else f"{', '.join(with_pairs)}:"
            yield f"{whose} .pairs, the same for all pairs of classes"
