"""Measures as scorers of scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from polyroc._base.checks import choose, show, thread_count
from polyroc._base.keywords import other_name
from polyroc._base.public import public
from polyroc._data.arrays import first
from polyroc._data.favoured import favours_first
from polyroc._data.labels import encode
from polyroc._measures.measure import Measure
from polyroc._measures.registry import MEASURES, choices

if TYPE_CHECKING:
    from polyroc._base.types import Array, Labels, Scores

_METHODS = ("predict_proba", "decision_function")


@public
@dataclass(frozen=True, repr=False)
class Scorer:
    """A measure that scores a fitted classifier; made by :func:`scorer`.

    Frozen, comparable, hashable and picklable. Nothing of scikit-learn is imported by it, but for
    metadata routing, where scikit-learn itself asks for a request object.
    """

    measure: Measure[Any]
    response_method: str = "auto"
    n_threads: int | None = None
    weight_request: bool | str | None = None
    pos_label: Any = None

    def __call__(
        self, estimator: Any, X: Any, y: Labels, sample_weight: Scores | None = None
    ) -> float:
        """Return the measure of what `estimator` says of the rows `X`, whose labels are `y`."""
        method, scores = self._respond(estimator, X)
        if self.measure.each == "label":
            scores = _scores_of_labels(estimator, scores)
            return float(
                self.measure(y, scores, sample_weight=sample_weight, n_threads=self.n_threads)
            )
        classes = _classes(estimator, method, scores)
        _refuse_unseen(y, classes)
        if self.pos_label is not None and favours_first(self.pos_label, classes, None):
            scores, classes = _turned(np.asarray(scores)), classes[::-1]
        if np.ndim(scores) == 1 and self.measure.needs_columns:
            # The pool needs one column per class; a margin counts for one as against the other.
            scores = np.column_stack([-np.asarray(scores), scores])
        value = self.measure(
            y, scores, labels=classes, sample_weight=sample_weight, n_threads=self.n_threads
        )
        return float(value)

    def _respond(self, estimator: Any, X: Any) -> tuple[str, Any]:
        methods = _METHODS if self.response_method == "auto" else (self.response_method,)
        for name in methods:
            method = getattr(estimator, name, None)
            if method is not None:
                return name, method(X)
        raise TypeError(
            f"{type(estimator).__name__} has no {' and no '.join(methods)}; pass a classifier that "
            "has one, or wrap it in sklearn.calibration.CalibratedClassifierCV"
        )

    def set_score_request(self, *, sample_weight: bool | str | None) -> Scorer:
        """Return a scorer that asks scikit-learn's metadata routing for sample weights.

        Parameters
        ----------
        sample_weight : bool, str or None
            True asks for `sample_weight`, a str for metadata of that name; False wants none, and
            None makes it an error to pass any.

        Returns
        -------
        Scorer
            A new one: scorers are frozen.
        """
        if not (sample_weight is None or isinstance(sample_weight, (bool, str))):
            raise TypeError(f"sample_weight is {sample_weight!r}; pass True, False, None or a name")
        return replace(self, weight_request=sample_weight)

    def get_metadata_routing(self) -> Any:
        """Return the request as scikit-learn's routing reads it."""
        from sklearn.utils.metadata_routing import MetadataRequest

        request = MetadataRequest(owner=self)
        request.score.add_request(param="sample_weight", alias=self.weight_request)
        return request

    def _accept_sample_weight(self) -> bool:
        # scikit-learn asks by this name where several scorers share weights without routing.
        return True

    def __repr__(self) -> str:
        changed = (
            f", {field.name}={getattr(self, field.name)!r}"
            for field in fields(self)[1:]
            if field.name != "weight_request" and getattr(self, field.name) != field.default
        )
        routed = ""
        if self.weight_request is not None:
            routed = f".set_score_request(sample_weight={self.weight_request!r})"
        return f"scorer({self.measure!r}{''.join(changed)}){routed}"


@public
def scorer(
    measure: str | Measure[Any] = "auc_mu",
    *,
    response_method: Literal["auto", "predict_proba", "decision_function"] = "auto",
    pos_label: object = None,
    n_threads: int | None = None,
    **options: Any,
) -> Scorer:
    """Make a scorer of scikit-learn out of a measure.

    What it returns is called as ``scorer(estimator, X, y)`` and goes wherever scikit-learn takes
    ``scoring=``. Columns of scores are matched with labels by the estimator's ``classes_``, never
    by what happens to be in a fold.

    A class that the estimator knows and the fold has no rows of is an error, or is left out of
    the average with ``absent="skip"``, as everywhere in polyroc. (scikit-learn turns an error of
    a scorer into nan and a warning unless ``error_score="raise"``.) A row of a class that the
    estimator never saw in training has no column to be scored by; it is an error in any case.

    Parameters
    ----------
    measure : str or measure object
        One that is a single number: its name, as "hand_till" or "average_precision", or an object
        with options, as ``pr.AucMu(partition=A)``; of estimators with many labels,
        ``pr.Multilabel("auc")``.
    response_method : {"auto", "predict_proba", "decision_function"}
        What the estimator is asked; "auto" is `predict_proba` if there is one, else
        `decision_function`. With more than two classes they give different numbers.
    pos_label : label, optional
        Of two classes, the one whose score counts; the second of the estimator's ``classes_`` by
        default. It matters where classes are not alike, as in "average_precision".
    n_threads : int, optional
        Threads for each call; all cores by default. 1 is best where scikit-learn itself runs
        folds in parallel (``n_jobs``).
    **options
        Options of a measure given by its name, as ``absent="skip"``.

    Returns
    -------
    Scorer
        A callable of (estimator, X, y, sample_weight=None) that returns a float, the higher the
        better.

    Examples
    --------
    >>> import polyroc as pr
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> cross_val_score(GaussianNB(), X, y, scoring=pr.scorer("auc_mu")).round(3)
    array([0.983, 1.   , 0.987, 0.997, 1.   ])
    >>> pr.scorer("one_vs_rest", average="prevalence", absent="skip")
    scorer(OneVsRest(average='prevalence', absent='skip'))
    """
    choose("response_method", response_method, ("auto", *_METHODS))
    thread_count(n_threads)
    found = scalar_measure(measure, options)
    return Scorer(found, response_method, n_threads, pos_label=pos_label)


def scalar_measure(measure: Any, options: dict[str, Any]) -> Measure[Any]:
    """Return the measure, which must give one number, with its options."""
    if isinstance(measure, Measure):
        if options:
            raise TypeError(
                f"{', '.join(options)}: options go with a measure given by name; "
                f"give them to {type(measure).__name__}(...) itself"
            )
        found = measure
    elif isinstance(measure, str):
        if measure not in MEASURES:
            raise ValueError(f"measure is {measure!r}; {choices(measure)}")
        kind = type(MEASURES[measure])
        known = [field.name for field in fields(kind)]
        for name in options:
            if name not in known:
                elsewhere = other_name(name, ("n_threads",))
                those = ", ".join(known) or "no options"
                way = f"it is called {elsewhere}" if elsewhere else f"it has {those}"
                raise TypeError(f"{measure} has no option {name!r}; {way}")
        found = kind(**options)
    else:
        raise TypeError(
            f"measure is a {type(measure).__name__}; pass a name or a measure object, as pr.AucMu()"
        )
    if not found.is_single:
        *others, last = map(repr, found.averages)
        names = " or ".join([", ".join(others), last] if others else [last])
        raise ValueError(
            f"average=None gives one value per class, and a score is one number; choose {names}"
        )
    return found


def _classes(estimator: Any, method: str, scores: Any) -> Array:
    """Return the classes of the columns of `scores`, or raise if there is no saying."""
    name = type(estimator).__name__
    found = getattr(estimator, "classes_", None)
    if found is None:
        raise TypeError(
            f"{name} has no classes_, which say what its scores are scores of; "
            "pass a fitted classifier"
        )
    if (isinstance(scores, list) and np.ndim(scores[0]) > 1) or np.ndim(found[0]) > 0:
        raise TypeError(
            f"{name} has several outputs; score each of them by itself, or all of them, where "
            "they are labels of 0 and 1, by pr.Multilabel"
        )
    classes = np.asarray(found)
    if len(classes) < 2:
        raise ValueError(
            f"{name} saw the class {show(classes[0])} alone in training; train it on at least two, "
            "as the folds of StratifiedKFold do"
        )
    n_columns = 2 if np.ndim(scores) == 1 else np.shape(scores)[1]
    pairs = method == "decision_function" and len(classes) > 2 and _votes_in_pairs(estimator)
    if pairs or n_columns not in (1, len(classes)):
        raise ValueError(
            f"{name}.{method} gives {n_columns} columns that do not stand for its {len(classes)} "
            'classes; set decision_function_shape="ovr", or use predict_proba'
        )
    return classes


def _scores_of_labels(estimator: Any, scores: Any) -> Array:
    """Return a column of scores for each label; several outputs come as a list of matrices."""
    if not isinstance(scores, list):
        return np.asarray(scores)
    columns = []
    for known, of_label in zip(estimator.classes_, scores, strict=True):
        listed = np.asarray(known).tolist()
        # An output that was never 1 in training has no column for it.
        columns.append(of_label[:, listed.index(1)] if 1 in listed else np.zeros(len(of_label)))
    return np.column_stack(columns)


def _turned(scores: Array) -> Array:
    """Return scores of two classes as those of the other one: its column, or the margin negated."""
    return scores[:, ::-1] if scores.ndim == 2 and scores.shape[1] == 2 else -scores


def _votes_in_pairs(estimator: Any) -> bool:
    """Tell a support vector machine with one column per pair, of which three classes have three."""
    while True:
        if hasattr(estimator, "best_estimator_"):
            estimator = estimator.best_estimator_
        elif hasattr(estimator, "steps"):
            estimator = estimator.steps[-1][1]
        else:
            return getattr(estimator, "decision_function_shape", "ovr") == "ovo"


def _refuse_unseen(y: Any, classes: Array) -> None:
    """Raise if a row has a class that the estimator does not know."""
    codes, found = encode(y)
    known = set(classes)
    for k, label in enumerate(found):
        if label in known:
            continue
        place = first(codes == k, "y")
        twin = next((other for other in classes if str(other) == str(label)), None)
        if twin is not None:
            raise ValueError(
                f"{place} is {show(label)} but the estimator knows {show(twin)}, of another type; "
                "make both one type"
            )
        raise ValueError(
            f"{place} is {show(label)}, which the estimator never saw in training, so that it has "
            f"no score for it; its classes are {show(classes)}. Have every class in every training "
            "fold, as StratifiedKFold does, or leave its rows out"
        )
