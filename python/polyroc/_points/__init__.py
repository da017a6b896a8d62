"""Decisions: confusion matrices, operating points and what they are worth.

May use `_inference` and the rooms before it.
"""
