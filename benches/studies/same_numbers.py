"""Do two builds of polyroc give the same numbers, to the last bit?

For use before and after a change that must not change numbers. Random but seeded calls of the
public API (`random_calls.py`) are recorded by each build, in an environment of its own, and the
recordings compared::

    old/bin/python same_numbers.py record before.json
    new/bin/python same_numbers.py record after.json
    python same_numbers.py compare before.json after.json

Values are kept as bits. What results print, and what errors and warnings say, is compared apart:
words may be mended where numbers may not. Exit code 1 if values differ.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import sys
import time
import warnings
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
from random_calls import call as drawn

# What is read of each result, by the name of its class.
READ = {
    "BootstrapResult": "estimate standard_error interval replicates method notes confidence sides "
    "first n_lost n_redrawn seed n_resamples scheme stratified unit n_units classes sizes "
    "group_sizes degenerate path pairs",
    "Estimate": "estimate standard_error interval covariance method notes confidence sides "
    "transform stratified unit n_units classes sizes group_sizes pairs",
    "Comparison": "models estimates standard_errors intervals covariance pairs overall method "
    "reference adjust confidence margin paired notes n_resamples seed stratified unit n_units "
    "classes sizes group_sizes",
    "PairTest": "first second difference standard_error low high statistic p_value p_adjusted "
    "p_non_inferior p_non_superior p_equivalent freedom",
    "Wald": "statistic df p_value note freedom",
    "BradleyResult": "values mean standard_deviation standard_error standard_error_w pooled n_rows "
    "anova duncan tukey notes ranking",
    "Anova": "classifiers folds error total notes",
    "AnovaLine": "sum_of_squares df mean_square f p_value",
    "RangeTest": "df standard_error quantiles ranges groups",
    "PowerAnalysis": "estimates null power sizes total requested alpha alternative variance "
    "standard_errors options",
}
OTHER = "given other data: another numpy, or another version of this script"


def show(value: Any) -> str:
    """Return a value as the few words that describe it."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype.kind}{value.dtype.itemsize}{list(value.shape)}"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {show(of)}" for key, of in value.items()) + "}"
    if isinstance(value, (list, tuple)) and len(str(value)) > 60:
        return f"{len(value)} of {show(value[0])}"
    text = " ".join(repr(value).split())
    return text if len(text) <= 90 else f"{text[:60]}... {digest(text)}"


def digest(value: Any) -> str:
    """Return a short hash of what a call is given, so that other data are not taken for others."""
    if isinstance(value, np.ndarray):
        plain = value.tolist() if value.dtype.kind in "OU" else np.ascontiguousarray(value)
        made = plain if isinstance(plain, np.ndarray) else repr(plain).encode()
        return hashlib.sha256(made).hexdigest()[:8]
    if isinstance(value, Mapping):
        value = list(value.items())
    if isinstance(value, (list, tuple)):
        value = " ".join(digest(of) for of in value)
    return hashlib.sha256(repr(value).encode()).hexdigest()[:8]


def leaves(value: Any, path: str = "") -> Any:
    """Go through a result: its numbers as bits, its words, each with its place."""
    names = READ.get(type(value).__name__)
    if names:
        for name in names.split():
            if hasattr(value, name):
                yield from leaves(getattr(value, name), f"{path}.{name}")
    elif isinstance(value, Mapping):
        for name, of in value.items():
            yield from leaves(of, f"{path}[{name}]")
    elif isinstance(value, (tuple, list)):
        for at, of in enumerate(value):
            yield from leaves(of, f"{path}[{at}]")
        yield f"{path}.length", len(value)
    elif value is None or isinstance(value, (str, bool, int)):
        yield path, value
    else:
        array = np.asarray(value)
        if array.dtype.kind == "f":
            array = np.where(np.isnan(array), np.nan, array)  # any nan is as good as another
        bits = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
        yield path, {"dtype": array.dtype.str, "shape": array.shape, "bits": bits}


def called(pr: Any, name: str, given: tuple[Any, ...], options: dict[str, Any]) -> dict[str, Any]:
    """Return all that a call gave."""
    out: dict[str, Any] = {"input": digest([given, options]), "values": {}, "error": "", "repr": ""}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = getattr(pr, name)(*given, **options)
        except Exception as error:
            out["error"] = f"{type(error).__name__}: {error}"
        else:
            out["values"] = dict(leaves(result))
            out["repr"] = repr(result)
            out["path"] = next((v for k, v in out["values"].items() if k.endswith(".path")), "")
    out["warnings"] = [f"{of.category.__name__}: {of.message}" for of in caught]
    return out


def record(file: str, calls: int, seed: int) -> int:
    """Make the calls and write down what they give."""
    import polyroc as pr

    made, counts, seconds, begin = {}, Counter(), Counter(), time.perf_counter()
    for number in range(calls):
        kind, (name, given, options) = drawn(pr, seed, number)
        said = ", ".join([*map(show, given), *(f"{k}={show(v)}" for k, v in options.items())])
        start = time.perf_counter()
        found = made[f"{number:04d} {name}({said})"] = called(pr, name, given, options)
        seconds[kind] += time.perf_counter() - start
        counts[f"of kind {kind}"] += 1
        if found["error"]:
            counts["that raise"] += 1
        elif found["path"]:
            counts[f"by the path {found['path']}"] += 1
    head = {"polyroc": pr.__version__, "numpy": np.__version__, "seed": seed, "calls": calls}
    with open(file, "w", encoding="utf-8") as out:
        json.dump({"head": head, "calls": made}, out)
    for name, count in sorted(counts.items()):
        spent = seconds[name.removeprefix("of kind ")]
        print(f"{count} {name}" + f", {spent:.1f} s" * (spent > 0))
    print(f"{calls} calls in {time.perf_counter() - begin:.0f} s")
    return 0


def apart(one: Any, other: Any) -> str:
    """Return how two leaves differ; nothing if they are the same bits."""
    if one == other:
        return ""
    if not (isinstance(one, dict) and isinstance(other, dict)):
        return f"{json.dumps(one)[:80]} -> {json.dumps(other)[:80]}"
    if (one["shape"], one["dtype"]) != (other["shape"], other["dtype"]):
        return f"{one['dtype']}{one['shape']} -> {other['dtype']}{other['shape']}"
    a, b = (np.frombuffer(base64.b64decode(of["bits"]), of["dtype"]) for of in (one, other))
    unlike = int(np.count_nonzero((a != b) & ~(np.isnan(a) & np.isnan(b))))
    with np.errstate(all="ignore"):
        relative = np.nanmax(np.abs(a - b) / np.maximum(np.abs(a), np.abs(b)), initial=0.0)
    gone = int(np.count_nonzero(np.isnan(a) != np.isnan(b)))
    said = f"{unlike} of {a.size} differ, by {relative:.3g} of the larger one at most"
    return said + f"; {gone} are nan in one of the two" * (gone > 0)


def compare_files(before: str, after: str) -> int:
    """Say which calls agree to the last bit, and how the others differ."""
    one, other = (json.load(open(file, encoding="utf-8")) for file in (before, after))
    if any(one["head"][key] != other["head"][key] for key in ("seed", "calls")):
        print("the recordings have another seed or number of calls; record both alike")
        return 2
    counts, words = Counter(), []
    for (call, a), (said, b) in zip(one["calls"].items(), other["calls"].items(), strict=True):
        if a["input"] != b["input"]:
            counts[OTHER] += 1
            print(f"OTHER DATA {call}\n")
            continue
        if bool(a["error"]) != bool(b["error"]):
            unlike = [f"error: {a['error'] or 'none'} -> {b['error'] or 'none'}"]
        else:
            names = dict.fromkeys([*a["values"], *b["values"]])
            found = {n: apart(a["values"].get(n, "(none)"), b["values"].get(n, "(none)"))
                     for n in names}  # fmt: skip
            unlike = [f"{name or 'value'}: {text}" for name, text in found.items() if text]
        counts["with other values" if unlike else "equal to the last bit"] += 1
        if unlike:
            print("\n    ".join([f"VALUES {call}", *unlike]) + "\n")
        for part in ("error", "warnings", "repr"):
            if a[part] != b[part] and not (part == "error" and unlike):
                counts[f"with another text of {part}"] += 1
                words.append(f"{part.upper()} {call}\n  before: {a[part]}\n  after:  {b[part]}\n")
        if said != call:
            counts["described in other words"] += 1
    print("\n".join(words))
    print("\n".join(f"{count} calls {name}" for name, count in sorted(counts.items())))
    return int(counts["with other values"] > 0 or counts[OTHER] > 0)


def main() -> int:
    """Record, or compare."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    recorded = commands.add_parser("record", help="make the calls and write their numbers to FILE")
    recorded.add_argument("file")
    recorded.add_argument("--calls", type=int, default=400)
    recorded.add_argument("--seed", type=int, default=1)
    compared = commands.add_parser("compare", help="list what differs between two recordings")
    compared.add_argument("before")
    compared.add_argument("after")
    asked = parser.parse_args()
    if asked.command == "record":
        return record(asked.file, asked.calls, asked.seed)
    return compare_files(asked.before, asked.after)


if __name__ == "__main__":
    sys.exit(main())
