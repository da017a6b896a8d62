"""Predictions to try things on.

Uses nothing of the package but `_base`.
"""
