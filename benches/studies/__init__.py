"""What intervals and tests are worth where the truth is known, and whether numbers changed.

Uses polyroc and numpy alone. `same_numbers` is run by its path, under one build after the other,
so it imports nothing but its neighbours `random_calls` and `random_data`.
"""
