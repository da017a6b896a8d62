"""Several measures of one call: a mapping that prints as one table."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Mapping
from typing import Any

import numpy as np
import polyroc as pr
import pytest

from given.bootstrap_calls import boot, matrix, same

Y, P = matrix()
LISTED = ["hand_till", "auc_mu"]
NAMED = {"M": "hand_till", "each": pr.OneVsRest(None), "<i>": pr.PolarArea()}


def both(measure: Any = None, **options: Any) -> list[Any]:
    listed: Any = NAMED if measure is None else measure
    return [boot(Y, P, listed, **options), pr.delong(Y, P, listed)]


def test_results_are_a_mapping_that_cannot_be_changed() -> None:
    for results in both():
        assert type(results) is pr.Results
        assert issubclass(pr.Results, Mapping)
        assert list(results) == list(NAMED)
        assert len(results) == 3
        assert "M" in results
        assert "auc" not in results
        assert dict(results) == {name: results[name] for name in NAMED}
        assert {**results} == results == dict(results)
        assert results.get("nothing") is None
        with pytest.raises(
            KeyError, match=r"no measure 'nothing'; there are \['M', 'each', '<i>'\]"
        ):
            results["nothing"]
        assert repr(results.keys()) == "dict_keys(['M', 'each', '<i>'])"
        with pytest.raises(TypeError):
            results["M"] = 1  # type: ignore[index]
        assert results._ipython_key_completions_() == list(NAMED)
    assert isinstance(boot(Y, P, "hand_till"), pr.BootstrapResult)
    assert isinstance(boot(Y, P, ["hand_till"]), pr.Results)


def test_each_is_the_result_of_its_own_call() -> None:
    for results in both(LISTED):
        for name in LISTED:
            assert results[name] == (
                boot(Y, P, name) if isinstance(results[name], pr.BootstrapResult)
                else pr.delong(Y, P, name)
            )  # fmt: skip


def test_pickles_and_copies_are_equal() -> None:
    for results in both():
        for again in (
            pickle.loads(pickle.dumps(results)),
            copy.copy(results),
            copy.deepcopy(results),
        ):
            assert type(again) is pr.Results
            assert again == results
            assert repr(again) == repr(results)
        assert b"_inference.results" not in pickle.dumps(results)


def test_the_table() -> None:
    # One measure has counts in it, so that they vary for all of them.
    varying = {"stratify": False}
    m, polar = boot(Y, P, "hand_till", **varying), boot(Y, P, "polar_area", **varying)
    results = boot(Y, P, NAMED)
    rows = [
        f"{name:<7}  {one.estimate:.4f}  {one.standard_error:>9.2g}  "
        f"{one.interval[0]:.4f} to {one.interval[1]:.4f}"
        for name, one in (("M", m), ("<i>", polar))
    ]
    assert repr(results).splitlines() == [
        "measure   value  std error  95 % BCa interval",
        *rows,
        "  each: one value per class, see ['each']",
        "  99 replicates of 60 rows, not stratified, as class counts enter "
        "OneVsRest(average=None), seed 1",
    ]
    assert repr(pr.delong(Y, P, [pr.OneVsRest(None)])) == (
        "  OneVsRest(average=None): one value per class, see ['one_vs_rest']\n"
        "  60 rows, class counts vary, as they enter OneVsRest(average=None)"
    )


def test_options_show_unless_the_caller_named_the_measure() -> None:
    weighted = pr.AucMu(pair_weights="prevalence")
    assert "AucMu(pair_weights='prevalence')  0." in repr(pr.delong(Y, P, [weighted]))
    assert "\nmu  " in repr(pr.delong(Y, P, {"mu": weighted}))


def test_levels_and_sides() -> None:
    text = repr(boot(Y, P, LISTED, confidence=[0.5, 0.995], sides="upper", method="normal"))
    head = text.splitlines()[0]
    assert (
        head == "measure     value  std error  50 % normal upper bound  99.5 % normal upper bound"
    )


def test_notes_are_said_once_with_those_they_concern() -> None:
    y, scores = np.repeat([0, 1], 20), np.r_[np.arange(20), np.arange(10, 30)].astype(float)
    two = np.column_stack([-scores, scores])
    two[:20, 0] += 1000  # one column separates the classes, one does not
    results = pr.delong(y, two, {"M": "hand_till", "each": pr.OneVsRest(None)})
    assert results["each"].notes
    assert not results["M"].notes
    assert f"  note: each: {results['each'].notes[0]}" in repr(results).splitlines()
    few = boot(Y, P, LISTED, n_resamples=39)
    assert repr(few).count("39 replicates are few") == 1
    pairs = boot(Y, P, LISTED, pairs=True)
    last = "each has .pairs, the same for all pairs of classes"
    assert repr(pairs).splitlines()[-1] == f"  {last}"
    assert pairs._repr_html_().count(last) == 1
    assert repr(pairs["hand_till"]).splitlines()[-1] == (
        "  .pairs holds the same for all pairs of classes"
    )
    mixed = pr.Results({"M": pairs["hand_till"], "mu": boot(Y, P, "auc_mu")})
    assert repr(mixed).splitlines()[-1] == "  M: .pairs, the same for all pairs of classes"
    of_pairs = pr.Results({"M": pairs["hand_till"].pairs})
    assert "  M: one value per pair of classes, see ['M']" in repr(of_pairs).splitlines()


def test_methods_that_differ_stand_beside_the_limits() -> None:
    y, scores = np.arange(40) % 2, np.arange(40) % 2 + np.arange(40) / 100
    noisy = scores.copy()
    noisy[:6] = noisy[:6][::-1]
    several = pr.bootstrap(y, noisy, ["auc", pr.OneVsRest()], n_resamples=50, seed=1)
    assert "BCa interval" in repr(several)
    by_t = {"clean": pr.delong(y, scores, "auc"), "noisy": pr.delong(y, noisy, "auc")}
    assert "95 % DeLong (t) interval" in repr(pr.Results(by_t)).splitlines()[0]
    mixed = pr.Results({
        name: pr.delong(y, s, "auc", reference="normal")
        for name, s in (("clean", scores), ("noisy", noisy))
    })  # fmt: skip
    assert "95 % interval" in repr(mixed).splitlines()[0]
    assert repr(mixed).splitlines()[1].endswith("(Newcombe)")
    assert repr(mixed).splitlines()[2].endswith("(DeLong (logit))")
    with pytest.raises(ValueError, match=r"^the results have different confidence levels or sides"):
        pr.Results({"a": mixed["clean"], "b": mixed["clean"].with_interval(0.9)})


def test_other_forms() -> None:
    for results in both():
        out = results.to_dict()
        assert json.loads(json.dumps(out, allow_nan=False)) == out
        assert out == {name: one.to_dict() for name, one in results.items()}
        for library in ("pandas", "polars"):
            frame = results.to_frame(library)
            assert frame["measure"].to_list() == ["M", "each", "each", "each", "<i>"]
            assert frame["class"].to_list()[1:4] == [0, 1, 2]
            assert frame["class"].to_list()[::4] == [None, None]
            assert set(frame["sides"].to_list()) == {"two"}
            assert frame["estimate"].to_list()[0] == results["M"].estimate
            assert frame["high"].to_list()[4] == results["<i>"].interval[1]
        assert results.to_markdown().count("\n") == 6
        assert "| &lt;i> |  | " in results.to_markdown()
        assert r"$<$i$>$ &  & " in results.to_latex()
        shown = results._repr_html_()
        assert "<i>" not in shown
        assert "&lt;i&gt;" in shown
        assert "60 rows" in shown
        assert shown.count("<tr") == 6
        order = [shown.index(f">{name}<") for name in ("M", "&lt;i&gt;", "each")]
        assert order == sorted(order)  # single numbers first


def test_lines_of_a_frame_are_found_by_name_and_class() -> None:
    weighted = pr.AucMu(pair_weights="prevalence")
    results = pr.delong(Y, P, [weighted, pr.OneVsRest(None)])
    frame = results.to_frame("pandas")
    assert [results[name].measure for name in frame["measure"][:1]] == [weighted]
    assert frame.query("`class` == 2")["estimate"].tolist() == [results["one_vs_rest"].estimate[2]]
    polars = results.to_frame("polars")
    assert polars.filter(polars["class"] == 2)["estimate"].to_list() == [
        results["one_vs_rest"].estimate[2]
    ]


def test_frames_of_classes_of_different_types() -> None:
    names = np.array(["a", "b", "c"])
    each = pr.OneVsRest(None)
    mixed = pr.Results({"one": pr.delong(Y, P, each), "other": pr.delong(names[Y], P, each)})
    for library in ("pandas", "polars"):
        assert mixed.to_frame(library)["class"].to_list() == ["0", "1", "2", "a", "b", "c"]


@pytest.mark.parametrize("sides", ["lower", "upper"])
def test_frames_say_which_side_is_bounded(sides: Any) -> None:
    for result in (boot(Y, P, "hand_till", sides=sides), pr.delong(Y, P, sides=sides)):
        frame = result.to_frame("polars")
        assert frame["sides"].to_list() == [sides]
        assert frame.select("low", "high").row(0) == tuple(result.interval)


def test_parts_join_to_results() -> None:
    parts = [boot(Y, P, NAMED, replicates=part) for part in (range(40), range(40, 99))]
    joined = pr.BootstrapResult.join(parts)
    assert type(joined) is pr.Results
    assert joined == boot(Y, P, NAMED)
    same(pr.BootstrapResult.join([dict(part) for part in parts]), joined)
