"""Engine 'slabs': one flock distributed over several workers; see murmurate.engines.protocol.

The coordinator runs steps. This module recovers from lost workers: the simulation continues from
the last checkpoint, and ends with the same bits.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from time import monotonic
from typing import Any, ClassVar

import numpy as np

from murmurate.codegen.layout import Layout
from murmurate.codegen.planner import make_plan
from murmurate.engines.base import EngineBase
from murmurate.engines.bounds import LostBoidError
from murmurate.engines.cpu.model_kernels import ModelKernels, layout_and_source
from murmurate.engines.cpu.thresholds import cpu_layout
from murmurate.engines.initial_state import Start
from murmurate.engines.options import RunOptions
from murmurate.engines.protocol import FlightState, FlockState
from murmurate.engines.slabs.boids import Arrays
from murmurate.engines.slabs.coordinator import Checkpoint, Coordinator
from murmurate.engines.slabs.executors import Executor, WorkerLost, make_executor
from murmurate.engines.slabs.slab_options import Slabs
from murmurate.engines.state import adapt_state
from murmurate.errors import ModelError, RunError
from murmurate.frame import DistributedFrame, FlockFrame
from murmurate.model.model import Model

log = logging.getLogger(__name__)
MAX_RECOVERIES = 5
"""Recoveries without progress, before the simulation fails."""
MAX_BOIDS = 2**31 - 1  # ids are int32


class SlabEngine(EngineBase):
    """Simulates one flock on several workers.

    coordinator_class   the class of the coordinator
    checkpoint_seconds  wall-clock seconds between checkpoints, if workers can fail
    """

    Options = Slabs
    family = "numba"
    coordinator_class: ClassVar[type[Coordinator]] = Coordinator
    checkpoint_seconds: ClassVar[float] = 20.0

    @classmethod
    def check(cls, model: Model, options: RunOptions) -> None:
        """Raise ModelError for a model that slabs cannot simulate."""
        reasons = find_obstructions(model)
        if reasons:
            raise ModelError(
                f"engine 'slabs' cannot simulate {model.name or 'this model'}: "
                f"{'; '.join(reasons)}. Use engine 'cpu', which simulates every model"
            )

    def __init__(self, model: Model, state: FlightState, options: RunOptions) -> None:
        self.options = options
        assert isinstance(options.own, Slabs)
        self._slabs = options.own
        self._executor: Executor = make_executor(self._slabs)
        self._start(model, state)

    def _start(self, model: Model, state: FlightState) -> None:
        """Start workers for a model, and load a state."""
        self.model, self.step_number = model, state.step
        counts = {name: state.size(name) for name in state.flocks}
        self.layout, self._text = layout_and_source(model, counts, self.options.dtype)
        self._coordinator = self._start_workers()
        try:
            self._coordinator.load_state(state)
        except WorkerLost as lost:
            self._coordinator.stop()
            raise RunError(f"{lost} before the first step", step=state.step) from None
        if isinstance(state, Start):
            self._checkpoint = Checkpoint(state.step, np.zeros(0), state)
            self._checkpoint_time = monotonic()
        else:
            self._make_checkpoint()

    def _start_workers(self) -> Coordinator:
        return self.coordinator_class(
            self.layout, self._text, self.options, self._slabs.workers, self._executor
        )

    def _make_checkpoint(self) -> None:
        """Copy all boids, if workers can fail."""
        if self._executor.workers_can_fail:
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
        end = self.step_number + steps
        while self.step_number < end:
            try:
                self._coordinator.step(self.step_number)
                self.step_number += 1
                if (
                    self._executor.workers_can_fail
                    and monotonic() - self._checkpoint_time > self.checkpoint_seconds
                ):
                    self._make_checkpoint()
            except LostBoidError as lost:
                self.step_number = lost.step
                raise lost.run_error() from None
            except WorkerLost as lost:
                self._restore_from_checkpoint(str(lost))

    def _restore_from_checkpoint(self, cause: str) -> None:
        """Start other workers, and load the last checkpoint."""
        for _ in range(MAX_RECOVERIES):
            log.warning(
                "%s at step %d: continuing from the checkpoint at step %d",
                cause, self.step_number, self._checkpoint.step,
            )  # fmt: skip
            self._coordinator.stop()
            try:
                self._coordinator = self._start_workers()
                self._coordinator.restore(self._checkpoint)
            except WorkerLost as lost:
                cause = str(lost)
            else:
                self.step_number = self._checkpoint.step
                return
        raise RunError(
            f"{cause}, {MAX_RECOVERIES} times in succession: the simulation stops after step "
            f"{self.step_number}. Resume its recording, if it has one",
            step=self.step_number,
        )

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
        plan = self.layout.plan
        dims, real = self.model.space.dims, np.dtype(self.options.dtype)
        total = sum(plan.counts.values())
        vectors, timers = np.empty((total, 2 * dims), real), np.empty(total, np.int64)
        memory = np.empty((total, plan.memory_rows), real)

        def gather() -> None:
            for boids in self._coordinator.boids():
                vectors[boids.ids], timers[boids.ids] = boids.state.T, boids.timers
                memory[boids.ids] = boids.memory.T

        self._retry_after_recovery(gather)
        flocks, first = {}, 0
        for name, size in plan.counts.items():
            rows = slice(first, first + size)
            numbers = len(self.model.memory_of(name))
            flocks[name] = FlockState(
                vectors[rows, :dims].copy(), vectors[rows, dims:].copy(), timers[rows],
                memory[rows, :numbers].copy(),
            )  # fmt: skip
            first += size
        return FlightState(self.step_number, flocks)

    def distributed_frame(self) -> DistributedFrame:
        """Return a frame whose boids stay on their workers; it is valid until the next step."""
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

        def put() -> None:
            self._coordinator.set_state(flock, positions, velocities)
            self._make_checkpoint()

        self._retry_after_recovery(put)

    # --- the model

    def replace_model(self, model: Model) -> None:
        """Continue with another model of the same flocks.

        New numbers cost nothing; a new structure needs new kernels.
        """
        layout, text = layout_and_source(model, self.layout.plan.counts, self.options.dtype)
        if text == self._text:
            self.model, self.layout = model, layout

            def replace() -> None:
                self._coordinator.replace_layout(layout)
                self._make_checkpoint()

            self._retry_after_recovery(replace)
        else:
            state = adapt_state(self.model, model, self.state(), seed=self.options.seed)
            self._coordinator.stop()
            self._start(model, state)

    def is_compatible(self, model: Model) -> bool:
        """Return whether another model of the same flocks has the same kernels."""
        counts = self.layout.plan.counts
        return layout_and_source(model, counts, self.options.dtype)[1] == self._text


# --- limits


def find_obstructions(model: Model) -> list[str]:
    """Return the reasons why slabs cannot simulate a model; empty if they can."""
    if model.order != "synchronous":
        return [
            f"order is {model.order!r}, and workers update their boids in parallel: expected "
            "'synchronous'"
        ]
    counts = {name: flock.count for name, flock in model.flocks.items()}
    plan = make_plan(model, counts)
    layout = cpu_layout(plan)
    reasons = []
    if plan.sensor_flocks:
        reasons.append(
            f"flocks that sense others late or with errors: {', '.join(plan.sensor_flocks)}"
        )
    herds = sorted({rule.name for f in plan.flocks for rule in f.rules if rule.herd >= 0})
    if herds:
        reasons.append(f"rules that sense a whole herd: {', '.join(herds)}")
    voronoi = sorted({r.name for f in plan.flocks for r in f.rules if r.tessellation >= 0})
    if voronoi:
        reasons.append(f"rules with Voronoi neighbours: {', '.join(voronoi)}")
    if plan.integrates:
        reasons.append(
            f"integrator is {model.integrator!r}, which evaluates forces several times per step"
        )
    boids = sum(counts.values())
    if boids > MAX_BOIDS:
        reasons.append(f"it has {boids:,} boids: expected at most {MAX_BOIDS:,}")
    if reasons:
        return reasons
    if not layout.gridded:
        return [
            f"none of its {boids} boids is in the grid, which slabs divide: a flock is gridded if "
            "it is large, and its rules have a radius or sense the nearest neighbours"
        ]
    return [
        f"rule {rule!r} tests each boid of {sensor!r} with all {counts[flock]} boids of {flock!r}: "
        "give it a radius"
        for sensor, flock, rule in _find_all_pairs(layout)
    ]


def _find_all_pairs(layout: Layout) -> list[tuple[str, str, str]]:
    """Return (flock, sensed flock, rule) of rules that test all pairs of gridded flocks."""
    return [
        (flock.flock, sense.flock, sense.rule.name)
        for flock in layout.plan.flocks
        if flock.flock in layout.gridded
        for sense in flock.senses
        if layout.search(flock, sense) == "all_pairs" and sense.flock in layout.gridded
    ]
