"""Outsiders: the flocks that are in no cell, small ones mostly, which one worker flies whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from murmurate.codegen.argument import PAD
from murmurate.codegen.candidates import cell_kernels as kernels
from murmurate.codegen.candidates.nearest import sweeps_nearest
from murmurate.codegen.candidates.searches import ALL_PAIRS
from murmurate.codegen.layout import Layout
from murmurate.engines.bounds import put_below_upper
from murmurate.engines.options import RunOptions
from murmurate.engines.protocol import FlightState
from murmurate.engines.slabs.boid_columns import Boids, Neighbours
from murmurate.engines.slabs.by_number import Arrays, parts_by_number
from murmurate.engines.slabs.flight_parts import Moment, Outside, boids_of, frames_of
from murmurate.engines.slabs.kernel_table import KernelTable
from murmurate.frame import FlockFrame

ARRAYS = {
    "state": "next_state", "timers": "next_timers", "memory": "next_memory", "ids": "",
    "flock_index": "", "search_radius2": "",
}  # fmt: skip


def outside(layout: Layout) -> tuple[str, ...]:
    """The flocks that are in no cell."""
    return tuple(name for name in layout.plan.counts if name not in layout.gridded)


def sees_all(layout: Layout) -> bool:
    """Whether some flock that is in no cell looks at every boid of one that is in cells."""
    return any(
        layout.how(flock, sense) == "whole" and sense.flock in layout.gridded
        for flock in layout.plan.flocks
        if flock.flock not in layout.gridded
        for sense in flock.senses
    )


class Outsiders:
    """All boids that are in no cell. Its methods take and return arrays, as a worker's do."""

    def __init__(self, layout: Layout, text: str, options: RunOptions) -> None:
        self.flight = KernelTable(layout, text, options)
        self.names, counts = outside(layout), layout.plan.counts
        self.count = sum(counts[name] for name in self.names)
        self.seen = sum(counts[n] for n in layout.gridded) if sees_all(layout) else 0
        columns = self.seen + self.count + PAD
        sides = {**self.flight.sides, "columns": columns}
        if sweeps_nearest(layout):
            sides["room"] = columns
        self.flight.allocate({**sides})
        table = self.flight.table
        table.allocate([*ARRAYS, *filter(None, ARRAYS.values())], sides)
        self._place_flocks()

    def _place_flocks(self) -> None:
        self.flight.table.set("gridded", self.seen)  # the columns that are not its own
        self.flight.table.set("n_boids", self.seen + self.count)
        layout, flocks, at, first = self.flight.layout, self.flight.table.array("flocks"), 0, 0
        for kind, (name, size) in enumerate(layout.plan.counts.items()):
            if name in layout.gridded:
                flocks[kind] = (0, self.seen, first, size)
            else:
                flocks[kind] = (self.seen + at, size, first, size)
                at += size
            first += size

    def prepare(self) -> None:
        """Compiles what it will need."""
        self.flight.prepare(ALL_PAIRS, self._stages)

    @property
    def _stages(self) -> set[int]:
        """The stages in which its boids do anything."""
        return {f.stage for f in self.flight.layout.plan.flocks if f.flock in self.names}

    def replace_layout(self, layout: Layout) -> None:
        """Goes on with other numbers: a layout of the same structure."""
        self.flight.replace_layout(layout)
        self._place_flocks()

    @property
    def _own(self) -> slice:
        return slice(self.seen, self.seen + self.count)

    def start(self, state: FlightState) -> None:
        """Its boids are those of a state."""
        self.put(boids_of(self.flight.layout, state, self.flight.options.dtype, gridded=False))

    def put(self, boids: Boids) -> None:
        for name in ARRAYS:
            self.flight.table.array(name)[..., self._own] = getattr(boids, name)

    def boids(self) -> Boids:
        """Its boids as they are, copied."""
        array = self.flight.table.array
        return Boids(*(array(name)[..., self._own].copy() for name in ARRAYS))

    def set(
        self,
        first: int,
        size: int,
        positions: np.ndarray | None,
        velocities: np.ndarray | None,
    ) -> None:
        """Moves the boids of a flock, as SlabWorker.set does."""
        ids, state = (self.flight.table.array(n)[..., self._own] for n in ("ids", "state"))
        begin, dims = int(np.flatnonzero(ids == first)[0]), self.flight.dims
        for rows, values in ((slice(dims), positions), (slice(dims, None), velocities)):
            if values is not None:
                state[rows, begin : begin + size] = values.T
        put_below_upper(self.flight.layout.plan.model.space, state)

    def split(self, cuts: Sequence[int]) -> list[Arrays]:
        """What is known of its boids whose numbers lie between two cuts."""
        return parts_by_number(self.flight.table.array, self._own, cuts)

    def apply(self, function: Callable[[list[FlockFrame]], Any]) -> Any:
        """A function of its boids, a frame of each flock."""
        return function(frames_of(self.flight.layout, self.flight.table.array, self._own))

    def outside(self) -> Outside:
        """Its boids, as others look at them."""
        state, ids, flock_index = (
            self.flight.table.array(n)[..., self._own].copy()
            for n in ("state", "ids", "flock_index")
        )
        counts, begins, at = self.flight.layout.plan.counts, {}, 0
        for name in self.names:
            begins[name] = at
            at += counts[name]
        return Outside(state, ids, flock_index, begins)

    def sums(self) -> np.ndarray:
        """(1, flocks, 2 dims) float64: sums of places and velocities."""
        array = self.flight.table.array
        found = np.zeros_like(array("totals"))
        kernels.sum_flocks(
            array("state"), array("flock_index"), self.flight.dims, 0, self._own.start,
            self._own.stop,
            np.zeros(1, np.int64), np.zeros(7, np.int64), array("layer_sums"), found,
        )  # fmt: skip
        return found[None]

    def look(self, moment: Moment, totals: np.ndarray | None, *everyone: Neighbours) -> None:
        """A stage of its boids.

        everyone  the boids in cells, in the order of cells, where some look at all of them
        """
        array, at = self.flight.table.array, 0
        for part in everyone:
            span = slice(at, at + len(part))
            array("state")[:, span] = part.state
            if part.roster:
                array("ids")[span], array("flock_index")[span] = (
                    part.roster.ids,
                    part.roster.flock_index,
                )
            at = span.stop
        self.flight.put_moment(moment, totals)
        if moment.stage in self._stages:
            self.flight.sweep(ALL_PAIRS, moment.stage)

    def advance(self) -> tuple[int, np.ndarray] | None:
        """What the stage made becomes the state. Returns the first of its boids that is lost: its
        number, and its place."""
        for name, twin in ARRAYS.items():
            if twin:
                self.flight.table.exchange(name, twin)
        return self.flight.stray(self._own)
