"""What every room needs and no measure knows: types, checks, warnings, progress, results, tables.

Uses numpy alone. No other room of the package.
"""
