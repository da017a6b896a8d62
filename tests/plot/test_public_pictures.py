"""The pictures that users see: their names, homes and arguments."""

from __future__ import annotations

import inspect

import polyroc as pr
import pytest

OF_RESULTS = {"confusion", "differences", "folds", "models", "replicates"}


@pytest.mark.parametrize("name", pr.plot.__all__)
def test_a_picture_takes_ax_and_says_how_it_is_called(name: str) -> None:
    draw = getattr(pr.plot, name)
    assert (draw.__module__, draw.__qualname__) == ("polyroc.plot", name)
    parameters = list(inspect.signature(draw).parameters.values())
    first = 1 if name in OF_RESULTS else 2
    assert all(p.kind is p.POSITIONAL_OR_KEYWORD for p in parameters[:first])
    assert all(p.kind is p.KEYWORD_ONLY for p in parameters[first:])
    assert parameters[first].name == "ax"
    if first == 2:
        assert [p.name for p in parameters[:2]] == ["y_true", "y_score"]
    assert f"pr.plot.{name}(" in draw.__doc__
    with pytest.raises(
        TypeError, match=rf"^{name}\(\) got an unexpected keyword argument 'axs'; did"
    ):
        draw(*[None] * first, axs=None)
    for parameter in parameters:
        assert parameter.name in draw.__doc__
