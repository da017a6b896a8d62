"""Which column is what: guesses are told, names are matched, never positions in silence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from polyroc._cli.refusal import Refusal, listed, nearest
from polyroc._data.column_names import class_of_single, dressed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from polyroc._cli.sources import Source

BY_MODEL = "{model}_p_{class}"  # as the bundled example is written
LABELS = ("y", "y_true", "label", "labels", "target", "truth", "class", "outcome")
# Usual names of scores, the plainest form first: of p_cat and patient, the second is no score.
_SCORES = [
    re.compile(f"(?:p|pr|prob|proba|probability|score|pred|prediction){rest}", re.I)
    for rest in (r"[_.\- ](.+)", r"(\d*)", r"(.*)")
]


class Score(NamedTuple):
    """A column of scores: its name, and what the pattern says of its model and class."""

    column: str
    model: str
    part: str  # the class that it is of, or empty


def label_column(source: Source, given: str | None) -> str:
    """Return the column of labels: the one named, or the only one with a usual name."""
    if given is not None:
        _require(source, given)
        return given
    usual = [name for name in source.columns if name.lower() in LABELS]
    if len(usual) == 1:
        return usual[0]
    raise Refusal(
        f"which column of {source.name} holds the labels? pass --label; "
        f"it has {listed(source.columns)}"
    )


def score_columns(
    source: Source, patterns: Sequence[str] | None, reserved: Iterable[str]
) -> list[Score]:
    """Return the columns of scores: those that the patterns match, or those with usual names."""
    taken = set(reserved)
    free = [name for name in source.columns if name not in taken]
    if patterns is None:
        for form in _SCORES:
            found = [(name, form.fullmatch(name)) for name in free]
            scores = [Score(name, source.stem, match[1]) for name, match in found if match]
            if scores:
                return scores
        if len(free) == 1:
            return [Score(free[0], source.stem, "")]
        if _by_model(free):
            return score_columns(source, [BY_MODEL], taken)
        raise Refusal(
            f'which columns of {source.name} hold scores? pass --scores, as "p_*"; '
            f"it has {listed(free)}"
        )
    scores = []
    for pattern in patterns:
        names = [(name, _pattern(pattern).fullmatch(name)) for name in free]
        matched = [
            Score(name, match.groupdict().get("model") or source.stem, _part(match))
            for name, match in names
            if match
        ]
        if not matched:
            several = pattern.split(",")
            if len(several) > 1 and set(several) <= set(free):
                each = " ".join(f"--scores {name}" for name in several)
                raise Refusal(f"--scores {pattern!r} names several columns; pass {each}")
            hint = f"; try {BY_MODEL!r}" if _by_model(free) else nearest(pattern, free)
            raise Refusal(
                f"--scores {pattern!r} matches no column of {source.name}{hint}; "
                f"it has {listed(free)}"
            )
        scores += [score for score in matched if score not in scores]
    return scores


def _by_model(names: Sequence[str]) -> bool:
    """Tell whether columns are named by model and class, with the same classes for every model."""
    classes: dict[str, list[str]] = {}
    for match in filter(None, map(_pattern(BY_MODEL).fullmatch, names)):
        classes.setdefault(match["model"], []).append(match["part"])
    found = [sorted(parts) for parts in classes.values()]
    return bool(found) and len(found[0]) > 1 and found.count(found[0]) == len(found)


def _pattern(pattern: str) -> re.Pattern[str]:
    """Return a glob, or a pattern with {model} and {class}, as a regular expression."""
    parts = re.split(r"(\{model\}|\{class\}|\*|\?)", pattern)
    ways = {"{model}": "(?P<model>.+)", "{class}": "(?P<part>.+)", "*": "(.*)", "?": "(.)"}
    return re.compile("".join(ways.get(part, re.escape(part)) for part in parts), re.DOTALL)


def _part(match: re.Match[str]) -> str:
    """Return the part of a name that is the class: {class}, or what the only star stands for."""
    if "part" in match.groupdict():
        return match["part"]
    return match[1] if len(match.groups()) == 1 and "model" not in match.groupdict() else ""


def by_class(
    scores: Sequence[Score], classes: Sequence[str], absent: str
) -> tuple[list[str], list[str]]:
    """Return the columns of a model and the class of each, matched by name."""
    columns, labels = [], []
    for label in classes:
        own = [score for score in scores if label in (score.part, score.column)]
        own = own or [score for score in scores if label in _words(score.column)]
        names = [score.column for score in scores]
        if not own:
            told = dressed(names, list(classes))  # in another writing: LowRisk of "low risk"
            if told is not None:
                return names, told
            raise Refusal(
                f"no column for class {label!r}{nearest(label, names)}; name columns p_CLASS"
            )
        if len(own) > 1:
            named = listed(score.column for score in own)
            raise Refusal(f"class {label!r} has several columns: {named}; name them by --scores")
        columns.append(own[0].column)
        labels.append(label)
    twice = sorted({column for column in columns if columns.count(column) > 1})
    if twice:
        raise Refusal(f"column {twice[0]!r} is named after several classes; name columns p_CLASS")
    for score in scores:
        if score.column not in columns:
            if absent == "raise":
                raise Refusal(
                    f"column {score.column!r} is of no class that has rows ({listed(classes)}); "
                    "leave it out by --scores, or pass --absent skip"
                )
            columns.append(score.column)
            labels.append(score.part or score.column)
    return columns, labels


def are_markers(
    scores: Sequence[Score], classes: Sequence[str], patterns: Sequence[str] | None
) -> bool:
    """Tell whether columns are models of two classes: each asked for by name, none of a class."""
    if len(scores) < 2 or len(classes) != 2 or patterns is None:
        return False
    named = sorted(patterns) == sorted(score.column for score in scores)
    return named and not any(
        _words(score.column) & set(classes)
        or class_of_single(score.column, list(classes)) is not None
        for score in scores
    )


def _words(name: str) -> set[str]:
    return {name, *re.findall(r"[^\W_]+", name)}


def positive_class(score: Score, classes: Sequence[str], args: Any) -> tuple[str, str]:
    """Return the class that one column of scores stands for, and why."""
    options = {"--positive": args.positive, "--of": getattr(args, "of", None)}
    told = {option: given for option, given in options.items() if given is not None}
    for option, given in told.items():
        if given not in classes:
            raise Refusal(
                f"{option} {given!r} is none of the classes {listed(classes)}"
                f"{nearest(given, classes)}"
            )
    if len(set(told.values())) > 1:
        raise Refusal(
            f"one column of scores ({score.column!r}) stands for one class, but --positive is "
            f"{args.positive!r} and --of is {args.of!r}; leave out one of them"
        )
    for option, given in told.items():
        return given, option
    named = [label for label in classes if label in (score.part, score.column)]
    named = named or [label for label in classes if label in _words(score.column)]
    if len(named) == 1:
        return named[0], "by name"
    held = class_of_single(score.column, list(classes))
    if held is not None:
        return classes[held], "by name"
    return classes[1], "the second class; --positive names another"


def segment_specs(source: Source, args: Any) -> list[tuple[str, ...]]:
    """Return the columns of each --by: one, or several with commas between them."""
    given = getattr(args, "by", None) or []
    return [(one,) if one in source.columns else tuple(one.split(",")) for one in given]


def segment_columns(source: Source, args: Any) -> list[str]:
    """Return the columns of all --by, each once."""
    names = [name for spec in segment_specs(source, args) for name in spec]
    return require_columns(source, dict.fromkeys(names))


def in_order(values: Iterable[str]) -> list[Any]:
    """Return classes in order: as whole numbers where all are written as such, else as words."""
    words = sorted(values)
    if all(re.fullmatch(r"-?(0|[1-9]\d*)", word) for word in words):
        return sorted(words, key=int)
    return words


def _require(source: Source, column: str) -> None:
    if column not in source.columns:
        raise Refusal(
            f"{source.name} has no column {column!r}{nearest(column, source.columns)}; "
            f"it has {listed(source.columns)}"
        )


def require_columns(source: Source, columns: Iterable[str | None]) -> list[str]:
    """Return the columns that were named; raise if the file lacks one of them."""
    named = [column for column in columns if column is not None]
    for column in named:
        _require(source, column)
    return named
