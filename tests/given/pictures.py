"""Predictions to draw, and what was drawn."""

from __future__ import annotations

from typing import Any

import numpy as np


def drawable(k: int, n: int = 0, name: str = "c{:02d}", models: int = 2) -> tuple[Any, Any]:
    """Labels of `k` classes, and models from good to poor, one score per class."""
    rng = np.random.default_rng(k)
    y = np.arange(n or 15 * k) % k
    away = np.linspace(1.5, 0.5, models)
    scores = {
        f"model {m}": np.eye(k)[y] * by + rng.normal(size=(len(y), k)) for m, by in enumerate(away)
    }
    return np.array([name.format(i) for i in y]), scores


def points(line: Any) -> tuple[list[float], list[float]]:
    """Return the data of a line."""
    return np.asarray(line.get_xdata()).tolist(), np.asarray(line.get_ydata()).tolist()


def labels(ax: Any) -> list[str]:
    """Return what a legend says."""
    legend = ax.get_legend()
    return [] if legend is None else [text.get_text() for text in legend.get_texts()]
