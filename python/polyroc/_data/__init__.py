"""What users pass, read and checked: arrays, labels, scores, weights, and what is resampled.

May use `_base` and the core. Knows no measure.
"""

from polyroc import _core

_core.find_numpy()  # while an interrupt can still be told; `import polyroc` itself does without
