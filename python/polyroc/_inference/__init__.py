"""Errors and intervals of any measure: influence values, DeLong's errors, the bootstrap.

May use the rooms below: `_base`, `_data`, `_stats`, `_measures`.
"""
