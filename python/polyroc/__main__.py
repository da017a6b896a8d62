"""``python -m polyroc``: the command line."""

from __future__ import annotations

import sys

from polyroc._cli.main import main

if __name__ == "__main__":
    sys.exit(main())
