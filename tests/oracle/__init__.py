"""Slow twins of what the core does, in the papers' letters, and the tests of these."""
