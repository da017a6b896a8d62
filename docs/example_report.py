"""Write the example report that the site links to; `make docs` calls it."""

from __future__ import annotations

from pathlib import Path

import polyroc as pr

if __name__ == "__main__":
    folder = Path(__file__).parent / "_made"
    folder.mkdir(exist_ok=True)
    y, models = pr.example_predictions()
    pr.evaluate(y, models, n_resamples=2000, seed=7).save(folder / "example-report.html")
