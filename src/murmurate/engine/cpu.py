"""The fast engine: fused kernels, cells, threads.

Its parts: the plan and layout of the model (codegen), the table of arguments that kernels get, the
state arrays, the cell sort, the team of threads, and the stepper that calls kernels in turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from time import perf_counter

import numpy as np

from murmurate.codegen import layout as layouts
from murmurate.codegen.layout import Layout, Thresholds, lay_out
from murmurate.codegen.module_text import kernel_text
from murmurate.codegen.planner import make_plan
from murmurate.engine.argument_table import ArgumentTable
from murmurate.engine.frame_state import state_for
from murmurate.engine.lost import Lost
from murmurate.engine.model_kernels import ModelKernels
from murmurate.engine.options import RunOptions, cores
from murmurate.engine.past import depth_of, remembered
from murmurate.engine.protocol import FlightState
from murmurate.engine.state import StateArrays
from murmurate.engine.stepper import Stepper
from murmurate.engine.thread_team import Clock, ThreadTeam
from murmurate.model.model import Model


def prepared(model: Model, counts: Mapping[str, int], dtype: str) -> tuple[Layout, str]:
    """A model's layout and the text of its kernels; the last few are remembered, since sweeps fly
    the same model with many seeds."""
    return _prepared(model, tuple(counts.items()), dtype, layouts.THRESHOLDS)


@lru_cache(maxsize=32)
def _prepared(
    model: Model, counts: tuple[tuple[str, int], ...], dtype: str, thresholds: Thresholds
) -> tuple[Layout, str]:
    plan = make_plan(model, dict(counts))
    layout = lay_out(plan, thresholds)
    return layout, kernel_text(plan, dtype, layout)


class CpuEngine:
    """One flight on this machine's processor: see murmurate.engine.protocol.Engine.

    Parameters
    ----------
    model, state, options
        As for any engine.
    clock
        Returns seconds. The engine measures with it whether sharing a step between threads pays,
        and how many steps to run in one call. The trajectory never depends on it.
    """

    @classmethod
    def check(cls, model: Model, options: RunOptions) -> None:
        """It flies every model."""

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
        self._team = ThreadTeam(options.threads or cores(), clock)
        self._build(model, state)

    def _build(self, model: Model, state: FlightState) -> None:
        """All parts for a model, from a state."""
        self.model, self.step_number = model, state.step
        counts = {name: len(flock.positions) for name, flock in state.flocks.items()}
        self.layout, self._text = prepared(model, counts, self._dtype.name)
        self._kernels = ModelKernels(self.layout, self._text, self._dtype.name)
        table = ArgumentTable(self._dtype, self._team.size)
        self._state = StateArrays(self.layout, table, state)
        self._past = remembered(self.layout.plan, self._state, state)
        self._stepper = Stepper(
            self.layout, table, self._state, self._team, self.options.seed, self._kernels.kernel
        )

    @property
    def compiled(self) -> bool:
        """Whether the kernels are in the cache: if not, the first step takes seconds."""
        return self._kernels.compiled

    def step(self, steps: int) -> None:
        """Flies so many steps. Raises RunError for a boid that is lost, RuleError for a rule that
        does not compile."""
        if self._state.count == 0:
            self.step_number += steps
            return
        while steps > 0:
            try:
                flown = self._stepper.fly(self.step_number, steps)
            except Lost as lost:
                self.step_number = lost.step
                raise lost.run_error() from None
            self.step_number += flown
            steps -= flown

    def state(self) -> FlightState:
        """The flight as it is now: copies, in id order."""
        past = self._past.by_boid(self.step_number) if self._past else None
        return self._state.taken(self.step_number, past)

    def set_state(
        self, flock: str, positions: np.ndarray | None, velocities: np.ndarray | None
    ) -> None:
        """Replaces positions and velocities of a flock, (N, D) each; what is None stays."""
        self._state.set(flock, positions, velocities)

    def replace_model(self, model: Model) -> None:
        """Goes on with another model of the same flocks: new numbers cost nothing, a new structure
        a new kernel."""
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
        return CpuEngine(self.model, self.state(), options, clock=self._team.clock)
