"""Distributions, tests and intervals that know numbers alone."""
