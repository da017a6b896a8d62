"""What polyroc costs and what it is worth, measured from outside: no part of the package.

Uses the public API of polyroc alone. `speed` and `studies` share `machine` and `report`, and
neither uses the other.
"""
