"""The cpu engine: compiled kernels, cells and threads.

Its parts are the plan and layout of the model (codegen), the table of arguments of the kernels, the
state arrays, and the stepper, whose loop of phases threads share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import RLock

import numpy as np

from murmurate.codegen.candidates.cell_functions import RADIUS_X, RADIUS_Y
from murmurate.codegen.candidates.search import Memory
from murmurate.codegen.layout import Layout
from murmurate.engines.base import Diagnostics
from murmurate.engines.bounds import LostBoidError
from murmurate.engines.cpu.argument_table import ArgumentTable
from murmurate.engines.cpu.model_kernels import (
    ModelKernels,
    layout_and_source,
    layout_with_numbers,
)
from murmurate.engines.cpu.phase_loop import PhaseLoop
from murmurate.engines.cpu.state_arrays import StateArrays, make_history, renew_history
from murmurate.engines.cpu.stepper import MAX_RUN_STEPS, Stepper
from murmurate.engines.cpu.thresholds import CpuThresholds
from murmurate.engines.memory import min_array_memory
from murmurate.engines.options import RunOptions, cores
from murmurate.engines.population import Pending, PopulatedEngine
from murmurate.engines.population_change import Change, Columns, Numbering
from murmurate.engines.state import FlightState, adapt_state
from murmurate.model.model import Model

MEMORY = Memory()
"""Sizes of arrays and slabs that suit processors."""


class CpuEngine(PopulatedEngine):
    """One simulation on the processor of this machine: see murmurate.engines.base.EngineBase.

    Threads of Python may share an engine: one waits for the other. An exception, such as Ctrl-C,
    may end a call within a step; the next call finishes that step.

    make_loop  make_loop(table, threads, make_room) returns the PhaseLoop, which distributes the
        work to threads. The trajectory never depends on it.
    make_kernels  make_kernels(layout, source, dtype, parts) returns the ModelKernels
    thresholds  sizes from which cells pay. The default is that of processors.
    memory  sizes of arrays and slabs. The number of threads in it is not used: options has it.
    """

    family = "numba"
    refuses = ()

    def __init__(
        self,
        model: Model,
        state: FlightState,
        options: RunOptions,
        *,
        make_loop: Callable[..., PhaseLoop] = PhaseLoop,
        make_kernels: Callable[..., ModelKernels] = ModelKernels,
        thresholds: CpuThresholds | None = None,
        memory: Memory = MEMORY,
    ) -> None:
        self.options = options
        self._dtype = np.dtype(options.dtype)
        self._make_loop, self._make_kernels = make_loop, make_kernels
        self._thresholds, self._memory = thresholds, memory
        self._lock = RLock()
        self._steps_before = 0  # steps done with steppers of earlier models
        self._build(model, state)

    @classmethod
    def min_memory(cls, model: Model, options: RunOptions) -> int:
        """Return the bytes of the arrays of boids."""
        return min_array_memory(model, options)

    def _build(self, model: Model, state: FlightState) -> None:
        """Create all parts for a model, from a state."""
        self.model = model
        counts = {name: state.size(name) for name in state.flocks}
        self.layout, self._source = self._layout_and_source(model, counts)
        self._load(state)

    def _load(self, state: FlightState) -> None:
        """Create all parts but the layout, from a state."""
        model, self._step = self.model, state.step
        self.layout = self.layout.with_counts({name: state.size(name) for name in state.flocks})
        threads = self.options.threads or cores()
        parts = [name for name, needed in self.layout.step_parts(threads).items() if needed]
        self._kernels = self._make_kernels(self.layout, self._source, self._dtype.name, parts)
        self._table = ArgumentTable(self._dtype, threads)
        self._state = StateArrays(self.layout, self._table, state)
        self._history = make_history(self.layout.plan, self._state, state)
        self._stepper = Stepper(
            self.layout, self._table, self._state,
            replace(self._memory, threads=threads), self.options.seed,
            self._kernels.kernel, self._make_loop,
        )  # fmt: skip
        self.begin_population(model, state)
        if self._population is not None:
            self._put_indices(self._population.numbering)

    def _put_indices(self, numbering: Numbering) -> None:
        """Store the index of each boid within its flock, by its number."""
        self._table.put("boid_index", numbering.indices.astype(np.int32))

    def _layout_and_source(self, model: Model, counts: dict[str, int]) -> tuple[Layout, str]:
        return layout_and_source(model, counts, self._dtype.name, self._thresholds)

    @contextmanager
    def _between_steps(self) -> Iterator[None]:
        """Hold the engine's lock, and finish an interrupted step first."""
        with self._lock:
            try:
                self._step += self._stepper.finish_step()
                if self._population is not None:
                    self._population.finish(self, self._step)
            except LostBoidError as lost:
                self._end_lost_step(lost)
            yield

    def _end_lost_step(self, lost: LostBoidError) -> None:
        """Remain at the step before the one in which a boid was lost."""
        self._step = lost.step
        if self._population is not None:
            self._population.forget_step()

    @property
    def step_number(self) -> int:  # type: ignore[override]
        """Return the number of steps since the start."""
        if self._stepper.loop.unfinished and self._lock.acquire(blocking=False):
            try:
                with self._between_steps():
                    return self._step
            finally:
                self._lock.release()
        return self._step

    @property
    def compiled(self) -> bool:
        """Return whether the kernels are in the cache; if not, the first step takes seconds."""
        return self._kernels.compiled

    def step(self, steps: int) -> None:
        """Advance by `steps` steps."""
        with self._between_steps():
            end = self._step + steps
            while self._step < end:
                if self._population is None:
                    self.move_boids(end - self._step)
                else:
                    last = min(end, self._step + MAX_RUN_STEPS)
                    self._population.advance(self, self._step, last)

    def move_boids(self, steps: int) -> None:
        """Move boids for up to `steps` steps, in which no boid joins or leaves."""
        if self._state.count == 0:
            self._step += steps
            self._steps_before += steps
            return
        try:
            self._step += self._stepper.advance(self._step, steps)
        except LostBoidError as lost:
            self._end_lost_step(lost)
            if self._population is not None:
                part = self._population.numbering.part(lost.flock)
                lost.boid = int(self._population.numbering.indices[part][lost.boid])
            raise lost.run_error() from None

    def move(self) -> None:
        """Make a step in which no boid joins or leaves, whatever the model's population."""
        with self._between_steps():
            self.move_boids(1)

    # --- boids that join and leave

    def change_boids(self, pending: Pending) -> None:
        """Let boids join and leave, in place. Raises PopulationError."""
        population, state = self._population, self._state
        assert population is not None
        dims, count = state.dims, state.count
        memory = state.memory[:, :count].copy()  # an exception leaves the state as it is
        boids = Columns(
            state.state[:dims, :count], state.state[dims:, :count], memory,
            state.ids[:count], state.flock_index[:count],
        )  # fmt: skip
        change = population.change(pending.step, pending.draws, boids)
        state.memory[:, :count] = memory
        if change is not None:
            population.commit(change, pending.step)
            self._rearrange(change, population.numbering)

    def load_state(self, state: FlightState) -> None:
        """Continue from a state with other boids."""
        self._load(state)

    def _rearrange(self, change: Change, numbering: Numbering) -> None:
        """Make room for other numbers of boids, and continue with them."""
        layout = self.layout.with_counts(numbering.counts)
        who = numbering.identities()
        self._state.rearrange(layout, change.leaves, change.joins, who)
        self.layout = layout
        if self._history is not None:
            self._history = renew_history(self._history, self._state, ~change.leaves)
        self._stepper.resize(layout, change.leaves, change.joins)
        self._put_indices(numbering)

    def state(self) -> FlightState:
        """Return the present state: copies, in id order."""
        with self._between_steps():
            return self.read_state()

    def read_state(self) -> FlightState:
        """Return the present state, between steps."""
        past = self._history.by_boid(self._step) if self._history else None
        return self._state.snapshot(self._step, past)

    def set_state(
        self, flock: str, positions: np.ndarray | None, velocities: np.ndarray | None
    ) -> None:
        """Replace positions and velocities of a flock, (N, D) each; None keeps the present ones."""
        with self._between_steps():
            self._state.set_flock(flock, positions, velocities)

    def set_memory(self, flock: str, first: int, values: np.ndarray) -> None:
        """Replace numbers of the per-boid state of a flock, (M, N) from `first` on, by id."""
        with self._between_steps():
            self._state.set_memory(flock, first, values)

    def restart(self, state: FlightState, options: RunOptions) -> None:
        """Continue from another state of the same model, with any seed."""
        with self._between_steps():
            self.options, self._population, self._steps_before = options, None, 0
            self._load(state)

    def replace_model(self, model: Model) -> None:
        """Continue with another model of the same flocks; a new structure compiles."""
        with self._between_steps():
            layout = layout_with_numbers(self.layout, model, self._thresholds)
            if layout is not None:
                self.model, self.layout = model, layout
                if self._population is not None:
                    self._population.replace_model(model)
                self._state.plan, self._state.model = layout.plan, model
                self._stepper.replace_layout(layout)
            else:
                self._steps_before += self._stepper.steps_done
                self._build(
                    model, adapt_state(self.model, model, self.state(), seed=self.options.seed)
                )

    def is_compatible(self, model: Model) -> bool:
        """Return whether another model of the same flocks needs no other kernels."""
        if layout_with_numbers(self.layout, model, self._thresholds) is not None:
            return True
        return self._layout_and_source(model, self.layout.plan.counts)[1] == self._source

    def copy(self, threads: int | None = None) -> CpuEngine:
        """Return another engine that continues from the same state."""
        options = replace(self.options, threads=threads or self.options.threads)
        other = CpuEngine(
            self.model, self.state(), options, make_loop=self._make_loop,
            make_kernels=self._make_kernels, thresholds=self._thresholds, memory=self._memory,
        )  # fmt: skip
        other.take_totals(self.population_counts())
        return other

    def sizes(self) -> dict[str, int]:
        """Return the present number of boids of each flock."""
        with self._between_steps():
            return dict(self.layout.plan.counts)

    def population_counts(self) -> dict[tuple[str, str], int]:
        """Return how many boids joined and left, by name of the entry and of the flock."""
        with self._between_steps():
            return super().population_counts()

    def diagnostics(self) -> Diagnostics:
        """Return counters and sizes of this engine."""
        with self._between_steps():
            stepper, table, kernels = self._stepper, self._table, self._kernels.used
            grid = table.array("grid").tolist() if self.layout.gridded else []
            return Diagnostics(
                threads=stepper.threads,
                threads_used=stepper.loop.threads_used,
                steps_done=self._steps_before + stepper.steps_done,
                steps_redone=stepper.loop.counter("REDONE"),
                shared_slabs=stepper.loop.counter("SHARED_SLABS"),
                resorts=stepper.loop.counter("RESORTS"),
                updates_before_resort=table.number("first_update"),
                cells=tuple(grid[:3]),
                cells_per_radius=tuple(grid[RADIUS_X : RADIUS_Y + 1]),
                staging_room=table.array("stage").shape[1],
                state_bytes=self._state.nbytes,
                array_bytes=table.nbytes,
                kernel_module=self._kernels.module,
                kernels_compiled=tuple(name for name, k in kernels.items() if not k.cached),
                kernels_loaded=tuple(name for name, k in kernels.items() if k.cached),
            )
