"""The entry point: runs a command, and turns what went wrong into one line and an exit code."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from contextlib import suppress
from typing import TYPE_CHECKING

from polyroc._cli.parser import parser

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

INTERRUPTED, TERMINATED = 130, 143  # as shells have them


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; return its exit code: 0 done, 1 a gate missed or a page differs, 2 refused."""
    top = parser()
    args = top.parse_args(argv)
    args.line = list(sys.argv[1:] if argv is None else argv)
    if args.version:
        from polyroc import _core

        print(f"polyroc {_core.__version__}")
        return 0
    if args.command is None and not args.print_completion:
        top.print_help()
        return 0
    with suppress(ValueError):  # raised outside the main thread
        signal.signal(signal.SIGTERM, _terminate)  # so that temporary files are removed
    try:
        code = _completion(top, args) if args.print_completion else _run(args)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # The reader has enough, as `head` has; Python would complain once more at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except BaseException as error:
        # polars panics where an interrupt falls into a call of Python that it makes.
        panicked = type(error).__name__ == "PanicException" and "KeyboardInterrupt" in str(error)
        if not (panicked or isinstance(error, KeyboardInterrupt)):
            raise
        print("polyroc: interrupted", file=sys.stderr)
        return INTERRUPTED


def _run(args: argparse.Namespace) -> int:
    from polyroc._cli.refusal import Refusal

    try:
        from polyroc._cli import commands

        warnings.showwarning = _tell_warning
        code: int = getattr(commands, args.command)(args)
    except Refusal as refusal:
        print(f"polyroc: error: {refusal}", file=sys.stderr)
        return 2
    except ImportError as error:
        if error.name not in ("polars", "scipy", "matplotlib", "jinja2"):
            raise
        extra = {"polars": "cli", "scipy": "stats", "matplotlib": "plot", "jinja2": "report"}
        extra_name = extra[error.name]
        print(
            f'polyroc: error: this needs {error.name}: pip install "polyroc[{extra_name}]"',
            file=sys.stderr,
        )
        return 2
    except BrokenPipeError:
        raise
    except (ValueError, TypeError, MemoryError, OSError) as error:
        print(f"polyroc: error: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    return code


def _completion(top: argparse.ArgumentParser, args: argparse.Namespace) -> int:
    from polyroc._cli.completion import completion

    return completion(top, args.print_completion)


def _terminate(_number: int, _frame: object) -> None:
    raise SystemExit(TERMINATED)


def _tell_warning(message: Warning | str, *_: object, **__: object) -> None:
    print(f"polyroc: warning: {message}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
