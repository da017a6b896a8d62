"""Decisions: confusion matrices, operating points, net benefit."""
