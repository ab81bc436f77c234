"""Paths of animals: follows each animal from frame to frame."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.per_animal import PerAnimal, per_animal
from murmurate.measures.valid_rows import valid_rows
from murmurate.model.space import Space
from murmurate.neighbours.periodic import displacements


class AnimalPaths(ABC):
    """Follows animals, and keeps some numbers of each: the memory does not grow with the frames.

    A step is a displacement from one frame to the next, with the animal seen in both: to the
    nearest image on periodic axes, so that paths continue where they leave the box. No step leads
    across a gap, which is one or more frames in which the animal is not seen.

    numbers  names of numbers that are kept of each animal, 0 at first: self.of[name] is (N,)
    vectors  the same of vectors: self.of[name] is (N, D)
    """

    numbers: ClassVar[tuple[str, ...]] = ()
    vectors: ClassVar[tuple[str, ...]] = ()

    def __init__(self) -> None:
        self.ids = np.empty(0, dtype=np.int64)
        self.times: list[float] = []
        self.of: dict[str, np.ndarray] = {}

    def add(self, flock: FlockFrame, time: float) -> None:
        flock = valid_rows(flock, "positions")
        self.times.append(time)
        self._admit(flock.ids, flock.positions.shape[1])
        rows = np.searchsorted(self.ids, flock.ids)
        here = np.full((len(self.ids), flock.positions.shape[1]), np.nan)
        here[rows] = flock.positions
        self.of["seen"][rows] += 1
        step = displacements(here, self.of["last"], flock.space)
        self.follow(here, step, flock.space)
        self.of["last"], self.of["before"] = here, step

    @abstractmethod
    def follow(self, here: np.ndarray, step: np.ndarray, space: Space) -> None:
        """Takes one frame: (N, D) positions, and (N, D) steps that led there; nan where there are
        none. self.of["last"] are the positions before, self.of["before"] the steps before."""

    def _admit(self, ids: np.ndarray, dims: int) -> None:
        """Makes room for animals that are new."""
        everyone = np.union1d(self.ids, ids)
        if self.of and len(everyone) == len(self.ids):
            return
        rows = np.searchsorted(everyone, self.ids)
        vectors = ("last", "before", *self.vectors)
        for name in ("seen", *self.numbers, *vectors):
            shape = (len(everyone), dims) if name in vectors else (len(everyone),)
            grown = np.full(shape, np.nan if name in ("last", "before") else 0.0)
            if name in self.of:
                grown[rows] = self.of[name]
            self.of[name] = grown
        self.ids = everyone


class PathValues(AnimalPaths):
    """Follows animals, and gives one value of each.

    counted  what the counts beside the values are: 'steps', 'frames' or 'turns'
    """

    counted: ClassVar[str] = "steps"

    @abstractmethod
    def values(self) -> tuple[np.ndarray, np.ndarray]:
        """(N,) values, and (N,) the number of steps, frames or turns behind each."""

    def result(self) -> PerAnimal:
        if not self.of:  # no frame at all
            self._admit(self.ids, 2)
        return per_animal(self.ids, self.of["seen"], *self.values(), self.counted)


def lengths(steps: np.ndarray) -> np.ndarray:
    """(N,) lengths of (N, D) steps; nan where there is none."""
    found: np.ndarray = np.sqrt(np.einsum("ij,ij->i", steps, steps))
    return found
