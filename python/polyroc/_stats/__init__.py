"""Distributions, tests and intervals that know numbers alone.

May use `_base`. Knows neither samples nor measures.
"""
