"""Worlds: many copies of one model, advanced together."""

from __future__ import annotations

import os
import pickle
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from threading import RLock
from typing import Any

import numpy as np

from murmurate.dtypes import Dtype
from murmurate.engines.base import EngineChoice
from murmurate.engines.cpu.model_kernels import layout_and_source
from murmurate.engines.cpu.world_batch import WorldBatch, find_reasons, layouts_of
from murmurate.engines.initial_state import checked_state, initial_state
from murmurate.engines.memory import check_memory
from murmurate.engines.options import RunOptions, cores, is_whole
from murmurate.engines.registry import engine_class
from murmurate.engines.rng import run_seed
from murmurate.engines.state import FlightState, make_frame
from murmurate.errors import ModelError, RunError
from murmurate.frame import Frame, WorldsFlock
from murmurate.model.files import model_of
from murmurate.model.messages import format_unknown
from murmurate.model.model import Model
from murmurate.model.warnings import ModelWarning, check_moved
from murmurate.runs.commands import memory_of_controls
from murmurate.runs.engine_start import check_model, checked_start, pickled
from murmurate.runs.separate_worlds import SeparateWorlds, WorldSet
from murmurate.runs.simulation import Simulation
from murmurate.runs.world_arguments import (
    array_of_shape,
    models_with,
    pair_of_world,
)

LARGE_FLOCK = 2000
"""Boids from which threads share a step, if there are fewer worlds than threads."""


class Worlds:
    """Many copies of one model, each with its own seed, state and numbers.

    One compiled call advances all worlds: each thread takes a world, makes its steps and takes the
    next. World i equals `Simulation(model, worlds.seeds[i])` bit for bit.

    Parameters
    ----------
    model : Model, str or path
        A Model, the name of a published flock, or the path of a model file.
    count : int
        Number of worlds, E.
    seed : int or sequence of int, default 0
        The seed of each world, (E,); or one base seed, from which the seeds of the worlds follow as
        those of the runs of a sweep do.
    vary : mapping of str to sequence, optional
        Numbers that differ between worlds: dotted path -> E values, such as
        {"rules.alignment.weight": numpy.linspace(0, 1, E)}.
    start : mapping, optional
        Replaces the flocks' own starts: {"boids": (positions, velocities)}, arrays (E, N, D), or
        (N, D) for all worlds.
    engine : str or EngineOptions, default 'cpu'
        As for Simulation. Only 'cpu' advances worlds together.
    dtype : {'float32', 'float64'}, default 'float32'
        Precision.
    threads : int, optional
        Threads that share the worlds; one per core by default.

    Raises
    ------
    ModelError
        The model or an argument cannot be used.
    RuleError
        A rule cannot be compiled.

    Notes
    -----
    Worlds of some models are simulated separately: those in which boids join and leave, sense
    Voronoi neighbours or meet walls that turn, and models whose varied values need other kernels.
    `together` states which it is; the results are the same.

    Worlds can be pickled and copied, as simulations can; a copy continues bit for bit.
    """

    def __init__(
        self,
        model: Model | str | os.PathLike[str],
        count: int,
        seed: int | Sequence[int] = 0,
        *,
        vary: Mapping[str, Sequence[Any] | np.ndarray] | None = None,
        start: Mapping[str, Any] | None = None,
        engine: EngineChoice = "cpu",
        dtype: Dtype = "float32",
        threads: int | None = None,
    ) -> None:
        if not is_whole(count) or count < 1:
            raise ModelError(f"count: got {count!r}; expected a whole number of worlds, at least 1")
        self._lock = RLock()
        self._count, self._options = int(count), RunOptions(engine, dtype, threads)
        self._dtype = getattr(engine_class(self._options.engine), "dtype", self._options.dtype)
        model = model_of(model)
        check_model(model, self._options)
        check_memory(model, self._options, copies=self._count)
        self._all = list(range(self._count))
        self._seeds = self._checked_seeds(seed, self._all)
        self._models = models_with([model] * self._count, vary, self._options)
        self._start = start
        states = self._starts(self._all, self._seeds, start)
        self._worlds = self._begin(states)

    # --- what worlds are made of

    def _checked_seeds(self, seed: Any, worlds: Sequence[int]) -> list[int]:
        """Return the seeds of some worlds. Raises ModelError for others than whole numbers."""
        if np.ndim(seed) == 0:
            RunOptions(seed=seed)
            return [run_seed(int(seed), world) for world in worlds]
        seeds = list(seed)
        if len(seeds) != len(worlds):
            raise ModelError(
                f"seed: got {len(seeds)} seeds; expected {len(worlds)}, one for each world, or one "
                "base seed"
            )
        return [RunOptions(seed=value).seed for value in seeds]

    def _starts(
        self, worlds: Sequence[int], seeds: Sequence[int], start: Mapping[str, Any] | None
    ) -> list[FlightState]:
        """Return the starts of some worlds.

        start  arrays of these worlds. The default is that of all worlds that the user gave.
        """
        if start is not None and not isinstance(start, Mapping):
            raise ModelError(
                f"start: got {type(start).__name__}; expected flock -> (positions, velocities)"
            )
        pairs, rows, count = self._start, list(worlds), self.count
        if start is not None:
            pairs, rows, count = start, list(range(len(worlds))), len(worlds)
        states: list[FlightState] = []
        for world, row, seed in zip(worlds, rows, seeds, strict=True):
            own = {
                name: pair_of_world(name, pair, row, count) for name, pair in (pairs or {}).items()
            }
            options = replace(self._options, seed=seed)
            try:
                if own or not states:
                    states.append(checked_start(self._models[world], options, own))
                else:
                    states.append(initial_state(self._models[world], seed))
                _sizes_of(states[-1])  # draws it, and checks that boids are inside of the space
            except ModelError as error:
                raise ModelError(f"world {world}: {error}") from None
        return states

    def _begin(self, states: Sequence[FlightState]) -> WorldSet:
        """Return worlds that begin in some states."""
        options, sizes = self._options, [_sizes_of(state) for state in states]
        boids = sum(sizes[0].values())
        few = self.count < (options.threads or cores()) and boids >= LARGE_FLOCK
        same = boids and all(size == sizes[0] for size in sizes)
        if options.engine == "cpu" and same and not few and not find_reasons(self._models[0]):
            layout, source = layout_and_source(self._models[0], sizes[0], options.dtype)
            layouts = layouts_of(layout, self._models)
            if layouts is not None:
                return WorldBatch(layouts, source, states, self._seeds, options)
        return SeparateWorlds(self._simulation, states, self._seeds)

    def _simulation(self, world: int, state: FlightState, seed: int) -> Simulation:
        options = replace(self._options, seed=seed)
        return Simulation.from_state(self._models[world], state, options)

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            own = {k: v for k, v in self.__dict__.items() if k not in ("_lock", "_worlds")}
            states = [self._worlds.state(world) for world in self._all]
            return {**own, "_models": pickled(self._models, self.model.name), "states": states}

    def __setstate__(self, own: dict[str, Any]) -> None:
        states = own.pop("states")
        self.__dict__ |= own | {"_lock": RLock(), "_models": pickle.loads(own["_models"])}
        check_model(self.model, self._options)
        self._worlds = self._begin(states)

    # --- what worlds are

    def __repr__(self) -> str:
        return f"Worlds({self.model.name!r}, {self.count}, boids={self.n_boids})"

    @property
    def count(self) -> int:
        """Number of worlds, E."""
        return self._count

    @property
    def model(self) -> Model:
        """The model of world 0."""
        return self._models[0]

    @property
    def models(self) -> tuple[Model, ...]:
        """The model of each world, with its present numbers."""
        return tuple(self._models)

    @property
    def seeds(self) -> np.ndarray:
        """The seed of each world, (E,) uint64."""
        return np.array(self._seeds, np.uint64)

    @property
    def options(self) -> RunOptions:
        """The engine, dtype and threads."""
        return self._options

    @property
    def together(self) -> bool:
        """Whether one compiled call advances all worlds."""
        return isinstance(self._worlds, WorldBatch)

    @property
    def n_boids(self) -> int:
        """The present number of boids in all worlds."""
        return sum(int(self[name].present.sum()) for name in self.model.flocks)

    @property
    def step_numbers(self) -> np.ndarray:
        """Steps of each world since its start, (E,) int64."""
        return self._worlds.steps_done.copy()

    @property
    def times(self) -> np.ndarray:
        """step * dt of each world, (E,), in the model's time unit."""
        return self._worlds.steps_done * np.array([model.dt for model in self._models])

    def __getitem__(self, flock: str) -> WorldsFlock:
        """Return a flock in all worlds: views, which later calls overwrite. Copy what you keep."""
        if flock not in self.model.flocks:
            raise KeyError(format_unknown("flock", flock, self.model.flocks))
        return self._worlds.flock(flock)

    def frame(self, world: int) -> Frame:
        """Return the present frame of a world: a read-only copy.

        Raises
        ------
        ModelError
            There is no such world.
        """
        world = self._checked_world(world)
        return make_frame(self._models[world], self._worlds.state(world), self._seeds[world])

    def simulation(self, world: int) -> Simulation:
        """Return a simulation that continues a world, and shares nothing with it.

        Raises
        ------
        ModelError
            There is no such world.
        """
        world = self._checked_world(world)
        return self._simulation(world, self._worlds.state(world), self._seeds[world])

    def _checked_world(self, world: int) -> int:
        if not is_whole(world) or not -self.count <= world < self.count:
            raise ModelError(f"world: got {world!r}; expected 0 to {self.count - 1}")
        return int(world) % self.count

    def _rows(self, worlds: Any) -> list[int]:
        """Return the indices of selected worlds: all, or those of a mask or of indices."""
        if worlds is None:
            return self._all
        selected = np.asarray(worlds)
        if selected.dtype == bool and selected.shape == (self.count,):
            return np.flatnonzero(selected).tolist()
        are_indices = selected.ndim == 1 and (np.issubdtype(selected.dtype, np.integer))
        if not are_indices and selected.size:
            raise ModelError(
                f"worlds: got an array of {selected.dtype} of shape {selected.shape}; expected "
                f"({self.count},) bool, or indices of worlds"
            )
        rows = [self._checked_world(world) for world in selected.tolist()]
        if len(set(rows)) < len(rows):
            raise ModelError(f"worlds: got {rows}; expected each world once")
        return rows

    # --- changes

    def step(self, steps: int = 1, controls: Mapping[str, Any] | None = None) -> Worlds:
        """Make some steps in every world and return self.

        Ctrl-C and errors leave all worlds as they were before the call.

        Parameters
        ----------
        steps : int, default 1
            Number of steps.
        controls : mapping of str to array, optional
            Flock -> a command for each boid, (E, N, D), in the order of ids; nan on every axis
            leaves a boid to its other rules. None ends the commands of all its boids. See
            `Simulation.step`.

        Raises
        ------
        ModelError
            `steps` is not a whole number of at least 0; or controls have an unknown flock, a wrong
            shape or a number that is not finite.
        RunError
            A boid of a world is lost, see `Simulation.step`. `world` of the error is the world.
        """
        if not is_whole(steps) or steps < 0:
            raise ModelError(f"steps: got {steps!r}; expected a whole number of at least 0")
        with self._lock:
            memory = []
            if controls is not None:
                shapes = {name: self[name].positions.shape for name in self.model.flocks}
                memory = list(memory_of_controls(self.model, controls, shapes, self._dtype))
            if (steps or memory) and (world := self._worlds.step(int(steps), memory)) >= 0:
                simulation = self.simulation(world)
                for flock, first, values in memory:
                    simulation.set_memory(flock, first, values[:, world])
                try:
                    simulation.step(int(steps))
                except RunError as error:
                    error.args = (f"world {world}: {error}. All worlds are as before the call",)
                    error.world = world
                    raise error from None
        return self

    def reset(
        self,
        worlds: Any = None,
        seed: int | Sequence[int] | None = None,
        *,
        start: Mapping[str, Any] | None = None,
    ) -> Worlds:
        """Begin some worlds again, at step 0, with their present numbers; return self.

        Parameters
        ----------
        worlds : (E,) bool or sequence of int, optional
            A mask or the indices of K worlds. The default is all.
        seed : int or (K,) int, optional
            A seed for each of them, or a base seed as for Worlds. The default keeps their seeds.
        start : mapping, optional
            As for Worlds: arrays (K, N, D) or (N, D). The default is the start of the Worlds.

        Raises
        ------
        ModelError
            An argument cannot be used. The worlds are as before.
        """
        with self._lock:
            rows = self._rows(worlds)
            seeds = [self._seeds[row] for row in rows]
            if seed is not None:
                seeds = self._checked_seeds(seed, rows)
            states = self._starts(rows, seeds, start)
            for row, state in zip(rows, states, strict=True) if start else ():
                sizes, before = _sizes_of(state), _sizes_of(self._worlds.state(row))
                if sizes != before and not self.model.changes_numbers:
                    raise ModelError(f"start: got {sizes} boids; expected {before}, as before")
            self._worlds.restart(rows, states, seeds)
            for row, own in zip(rows, seeds, strict=True):
                self._seeds[row] = own
        return self

    def set(
        self,
        changes: Mapping[str, Any] | None = None,
        *,
        vary: Mapping[str, Sequence[Any] | np.ndarray] | None = None,
    ) -> Worlds:
        """Change numbers of the models and keep the states; return self.

        Parameters
        ----------
        changes : mapping of str to number, optional
            Dotted path -> value for all worlds.
        vary : mapping of str to sequence, optional
            Dotted path -> E values, one for each world.

        Raises
        ------
        ModelError
            A path or value cannot be used, or the change needs other kernels. The worlds are as
            before.
        """
        with self._lock:
            every = {path: [value] * self.count for path, value in (changes or {}).items()}
            models = models_with(self._models, {**every, **(vary or {})}, self._options)
            if not self._worlds.set_models(models):
                raise ModelError(
                    "set: got values that need other kernels; expected changes of numbers alone. "
                    "Make other Worlds"
                )
            self._models = models
        return self

    def set_state(
        self, flock: str, positions: Any = None, velocities: Any = None, worlds: Any = None
    ) -> Worlds:
        """Set positions or velocities of a flock in some worlds; return self.

        Parameters
        ----------
        flock : str
            The flock's name.
        positions, velocities : (K, N, D) array, optional
            For all boids of the flock in K worlds. None keeps the present ones. Rows without boid
            are not read.
        worlds : (E,) bool or sequence of int, optional
            A mask or the indices of the K worlds. The default is all.

        Raises
        ------
        ModelError
            The flock is unknown, a shape is wrong, a number is not finite, or a position is outside
            closed faces. The worlds are as before.
        """
        if flock not in self.model.flocks:
            raise ModelError(format_unknown("flock", flock, self.model.flocks))
        with self._lock:
            rows = self._rows(worlds)
            sizes = self[flock].present.sum(axis=1)[rows].tolist()
            room, dims = self[flock].positions.shape[1:]
            new = []
            for what, values in (("positions", positions), ("velocities", velocities)):
                what, shape = f"set_state({flock!r}): {what}", (len(rows), room, dims)
                new.append(None if values is None else array_of_shape(what, values, shape))
            for k, size in enumerate(sizes):
                own = [None if array is None else array[k, :size] for array in new]
                checked = checked_state(
                    f"set_state({flock!r}): world {rows[k]}", self.model.space, size, *own
                )
                for array, values in zip(new, checked, strict=True):
                    if array is not None:
                        array[k, :size] = values
            if new[0] is not None and new[0].size:
                ends = np.nanmax(np.abs(new[0]), axis=(0, 1)).tolist()
                for line in check_moved(self.model, self._dtype, flock, ends):
                    warnings.warn(line, ModelWarning, stacklevel=2)
            self._worlds.set_flock(rows, flock, *new)
        return self


def _sizes_of(state: FlightState) -> dict[str, int]:
    return {name: len(flock.positions) for name, flock in state.flocks.items()}
