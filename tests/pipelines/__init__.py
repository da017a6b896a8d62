"""Frames and their segments."""
