"""Models compared: differences, tests, tables.

May use `_inference` and the rooms below it; not `_bradley` or `_power`.
"""
