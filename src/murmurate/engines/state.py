"""States of a simulation, and their conversion to and from frames."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
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
    """One flock at one moment, in id order: row k is boid k of the flock.

    positions   (N, D), length units
    velocities  (N, D), length units per time unit
    timers      (N,) int64, steps left on the ground; 0 = flying
    memory      (N, M), what a boid carries besides: first the numbers that its motion and its rules
                keep, in the order of Model.memory_of; then, where a flock senses late, the states
                of the steps before: position and velocity one step ago, two steps ago, ... An array
                of fewer columns, such as the (N, 0) of a flight that begins, says nothing: kept
                numbers are then 0, and the past is as the present. Of one with more columns the
                rest is not read: a recording gives all flocks as many as the one that has most
    """

    positions: Floats
    velocities: Floats
    timers: NDArray[np.int64]
    memory: Floats


@dataclass(frozen=True, eq=False)
class FlightState:
    """All flocks at one moment. With the model and the run options it is all that a flight is: an
    engine made from it continues bit for bit as the one that it was taken from.

    step    whole number of steps since the start
    flocks  name -> state, in the model's order
    """

    step: int
    flocks: Mapping[str, FlockState]

    def size(self, flock: str) -> int:
        """How many boids a flock has."""
        return len(self.flocks[flock].positions)

    def rows(self, flock: str, rows: slice) -> FlockState:
        """Some boids of a flock: rows.start ... rows.stop - 1."""
        its = self.flocks[flock]
        return FlockState(*(getattr(its, field.name)[rows] for field in fields(its)))


def frame_of(model: Model, state: FlightState) -> Frame:
    """The frame of a state. It takes the state's arrays as they are, and makes them read-only."""
    time, flocks, first = state.step * model.dt, {}, 0
    for name, flock in state.flocks.items():
        ids = np.arange(first, first + len(flock.positions))
        flocks[name] = FlockFrame(
            name, ids, flock.positions, flock.velocities, flock.timers, model.space, flock.memory,
            model.memory_of(name),
        )  # fmt: skip
        first += len(ids)
    obstacles = {name: shape_at(shape, time) for name, shape in model.obstacles.items()}
    return Frame(state.step, time, model.space, flocks, obstacles)


def state_of(model: Model, frame: Frame) -> FlightState:
    """The state from which a model continues a frame, whose kept numbers are known by their names.
    Raises ModelError where the frame has other flocks than the model, or other dimensions."""
    counts = {name: len(flock) for name, flock in frame.items()}
    if counts != {name: flock.count for name, flock in model.flocks.items()}:
        raise ModelError(f"the frame has {counts}: the model's flocks must be the same")
    if frame.space.dims != model.space.dims:
        raise ModelError(
            f"the frame is {frame.space.dims}-D: the model's space is {model.space.dims}-D, and "
            "must be the same"
        )
    return FlightState(frame.step, {name: flock_state(model, frame[name]) for name in model.flocks})


def flock_state(model: Model, flock: FlockFrame) -> FlockState:
    """Boids of a frame as a model continues them."""
    memory = flock.memory
    if flock.kept_names:  # a recording of 0.1.0 has none, and columns that stand as the model's
        memory = rearranged(memory, flock.kept_names, model.memory_of(flock.name))
    return FlockState(flock.positions, flock.velocities, flock.perch_timers, memory)


def state_for(
    before: Model, after: Model, state: FlightState, start: FlightState | None = None
) -> FlightState:
    """The state in which another model continues: what its motion or a rule begins to keep is 0,
    what it no longer keeps is gone; the past of boids stays.

    start  where the other model has other boids: its start. Of each flock, boids that it has no
           more leave from the end, and those that it has more stand there as in the start; they
           keep nothing yet, and their past is as their present
    """
    flocks = {}
    for name, its in after.flocks.items():
        if name not in state.flocks:
            assert start is not None
            flocks[name] = start.flocks[name]
            continue
        flock = state.flocks[name]
        names = after.memory_of(name)
        flock = replace(flock, memory=rearranged(flock.memory, before.memory_of(name), names))
        if start is not None:
            flock = resized(flock, start.flocks[name], its.count, len(names))
        flocks[name] = flock
    return FlightState(state.step, flocks)


def without(state: FlightState, leaving: Mapping[str, Collection[int]]) -> FlightState:
    """The state without some boids: those behind them follow up.

    leaving  flock -> numbers in it of the boids that leave
    """
    flocks = dict(state.flocks)
    for name, rows in leaving.items():
        stays = np.ones(len(flocks[name].positions), bool)
        stays[list(rows)] = False
        arrays = {
            field.name: getattr(flocks[name], field.name)[stays] for field in fields(FlockState)
        }
        flocks[name] = FlockState(**arrays)
    return FlightState(state.step, flocks)


def resized(flock: FlockState, start: FlockState, count: int, kept: int) -> FlockState:
    """The first `count` boids of a flock, and where it has fewer, those of its start behind them.

    kept  how many numbers each boid keeps; the rest of what it carries is its past
    """
    here = len(flock.positions)
    joining = slice(here, max(here, count))
    positions, velocities = start.positions[joining], start.velocities[joining]
    memory = np.zeros((len(positions), flock.memory.shape[1]), flock.memory.dtype)
    if memory.shape[1] > kept:
        now = np.concatenate([positions, velocities], axis=1)
        memory[:, kept:] = np.tile(now, (memory.shape[1] - kept) // now.shape[1])
    new = FlockState(positions, velocities, start.timers[joining], memory)

    def joined(name: str) -> np.ndarray:
        return np.concatenate([getattr(flock, name)[:count], getattr(new, name)])

    return FlockState(*map(joined, ("positions", "velocities", "timers", "memory")))


def rearranged(memory: np.ndarray, before: Sequence[str], after: Sequence[str]) -> np.ndarray:
    """What boids carry, (N, M), whose first columns are these kept numbers, with others in their
    place: those of the same name stay, new ones are 0. What stands behind them stays there."""
    if memory.shape[1] < len(before) or tuple(before) == tuple(after):
        return memory  # of fewer columns: it says nothing, see FlockState
    kept = np.zeros((len(memory), len(after)), memory.dtype)
    for k, name in enumerate(after):
        if name in before:
            kept[:, k] = memory[:, before.index(name)]
    return np.concatenate([kept, memory[:, len(before) :]], axis=1)
