"""Files that are whole or not there."""

import os
import stat
import sys
from pathlib import Path

import pytest
from polyroc._base.write import written


def test_a_file_takes_its_name_when_all_is_written(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    with written(path) as temporary:
        temporary.write_text("whole")
        assert not path.exists()
        assert temporary.suffix == ".html"
    assert path.read_text() == "whole"
    assert os.listdir(tmp_path) == ["page.html"]


def test_what_breaks_leaves_nothing_new_and_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("before")

    def write_half() -> None:
        with written(path) as temporary:
            temporary.write_text("half")
            raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        write_half()
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["page.html"]


@pytest.mark.skipif(sys.platform == "win32", reason="modes are those of POSIX")
def test_a_new_file_has_the_mode_that_the_umask_leaves(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        with written(tmp_path / "page.html") as temporary:
            temporary.write_text("whole")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "page.html").stat().st_mode) == 0o640
