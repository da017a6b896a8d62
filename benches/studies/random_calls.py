"""Random calls of polyroc that cover every measure, option, path and kind of data.

Each function draws one call: the name of a public function, what it is given, its options. Some
calls raise, on purpose or by chance, as a class that gets a single row does.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from random_data import FORMS, Draws

Call = tuple[str, tuple[Any, ...], dict[str, Any]]

MIB = 1 << 20


def point(pr: Any, d: Draws) -> Call:
    """A measure of the data."""
    k, n, form, flat = d.shape()
    y, scores, classes = d.without_a_class(*d.data(k, n, form, flat), k)
    name, options = d.measure(k)
    if classes is not None:
        options |= {"labels": classes, "absent": d.one("skip", "skip", "skip", "raise")}
    return name, (y, scores), options | d.weights(len(y)) | {"n_threads": d.one(None, 1, 2)}


def pairwise(pr: Any, d: Draws) -> Call:
    """The values of all pairs of classes."""
    k, n, form, flat = d.shape()
    y, scores, classes = d.without_a_class(*d.data(k, n, form, flat), k)
    options = {"kind": d.one("hand_till", "conditional", "auc_mu"), "return_ties": d.one(0, 1) == 1}
    if options["kind"] == "auc_mu":
        options["ties"] = d.one("rounding", "exact")
        options |= d.one({}, {"partition": d.matrix(k)})
    if classes is not None:
        options |= {"labels": classes, "absent": "skip"}
    return "pairwise", (y, scores), options | d.weights(len(y))


def bootstrap(pr: Any, d: Draws, *, rows: tuple[int, int] | None = None, most: int = 1000,
              classes: tuple[int, ...] = (), forms: tuple[str, ...] = ()) -> Call:  # fmt: skip
    """A bootstrap with all its options."""
    k, n, form, flat = d.shape(*classes)
    n, form = d.size(*rows) if rows else n, d.one(*forms) if forms else form
    y, scores, labels = d.without_a_class(*d.data(k, n, form, flat), k)
    absent = "raise" if labels is None else "skip"
    pairs = n < 3000 and d.one(0, 0, 1) == 1
    names = ("hand_till", "auc_mu") if pairs else ()
    measure = d.object(pr, k, names, absent)
    if d.one(0, 0, 0, 1):
        measure = {"one": measure, "other": d.object(pr, k, names, absent)}
        measure["M"] = pr.HandTill(absent=absent)
    count = d.one(1, 33, 64, 100, 130, 199, 199, 500, 500, 1000) if k < 60 else 50
    options = {"scheme": d.one("multinomial", "multinomial", "multinomial", "poisson", "bayesian"),
               "n_resamples": min(most, count), "seed": n, "labels": labels,
               "method": d.one("bca", "bca", "percentile", "basic", "normal"),
               "degenerate": d.one("skip", "redraw") if d.one(0, 1, 2) else "raise", "pairs": pairs,
               "n_threads": d.one(None, 1, 2)}  # fmt: skip
    options |= d.units(y) | d.limits() | d.weights(len(y))
    if options["scheme"] == "poisson":
        options["stratify"] = d.one(None, False)
    if options["n_resamples"] > 10 and d.one(0, 0, 0, 1):
        options["replicates"] = range(d.one(0, 7), options["n_resamples"] - d.one(0, 2))
    return "bootstrap", (y, scores, measure), options


def studentized(pr: Any, d: Draws) -> Call:
    """The bootstrap's studentized interval, which single AUCs of plain rows have."""
    y, scores = d.data(2, d.size(8, 3000), d.one(*FORMS), flat=True)
    measure = d.one("auc", "auc", "hand_till", "auc_mu")
    return "bootstrap", (y, scores, measure), d.limits() | {
        "n_resamples": d.one(99, 300), "stratify": d.one(None, False), "seed": len(y),
        "method": "studentized"}  # fmt: skip


def tight(pr: Any, d: Draws) -> Call:
    """Little memory, so that orderings are made in several passes."""
    name, given, options = bootstrap(pr, d, rows=(10000, 25000), classes=(5, 12), most=100)
    return name, given, options | {"max_memory": d.one(1, 2, 3, 4, 6) * MIB}


def coarse(pr: Any, d: Draws) -> Call:
    """Few different rows, which are drawn together."""
    name, given, options = bootstrap(pr, d, rows=(5000, 20000), classes=(2, 2, 3), most=199,
                                     forms=("1 decimal", "three values"))  # fmt: skip
    options.pop("sample_weight", None)
    return name, given, {**options, "groups": None, "scheme": "multinomial"}


def many(pr: Any, d: Draws, least: int = 132_000, most: int = 200_000) -> Call:
    """So many rows of one column that they are drawn in sorted order, where options allow it."""
    n = d.size(least, most)
    y, column = d.data(2, n, d.one("float64", "float64", "float32", "strided"), flat=True)
    options = {"n_resamples": 40, "seed": n, "n_threads": d.one(None, 1, 2)} | d.limits()
    variants: list[dict[str, Any]] = [
        {},
        {"stratify": False},
        {},
        {"scheme": "poisson"},
        {},
        {"method": "studentized"},
        {},
        {"sample_weight": d.rng.gamma(2.0, size=n)},
        {"sample_weight": d.rng.integers(0, 3, n), "stratify": False},
        {"scheme": "bayesian", "n_resamples": 8},
    ]
    # In turn, not by chance: there are few of these calls.
    turn = d.number // len(CYCLE) + d.number
    measure = d.one("auc", "auc", pr.Auc(max_fpr=0.2))
    options |= variants[turn % len(variants)]
    if "method" in options:
        measure = "auc"
    return "bootstrap", (y, column, measure), options


def huge(pr: Any, d: Draws) -> Call:
    """So many rows that weights are drawn again rather than kept."""
    return many(pr, d, 1_050_000, 1_200_000)


def delong(pr: Any, d: Draws) -> Call:
    """Closed-form errors."""
    k, n, form, flat = d.shape()
    y, scores, labels = d.without_a_class(*d.data(k, n, form, flat), k)
    absent = "raise" if labels is None else "skip"
    pairs = d.one(0, 0, 1) == 1
    names = ("hand_till", "auc_mu") if pairs else ()
    measure = d.object(pr, k, names, absent)
    if d.one(0, 0, 0, 1):
        measure = {"one": measure, "other": d.object(pr, k, names, absent)}
    return "delong", (y, scores, measure), d.units(y) | d.limits() | d.weights(len(y)) | {
        "labels": labels,
        "transform": d.one("logit", "logit", None), "pairs": pairs,
        "n_threads": d.one(None, 1, 2)}  # fmt: skip


def compare(pr: Any, d: Draws) -> Call:
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


def bradley(pr: Any, d: Draws) -> Call:
    """Classifiers over folds."""
    k, names = d.one(2, 2, 3), ["one", "two", "three", "four"][: d.one(2, 3, 4)]
    folds = []
    for _ in range(d.one(3, 5, 10)):
        y, _ = d.data(k, d.size(12, 300), "float64", k == 2)
        form = d.one("float64", "1 decimal")
        folds.append((y, {name: d.data(k, len(y), form, k == 2, y)[1] for name in names}))
    measure = None if k == 2 else d.object(pr, 3)
    return "bradley", (folds, measure), {"alpha": d.one(0.05, 0.01)}


def power(pr: Any, d: Draws) -> Call:
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


def refused(pr: Any, d: Draws) -> Call:
    """What no call takes, to hear what it says."""
    k, n, _, flat = d.shape(2, 3, 5)
    y, scores = d.data(k, n, "float64", flat)
    measure = "auc" if k == 2 else d.one("hand_till", "auc_mu", "one_vs_rest", "polar_area")
    name = d.one(measure, "bootstrap", "delong")
    given = (y, scores) if name == measure else (y, scores, measure)
    if d.one(0, 1):
        scores[(n // 3,) if flat else (n // 3, d.rng.integers(k))] = np.nan
        return name, given, {}
    return name, given, d.one(
        {"sample_weight": np.full(n, -1.0)}, {"sample_weight": np.ones(n - 1)},
        {"labels": np.arange(k + 1)}, {"labels": [0, 0]}, {"n_threads": 0}, {"confidence": 1.5},
        {"groups": y[:-1]}, {"scheme": "jackknife"})  # fmt: skip


# How many of eighty calls each kind is.
KINDS = ((point, 12), (pairwise, 4), (bootstrap, 22), (studentized, 2), (tight, 3), (coarse, 3),
         (many, 2), (huge, 1), (delong, 9), (compare, 12), (bradley, 1), (power, 5),
         (refused, 4))  # fmt: skip
CYCLE = [kind for kind, count in KINDS for _ in range(count)]


def call(pr: Any, seed: int, number: int) -> tuple[str, Call]:
    """Return the kind of the call of a number, and the call."""
    kind = CYCLE[number * 37 % len(CYCLE)]  # 37 has no divisor in common with 80: kinds are mixed
    return kind.__name__, kind(pr, Draws(seed, number))
