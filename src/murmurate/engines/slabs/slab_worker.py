"""Slab worker: the boids of some layers of the grid, flown by the same kernels as on one machine.

A worker knows nothing of the others: it is asked for boids that leave it and for layers that others
look at, and is given such. Its methods take and return arrays, so that it may be anywhere.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from murmurate.codegen.candidates import cell_kernels as kernels
from murmurate.codegen.candidates.cell_functions import WIDEST
from murmurate.codegen.candidates.cells import CHUNKS
from murmurate.codegen.candidates.grid import Grid
from murmurate.codegen.candidates.searches import CELLS
from murmurate.codegen.layout import Layout
from murmurate.engines.bounds import put_below_upper
from murmurate.engines.options import RunOptions
from murmurate.engines.protocol import FlightState
from murmurate.engines.slabs.boid_columns import BoidColumns, Boids, Neighbours, Roster
from murmurate.engines.slabs.by_number import Arrays, parts_by_number, stretch_of
from murmurate.engines.slabs.cuts import Cuts
from murmurate.engines.slabs.flight_parts import Moment, Outside, boids_of, frames_of
from murmurate.engines.slabs.kernel_table import KernelTable
from murmurate.engines.slabs.slab_cells import SlabCells
from murmurate.frame import FlockFrame


class SlabWorker:
    """One worker.

    layout, text  of the whole flight's model, as `prepared` gives them
    options       dtype, threads and seed count
    """

    def __init__(self, layout: Layout, text: str, options: RunOptions) -> None:
        self.flight = KernelTable(layout, text, options)
        self.dims, self.table = self.flight.dims, self.flight.table
        self.threads = self.flight.threads
        self.flight.allocate({})
        self.columns = BoidColumns(self.table, self.flight.sides)
        self.cells = SlabCells(layout, self.columns, self.flight.loop)

    def prepare(self) -> None:
        """Compiles what it will need, once a machine."""
        self.flight.prepare(CELLS, range(self.flight.layout.plan.stages))

    def replace_layout(self, layout: Layout) -> None:
        """Goes on with other numbers: a layout of the same structure."""
        self.flight.replace_layout(layout)

    # --- the state

    def start(self, state: FlightState, share: int, of: int) -> None:
        """Its boids are a share of those of a state, wherever they are."""
        layout, dtype = self.flight.layout, self.flight.options.dtype
        self.put(boids_of(layout, state, dtype, gridded=True, share=share, of=of))

    def put(self, *parts: Boids) -> None:
        """Its boids are these, wherever they are."""
        self.columns.count = 0
        for boids in parts:
            self.columns.append(boids)

    def boids(self) -> Boids:
        """Its boids as they are, copied."""
        return self.columns.copied(self.columns.own)

    def hold(self, boids: Boids) -> None:
        """Holds a copy of another worker's boids, in case that one dies."""
        self._held = boids

    def set(
        self,
        first: int,
        size: int,
        positions: np.ndarray | None,
        velocities: np.ndarray | None,
    ) -> None:
        """Moves those of its boids that are of a flock, or gives them other velocities.

        first, size  number of the flock's first boid, and how many it has
        positions, velocities  (size, dims) each; None for as they are
        """
        own, state = self.columns.own, self.columns.array("state")
        ids = self.columns.array("ids")[own]
        which = np.flatnonzero((ids >= first) & (ids < first + size))
        rows, to = ids[which] - first, which + own.start
        if positions is not None:
            state[: self.dims, to] = positions[rows].T
            put_below_upper(self.flight.layout.plan.model.space, state[:, own])
        if velocities is not None:
            state[self.dims :, to] = velocities[rows].T

    def split(self, cuts: Sequence[int]) -> list[Arrays]:
        """What is known of its boids whose numbers lie between two cuts."""
        return parts_by_number(self.columns.array, self.columns.own, cuts)

    def joined(
        self,
        bounds: Sequence[int],
        first: int,
        function: Callable[[int, Arrays], Any],
        *parts: Arrays,
    ) -> list[Any]:
        """What function(first + k, boids) gives of the boids bounds[k], ..., bounds[k + 1] - 1,
        which are in some parts."""
        boids = stretch_of(parts, bounds[0], bounds[-1])
        edges = [bound - bounds[0] for bound in bounds]
        return [
            function(first + k, {name: values[low:high] for name, values in boids.items()})
            for k, (low, high) in enumerate(itertools.pairwise(edges))
        ]

    def apply(self, function: Callable[[list[FlockFrame]], Any]) -> Any:
        """A function of its boids, a frame of each flock that is here."""
        return function(frames_of(self.flight.layout, self.columns.array, self.columns.own))

    # --- a step: where boids are

    def samples(self, every: int) -> np.ndarray:
        """(dims, samples) places of its boids whose number is a multiple of `every`."""
        own = self.columns.own
        which = own.start + np.flatnonzero(self.columns.array("ids")[own] % every == 0)
        return self.columns.array("state")[: self.dims, which].astype(float)

    def tally(self, grid: Grid) -> tuple[np.ndarray, int, int]:
        """How many of its boids are in each layer of a grid; the first layer that any is in, and
        the one behind the last."""
        counts = self.cells.tally(grid)
        there = np.flatnonzero(counts)
        return counts, *((int(there[0]), int(there[-1]) + 1) if len(there) else (0, 0))

    def leaving(self, cuts: Cuts, me: int, owners: Sequence[int]) -> list[Boids]:
        """Takes out the boids that other workers hold from now on: those of each of `owners`."""
        self.cells.take(cuts.edges[me], cuts.edges[me + 1])
        gone, layers = self.cells.elsewhere()
        edges = cuts.edges
        found = [
            self.columns.copied(gone[(layers >= edges[w]) & (layers < edges[w + 1])])
            for w in owners
        ]
        self.columns.drop(gone)
        return found

    def settle(self, *arrived: Boids) -> float:
        """Takes in boids, and sorts its own into cells; returns the sum of squared occupancies."""
        for boids in arrived:
            self.columns.append(boids)
        return self.cells.sort()

    # --- a step: what boids do

    def neighbours(self, first: int, last: int, turns: int, anew: bool) -> Neighbours:
        """The boids of some of its layers, as another worker looks at them.

        turns  how many sides of the space away that is
        anew   whether the other does not know yet who they are
        """
        start = self.cells.start_of(first, last)
        part = slice(int(start[0]), int(start[-1]))
        state = self.columns.array("state")[:, part].copy()
        if turns:
            axis = self.cells.axis
            state[axis] += state.dtype.type(turns * self.flight.layout.plan.model.space.size[axis])
        if not anew:
            return Neighbours(state, None)
        ids, flock_index = (
            self.columns.array(name)[part].copy() for name in ("ids", "flock_index")
        )
        return Neighbours(state, Roster(ids, flock_index, np.diff(start).astype(np.int32)))

    def look(
        self,
        moment: Moment,
        widths: tuple[int, int],
        outside: Outside | None,
        totals: np.ndarray | None,
        *beside: Neighbours,
    ) -> int:
        """A stage of its boids. Returns 0, or how many layers away some of the nearest may be,
        where those were not given: then it has to look again.

        widths  how many layers lie before and behind its own
        beside  their boids, in order: first those before, then those behind
        """
        if not self.columns.count:
            return 0
        if moment.stage == 0 or any(part.roster for part in beside):
            self._place(widths, outside, beside)
        else:
            self._refresh(outside, beside)
        table = self.table
        self.flight.put_moment(moment, totals)
        table.set("missing_halo_layers", 0)
        self.flight.sweep(CELLS, moment.stage)
        return max(table.number("missing_halo_layers", t) for t in range(self.threads))

    def _place(
        self, widths: tuple[int, int], outside: Outside | None, beside: Sequence[Neighbours]
    ) -> None:
        """Puts the boids around its own into columns, and plans the work."""
        columns, table = self.columns, self.table
        rosters = [part.roster for part in beside if part.roster]
        before = self._before(widths, rosters)
        low, high = (sum(map(len, parts)) for parts in (beside[:before], beside[before:]))
        columns.make_room(columns.count, low, high + (len(outside.ids) if outside else 0))
        self._spans = []
        at = columns.front - low
        for k, (part, roster) in enumerate(zip(beside, rosters, strict=True)):
            if k == before:
                at = columns.own.stop
            span = slice(at, at + len(part))
            self._spans.append(span)
            columns.array("state")[:, span] = part.state
            columns.array("ids")[span], columns.array("flock_index")[span] = (
                roster.ids,
                roster.flock_index,
            )
            at = span.stop
        counts = [roster.counts for roster in rosters]
        ahead = np.concatenate([[0], *counts[:before]]).cumsum()[:-1] + columns.front - low
        behind = np.concatenate([[0], *counts[before:]]).cumsum()[1:] + columns.own.stop
        start = np.concatenate([ahead, self.cells.start, behind])
        grid, real = self.cells.grid, columns.array("state").dtype
        shape = self.cells.shape(self.cells.first - widths[0], self.cells.last + widths[1])
        self._put_outside(outside, columns.own.stop + high)
        table.put("start", start)
        table.put("grid", shape)
        table.put("corner", grid.corner.astype(real))
        table.put("cell_size", grid.size.astype(real))
        table.put("inverse", (1.0 / grid.size).astype(real))
        width = min(int(shape[0]), WIDEST) + 64
        if width > self.flight.sides["width"]:
            self.flight.sides["width"] = width
            table.allocate(["slab_starts", "own_starts"], self.flight.sides)
        # no work in the layers of others
        mine = np.clip(start, columns.own.start, columns.own.stop)
        sides = {
            "runs": len(start) + 64 * self.threads,
            "chunks + 1": (CHUNKS + 4) * self.threads + 2,
        }
        runs, chunks = table.made("runs", sides), table.made("chunks", sides)
        made = kernels.plan_runs(mine, shape, float(CHUNKS * self.threads), runs, chunks)
        table.put("runs", runs)
        table.put("chunks", chunks[: made + 1].copy())

    def _before(self, widths: tuple[int, int], rosters: Sequence[Roster]) -> int:
        """How many of the pieces lie before its own layers."""
        left, before = widths[0] * self.cells.in_a_layer, 0
        while left > 0:
            left -= len(rosters[before].counts)
            before += 1
        return before

    def _refresh(self, outside: Outside | None, beside: Sequence[Neighbours]) -> None:
        """Boids around its own are as a stage left them."""
        state = self.columns.array("state")
        for span, part in zip(self._spans, beside, strict=True):
            state[:, span] = part.state
        if outside:
            state[:, self._outside : self._outside + len(outside.ids)] = outside.state

    def _put_outside(self, outside: Outside | None, at: int) -> None:
        """Boids that are in no cell, from a column on."""
        self._outside = at
        flocks, layout = self.table.array("flocks"), self.flight.layout
        first = 0
        for kind, (name, size) in enumerate(layout.plan.counts.items()):
            begins = outside.begins if outside else {}
            begin, swept = (at + begins[name], size) if name in begins else (0, 0)
            flocks[kind] = (begin, swept, first, size)
            first += size
        if outside is not None:
            span = slice(at, at + len(outside.ids))
            for name in ("state", "ids", "flock_index"):
                self.columns.array(name)[..., span] = getattr(outside, name)

    def advance(self) -> tuple[int, np.ndarray] | None:
        """What the stage made becomes the state. Returns the first of its boids that is lost: its
        number, and its place."""
        if not self.columns.count:
            return None
        self.columns.swap()
        return self.flight.stray(self.columns.own)

    def sums(self) -> np.ndarray:
        """(layers, flocks, 2 dims) float64: sums of places and velocities of its boids, layer by
        layer."""
        columns, cells = self.columns, self.cells
        totals, part = (self.table.array(name) for name in ("totals", "layer_sums"))
        found = np.zeros((cells.last - cells.first, *totals.shape))
        for k, layer in enumerate(range(cells.first, cells.last)):
            start = cells.start_of(layer, layer + 1)
            kernels.sum_flocks(
                columns.array("state"), columns.array("flock_index"), self.dims, 0, start[0],
                start[-1], start, cells.grid.shape, part, found[k],
            )  # fmt: skip
        return found
