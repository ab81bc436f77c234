"""Slab worker: the boids of some layers of the grid, flown by the same kernels as on one machine.

A worker knows nothing of the others: it is asked for boids that leave it and for layers that others
look at, and is given such. Its methods take and return arrays, so that it may be anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from murmurate.codegen.cell_functions import WIDEST
from murmurate.codegen.layout import Layout
from murmurate.engine import cell_kernels as kernels
from murmurate.engine.flight_arguments import CHUNKS
from murmurate.engine.grid import Grid
from murmurate.engine.options import RunOptions
from murmurate.engine.protocol import FlightState
from murmurate.frame import FlockFrame
from murmurate.slabs.boid_columns import BoidColumns, Boids, Neighbours, Roster
from murmurate.slabs.cuts import Cuts
from murmurate.slabs.flight_parts import Moment, Outside, boids_of, frames_of
from murmurate.slabs.kernel_table import KernelTable


class SlabWorker:
    """One worker.

    layout, text  of the whole flight's model, as `prepared` gives them
    options       dtype, threads and seed count
    """

    def __init__(self, layout: Layout, text: str, options: RunOptions) -> None:
        self.flight = KernelTable(layout, text, options)
        self.dims, self.team, self.table = self.flight.dims, self.flight.team, self.flight.table
        self.axis = 2 if self.dims == 3 else 0  # that layers are counted on
        self.flight.allocate({})
        self.columns = BoidColumns(self.table, self.flight.sides)
        self._several = len(layout.plan.counts) > 1
        self._rests = any(flock.rests for flock in layout.plan.flocks)

    def prepare(self) -> None:
        """Compiles what it will need, once a machine."""
        for stage in range(self.flight.layout.plan.stages):
            self.flight.kernels.kernel(f"cells_{stage}")

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
        own, now = self.columns.own, self.columns.array("now")
        ids = self.columns.array("ids")[own]
        which = np.flatnonzero((ids >= first) & (ids < first + size))
        rows, to = ids[which] - first, which + own.start
        if positions is not None:
            now[: self.dims, to] = positions[rows].T
        if velocities is not None:
            now[self.dims :, to] = velocities[rows].T

    def apply(self, function: Callable[[list[FlockFrame]], Any]) -> Any:
        """A function of its boids, a frame of each flock that is here."""
        return function(frames_of(self.flight.layout, self.columns.array, self.columns.own))

    # --- a step: where boids are

    def samples(self, every: int) -> np.ndarray:
        """(dims, samples) places of its boids whose number is a multiple of `every`."""
        own = self.columns.own
        which = own.start + np.flatnonzero(self.columns.array("ids")[own] % every == 0)
        return self.columns.array("now")[: self.dims, which].astype(float)

    def tally(self, grid: Grid) -> tuple[np.ndarray, int, int]:
        """How many of its boids are in each layer of a grid; the first layer that any is in, and
        the one behind the last."""
        self._grid = grid
        columns, layers = self.columns, int(grid.shape[5])
        real = self.table.array("now").dtype
        counts = np.zeros(layers, np.int64)
        kernels.count_layers(
            columns.array("now"), self.axis, columns.own.start, columns.own.stop,
            grid.corner.astype(real), (1.0 / grid.size).astype(real), layers,
            columns.array("cell"), counts,
        )  # fmt: skip
        there = np.flatnonzero(counts)
        return counts, *((int(there[0]), int(there[-1]) + 1) if len(there) else (0, 0))

    def leaving(self, cuts: Cuts, me: int, owners: Sequence[int]) -> list[Boids]:
        """Takes out the boids that other workers hold from now on: those of each of `owners`."""
        columns, own = self.columns, self.columns.own
        self._first, self._last = cuts.edges[me], cuts.edges[me + 1]
        layers = columns.array("cell")[own]
        gone = own.start + np.flatnonzero((layers < self._first) | (layers >= self._last))
        of = layers[gone - own.start]
        found = [
            columns.copied(gone[(of >= cuts.edges[w]) & (of < cuts.edges[w + 1])]) for w in owners
        ]
        columns.drop(gone)
        return found

    def settle(self, *arrived: Boids) -> float:
        """Takes in boids, and sorts its own into cells; returns the sum of squared occupancies."""
        for boids in arrived:
            self.columns.append(boids)
        grid, shape = self._grid, self._shape(self._first, self._last)
        cells = int(shape[0] * shape[1] * shape[2])
        start = np.zeros(cells + 1, np.int64)
        squares = self._into_order(grid, shape, start)
        self._gather(cells, start)
        self._start = start
        return squares

    def _shape(self, first: int, last: int) -> np.ndarray:
        """The shape of the grid whose layers are first ... last - 1 of the whole one's."""
        shape = self._grid.shape.copy()
        shape[self.axis], shape[6] = last - first, first
        return shape

    def _into_order(self, grid: Grid, shape: np.ndarray, start: np.ndarray) -> float:
        columns, own = self.columns, self.columns.own
        real = columns.array("now").dtype
        threads = self.team.size if self.team.shares("order") else 1
        edges = np.linspace(own.start, own.stop, threads + 1).astype(int)
        places = np.zeros((threads, len(start) - 1), np.int64)
        corner, inverse = grid.corner.astype(real), (1.0 / grid.size).astype(real)
        now, cell, order = map(columns.array, ("now", "cell", "order"))

        def tally(t: int) -> None:
            kernels.count_cells(
                now, self.dims, edges[t], edges[t + 1], corner, inverse, shape, cell, places[t]
            )

        def put(t: int) -> None:
            kernels.order_cells(edges[t], edges[t + 1], cell, places[t], order)

        self.team.share("tally", tally, threads)
        squares = float(kernels.place_cells(places, start))
        start += own.start
        places += own.start
        self.team.share("order", put, threads)
        return squares

    def _gather(self, cells: int, start: np.ndarray) -> None:
        columns, own = self.columns, self.columns.own
        parts = 4 * self.team.size if self.team.shares("gather") else 1
        cuts = np.searchsorted(start, np.linspace(own.start, own.stop, parts + 1)[1:-1])
        cuts = np.concatenate([[0], cuts, [cells]])
        order, array = columns.array("order"), columns.array

        def gather(k: int) -> None:
            kernels.gather_cells(
                cuts[k], cuts[k + 1], start, order, self._several, self._rests,
                array("ids"), array("kinds"), array("timers"), array("now"),
                array("other_ids"), array("other_kinds"), array("new_timers"), array("new"),
            )  # fmt: skip

        self.team.share("gather", gather, parts)
        for name, twin in (("guesses", "guesses"), ("memory", "new_memory")):
            if len(array(name)):
                array(twin)[:, own] = array(name)[:, order[own]]
        columns.swap_order()

    # --- a step: what boids do

    def neighbours(self, first: int, last: int, turns: int, anew: bool) -> Neighbours:
        """The boids of some of its layers, as another worker looks at them.

        turns  how many sides of the space away that is
        anew   whether the other does not know yet who they are
        """
        cells = (len(self._start) - 1) // (self._last - self._first)
        start = self._start[(first - self._first) * cells : (last - self._first) * cells + 1]
        part = slice(int(start[0]), int(start[-1]))
        now = self.columns.array("now")[:, part].copy()
        if turns:
            side = self.flight.layout.plan.model.space.size[self.axis]
            now[self.axis] += now.dtype.type(turns * side)
        if not anew:
            return Neighbours(now, None)
        ids, kinds = (self.columns.array(name)[part].copy() for name in ("ids", "kinds"))
        return Neighbours(now, Roster(ids, kinds, np.diff(start).astype(np.int32)))

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
        table.set("lacking", 0)
        self.flight.calls.each(f"cells_{moment.stage}")
        return max(table.number("lacking", t) for t in range(self.team.size))

    def _place(
        self, widths: tuple[int, int], outside: Outside | None, beside: Sequence[Neighbours]
    ) -> None:
        """Puts the boids around its own into columns, and plans the work."""
        columns, table = self.columns, self.table
        rosters = [part.roster for part in beside if part.roster]
        before = self._before(widths, rosters)
        low, high = (sum(map(len, parts)) for parts in (beside[:before], beside[before:]))
        front = columns.front
        columns.make_room(columns.count, low, high + (len(outside.ids) if outside else 0))
        self._start += columns.front - front
        self._spans = []
        at = columns.front - low
        for k, (part, roster) in enumerate(zip(beside, rosters, strict=True)):
            if k == before:
                at = columns.own.stop
            span = slice(at, at + len(part))
            self._spans.append(span)
            columns.array("now")[:, span] = part.now
            columns.array("ids")[span], columns.array("kinds")[span] = roster.ids, roster.kinds
            at = span.stop
        counts = [roster.counts for roster in rosters]
        ahead = np.concatenate([[0], *counts[:before]]).cumsum()[:-1] + columns.front - low
        behind = np.concatenate([[0], *counts[before:]]).cumsum()[1:] + columns.own.stop
        start = np.concatenate([ahead, self._start, behind])
        grid, real = self._grid, columns.array("now").dtype
        shape = self._shape(self._first - widths[0], self._last + widths[1])
        self._put_outside(outside, columns.own.stop + high)
        table.put("start", start)
        table.put("grid", shape)
        table.put("corner", grid.corner.astype(real))
        table.put("cell_size", grid.size.astype(real))
        table.put("inverse", (1.0 / grid.size).astype(real))
        width = min(int(shape[0]), WIDEST) + 64
        if width > self.flight.sides["width"]:
            self.flight.sides["width"] = width
            table.allocate(["slabs", "own"], self.flight.sides)
        # no work in the layers of others
        mine = np.clip(start, columns.own.start, columns.own.stop)
        sides = {
            "runs": len(start) + 64 * self.team.size,
            "chunks + 1": (CHUNKS + 4) * self.team.size + 2,
        }
        runs, chunks = table.made("runs", sides), table.made("chunks", sides)
        made = kernels.plan_runs(mine, shape, float(CHUNKS * self.team.size), runs, chunks)
        table.put("runs", runs)
        table.put("chunks", chunks[: made + 1].copy())

    def _before(self, widths: tuple[int, int], rosters: Sequence[Roster]) -> int:
        """How many of the pieces lie before its own layers."""
        cells = (len(self._start) - 1) // (self._last - self._first)
        left, before = widths[0] * cells, 0
        while left > 0:
            left -= len(rosters[before].counts)
            before += 1
        return before

    def _refresh(self, outside: Outside | None, beside: Sequence[Neighbours]) -> None:
        """Boids around its own are as a stage left them."""
        now = self.columns.array("now")
        for span, part in zip(self._spans, beside, strict=True):
            now[:, span] = part.now
        if outside:
            now[:, self._outside : self._outside + len(outside.ids)] = outside.now

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
            for name in ("now", "ids", "kinds"):
                self.columns.array(name)[..., span] = getattr(outside, name)

    def advance(self) -> None:
        """What the stage made becomes the state."""
        if self.columns.count:
            self.columns.swap()

    def sums(self) -> np.ndarray:
        """(layers, flocks, 2 dims) float64: sums of places and velocities of its boids, layer by
        layer."""
        columns, table = self.columns, self.table
        layers = self._last - self._first
        found = np.zeros((layers, *table.array("totals").shape))
        if not layers:
            return found
        cells = (len(self._start) - 1) // layers
        for layer in range(layers):
            kernels.sum_flocks(
                columns.array("now"), columns.array("kinds"), self.dims, 0,
                self._start[layer * cells], self._start[(layer + 1) * cells], self._start,
                self._grid.shape, table.array("layer_sums"), found[layer],
            )  # fmt: skip
        return found

    def stray(self) -> tuple[int, np.ndarray] | None:
        """The first of its boids that is lost: its number, and its place."""
        return self.flight.stray(self.columns.own)
