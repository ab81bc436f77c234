"""Frames and states: an engine's state as a frame that others read, and a frame as a state."""

from __future__ import annotations

import numpy as np

from murmurate.engine.protocol import FlightState, FlockState
from murmurate.errors import ModelError
from murmurate.frame import FlockFrame, Frame
from murmurate.model.model import Model
from murmurate.model.obstacles import shape_at


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
