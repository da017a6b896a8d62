"""Bradley's protocol: classifiers compared over folds.

May use `_inference` and the rooms below it; not `_compare` or `_power`.
"""
