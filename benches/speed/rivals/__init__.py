"""Whoever takes part, polyroc too, brought to one form: prepare once, then call without arguments.

May use `row` and other packages, these inside functions: who is not installed is left out.
"""
