"""The command line: files of predictions in, tables and pages out.

May use every room; nothing uses it. `parser` imports nothing but the standard library, so that
help comes at once.
"""
