"""Bad input to a comparison: each kind is an error that names the model, the place, the way out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import polyroc as pr
import pytest

from given.refusals import refusals

C = np.arange(12) % 3
A, B = np.random.default_rng(0).random((2, 12, 3))
MODELS = {"a": A, "b": B}
Y, S, T = C == 0, A[:, 0], B[:, 0]
nan, inf = float("nan"), float("inf")


def compare(y: Any = C, models: Any = MODELS, measure: Any = "auc_mu", **options: Any) -> Any:
    return pr.compare(y, models, measure, **{"n_resamples": 50, "seed": 1, **options})


value_error, type_error = refusals(compare)


# Models


def test_models_come_in_a_dict() -> None:
    way = r"; pass a dict of scores by name, as \{\"boost\": A, \"forest\": B\}$"
    type_error(r"models is a list" + way, models=[A, B])
    type_error(r"models is a tuple" + way, models=(A, B))
    type_error(r"models is a ndarray" + way, models=A)
    columns = r"; pass a dict .*, as \{name: models\[name\] for name in models\.columns\}$"
    type_error(r"models is a DataFrame" + columns, models=pd.DataFrame(A))
    type_error(r"models is a NoneType" + way, models=None)


def test_a_comparison_needs_two_models() -> None:
    value_error(r"models holds one model; a comparison needs two or more$", models={"a": A})
    value_error(r"models holds no model; a comparison needs two or more$", models={})


def test_names_are_strings() -> None:
    type_error(r"a model is named 1; name models by strings$", models={"a": A, 1: B})
    type_error(r"a model is named None; name models", models={None: A, "b": B})


def test_rows_and_columns_that_do_not_fit_name_the_model() -> None:
    message = r"model 'b': y_true has 12 rows but y_score has 11; pass one label"
    value_error(message, models={"a": A, "b": B[:11]})
    value_error(message, models={"a": A, "b": B[:11]}, method="permutation")
    message = r"model 'b': y_score has 2 columns but there are 3 classes \[0, 1, 2\]; pass labels="
    value_error(message, models={"a": A, "b": B[:, :2]})
    message = r"model 'b': y_score is 1-D but there are 3 classes"
    value_error(message, models={"a": A, "b": B[:, 0]})
    message = (
        r"models 'a' and 'b' have scores of different shapes: \(12,\) and \(12, 2\); "
        r"pass the same columns for every model$"
    )
    value_error(message, Y, {"a": S, "b": B[:, :2]})


@pytest.mark.parametrize("method", ["delong", "bootstrap", "permutation"])
@pytest.mark.parametrize("measure", ["auc_mu", "hand_till", pr.OneVsRest("micro"), "polar_area"])
def test_nan_names_model_row_and_column(method: str, measure: Any) -> None:
    wrong = B.copy()
    wrong[7, 1] = nan
    message = r"model 'b': y_score\[7, 1\] is NaN; drop or impute that row first$"
    value_error(message, models={"a": A, "b": wrong}, measure=measure, method=method)
    message = r"model 'a': y_score\[7, 1\] is NaN"
    value_error(message, models={"a": wrong, "b": B}, measure=measure, method=method)


@pytest.mark.parametrize("measure", ["auc", pr.Auc(max_fpr=0.5)])
def test_nan_in_a_single_column(measure: Any) -> None:
    wrong = T.copy()
    wrong[3] = nan
    message = r"model 'b': y_score\[3\] is NaN; drop or impute that row first$"
    value_error(message, Y, {"a": S, "b": wrong}, measure, method="bootstrap")


def test_scores_that_are_no_numbers_name_the_model() -> None:
    type_error(r"model 'b': y_score", models={"a": A, "b": np.full((12, 3), "x")})
    value_error(r"model 'b': y_score", models={"a": A, "b": B.reshape(2, 6, 3)})


def test_columns_in_different_orders() -> None:
    y = np.array(["x", "y", "z"])[C]
    models = {"a": pd.DataFrame(A, columns=list("xyz")), "b": pd.DataFrame(B, columns=list("zxy"))}
    ordered = {name: frame[list("xyz")] for name, frame in models.items()}
    c = pr.compare(y, ordered)
    assert c.estimates.tolist() == [pr.auc_mu(y, frame) for frame in models.values()]
    polars = {name: pl.DataFrame(frame) for name, frame in ordered.items()}
    assert pr.compare(y, polars).p_value == c.p_value
    turned = pr.compare(y, models)
    assert turned.estimates.tolist() == c.estimates.tolist()
    assert turned.p_value == c.p_value
    one = pr.compare(y, models, method="bootstrap", n_resamples=50, seed=1)
    two = pr.compare(y, ordered, method="bootstrap", n_resamples=50, seed=1)
    assert one == two


# Labels, weights and groups


def test_different_rows_have_dicts_of_everything() -> None:
    way = r"; for models on different rows pass dicts by model of all, "
    two = {"a": C, "b": C}
    type_error(r"groups is a dict but y_true is not" + way, groups=two)
    type_error(r"sample_weight is a dict but y_true is not" + way, sample_weight=two)
    type_error(r"groups is no dict but y_true is one" + way, two, groups=np.arange(12))
    type_error(r"sample_weight is no dict but y_true is one" + way, two, sample_weight=C + 1)


def test_dicts_name_the_same_models() -> None:
    two = {"a": C, "b": C}
    names = r" has the keys \['a', 'c'\] but the models are \['a', 'b'\]; name every model in both$"
    value_error(r"y_true" + names, {"a": C, "c": C})
    value_error(r"groups" + names, two, groups={"a": C, "c": C})
    value_error(r"sample_weight" + names, two, sample_weight={"a": C, "c": C})
    value_error(r"y_true has the keys \['a'\] but", {"a": C})
    assert pr.compare({"b": C, "a": C}, MODELS).models == ("a", "b")


def test_errors_in_what_models_share_blame_none_of_them() -> None:
    value_error(r"y_true\[2\] is NaN", [0.0, 1, nan, *[1] * 9])
    value_error(r"groups has 11 values for 12 rows; pass one per row$", groups=np.arange(11))
    value_error(r"sample_weight\[3\] is ", sample_weight=[1, 1, 1, -1, *[1] * 8])
    value_error(r"n_threads is 0", n_threads=0)
    type_error(r"stratify is 'yes'; pass True, False or None$", stratify="yes")
    value_error(r"auc compares two classes but there are 3", measure="auc")
    value_error(r"polar_area needs at least three classes", Y, {"a": S, "b": T}, "polar_area")
    value_error(r"every row has the label 1", np.ones(12))


def test_errors_in_a_models_own_rows_name_it() -> None:
    message = r"model 'b': every row has the label 1"
    value_error(message, {"a": Y, "b": np.ones(12)}, {"a": S, "b": T}, "auc")
    groups = {"a": np.arange(12), "b": np.arange(11)}
    value_error(r"model 'b': groups has 11 values for 12 rows", {"a": C, "b": C}, groups=groups)


def test_a_class_of_one_row() -> None:
    y = np.where(np.arange(12) == 4, 2, C % 2)
    message = r"class 2 has a single row, whose spread cannot be estimated; leave the class out"
    for method in ("delong", "bootstrap"):
        value_error(message, y, method=method)
    value_error(r"model 'b': class 2 has a single row", {"a": C, "b": y})
    message = r"class 2 has a single group, whose"
    value_error(message, groups=np.where(C == 2, 0, np.arange(12)))


def test_different_classes() -> None:
    message = (
        r"models 'a' and 'b' tell different classes apart: \[0, 1, 2\] and \[1, 2, 3\]; "
        r"pass labels= with all classes$"
    )
    value_error(message, {"a": C, "b": C + 1})
    y = {"a": C, "b": C % 2}
    value_error(r"model 'b': no row has the label 2", y, labels=[0, 1, 2])
    message = (
        r"models 'a' and 'b' have rows of different classes: \[0, 1, 2\] and \[0, 1\]; "
        r"averages over them do not compare$"
    )
    value_error(message, y, measure=pr.AucMu(absent="skip"), labels=[0, 1, 2])


def test_a_class_without_rows_in_both_models() -> None:
    skip = pr.HandTill(absent="skip")
    y = C % 2
    c = pr.compare(y, MODELS, skip, labels=[0, 1, 2])
    assert c.estimates.tolist() == [skip(y, P, labels=[0, 1, 2]) for P in (A, B)]


# Options


def test_one_measure_at_a_time() -> None:
    message = r"compare takes one measure at a time; call it once for each$"
    for several in (["auc_mu"], ("auc_mu", "hand_till"), {"x": "auc_mu"}):
        type_error(message, measure=several)
    value_error(r"OneVsRest\(None\) has one value per class; compare by an average, as OneVsRest",
                measure=pr.OneVsRest(None))  # fmt: skip
    value_error(r"measure is 'mu'; choose one of 'auc', ", measure="mu")
    type_error(r"measure is 3; pass a name or a measure object$", measure=3)
    type_error(r"measure is None; pass a name", measure=None)


def test_methods_and_adjustments() -> None:
    value_error(r"method is 'jackknife'; choose ", method="jackknife")
    value_error(r"adjust is 'fdr'; choose ", adjust="fdr")


def test_one_confidence_level() -> None:
    inside = r"; it must lie in \(0, 1\), as 0\.95 for 95 %$"
    for level in (0, 1, -0.1, 95, nan, inf):
        value_error(rf"confidence is {level}{inside}", confidence=level)
    type_error(r"confidence is \[0\.9, 0\.95\]; compare takes one level$", confidence=[0.9, 0.95])
    type_error(r"confidence is \(0\.9,\); compare takes one level$", confidence=(0.9,))
    type_error(r"confidence is True, a bool; pass a number", confidence=True)


def test_margins() -> None:
    way = r"; pass a positive number, as 0\.02$"
    for margin in (0, 0.0, -0.01, nan, inf):
        value_error(rf"margin is {margin}{way}", margin=margin)
    for wrong in (True, "0.02", [0.02], np.True_):
        type_error(r"margin is .*" + way, margin=wrong)
    message = r"method='permutation' tests that models are equal and knows no margin; use method="
    value_error(message, margin=0.02, method="permutation")
    number: Any = np.float32(0.25)
    assert pr.compare(C, MODELS, margin=number).margin == 0.25


def test_numbers_of_resamples() -> None:
    for method in ("bootstrap", "permutation"):
        value_error(r"n_resamples is 0; at least one", n_resamples=0, method=method)
        type_error(r"n_resamples is 9\.5; pass a whole", n_resamples=9.5, method=method)
    message = r"n_resamples is 3; a comparison of 3 models needs 4 or more: raise n_resamples, as "
    three = {**MODELS, "c": A + B}
    value_error(message, models=three, n_resamples=3, method="bootstrap")
    pr.compare(C, three, n_resamples=4, method="bootstrap", seed=1)
    assert pr.compare(C, MODELS, n_resamples=1, method="permutation", seed=1).p_value in (0.5, 1)


def test_too_few_resamples_that_keep_all_classes() -> None:
    y = np.array([0, 0, 1, 1, *[2] * 8])
    message = (
        r"1 resample of 3 lost a class; a comparison of 2 models needs 3 or more: "
        r"pass stratify=True, which keeps all classes$"
    )
    value_error(message, y, n_resamples=3, method="bootstrap", stratify=False, seed=0)


def test_seeds_and_progress() -> None:
    type_error(r"seed is 1\.5; pass a whole number", seed=1.5, method="bootstrap")
    value_error(r"seed is -1; it must lie in", seed=-1, method="permutation")
    type_error(r"progress is 'yes'; pass True", progress="yes")


def test_different_rows_cannot_be_permuted() -> None:
    message = r"method='permutation' exchanges two models within rows, and these have different "
    value_error(message, {"a": C, "b": C}, method="permutation")


def test_a_rate_has_no_closed_form() -> None:
    message = r"TprAt\(fpr=0\.5\) has no closed-form error; use bootstrap, or method='bootstrap'$"
    value_error(message, Y, {"a": S, "b": T}, pr.TprAt(0.5), method="delong")
    whole = pr.compare(Y, {"a": S, "b": T}, pr.Auc(max_fpr=1.0), method="permutation", seed=1)
    assert whole.difference == pr.auc(Y, S) - pr.auc(Y, T)


def test_a_seed_is_drawn_and_recorded_where_it_is_used() -> None:
    assert pr.compare(C, MODELS, seed=3).seed is None
    drawn = pr.compare(C, MODELS, method="permutation", n_resamples=99)
    assert drawn.seed is not None
    again = pr.compare(C, MODELS, method="permutation", n_resamples=99, seed=drawn.seed)
    assert again.p_value == drawn.p_value


def test_two_arrays_of_scores_get_a_short_message() -> None:
    y, scores = [0, 1, 0, 1], np.arange(4.0)
    with pytest.raises(TypeError, match="models is a ndarray; pass a dict of scores by name"):
        pr.compare(y, scores, scores)  # type: ignore[arg-type]
