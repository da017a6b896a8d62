"""How the core was built."""

from __future__ import annotations

from polyroc import _core
from polyroc._base.warn import warn


def warn_if_slow(optimised: bool = _core.optimised) -> None:
    """Warn if the core was compiled without optimisation: right, but many times too slow."""
    if not optimised:
        warn(
            "the core of polyroc was built without optimisation and is many times slower than it "
            "should be; build it with --release, or install a wheel",
            RuntimeWarning,
        )
