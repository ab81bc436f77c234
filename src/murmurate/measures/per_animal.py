"""Values per animal: a table animal -> value, with their mean and its error over animals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from murmurate.measures.errorbars import over_seeds
from murmurate.measures.estimate import Estimate

EVENTS = ("first", "second", "start", "end", "time", "closest")
"""The columns of events: ids of the two animals, frames, time, distance."""


@dataclass(frozen=True, eq=False)
class PerAnimal:
    """One value per animal.

    ids      (N,) int64, ascending: the animals that were seen in at least one frame. Those of
             tracks are the columns of `Tracks.positions`, whose names `Tracks.names` has
    values   (N,) float64; nan where an animal has none
    counts   (N,) int64: how many steps, frames or turns each value stands on
    counted  what `counts` counts: 'steps', 'frames', 'turns'
    events   column -> (E,) values, a row per event, of measures that count events; else empty.
             See `approaches`

    A step is from one frame to the next, with the animal seen in both.
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
        """The value of an animal, by its id. Raises KeyError where it was never seen."""
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
        """The mean over the animals that have a value, and its standard error s / sqrt(n).

        The error takes animals as independent. Those of one group are not: then it is too small.
        """
        return replace(over_seeds(self.values), how="animals", short=False)


def per_animal(
    ids: np.ndarray, seen: np.ndarray, values: np.ndarray, counts: np.ndarray, counted: str,
    events: Mapping[str, Any] | None = None,
) -> PerAnimal:  # fmt: skip
    """PerAnimal of the animals that were seen, of (N,) arrays."""
    rows = np.asarray(seen) > 0
    return PerAnimal(
        ids[rows], np.asarray(values, np.float64)[rows], np.asarray(counts, np.int64)[rows],
        counted, dict(events or {}),
    )  # fmt: skip
