"""Frames of Spark: ``pip install "polyroc[spark]"``, then ``pr.spark.evaluate(frame, ...)``."""

from __future__ import annotations

from polyroc._pipelines.engine_evaluate import evaluate

__all__ = ["evaluate"]
