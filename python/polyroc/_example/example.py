"""Example predictions that ship with the package, so that every measure can be tried at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from polyroc._base.public import public


@public
def example_predictions() -> tuple[NDArray[np.int64], dict[str, NDArray[np.float32]]]:
    """Out-of-fold class probabilities of three classifiers for 1,797 handwritten digits.

    The digits are the ones bundled with scikit-learn (`load_digits`: 8 x 8 pixels, from "Optical
    Recognition of Handwritten Digits" by Alpaydin and Kaynak, UCI repository, 1998). A logistic
    regression, the 9 nearest neighbours and Gaussian naive Bayes predicted them in stratified
    10-fold cross-validation, the same folds for each. The probabilities were rounded from float64
    to the nearest float32 and not changed otherwise; rows sum to 1 within 1.2e-7.

    Returns
    -------
    y_true : ndarray of int64, shape (1797,)
        The digit that was written.
    predictions : dict of str to ndarray of float32, shape (1797, 10)
        For each classifier, by name, the probability of every digit. New arrays at every call.

    Examples
    --------
    >>> import polyroc as pr
    >>> y_true, predictions = pr.example_predictions()
    >>> list(predictions)
    ['logistic regression', '9 nearest neighbours', 'naive Bayes']
    >>> round(pr.hand_till(y_true, predictions["naive Bayes"]), 4)
    0.9756
    """
    from importlib.resources import files

    with (
        files("polyroc").joinpath("_example", "digits.npz").open("rb") as file,
        np.load(file, allow_pickle=False) as arrays,
    ):
        y_true = arrays["y_true"].astype(np.int64)
        return y_true, {name: arrays[name] for name in arrays.files if name != "y_true"}
