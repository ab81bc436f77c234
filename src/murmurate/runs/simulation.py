"""Simulation: a model and its state, moved step by step on any engine."""

from __future__ import annotations

import logging
import os
import pickle
import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from murmurate.display import html_of
from murmurate.dtypes import Dtype
from murmurate.engines.base import EngineChoice
from murmurate.engines.bounds import check_inside
from murmurate.engines.initial_state import checked_state, initial_state
from murmurate.engines.memory import check_memory
from murmurate.engines.options import RunOptions, cores, is_whole, run_options
from murmurate.engines.protocol import Engine, FlightState
from murmurate.engines.registry import engine_class
from murmurate.engines.state import frame_of, state_for, state_of, without
from murmurate.errors import ModelError
from murmurate.frame import DistributedFrame, Frame
from murmurate.language.methods import check_methods, check_turn
from murmurate.model.files import model_of
from murmurate.model.messages import unknown
from murmurate.model.model import Model
from murmurate.model.warnings import ModelWarning, check_moved, check_precision, doubts_of

log = logging.getLogger(__name__)


class Simulation:
    """A model in flight. The loop is

        for step in range(steps):
            read every schedule at time = step * dt
            for each stage:
                each boid senses the state that the stage before left      (order: synchronous)
                or, in its turn, what those before it did         (one-by-one, shuffled)
            positions follow, past obstacles and the faces of the space
        frame: a read-only copy, in id order

    model    a Model, the name of a published flock, or the path of a model file
    seed     any whole number >= 0; the same seed gives the same flight, bit for bit, on one kind of
             machine, with any number of threads and however the steps are asked for
    start    arrays instead of a flock's own start: {"boids": (positions, velocities)}, (N, D) each;
             or a Frame, for the positions and velocities of its flocks (from_frame continues it)
    engine   'cpu'; 'slabs': workers of a Ray cluster; 'reference': slow, plain, uncompiled,
             float64, to check the others against; or one that was registered
             (murmurate.engines.registry). Or options of an engine, such as Slabs(workers=4)
    dtype    'float32' or 'float64'
    threads  how many threads share a step; all cores unless given, at most 4 a core or 256
    workers, address  deprecated: use engine=Slabs(workers=..., address=...)

    It can be pickled and copied: the copy continues from the same moment, bit for bit. A model with
    rules of your own is pickled where pickle finds their classes by name.

    Raises ModelError for what cannot be flown, RuleError for a rule that cannot be compiled, and
    ModelError for dtype float32 so far from the origin that its numbers are more than 1/50 of the
    smallest radius apart. Warns (murmurate.model.warnings.ModelWarning) of more than 1/1000 of it,
    and of a wall across a periodic axis.
    """

    _engine: Engine

    def __init__(
        self,
        model: Model | str | os.PathLike[str],
        seed: int = 0,
        *,
        start: Mapping[str, Any] | Frame | None = None,
        engine: EngineChoice = "cpu",
        dtype: Dtype = "float32",
        threads: int | None = None,
        workers: int | None = None,
        address: str | None = None,
    ) -> None:
        options = run_options(engine, dtype, threads, seed, workers=workers, address=address)
        self._engine = _started(model, options, start)

    @classmethod
    def from_options(
        cls,
        model: Model | str | os.PathLike[str],
        options: RunOptions,
        start: Mapping[str, Any] | Frame | None = None,
    ) -> Simulation:
        """A model at its start, flown with these options. Raises as Simulation does."""
        return cls._of(_started(model, options, start))

    @classmethod
    def from_frame(
        cls,
        model: Model | str | os.PathLike[str],
        frame: Frame,
        *,
        seed: int,
        engine: EngineChoice = "cpu",
        dtype: Dtype = "float32",
        threads: int | None = None,
        workers: int | None = None,
        address: str | None = None,
    ) -> Simulation:
        """A simulation that continues from a frame, as the one that made it would have: bit for
        bit, if model, seed, engine and dtype are the same and the frame is exact.

        Raises ModelError where the frame has other flocks than the model, or other dimensions.
        """
        options = run_options(engine, dtype, threads, seed, workers=workers, address=address)
        model = model_of(model)
        return cls.from_state(model, state_of(model, frame), options)

    @classmethod
    def from_state(cls, model: Model, state: FlightState, options: RunOptions) -> Simulation:
        """A simulation that continues from a state; its flocks are the model's."""
        _check(model, options)
        return cls._of(_engine_of(model, state, options))

    @classmethod
    def _of(cls, engine: Engine) -> Simulation:
        made = object.__new__(cls)
        made._engine = engine
        return made

    @property
    def model(self) -> Model:
        return self._engine.model

    @property
    def options(self) -> RunOptions:
        """The engine, dtype, threads and seed that it flies with."""
        return self._engine.options

    @property
    def seed(self) -> int:
        return self._engine.options.seed

    @property
    def family(self) -> str:
        """The family of its engine: engines of one family leave the same bits, such as 'cpu' and
        'slabs'. That of an engine on a device may name the device."""
        return self._engine.family or self.options.engine

    @property
    def compiled(self) -> bool:
        """Whether the next step needs no compiling. Kernels are kept, so only the first run of a
        model with new rules does, for some seconds; new numbers never do."""
        return self._engine.compiled

    @property
    def boids(self) -> int:
        """How many boids there are, in all flocks."""
        return sum(flock.count for flock in self.model.flocks.values())

    @property
    def distributed_frame(self) -> DistributedFrame | None:
        """The flock as it is now, where several workers hold parts of it; None where one engine
        holds all. Of a small flock, `frame` is the way to look at it."""
        return self._engine.distributed_frame()

    @property
    def step_number(self) -> int:
        """How many steps were flown since the start."""
        return self._engine.step_number

    @property
    def time(self) -> float:
        """step * dt, in the model's time unit."""
        return self._engine.step_number * self.model.dt

    def step(self, steps: int = 1) -> Simulation:
        """Simulates so many steps. Raises RunError if a boid gets lost; the state stays as it was
        after that step, and can be read."""
        if not is_whole(steps) or steps < 0:
            raise ModelError(f"steps is {steps!r}: it must be a whole number >= 0")
        self._engine.step(int(steps))
        return self

    def set(self, changes: Mapping[str, Any]) -> None:
        """Changes numbers of the model in flight, by dotted path; the flock flies on from where it
        is. The number of boids cannot be changed in flight."""
        self.replace_model(self.model.set(changes))

    def replace_model(self, model: Model) -> None:
        """Continues with another model of the same flocks and space: set() for a whole model. New
        numbers cost nothing; new rules compile, with the next step, unless `is_compatible` says
        that the kernels are there."""
        if any(
            n in model.flocks and model.flocks[n].count != f.count
            for n, f in self.model.flocks.items()
        ):
            raise ModelError("the number of boids cannot change in flight: start a new simulation")
        if list(model.flocks) != list(self.model.flocks) or model.space != self.model.space:
            raise ModelError("flocks and space cannot change in flight: start a new simulation")
        _check(model, self.options, known=self.model)
        self._engine.replace_model(model)

    def resumed(
        self,
        model: Model,
        places: Mapping[tuple[str, int], Sequence[float]] | None = None,
        leaving: Mapping[str, Collection[int]] | None = None,
    ) -> Simulation:
        """Another simulation, of a model of the same space, that continues from this moment: also
        with other flocks and numbers of boids. Of each flock, boids that the model has no more
        leave from the end, and those that it has more join behind the others; nothing else of the
        state changes.

        places   (flock, number in it) -> where a boid joins; where its start puts it unless given
        leaving  flock -> numbers in it of the boids that leave before others do

        Raises ModelError for another space, and like Simulation; for places like set_state.
        """
        if model.space != self.model.space:
            raise ModelError("the space cannot change in flight: start a new simulation")
        _check(model, self.options, known=self.model)
        check_memory(model, self.options)
        start = initial_state(model, self.seed)
        for (flock, row), place in (places or {}).items():
            if flock in start.flocks and row < len(start.flocks[flock].positions):
                start.flocks[flock].positions[row] = place
        for flock, begun in start.flocks.items():
            check_inside(f"flocks.{flock}.start", model.space, begun.positions)
        state = without(self._engine.state(), leaving or {})
        state = state_for(self.model, model, state, start)
        return self._of(_engine_of(model, state, self.options))

    def is_compatible(self, model: Model) -> bool:
        """Whether replace_model(model) would compile nothing: it differs in numbers only."""
        same = self.model
        return (
            [(n, f.count) for n, f in model.flocks.items()]
            == [(n, f.count) for n, f in same.flocks.items()]
            and model.space == same.space
            and self._engine.is_compatible(model)
        )

    def set_state(self, flock: str, positions: Any = None, velocities: Any = None) -> None:
        """Move boids, or give them other velocities: arrays (N, D) of all of a flock; None keeps
        what there is.

        Positions on periodic axes are brought into the space. Positions and velocities of a frame,
        of any engine, are taken as they are, bit for bit. Raises ModelError for an unknown flock,
        arrays of another shape, numbers that are not finite, positions outside closed faces, and
        positions so far out that float32 does not resolve them; a ModelWarning comes before that.
        """
        flocks = self.model.flocks
        if flock not in flocks:
            raise ModelError(unknown("flock", flock, flocks))
        count = flocks[flock].count
        what = f"set_state({flock!r})"
        positions, velocities = checked_state(what, self.model.space, count, positions, velocities)
        if positions is not None and len(positions):
            ends = np.abs(positions).max(axis=0).tolist()
            dtype = getattr(self._engine, "dtype", self.options.dtype)
            for line in check_moved(self.model, dtype, flock, ends):
                warnings.warn(line, ModelWarning, stacklevel=2)
        self._engine.set_state(flock, positions, velocities)

    def copy(self, *, threads: int | None = None) -> Simulation:
        """Another simulation that continues from the same moment; neither changes the other."""
        if threads is not None:
            threads = replace(self.options, threads=threads).threads  # checked, and an int
        return self._of(self._engine.copy(threads))

    def __copy__(self) -> Simulation:
        return self.copy()

    def __deepcopy__(self, _: dict[int, Any]) -> Simulation:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        try:
            model = pickle.dumps(self.model)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise ModelError(
                f"model {self.model.name!r} cannot be pickled: {error}. Classes of rules and "
                "motions must stand at the top of a module that can be imported"
            ) from error
        return _unpickled, (type(self), model, self.options, self._engine.state())

    def _repr_html_(self) -> str | None:
        """What a notebook shows: a replay of the next moments, run by a copy."""
        return html_of(self)

    def measure(self, *names: str) -> dict[str, dict[str, float]]:
        """Measures of the flock as it is now: flock -> name -> value; nan for too small a flock.

        names  of measures of one frame that are a number, see murmurate.measures; unless given, the
               four that are shown: polarization, milling, nearest_neighbour_distance, speed

        Of a large flock that several workers hold, these four, extent and density are taken where
        the boids are; for others all boids are gathered. Raises MeasureError for other names.
        """
        from murmurate.runs.measured import measured

        flocks = list(self.model.flocks)
        return measured(names, flocks, self.boids, self.distributed_frame, lambda: self.frame)

    @property
    def frame(self) -> Frame:
        """The flock as it is now."""
        return frame_of(self.model, self._engine.state())


def _started(
    model: Model | str | os.PathLike[str],
    options: RunOptions,
    start: Mapping[str, Any] | Frame | None,
) -> Engine:
    """An engine at a model's start."""
    model = model_of(model)
    _check(model, options)
    state = initial_state(model, options.seed, start)
    dtype = getattr(engine_class(options.engine), "dtype", options.dtype)
    given = state.flocks.given_ends()
    check_precision(model, dtype, given)
    for doubt in doubts_of(model, dtype, given):
        warnings.warn(doubt, ModelWarning, stacklevel=3)
    return _engine_of(model, state, options)


def _engine_of(model: Model, state: FlightState, options: RunOptions) -> Engine:
    """The engine that the options name, in that state."""
    engine: Engine = engine_class(options.engine)(model, state, options)
    log.info(
        "%s: %d boids from step %d, engine %s, %s, %d threads, seed %d",
        model.name or "a model",
        sum(map(state.size, state.flocks)),
        state.step,
        options.engine,
        engine.options.dtype,
        options.threads or cores(),
        options.seed,
    )
    return engine


def _check(model: Model, options: RunOptions, known: Model | None = None) -> None:
    """Raises RuleError or ModelError for what cannot be flown, before anything is compiled.

    known  a model whose rules were checked before: sliding a number should cost nothing
    """
    checked = {type(rule) for rule in known.rules.values()} if known is not None else set()
    for rule in model.rules.values():
        if type(rule) not in checked:
            check_methods(type(rule))
    for flock in model.flocks.values():
        check_turn(type(flock.motion))
    engine_class(options.engine).check(model, options)
    if known is None:  # else the flight is in memory already
        check_memory(model, options)


def _unpickled(
    cls: type[Simulation], model: bytes, options: RunOptions, state: FlightState
) -> Simulation:
    flown: Model = pickle.loads(model)
    _check(flown, options)
    return cls._of(_engine_of(flown, state, options))
