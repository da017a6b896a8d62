"""Random data and options for calls of polyroc: what `random_calls` makes its calls of."""

from __future__ import annotations

from typing import Any

import numpy as np

OBJECTS = {"auc": "Auc", "hand_till": "HandTill", "auc_mu": "AucMu", "one_vs_rest": "OneVsRest",
           "polar_area": "PolarArea"}  # fmt: skip
FORMS = ("float64", "float64", "float32", "2 decimals", "1 decimal", "integers", "three values",
         "infinite", "Fortran", "strided")  # fmt: skip


class Draws:
    """The random choices of one call, by the run's seed and the call's number."""

    def __init__(self, seed: int, number: int) -> None:
        self.number = number
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
            return (name, {"max_fpr": self.one(0.01, 0.1, 0.37, 1.0)} if self.one(0, 1) else {})
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

    def object(self, pr: Any, k: int, names: tuple[str, ...] = (), absent: str = "raise") -> Any:
        """Return a measure as an object."""
        name, options = self.measure(k, names)
        if absent == "skip" and name != "auc":
            options["absent"] = absent
        return getattr(pr, OBJECTS[name])(**options)

    def without_a_class(self, y: Any, scores: Any, k: int) -> tuple[Any, Any, Any]:
        """Return labels, scores and the classes; every third time one of these has no rows."""
        if k == 2 or self.one(0, 0, 1) == 0:
            return y, scores, None
        kept = y != self.rng.integers(k)
        return y[kept], scores[kept], np.arange(k)

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
