"""What shells offer after a tab, asked of real shells."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from polyroc._cli.plot_options import KINDS

from given.command_line import run

pytest.importorskip("shtab")

COMMANDS = ["bradley", "compare", "evaluate", "example", "plot", "verify"]
# What bash runs after a tab: the function that `complete` names for the command.
TAB = r"""
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
way=$(complete -p polyroc); way=${way##*-F }; "${way%% *}" polyroc "${COMP_WORDS[COMP_CWORD]}"
printf '%s\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = run("--print-completion", "bash")
    assert (found.code, found.err) == (0, "")
    path = tmp_path_factory.mktemp("shell") / "polyroc.bash"
    path.write_text(found.out, encoding="utf-8")
    return path


def _offered(script: Path, *words: str, cwd: Path | None = None) -> list[str]:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash")
    done = subprocess.run(
        [bash, "--norc", "-c", TAB, "tab", str(script), *words],
        capture_output=True, text=True, timeout=60, check=False, cwd=cwd,
    )  # fmt: skip
    return sorted(filter(None, done.stdout.split("\n")))


def test_bash_completes_commands_and_pictures(script: Path) -> None:
    assert _offered(script, "polyroc", "e") == ["evaluate", "example"]
    assert _offered(script, "polyroc", "plot", "p") == ["pair-differences", "pairs", "polar", "pr"]
    assert set(KINDS) <= set(_offered(script, "polyroc", "plot", ""))
    assert _offered(script, "polyroc", "plot", "roc", "x.csv", "--band", "s") == ["simultaneous"]


def test_bash_completes_measures_and_files(script: Path, tmp_path: Path) -> None:
    (tmp_path / "predictions.csv").touch()
    named = _offered(script, "polyroc", "evaluate", "x.csv", "--measure", "auc")
    assert named == ["auc", "auc_mu"]
    for words in (("evaluate",), ("plot", "roc"), ("verify",), ("evaluate", "x.csv", "--report")):
        assert "predictions.csv" in _offered(script, "polyroc", *words, "pred", cwd=tmp_path), words


@pytest.mark.parametrize("shell", ["zsh", "fish", "tcsh", "powershell"])
def test_other_shells_name_the_pictures(shell: str) -> None:
    found = run("--print-completion", shell)
    if "upgrade it" in found.err:
        pytest.skip(f"this shtab has no {shell}")
    assert (found.code, found.err) == (0, "")
    for word in (*COMMANDS, *KINDS, "hand_till"):
        assert word in found.out
    path = shutil.which(shell)
    if path is not None:  # the shell itself reads it without complaint
        done = subprocess.run([path, "-n"], input=found.out.encode(), capture_output=True,
                              timeout=60, check=False)  # fmt: skip
        assert (done.returncode, done.stderr) == (0, b"")


def test_an_unknown_shell_is_refused() -> None:
    found = run("--print-completion", "basic")
    assert found.code == 2
    assert "invalid choice: 'basic'" in found.err
