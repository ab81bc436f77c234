"""Frames and states: a state as a frame, a frame as a state, a state for another model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from murmurate.engine.protocol import FlightState, FlockState
from murmurate.errors import ModelError
from murmurate.frame import FlockFrame, Frame
from murmurate.model.model import Model
from murmurate.model.obstacles import shape_at
from murmurate.model.rule_arguments import takes_kept


def frame_of(model: Model, state: FlightState) -> Frame:
    """The frame of a state. It takes the state's arrays as they are, and makes them read-only."""
    time, flocks, first = state.step * model.dt, {}, 0
    for name, flock in state.flocks.items():
        ids = np.arange(first, first + len(flock.positions))
        flocks[name] = FlockFrame(
            name, ids, flock.positions, flock.velocities, flock.timers, model.space, flock.memory
        )
        first += len(ids)
    obstacles = {name: shape_at(shape, time) for name, shape in model.obstacles.items()}
    return Frame(state.step, time, model.space, flocks, obstacles)


def state_of(model: Model, frame: Frame) -> FlightState:
    """The state from which a model continues a frame. Raises ModelError where the frame has other
    flocks than the model, or other dimensions."""
    counts = {flock.name: len(flock) for flock in frame}
    if counts != {name: flock.count for name, flock in model.flocks.items()}:
        raise ModelError(f"the frame has {counts}: the model's flocks must be the same")
    if frame.space.dims != model.space.dims:
        raise ModelError(
            f"the frame is {frame.space.dims}-D: the model's space is {model.space.dims}-D, and "
            "must be the same"
        )
    flocks = {}
    for name in model.flocks:
        flock = frame[name]
        flocks[name] = FlockState(
            flock.positions, flock.velocities, flock.perch_timers, flock.memory
        )
    return FlightState(frame.step, flocks)


def state_for(before: Model, after: Model, state: FlightState) -> FlightState:
    """The state in which another model of the same flocks continues: where its motion begins to
    keep numbers they are 0, where it no longer does they are gone; the past of boids stays."""
    flocks = {}
    for name, flock in state.flocks.items():
        kept = takes_kept(before.flocks[name].motion)
        keeps = takes_kept(after.flocks[name].motion)
        memory = flock.memory
        if keeps and not kept:
            memory = np.concatenate([np.zeros((len(memory), 3), memory.dtype), memory], axis=1)
        elif kept and not keeps:
            memory = memory[:, 3:]
        flocks[name] = replace(flock, memory=memory)
    return FlightState(state.step, flocks)
