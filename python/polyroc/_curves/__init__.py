"""Curves and what is read off them: points, hulls, bands.

May use `_base`, `_data` and `_stats`; stands beside `_measures`, and knows none of them.
"""
