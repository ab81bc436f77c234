"""States of a simulation, and their conversion to frames, from frames and between models."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from murmurate.engines.individual_numbers import individual_numbers
from murmurate.engines.initial_memory import initial_memory
from murmurate.errors import ModelError
from murmurate.frame import FlockFrame, Frame
from murmurate.model.model import Model
from murmurate.model.obstacles import shape_at
from murmurate.model.population import first_ids as first_ids

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, eq=False)
class FlockState:
    """State of one flock in id order: row k is boid k of the flock.

    positions  (N, D) length units
    velocities  (N, D) length units per time unit
    timers  (N,) steps that a boid remains on the ground; 0 in the air
    memory  (N, M) first the per-boid state of the motion and the rules, in the order of
        Model.memory_of. If a flock senses with a delay, past states follow: position and velocity
        one step ago, two steps ago, and so on. With fewer columns, such as the (N, 0) of a start,
        per-boid state is 0 and past states equal the present one. Further columns are ignored: a
        recording stores as many for each flock as the widest flock needs.
    indices  (N,) index of each boid within its flock, ascending. It is that of its random numbers,
        and stays when others leave. The default is 0 to N - 1.
    births  (N,) step at which each boid joined the flock
    n_ever  number of boids that have ever been in the flock, and index of the next one to join. The
        default is N.
    """

    positions: Floats
    velocities: Floats
    timers: NDArray[np.int64]
    memory: Floats
    indices: NDArray[np.int64] = None  # type: ignore[assignment]  # never None after __post_init__
    births: NDArray[np.int64] = None  # type: ignore[assignment]
    n_ever: int = -1

    def __post_init__(self) -> None:
        count = len(self.positions)
        if self.indices is None:
            object.__setattr__(self, "indices", np.arange(count))
        if self.births is None:
            object.__setattr__(self, "births", np.zeros(count, np.int64))
        if self.n_ever < 0:
            object.__setattr__(self, "n_ever", count)

    def rows(self, rows: slice | NDArray[Any]) -> FlockState:
        """Return the state of some boids, by slice, indices or mask."""
        arrays = {name: getattr(self, name)[rows] for name in BOID_FIELDS}
        return replace(self, **arrays)


BOID_FIELDS = ("positions", "velocities", "timers", "memory", "indices", "births")
"""Fields of FlockState with a row for each boid."""


@dataclass(frozen=True, eq=False)
class FlightState:
    """State of all flocks at one step.

    With the model and the run options it determines the simulation: an engine created from it
    continues bit for bit.

    step  steps since the start
    flocks  states by name of the flock, in the model's order
    """

    step: int
    flocks: Mapping[str, FlockState]

    def size(self, flock: str) -> int:
        """Return the number of boids of a flock."""
        return len(self.flocks[flock].positions)

    def rows(self, flock: str, rows: slice) -> FlockState:
        """Return the state of boids rows.start to rows.stop - 1 of a flock."""
        return self.flocks[flock].rows(rows)


def identities(flock: FlockState) -> FlockState:
    """Return who the boids of a flock are: its state with indices, births and n_ever only."""
    none = np.zeros((0, 0))
    return FlockState(
        none, none, np.zeros(0, np.int64), none, flock.indices, flock.births, flock.n_ever
    )


def states_of_flocks(
    model: Model,
    counts: Mapping[str, int],
    vectors: np.ndarray,
    timers: NDArray[np.int64],
    memory: np.ndarray,
    past: np.ndarray | None = None,
) -> dict[str, FlockState]:
    """Return the states of flocks from rows of all boids, flock after flock.

    vectors  (N, 2 D) positions and velocities
    memory  (N, M) per-boid state, with the columns of the flock that has most
    past  (N, P) past positions and velocities, if boids sense with a delay
    """
    flocks, first, dims = {}, 0, model.space.dims
    for name, size in counts.items():
        part = slice(first, first + size)
        own = memory[part, : len(model.memory_of(name))]
        own = own.copy() if past is None else np.concatenate([own, past[part]], axis=1)
        flocks[name] = FlockState(
            vectors[part, :dims].copy(), vectors[part, dims:].copy(), timers[part], own
        )
        first += size
    return flocks


def past_depth(model: Model) -> int:
    """Return the number of past states that a model's flocks sense; 0 without delays."""
    flocks = model.flocks.values()
    return max((flock.sensing.depth(model.dt) for flock in flocks if flock.sensing), default=0)


def make_frame(model: Model, state: FlightState, seed: int) -> Frame:
    """Return the frame of a state. It shares the state's arrays and makes them read-only.

    seed  of the simulation, which decides the numbers that differ between boids
    """
    time, flocks = state.step * model.dt, {}
    first = first_ids(model, {name: flock.n_ever for name, flock in state.flocks.items()})
    for name, flock in state.flocks.items():
        flocks[name] = FlockFrame(
            name, first[name] + flock.indices, flock.positions, flock.velocities, flock.timers,
            model.space, flock.memory, model.memory_of(name), births=flock.births,
            n_ever=flock.n_ever, traits=individual_numbers(model, seed, name, flock.indices),
        )  # fmt: skip
    obstacles = {name: shape_at(shape, time) for name, shape in model.obstacles.items()}
    return Frame(state.step, time, model.space, flocks, obstacles)


def frame_indices(model: Model, frame: Frame) -> dict[str, NDArray[np.int64]]:
    """Return the indices of the boids of each flock of a frame, (N,)."""
    firsts = first_ids(model, {name: flock.n_ever for name, flock in frame.items()})
    return {name: flock.ids - firsts[name] for name, flock in frame.items()}


def state_from_frame(model: Model, frame: Frame, seed: int = 0) -> FlightState:
    """Return the state from which a model continues a frame.

    Columns of per-boid state are matched by name. Those that the frame lacks begin as at the start
    of a simulation with this seed.

    raises ModelError  the frame has other flocks than the model, or another number of dimensions
    """
    counts = {name: len(flock) for name, flock in frame.items()}
    expected = model.max_counts
    if model.changes_numbers:
        fits = list(counts) == list(expected) and all(counts[n] <= expected[n] for n in counts)
        limits = f"with at most {expected} boids"
    else:
        fits, limits = counts == expected, f"{expected}"
    if not fits:
        raise ModelError(
            f"frame: got flocks {counts}; expected those of the model, {limits}. Change the "
            "counts of the model, or continue with the frame's own model"
        )
    if frame.space.dims != model.space.dims:
        raise ModelError(
            f"frame: got {frame.space.dims} dimensions; expected {model.space.dims}, as in the "
            "model's space"
        )
    first = first_ids(model, {name: flock.n_ever for name, flock in frame.items()})
    flocks = {
        name: flock_state_from_frame(model, frame[name], first[name], seed) for name in model.flocks
    }
    return FlightState(frame.step, flocks)


def flock_state_from_frame(
    model: Model, flock: FlockFrame, first: int = 0, seed: int = 0
) -> FlockState:
    """Return the state from which a model continues one flock of a frame.

    model  the model that continues
    first  id of the boid of index 0, see `first_ids`. Only models whose numbers change need it: in
        others boids keep no index, and row k is boid k.
    seed  seed of the simulation, for per-boid state that the frame lacks: it begins as at the start
    raises ModelError  the ids are not those of a flock with `n_ever` boids so far
    """
    indices = np.asarray(flock.ids, np.int64) - first
    if not model.changes_numbers or len(flock) == flock.n_ever:  # nobody has left
        indices = np.arange(len(flock))
    inside = (indices >= 0) & (indices < flock.n_ever)
    if model.changes_numbers and (not inside.all() or (np.diff(indices) <= 0).any()):
        raise ModelError(
            f"frame: got ids {flock.ids.min()} to {flock.ids.max()} in flock {flock.name!r}; "
            f"expected increasing ids from {first} to {first + flock.n_ever - 1}, those of the "
            f"{flock.n_ever} boids that have been in it. Continue with the frame's own model"
        )
    memory, initial = flock.memory, initial_memory(model, seed, flock.name, indices)
    if not memory.shape[1]:
        memory = initial
    elif flock.state_names:  # recordings of 0.1.0 have no names, and columns in the model's order
        memory = _rearrange(memory, flock.state_names, model.memory_of(flock.name), initial)
    state = FlockState(flock.positions, flock.velocities, flock.perch_timers, memory)
    if not model.changes_numbers:
        return state
    return replace(state, indices=indices, births=flock.births, n_ever=flock.n_ever)


def adapt_state(
    before: Model,
    after: Model,
    state: FlightState,
    start: FlightState | None = None,
    *,
    seed: int = 0,
    sizes: Mapping[str, int] | None = None,
) -> FlightState:
    """Return the state from which another model continues.

    Per-boid state is matched by name: what only the new model has begins as at its start, and what
    it lacks is dropped. Past states remain.

    before, after  the model of `state`, and the model that continues
    state  the present state
    start  start of the new model, required if its flocks or counts differ. A smaller flock loses
        its last boids. A larger flock gains the last ones of `start`, with their initial per-boid
        state and past states equal to their start. If numbers change in the new model, a flock
        gains or loses as many boids as the two models' counts differ by; those who are left keep
        their indices.
    seed  seed of the simulation, for per-boid state that begins with a drawn number
    sizes  numbers of boids from which differences of counts are taken, such as those before the
        user removed some. The default is those of `state`.
    raises ModelError  the new model's numbers do not change, and its counts are not the present
        numbers
    """
    flocks = {}
    for name, after_flock in after.flocks.items():
        if name not in state.flocks:
            assert start is not None
            flocks[name] = start.flocks[name]
            continue
        flock = state.flocks[name]
        names, stored = after.memory_of(name), before.memory_of(name)
        initial = initial_memory(after, seed, name, flock.indices)
        flock = replace(flock, memory=_rearrange(flock.memory, stored, names, initial))
        count = after_flock.count
        if after.changes_numbers:
            size = len(flock.positions) if sizes is None else sizes[name]
            count = max(0, size + count - before.flocks[name].count)
        if start is not None:
            flock = _resize(after, seed, name, flock, start.flocks[name], count, state.step)
        if before.changes_numbers and not after.changes_numbers and len(flock.positions) != count:
            raise ModelError(
                f"flocks.{name}.count: got {count:,} for a flock of {len(flock.positions):,} boids "
                "at present; expected the same, since no boid can join or leave without "
                "[population]. Change the count, or keep the population"
            )
        if not after.changes_numbers:
            flock = FlockState(flock.positions, flock.velocities, flock.timers, flock.memory)
        flocks[name] = flock
    return FlightState(state.step, flocks)


def remove_boids(state: FlightState, leaving: Mapping[str, Collection[int]]) -> FlightState:
    """Return the state without some rows of its flocks. The other boids keep their indices."""
    flocks = dict(state.flocks)
    for name, rows in leaving.items():
        stays = np.ones(len(flocks[name].positions), bool)
        stays[list(rows)] = False
        flocks[name] = flocks[name].rows(stays)
    return FlightState(state.step, flocks)


def _resize(
    model: Model, seed: int, name: str, flock: FlockState, start: FlockState, count: int, step: int
) -> FlockState:
    """Return the first `count` boids of a flock, followed by the last of its start if it has fewer.

    Boids join at `step`, with the per-boid state of a start.
    """
    columns = len(model.memory_of(name))
    missing = count - len(flock.positions)
    if missing <= 0:
        return flock.rows(slice(0, count))
    joining = slice(len(start.positions) - missing, None)
    positions, velocities = start.positions[joining], start.velocities[joining]
    indices = np.arange(flock.n_ever, flock.n_ever + missing)
    initial = initial_memory(model, seed, name, indices)
    return join_flock(flock, positions, velocities, columns, step, initial)


def join_flock(
    flock: FlockState,
    positions: Floats,
    velocities: Floats,
    columns: int,
    step: int,
    initial: Floats | None = None,
) -> FlockState:
    """Return a flock with further boids.

    positions, velocities  (N, D) those of the boids that join. Their past states equal the present
        one.
    columns  number of the first columns of the flock's memory that hold per-boid state
    step  step at which they join
    initial  (N, M) the per-boid state with which they join, see `initial_memory`
    """
    count = len(positions)
    memory = np.zeros((count, flock.memory.shape[1]), flock.memory.dtype)
    if initial is not None and initial.shape[1] == columns:
        memory[:, :columns] = initial
    if memory.shape[1] > columns:
        present = np.concatenate([positions, velocities], axis=1)
        memory[:, columns:] = np.tile(present, (memory.shape[1] - columns) // present.shape[1])
    new = {
        "positions": positions, "velocities": velocities, "timers": np.zeros(count, np.int64),
        "memory": memory, "indices": np.arange(flock.n_ever, flock.n_ever + count),
        "births": np.full(count, step, np.int64),
    }  # fmt: skip
    arrays = {name: np.concatenate([getattr(flock, name), new[name]]) for name in BOID_FIELDS}
    return FlockState(**arrays, n_ever=flock.n_ever + count)


def _rearrange(
    memory: np.ndarray,
    before: Sequence[str],
    after: Sequence[str],
    initial: np.ndarray | None = None,
) -> np.ndarray:
    """Return (N, M) memory with its leading columns `before` replaced by columns `after`.

    Columns of equal names keep their values. New ones are those of `initial`, or 0. Further columns
    remain.
    """
    if memory.shape[1] < len(before) or tuple(before) == tuple(after):
        return memory  # fewer columns mean zeros, see FlockState
    columns = np.zeros((len(memory), len(after)), memory.dtype)
    if initial is not None and initial.shape[1] == len(after):
        columns[:] = initial
    for k, name in enumerate(after):
        if name in before:
            columns[:, k] = memory[:, before.index(name)]
    return np.concatenate([columns, memory[:, len(before) :]], axis=1)
