"""Data where it is: frames and their segments, shards that are merged.

May use every room below `_cli`.
"""
