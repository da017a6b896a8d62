"""Which class a column of scores belongs to, where its name tells."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

import numpy as np

from polyroc._base.checks import show
from polyroc._base.warn import warn
from polyroc._data.labels import label_list

if TYPE_CHECKING:
    from collections.abc import Callable

    from polyroc._base.types import Array

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PROBABILITY = re.compile(
    r"(?i)p(?:rob|roba|robability)?[\W_]*(?:(?:y|class)[\W_]*)*(\d+|true|false)(?:\.0)?\W*"
)
_LETTERS = 3  # of a class from which on "p" before it does not make another word by chance


def labels_of_columns(names: list[Any], found: Array, labels: Any) -> Any:
    """Return the labels in the order that named columns give them; `labels` if they give none.

    Columns may be named after the classes, or "prob_a", "prob_b", ...: all alike but for the class.
    Names of which some are classes have to name all; none may stand in the place of another class;
    of other names a warning says that they were not understood.
    """
    known = list(found) if labels is None else label_list(labels, found)
    for key in (_same, str, _whole):
        named = {key(label): label for label in known}
        keys = [key(name) for name in names]
        shared = named.keys() & set(keys)
        if not shared:
            continue
        ordered = [named.get(k, name) for k, name in zip(keys, names, strict=True)]
        if labels is not None:
            if len(shared) == len(keys) == len(known) and ordered != known:
                raise _other_order(known, names)
            _refuse_misplaced(names, known)
            return labels
        if len(shared) < len(known) or len(set(keys)) < len(keys):
            told = dressed(names, known)
            if told is not None:
                return told
            raise ValueError(
                f"the columns of y_score are named {show(names)} but y_true holds {show(known)}; "
                "name one column after each class, or pass a bare array and labels="
            )
        return ordered
    if _are_numbered(names):
        return labels
    if len(names) != len(known):
        return labels  # too many or too few, as the caller will say
    told = dressed(names, known)
    if told is None:
        _refuse_misplaced(names, known)
    if labels is not None:
        if told is not None and told != known:
            raise _other_order(known, names)
        return labels
    if told is None:
        models = ", or the scores of one model if these are of two" if len(names) == 2 else ""
        warn(
            f"no column of y_score is named after a class: {show(names)} are taken to be those of "
            f"{show(known)}, in this order; name the columns after the classes, or pass labels= "
            f"or a bare array if the order is right{models}",
            UserWarning,
        )
    return told


def dressed(names: list[Any], labels: list[Any]) -> list[Any] | None:
    """Return the labels in the order of names that have one beginning and end around them.

    Letters may be of the other case, "low risk" stand as "low.risk" or "LowRisk", and 0 and 1 as
    "False" and "True".
    """
    texts = [str(name) for name in names]
    folded = [_folded(text) for text in texts]
    told = (
        _dressed(texts, labels, str)
        or _dressed(texts, labels, _whole)
        or _dressed(folded, labels, _folded)
    )
    if told is None and _are_bits(labels):
        told = _dressed(folded, labels, _truth) or _dressed(folded, labels, _bit)
    return told


def _dressed(
    names: list[str], labels: list[Any], text_of: Callable[[Any], str]
) -> list[Any] | None:
    head, texts = names[0], [text_of(label) for label in labels]
    wanted = set(names)
    for text in texts:
        for start in range(len(head) - len(text) + 1):
            if not head.startswith(text, start):
                continue
            before, after = head[:start], head[start + len(text) :]
            named = {
                before + text + after: label for text, label in zip(texts, labels, strict=True)
            }
            if named.keys() == wanted and len(named) == len(names):
                return [named[name] for name in names]
    return None


def refuse_other_class(
    name: Any, labels: Array | tuple[Any, ...] | list[Any], way: str = "pos_label={}"
) -> None:
    """Raise if the only column is named after the class whose scores it must not hold.

    `way` is what to pass if they are those of that class.
    """
    if class_of_single(name, labels) == 0:
        raise ValueError(
            f"y_score is named {show(name)}, but 1-D scores are those of {show(labels[1])}; pass "
            f"{way.format(show(labels[0]))}, or a bare array or another name if it means something "
            "else"
        )


def class_of_single(name: Any, labels: Array | tuple[Any, ...] | list[Any]) -> int | None:
    """Return which class the name of an only column holds: `class_in_name`, or a number.

    Of numbers only those that say to be of a probability: "p_0", "prob_0", "P(y = 0)". "fold_0"
    and "model 1" are not about classes 0 and 1. Of several columns not even those, as they may be
    numbered from 0 while classes are from 1.
    """
    found = _PROBABILITY.fullmatch(name) if isinstance(name, str) else None
    bits = _are_bits(labels)
    if found is not None and (bits or not any(isinstance(label, str) for label in labels)):
        write = _bit if bits else _whole
        texts, said = [write(label) for label in labels], write(found[1])
        return texts.index(said) if said in texts else None
    return class_in_name(name, labels)


def class_in_name(name: Any, labels: Array | tuple[Any, ...] | list[Any]) -> int | None:
    """Return which class a name holds, as "p_dead" holds "dead"; None if it tells none or several.

    Of classes of which one is part of the other, "ill" and "not ill", it is the longer one.
    """
    if not isinstance(name, str) or not all(isinstance(label, str) for label in labels):
        return None
    for fold in (str, str.casefold):
        texts = [fold(label) for label in labels]
        if fold(name) in texts:
            return texts.index(fold(name))
        own, words = _words(name, fold), [_words(label, fold) for label in labels]
        held = [
            k
            for k, (label, part) in enumerate(zip(labels, words, strict=True))
            if (_holds(own, part) or _begins(own, part) if part else _ends(name, label))
        ]
        longest = [k for k in held if all(j == k or _holds(words[k], words[j]) for j in held)]
        if len(longest) == 1:
            return longest[0]
        if held:
            return None
    return None


def misplaced(names: list[Any], labels: list[Any]) -> int | None:
    """Return the first column that names one class and stands in the place of another."""
    if len(names) != len(labels):
        return None
    told = (class_in_name(name, labels) for name in names)
    return next((k for k, own in enumerate(told) if own not in (None, k)), None)


def _refuse_misplaced(names: list[Any], labels: list[Any]) -> None:
    k = misplaced(names, labels)
    if k is not None:
        raise ValueError(
            f"the column {show(names[k])} of y_score stands in the place of {show(labels[k])}, as "
            f"classes come in the order {show(labels)}; name every column after its class, or "
            "pass a bare array with labels= in the order of its columns"
        )


def _other_order(labels: list[Any], names: list[Any]) -> ValueError:
    return ValueError(
        f"labels is {show(labels)} but the columns of y_score are named {show(names)}; "
        "drop labels= to follow the names, or pass y_score as a bare array"
    )


def _are_numbered(names: list[Any]) -> bool:
    """Tell whether columns have the names that frames give to those without."""
    plain = [[k, str(k), f"column_{k}", f"c{k}", f"f{k}"] for k in range(len(names))]
    return all(name is None or name in known for name, known in zip(names, plain, strict=True))


def _same(value: Any) -> Any:
    return value


def _whole(value: Any) -> str:
    """Return 2.0 as "2": classes that were integers before a table had gaps are floats.

    True is "1", as models write it.
    """
    whole = isinstance(value, (float, np.floating)) and value.is_integer()
    return str(int(value)) if whole or isinstance(value, (bool, np.bool_)) else str(value)


def _are_bits(labels: Array | tuple[Any, ...] | list[Any]) -> bool:
    """Tell whether the classes are 0 and 1, or False and True, which some write as the others."""
    return sorted(map(_bit, labels)) == ["0", "1"]


def _bit(value: Any) -> str:
    text = _whole(value).casefold()
    return {"false": "0", "true": "1"}.get(text, text)


def _truth(value: Any) -> str:
    return "true" if _bit(value) == "1" else "false"


def _folded(value: Any) -> str:
    return re.sub(r"[\W_]+", "", normalize("NFKC", str(value))).casefold()


def _words(text: str, fold: Callable[[str], str]) -> list[str]:
    """Return the words of a text, of which "probDead" has two."""
    return [fold(word) for word in re.findall(r"[^\W_]+", _HUMP.sub(" ", text))]


def _holds(words: list[str], part: list[str]) -> bool:
    width = len(part)
    return width > 0 and any(words[k : k + width] == part for k in range(len(words) - width + 1))


def _begins(words: list[str], part: list[str]) -> bool:
    """Tell whether a word is a class, or one with "p" or the like before it, as "pdead"."""
    text = "".join(part)
    if len(text) < _LETTERS:
        return False
    return any(word in (start + text for start in ("", "p", "prob", "proba")) for word in words)


def _ends(name: str, sign: str) -> bool:
    """Tell whether a name ends with a class that has no letters, as "p_+" does, and "P(+)"."""
    return bool(sign.strip()) and name.rstrip(" )]}").endswith(sign)
