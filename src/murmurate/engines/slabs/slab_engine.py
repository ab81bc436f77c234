"""Engine 'slabs': one flock distributed over several workers; see murmurate.engines.base.

The coordinator runs steps. This module recovers from lost workers: the simulation continues from
the last checkpoint, and ends with the same bits.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from time import monotonic
from typing import Any, ClassVar

import numpy as np

from murmurate.activity import KERNELS, doing
from murmurate.codegen.layout import Layout
from murmurate.codegen.planner import make_plan
from murmurate.engines.bounds import LostBoidError
from murmurate.engines.cpu.cpu_engine import CpuEngine
from murmurate.engines.cpu.model_kernels import (
    ModelKernels,
    layout_and_source,
    layout_with_numbers,
)
from murmurate.engines.cpu.thresholds import cpu_layout
from murmurate.engines.initial_state import Start
from murmurate.engines.options import RunOptions
from murmurate.engines.population import Pending, PopulatedEngine
from murmurate.engines.population_change import Numbering
from murmurate.engines.slabs.boids import Arrays
from murmurate.engines.slabs.coordinator import Coordinator, SlabCheckpoint
from murmurate.engines.slabs.executors import Executor, WorkerLost, make_executor
from murmurate.engines.slabs.slab_options import Slabs
from murmurate.engines.state import FlightState, adapt_state, states_of_flocks
from murmurate.errors import PopulationError, RunError
from murmurate.frame import DistributedFrame, FlockFrame
from murmurate.model.model import Model

log = logging.getLogger(__name__)
MAX_RECOVERIES = 5
"""Recoveries without progress, before the simulation fails."""
MAX_BOIDS = 2**31 - 1  # ids are int32


class SlabEngine(PopulatedEngine):
    """Simulates one flock on several workers.

    coordinator_class   the class of the coordinator
    checkpoint_seconds  wall-clock seconds between checkpoints
    """

    Options = Slabs
    family = "numba"
    refuses = ("order", "sensing", "herd", "voronoi", "integrator")
    coordinator_class: ClassVar[type[Coordinator]] = Coordinator
    checkpoint_seconds: ClassVar[float] = 20.0

    @classmethod
    def problems(cls, model: Model, options: RunOptions) -> list[str]:
        """Return the parts of a model that slabs cannot simulate."""
        if problems := super().problems(model, options):
            return problems
        counts = model.max_counts
        boids = sum(counts.values())
        if boids > MAX_BOIDS:
            return [f"flocks: got {boids:,} boids; expected at most {MAX_BOIDS:,}"]
        layout = cpu_layout(make_plan(model, counts))
        if not layout.gridded:
            return [
                f"flocks: got none of {boids:,} boids in the grid, which slabs divide; expected a "
                "large flock, whose rules have a radius or sense the nearest neighbours,"
            ]
        return [
            f"rules.{rule}.radius: got a test of each boid of {sensor!r} with all "
            f"{counts[flock]:,} of {flock!r}; expected a radius, or a smaller one,"
            for sensor, flock, rule in _find_all_pairs(layout)
        ]

    def __init__(self, model: Model, state: FlightState, options: RunOptions) -> None:
        self.options = options
        assert isinstance(options.engine_options, Slabs)
        self._slabs = options.engine_options
        self._executor: Executor = make_executor(self._slabs)
        self._compiled = False
        self._interrupted = False  # within a step at whose end boids may join and leave
        self._start(model, state)

    def _start(self, model: Model, state: FlightState) -> None:
        """Start workers for a model, and load a state."""
        self.model, self.step_number = model, state.step
        counts = {name: state.size(name) for name in state.flocks}
        self.layout, self._text = layout_and_source(model, counts, self.options.dtype)
        self._compiled = self.compiled
        if model.changes_numbers:
            state = FlightState(state.step, dict(state.flocks))
        self.begin_population(model, state)
        if self._population is not None:
            self._save(state)
        self._coordinator = self._start_workers()
        try:
            self._coordinator.load_state(state)
        except WorkerLost as lost:
            self._coordinator.stop()
            raise RunError(f"{lost} before the first step", step=state.step) from None
        if isinstance(state, Start):
            self._checkpoint = SlabCheckpoint(state.step, np.zeros(0), state)
            self._checkpoint_time = monotonic()
        else:
            self._make_checkpoint()

    def _start_workers(self) -> Coordinator:
        args = (self.layout, self._text, self.options, self._slabs.workers, self._executor)
        if self._population is None:
            return self.coordinator_class(*args)
        return self.coordinator_class(*args, self._population.numbering.flock_indices())

    def _make_checkpoint(self) -> None:
        """Copy all boids, to continue from after a worker or a boid is lost."""
        if self._population is None:
            self._checkpoint = self._coordinator.make_checkpoint(self.step_number)
            self._checkpoint_time = monotonic()

    @property
    def compiled(self) -> bool:
        """Whether the cache of this machine has the kernels."""
        return ModelKernels(self.layout, self._text, self.options.dtype).compiled

    # --- steps

    def step(self, steps: int) -> None:
        """Simulate some steps.

        Raises RunError for a lost boid and if workers die faster than the simulation proceeds, and
        RuleError for a rule that does not compile.
        """
        with nullcontext() if self._compiled else doing(KERNELS):
            self._step_until(self.step_number + steps)
        self._compiled = True

    def _step_until(self, end: int) -> None:
        while self.step_number < end:
            try:
                if self._population is not None:
                    self._finish_restoring()
                    self._interrupted = True  # unless all of the following is done
                    self._population.advance(self, self.step_number, end)
                    self._interrupted = False
                    continue
                self._coordinator.step(self.step_number)
                self.step_number += 1
                if monotonic() - self._checkpoint_time > self.checkpoint_seconds:
                    self._make_checkpoint()
            except LostBoidError as lost:
                self._restore()
                self._interrupted = False
                self._step_until(lost.step - 1)
                raise lost.run_error() from None
            except PopulationError:
                self._interrupted = False
                raise
            except WorkerLost as lost:
                self._restore_from_checkpoint(str(lost))
                self._interrupted = False

    # --- boids that join and leave

    def move_boids(self, steps: int) -> None:
        """Make steps in which no boid joins or leaves."""
        for _ in range(steps):
            self._move()

    def change_boids(self, pending: Pending) -> None:
        """Let boids join and leave, on this machine. Raises PopulationError."""
        before = self._saved
        super().change_boids(pending)
        if self._saved is before and pending.after is not None:
            self._save(pending.after)

    def _move(self) -> None:
        """Make a step without boids that join and leave."""
        if any(self.layout.plan.counts[name] for name in self.layout.gridded):
            self._coordinator.step(self.step_number)
        elif any(self.layout.plan.counts.values()):  # no layers to divide: here, with the same bits
            state = self.read_state()
            engine = CpuEngine(
                self.model, state, replace(self.options, engine="cpu", engine_options=None)
            )
            engine.move()
            self.load_state(engine.state())
            return
        self.step_number += 1

    def load_state(self, state: FlightState) -> None:
        """Continue with other boids on the same workers."""
        assert self._population is not None
        population, self.step_number = self._population, state.step
        numbering = Numbering.of_state(state)
        population.renumber(numbering)
        self.layout = self.layout.with_counts(numbering.counts)
        self._save(state)
        self._coordinator.renew(self.layout, numbering.flock_indices())
        self._coordinator.load_state(state)

    def _save(self, state: FlightState) -> None:
        """Store a state, from which the simulation continues after a worker is lost."""
        assert self._population is not None
        self._saved, self._saved_totals = state, dict(self._population.totals)

    def _finish_restoring(self) -> None:
        """Return to the last saved state if an exception, such as Ctrl-C, ended a step."""
        if self._interrupted:
            self._restore_population()
            self._interrupted = False

    def _restore_population(self) -> None:
        """Start other workers, and load the last saved state."""
        self._coordinator.stop()
        self.step_number = self._saved.step
        assert self._population is not None
        self._population.forget_step()
        self._population.totals = dict(self._saved_totals)
        numbering = Numbering.of_state(self._saved)
        self._population.renumber(numbering)
        self.layout = self.layout.with_counts(numbering.counts)
        self._coordinator = self._start_workers()
        self._coordinator.load_state(self._saved)

    def _restore(self) -> None:
        """Start other workers, and load the last checkpoint."""
        if self._population is not None:
            self._restore_population()
            return
        self._coordinator.stop()
        self._coordinator = self._start_workers()
        self._coordinator.restore(self._checkpoint)
        self.step_number = self._checkpoint.step

    def checkpoint(self) -> None:
        """Return None: workers hold the copies of their boids."""

    def _restore_from_checkpoint(self, cause: str) -> None:
        """Restore the last checkpoint after a worker is lost."""
        for _ in range(MAX_RECOVERIES):
            log.warning(
                "%s at step %d: continuing from the checkpoint at step %d",
                cause, self.step_number, self._last_saved_step(),
            )  # fmt: skip
            try:
                self._restore()
                return
            except WorkerLost as lost:
                cause = str(lost)
        raise RunError(
            f"{cause}, {MAX_RECOVERIES} times in succession: the simulation stops after step "
            f"{self.step_number}. Resume its recording, if it has one",
            step=self.step_number,
        )

    def _last_saved_step(self) -> int:
        return self._checkpoint.step if self._population is None else self._saved.step

    def _retry_after_recovery(self, operation: Callable[[], Any]) -> Any:
        """Run `operation`; if a worker is lost, restore, simulate to this step again and retry."""
        while True:
            try:
                return operation()
            except WorkerLost as lost:
                step = self.step_number
                self._restore_from_checkpoint(str(lost))
                self.step(step - self.step_number)

    # --- the state

    def state(self) -> FlightState:
        """Return a copy of the state, in the order of ids."""
        self._finish_restoring()
        state: FlightState = self._retry_after_recovery(self.read_state)
        return state

    def read_state(self) -> FlightState:
        """Return the state. Raises WorkerLost."""
        plan = self.layout.plan
        dims, real = self.model.space.dims, np.dtype(self.options.dtype)
        total = sum(plan.counts.values())
        vectors, timers = np.empty((total, 2 * dims), real), np.empty(total, np.int64)
        memory = np.empty((total, plan.memory_rows), real)
        for boids in self._coordinator.boids():
            vectors[boids.ids], timers[boids.ids] = boids.state.T, boids.timers
            memory[boids.ids] = boids.memory.T
        flocks = states_of_flocks(self.model, plan.counts, vectors, timers, memory)
        if self._population is not None:
            flocks = self._population.numbering.identified(flocks)
        return FlightState(self.step_number, flocks)

    def sizes(self) -> dict[str, int]:
        """Return the present number of boids of each flock."""
        return dict(self.layout.plan.counts)

    def distributed_frame(self) -> DistributedFrame | None:
        """Return a frame whose boids stay on their workers; it is valid until the next step.

        Return None if boids join and leave: their ids are not those of a recording's rows.
        """
        if self._population is not None:
            return None
        time = self.step_number * self.model.dt
        return DistributedFrame(self.step_number, time, self.map_parts, self.gather_by_id)

    def map_parts(self, function: Callable[[list[FlockFrame]], Any]) -> list[Any]:
        """Apply a function on every worker; see DistributedFrame."""
        results: list[Any] = self._retry_after_recovery(lambda: self._coordinator.apply(function))
        return results

    def gather_by_id(
        self,
        bounds: Sequence[int],
        map: Callable[[int, Arrays], Any],
        reduce: Callable[[Iterator[Any]], Any],
    ) -> Any:
        """Gather boids by id range; see DistributedFrame."""
        return self._retry_after_recovery(
            lambda: reduce(self._coordinator.gather_by_id(bounds, map))
        )

    def set_state(
        self, flock: str, positions: np.ndarray | None, velocities: np.ndarray | None
    ) -> None:
        """Set positions and velocities of a flock, (N, D) each; None leaves them unchanged."""
        dims = self.model.space.dims
        rows = [(0, positions), (dims, velocities)]
        self._set_rows(flock, "state", [(row, x.T) for row, x in rows if x is not None])

    def set_memory(self, flock: str, first: int, values: np.ndarray) -> None:
        """Replace numbers of the per-boid state of a flock, (M, N) from `first` on, by id."""
        self._set_rows(flock, "memory", [(first, values)])

    def _set_rows(self, flock: str, name: str, rows: Sequence[tuple[int, np.ndarray]]) -> None:
        """Set rows of an array for a flock, and save the state: no step would repeat that."""
        self._finish_restoring()

        def put() -> None:
            for row, values in rows:
                self._coordinator.set_rows(flock, name, row, values)
            self._make_checkpoint()
            if self._population is not None:
                self._save(self.state())

        self._retry_after_recovery(put)

    def restart(self, state: FlightState, options: RunOptions) -> None:
        """Continue from another state of the same model, with any seed, on new workers."""
        self._coordinator.stop()
        super().restart(state, options)

    # --- the model

    def replace_model(self, model: Model) -> None:
        """Continue with another model of the same flocks."""
        self._finish_restoring()
        layout = layout_with_numbers(self.layout, model)
        if layout is not None:
            self.model, self.layout = model, layout
            if self._population is not None:
                self._population.replace_model(model)

            def put_layout() -> None:
                self._coordinator.replace_layout(layout)
                self._make_checkpoint()

            self._retry_after_recovery(put_layout)
        else:
            state = adapt_state(self.model, model, self.state(), seed=self.options.seed)
            self._coordinator.stop()
            self._start(model, state)

    def is_compatible(self, model: Model) -> bool:
        """Return whether another model of the same flocks has the same kernels."""
        if layout_with_numbers(self.layout, model) is not None:
            return True
        counts = self.layout.plan.counts
        return layout_and_source(model, counts, self.options.dtype)[1] == self._text


# --- limits


def _find_all_pairs(layout: Layout) -> list[tuple[str, str, str]]:
    """Return (flock, sensed flock, rule) of rules that test all pairs of gridded flocks."""
    return [
        (flock.flock, sense.flock, sense.rule.name)
        for flock in layout.plan.flocks
        if flock.flock in layout.gridded
        for sense in flock.senses
        if layout.search(flock, sense) == "all_pairs" and sense.flock in layout.gridded
    ]
