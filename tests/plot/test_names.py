"""Names that are cut to fit a picture: different ones still differ."""

import string

from hypothesis import given
from hypothesis import strategies as st
from polyroc._figures.names import cut, cut_apart

NAMES = st.lists(
    st.text(string.ascii_letters + "0123456789 ", max_size=40), min_size=1, unique=True
)


def test_names_keep_what_differs() -> None:
    species = [f"species number {k} (subspecies borealis)" for k in (1, 2, 12, 13)]
    assert len({cut(name, 14) for name in species}) == 1
    assert cut_apart(species, 14) == [
        "species num…1…", "species num…2…", "species nu…12…", "species nu…13…",
    ]  # fmt: skip
    assert cut_apart(["early carcinoma", "healthy"], 14) == ["early …rcinoma", "healthy"]


def test_numbers_are_not_cut_in_two() -> None:
    assert cut_apart(["sample 10 old", "sample 11 old"], 9) == ["sampl…10…", "sampl…11…"]


@given(NAMES, st.integers(6, 30))
def test_names_fit_and_differ(names: list[str], most: int) -> None:
    texts = cut_apart(names, most)
    assert len(set(texts)) == len(texts)
    assert all(len(text) <= most for text in texts)
    if all(len(name) <= most for name in names):
        assert texts == names
