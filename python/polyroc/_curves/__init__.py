"""Curves and what is read off them: points, hulls, bands.

May use `_measures` and the rooms before it.
"""
