"""The fast engine: fused kernels, cells, threads.

Its parts: the plan and layout of the model (codegen), the table of arguments that kernels get, the
state arrays, and the stepper, whose loop of phases threads share.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import RLock
from time import perf_counter

import numpy as np

from murmurate.engines.base import EngineBase
from murmurate.engines.bounds import Lost
from murmurate.engines.cpu.argument_table import ArgumentTable
from murmurate.engines.cpu.model_kernels import ModelKernels, prepared
from murmurate.engines.cpu.phase_loop import Clock
from murmurate.engines.cpu.state_arrays import StateArrays, depth_of, remembered
from murmurate.engines.cpu.stepper import Stepper
from murmurate.engines.options import RunOptions, cores
from murmurate.engines.protocol import FlightState
from murmurate.engines.state import state_for
from murmurate.model.model import Model


class CpuEngine(EngineBase):
    """One flight on this machine's processor: see murmurate.engines.protocol.Engine.

    Parameters
    ----------
    model, state, options
        As for any engine.
    clock
        Returns seconds. The engine measures with it after how many chunks of work to look after
        Python's signals. The trajectory never depends on it.

    Several threads of Python may call its methods: one waits for the other. An exception, such as
    Ctrl-C, may end a call in the midst of a step; the next call begins by ending that step.
    """

    family = "numba"

    def __init__(
        self,
        model: Model,
        state: FlightState,
        options: RunOptions,
        *,
        clock: Clock = perf_counter,
    ) -> None:
        self.options = options
        self._dtype = np.dtype(options.dtype)
        self._clock, self._lock = clock, RLock()
        self._build(model, state)

    def _build(self, model: Model, state: FlightState) -> None:
        """All parts for a model, from a state."""
        self.model, self._step = model, state.step
        counts = {name: len(flock.positions) for name, flock in state.flocks.items()}
        self.layout, self._text = prepared(model, counts, self._dtype.name)
        threads = self.options.threads or cores()
        parts = [name for name, needed in self.layout.step_parts(threads).items() if needed]
        self._kernels = ModelKernels(self.layout, self._text, self._dtype.name, parts)
        table = ArgumentTable(self._dtype, threads)
        self._state = StateArrays(self.layout, table, state)
        self._past = remembered(self.layout.plan, self._state, state)
        self._stepper = Stepper(
            self.layout, table, self._state, threads, self.options.seed, self._kernels.kernel,
            self._clock,
        )  # fmt: skip

    @contextmanager
    def _between_steps(self) -> Iterator[None]:
        """No other thread of Python uses the engine meanwhile, and no step is unfinished."""
        with self._lock:
            try:
                self._step += self._stepper.settle()
            except Lost as lost:
                self._step = lost.step
            yield

    @property
    def step_number(self) -> int:
        """How many steps were made since the start."""
        if self._stepper.loop.unfinished and self._lock.acquire(blocking=False):
            try:
                with self._between_steps():
                    return self._step
            finally:
                self._lock.release()
        return self._step

    @property
    def compiled(self) -> bool:
        """Whether the kernels are in the cache: if not, the first step takes seconds."""
        return self._kernels.compiled

    def step(self, steps: int) -> None:
        """Makes so many steps. Raises RunError for a boid that is lost, RuleError for a rule that
        does not compile."""
        with self._between_steps():
            if self._state.count == 0:
                self._step += steps
                return
            while steps > 0:
                try:
                    flown = self._stepper.fly(self._step, steps)
                except Lost as lost:
                    self._step = lost.step
                    raise lost.run_error() from None
                self._step += flown
                steps -= flown

    def state(self) -> FlightState:
        """The flight as it is now: copies, in id order."""
        with self._between_steps():
            past = self._past.by_boid(self._step) if self._past else None
            return self._state.taken(self._step, past)

    def set_state(
        self, flock: str, positions: np.ndarray | None, velocities: np.ndarray | None
    ) -> None:
        """Replaces positions and velocities of a flock, (N, D) each; what is None stays."""
        with self._between_steps():
            self._state.set(flock, positions, velocities)

    def replace_model(self, model: Model) -> None:
        """Goes on with another model of the same flocks: new numbers cost nothing, a new structure
        a new kernel."""
        with self._between_steps():
            layout, text = prepared(model, self.layout.plan.counts, self._dtype.name)
            if text == self._text and depth_of(layout.plan) == depth_of(self.layout.plan):
                self.model, self.layout = model, layout
                self._state.plan, self._state.model = layout.plan, model
                self._stepper.replace_layout(layout)
            else:
                self._build(model, state_for(self.model, model, self.state()))

    def is_compatible(self, model: Model) -> bool:
        """Whether another model of the same flocks needs no other kernels."""
        return prepared(model, self.layout.plan.counts, self._dtype.name)[1] == self._text

    def copy(self, threads: int | None = None) -> CpuEngine:
        """Another engine that goes on from the same moment."""
        options = replace(self.options, threads=threads or self.options.threads)
        return CpuEngine(self.model, self.state(), options, clock=self._clock)
