"""What every room needs and no measure knows: types, checks, warnings, progress, results, tables.

Uses numpy, and asks the core how it was built; no other room of the package.
"""
