"""A metric for training loops of PyTorch: ``metric = pr.torch.Metric(10, "hand_till")``."""

from __future__ import annotations

from polyroc._pipelines.torch_metric import Metric

__all__ = ["Metric"]
