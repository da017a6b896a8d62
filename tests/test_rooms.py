"""Rooms have an order: a file may use its own room and those of lower layers, in both languages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PYTHON = """
    _base | _data | _stats | _measures _curves | _inference | _compare _bradley _power _points
    | _figures | _adapters _report _plot _example | _pipelines | _cli
"""
RUST = """
    error | tails | machine | data | count | project | order | walk | curves measures | resample
    | influence | bootstrap | segments state | python
"""

Uses = Iterator[tuple[str, str, str]]  # a file, its room, and a room that it uses


def python_uses(package: Path) -> Uses:
    """Every import from the package but that of the core, and those for types alone."""
    for file in package.glob("_*/**/*.py"):
        nodes: list[ast.AST] = [ast.parse(file.read_text(encoding="utf-8"))]
        for node in nodes:  # which grows on the way
            if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
                nodes += node.orelse
                continue
            nodes += ast.iter_child_nodes(node)
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                path = "polyroc.a room by dots" if node.level else node.module
                names = [f"{path}.{alias.name}" for alias in node.names]
            for name in names:
                package_name, _, inner = name.partition(".")
                used = inner.partition(".")[0] or "polyroc"
                if package_name == "polyroc" and used != "_core":
                    yield str(file), file.relative_to(package).parts[0], used


def rust_uses(source: Path) -> Uses:
    """Every path from the root of the crate. Unit tests, which end a file, use what they like."""
    for file in source.glob("**/*.rs"):
        module = [part for part in file.relative_to(source).with_suffix("").parts if part != "mod"]
        code = re.sub(r"//.*", "", file.read_text(encoding="utf-8"))
        code = re.sub(r"#\[cfg\(test\)\]\s*mod \w+ \{.*", "", code, flags=re.DOTALL)
        # Indented lines may stand in an inner module, where `super` is no way out of the room.
        code = re.sub(rf"^(pub )?use (super::){{{len(module)}}}", "use crate::", code, flags=re.M)
        for one, several in re.findall(r"\bcrate::(?:(\w+)|\{([^;]*)\};)", code):
            while "{" in several:  # inner braces hold names within a room
                several = re.sub(r"\{[^{}]*\}", "", several)
            for name in [one] if one else re.findall(r"(?:^|,)\s*(\w+)", several):
                if module != ["lib"]:
                    yield str(file), module[0], "error" if name in ("Error", "Result") else name


def misplaced(uses: Uses, rooms: str) -> list[str]:
    """Uses of a room that is not below; a room without a layer may neither use nor be used."""
    layer = {room: k for k, layer in enumerate(rooms.split("|")) for room in layer.split()}
    return [
        f"{file} uses {used}"
        for file, own, used in uses
        if own != used and not layer.get(used, len(layer)) < layer.get(own, -1)
    ]


def test_python_rooms_use_those_below() -> None:
    assert misplaced(python_uses(ROOT / "python" / "polyroc"), PYTHON) == []


def test_rust_rooms_use_those_below() -> None:
    assert misplaced(rust_uses(ROOT / "src"), RUST) == []


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("from polyroc._compare.result import Comparison", True),
        ("def late():\n    import polyroc._power.pilot", True),
        ("import polyroc as pr", True),
        ("from polyroc import auc", True),
        ("from polyroc._example.example import example_predictions", True),
        ("from ..._base import types", True),
        ("if TYPE_CHECKING:\n    from polyroc._compare.result import Comparison", False),
        ("from polyroc import _core\nfrom polyroc._inference.delong import delong", False),
    ],
)
def test_a_python_file_in_the_wrong_place_is_found(line: str, wrong: bool, tmp_path: Path) -> None:
    (tmp_path / "_bradley").mkdir()
    (tmp_path / "_bradley" / "folds.py").write_text(line, encoding="utf-8")
    assert bool(misplaced(python_uses(tmp_path), PYTHON)) is wrong


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("use crate::bootstrap::plan::Plan;", True),
        ("fn f() { crate::python::g() }", True),
        ("use crate::{Error, data::{labels, sample::Sample}, state::State};", True),
        ("use super::super::state::State;", True),
        ("use crate::curves::partial;", True),  # a neighbour
        ("use crate::workers::Workers;", True),  # in no room
        ("use crate::{Result, data::{labels, sample::{Sample, state}}, walk};", False),
        ("mod inner {\n    use super::super::state;\n}", False),
        ("use super::measure::Measure; /// as [`crate::bootstrap`] has it", False),
        ("#[cfg(test)]\nmod tests {\n    use crate::resample::stream::mix;\n}", False),
    ],
)
def test_a_rust_file_in_the_wrong_place_is_found(line: str, wrong: bool, tmp_path: Path) -> None:
    (tmp_path / "measures").mkdir()
    (tmp_path / "measures" / "auc.rs").write_text(line, encoding="utf-8")
    assert bool(misplaced(rust_uses(tmp_path), RUST)) is wrong


@pytest.mark.parametrize("files", ["python/polyroc/_[a-z]*/*.py", "tests/*/*.py"])
def test_python_rooms_say_what_lives_there(files: str) -> None:
    for room in {file.parent for file in ROOT.glob(files)}:
        words = ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8")))
        assert re.match(r"[A-Z].+\.", words or ""), room


def test_rust_rooms_say_what_lives_there() -> None:
    for room in {file.parent for file in ROOT.glob("src/*/*.rs")}:
        assert re.match(r"//! [A-Z].+\n", (room / "mod.rs").read_text(encoding="utf-8")), room


def test_files_of_tests_have_names_of_their_own() -> None:
    names = [file.name for file in (ROOT / "tests").glob("**/test_*.py")]
    assert len(names) == len(set(names))
