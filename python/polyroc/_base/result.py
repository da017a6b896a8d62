"""Results whose arrays nobody changes."""

from __future__ import annotations

from typing import Any

import numpy as np


class FrozenArrays:
    """A frozen dataclass whose arrays are read-only, also after a trip through pickle."""

    def _freeze(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a pickled result; pickling forgets that arrays are read-only."""
        vars(self).update(state)
        self._freeze()
