"""What pictures show, as numbers: computed once, drawn by matplotlib or as SVG.

May use the rooms up to `_compare`, `_bradley` and `_power`.
"""
