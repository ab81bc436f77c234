"""Simulation: a model in flight."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from murmurate.codegen.method_checks import check_methods
from murmurate.engine.initial_state import begin
from murmurate.errors import ModelError
from murmurate.frame import FlockFrame, Frame
from murmurate.model.model import Model
from murmurate.model.obstacles import shape_at

MOST_THREADS = 256  # on a machine of few cores; 4 a core on one of many


class Simulation:
    """A model in flight. The loop is

        for step in range(steps):
            read every schedule at time = step * dt
            for each stage:
                each boid senses the state that the stage before left      (order: synchronous)
                or, in its turn, what those before it did         (one-by-one, shuffled)
            positions follow, past obstacles and the faces of the space
        frame: a read-only copy, in id order

    model    a Model
    seed     any whole number >= 0; the same seed gives the same flight, bit for bit, on one kind of
             machine, with any number of threads and however the steps are asked for
    start    arrays instead of a flock's own start: {"boids": (positions, velocities)}, (N, D) each
    engine   'cpu', or 'reference': slow, plain, uncompiled, float64, to check the other against
    dtype    'float32' or 'float64'
    threads  how many threads share a step; all cores unless given, at most 4 a core or 256

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
        _check_threads(threads)
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

    @classmethod
    def going_on(
        cls,
        model: Model,
        seed: int,
        frame: Frame,
        *,
        engine: Literal["cpu", "reference"] = "cpu",
        dtype: Literal["float32", "float64"] = "float32",
        threads: int | None = None,
    ) -> Simulation:
        """A simulation that goes on from a frame, as the one that made it would have: bit for bit,
        if model, seed, engine and dtype are the same and the frame is exact.

        Raises ModelError where the frame has other flocks than the model.
        """
        _check_threads(threads)
        counts = {flock.name: len(flock) for flock in frame}
        if counts != {name: flock.count for name, flock in model.flocks.items()}:
            raise ModelError(f"the frame has {counts}: the model's flocks must be the same")
        for rule in model.rules.values():
            check_methods(type(rule))
        made = object.__new__(cls)
        made.seed = int(seed)
        state = {flock.name: (flock.positions, flock.velocities) for flock in frame}
        timers = {flock.name: flock.perch_timers for flock in frame}
        memory = {flock.name: flock.memory for flock in frame}
        if engine == "reference":
            from murmurate.engine.reference import ReferenceEngine

            made._engine = ReferenceEngine(
                model, state, made.seed, timers=timers, memory=memory, step=frame.step
            )
        else:
            from murmurate.engine.cpu import CpuEngine

            made._engine = CpuEngine(
                model, state, made.seed, dtype=dtype, threads=threads, timers=timers,
                memory=memory, step=frame.step,
            )  # fmt: skip
        return made

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
        self.take(self.model.set(changes))

    def take(self, model: Model) -> None:
        """Goes on with another model of the same flocks and space: set() for a whole model. New
        numbers cost nothing; new rules compile, with the next step, unless `flies` says that the
        kernels are there."""
        if any(
            n in model.flocks and model.flocks[n].count != f.count
            for n, f in self.model.flocks.items()
        ):
            raise ModelError("the number of boids cannot change in flight: start a new simulation")
        if list(model.flocks) != list(self.model.flocks) or model.space != self.model.space:
            raise ModelError("flocks and space cannot change in flight: start a new simulation")
        self._engine.change(model)

    def flies(self, model: Model) -> bool:
        """Whether take(model) would compile nothing: it differs in numbers only."""
        same = self.model
        return (
            {n: f.count for n, f in model.flocks.items()}
            == {n: f.count for n, f in same.flocks.items()}
            and list(model.flocks) == list(same.flocks)
            and model.space == same.space
            and self._engine.flies(model)
        )

    def place(self, flock: str, positions: Any = None, velocities: Any = None) -> None:
        """Moves boids in flight: arrays (N, D) of all of a flock; what is None stays.

        Positions on periodic axes are brought into the space. Raises ModelError for a flock that
        is not there, arrays of a wrong shape, numbers that are not finite, and places outside
        closed faces.
        """
        from murmurate.engine.initial_state import checked_state

        frame = self.frame
        if flock not in frame.flocks:
            from murmurate.model.registry import unknown

            raise ModelError(unknown("flock", flock, frame.flocks))
        now = frame[flock]
        pair = checked_state(
            flock,
            self.model.space,
            now.positions if positions is None else positions,
            now.velocities if velocities is None else velocities,
        )
        if len(pair[0]) != len(now):
            raise ModelError(f"place {flock!r}: {len(pair[0])} rows for {len(now)} boids")
        self._engine.place(
            flock,
            None if positions is None else pair[0],
            None if velocities is None else pair[1],
        )

    def copy(self, *, threads: int | None = None) -> Simulation:
        """Another simulation that goes on from the same moment; the two do not heed each other."""
        _check_threads(threads)
        twin = object.__new__(Simulation)
        twin.seed = self.seed
        twin._engine = self._engine.copy(threads)
        return twin

    def _repr_html_(self) -> str | None:
        """What a notebook shows: a replay of the next moments, flown by a copy."""
        from murmurate.notebook.preview import preview

        return preview(self)

    @property
    def frame(self) -> Frame:
        """The flock as it is now."""
        model, flocks, first, memory = self.model, {}, 0, self._engine.memory()
        for name, (positions, velocities, timers) in self._engine.arrays().items():
            ids = np.arange(first, first + len(positions))
            flocks[name] = FlockFrame(
                name, ids, positions, velocities, timers, model.space, memory[name]
            )
            first += len(positions)
        return Frame(
            self._engine.step_number,
            self.time,
            model.space,
            flocks,
            {name: shape_at(shape, self.time) for name, shape in model.obstacles.items()},
        )


def _check_threads(threads: int | None) -> None:
    """Raises ModelError for none, and for so many that their scratch would fill the memory."""
    if threads is None:
        return
    from murmurate.engine.cpu import cores

    most = max(4 * cores(), MOST_THREADS)
    if not 1 <= threads <= most:
        raise ModelError(f"threads is {threads!r}: it must be at least 1 and at most {most}; leave "
                         f"it out for one a core, here {cores()}")  # fmt: skip
