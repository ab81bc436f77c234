"""Slots: the arrays of a flight, and where in them each boid stands.

Gridded flocks come first, in the order of their cells; then the others, flock by flock, in id
order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from murmurate.codegen import plan as plans
from murmurate.codegen.compile_log import compile_logged
from murmurate.codegen.fast_compile import compiling
from murmurate.codegen.plan import Plan
from murmurate.engine.grid import most_cells
from murmurate.engine.perception import Looks, in_slots
from murmurate.errors import RunError
from murmurate.model.model import Model

PAD = 16  # kernels may read and write so far past the end
SHARED = 4096  # from so many boids on, threads share a step
AWAY = 1e6  # a boid so many times the space's largest side from its middle has run away


class Slots:
    """The state of a flight, as its kernels see it."""

    model: Model
    plan: Plan
    seed: int
    threads: int
    step_number: int
    dtype: np.dtype[Any]
    _kernels: Any
    _pool: ThreadPoolExecutor | None
    _looks: Looks | None
    _dims: int
    _count: int
    _gridded: int  # how many boids stand in cells
    _shared: bool
    _told: np.ndarray
    _herds: dict[int, np.ndarray]

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

    def memory(self) -> dict[str, np.ndarray]:
        """Flock name -> (boids, numbers) what they carry besides, copies, in id order: the three
        numbers that their motion keeps, then their past, where it is looked at."""
        out, first = {}, 0
        past = self._looks.carried(self.step_number) if self._looks else None
        kept = np.empty((self._count, len(self._kept)), self.dtype)
        kept[self._ids[: self._count]] = self._kept[:, : self._count].T
        for name, size in self.plan.counts.items():
            part = slice(first, first + size)
            out[name] = kept[part, : self._columns(name)].copy()
            if past is not None:
                out[name] = np.concatenate([out[name], past[part]], axis=1)
            first += size
        return out

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

    def _columns(self, name: str) -> int:
        """How many numbers the motion of a flock keeps of a boid."""
        return 3 if plans.keeps_numbers(self.model.flocks[name].motion) else 0

    def _lay_out(
        self,
        arrays: Mapping[str, tuple[np.ndarray, np.ndarray]],
        timers: Mapping[str, np.ndarray],
        memory: Mapping[str, np.ndarray],
    ) -> None:
        """Slots: gridded flocks first, then the others; flocks table for the kernels."""
        dims, count, gridded = self._dims, self._count, self.plan.gridded
        self._now = np.zeros((2 * dims, count + PAD), self.dtype)
        self._new = np.zeros_like(self._now)
        self._timers = np.zeros(count + PAD, np.int32)
        self._new_timers = np.zeros_like(self._timers)
        self._kept = np.zeros((3 if "kept" in self.plan.extras else 0, count + PAD), self.dtype)
        self._new_kept = np.zeros_like(self._kept)
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
            if name in memory and self._columns(name) and memory[name].shape[1] >= 3:
                self._kept[:, part] = memory[name][:, :3].T
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

    def _by_id(self) -> np.ndarray:
        """(2 dims, boids): positions and velocities in id order."""
        state = np.empty((len(self._now), self._count), self.dtype)
        state[:, self._ids[: self._count]] = self._now[:, : self._count]
        return state

    def _put(self, state: np.ndarray, timers: np.ndarray) -> None:
        """Boids are at these places, with these velocities; arrays in id order."""
        ids = self._ids[: self._count]
        self._now[:, : self._count] = state[:, ids]
        self._timers[: self._count] = timers[ids]

    def _swap(self) -> None:
        self._now, self._new = self._new, self._now
        self._timers, self._new_timers = self._new_timers, self._timers
        self._kept, self._new_kept = self._new_kept, self._kept

    def _extras(self) -> list[np.ndarray]:
        """What the kernels of this model are given besides."""
        return [getattr(self, f"_{name}") for name in self.plan.extras]

    def _look(self) -> None:
        """Works out what boids are told of others in this step, beside the state."""
        if self._looks:
            state = self._by_id()
            self._looks.told(self.step_number, state, self._told)
            self._herds = self._looks.herds(state, self._told)
            if self.plan.tessellations:
                self._cells_by_id = self._looks.tessellate(state)
                self._link()

    def _link(self) -> None:
        """Voronoi neighbours by slot, as boids are sorted now."""
        self._offsets, self._links = in_slots(self._cells_by_id, self._ids[: self._count])

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

    def _call(self, kernel: Any, *arguments: Any) -> Any:
        from numba.core.errors import NumbaError

        try:
            if kernel.signatures:
                return kernel(*arguments)
            with compiling(), compile_logged(kernel):
                return kernel(*arguments)
        except NumbaError as error:
            from murmurate.engine.compile_errors import blame

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

    @property
    def _kernels_cells(self) -> Any:
        from murmurate.engine import cell_kernels

        return cell_kernels
