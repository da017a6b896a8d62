"""Measures as scorers of scikit-learn and metrics of boosting libraries."""
