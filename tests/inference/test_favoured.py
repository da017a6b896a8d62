"""Results of two classes say which of them high scores stand for."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import numpy as np
import polyroc as pr
import pytest

RNG = np.random.default_rng(5)
Y = np.where(RNG.random(80) < 0.5, "dead", "well")
S = RNG.random(80)
P = np.column_stack([S, 1 - S])
FOLDS = [(Y[k::2], {"one": S[k::2], "two": S[k::2] ** 2}) for k in range(2)]
CALLS: dict[str, Any] = {
    "bootstrap": lambda **o: pr.bootstrap(Y, S, n_resamples=99, seed=1, **o),
    "delong": lambda **o: pr.delong(Y, S, **o),
    "compare": lambda **o: pr.compare(Y, {"a": S, "b": S**2 + RNG.random(80) / 9}, **o),
    "bradley": lambda **o: pr.bradley(FOLDS, **o),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize(("options", "label"), [({}, "well"), ({"pos_label": "dead"}, "dead")])
def test_named_in_print_html_and_dict(name: str, options: Any, label: str) -> None:
    result = CALLS[name](**options)
    lines = repr(result).splitlines()
    assert lines.count(f"  high scores favour class {label!r}") == 1
    assert f"high scores favour class '{label}'" in result._repr_html_().replace("&#39;", "'")
    assert result.favoured == label == json.loads(json.dumps(result.to_dict()))["favoured"]


@pytest.mark.parametrize("measure", ["auc", "kolmogorov_smirnov", "average_precision"])
def test_measures_that_read_the_second_of_two_columns(measure: str) -> None:
    result = pr.bootstrap(Y, P, measure, n_resamples=99, seed=1, pos_label="dead")
    assert result.favoured == "dead"
    assert "high scores favour class 'dead'" in repr(result)


def test_curves_reports_and_states_name_it_too() -> None:
    options: dict[str, Any] = {"pos_label": "dead", "seed": 1, "n_resamples": 99}
    report = pr.evaluate(Y, S, measure="auc", **options)
    assert repr(report).splitlines()[2] == "  high scores favour class 'dead'"
    curve = pr.decision_curve(Y, S, pos_label="dead")
    assert "of class 'dead': net benefit" in repr(curve).splitlines()[0]
    assert curve.favoured == "dead" == curve.to_dict()["favoured"]
    values = pr.State(["well", "dead"], ["auc", "hand_till"]).update(Y, S).compute()
    assert repr(values).splitlines()[-1] == "  80 rows, high scores favour class 'dead'"
    assert values["auc"].favoured == "dead" == values["auc"].to_dict()["favoured"]
    values = pr.State(["dead", "well"], ["auc", "hand_till"]).update(Y, P).compute()
    assert repr(values).splitlines()[-1] == "  80 rows, auc: high scores favour class 'well'"


def test_not_where_every_class_has_scores() -> None:
    many = np.arange(80) % 3
    each = pr.AveragePrecision(None)
    for result in (
        pr.delong(Y, P, "hand_till"),
        pr.delong(many, RNG.random((80, 3))),
        pr.bootstrap(Y, P, each, n_resamples=99, seed=1),
        pr.compare(Y, {"a": P, "b": P**2}, "auc_mu"),
    ):
        assert result.favoured is result.to_dict()["favoured"] is None
        assert "favour" not in repr(result)


def test_several_measures_say_it_once_or_whose_it_is() -> None:
    both = pr.delong(Y, S, ["auc", "hand_till"])
    assert repr(both).splitlines()[-1] == "  high scores favour class 'well'"
    mixed = pr.delong(Y, P, ["auc", "hand_till"])
    assert repr(mixed).splitlines()[-1] == "  auc: high scores favour class 'well'"


def test_labels_of_any_kind() -> None:
    days = [dt.date(2026, 1, 1), dt.date(2026, 1, 2)] * 6
    result = pr.delong(days, np.arange(12) % 5, "auc")
    assert result.favoured == dt.date(2026, 1, 2)
    assert result.to_dict()["favoured"] == "2026-01-02"
    assert pr.delong([False, True] * 6, np.arange(12) % 5).to_dict()["favoured"] is True


def test_parts_of_runs_with_other_favourites_are_not_joined() -> None:
    parts = [
        pr.bootstrap(Y, S, n_resamples=99, seed=1, replicates=part, pos_label=label)
        for part, label in ((range(50), "dead"), (range(50, 99), "well"))
    ]
    with pytest.raises(ValueError, match="different runs"):
        pr.BootstrapResult.join(parts)
