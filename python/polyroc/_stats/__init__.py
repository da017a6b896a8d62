"""Distributions, tests and intervals that know numbers alone.

May use `_base` and the checks of `_data`. Knows neither samples nor measures.
"""
