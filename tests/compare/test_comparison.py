"""What a comparison gives back: how it prints, what it holds, what it can be turned into."""

from __future__ import annotations

import copy
import dataclasses
import json
import math
import pickle
import sys
from typing import Any

import numpy as np
import polyroc as pr
import pytest

from oracle import compare_reference as slow

Y, A, B = slow.scored(60, digits=1)
TWO = {"a": A, "b": B}
THREE = {"logistic regression": A, "random forest": B, "random forest, again": B}


def two(**options: Any) -> pr.Comparison:
    return pr.compare(Y, TWO, **options)


def three(**options: Any) -> pr.Comparison:
    return pr.compare(Y, THREE, "hand_till", **options)


def lines(text: str) -> str:
    return text.strip("\n")


def test_two_models() -> None:
    assert repr(two()) == lines("""
auc_mu of 2 models on the same 60 rows: DeLong, t

  model  auc_mu  std error  95 % interval
  a      0.8126      0.050  0.6689 to 0.8960
  b      0.7482      0.071  0.5582 to 0.8703

  difference           95 % interval            p
  a - b       +0.0645  -0.0847 to +0.2356  0.4154
""")


def test_z_tests_say_what_they_lack() -> None:
    text = repr(two(reference="normal")).splitlines()
    assert text[0] == "auc_mu of 2 models on the same 60 rows: DeLong"
    assert text[7] == "  a - b       +0.0645  -0.0761 to +0.2050  0.3687"
    assert text[-1] == (
        "  note: class 2 has 8 rows: with fewer than 20 the z-test rejects equal models too often; "
        'pass reference="t", method="bootstrap" or method="permutation"'
    )
    every = repr(three(reference="normal"))
    assert "  all equal: chi-square 0.4909, 1 degree of freedom, p = 0.4835\n" in every
    assert "the z-test and the chi-square test reject equal models too often" in every


def test_a_permutation_says_what_is_delongs() -> None:
    c = two(method="permutation", n_resamples=99, seed=7, confidence=0.9)
    assert repr(c) == lines("""
auc_mu of 2 models on the same 60 rows: 99 permutations, seed 7

  model  auc_mu  std error  90 % interval
  a      0.8126      0.050  0.6942 to 0.8844
  b      0.7482      0.071  0.5932 to 0.8528

  difference           90 % interval            p
  a - b       +0.0645  -0.0605 to +0.2053  0.3700

  p by permutation, which tests that models are exchangeable; errors and intervals by DeLong, t
""")


def test_what_is_not_known_is_a_dash() -> None:
    models = {"a": A[:, 1], "b": B[:, 1]}
    c = pr.compare(Y == 1, models, "kolmogorov_smirnov", method="permutation",
                   n_resamples=99, seed=7)  # fmt: skip
    text = repr(c).splitlines()
    first, second = (f"{value:.4f}" for value in c.estimates)
    width = len("kolmogorov_smirnov")
    assert text[3:5] == [
        f"  a      {first:>{width}}          -  -",
        f"  b      {second:>{width}}          -  -",
    ]
    assert text[7].split() == ["a", "-", "b", f"{c.difference:+.4f}", "-", f"{c.p_value:.4f}"]
    shown = f"a - b | {c.difference:+.4f} | - | {c.p_value:.4f} |"
    assert c.to_markdown().endswith(shown)
    assert c.to_markdown("models").endswith(f"| b | {second} | - | - |")
    assert rf"b & {second} & - & - \\" in c.to_latex("models")
    for form in (repr(c).partition("note:")[0], c.to_markdown(), c.to_latex()):
        assert "nan" not in form
    assert "nan to" not in c._repr_html_()
    for what in ("pairs", "models"):
        frame = c.to_frame("polars", what=what)
        assert frame["standard_error"].null_count() == len(frame)
        assert str(frame["low"].dtype) == "Float64"


def test_three_models_with_a_margin_and_notes() -> None:
    assert repr(three(margin=0.05, adjust="bonferroni")) == lines("""
hand_till of 3 models on the same 60 rows: DeLong, t

  model                 hand_till  std error  95 % interval
  logistic regression      0.7177      0.041  0.6117 to 0.7964
  random forest            0.6853      0.057  0.5425 to 0.7947
  random forest, again     0.6853      0.057  0.5425 to 0.7947

  difference                                           95 % interval            p  p (Bonferroni)  p (non-inferior)  p (equivalent)
  logistic regression - random forest         +0.0324  -0.0618 to +0.1392  0.5218          1.0000            0.0428          0.3900
  logistic regression - random forest, again  +0.0324  -0.0618 to +0.1392  0.5218          1.0000            0.0428          0.3900
  random forest - random forest, again        +0.0000  +0.0000 to +0.0000  1.0000          1.0000          < 0.0001        < 0.0001

  all equal: F 0.4909 on 1 and 14.8 degrees of freedom, p = 0.5218
  non-inferior: first > second - 0.05; equivalent: within 0.05
  note: random forest - random forest, again: the difference does not vary: every unit moves both models alike
  note: all equal: differences vary in 1 of 2 directions; p is raised to the least p-value of the pairs; that of F by itself is smaller
""")  # noqa: E501


def test_the_head_names_options_units_and_resamples() -> None:
    def head(*arguments: Any, **options: Any) -> str:
        return repr(pr.compare(*arguments, **options)).splitlines()[0]

    run: dict[str, Any] = {"method": "bootstrap", "n_resamples": 1000, "seed": 1}
    assert head(Y, TWO, **run) == (
        "auc_mu of 2 models on the same 60 rows: paired bootstrap, t, 1,000 resamples, seed 1"
    )
    assert head(Y, TWO) == "auc_mu of 2 models on the same 60 rows: DeLong, t"
    assert head(Y, TWO, reference="normal") == "auc_mu of 2 models on the same 60 rows: DeLong"
    assert head(Y, THREE, pr.OneVsRest("micro"), groups=np.arange(60) // 3) == (
        "OneVsRest(average='micro') of 3 models on the same 60 rows in 20 groups: DeLong, t"
    )
    apart, own = {"a": Y, "b": Y}, {"a": np.arange(60), "b": np.arange(60) // 2}
    assert head(apart, TWO, **run) == (
        "auc_mu of 2 models on different rows (120 in all): bootstrap, t, 1,000 resamples, seed 1"
    )
    assert head(apart, TWO, groups=own) == (
        "auc_mu of 2 models on different groups (120 rows in 90 groups in all): DeLong, t"
    )


def test_six_models_have_fifteen_rows_in_columns() -> None:
    rng = np.random.default_rng(1)
    models = {f"model {k} " + "x" * k: A + rng.normal(size=A.shape) for k in range(6)}
    text = repr(pr.compare(Y, models, adjust=None)).splitlines()
    table = text[11:26]
    assert all(line.startswith("  model ") for line in table)
    assert len({line.index(" to ") for line in table}) == 1
    assert len({len(line) for line in text[10:26]}) == 1
    assert text[27].startswith("  all equal: F ")
    assert text[27].endswith(tuple("0123456789"))
    assert " on 5 and " in text[27]
    assert " degrees of freedom, p " in text[27]
    assert "p (Holm)" not in "\n".join(text)


def test_small_errors_show_their_digits() -> None:
    y = np.arange(2000) % 2
    a = y + np.random.default_rng(0).normal(size=2000) / 5
    b = np.where(np.arange(2000) < 4, a + 0.5, a)
    c = pr.compare(y, {"a": a, "b": b}, "auc")
    assert 0 < c.standard_error < 1e-4
    shown = next(line.split()[3] for line in repr(c).splitlines() if line.startswith("  a - b "))
    assert c.difference != 0
    assert abs(float(shown) - c.difference) < c.standard_error / 5


def test_notes_of_many_are_one_sentence() -> None:
    y = np.arange(20) % 2
    models = {name: (k + 1.0) * y for k, name in enumerate("abcdef")}
    c = pr.compare(y, models, "auc")
    assert len(c.notes) == 3
    assert c.notes[0].startswith("a, b, c and 3 more: the closed-form error is zero")
    assert c.notes[1].startswith("a - b, a - c, a - d and 12 more: the difference has no estimated")
    assert c.notes[2] == "all equal: no difference varies"


def test_models_that_differ_where_nothing_varies_are_tested_by_their_pairs() -> None:
    y = np.arange(20) % 2
    c = pr.compare(y, {"a": y, "b": 2 * y, "c": 0 * y}, "auc")
    assert c.overall.p_value == pytest.approx(3 * c.pair("a", "c").p_value)
    assert 0 < c.overall.p_value < 0.2
    assert "  all equal: p = " in repr(c)
    assert json.loads(json.dumps(c.to_dict(), allow_nan=False))["overall"]["statistic"] is None


# Pairs


def test_a_pair_is_first_minus_second() -> None:
    c = three(margin=0.05)
    one, turned = c.pair("logistic regression", "random forest"), c.pair(
        "random forest", "logistic regression"
    )  # fmt: skip
    assert one == c.pairs[0]
    assert (turned.first, turned.second) == ("random forest", "logistic regression")
    assert turned.difference == -one.difference
    assert (turned.low, turned.high) == (-one.high, -one.low)
    assert turned.statistic == -one.statistic
    assert (turned.standard_error, turned.p_value) == (one.standard_error, one.p_value)
    assert (turned.p_adjusted, turned.p_equivalent) == (one.p_adjusted, one.p_equivalent)
    assert turned.p_non_inferior == one.p_non_superior != one.p_non_inferior
    assert turned.turned() == one
    other = pr.compare(Y, {"random forest": B, "logistic regression": A}, "hand_till", margin=0.05)
    for name in ("difference", "low", "high", "statistic", "p_value", "p_non_inferior"):
        assert getattr(turned, name) == pytest.approx(getattr(other.pairs[0], name)), name


@pytest.mark.parametrize("names", [("a", "c"), ("a", "a"), ("c", "b")])
def test_a_pair_that_is_not_there(names: tuple[str, str]) -> None:
    with pytest.raises(KeyError, match=r"no pair of '.' and '.'; models are \['a', 'b'\]"):
        two().pair(*names)


@pytest.mark.parametrize("name", ["difference", "standard_error", "interval", "p_value"])
def test_the_only_pair_is_at_hand(name: str) -> None:
    c = two()
    one = c.pairs[0]
    expected = [one.low, one.high] if name == "interval" else getattr(one, name)
    assert np.asarray(getattr(c, name)).tolist() == expected
    message = r"^3 models have 3 differences; look them up in \.pairs, or with \.pair\(first, sec"
    with pytest.raises(AttributeError, match=message):
        getattr(three(), name)


# Forms


@pytest.mark.parametrize("method", ["delong", "bootstrap", "permutation"])
def test_a_dict_is_ready_for_json(method: Any) -> None:
    c = three(method=method, n_resamples=50, seed=2)
    out = c.to_dict()
    assert json.loads(json.dumps(out, allow_nan=False)) == out
    assert next(iter(out)) == "measure"
    assert set(out) == {field.name for field in dataclasses.fields(c)}
    assert out["measure"] == "HandTill()"
    assert out["models"] == list(THREE)
    assert out["estimates"] == c.estimates.tolist()
    assert out["covariance"] == c.covariance.tolist()
    assert out["pairs"][0]["difference"] == c.pairs[0].difference
    assert out["pairs"][0]["p_equivalent"] is None
    assert out["overall"]["df"] == 1
    assert (out["classes"], out["sizes"]) == ([0, 1, 2], np.bincount(Y).tolist())
    assert out["version"] == pr.__version__
    assert (out["seed"], out["n_resamples"]) == ((None, None) if method == "delong" else (2, 50))


def test_sizes_count_the_rows_and_the_groups_of_every_model() -> None:
    apart = pr.compare({"a": Y, "b": Y[:-8]}, {"a": A, "b": B[:-8]}, groups=None)
    assert apart.sizes.tolist() == [np.bincount(Y).tolist(), np.bincount(Y[:-8]).tolist()]
    assert (apart.classes, apart.group_sizes) == ((0, 1, 2), None)
    groups = np.arange(60) // 3
    grouped = pr.compare(Y, TWO, groups=groups)
    assert grouped.sizes.tolist() == np.bincount(Y).tolist()
    counts = [len(set(groups[Y == k].tolist())) for k in range(3)]
    assert counts != grouped.sizes.tolist()
    assert grouped.to_dict()["group_sizes"] == np.asarray(grouped.group_sizes).tolist() == counts
    for array in (grouped.sizes, np.asarray(grouped.group_sizes)):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    own = {"a": groups, "b": groups[:-8]}
    both = pr.compare({"a": Y, "b": Y[:-8]}, {"a": A, "b": B[:-8]}, groups=own)
    assert both.sizes.tolist() == apart.sizes.tolist()
    assert np.asarray(both.group_sizes).shape == (2, 3)


def test_sizes_of_models_whose_columns_come_in_another_order() -> None:
    names, last = np.array(["u", "v", "w"])[Y], slice(None, -8)
    turned = dict(zip("wvu", B[last, ::-1].T, strict=True))
    models: dict[str, Any] = {"a": dict(zip("uvw", A.T, strict=True)), "b": turned}
    apart = pr.compare({"a": names, "b": names[last]}, models, "hand_till")
    assert apart.sizes.tolist() == [np.bincount(Y).tolist(), np.bincount(Y[last]).tolist()]


def test_frames() -> None:
    c = three(margin=0.1)
    names = [field.name for field in dataclasses.fields(c.pairs[0])]
    for frame in (c.to_pandas(), c.to_polars()):
        assert list(frame.columns) == names
        assert frame.shape == (3, len(names))
        assert list(frame["second"]) == [one.second for one in c.pairs]
        assert list(frame["p_adjusted"]) == [one.p_adjusted for one in c.pairs]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_without_their_library(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    message = rf"a {library} data frame needs {library}: pip install {library}; \.to_dict\(\) needs"
    with pytest.raises(ModuleNotFoundError, match=message):
        getattr(two(), f"to_{library}")()


def arrays(c: pr.Comparison) -> list[Any]:
    return [c.estimates, c.standard_errors, c.intervals, c.covariance]


@pytest.mark.parametrize("again", [lambda c: pickle.loads(pickle.dumps(c)), copy.deepcopy])
def test_copies_are_the_same_and_read_only(again: Any) -> None:
    c = two(method="bootstrap", n_resamples=50, seed=2)
    for one in (c, again(c)):
        assert repr(one) == repr(c)
        assert one.to_dict() == c.to_dict()
        assert one.measure == c.measure
        for array in [*arrays(one), one.interval]:
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 0
        with pytest.raises(dataclasses.FrozenInstanceError):
            one.estimates = 0  # type: ignore[misc]


def test_shapes() -> None:
    c = three()
    assert [array.shape for array in arrays(c)] == [(3,), (3,), (3, 2), (3, 3)]
    assert c.standard_errors.tolist() == np.sqrt(np.diag(c.covariance)).tolist()
    assert (c.covariance == c.covariance.T).all()
    assert (c.adjust, c.confidence, c.margin, c.paired) == ("holm", 0.95, None, True)
    assert all(math.isnan(one.p_equivalent) for one in c.pairs)


def test_the_same_seed_gives_the_same_comparison_on_any_threads() -> None:
    for method in ("bootstrap", "permutation"):
        run: dict[str, Any] = {"method": method, "n_resamples": 300, "seed": 9}
        assert two(n_threads=1, **run).to_dict() == two(n_threads=2, **run).to_dict()
