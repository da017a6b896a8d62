"""The script that lets a shell complete commands, pictures, measures and files."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from polyroc._cli.output import print_result
from polyroc._cli.plot_options import KINDS

if TYPE_CHECKING:
    import argparse

_FILES = ("files", "page", "out", "report")


def completion(top: argparse.ArgumentParser, shell: str) -> int:
    """Print the script; return the exit code."""
    try:
        import shtab
    except ImportError:
        print('polyroc: error: this needs shtab: pip install "polyroc[cli]"', file=sys.stderr)
        return 2
    if shell not in shtab.SUPPORTED_SHELLS:
        print(f"polyroc: error: this shtab does not know {shell}; upgrade it", file=sys.stderr)
        return 2
    _name_choices(top, shtab.FILE)
    print_result(shtab.complete(top, shell=shell))
    return 0


def _name_choices(top: argparse.ArgumentParser, file: object) -> None:
    """Say what arguments may be, where the parser leaves that to the commands.

    These answer a wrong word with the nearest right one, which argparse does not.
    """
    from polyroc._measures.registry import MEASURES

    words = {"kind": tuple(KINDS), "measure": tuple(MEASURES)}
    (commands,) = (one for one in top._actions if one.dest == "command")
    parsers: dict[str, argparse.ArgumentParser] = dict(commands.choices or {})
    for command in parsers.values():
        for action in command._actions:
            action.choices = words.get(action.dest, action.choices)
            if action.dest in _FILES:
                action.complete = file  # type: ignore[attr-defined]
