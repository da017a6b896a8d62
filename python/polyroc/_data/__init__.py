"""What users pass, read and checked: arrays, labels, scores, weights, and what is resampled.

May use `_base` and the core. Knows no measure.
"""
