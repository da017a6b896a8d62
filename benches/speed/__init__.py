"""Time and memory, beside what users run today: the one place that may use other packages.

A row of `tables` names its `rivals`; `race` runs it, and neither `row` nor `race` knows any rival.
"""
