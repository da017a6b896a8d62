"""Pictures by matplotlib, of what `_figures` computes.

May use `_figures` and the rooms below it. matplotlib is imported when something is drawn.
"""
