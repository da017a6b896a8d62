"""What a design is: rows, noise, scores, and the true value of what is measured."""

from __future__ import annotations

import zlib
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Labels = npt.NDArray[Any]  # whole numbers; of many labels per row, columns of 0, 1 and nan


class Rows(NamedTuple):
    """Rows before a model scored them."""

    labels: Labels
    groups: Integers | None = None
    weights: Floats | None = None
    covariate: Floats | None = None  # on which weights depend, and the scores of every model

    @property
    def options(self) -> dict[str, Any]:
        """What `delong`, `bootstrap` and `compare` are told of them."""
        told = {"groups": self.groups, "sample_weight": self.weights}
        return {name: value for name, value in told.items() if value is not None}

    @property
    def least_units(self) -> float:
        """The fewest effective units of a class: (sum w)^2 / sum w^2 over rows, or over groups."""
        weights = np.ones(len(self.labels)) if self.weights is None else self.weights
        units = np.arange(len(self.labels)) if self.groups is None else self.groups
        least = np.inf
        for labels in self.labels.reshape(len(weights), -1).T:
            for label in range(int(np.nanmax(self.labels)) + 1):
                own = labels == label
                masses = np.bincount(units[own], weights[own])
                least = min(least, masses.sum() ** 2 / max((masses**2).sum(), 1e-300))
        return float(least)


class Data(NamedTuple):
    """One data set: rows, and the scores of one model."""

    rows: Rows
    scores: Floats


@dataclass(frozen=True)
class Design(ABC):
    """Data sets of one kind, with `sizes` rows in the classes (where these vary, on average).

    Scores are made of standard normal noise, so that two models can be given noise that
    correlates.
    """

    sizes: tuple[int, ...]
    family: str = field(default="", kw_only=True)
    has_closed_form: ClassVar[bool] = True  # whether `delong` knows its measures

    @property
    @abstractmethod
    def name(self) -> str:
        """What is drawn, without family and sizes."""

    @property
    @abstractmethod
    def truths(self) -> dict[str, float]:
        """The true value of each measure, by the measure's name."""

    @abstractmethod
    def scores(self, rows: Rows, noise: Floats, rng: np.random.Generator) -> Floats:
        """Scores of a model whose standard normal noise is given."""

    @property
    def measures(self) -> dict[str, Any]:
        """What the functions of polyroc are told to measure, by name."""
        return {name: name for name in self.truths}

    @property
    def sets(self) -> float:
        """How many data sets it has for each of another design: fewer where one takes long."""
        return 1.0

    @property
    def key(self) -> str:
        """Its name among all designs, and what its seeds are made of."""
        return f"{self.family}/{self.name} {sizes_text(self.sizes)}"

    def rows(self, rng: np.random.Generator) -> Rows:
        """Draw rows; here class counts are fixed and rows independent."""
        del rng
        return Rows(np.repeat(np.arange(len(self.sizes)), self.sizes))

    def noise(self, rows: Rows, rng: np.random.Generator) -> Floats:
        """One number per row where there are two classes, else one per row and class."""
        classes = len(self.sizes)
        count = len(rows.labels)
        return rng.standard_normal(count if classes == 2 else (count, classes))

    def draw(self, number: int) -> Data:
        """Draw the data set of this number."""
        rng = generator(self.key, number)
        rows = self.rows(rng)
        return Data(rows, self.scores(rows, self.noise(rows, rng), rng))


def random_labels(sizes: tuple[int, ...], rng: np.random.Generator) -> Integers:
    """Labels drawn with the shares of `sizes`; again where a class has fewer than two rows."""
    shares = np.array(sizes) / sum(sizes)
    counts = rng.multinomial(sum(sizes), shares)
    while counts.min() < 2:
        counts = rng.multinomial(sum(sizes), shares)
    return np.repeat(np.arange(len(shares)), counts)


def generator(key: str, number: int) -> np.random.Generator:
    """The random numbers of one data set."""
    return np.random.default_rng([zlib.crc32(key.encode()), number])


def sizes_text(sizes: tuple[int, ...]) -> str:
    """As "10 : 4 : 1", without spaces; runs of equal sizes as "10x3"."""
    parts: list[list[int]] = []
    for size in sizes:
        if parts and parts[-1][0] == size:
            parts[-1][1] += 1
        else:
            parts.append([size, 1])
    short = len(sizes) > 4
    return ":".join(
        f"{size}x{count}" if short and count > 1 else ":".join([str(size)] * count)
        for size, count in parts
    )


def own_class(rows: Rows, noise: Floats) -> npt.NDArray[np.bool_]:
    """Where a score is that of the row's own class; in the single score of two classes, class 1."""
    if noise.ndim == 1:
        return np.equal(rows.labels, 1)
    return np.equal(np.arange(noise.shape[1]), rows.labels[:, None])
