"""Everything that applies to some predictions, in one report.

May use every room but the command line.
"""
