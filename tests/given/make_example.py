"""Make the predictions that ship with polyroc: three classifiers, handwritten digits, out of fold.

Run once, by hand, from the root of the repository (scikit-learn as in tests/requirements.txt):

    .venv/bin/python tests/given/make_example.py

Every row is predicted by a model that did not see it: stratified 10-fold cross-validation, the same
folds for each classifier. The one change made to scikit-learn's float64 probabilities is rounding
to the nearest float32. Ties of a column stay ties; values below 2**-150 become 0, which concerns
naive Bayes alone (it moves its M from 0.97568 to 0.97556).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from threadpoolctl import threadpool_limits

TARGET = Path(__file__).parents[2] / "python" / "polyroc" / "_example" / "digits.npz"

# Ninths of a vote, unlike eighths, do not subtract exactly in binary: the k-NN scores have
# projected ties that only the rounding rule of AUC-mu finds.
CLASSIFIERS = {
    "logistic regression": LogisticRegression(max_iter=2000),
    "9 nearest neighbours": KNeighborsClassifier(n_neighbors=9),
    "naive Bayes": GaussianNB(),
}


def main() -> None:
    """Fit, predict, write, and say how large the file is."""
    pixels, digits = load_digits(return_X_y=True)
    features = pixels / 16.0  # 17 grey levels, as numbers from 0 to 1
    folds = StratifiedKFold(n_splits=10, shuffle=True, random_state=0)
    arrays = {"y_true": digits.astype(np.uint8)}
    with threadpool_limits(1):  # the last bits of a fit depend on how BLAS splits its sums
        for name, classifier in CLASSIFIERS.items():
            scores = cross_val_predict(
                classifier, features, digits, cv=folds, method="predict_proba"
            )
            arrays[name] = scores.astype(np.float32)
    np.savez_compressed(TARGET, **arrays)
    print(f"{TARGET.name}: {TARGET.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
