"""Simulation: a model in flight."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from murmurate.build.methods import check_methods
from murmurate.engine.begin import begin
from murmurate.errors import ModelError
from murmurate.frame import FlockFrame, Frame
from murmurate.model.model import Model
from murmurate.model.obstacles import shape_at


class Simulation:
    """A model in flight. The loop is

        for step in range(steps):
            read every schedule at time = step * dt
            for each stage:
                each boid senses the state that the stage before left      (order: together)
                or, in its turn, what those before it did         (one-by-one, shuffled)
            positions follow, past obstacles and the faces of the space
        frame: a read-only copy, in id order

    model    a Model
    seed     any whole number >= 0; the same seed gives the same flight, bit for bit, on one kind of
             machine, with any number of threads and however the steps are asked for
    start    arrays instead of a flock's own start: {"boids": (positions, velocities)}, (N, D) each
    engine   'cpu', or 'reference': slow, plain, uncompiled, float64, to check the other against
    dtype    'float32' or 'float64'
    threads  how many threads share a step; all cores unless given

    Raises ModelError for what cannot be flown, RuleError for a rule that cannot be compiled.
    """

    def __init__(
        self,
        model: Model,
        seed: int = 0,
        *,
        start: Mapping[str, Any] | None = None,
        engine: Literal["cpu", "reference"] = "cpu",
        dtype: Literal["float32", "float64"] = "float32",
        threads: int | None = None,
    ) -> None:
        if not isinstance(seed, int | np.integer) or seed < 0:
            raise ModelError(f"seed is {seed!r}: it must be a whole number >= 0")
        if threads is not None and threads < 1:
            raise ModelError(f"threads is {threads!r}: it must be at least 1")
        if not isinstance(model, Model):
            raise ModelError(f"{model!r} is not a Model: mm.load({model!r}) makes one of a name")
        for rule in model.rules.values():
            check_methods(type(rule))
        arrays = begin(model, int(seed), start)
        self.seed = int(seed)
        self._engine: Any
        if engine == "cpu":
            from murmurate.engine.cpu import CpuEngine

            if dtype not in ("float32", "float64"):
                raise ModelError(f"dtype is {dtype!r}: it must be 'float32' or 'float64'")
            self._engine = CpuEngine(model, arrays, self.seed, dtype=dtype, threads=threads)
        elif engine == "reference":
            from murmurate.engine.reference import ReferenceEngine

            self._engine = ReferenceEngine(model, arrays, self.seed)
        else:
            raise ModelError(f"engine is {engine!r}: it must be 'cpu' or 'reference'")

    @property
    def model(self) -> Model:
        return self._engine.model

    @property
    def compiled(self) -> bool:
        """Whether the next step needs no compiling. Kernels are kept, so only the first run of a
        model with new rules does, for some seconds; new numbers never do."""
        return getattr(self._engine, "compiled", True)

    @property
    def time(self) -> float:
        """step * dt, in the model's time unit."""
        return self._engine.step_number * self.model.dt

    def step(self, steps: int = 1) -> Simulation:
        """Flies so many steps. Raises RunError if a boid gets lost; the state stays as it was after
        that step, and can be looked at."""
        if not isinstance(steps, int | np.integer) or steps < 0:
            raise ModelError(f"steps is {steps!r}: it must be a whole number >= 0")
        self._engine.step(int(steps))
        return self

    def set(self, changes: Mapping[str, Any]) -> None:
        """Changes numbers of the model in flight, by dotted path; the flock flies on from where it
        is. The number of boids cannot be changed in flight."""
        model = self.model.set(changes)
        if any(model.flocks[n].count != f.count for n, f in self.model.flocks.items()):
            raise ModelError("the number of boids cannot change in flight: start a new simulation")
        if list(model.flocks) != list(self.model.flocks) or model.space != self.model.space:
            raise ModelError("flocks and space cannot change in flight: start a new simulation")
        self._engine.change(model)

    @property
    def frame(self) -> Frame:
        """The flock as it is now."""
        model, flocks, first = self.model, {}, 0
        for name, (positions, velocities, timers) in self._engine.arrays().items():
            ids = np.arange(first, first + len(positions))
            flocks[name] = FlockFrame(name, ids, positions, velocities, timers, model.space)
            first += len(positions)
        return Frame(
            self._engine.step_number,
            self.time,
            model.space,
            flocks,
            {name: shape_at(shape, self.time) for name, shape in model.obstacles.items()},
        )
