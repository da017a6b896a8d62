"""`polyroc verify`: a page held against the data that it is of."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._cli.output import print_json, print_result, tell
from polyroc._cli.predictions import Predictions, read_predictions
from polyroc._cli.refusal import Refusal, listed

if TYPE_CHECKING:
    import argparse

MOST = 20  # differences that are listed


def verify(args: argparse.Namespace) -> int:
    """Make a page again from its data, and say what differs: 0 nothing, 1 something."""
    import polars as pl

    from polyroc._report.page.held import held_in
    from polyroc._report.verify import Rows
    from polyroc._report.verify import verify as verified

    try:
        text = Path(args.page).read_text(encoding="utf-8")
        held = held_in(text)
        rows_held = held["origin"]["rows"]
    except OSError as error:
        raise Refusal(f"{args.page} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise Refusal(f"{args.page} is no page of a polyroc report: it is not UTF-8") from error
    except (ValueError, KeyError, TypeError) as error:
        raise Refusal(f"{args.page}: {error}") from error
    asked = args.scores
    _fill(args, held["reading"])
    for what in ("weights", "groups"):
        if rows_held[what] is not None and getattr(args, what) is None:
            raise Refusal(f"the rows of {args.page} have {what}; pass --{what} COLUMN")
    data = _read(args, asked)
    columns = [str(label) for label in data.options.get("labels", data.classes)]
    places = data.y_true.cast(pl.String).cast(pl.Enum(columns)).to_physical()
    rows = Rows(
        places.to_numpy().astype(np.int64), columns, data.models,
        data.options.get("sample_weight"), data.options.get("groups"),
    )  # fmt: skip
    try:
        found = verified(text, held, rows, args.threads)
    except (KeyError, AttributeError) as error:
        raise Refusal(f"{args.page}: what it holds is not whole ({error})") from error
    if args.json:
        print_json({"page": args.page, "same": not found, "differences": found})
        return int(bool(found))
    for sentence in found[:MOST]:
        print_result(sentence)
    if len(found) > MOST:
        print_result(f"and {len(found) - MOST:,} more")
    if not found:
        options = held["origin"]["options"]
        print_result(f"{args.page} is what polyroc {held['version']} makes of these rows "
              f"(seed {options['seed']}, {options['n_resamples']:,} resamples)")  # fmt: skip
    else:
        tell(f"{args.page} differs")
    return int(bool(found))


def _read(args: argparse.Namespace, asked: list[str] | None) -> Predictions:
    """Read the data; where the page says which columns hold scores, a refusal tells of that."""
    try:
        return read_predictions(args, lambda _: None)
    except Refusal as refusal:
        if asked is not None or args.scores is None:
            raise
        raise Refusal(
            f"{refusal}; the page was made with --scores {listed(args.scores)}: pass --scores if "
            "columns have other names here"
        ) from refusal


def _fill(args: argparse.Namespace, reading: dict[str, Any] | None) -> None:
    """Put in how the page's own data were read, where the call says nothing else."""
    known = {} if reading is None else reading["options"]
    for name, usual in args.reading.items():
        if getattr(args, name) == usual:
            setattr(args, name, known.get(name, usual))
