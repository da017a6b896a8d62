"""Scores of scikit-learn estimators on folds, the same folds for all."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.checks import show
from polyroc._base.frame import data_frame
from polyroc._base.keywords import hinting
from polyroc._base.progress import check_progress, watching
from polyroc._base.public import public
from polyroc._base.result import same
from polyroc._bradley.splits import split_rows
from polyroc._data.labels import encode

if TYPE_CHECKING:
    from polyroc._base.types import Array, Labels, Seed


@public
@dataclass(frozen=True, eq=False, repr=False)
class CrossValidation(Sequence[Any]):
    """Folds with labels and scores; made by :func:`polyroc.cross_validate_folds`.

    A sequence of ``(y_true, {"name": scores, ...})``, as :func:`polyroc.bradley` takes it.

    Attributes
    ----------
    folds : tuple
        The same sequence.
    rows : tuple of ndarray
        The test rows of each fold, by number.
    labels : ndarray
        The classes, in column order.
    seed : int or None
        What the folds were drawn with; None where `cv` brought them.
    splitter : str or None
        The class that made the folds; None where rows were given.
    """

    folds: tuple[tuple[Array, dict[str, Array]], ...]
    rows: tuple[Array, ...]
    labels: Array
    seed: int | None
    splitter: str | None = "StratifiedKFold"

    def __len__(self) -> int:
        return len(self.folds)

    def __getitem__(self, index: Any) -> Any:
        return self.folds[index]

    def __iter__(self) -> Iterator[tuple[Array, dict[str, Array]]]:
        return iter(self.folds)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CrossValidation):
            return NotImplemented
        return same(vars(self), vars(other))

    def __hash__(self) -> int:
        return hash((len(self), self.seed, self.splitter))

    def to_frame(self, library: str | None = None) -> Any:
        """Return the scores of rows that were not trained on as a data frame, in the order of rows.

        Parameters
        ----------
        library : {"pandas", "polars"}, optional
            Whose; by default that of pandas, or of polars where pandas is not installed.

        Returns
        -------
        DataFrame
            With the columns ``row``, ``fold`` and ``y_true``, and for each estimator one column per
            class, as "naive Bayes: 2", or one with its name where scores are 1-D.
        """
        rows = np.concatenate(self.rows)
        order = np.argsort(rows)
        columns = {
            "row": rows,
            "fold": np.repeat(np.arange(len(self)), list(map(len, self.rows))),
            "y_true": np.concatenate([y_true for y_true, _ in self.folds]),
        }
        for name in self.folds[0][1]:
            scores = np.concatenate([by_name[name] for _, by_name in self.folds])
            if scores.ndim == 1:
                columns[name] = scores
            else:
                columns |= {f"{name}: {label}": scores[:, k] for k, label in enumerate(self.labels)}
        cells = {title: column[order].tolist() for title, column in columns.items()}
        return data_frame(cells, library)

    def __repr__(self) -> str:
        names = list(self.folds[0][1])
        rows = sum(map(len, self.rows))
        plain = self.splitter == "StratifiedKFold" and self.seed is not None
        what = "stratified folds" if plain else "folds"
        by = "" if plain or self.splitter is None else f" by {self.splitter}"
        drawn = "" if self.seed is None else f", seed {self.seed}"
        return (
            f"{len(self)} {what} of {rows:,} rows{by}, classes {show(self.labels)}, "
            f"scored by {show(names)}{drawn}"
        )


@public
@hinting
def cross_validate_folds(
    estimators: Mapping[str, Any],
    X: Any,
    y: Labels,
    *,
    n_folds: int | None = None,
    cv: Any = None,
    groups: Labels | None = None,
    seed: Seed = None,
    progress: bool | Callable[[int, int], object] = False,
) -> CrossValidation:
    """Train and score scikit-learn estimators on the same folds, by default stratified.

    The rows are shuffled and split into folds of the same class shares (B97 s. 5). For each fold,
    a clone of every estimator is fitted to the rows of all other folds and scores the rows of this
    one: by `predict_proba`, or by `decision_function` where there is none. Columns are put in the
    order of the classes by the estimator's `classes_`.

    Parameters
    ----------
    estimators : dict of str to estimator
        Unfitted scikit-learn classifiers, or pipelines that end in one. They are not changed.
        Their `random_state` is their own.
    X : array_like, sparse matrix or data frame of n rows
        What the estimators take.
    y : array_like of shape (n,)
        Labels. Every class needs `n_folds` rows at least, so that every fold has one.
    n_folds : int, optional
        How many folds; 10 by default.
    cv : int, splitter or iterable, optional
        Other folds: a number of them, a splitter of scikit-learn as ``GroupKFold(5)``, or pairs
        (rows to train on, rows to test). No row may be tested twice, so that repetitions, as of
        ``RepeatedKFold``, are to be passed one by one; rows that no fold tests are left out.
    groups : array_like of shape (n,), optional
        Rows of one group (a patient, a document) are trained on or tested together: passed to the
        splitter, ``StratifiedGroupKFold`` by default. Groups that a fold divides are an error.
    seed : int, numpy Generator or SeedSequence, optional
        The folds are those of ``StratifiedKFold(n_folds, shuffle=True, random_state=seed)`` (the
        lowest 32 bits of it). None draws a seed; the result records it. A splitter has its own.
    progress : bool or callable
        True shows a line on stderr; a function gets (done, total), in fits.

    Returns
    -------
    CrossValidation
        A sequence of ``(y_true, {"name": scores, ...})``, for `bradley`. Scores have one column
        per class, but those of `decision_function` for two classes are 1-D.

    Notes
    -----
    It needs scikit-learn, ``pip install "polyroc[sklearn]"``.

    Examples
    --------
    >>> import polyroc as pr
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_wine(return_X_y=True)
    >>> models = {"naive Bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    >>> folds = pr.cross_validate_folds(models, X, y, seed=1)
    >>> folds
    10 stratified folds of 178 rows, classes [0, 1, 2], scored by ['naive Bayes', 'tree'], seed 1
    >>> pr.bradley(folds, "auc_mu").ranking
    ('naive Bayes', 'tree')
    """
    clone = _clone()
    check_progress(progress)
    _check_estimators(estimators)
    try:
        codes, labels = encode(y)
    except (TypeError, ValueError) as error:
        raise type(error)(str(error).replace("y_true", "y")) from error
    data, n_rows = _indexable(X)
    if n_rows != len(codes):
        raise ValueError(f"X has {n_rows} rows but y has {len(codes)}; pass one label per row")
    splits = split_rows(data, codes, labels, n_folds, cv, groups, seed)
    y_all = labels[codes]
    total = len(splits.rows) * len(estimators)
    bar = _FitLine(len(estimators)) if progress is True else progress
    folds, rows = [], []
    with watching(bar, total) as watcher:
        for k, (train, test) in enumerate(splits.rows):
            scores: dict[str, Array] = {}
            for name, estimator in estimators.items():
                place = f"estimators[{name!r}] in fold {k}"
                try:
                    fitted = clone(estimator).fit(_take(data, train), y_all[train])
                    scores[name] = _scores(fitted, _take(data, test), labels, place)
                except Exception as error:
                    if hasattr(error, "add_note"):  # Python 3.11 and later
                        error.add_note(f"raised by {place}")
                    raise
                if watcher is not None:
                    watcher(k * len(estimators) + len(scores))
            folds.append((y_all[test], scores))
            rows.append(test)
    return CrossValidation(tuple(folds), tuple(rows), labels, splits.seed, splits.splitter)


def _clone() -> Any:
    try:
        from sklearn.base import clone
    except ImportError as error:
        raise ModuleNotFoundError(
            "cross_validate_folds needs scikit-learn; install it with "
            'pip install "polyroc[sklearn]"',
            name="sklearn",
        ) from error
    return clone


def _check_estimators(estimators: Any) -> None:
    if not isinstance(estimators, Mapping):
        raise TypeError(f"estimators is a {type(estimators).__name__}; pass a dict of them by name")
    if not estimators:
        raise ValueError("estimators is empty; name at least one")
    for name, estimator in estimators.items():
        if isinstance(estimator, type):
            raise TypeError(
                f"estimators[{name!r}] is the class {estimator.__name__}; "
                f"pass an instance, {estimator.__name__}()"
            )
        if not hasattr(estimator, "fit"):
            kind = type(estimator).__name__
            raise TypeError(
                f"estimators[{name!r}] is a {kind}, which has no fit; pass a classifier"
            )


def _indexable(X: Any) -> tuple[Any, int]:
    """Return rows that can be picked by number, and how many there are."""
    data = X if hasattr(X, "shape") else np.asarray(X)
    if not data.shape:
        raise TypeError(f"X is a {type(X).__name__}; pass an array or a data frame of n rows")
    # Of scipy's sparse matrices, those of coordinates and of diagonals cannot be indexed.
    return (data.tocsr() if hasattr(data, "tocsr") else data), data.shape[0]


def _take(data: Any, rows: Array) -> Any:
    return data.iloc[rows] if hasattr(data, "iloc") else data[rows]


def _scores(fitted: Any, X: Any, labels: Array, place: str) -> Array:
    """Return the scores with a column for each of `labels`, in that order."""
    method = next((m for m in ("predict_proba", "decision_function") if hasattr(fitted, m)), None)
    if method is None or not hasattr(fitted, "classes_"):
        raise TypeError(
            f"{place}: a {type(fitted).__name__} has no "
            f"{'classes_' if method else 'predict_proba nor decision_function'}; "
            "pass a classifier that scores classes"
        )
    scores = np.asarray(getattr(fitted, method)(X))
    known = np.asarray(fitted.classes_).tolist()
    wanted = labels.tolist()
    if sorted(known, key=str) != sorted(wanted, key=str):
        raise ValueError(
            f"{place}: it knows the classes {show(known)} but the rows have {show(wanted)}, so "
            "that its columns cannot be matched; pass a classifier that keeps all classes"
        )
    order = [known.index(label) for label in wanted]
    if scores.ndim == 1 and len(wanted) == 2:
        return scores if order == [0, 1] else -scores
    if scores.ndim != 2 or scores.shape[1] != len(known) or _of_pairs(fitted, method):
        raise ValueError(
            f"{place}: {method} gives shape {scores.shape}, not a column for each of "
            f"{len(known)} classes; for an SVC set decision_function_shape='ovr'"
        )
    return scores[:, order]


def _of_pairs(fitted: Any, method: str) -> bool:
    """Tell an SVC whose columns are pairs of classes: with three classes they are three too."""
    if method != "decision_function" or not hasattr(fitted, "get_params"):
        return False
    options = fitted.get_params().items()
    return any(k.endswith("decision_function_shape") and v == "ovo" for k, v in options)


class _FitLine:
    """A line on stderr that says how many fits are done; off a terminal, one per fold."""

    def __init__(self, by_fold: int) -> None:
        self.by_fold, self.last = by_fold, 0

    def __call__(self, done: int, total: int) -> None:
        live = sys.stderr.isatty()
        if done == self.last or not (live or done % self.by_fold == 0):
            return
        self.last = done
        end = "" if live and done < total else "\n"
        text = f"cross-validation: {done:,} of {total:,} fits"
        print(("\r\x1b[K" if live else "") + text, end=end, file=sys.stderr, flush=True)
