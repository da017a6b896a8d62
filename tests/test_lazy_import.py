"""Importing polyroc loads its core and no more; every name comes when it is asked for."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import polyroc as pr
import pytest

HOMES: dict[str, str] = vars(pr)["_HOMES"]
STUB = Path(pr.__file__).with_suffix(".pyi")


def _loaded(code: str, **environment: str) -> set[str]:
    """Return polyroc's modules in a new interpreter after some code."""
    code += "; import sys; print(*(m for m in sys.modules if m.startswith('polyroc')))"
    run = [sys.executable, "-c", code]
    env = {**os.environ, **environment}
    return set(
        subprocess.run(run, check=True, capture_output=True, text=True, env=env).stdout.split()
    )


def test_import_loads_the_core_alone() -> None:
    assert _loaded("import polyroc") == {"polyroc", "polyroc._core"}


@pytest.mark.parametrize("call", [["--help"], ["plot", "--help"], ["evaluate", "--help"], []])
def test_help_comes_at_once(call: list[str]) -> None:
    code = (
        "import contextlib, io, sys\n"
        "from polyroc._cli.main import main\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        f"    main({call!r})\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    loaded = set(done.stdout.split())
    assert loaded.isdisjoint({"numpy", "polars", "jinja2", "matplotlib", "scipy", "shtab"})
    assert {name for name in loaded if name.startswith("polyroc._")} <= {
        "polyroc._core", "polyroc._cli", "polyroc._cli.main", "polyroc._cli.parser",
        "polyroc._cli.plot_options",
    }  # fmt: skip


def test_import_is_shorter_than_numpys_own() -> None:
    code = "import sys, polyroc; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_measure_does_not_load_other_rooms() -> None:
    rooms = {name.split(".")[1] for name in _loaded("import polyroc; polyroc.auc") if "." in name}
    assert rooms <= {"_core", "_base", "_data", "_measures", "_stats"}


def test_a_call_loads_no_measure_but_its_own() -> None:
    own = {"auc", "partial_auc", "measure", "ranges", "registry"}
    for call in ("delong", "bootstrap", "compare"):
        scores = "{'a': s, 'b': s}" if call == "compare" else "s"
        loaded = _loaded(
            "import polyroc as pr; y = [0, 1] * 9; s = [.1, .9, .5] * 6; "
            f"pr.{call}(y, {scores}, 'auc')"
        )
        files = {name.split(".")[2] for name in loaded if name.startswith("polyroc._measures.")}
        assert files <= own, call
        if call != "bootstrap":
            assert not {name for name in loaded if "bootstrap" in name or "permutation" in name}


def test_eager_import_loads_every_home() -> None:
    homes = {f"polyroc.{home}" for home in HOMES.values()}
    assert homes <= _loaded("import polyroc", EAGER_IMPORT="1")


def test_public_objects_do_not_name_their_room() -> None:
    for name in HOMES:
        thing = getattr(pr, name)
        assert (thing.__module__, thing.__qualname__) == ("polyroc", name)


def test_stub_and_module_name_the_same_homes() -> None:
    stubbed = {
        alias.asname: node.module.removeprefix("polyroc.")
        for node in ast.parse(STUB.read_text()).body
        if isinstance(node, ast.ImportFrom) and node.module is not None
        for alias in node.names
    }
    assert stubbed.pop("__version__") == "_core"
    for name in vars(pr)["_MODULES"]:
        assert stubbed.pop(name) == "polyroc"
    assert stubbed == HOMES


def test_unknown_names() -> None:
    with pytest.raises(AttributeError, match=r"module 'polyroc' has no attribute 'acu'"):
        getattr(pr, "acu")  # noqa: B009
    assert set(dir(pr)) >= {"auc", "Estimate", "__version__"}
