"""Simulation: a model and its state, on any engine."""

from __future__ import annotations

import os
import pickle
import warnings
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from murmurate.codegen.structure import same_structure
from murmurate.display import render
from murmurate.dtypes import Dtype
from murmurate.engines.base import Diagnostics, EngineBase, EngineChoice
from murmurate.engines.bounds import wrap_and_check
from murmurate.engines.failed_step import MAX_STEPS, Checkpoint, find_cause
from murmurate.engines.initial_state import checked_state, initial_state
from murmurate.engines.memory import check_memory
from murmurate.engines.options import RunOptions, is_whole
from murmurate.engines.registry import engine_class
from murmurate.engines.state import (
    FlightState,
    adapt_state,
    make_frame,
    remove_boids,
    state_from_frame,
)
from murmurate.errors import MeasureError, ModelError, RunError
from murmurate.frame import DistributedFrame, Frame
from murmurate.measures.by_parts import BY_PARTS, measure_by_parts
from murmurate.measures.defaults import NAMES, SMALL_FLOCK
from murmurate.measures.registry import find_measure
from murmurate.model.files import model_of
from murmurate.model.messages import format_unknown
from murmurate.model.model import Model
from murmurate.model.warnings import ModelWarning, check_moved
from murmurate.runs.commands import Attached, gives_ids, input_arrays, memory_of_controls
from murmurate.runs.engine_start import (
    check_model,
    check_same_boids,
    engine_at_start,
    engine_of,
    pickled,
)
from murmurate.runs.frame_source import FrameSource

if TYPE_CHECKING:
    from murmurate.show import Page


class Simulation(FrameSource):
    """A model and its state. Each step is

        read every schedule at time = step * dt
        for each stage:
            each boid senses the state before the stage       (synchronous update)
            or the boids before it already moved              (sequential or shuffled update)
        move the boids, around obstacles and at the faces of the space
        let boids leave and join, entry by entry of the model's population

    Parameters
    ----------
    model : Model, str or path
        A Model, the name of a published flock, or the path of a model file.
    seed : int, default 0
        At least 0. One seed gives one trajectory, bit for bit, on one kind of machine: with any
        number of threads, and however steps are divided among calls.
    start : mapping or Frame, optional
        Replaces the flocks' own starts: {"boids": (positions, velocities)}, (N, D) arrays each; or
        a Frame, whose positions and velocities are used (`from_frame` continues it).
    engine : str or EngineOptions, default 'cpu'
        'cpu'; 'gpu', a graphics card; 'slabs', workers of a Ray cluster; 'reference', slow and
        uncompiled, in float64, to check the others; 'wasm', as in a page; or a registered one
        (murmurate.engines.registry).
        Or options of an engine, such as Slabs(workers=4).
    dtype : {'float32', 'float64'}, default 'float32'
        Precision.
    threads : int, optional
        Threads that share a step, at most 4 per core or 256; one per core by default.

    Raises
    ------
    ModelError
        The model or an argument cannot be used; or float32 is too coarse: so far from the origin
        its numbers are more than 1/50 of the smallest radius apart.
    RuleError
        A rule cannot be compiled.

    Warns
    -----
    ModelWarning
        float32 is coarse (more than 1/1000 of the smallest radius), or the model is suspicious,
        such as a wall across a periodic axis.

    Notes
    -----
    Simulations can be pickled and copied; a copy continues bit for bit and shares nothing. Classes
    of a user's rules must be importable to be pickled.
    """

    _engine: EngineBase
    _checkpoint: Checkpoint | None = None  # None before the first step, and after other changes
    _counts: Mapping[tuple[str, str], int] = MappingProxyType({})  # of earlier engines
    _start: Mapping[str, Any] | Frame | None = None
    _attached: Attached | None = None

    def __init__(
        self,
        model: Model | str | os.PathLike[str],
        seed: int = 0,
        *,
        start: Mapping[str, Any] | Frame | None = None,
        engine: EngineChoice = "cpu",
        dtype: Dtype = "float32",
        threads: int | None = None,
    ) -> None:
        options = RunOptions(engine, dtype, threads, seed)
        self._engine, self._start = engine_at_start(model, options, start), start

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
    ) -> Simulation:
        """Return a simulation that continues from a frame.

        It continues bit for bit if model, seed, engine and dtype are those of the simulation that
        made the frame, and the frame is exact.

        Parameters
        ----------
        model : Model, str or path
            As for Simulation.
        frame : Frame
            With the flocks and dimensions of the model.
        seed, engine, dtype, threads
            As for Simulation.

        Raises
        ------
        ModelError
            The frame has other flocks or dimensions than the model.
        """
        options = RunOptions(engine, dtype, threads, seed)
        model = model_of(model)
        return cls.from_state(model, state_from_frame(model, frame, options.seed), options)

    @classmethod
    def from_state(cls, model: Model, state: FlightState, options: RunOptions) -> Simulation:
        """Return a simulation that continues from a state of the model's flocks."""
        check_model(model, options)
        return cls._of(engine_of(model, state, options))

    @classmethod
    def _of(cls, engine: EngineBase, start: Mapping[str, Any] | Frame | None = None) -> Simulation:
        simulation = object.__new__(cls)
        simulation._engine, simulation._start = engine, start
        return simulation

    def __repr__(self) -> str:
        return (
            f"Simulation({self.model.name!r}, step={self.step_number}, boids={self.n_boids}, "
            f"engine={self.options.engine!r})"
        )

    @property  # type: ignore[misc]
    def model(self) -> Model:  # type: ignore[override]
        """The model with its present numbers."""
        return self._engine.model

    @property
    def options(self) -> RunOptions:
        """The engine, dtype, threads and seed."""
        return self._engine.options

    @property  # type: ignore[misc]
    def seed(self) -> int:  # type: ignore[override]
        """The seed of all random numbers."""
        return self._engine.options.seed

    @property
    def family(self) -> str:
        """The family of the engine. Engines of one family, such as 'cpu' and 'slabs', give equal
        bits. The family of an engine on a device may name the device."""
        return self._engine.family or self.options.engine

    @property
    def compiled(self) -> bool:
        """Whether the next step compiles nothing. Kernels are cached: only the first run of a model
        with new rules compiles, for some seconds; new numbers never do."""
        return self._engine.compiled

    @property
    def n_boids(self) -> int:
        """The present number of boids in all flocks."""
        if not self.model.changes_numbers:
            return sum(flock.count for flock in self.model.flocks.values())
        return sum(self._engine.sizes().values())

    def population_counts(self) -> dict[str, dict[str, int]]:
        """Return how many boids have joined or left by each entry of the population.

        Returns
        -------
        dict of dict of int
            Name of the entry -> flock -> number, since this simulation was created or continued
            from a frame. A frame has the numbers since the start: `n_ever` and `n_left` of a flock.
        """
        counts: dict[str, dict[str, int]] = {name: {} for name in self.model.population}
        for (name, flock), number in self._population_counts().items():
            counts.setdefault(name, {})[flock] = number
        return counts

    def _population_counts(self) -> dict[tuple[str, str], int]:
        counts = Counter(self._counts)
        counts.update(self._engine.population_counts())
        return dict(counts)

    @property
    def distributed_frame(self) -> DistributedFrame | None:
        """The present frame if several workers hold its parts; None if one engine holds it all.
        For a small flock `frame` is simpler."""
        return self._engine.distributed_frame()

    def diagnostics(self) -> Diagnostics:
        """Return counters and sizes of the engine, such as threads used and kernels compiled."""
        return self._engine.diagnostics()

    @property
    def step_number(self) -> int:
        """Steps since the start."""
        return self._engine.step_number

    @property
    def time(self) -> float:
        """step * dt, in the model's time unit."""
        return self._engine.step_number * self.model.dt

    def step(self, steps: int = 1, controls: Mapping[str, Any] | None = None) -> Simulation:
        """Simulate some steps and return self.

        Parameters
        ----------
        steps : int, default 1
            Number of steps.
        controls : mapping of str to array, optional
            Flock -> a command for each boid, (N, D), in the order of ids; nan on every axis leaves
            a boid to its other rules. Or (ids, vectors), (K,) and (K, D), for some of its boids;
            or None, which ends the commands of all. A command holds until the next one. The flock
            has a rule of kind `command`, whose `form` says what the vectors are.

        Raises
        ------
        ModelError
            `steps` is not a whole number of at least 0; or controls have an unknown flock, a wrong
            shape, ids of boids that left, a number that is not finite, or nan for all boids. The
            simulation is as before.
        RunError
            A boid is lost: it left the space, or a rule or motion gave a number that is not finite.
            The error names step, flock, boid and rule. The state is that before the failed step.
        PopulationError
            A flock would have more boids than its `max_boids`. The state is that before the step.
        """
        if not is_whole(steps) or steps < 0:
            raise ModelError(f"steps: got {steps!r}; expected a whole number of at least 0")
        self._record_due_frame()
        if controls is not None:
            self._command(controls)
        end = self._engine.step_number + int(steps)
        while (step := self._engine.step_number) < end:
            if self._checkpoint is None or step >= self._checkpoint.step + MAX_STEPS:
                self._checkpoint = Checkpoint.of(self._engine, self._population_counts())
            pause = min(end, self._checkpoint.step + MAX_STEPS)
            pause = pause if self._attached is None else min(pause, self._attached.due)
            try:
                self._engine.step(pause - step)
                self._record_due_frame()
            except RunError as error:
                if error.boid < 0:
                    raise
                self._engine = self._checkpoint.restored(self._engine, error.step - 1)
                self._counts = self._checkpoint.counts
                raise find_cause(self._engine, error) from None
        return self

    def _command(self, controls: Mapping[str, Any]) -> None:
        """Give commands to boids. Raises ModelError, before any boid has one."""
        engine, frame = self._engine, self.frame if gives_ids(controls) else None
        model, dtype = engine.model, engine.options.dtype
        shapes = {name: (size, model.space.dims) for name, size in engine.sizes().items()}
        memory = memory_of_controls(model, controls, shapes, dtype, frame)
        for flock, first, values in list(memory):  # all are checked first
            self._record_input("controls", flock, **input_arrays(controls[flock], dtype))
            self.set_memory(flock, first, values)

    def attach(self, recorder: Attached | None) -> None:
        """Let a recorder record all that follows, or none. Raises ModelError if one does."""
        if recorder is not None:
            self._refuse_if_recorded("Recorder")
        self._attached = recorder

    def _refuse_if_recorded(self, what: str) -> None:
        if self._attached is not None:
            raise ModelError(
                f"{what}: got a simulation that is recorded to {self._attached.path}; expected one "
                "that is not. Close its recorder first"
            )

    def _record_due_frame(self) -> None:
        if self._attached is not None and self._attached.due == self._engine.step_number:
            self._attached.add_frame()

    def _record_input(self, kind: str, text: str, **arrays: np.ndarray | None) -> None:
        if self._attached is not None:
            self._record_due_frame()
            self._attached.add_input(kind, text, arrays)

    def set_memory(self, flock: str, first: int, values: np.ndarray) -> None:
        """Replace numbers of the per-boid state of a flock, (M, N) from `first` on, by id."""
        self._engine.set_memory(flock, first, values)
        if self._checkpoint is not None and not self._checkpoint.add(
            self._engine.step_number, flock, first, values
        ):
            self._checkpoint = None

    def reset(self, seed: int | None = None) -> Simulation:
        """Start again at step 0, without compiling, and return self.

        The simulation is then that of `Simulation(sim.model, seed, start=start)` with the `start`
        that it was created with. One that continues a frame starts as its model states.

        Parameters
        ----------
        seed : int, optional
            Another seed. The default is the present one.

        Raises
        ------
        ModelError
            The seed is wrong. The simulation is as before.
        """
        self._refuse_if_recorded("reset")
        options = self.options if seed is None else replace(self.options, seed=seed)
        self._engine.restart(initial_state(self.model, options.seed, self._start), options)
        self._checkpoint, self._counts = None, MappingProxyType({})
        return self

    def set(self, changes: Mapping[str, Any]) -> Simulation:
        """Change numbers of the model, keep the state, and return self.

        Parameters
        ----------
        changes : mapping of str to value
            Dotted path -> number, vector or schedule: {"rules.cohesion.weight": 0.05}. The number
            of boids cannot be changed; see `fork`.

        Raises
        ------
        ModelError
            A path or a value is wrong. The simulation is as before.
        """
        self.replace_model(self.model.set(changes))
        return self

    def show(self, changes: Mapping[str, Any]) -> Model:
        """Change numbers of the view; return the model."""
        self.set(changes)
        return self.model

    def replace_model(self, model: Model) -> None:
        """Continue with another model of the same flocks and space.

        New numbers cost nothing. New rules compile at the next step, unless `is_compatible` is
        true.
        """
        if same_structure(self.model, model):
            engine_class(self.options.engine).check(model, self.options)
        else:
            check_same_boids(self.model, model, self._engine.sizes())
            check_model(model, self.options, checked_model=self.model)
        if self._attached is not None:
            self._record_due_frame()
            self._attached.add_model(model)
        self._engine.replace_model(model)
        self._checkpoint = None

    def fork(
        self,
        model: Model,
        positions: Mapping[tuple[str, int], Sequence[float]] | None = None,
        leaving: Mapping[str, Collection[int]] | None = None,
    ) -> Simulation:
        """Return another simulation that continues from this state with other flocks or counts.

        Where a flock shrinks, its last boids leave; where it grows, boids join at its end. Nothing
        else of the state changes. If boids join and leave by themselves, as many boids are added or
        removed as the counts of the two models differ by.

        Parameters
        ----------
        model : Model
            A model of the same space.
        positions : mapping, optional
            (flock, index) -> position of a boid that joins. By default the flock's start decides.
        leaving : mapping, optional
            Flock -> rows of the boids that leave first, in the order of ids.

        Raises
        ------
        ModelError
            The space differs, or as for Simulation and `set_state`.
        """
        if model.space != self.model.space:
            raise ModelError("model: got another space; expected the same. Start a new simulation")
        check_model(model, self.options, checked_model=self.model)
        check_memory(model, self.options)
        start = initial_state(model, self.seed)
        for (flock, row), position in (positions or {}).items():
            if flock in start.flocks and row < len(start.flocks[flock].positions):
                start.flocks[flock].positions[row] = position
        for flock, first in start.flocks.items():
            wrap_and_check(f"flocks.{flock}.start", model.space, first.positions)
        state = self._engine.state()
        sizes = {name: state.size(name) for name in state.flocks}
        state = remove_boids(state, leaving or {})
        state = adapt_state(self.model, model, state, start, seed=self.seed, sizes=sizes)
        return self._of(engine_of(model, state, self.options))

    def is_compatible(self, model: Model) -> bool:
        """Return whether `replace_model(model)` compiles nothing: only numbers differ."""
        own = self.model
        return (
            [(n, f.count) for n, f in model.flocks.items()]
            == [(n, f.count) for n, f in own.flocks.items()]
            and model.space == own.space
            and self._engine.is_compatible(model)
        )

    def set_state(self, flock: str, positions: Any = None, velocities: Any = None) -> Simulation:
        """Set positions or velocities of a flock, and return self.

        Parameters
        ----------
        flock : str
            The flock's name.
        positions, velocities : (N, D) array, optional
            For all boids of the flock. None keeps the present ones. Positions on periodic axes are
            wrapped into the space; positions and velocities of a frame are kept bit for bit.

        Raises
        ------
        ModelError
            The flock is unknown, a shape is wrong, a number is not finite, a position is outside
            closed faces, or float32 does not resolve positions so far out.

        Warns
        -----
        ModelWarning
            float32 resolves the positions coarsely.
        """
        if flock not in self.model.flocks:
            raise ModelError(format_unknown("flock", flock, self.model.flocks))
        count = self._engine.sizes()[flock]
        what = f"set_state({flock!r})"
        positions, velocities = checked_state(what, self.model.space, count, positions, velocities)
        if positions is not None and len(positions):
            ends = np.abs(positions).max(axis=0).tolist()
            dtype = getattr(self._engine, "dtype", self.options.dtype)
            for line in check_moved(self.model, dtype, flock, ends):
                warnings.warn(line, ModelWarning, stacklevel=2)
        self._record_input("state", flock, positions=positions, velocities=velocities)
        self._engine.set_state(flock, positions, velocities)
        self._checkpoint = None
        return self

    def copy(self, *, threads: int | None = None) -> Simulation:
        """Return a simulation that continues from the same state and shares nothing."""
        if threads is not None:
            threads = replace(self.options, threads=threads).threads  # checked, and an int
        return self._of(self._engine.copy(threads), self._start)

    def __copy__(self) -> Simulation:
        return self.copy()

    def __deepcopy__(self, _: dict[int, Any]) -> Simulation:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        model = pickled(self.model, self.model.name)
        return _unpickled, (type(self), model, self.options, self._engine.state(), self._start)

    def flight_state(self) -> FlightState:
        """Return the complete state: copies, in id order."""
        return self._engine.state()

    def sizes(self) -> dict[str, int]:
        """Return the present number of boids of each flock."""
        return self._engine.sizes()

    def checkpoint(self) -> Checkpoint:
        """Return a copy of the state, for `restore`."""
        counts = self._population_counts()
        return Checkpoint(self._engine.state(), self._engine.step_number, counts)

    def restore(self, checkpoint: Checkpoint) -> None:
        """Continue from a copy of the state."""
        self._refuse_if_recorded("restore")
        self._engine = checkpoint.restored(self._engine, checkpoint.step)
        self._counts, self._checkpoint = checkpoint.counts, None

    def live(self) -> Model:
        """Refuse a live view. Raises ModelError."""
        raise ModelError(
            f"{self.model.name}: got a Simulation; expected a model or a recording, since a live "
            "view steps its own. Record it with mm.Recorder, and watch the recording"
        )

    def preview(self) -> Page:
        """Return a replay of the next steps for a notebook; a copy simulates them for up to 2 s.

        Raises
        ------
        OutputError
            The flock is too large for a notebook.
        """
        return render(self)

    def measure(self, *names: str) -> dict[str, dict[str, float]]:
        """Return measures of the present frame.

        Parameters
        ----------
        *names : str
            Measures that are one number of one frame (see murmurate.measures). By default the four
            that are displayed: polarization, milling, nearest_neighbour_distance, speed.

        Returns
        -------
        dict of dict of float
            Flock -> measure -> value; nan for a flock that is too small.

        Raises
        ------
        MeasureError
            A measure is unknown, or is not one number of one frame.

        Notes
        -----
        If several workers hold a large flock, these four, extent and density are computed by the
        workers; for others all boids are gathered.
        """
        measures = [find_measure(name) for name in names or NAMES]
        for measure in measures:
            if measure.kind != "number" or measure.required:
                raise MeasureError(
                    f"measure: got {measure.name}; expected a measure of one frame that is a "
                    f"number. See mm.measures.{measure.name} for its arguments"
                )
        selected = [measure.name for measure in measures]
        parts = self.distributed_frame if self.n_boids > SMALL_FLOCK else None
        if parts is not None and set(selected) <= set(BY_PARTS):
            return measure_by_parts(selected, list(self.model.flocks), parts.map_parts)
        return {
            name: {measure.name: float(measure.function(flock)) for measure in measures}
            for name, flock in self.frame.items()
        }

    @property  # type: ignore[misc]
    def frame(self) -> Frame:  # type: ignore[override]
        """The present frame: a read-only copy, in id order."""
        return make_frame(self.model, self._engine.state(), self.seed)


def _unpickled(
    cls: type[Simulation],
    model: bytes,
    options: RunOptions,
    state: FlightState,
    start: Mapping[str, Any] | Frame | None = None,
) -> Simulation:
    loaded: Model = pickle.loads(model)
    check_model(loaded, options)
    return cls._of(engine_of(loaded, state, options), start)
