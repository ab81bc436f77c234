"""Values per animal: following each animal from frame to frame, and the table of values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.errorbars import over_seeds
from murmurate.measures.estimate import Estimate
from murmurate.measures.flock_data import valid_rows
from murmurate.model.space import Space
from murmurate.neighbours.periodic import displacements

EVENTS = ("first", "second", "start", "end", "time", "closest")
"""Columns of events: ids of the two animals, frame numbers, time, distance."""


@dataclass(frozen=True, eq=False)
class PerAnimal:
    """One value per animal, as a table animal -> value.

    A step leads from one frame to the next, with the animal seen in both.

    Attributes
    ----------
    ids : ndarray of shape (N,), int64
        Animals seen in at least one frame, ascending. For tracks they are columns of
        `Tracks.positions`, with names in `Tracks.names`.
    values : ndarray of shape (N,), float64
        Values; nan for an animal without one.
    counts : ndarray of shape (N,), int64
        Number of steps, frames, turns or entries behind each value.
    counted : {'steps', 'frames', 'turns', 'entries'}
        What `counts` counts.
    events : mapping of str to ndarray of shape (E,)
        Columns with one row per event, for measures that count events; else empty. See
        `approaches`.
    """

    ids: np.ndarray
    values: np.ndarray
    counts: np.ndarray
    counted: str = "steps"
    events: Mapping[str, np.ndarray] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[int]:
        return iter(self.ids.tolist())

    def __getitem__(self, animal: int) -> float:
        """Return the value of an animal by its id. Raises KeyError if it was never seen."""
        row = np.flatnonzero(self.ids == animal)
        if not len(row):
            raise KeyError(animal)
        return float(self.values[row[0]])

    def __repr__(self) -> str:
        if not len(self):
            return "<PerAnimal: no animal>"
        animals = "1 animal" if len(self) == 1 else f"{len(self):,} animals"
        return f"<PerAnimal: {animals}, mean {self.mean!r}>"

    @property
    def mean(self) -> Estimate:
        """Mean over the animals that have a value, with its standard error s / sqrt(n).

        The error treats animals as independent. For animals of one group it is too small.
        """
        return replace(over_seeds(self.values), method="animals", short=False)


def seen_animals(
    ids: np.ndarray, seen: np.ndarray, values: np.ndarray, counts: np.ndarray, counted: str,
    events: Mapping[str, Any] | None = None,
) -> PerAnimal:  # fmt: skip
    """Return PerAnimal of the animals with `seen` > 0 frames. Arrays have shape (N,)."""
    rows = np.asarray(seen) > 0
    return PerAnimal(
        ids[rows], np.asarray(values, np.float64)[rows], np.asarray(counts, np.int64)[rows],
        counted, dict(events or {}),
    )  # fmt: skip


class AnimalPaths(ABC):
    """Follows animals and stores a fixed set of numbers for each, so memory stays bounded.

    A step is a displacement from one frame to the next, with the animal seen in both. On periodic
    axes it leads to the nearest image, so paths continue where they leave the box. No step leads
    across a gap, that is, frames in which the animal is not seen.

    numbers  names of numbers stored per animal, initially 0: `self.of[name]` has shape (N,)
    vectors  names of vectors stored per animal, initially 0: `self.of[name]` has shape (N, D)
    """

    numbers: ClassVar[tuple[str, ...]] = ()
    vectors: ClassVar[tuple[str, ...]] = ()

    def __init__(self) -> None:
        self.ids = np.empty(0, dtype=np.int64)
        self.times: list[float] = []
        self.of: dict[str, np.ndarray] = {}

    def add(self, flock: FlockFrame, time: float) -> None:
        """Process the next frame."""
        flock = valid_rows(flock, "positions")
        self.times.append(time)
        self._add_animals(flock.ids, flock.positions.shape[1])
        rows = np.searchsorted(self.ids, flock.ids)
        positions = np.full((len(self.ids), flock.positions.shape[1]), np.nan)
        positions[rows] = flock.positions
        self.of["seen"][rows] += 1
        step = displacements(positions, self.of["last"], flock.space)
        self.follow(positions, step, flock.space)
        self.of["last"], self.of["before"] = positions, step

    @abstractmethod
    def follow(self, positions: np.ndarray, step: np.ndarray, space: Space) -> None:
        """Update the stored numbers from one frame.

        positions, step : (N, D) positions, and the steps that led to them; nan where there are none
        `self.of["last"]` has the previous positions, `self.of["before"]` the previous steps.
        """

    def _add_animals(self, ids: np.ndarray, dims: int) -> None:
        """Add rows for animals that are seen for the first time."""
        all_ids = np.union1d(self.ids, ids)
        if self.of and len(all_ids) == len(self.ids):
            return
        rows = np.searchsorted(all_ids, self.ids)
        vectors = ("last", "before", *self.vectors)
        for name in ("seen", *self.numbers, *vectors):
            shape = (len(all_ids), dims) if name in vectors else (len(all_ids),)
            grown = np.full(shape, np.nan if name in ("last", "before") else 0.0)
            if name in self.of:
                grown[rows] = self.of[name]
            self.of[name] = grown
        self.ids = all_ids


class PathValues(AnimalPaths):
    """Follows animals and computes one value of each.

    counted  what the counts beside the values count
    """

    counted: ClassVar[str] = "steps"

    @abstractmethod
    def values(self) -> tuple[np.ndarray, np.ndarray]:
        """Return (N,) values, and (N,) the number of steps, frames or turns behind each."""

    def result(self) -> PerAnimal:
        """Return the values of all animals that were seen."""
        if not self.of:  # there was no frame
            self._add_animals(self.ids, 2)
        return seen_animals(self.ids, self.of["seen"], *self.values(), self.counted)


def lengths(vectors: np.ndarray) -> np.ndarray:
    """Return (N,) lengths of (N, D) vectors; nan for nan."""
    result: np.ndarray = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return result
