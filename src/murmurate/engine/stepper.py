"""Steps: the kernels called in turn: many steps of a small model at once, one step of a large one
shared by threads, or a step that looks at the forces more than once."""

from __future__ import annotations

from typing import Any

import numpy as np

from murmurate.engine import rng
from murmurate.engine.cell_sort import Sorting
from murmurate.engine.grid import Grid
from murmurate.engine.integrators import METHODS

BLOCK = 256  # steps of a small model flown in one call


class Steps(Sorting):
    """Flies steps."""

    _key0: np.uint64
    _key1: np.uint64
    _centre: np.ndarray
    _limit: float
    _lower: np.ndarray
    _upper: np.ndarray
    _totals: np.ndarray
    _guesses: np.ndarray
    _near: list[tuple[np.ndarray, ...]]
    _stages: list[tuple[np.ndarray, ...]]
    _needs_totals: bool

    # --- small models: many steps a call

    def _small_steps(self, steps: int) -> None:
        while steps > 0:
            block = min(steps, 1 if self._looks else BLOCK)
            self._look()
            times = [(self.step_number + k) * self.model.dt for k in range(block)]
            # where nothing is scheduled, one reading holds for all steps
            read = times if self.plan.scheduled else times[:1]
            numbers = np.array([self.plan.numbers(t, self._herds) for t in read], self.dtype)
            tables = np.array([self.plan.obstacle_table(t) for t in read], self.dtype)
            if len(read) < block:
                numbers = np.repeat(numbers, block, axis=0)
                tables = np.repeat(tables, block, axis=0)
            turns = np.zeros((1, 1), np.int64)
            if self.model.order == "shuffled":
                turns = np.array(
                    [rng.turns(self.seed, self.step_number + k, self._count) for k in range(block)]
                )
            done, lost = self._call(
                self._kernels.run, block, turns, self._centre, self._limit, self.model.dt, numbers,
                self._now, self._new, self._timers, self._new_timers, self._ids, self._kinds,
                self._flocks, self._totals, tables, self._lower, self._upper,
                self.step_number, times[0], self._key0, self._key1,
                *self._near[0], self._stages[0][3], *self._extras(),
            )  # fmt: skip
            if self.model.order == "synchronous" and done * self.plan.stages % 2:
                self._swap()
            self.step_number += done
            if lost >= 0:
                self._raise_lost(lost)
            steps -= done

    # --- large models: one step, shared by threads

    def _one_step(self) -> None:
        time = self.step_number * self.model.dt
        self._look()
        self._fly_stages(time)
        self._end_step()

    def _end_step(self) -> None:
        self.step_number += 1
        lost = self._kernels_cells.find_stray(
            self._now, self._dims, self._count, self._centre, self._limit
        )
        if lost >= 0:
            self._raise_lost(lost)

    def _given(self, time: float) -> tuple[Any, ...]:
        """What every kernel is given, as things are at a time."""
        numbers = self.plan.numbers(time, self._herds).astype(self.dtype)
        table = self.plan.obstacle_table(time).astype(self.dtype)
        return (
            numbers, self._now, self._new, self._timers, self._new_timers, self._ids,
            self._kinds, self._flocks, self._totals, table, self._lower, self._upper,
            self.step_number, time, self._key0, self._key1,
        )  # fmt: skip

    def _fly_stages(self, time: float) -> None:
        grid = self._sort(time) if self._gridded else None
        if self.plan.tessellations and grid is not None:
            self._link()
        for stage in range(self.plan.stages):
            if self._needs_totals:
                self._kernels_cells.sum_flocks(self._now, self._kinds, self._count, self._totals)
            common = self._given(time)
            if grid is not None:
                self._fly_cells(getattr(self._kernels, f"cells_{stage}"), grid, common)
            if self._gridded < self._count:
                self._fly_whole(getattr(self._kernels, f"whole_{stage}"), common)
            self._swap()

    # --- steps that look at the forces more than once

    def _integrate(self) -> None:
        dims, dt, time = self._dims, self.model.dt, self.step_number * self.model.dt
        self._look()
        state = self._by_id()
        timers = np.empty(self._count, np.int32)
        timers[self._ids[: self._count]] = self._timers[: self._count]
        flying = timers == 0
        periodic = np.flatnonzero(self.model.space.periodic)

        def ask(x: np.ndarray, v: np.ndarray, at: float) -> np.ndarray:
            """The accelerations of the boids at these places, with these velocities."""
            x, v = np.where(flying, x, state[:dims]), np.where(flying, v, state[dims:])
            for axis in periodic:
                lower, side = self._lower[axis], self._upper[axis] - self._lower[axis]
                x[axis] -= np.floor((x[axis] - lower) / side) * side
            self._put(np.concatenate([x, v]), timers)
            self._fly_stages(at)
            return self._by_id()[dims:]

        step = METHODS[self.model.integrator]
        push, way = step(state[:dims], state[dims:], time, self.dtype.type(dt), ask)
        self._put(state, timers)
        pushes = np.zeros_like(self._now)
        pushes[:, : self._count] = np.concatenate([push, way])[:, self._ids[: self._count]]
        common = self._given(time)

        def settle(thread: int, part: int) -> None:
            self._call(
                self._kernels.settle, edges[part], edges[part + 1], pushes, *common,
                *self._near[thread], self._stages[thread][3], *self._extras(),
            )  # fmt: skip

        parts = self.threads if self._shared else 1
        edges = np.linspace(0, self._count, parts + 1).astype(int)
        self._share(settle, parts)
        self._swap()
        self._end_step()

    # --- one stage

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
                    *common, *self._near[thread], distances, *self._extras(),
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
                kernel, edges[part], edges[part + 1], *common, *near, self._stages[thread][3],
                *self._extras(),
            )  # fmt: skip

        self._share(fly, parts)
