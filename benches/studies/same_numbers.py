"""Do two builds of polyroc give the same numbers, to the last bit?

For use before and after a change that must not change numbers. Random but seeded calls of the
public API are recorded by each build, in an environment of its own, and the recordings compared::

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

# What is read of each result, by the name of its class.
READ = {
    "BootstrapResult": "estimate standard_error interval replicates method notes confidence sides "
    "first n_lost n_redrawn seed n_resamples scheme stratified unit n_units classes sizes "
    "degenerate path pairs",
    "Estimate": "estimate standard_error interval covariance method notes confidence sides "
    "transform stratified unit n_units classes sizes pairs",
    "Comparison": "models estimates standard_errors intervals covariance pairs overall method "
    "reference adjust confidence margin paired notes n_resamples seed stratified unit n_units "
    "classes sizes",
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
OBJECTS = {"auc": "Auc", "hand_till": "HandTill", "auc_mu": "AucMu", "one_vs_rest": "OneVsRest",
           "polar_area": "PolarArea"}  # fmt: skip
FORMS = ("float64", "float64", "float32", "2 decimals", "1 decimal", "integers", "three values",
         "infinite", "Fortran", "strided")  # fmt: skip
MIB = 1 << 20


class Draws:
    """The random choices of one call."""

    def __init__(self, seed: int, number: int) -> None:
        self.rng = np.random.default_rng([seed, number])

    def one(self, *choices: Any) -> Any:
        """Return one of the choices."""
        return choices[self.rng.integers(len(choices))]

    def data(self, k: int, n: int, form: str, flat: bool, y: Any = None) -> tuple[Any, Any]:
        """Return labels, every class twice at least, and scores: one column if `flat`."""
        if y is None:
            share = self.rng.dirichlet(np.full(k, 4.0))
            y = np.concatenate([np.arange(k), np.arange(k), self.rng.choice(k, n - 2 * k, p=share)])
            y = self.rng.permutation(y)
        scores = self.rng.normal(size=(n, k))
        scores[np.arange(n), y] += self.rng.uniform(0.2, 2.5)
        if form != "integers" and self.rng.random() < 0.6:
            # Not exp, whose last bit is another one in another numpy: rows that sum to one.
            scores = np.abs(scores + 2.0)
            scores /= scores.sum(axis=1, keepdims=True)
        if form == "float32":
            scores = scores.astype(np.float32)
        elif form in ("1 decimal", "2 decimals"):
            scores = np.round(scores, int(form[0]))
        elif form == "integers":
            scores = np.round(scores * 40).astype(np.int64)
        elif form == "three values":
            scores = np.digitize(scores, np.quantile(scores, [0.4, 0.8])) / 2.0
        elif form == "infinite":
            scores = np.where(self.rng.random(scores.shape) < 0.05, np.inf, scores)
            scores = np.where(self.rng.random(scores.shape) < 0.05, -np.inf, scores)
        if flat:
            scores = scores[:, 1] if form == "strided" else scores[:, 1].copy()
        elif form == "Fortran":
            scores = np.asfortranarray(scores)
        elif form == "strided":
            scores = np.repeat(scores, 2, axis=1)[:, ::2]
        return y, scores

    def size(self, least: int, most: int) -> int:
        """Return a number of rows, small ones as often as large ones."""
        return int(np.exp(self.rng.uniform(np.log(least), np.log(most))))

    def shape(self, *classes: int) -> tuple[int, int, str, bool]:
        """Return classes, rows, the form of scores, whether they have one column only."""
        k = self.one(*(classes or (2, 2, 2, 3, 3, 5, 5, 12, 60)))
        n = self.size(max(6, 2 * k + 1), 3000)
        return k, n, self.one(*FORMS), k == 2 and self.rng.random() < 0.6

    def weights(self, n: int) -> dict[str, Any]:
        """Return sample weights as an option."""
        kind = self.one(None, None, "whole", "real", "with zeros")
        if kind is None:
            return {}
        if kind == "whole":
            return {"sample_weight": self.rng.integers(1, 5, n)}
        real = self.rng.gamma(2.0, size=n)
        return {"sample_weight": np.where(self.rng.random(n) < 0.15, 0.0, real)
                if kind == "with zeros" else real}  # fmt: skip

    def matrix(self, k: int) -> Any:
        """Return positive numbers with a diagonal of zeros."""
        costs = self.rng.uniform(0.5, 3.0, (k, k)).round(self.one(0, 1, 6)) + 0.5
        np.fill_diagonal(costs, 0.0)
        return costs

    def measure(self, k: int, names: tuple[str, ...] = ()) -> tuple[str, dict[str, Any]]:
        """Return the name of a measure, one of `names` if there are any, and its options."""
        several = ("hand_till", "auc_mu", "one_vs_rest")
        name = self.one(*(names or ((*several, "polar_area") if k > 2 else ("auc", *several))))
        if name == "auc":
            return (name, {"max_fpr": self.one(0.01, 0.1, 0.37, 1.0)} if self.one(0, 0, 1) else {})
        options: dict[str, Any] = {}
        if name in ("hand_till", "auc_mu"):
            options["pair_weights"] = self.one(None, "prevalence", self.matrix(k))
        if name == "auc_mu":
            options["partition"] = self.one(None, None, self.matrix(k))
            options["ties"] = self.one("rounding", "exact")
        if name == "one_vs_rest":
            options["average"] = self.one("macro", "prevalence", "micro", None)
        if name == "polar_area":
            pairs = [(i, j) for i in range(k) for j in range(i + 1, k)]
            shuffled = [pairs[p] for p in self.rng.permutation(len(pairs))]
            options["order"] = self.one(None, None, "pairs", shuffled)
            options["normalize"] = self.one(False, True)
        return name, {key: value for key, value in options.items() if value is not None
                      or key == "average"}  # fmt: skip

    def object(self, pr: Any, k: int, names: tuple[str, ...] = ()) -> Any:
        """Return a measure as an object."""
        name, options = self.measure(k, names)
        return getattr(pr, OBJECTS[name])(**options)

    def groups(self, y: Any, mixed: bool) -> Any:
        """Return groups of some three rows each, of one class or mixed."""
        of = self.rng.integers(0, max(3, len(y) // 3), len(y))
        if not mixed:
            most = max(2, len(y) // (3 * int(y.max() + 1)))
            of = y * len(y) + np.arange(len(y)) % most
        return np.array([f"group {g}" for g in of]) if self.one(0, 1) else of

    def units(self, y: Any) -> dict[str, Any]:
        """Return what is resampled: groups, strata."""
        kind = self.one("rows", "rows", "rows", "mixed", "of one class")
        if kind == "rows":
            return {"stratify": self.one(None, None, True, False)}
        stratify = self.one(None, False) if kind == "mixed" else self.one(None, True, False)
        return {"groups": self.groups(y, kind == "mixed"), "stratify": stratify}

    def limits(self) -> dict[str, Any]:
        """Return what an interval is asked for."""
        return {"confidence": self.one(0.95, 0.9, 0.5, [0.8, 0.95, 0.99]),
                "sides": self.one("two", "two", "lower", "upper")}  # fmt: skip


def point(pr: Any, d: Draws) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
    """A measure of the data; sometimes a class has no rows."""
    k, n, form, flat = d.shape()
    y, scores = d.data(k, n, form, flat)
    name, options = d.measure(k)
    if k > 2 and name != "auc" and d.one(0, 0, 1):
        kept = y != d.one(*range(k))
        y, scores = y[kept], scores[kept]
        options |= {"labels": np.arange(k), "absent": d.one("skip", "skip", "skip", "raise")}
    return name, (y, scores), options | d.weights(len(y)) | {"n_threads": d.one(None, 1, 2)}


def pairwise(pr: Any, d: Draws) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
    """The values of all pairs of classes."""
    k, n, form, flat = d.shape()
    y, scores = d.data(k, n, form, flat)
    options = {"kind": d.one("hand_till", "conditional", "auc_mu"), "return_ties": d.one(0, 1) == 1}
    if options["kind"] == "auc_mu":
        options["ties"] = d.one("rounding", "exact")
        options |= d.one({}, {"partition": d.matrix(k)})
    if k > 2 and d.one(0, 0, 1):
        kept = y != d.one(*range(k))
        y, scores = y[kept], scores[kept]
        options |= {"labels": np.arange(k), "absent": "skip"}
    return "pairwise", (y, scores), options | d.weights(len(y))


def bootstrap(pr: Any, d: Draws, *, rows: tuple[int, int] | None = None, most: int = 500,
              classes: tuple[int, ...] = (), forms: tuple[str, ...] = ()) -> Any:  # fmt: skip
    """A bootstrap with all its options."""
    k, n, form, flat = d.shape(*classes)
    n, form = d.size(*rows) if rows else n, d.one(*forms) if forms else form
    y, scores = d.data(k, n, form, flat)
    pairs = n < 3000 and d.one(0, 0, 1) == 1
    names = ("hand_till", "auc_mu") if pairs else ()
    measure = d.object(pr, k, names)
    if d.one(0, 0, 0, 1):
        measure = {"one": measure, "other": d.object(pr, k, names), "M": "hand_till"}
    options = {"scheme": d.one("multinomial", "multinomial", "multinomial", "poisson", "bayesian"),
               "n_resamples": min(most, d.one(1, 33, 100, 199, 500) if k < 60 else 50), "seed": n,
               "method": d.one("bca", "bca", "percentile", "basic", "normal"),
               "degenerate": d.one("skip", "redraw") if d.one(0, 1, 2) else "raise", "pairs": pairs,
               "n_threads": d.one(None, 1, 2)}  # fmt: skip
    options |= d.units(y) | d.limits() | d.weights(n)
    if options["scheme"] == "poisson":
        options["stratify"] = d.one(None, False)
    if options["n_resamples"] > 10 and d.one(0, 0, 0, 1):
        options["replicates"] = range(d.one(0, 7), options["n_resamples"] - d.one(0, 2))
    return "bootstrap", (y, scores, measure), options


def studentized(pr: Any, d: Draws) -> Any:
    """The bootstrap's studentized interval, which single AUCs of plain rows have."""
    y, scores = d.data(2, d.size(8, 3000), d.one(*FORMS), flat=True)
    measure = d.one("auc", "auc", "hand_till", "auc_mu")
    return "bootstrap", (y, scores, measure), d.limits() | {
        "n_resamples": d.one(99, 300), "stratify": d.one(None, False), "seed": len(y),
        "method": "studentized"}  # fmt: skip


def tight(pr: Any, d: Draws) -> Any:
    """Little memory, so that orderings are made in several passes."""
    name, given, options = bootstrap(pr, d, rows=(10000, 25000), classes=(5, 12), most=100)
    return name, given, options | {"max_memory": d.one(1, 2, 3, 4, 6) * MIB}


def coarse(pr: Any, d: Draws) -> Any:
    """Few different rows, which are drawn together."""
    name, given, options = bootstrap(pr, d, rows=(5000, 20000), classes=(2, 2, 3), most=199,
                                     forms=("1 decimal", "three values"))  # fmt: skip
    options.pop("sample_weight", None)
    return name, given, {**options, "groups": None, "scheme": "multinomial"}


def many(pr: Any, d: Draws, rows: tuple[int, int] = (132_000, 200_000)) -> Any:
    """So many rows of one column that they are drawn in sorted order."""
    name, (y, scores, _), options = bootstrap(pr, d, rows=rows, classes=(2,), most=40)
    options = {key: options[key] for key in ("n_resamples", "seed", "n_threads", "confidence")}
    column = scores if scores.ndim == 1 else scores[:, 1]
    return name, (y, column, "auc"), options | d.one(
        {}, {}, {}, {"stratify": False}, {"scheme": "poisson"}, d.weights(len(y)))  # fmt: skip


def huge(pr: Any, d: Draws) -> Any:
    """So many rows that weights are drawn again rather than kept."""
    return many(pr, d, (1_050_000, 1_200_000))


def delong(pr: Any, d: Draws) -> Any:
    """Closed-form errors."""
    k, n, form, flat = d.shape()
    y, scores = d.data(k, n, form, flat)
    pairs = d.one(0, 0, 1) == 1
    names = ("hand_till", "auc_mu") if pairs else ()
    measure = d.object(pr, k, names)
    if d.one(0, 0, 0, 1):
        measure = {"one": measure, "other": d.object(pr, k, names)}
    return "delong", (y, scores, measure), d.units(y) | d.limits() | d.weights(n) | {
        "transform": d.one("logit", "logit", None), "pairs": pairs,
        "n_threads": d.one(None, 1, 2)}  # fmt: skip


def compare(pr: Any, d: Draws) -> Any:
    """Two to four models, on the same rows or on rows of their own."""
    k, n, form, flat = d.shape(2, 2, 3, 3, 5, 12)
    names = ["one", "two", "three", "four"][: d.one(2, 2, 3, 4)]
    y, _ = d.data(k, n, form, flat)
    method = d.one("delong", "delong", "bootstrap", "permutation")
    options = {"method": method, "reference": d.one(None, "normal", "t"), "seed": n,
               "adjust": d.one("holm", "bonferroni", None), "margin": d.one(None, None, 0.02),
               "confidence": d.one(0.95, 0.8), "n_resamples": d.one(50, 199, 400)}  # fmt: skip
    if method == "permutation":
        options["margin"] = None
    measure = d.object(pr, k)
    if method != "permutation" and d.one(0, 0, 1):
        drawn = {name: d.data(k, d.size(max(6, 2 * k + 1), 2000), form, flat) for name in names}
        labels = {name: labels for name, (labels, _) in drawn.items()}
        return "compare", (labels, {name: s for name, (_, s) in drawn.items()}, measure), options
    models = {name: d.data(k, n, form, flat, y)[1] for name in names}
    options |= d.weights(n)
    if method != "permutation":
        options |= d.units(y)
    elif d.one(0, 0, 1):
        options["groups"] = d.groups(y, d.one(0, 1) == 1)
    return "compare", (y, models, measure), options


def bradley(pr: Any, d: Draws) -> Any:
    """Classifiers over folds."""
    k, names = d.one(2, 2, 3), ["one", "two", "three", "four"][: d.one(2, 3, 4)]
    folds = []
    for _ in range(d.one(3, 5, 10)):
        y, _ = d.data(k, d.size(12, 300), "float64", k == 2)
        form = d.one("float64", "1 decimal")
        folds.append((y, {name: d.data(k, len(y), form, k == 2, y)[1] for name in names}))
    measure = None if k == 2 else d.object(pr, 3)
    return "bradley", (folds, measure), {"alpha": d.one(0.05, 0.01)}


def power(pr: Any, d: Draws) -> Any:
    """Power, sizes of samples, and Hanley and McNeil's error."""
    first, second = d.rng.uniform(0.55, 0.75), d.rng.uniform(0.78, 0.97)
    sizes = {"n_pos": d.size(10, 500), "n_neg": d.size(10, 500)}
    wanted = {"power": d.one(0.8, 0.9), "ratio": d.one(1.0, 2.5)}
    test = {"alpha": d.one(0.05, 0.01), "alternative": d.one("two-sided", "greater")}
    variance = d.one("hanley-mcneil", "obuchowski")
    how = test | {"variance": variance}
    related = {"correlation": 0.4}
    if variance == "obuchowski":
        related = d.one({"score_correlation": 0.5}, {"score_correlation": (0.3, 0.6)})
    spread = np.array([[4e-4, 1e-4], [1e-4, 3e-4]]) * d.rng.uniform(1, 3)
    pilot = ((first, second), spread, {"a": 40, "b": 70})
    return d.one(
        ("power_auc", (second, first), sizes | how),
        ("sample_size_auc", (second, first), wanted | how),
        ("power_difference", (first, second), sizes | how | related),
        ("sample_size_difference", (first, second), wanted | how | related),
        ("power_from_pilot", (*pilot, {"a": 90, "b": 110}), test),
        ("sample_size_from_pilot", pilot, {"power": 0.8} | test),
        ("hanley_mcneil", (d.rng.random(5), sizes["n_pos"], sizes["n_neg"]), {}),
    )


# How many of eighty calls each kind is.
KINDS = ((point, 16), (pairwise, 5), (bootstrap, 22), (studentized, 3), (tight, 2), (coarse, 3),
         (many, 2), (huge, 1), (delong, 9), (compare, 12), (bradley, 2), (power, 3))  # fmt: skip
CYCLE = [kind for kind, count in KINDS for _ in range(count)]


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

    made, kinds, begin = {}, Counter(), time.perf_counter()
    for number in range(calls):
        kind = CYCLE[number * 37 % len(CYCLE)]
        name, given, options = kind(pr, Draws(seed, number))
        said = ", ".join([*map(show, given), *(f"{k}={show(v)}" for k, v in options.items())])
        start = time.perf_counter()
        found = made[f"{number:04d} {name}({said})"] = called(pr, name, given, options)
        kinds[kind.__name__] += 1
        kinds[f"{kind.__name__}, seconds"] += round(time.perf_counter() - start, 3)
        kinds["that raise"] += bool(found["error"])
        kinds[f"path {found.get('path')}"] += bool(found.get("path"))
    head = {"polyroc": pr.__version__, "numpy": np.__version__, "seed": seed, "calls": calls}
    with open(file, "w", encoding="utf-8") as out:
        json.dump({"head": head, "calls": made}, out)
    print(f"{calls} calls in {time.perf_counter() - begin:.0f} s")
    print("\n".join(f"  {name}: {count:.6g}" for name, count in kinds.items()))
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
    return f"{unlike} of {a.size} differ, by {relative:.3g} of them" + f", {gone} nan" * (gone > 0)


def compare_files(before: str, after: str) -> int:
    """Say which calls agree to the last bit, and how the others differ."""
    one, other = (json.load(open(file, encoding="utf-8")) for file in (before, after))
    if any(one["head"][key] != other["head"][key] for key in ("seed", "calls")):
        print("the recordings have another seed or number of calls; record both alike")
        return 2
    counts, words = Counter(), []
    for (call, a), (said, b) in zip(one["calls"].items(), other["calls"].items(), strict=True):
        if a["input"] != b["input"]:
            counts["given other data (another numpy?)"] += 1
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
    return int(counts["with other values"] > 0 or counts["given other data (another numpy?)"] > 0)


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
