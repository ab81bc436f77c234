"""States of a simulation, and their conversion to frames, from frames and between models."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from murmurate.errors import ModelError
from murmurate.frame import FlockFrame, Frame
from murmurate.model.model import Model
from murmurate.model.obstacles import shape_at

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, eq=False)
class FlockState:
    """State of one flock in id order: row k is boid k of the flock.

    Parameters
    ----------
    positions : ndarray of shape (N, D)
        Length units.
    velocities : ndarray of shape (N, D)
        Length units per time unit.
    timers : ndarray of shape (N,), int64
        Steps that a boid remains on the ground; 0 in the air.
    memory : ndarray of shape (N, M)
        First the per-boid state of the motion and the rules, in the order of Model.memory_of. If a
        flock senses with a delay, past states follow: position and velocity one step ago, two steps
        ago, and so on. With fewer columns, such as the (N, 0) of a start, per-boid state is 0 and
        past states equal the present one. Further columns are ignored: a recording stores as many
        for each flock as the widest flock needs.
    indices : ndarray of shape (N,), int64
        Index of each boid within its flock, ascending. It is that of its random numbers, and stays
        when others leave. The default is 0 to N - 1.
    births : ndarray of shape (N,), int64
        Step at which each boid joined the flock. The default is 0.
    n_ever : int
        Number of boids that have ever been in the flock, and index of the next one to join. The
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

    Parameters
    ----------
    step : int
        Steps since the start.
    flocks : mapping of str to FlockState
        States by name of the flock, in the model's order.
    """

    step: int
    flocks: Mapping[str, FlockState]

    def size(self, flock: str) -> int:
        """Return the number of boids of a flock."""
        return len(self.flocks[flock].positions)

    def rows(self, flock: str, rows: slice) -> FlockState:
        """Return the state of boids rows.start to rows.stop - 1 of a flock."""
        return self.flocks[flock].rows(rows)


def past_depth(model: Model) -> int:
    """Return the number of past states that a model's flocks sense; 0 without delays."""
    flocks = model.flocks.values()
    return max((flock.sensing.depth(model.dt) for flock in flocks if flock.sensing), default=0)


def make_frame(model: Model, state: FlightState) -> Frame:
    """Return the frame of a state. It shares the state's arrays and makes them read-only."""
    time, flocks, first = state.step * model.dt, {}, 0
    for name, flock in state.flocks.items():
        flocks[name] = FlockFrame(
            name, first + flock.indices, flock.positions, flock.velocities, flock.timers,
            model.space, flock.memory, model.memory_of(name), births=flock.births,
            n_ever=flock.n_ever,
        )  # fmt: skip
        first += flock.n_ever
    obstacles = {name: shape_at(shape, time) for name, shape in model.obstacles.items()}
    return Frame(state.step, time, model.space, flocks, obstacles)


def state_from_frame(model: Model, frame: Frame) -> FlightState:
    """Return the state from which a model continues a frame.

    Columns of per-boid state are matched by name.

    Raises
    ------
    ModelError
        The frame has other flocks than the model, or another number of dimensions.
    """
    counts = {name: len(flock) for name, flock in frame.items()}
    expected = {name: flock.count for name, flock in model.flocks.items()}
    if counts != expected:
        raise ModelError(
            f"frame: got flocks {counts}; expected those of the model, {expected}. Change the "
            "counts of the model, or continue with the frame's own model"
        )
    if frame.space.dims != model.space.dims:
        raise ModelError(
            f"frame: got {frame.space.dims} dimensions; expected {model.space.dims}, as in the "
            "model's space"
        )
    flocks = {name: flock_state_from_frame(model, frame[name]) for name in model.flocks}
    return FlightState(frame.step, flocks)


def flock_state_from_frame(model: Model, flock: FlockFrame) -> FlockState:
    """Return the state from which a model continues one flock of a frame."""
    memory = flock.memory
    if flock.kept_names:  # recordings of 0.1.0 have no names, and columns in the model's order
        memory = _rearrange(memory, flock.kept_names, model.memory_of(flock.name))
    return FlockState(flock.positions, flock.velocities, flock.perch_timers, memory)


def adapt_state(
    before: Model, after: Model, state: FlightState, start: FlightState | None = None
) -> FlightState:
    """Return the state from which another model continues.

    Per-boid state is matched by name: what only the new model has is 0, and what it lacks is
    dropped. Past states remain.

    Parameters
    ----------
    before, after : Model
        The model of `state`, and the model that continues.
    state : FlightState
        The present state.
    start : FlightState, optional
        Start of the new model, required if its flocks or counts differ. A smaller flock loses its
        last boids. A larger flock gains those of `start` beyond its present count, with per-boid
        state 0 and past states equal to their start.
    """
    flocks = {}
    for name, after_flock in after.flocks.items():
        if name not in state.flocks:
            assert start is not None
            flocks[name] = start.flocks[name]
            continue
        flock = state.flocks[name]
        names = after.memory_of(name)
        flock = replace(flock, memory=_rearrange(flock.memory, before.memory_of(name), names))
        if start is not None:
            flock = _resize(flock, start.flocks[name], after_flock.count, len(names))
        flocks[name] = flock
    return FlightState(state.step, flocks)


def remove_boids(state: FlightState, leaving: Mapping[str, Collection[int]]) -> FlightState:
    """Return the state without some boids; later boids of a flock move up.

    Parameters
    ----------
    state : FlightState
        The present state.
    leaving : mapping of str to collection of int
        Indices of the boids to remove, by name of the flock.
    """
    flocks = dict(state.flocks)
    for name, rows in leaving.items():
        stays = np.ones(len(flocks[name].positions), bool)
        stays[list(rows)] = False
        left = flocks[name].rows(stays)
        flocks[name] = replace(left, indices=np.arange(len(left.positions)), n_ever=-1)
    return FlightState(state.step, flocks)


def _resize(flock: FlockState, start: FlockState, count: int, columns: int) -> FlockState:
    """Return the first `count` boids of a flock, followed by boids of its start if it has fewer.

    The first `columns` of memory are per-boid state, the others past states.
    """
    size = len(flock.positions)
    joining = slice(size, max(size, count))
    positions, velocities = start.positions[joining], start.velocities[joining]
    memory = np.zeros((len(positions), flock.memory.shape[1]), flock.memory.dtype)
    if memory.shape[1] > columns:
        present = np.concatenate([positions, velocities], axis=1)
        memory[:, columns:] = np.tile(present, (memory.shape[1] - columns) // present.shape[1])
    new = FlockState(positions, velocities, start.timers[joining], memory)

    def join(name: str) -> np.ndarray:
        return np.concatenate([getattr(flock, name)[:count], getattr(new, name)])

    return FlockState(join("positions"), join("velocities"), join("timers"), join("memory"))


def _rearrange(memory: np.ndarray, before: Sequence[str], after: Sequence[str]) -> np.ndarray:
    """Return (N, M) memory with its leading columns `before` replaced by columns `after`.

    Columns of equal names keep their values, and new ones are 0. Further columns remain.
    """
    if memory.shape[1] < len(before) or tuple(before) == tuple(after):
        return memory  # fewer columns mean zeros, see FlockState
    columns = np.zeros((len(memory), len(after)), memory.dtype)
    for k, name in enumerate(after):
        if name in before:
            columns[:, k] = memory[:, before.index(name)]
    return np.concatenate([columns, memory[:, len(before) :]], axis=1)
