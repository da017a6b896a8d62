"""Frames of Dask: ``pip install "polyroc[dask]"``, then ``pr.dask.evaluate(frame, ...)``."""

from __future__ import annotations

from polyroc._pipelines.engine_evaluate import evaluate

__all__ = ["evaluate"]
