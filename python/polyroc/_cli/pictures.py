"""`polyroc plot`: a picture of a file of predictions, written whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from polyroc._base.write import written
from polyroc._cli.commands import over_folds, usual_measure
from polyroc._cli.output import tell
from polyroc._cli.plot_options import DEFAULTS, FORMATS, KINDS
from polyroc._cli.predictions import Predictions, read_predictions
from polyroc._cli.refusal import Refusal, listed, nearest

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping

RULES = ("max_fpr", "min_tpr")
MOST = {"pairs": 1, "scores": 1, "confusion": 1, "replicates": 1, "pair-differences": 2}  # models


def plot(args: argparse.Namespace) -> int:
    """Write a picture."""
    kind: str = args.kind
    if kind not in KINDS:
        every = listed(KINDS, len(KINDS))
        raise Refusal(f"there is no picture {kind!r}{nearest(kind, KINDS)}; choose {every}")
    _refuse_options(kind, args)
    suffix = Path(args.out).suffix.lower().removeprefix(".")
    if suffix not in FORMATS:
        raise Refusal(f"--out {args.out!r} ends in none of .svg, .pdf, .png")
    if args.width is not None and not 1 <= args.width <= 40:
        raise Refusal(f"--width {args.width:g} is not a width in inches, from 1 to 40")
    from polyroc._plot.style import no_windows

    data = _chosen(read_predictions(args, tell), args)
    with no_windows():
        drawn = _DRAWERS[kind](data, args)
    _save(drawn, args, suffix)
    dropped = f"; {data.dropped:,} rows that lacked a value left out" if data.dropped else ""
    tell(f"wrote {args.out}{dropped}")
    return 0


def _refuse_options(kind: str, args: argparse.Namespace) -> None:
    """Raise if something was asked for that the picture does not have."""
    every = {option for _, options in KINDS.values() for option in options}
    for option in sorted(every.difference(KINDS[kind][1])):
        if getattr(args, option) not in (None, DEFAULTS.get(option)):
            takers = listed(name for name, (_, options) in KINDS.items() if option in options)
            raise Refusal(f"--{option} is not for {kind}; it is for {takers}")


def _save(drawn: Any, args: argparse.Namespace, suffix: str) -> None:
    import matplotlib
    import numpy as np

    figure = np.ravel(drawn)[0].figure
    if args.width is not None:
        width, height = figure.get_size_inches()
        figure.set_size_inches(args.width, height * args.width / width)
    # The same bytes for the same picture: no date, and ids that are not random.
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[suffix]
    with matplotlib.rc_context({"svg.hashsalt": "polyroc"}), written(args.out) as path:
        figure.savefig(path, format=suffix, dpi=args.dpi, metadata=metadata)


def _run(args: argparse.Namespace) -> dict[str, Any]:
    run: dict[str, Any] = {"seed": args.seed, "confidence": args.confidence}
    return run if args.bootstrap is None else {**run, "n_resamples": args.bootstrap}


def _options(
    data: Predictions, args: argparse.Namespace, draw: Callable[..., Any]
) -> dict[str, Any]:
    """Return what a function takes beside labels and scores, with the class that was chosen."""
    from polyroc._plot.report import taken_by

    options = {**data.options, "n_threads": args.threads}
    if getattr(args, "of", None) is not None:
        names = [str(label) for label in data.classes]
        if args.of not in names:
            raise Refusal(
                f"--of {args.of!r} is none of the classes {listed(names)}{nearest(args.of, names)}"
            )
        options["pos_label"] = data.classes[names.index(args.of)]
    return taken_by(draw, options)


def _chosen(data: Predictions, args: argparse.Namespace) -> Predictions:
    """Return the models that were asked for, as many as the picture shows at most."""
    models = data.models
    for name in args.only or ():
        if name not in models:
            raise Refusal(
                f"--only {name!r} is none of the models {listed(models)}{nearest(name, models)}"
            )
    models = {name: models[name] for name in args.only or models}
    most = MOST.get(args.kind, len(models))
    if len(models) > most:
        models = dict(list(models.items())[:most])
        tell(f"{args.kind} shows {' minus '.join(models)}; --only chooses among {len(data.models)}")
    return data._replace(models=models)


def _first(data: Predictions) -> dict[str, Any]:
    """Return the only model, as a picture of one takes it."""
    name, scores = next(iter(data.models.items()))
    return {"y_score": scores, "name": name}


def _require_two(data: Predictions) -> None:
    if len(data.models) < 2:
        raise Refusal(
            "there is one model only; pass a file for each, --model COLUMN, or {model} in --scores"
        )


def _point(text: str | None) -> Any:
    """Return the rule of an operating point: youden, or max_fpr=0.05."""
    if text is None or text == "youden":
        return text
    name, _, value = text.partition("=")
    try:
        if name in RULES:
            return {name: float(value)}
    except ValueError:
        pass
    raise Refusal(f"--point {text!r} is no rule; pass youden, max_fpr=0.05 or min_tpr=0.9")


def _roc(data: Predictions, args: argparse.Namespace) -> Any:
    from polyroc._plot.roc import roc

    return roc(data.y_true, data.models, band=args.band, hull=args.hull, point=_point(args.point),
               kind="pairwise" if args.pairwise else None, highlight=args.highlight,
               **_run(args), **_options(data, args, roc))  # fmt: skip


def _pr(data: Predictions, args: argparse.Namespace) -> Any:
    from polyroc._plot.roc import precision_recall

    return precision_recall(data.y_true, data.models, highlight=args.highlight,
                            confidence=args.confidence,
                            **_options(data, args, precision_recall))  # fmt: skip


def _pairs(data: Predictions, args: argparse.Namespace) -> Any:
    from polyroc._plot.pairs import pairs

    return pairs(data.y_true, **_first(data), confidence=args.confidence,
                 **_options(data, args, pairs))  # fmt: skip


def _pair_differences(data: Predictions, args: argparse.Namespace) -> Any:
    from polyroc._plot.pairs import pair_differences

    _require_two(data)
    adjust: Any = None if args.adjust == "none" else args.adjust or "holm"
    own = _options(data, args, pair_differences)
    return pair_differences(data.y_true, data.models, adjust=adjust, **own)


def _polar(data: Predictions, args: argparse.Namespace) -> Any:
    from polyroc._plot.polar import polar

    return polar(data.y_true, data.models, highlight=args.highlight, confidence=args.confidence,
                 **_options(data, args, polar))  # fmt: skip


def _forest(data: Predictions, args: argparse.Namespace) -> Any:
    from polyroc._compare.compare import compare
    from polyroc._plot.forest import differences, models

    _require_two(data)
    measure = args.measure or usual_measure(data)
    found = compare(data.y_true, data.models, measure, confidence=args.confidence,
                    **_options(data, args, compare))  # fmt: skip
    return models(found) if args.kind == "models" else differences(found)


def _replicates(data: Predictions, args: argparse.Namespace) -> Any:
    from polyroc._inference.bootstrap import bootstrap
    from polyroc._plot.distributions import replicates

    name, scores = next(iter(data.models.items()))
    measure = args.measure or usual_measure(data)
    run = {**_run(args), **_options(data, args, bootstrap)}
    found = bootstrap(data.y_true, scores, measure, **run)
    return replicates(found, name=name)


def _folds(data: Predictions, args: argparse.Namespace) -> Any:
    from polyroc._plot.folds import folds

    if args.fold is None:
        raise Refusal("folds needs --fold COLUMN: the fold of each row")
    return folds(over_folds(data, args.measure or usual_measure(data), n_threads=args.threads),
                 highlight=args.highlight)  # fmt: skip


def _scores(data: Predictions, args: argparse.Namespace) -> Any:
    from polyroc._plot.distributions import scores

    return scores(data.y_true, **_first(data), **_options(data, args, scores))


def _confusion(data: Predictions, args: argparse.Namespace) -> Any:
    from polyroc._plot.confusion import confusion as draw
    from polyroc._points.confusion import confusion

    name, scores = next(iter(data.models.items()))
    own = _options(data, args, confusion)
    return draw(confusion(data.y_true, scores, confidence=args.confidence, **own), name=name)


def _probabilities(data: Predictions, args: argparse.Namespace) -> Any:
    from polyroc._plot.decision import calibration, decision_curve

    if len(data.classes) > 2 and args.of is None:
        raise Refusal(f"{args.kind} is of one class; choose by --of: {listed(data.classes)}")
    draw = calibration if args.kind == "calibration" else decision_curve
    own = _options(data, args, draw)
    return draw(data.y_true, data.models, confidence=args.confidence, highlight=args.highlight,
                **own)  # fmt: skip


_DRAWERS: Mapping[str, Callable[[Predictions, argparse.Namespace], Any]] = {
    "roc": _roc, "pr": _pr, "pairs": _pairs, "pair-differences": _pair_differences,
    "polar": _polar, "models": _forest, "differences": _forest, "replicates": _replicates,
    "folds": _folds, "scores": _scores, "confusion": _confusion,
    "decision-curve": _probabilities, "calibration": _probabilities,
}  # fmt: skip
