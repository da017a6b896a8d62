"""Errors and intervals of any measure, by DeLong's method and by the bootstrap."""
