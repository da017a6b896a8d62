"""Curves, hulls and bands."""
