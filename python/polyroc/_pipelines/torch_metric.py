"""A metric of training loops: batches in, one state on each process, merged by its bytes."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.keywords import hinting
from polyroc._pipelines.state import State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polyroc._base.types import Labels
    from polyroc._pipelines.state_value import StateValues


class Metric:
    """Measures of all batches of an epoch, on one process or many.

    A :class:`polyroc.State` with the manners of a metric: `update` with every batch, `sync` once
    all processes have seen theirs, `compute`, `reset` for the next epoch. Memory does not grow with
    the number of batches, and nothing is averaged over batches or processes: the value is that of
    all rows.

    Parameters
    ----------
    labels : int or array_like of shape (K,)
        The classes, in column order; a number K stands for 0, ..., K - 1.
    measures : str or sequence of str
        As in :class:`polyroc.State`.
    key : {"fold", "float"}
        "fold" for probabilities, "float" for logits. Measures compare a column over rows, so that
        the logits of a softmax and its probabilities give different values.
    max_bins : int
        The most distinct scores, or bins, of a column.

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> metric = pr.torch.Metric(10, "hand_till")
    >>> for start in range(0, len(y), 500):
    ...     metric.update(y[start : start + 500], models["naive Bayes"][start : start + 500])
    >>> metric.compute()["hand_till"].estimate == pr.hand_till(y, models["naive Bayes"])
    True
    """

    @hinting
    def __init__(
        self,
        labels: int | Labels,
        measures: str | Sequence[str] = "hand_till",
        *,
        key: str = "fold",
        max_bins: int = 16384,
    ) -> None:
        names = range(labels) if isinstance(labels, int) else labels
        self._empty = State(names, measures, key=key, max_bins=max_bins)
        self._own = self._empty.copy()
        self._of_all: State | None = None  # after sync

    def update(self, y_true: Any, y_score: Any, *, sample_weight: Any = None) -> None:
        """Take a batch: tensors on any device, or arrays.

        Parameters
        ----------
        y_true : Tensor of shape (n,)
            The labels.
        y_score : Tensor of shape (n, K), or (n,) for two classes
            The scores: a column for each class, or that of ``labels[1]``.
        sample_weight : Tensor of shape (n,), optional
            Weights of the rows.
        """
        weights = None if sample_weight is None else _array(sample_weight)
        self._own.update(_array(y_true), _array(y_score), sample_weight=weights)
        self._of_all = None  # what was gathered is no longer all there is

    def sync(self, group: Any = None) -> None:
        """Gather the batches of all processes; each of them has to call it.

        Bytes of states go over ``torch.distributed``, and `compute` is of the rows of all processes
        from then on, until the next `update` or `reset`. A second call changes nothing. Without
        ``init_process_group`` there is one process, whose rows these are.

        Parameters
        ----------
        group : ProcessGroup, optional
            All processes by default.
        """
        distributed = _distributed()
        if distributed is None:
            self._of_all = self._own
            return
        pieces: list[Any] = [None] * distributed.get_world_size(group)
        distributed.all_gather_object(pieces, self._own.to_bytes(), group=group)
        total = self._empty.copy()
        for piece in pieces:
            total.merge(State.from_bytes(piece))
        self._of_all = total

    @property
    def state(self) -> State:
        """The state of the rows of all processes after `sync`, and of this one before."""
        return self._own if self._of_all is None else self._of_all

    def compute(self) -> StateValues:
        """Return the measures by name; see :meth:`polyroc.State.compute`."""
        return self.state.compute()

    def reset(self) -> None:
        """Forget all rows."""
        self._own, self._of_all = self._empty.copy(), None

    def __repr__(self) -> str:
        return f"Metric({self.state!r})"


Metric.__module__ = "polyroc.torch"


def _distributed() -> Any:
    """Return torch.distributed if processes were started; None for a single one."""
    try:
        torch = importlib.import_module("torch")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            'sync needs PyTorch: pip install "polyroc[torch]", or leave sync out where there is '
            "one process"
        ) from error
    distributed = torch.distributed
    return distributed if distributed.is_available() and distributed.is_initialized() else None


def _array(values: Any) -> Any:
    """Return a tensor as an array; bfloat16, which numpy has not, as float32, which holds it."""
    if not hasattr(values, "detach"):
        return np.asarray(values)
    held = values.detach().cpu()
    return (held.float() if "bfloat16" in str(held.dtype) else held).numpy()
