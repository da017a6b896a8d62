"""Frames of Dask: ``pip install "polyroc[dask]"``, then ``pr.dask.evaluate(ddf, y_true="label", ...)``."""

from __future__ import annotations

from polyroc._pipelines.engine_evaluate import evaluate

__all__ = ["evaluate"]
