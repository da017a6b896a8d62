"""How many rows a study needs.

May use `_inference` and the rooms below it; not `_compare` or `_bradley`.
"""
