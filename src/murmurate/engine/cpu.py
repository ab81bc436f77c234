"""The fast engine: fused kernels, cells, threads.

The kernels let go of Python's lock, so threads are Python's own: no threading layer to die when two
simulations run at once, nothing global, and nothing that forbids forking.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any

import numpy as np

from murmurate.build import plan as plans
from murmurate.build.cache import is_compiled, module_of
from murmurate.build.compiling import compiling
from murmurate.build.fuse import kernel_text
from murmurate.build.plan import HIDDEN, Plan
from murmurate.build.sense_nearest import nearest_groups
from murmurate.engine import law
from murmurate.engine.grid import Grid, bounds, make_grid, most_cells
from murmurate.errors import RunError
from murmurate.model.model import Model

BLOCK = 256  # steps of a small model flown in one call
PAD = 16  # kernels may read and write so far past the end
SHARED = 4096  # from so many boids on, threads share a step
PREPARING = threading.Lock()  # Python 3.11 cannot parse in two threads at once
AWAY = 1e6  # a boid so many times the space's largest side from its middle has run away


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def prepared(model: Model, counts: Mapping[str, int], dtype: str) -> tuple[Plan, str]:
    """A model's plan and the text of its kernels; the last few are remembered, since sweeps fly the
    same model with many seeds."""
    with PREPARING:
        return _prepared(model, tuple(counts.items()), dtype, plans.WHOLE_MODEL, plans.WHOLE_FLOCK)


@lru_cache(maxsize=32)
def _prepared(
    model: Model, counts: tuple[tuple[str, int], ...], dtype: str, *_: int
) -> tuple[Plan, str]:
    plan = plans.make_plan(model, dict(counts))
    return plan, kernel_text(plan, dtype)


class CpuEngine:
    """Owns the arrays of one flight.

    Raises RuleError for a rule that does not compile, RunError for boids that are lost.
    """

    def __init__(
        self,
        model: Model,
        arrays: Mapping[str, tuple[np.ndarray, np.ndarray]],
        seed: int,
        *,
        dtype: str = "float32",
        threads: int | None = None,
        timers: Mapping[str, np.ndarray] | None = None,
        step: int = 0,
    ) -> None:
        self.plan: Plan
        self._text: str
        self.step_number = step
        self.seed = seed
        self.dtype = np.dtype(dtype)
        self.threads = threads or cores()
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None
        self._take(model, arrays, timers or {})

    # --- what others ask of it

    def step(self, steps: int) -> None:
        """Flies so many steps."""
        if self._count == 0:
            self.step_number += steps
            return
        if self._shared:
            for _ in range(steps):
                self._one_step()
        else:
            self._small_steps(steps)

    @property
    def compiled(self) -> bool:
        """Whether the kernels are in the cache: if not, the first step takes seconds."""
        return is_compiled(self._kernels)

    def arrays(self) -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Flock name -> (positions, velocities, perch timers), copies, in id order."""
        dims, count = self._dims, self._count
        state = np.empty((count, 2 * dims), self.dtype)
        timers = np.empty(count, np.int64)
        state[self._ids[:count]] = self._now[:, :count].T
        timers[self._ids[:count]] = self._timers[:count]
        out, first = {}, 0
        for name, size in self.plan.counts.items():
            part = slice(first, first + size)
            out[name] = (state[part, :dims].copy(), state[part, dims:].copy(), timers[part])
            first += size
        return out

    def change(self, model: Model) -> None:
        """Goes on with another model of the same flocks: new numbers cost nothing, a new structure
        a new kernel."""
        arrays = self.arrays()
        state = {name: (p, v) for name, (p, v, _) in arrays.items()}
        plan, text = prepared(model, self.plan.counts, self.dtype.name)
        if text == self._text:
            self.plan, self.model = plan, model
        else:
            self._take(model, state, {name: t for name, (_, _, t) in arrays.items()})

    def place(self, name: str, positions: np.ndarray | None, velocities: np.ndarray | None) -> None:
        """Puts a flock's boids elsewhere, or gives them other velocities: (N, D) each, None for as
        they are."""
        counts = self.plan.counts
        first = sum(counts[other] for other in list(counts)[: list(counts).index(name)])
        slots = np.flatnonzero(
            (self._ids[: self._count] >= first) & (self._ids[: self._count] < first + counts[name])
        )
        rows = self._ids[slots] - first
        if positions is not None:
            self._now[: self._dims, slots] = positions[rows].T
        if velocities is not None:
            self._now[self._dims :, slots] = velocities[rows].T

    def copy(self, threads: int | None = None) -> CpuEngine:
        """Another engine that goes on from the same moment."""
        arrays = self.arrays()
        return CpuEngine(
            self.model,
            {name: (p, v) for name, (p, v, _) in arrays.items()},
            self.seed,
            dtype=self.dtype.name,
            threads=threads or self.threads,
            timers={name: t for name, (_, _, t) in arrays.items()},
            step=self.step_number,
        )

    def flies(self, model: Model) -> bool:
        """Whether another model of the same flocks needs no other kernels."""
        return prepared(model, self.plan.counts, self.dtype.name)[1] == self._text

    # --- set up

    def _take(
        self,
        model: Model,
        arrays: Mapping[str, tuple[np.ndarray, np.ndarray]],
        timers: Mapping[str, np.ndarray],
    ) -> None:
        self.model = model
        counts = {name: len(positions) for name, (positions, _) in arrays.items()}
        self.plan, self._text = prepared(model, counts, self.dtype.name)
        self._kernels: Any = module_of(self._text)
        self._dims = model.space.dims
        self._count = sum(counts.values())
        self._gridded = sum(counts[name] for name in self.plan.gridded)
        together = model.order == "together"
        self._shared = bool(self.plan.gridded) or (
            together and self.threads > 1 and self._count >= SHARED
        )
        self._lay_out(arrays, timers)
        side = max(model.space.size)
        self._centre = np.array(model.space.lower) + np.array(model.space.size) / 2
        self._limit = AWAY * side
        self._lower = np.array(model.space.lower, self.dtype)
        self._upper = np.array(model.space.upper, self.dtype)
        self._key0, self._key1 = law.keys(self.seed)
        self._totals = np.zeros((len(counts), 2 * self._dims))
        groups = max(len(nearest_groups(flock)) for flock in self.plan.flocks)
        self._guesses = np.full((groups, self._count if groups else 0), HIDDEN**2, self.dtype)
        self._near = [self._near_scratch() for _ in range(self.threads)]
        self._stages = [self._staging(4096) for _ in range(self.threads)]
        self._cell_side = 0.0
        senses = [s for f in self.plan.flocks for s in f.senses]
        self._needs_totals = any(s.how == "totals" for s in senses)
        # Whether sums are taken in the order of the cells, of all boids of a flock in cells
        self._order_counts = self._needs_totals or any(
            s.how == "whole" and s.flock in self.plan.gridded and not s.rule.nearest for s in senses
        )

    def _lay_out(
        self,
        arrays: Mapping[str, tuple[np.ndarray, np.ndarray]],
        timers: Mapping[str, np.ndarray],
    ) -> None:
        """Slots: gridded flocks first, then the others; flocks table for the kernels."""
        dims, count, gridded = self._dims, self._count, self.plan.gridded
        self._now = np.zeros((2 * dims, count + PAD), self.dtype)
        self._new = np.zeros_like(self._now)
        self._timers = np.zeros(count + PAD, np.int32)
        self._new_timers = np.zeros_like(self._timers)
        self._ids = np.zeros(count + PAD, np.int32)
        self._kinds = np.zeros(count + PAD, np.int32)
        self._flocks = np.zeros((len(self.plan.counts), 4), np.int64)
        first_ids, first = {}, 0
        for name, size in self.plan.counts.items():
            first_ids[name], first = first, first + size
        slot = 0
        for name in [*gridded, *(n for n in self.plan.counts if n not in gridded)]:
            size, kind = self.plan.counts[name], list(self.plan.counts).index(name)
            part = slice(slot, slot + size)
            positions, velocities = arrays[name]
            self._now[:dims, part] = np.asarray(positions).T
            self._now[dims:, part] = np.asarray(velocities).T
            self._timers[part] = timers.get(name, 0)
            self._ids[part] = first_ids[name] + np.arange(size)
            self._kinds[part] = kind
            swept = (0, self._gridded) if name in gridded else (slot, size)
            self._flocks[kind] = (*swept, first_ids[name], size)
            slot += size
        if any(self.model.space.periodic):
            # float32 may round a place just below the upper face up to it
            for axis in np.flatnonzero(self.model.space.periodic):
                row = self._now[axis, :count]
                upper = self.dtype.type(self.model.space.upper[axis])
                row[row >= upper] = self.model.space.lower[axis]
        if gridded:
            self._other_ids = np.zeros_like(self._ids)
            self._other_kinds = np.zeros_like(self._kinds)
            self._other_ids[:], self._other_kinds[:] = self._ids, self._kinds
            self._cell = np.zeros(count, np.int32)
            self._order = np.zeros(count, np.uint32)
            cells = most_cells(self._gridded)
            self._start = np.zeros(cells + 1, np.int64)
            self._places = np.zeros((self.threads, cells), np.int64)
            self._runs = np.zeros((cells + 64 * self.threads, 3), np.int64)

    def _near_scratch(self) -> tuple[np.ndarray, ...]:
        most = max((rule.nearest for f in self.plan.flocks for rule in f.rules), default=0) or 1
        return (
            np.zeros(most, self.dtype),
            np.zeros(most, np.int32),
            np.zeros(most, np.int64),
            np.zeros((most, 6), self.dtype),
        )

    def _staging(self, room: int) -> tuple[np.ndarray, ...]:
        return (
            np.zeros((2 * self._dims, room), self.dtype),
            np.zeros(room, np.int32),
            np.zeros(room, np.int32),
            np.zeros(room, self.dtype),
            np.zeros(room, np.int64),
        )

    # --- small models: many steps a call

    def _small_steps(self, steps: int) -> None:
        while steps > 0:
            block = min(steps, BLOCK)
            times = [(self.step_number + k) * self.model.dt for k in range(block)]
            # where nothing is scheduled, one reading holds for all steps
            read = times if self.plan.scheduled else times[:1]
            numbers = np.array([self.plan.numbers(t) for t in read], self.dtype)
            tables = np.array([self.plan.obstacle_table(t) for t in read], self.dtype)
            if len(read) < block:
                numbers = np.repeat(numbers, block, axis=0)
                tables = np.repeat(tables, block, axis=0)
            turns = np.zeros((1, 1), np.int64)
            if self.model.order == "shuffled":
                turns = np.array(
                    [law.turns(self.seed, self.step_number + k, self._count) for k in range(block)]
                )
            done, lost = self._call(
                self._kernels.run, block, turns, self._centre, self._limit, self.model.dt, numbers,
                self._now, self._new, self._timers, self._new_timers, self._ids, self._kinds,
                self._flocks, self._totals, tables, self._lower, self._upper,
                self.step_number, times[0], self._key0, self._key1,
                *self._near[0], self._stages[0][3],
            )  # fmt: skip
            if self.model.order == "together" and done * self.plan.stages % 2:
                self._swap()
            self.step_number += done
            if lost >= 0:
                self._raise_lost(lost)
            steps -= done

    def _swap(self) -> None:
        self._now, self._new = self._new, self._now
        self._timers, self._new_timers = self._new_timers, self._timers

    # --- large models: one step, shared by threads

    def _one_step(self) -> None:
        time = self.step_number * self.model.dt
        numbers = self.plan.numbers(time).astype(self.dtype)
        table = self.plan.obstacle_table(time).astype(self.dtype)
        grid = self._sort(time) if self._gridded else None
        for stage in range(self.plan.stages):
            if self._needs_totals:
                self._kernels_cells.sum_flocks(self._now, self._kinds, self._count, self._totals)
            common = (
                numbers, self._now, self._new, self._timers, self._new_timers, self._ids,
                self._kinds, self._flocks, self._totals, table, self._lower, self._upper,
                self.step_number, time, self._key0, self._key1,
            )  # fmt: skip
            if grid is not None:
                self._fly_cells(getattr(self._kernels, f"cells_{stage}"), grid, common)
            if self._gridded < self._count:
                self._fly_whole(getattr(self._kernels, f"whole_{stage}"), common)
            self._swap()
        self.step_number += 1
        lost = self._kernels_cells.find_stray(
            self._now, self._dims, self._count, self._centre, self._limit
        )
        if lost >= 0:
            self._raise_lost(lost)

    @property
    def _kernels_cells(self) -> Any:
        from murmurate.engine import cells

        return cells

    def _fly_cells(self, kernel: Any, grid: Grid, common: tuple[Any, ...]) -> None:
        corner, size = grid.corner.astype(self.dtype), grid.size.astype(self.dtype)
        width = int(grid.shape[0] + 2 * grid.shape[3] + 8)
        scratch = [
            (np.zeros(width, np.int64), np.zeros(width, np.int64)) for _ in range(self.threads)
        ]

        def fly(thread: int, chunk: int) -> None:
            runs = self._runs[self._chunks[chunk] : self._chunks[chunk + 1]]
            while True:
                stage, ids, kinds, distances, picked = self._stages[thread]
                need = self._call(
                    kernel, runs, self._start, grid.shape, corner, size,
                    stage, ids, kinds, *scratch[thread], self._guesses, picked,
                    *common, *self._near[thread], distances,
                )  # fmt: skip
                if need == 0:
                    return
                # these cells hold more than there was room for: the chunk is flown again
                self._stages[thread] = self._staging(2 * need)

        self._share(fly, self._chunk_count)

    def _fly_whole(self, kernel: Any, common: tuple[Any, ...]) -> None:
        first, last = self._gridded, self._count
        parts = min(8 * self.threads, max(1, (last - first) // 64)) if self.threads > 1 else 1
        edges = np.linspace(first, last, parts + 1).astype(int)

        def fly(thread: int, part: int) -> None:
            near = self._near[thread]
            self._call(
                kernel, edges[part], edges[part + 1], *common, *near, self._stages[thread][3]
            )

        self._share(fly, parts)

    def _share(self, work: Callable[[int, int], None], parts: int) -> None:
        """work(thread, part) for every part, each thread taking the next when it is done."""
        if self._pool is None or parts == 1 or self._count < SHARED:
            for part in range(parts):
                work(0, part)
            return
        queue = iter(range(parts))

        def take(thread: int) -> None:
            for part in queue:
                work(thread, part)

        for done in [self._pool.submit(take, thread) for thread in range(self.threads)]:
            done.result()

    def _sort(self, time: float) -> Grid:
        """Boids into cells, in the order (cell, id)."""
        kernels, count, dims = self._kernels_cells, self._gridded, self._dims
        grid = self._grid(time)
        cells = grid.cells
        corner = grid.corner.astype(self.dtype)
        inverse = (1.0 / grid.size).astype(self.dtype)
        threads = self.threads if self._pool and count >= 4 * SHARED else 1
        edges = np.linspace(0, count, threads + 1).astype(int)
        places, start = self._places[:threads, :cells], self._start[: cells + 1]

        def tally(_: int, t: int) -> None:
            kernels.count_cells(
                self._now, dims, edges[t], edges[t + 1], corner, inverse, grid.shape,
                self._cell, places[t],
            )  # fmt: skip

        def order(_: int, t: int) -> None:
            kernels.order_cells(edges[t], edges[t + 1], self._cell, places[t], self._order)

        self._share(tally, threads)
        squares = kernels.place_cells(places, start)
        self._share(order, threads)
        cuts = np.searchsorted(start, np.linspace(0, count, 4 * threads + 1)[1:-1])
        cuts = np.concatenate([[0], cuts, [cells]])

        several = len(self.plan.gridded) > 1
        resting = any(flock.perching for flock in self.model.flocks.values())

        def gather(_: int, k: int) -> None:
            kernels.gather_cells(
                cuts[k], cuts[k + 1], start, self._order, several, resting,
                self._ids, self._kinds, self._timers, self._now,
                self._other_ids, self._other_kinds, self._new_timers, self._new,
            )  # fmt: skip

        self._share(gather, len(cuts) - 1)
        rest = slice(count, self._count)
        if count < self._count:
            self._new[:, rest] = self._now[:, rest]
            self._new_timers[rest] = self._timers[rest]
        self._ids, self._other_ids = self._other_ids, self._ids
        self._kinds, self._other_kinds = self._other_kinds, self._kinds
        self._swap()
        chunks = np.zeros(16 * self.threads + 2, np.int64)
        self._chunk_count = kernels.plan_runs(
            start, grid.shape, 12.0 * self.threads, self._runs, chunks
        )
        self._chunks = chunks
        if self.plan.reach(time) == 0:
            self._adapt(squares / count, grid)
        return grid

    def _grid(self, time: float) -> Grid:
        space, dims, count = self.model.space, self._dims, self._gridded
        if all(space.periodic):
            lower, upper = np.array(space.lower), np.array(space.upper)
        else:
            every = max(1, self._count // 2000)
            samples = np.full((dims, self._count // every + 1), np.nan)
            self._kernels_cells.sample(self._now, self._ids, dims, count, every, samples)
            lower, upper = bounds(samples)
        reach = self.plan.reach(time)
        if reach == 0 and (self._cell_side == 0 or self._order_counts):
            volume = float(np.prod(np.maximum(upper - lower, 1e-9)))
            self._cell_side = (volume * self._crowd() / count) ** (1.0 / dims)
        return make_grid(space, lower, upper, count, reach, self._cell_side)

    def _crowd(self) -> float:
        """How many boids a cell should hold where only nearest neighbours are looked for."""
        most = max(s.rule.nearest for f in self.plan.flocks for s in f.senses if s.how == "cells")
        return max(1.0, 0.6 * most)

    def _adapt(self, met: float, grid: Grid) -> None:
        """Cells for nearest neighbours follow the flock's density, of which `met`, the mean
        occupancy of a boid's own cell, tells. What is found does not depend on them."""
        factor = ((self._crowd() + 1.0) / met) ** (1.0 / self._dims)
        side = float(np.prod(grid.size[: self._dims])) ** (1.0 / self._dims)
        self._cell_side = side * min(1.25, max(0.8, factor))

    # --- what can go wrong

    def _call(self, kernel: Any, *arguments: Any) -> Any:
        from numba.core.errors import NumbaError

        try:
            if kernel.signatures:
                return kernel(*arguments)
            with compiling():
                return kernel(*arguments)
        except NumbaError as error:
            from murmurate.engine.blame import blame

            raise blame(self.model, error) from None

    def _raise_lost(self, slot: int) -> None:
        name = list(self.plan.counts)[self._kinds[slot]]
        boid = int(self._ids[slot] - self._flocks[self._kinds[slot], 2])
        place = ", ".join(f"{x:g}" for x in self._now[: self._dims, slot])
        raise RunError(
            f"boid {boid} of flock {name!r} is at ({place}) after step {self.step_number}: it left "
            f"the space by more than {AWAY:g} of its sides, or its numbers are not finite. Limit "
            "its speed (motion.max_speed), lower the weights, or make dt smaller",
            step=self.step_number,
            flock=name,
            boid=boid,
        )
