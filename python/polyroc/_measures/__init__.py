"""The measures, one file each: what a measure is called, its options and its paper.

May use `_base`, `_data` and `_stats`. Nothing outside a measure's file asks which one it is.
"""
