"""Threads, memory and parts of a run change no bit."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import polyroc as pr
import pytest

from given.bootstrap_calls import (
    METHODS,
    SCHEMES,
    binary,
    bits,
    boot,
    matrix,
    quietly,
    same,
    unbalanced,
)

# Threads and memory


@pytest.mark.parametrize("scheme", SCHEMES)
def test_threads_do_not_change_bits(scheme: Any) -> None:
    y, scores = matrix(3000, 5)
    measures = ["hand_till", "auc_mu", "one_vs_rest", "polar_area"]
    for w in (None, np.random.default_rng(5).random(3000)):
        options = {"scheme": scheme, "sample_weight": w, "pairs": False, "n_resamples": 130}
        one = boot(y, scores, measures, n_threads=1, **options)
        for count in (2, 3, 7, None):
            same(boot(y, scores, measures, n_threads=count, **options), one)


def least_memory(*arguments: Any, **options: Any) -> int:
    with pytest.raises(MemoryError) as caught:
        boot(*arguments, max_memory=1, **options)
    found = re.search(r"pass max_memory=(\d+) or more", str(caught.value))
    assert found is not None, str(caught.value)
    return int(found[1])


@pytest.mark.slow
@pytest.mark.parametrize("scheme", SCHEMES)
def test_memory_does_not_change_bits(scheme: Any) -> None:
    y, scores = matrix(2000, 6)
    measures = ["hand_till", "auc_mu", "polar_area"]
    for weighted in (False, True):
        w = np.random.default_rng(5).random(2000) if weighted else None
        options = {"scheme": scheme, "sample_weight": w, "n_resamples": 200}
        wanted = boot(y, scores, measures, **options)
        least = least_memory(y, scores, measures, **options)
        for factor in (2, 3, 16):
            same(boot(y, scores, measures, max_memory=factor * least, **options), wanted)
        same(boot(y, scores, measures, max_memory=2**80, **options), wanted)
        same(boot(y, scores, measures, max_memory=2 * least, n_threads=1, **options), wanted)


def test_memory_does_not_change_bits_of_pairs() -> None:
    y, scores = matrix(2000, 6)
    wanted = boot(y, scores, "hand_till", pairs=True, n_threads=1)
    least = least_memory(y, scores, "hand_till", pairs=True, n_threads=1)
    tight = boot(y, scores, "hand_till", pairs=True, n_threads=1, max_memory=2 * least)
    same(tight, wanted)


def test_the_memory_that_the_message_asks_for_is_enough() -> None:
    y, scores = matrix(2000, 6)
    runs: list[tuple[Any, dict[str, Any]]] = [
        ("hand_till", {}), ("auc_mu", {"n_resamples": 8, "n_threads": 1}),
        (["hand_till", "auc_mu", "polar_area"], {"pairs": True}),
    ]  # fmt: skip
    for measure, options in runs:
        least = least_memory(y, scores, measure, **options)
        boot(y, scores, measure, max_memory=least, **options)


def test_many_rows_of_few_kinds_are_drawn_together() -> None:
    y, scores = binary(6000, digits=0)
    result = boot(y, scores, "auc")
    assert result.path == "cells"
    assert "of 6,000 rows, equal rows together, stratified" in repr(result)
    for count in (1, 2, 5):
        same(boot(y, scores, "auc", n_threads=count), result)
    parts = [
        boot(y, scores, "auc", replicates=part)
        for part in (range(50, 99), range(13), range(13, 50))
    ]
    same(pr.BootstrapResult.join(parts), result)
    assert boot(y, scores, "auc", groups=np.arange(6000)).path == "rows"
    assert boot(y, scores, "auc", scheme="poisson").path == "rows"
    assert boot(y[:3000], scores[:3000], "auc").path == "rows"


# Parts of a run

PARTS = [range(33, 97), range(7), range(97, 99), range(8, 33), range(7, 8)]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("weighted", [False, True])
def test_parts_are_slices_of_the_run_and_join_to_it(scheme: Any, weighted: bool) -> None:
    y, scores = matrix()
    w = np.random.default_rng(5).random(60) if weighted else None
    options = {"scheme": scheme, "sample_weight": w, "pairs": True}
    for measure in ("auc_mu", ["hand_till", "polar_area"]):
        whole = boot(y, scores, measure, **options)
        parts = [boot(y, scores, measure, replicates=part, **options) for part in PARTS]
        for part, numbers in zip(parts, PARTS, strict=True):
            for name in part if isinstance(part, pr.Results) else [None]:
                piece, full = (part, whole) if name is None else (part[name], whole[name])
                assert piece.first == numbers.start
                assert piece.n_resamples == 99
                cut = slice(numbers.start, numbers.stop)
                assert bits(piece.replicates) == bits(full.replicates[cut])
                assert bits(piece.pairs.replicates) == bits(full.pairs.replicates[cut])
        same(pr.BootstrapResult.join(parts), whole)
        same(pr.BootstrapResult.join(iter(parts[::-1])), whole)


@pytest.mark.parametrize("method", [*METHODS, "studentized"])
def test_joined_intervals_are_those_of_the_run(method: Any) -> None:
    y, scores = binary()
    options = {"method": method, "confidence": [0.5, 0.95], "sides": "lower"}
    whole = boot(y, scores, "auc", **options)
    parts = [boot(y, scores, "auc", replicates=part, **options) for part in PARTS]
    same(pr.BootstrapResult.join(parts), whole)
    if method == "studentized":
        again = pr.BootstrapResult.join(parts).with_interval(sides="two")
        same(again, whole.with_interval(sides="two"))


def test_parts_join_step_by_step() -> None:
    y, scores = matrix()
    join = pr.BootstrapResult.join
    a, b, c = (
        boot(y, scores, replicates=part) for part in (range(40), range(40, 41), range(41, 99))
    )
    whole = boot(y, scores)
    same(join([join([a, b]), c]), whole)
    same(join([a, join([c, b])]), whole)
    same(join([whole]), whole)
    middle = join([b, c])
    assert (middle.first, len(middle.replicates)) == (40, 59)
    same(middle, boot(y, scores, replicates=range(40, 99)))


def test_parts_that_lose_classes_join_too() -> None:
    y, scores = unbalanced(40, 4)
    for degenerate in ("skip", "redraw"):
        options = {"stratify": False, "degenerate": degenerate, "n_resamples": 400}
        whole = quietly(y, scores, "auc", **options)
        parts = [
            quietly(y, scores, "auc", replicates=part, **options)
            for part in (range(150), range(150, 400))
        ]
        joined = pr.BootstrapResult.join(parts)
        assert bits(joined.replicates) == bits(whole.replicates)
        assert bits(joined.interval) == bits(whole.interval)
        assert (joined.n_lost, joined.n_redrawn) == (whole.n_lost, whole.n_redrawn)
        assert whole.n_lost + whole.n_redrawn > 0


def test_notes_of_parts_count_together() -> None:
    y, scores = unbalanced(40, 4)
    options = {"stratify": False, "n_resamples": 400}
    whole = quietly(y, scores, "auc", **options)
    parts = [
        quietly(y, scores, "auc", replicates=part, **options)
        for part in (range(150), range(150, 400))
    ]
    assert pr.BootstrapResult.join(parts).notes == whole.notes


def test_a_part_may_lose_all_of_its_replicates() -> None:
    y, scores = unbalanced(40, 4)
    options = {"stratify": False, "n_resamples": 400}
    whole = quietly(y, scores, "auc", **options)
    lost = int(np.flatnonzero(np.isnan(whole.replicates))[0])
    cuts = (range(lost), range(lost, lost + 1), range(lost + 1, 400))
    parts = [quietly(y, scores, "auc", replicates=part, **options) for part in cuts]
    assert bits(pr.BootstrapResult.join(parts).replicates) == bits(whole.replicates)


def test_replicates_do_not_depend_on_how_many_there_are() -> None:
    y, scores = matrix()
    few, many = boot(y, scores, n_resamples=10), boot(y, scores, n_resamples=1000)
    assert bits(few.replicates) == bits(many.replicates[:10])
    far = range(2**62 - 6, 2**62)
    parts = [
        boot(y, scores, n_resamples=2**62, replicates=part)
        for part in (far, range(far.start, far.start + 2))
    ]
    assert bits(parts[0].replicates[:2]) == bits(parts[1].replicates)
    assert len(np.unique(parts[0].replicates)) > 1


def test_join_refuses_what_is_not_one_run() -> None:
    y, scores = matrix()
    join = pr.BootstrapResult.join
    head, tail = range(50), range(50, 99)

    def part(replicates: range, measure: Any = "auc_mu", **options: Any) -> Any:
        return boot(options.pop("y", y), options.pop("P", scores), measure,
                    replicates=replicates, **options)  # fmt: skip

    foreign = r"^the results come from different runs \(.*\); join parts of one run$"
    others: list[dict[str, Any]] = [
        {"seed": 2}, {"n_resamples": 100}, {"scheme": "poisson"}, {"stratify": False},
        {"measure": "hand_till"}, {"measure": pr.AucMu(ties="exact")}, {"groups": np.arange(60)},
        {"degenerate": "redraw"}, {"y": y[3:], "P": scores[3:]},
    ]  # fmt: skip
    for other in others:
        with pytest.raises(ValueError, match=foreign):
            join([part(head), part(tail, **other)])
    with pytest.raises(ValueError, match=r"^the results have different estimates; were the data "):
        join([part(head), part(tail, P=scores[::-1])])
    with pytest.raises(ValueError, match=r"^the parts overlap at replicate 40; join ranges that "):
        join([part(tail), part(range(40, 50)), part(range(41))])
    with pytest.raises(ValueError, match=r"^the parts overlap at replicate 0; "):
        join([part(head), part(head)])
    with pytest.raises(ValueError, match=r"^the parts leave a gap at replicate 50; "):
        join([part(head), part(range(51, 99))])
    with pytest.raises(ValueError, match=r"^there is nothing to join; pass at least one result$"):
        join([])
    with pytest.raises(TypeError, match=r"^an object of type float cannot be joined; "):
        join([part(head), 0.5])
    with pytest.raises(TypeError, match=r"^an object of type dict cannot be joined; "):
        join([part(head), {"auc_mu": part(tail)}])
    with pytest.raises(ValueError, match=r"^the results hold different measures; join like with"):
        join([part(head, ["auc_mu"]), part(tail, ["auc_mu", "hand_till"])])


@pytest.mark.parametrize("other", [{"method": "studentized"}, {"pairs": True}], ids=str)
def test_join_refuses_parts_of_different_make(other: Any) -> None:
    y, scores = matrix() if "pairs" in other else binary()
    measure = "hand_till" if "pairs" in other else "auc"
    head = boot(y, scores, measure, replicates=range(50), **other)
    tail = boot(y, scores, measure, replicates=range(50, 99))
    with pytest.raises(ValueError, match=r"^the results "):
        pr.BootstrapResult.join([head, tail])
    with pytest.raises(ValueError, match=r"^the results "):
        pr.BootstrapResult.join(
            [
                boot(y, scores, measure, replicates=range(50)),
                boot(y, scores, measure, replicates=range(50, 99), **other),
            ]
        )
