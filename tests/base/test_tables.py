"""Tables as text: aligned whatever letters they hold, with as many digits as count."""

import math

import polyroc as pr
from polyroc._base.display import error_text
from polyroc._base.table import Column, Table, padded, width_of


def test_letters_that_take_two_places_are_aligned() -> None:
    assert [width_of(text) for text in ("abc", "日本語", "ü", "u\u0308", "")] == [3, 6, 1, 1, 0]
    table = Table([Column("class", ["日本語", "naïve"], left=True), Column("值", ["0.1", "0.25"])])
    lines = list(table.lines())
    assert lines == ["  class     值", "  日本語   0.1", "  naïve   0.25"]
    assert len({width_of(line) for line in lines}) == 1


def test_texts_are_padded_as_python_does() -> None:
    for text in ("", "a", "ab"):
        for width in range(6):
            assert padded(text, width, "left") == text.ljust(width)
            assert padded(text, width, "right") == text.rjust(width)
            assert padded(text, width, "centre") == text.center(width)


def test_errors_have_two_digits_that_count() -> None:
    shown = {0.03: "0.030", 0.0005: "0.00050", 0.0123: "0.012", 12.3: "12", 0.0: "0"}
    assert {error: error_text(error) for error in shown} == shown
    assert error_text(math.nan) == "-"


def test_latex_has_one_sign_for_at_most_and_at_least() -> None:
    cells = ["FPR <= 0.1", "TPR >= 0.9", "< 0.0001"]
    *_, first, second, third, _, _ = Table([Column("x", cells, left=True)]).to_latex().splitlines()
    assert (first, second) == (r"FPR $\leq$ 0.1 \\", r"TPR $\geq$ 0.9 \\")
    assert third == r"$<$ 0.0001 \\"


def test_sums_of_weights_have_the_same_decimals() -> None:
    y, scores, weights = ["a", "b", "a", "b"], [0.2, 0.9, 0.7, 0.4], [0.75, 12.5, 3.0, 1.125]
    text = repr(pr.confusion(y, scores, sample_weight=weights))
    assert "a            0.750   3.000" in text
    assert "b            1.125  12.500" in text
