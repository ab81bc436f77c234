"""Initial state: a model's starts -> positions and velocities; checks of states that users give."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from murmurate.engine.protocol import FlightState, Floats, FlockState
from murmurate.engine.rng import generator
from murmurate.errors import ModelError
from murmurate.model.model import Model
from murmurate.model.space import Space

Arrays = tuple[np.ndarray, np.ndarray]


def initial_state(model: Model, seed: int, given: Mapping[str, Any] | None = None) -> FlightState:
    """The state of a flight at step 0, in float64.

    given  arrays that replace a flock's own start: name -> (positions, velocities)
    Raises ModelError for arrays of a wrong shape or with numbers that are not finite.
    """
    given = dict(given or {})
    for name in given:
        if name not in model.flocks:
            from murmurate.model.registry import unknown

            raise ModelError(f"start: {unknown('flock', name, model.flocks)}")
    flocks = {}
    for name, flock in model.flocks.items():
        if name in given:
            positions, velocities = _checked(name, given[name], model.space.dims)
        else:
            random = generator(seed, f"start/{name}")
            positions, velocities = _drawn(flock.start, flock.count, model.space, random)
        _inside(name, model.space, positions)
        count = len(positions)
        timers, memory = np.zeros(count, np.int64), np.zeros((count, 0))
        flocks[name] = FlockState(positions, velocities, timers, memory)
    return FlightState(0, flocks)


def checked_state(name: str, space: Space, positions: Any, velocities: Any) -> Arrays:
    """Positions and velocities that a flock may be put into, as new arrays; positions on periodic
    axes are brought into the space. Raises ModelError like `initial_state`."""
    arrays = _checked(name, (positions, velocities), space.dims)
    _inside(name, space, arrays[0])
    return arrays


def _checked(name: str, pair: Any, dims: int) -> Arrays:
    try:
        positions, velocities = (np.array(a, dtype=float) for a in pair)
    except (TypeError, ValueError) as error:
        raise ModelError(
            f"start[{name!r}]: give a pair of arrays (positions, velocities), (N, {dims}) each: "
            f"{error}"
        ) from None
    for word, array in (("positions", positions), ("velocities", velocities)):
        if array.shape != (len(positions), dims):
            raise ModelError(
                f"start[{name!r}]: {word} have shape {array.shape}, and must have "
                f"({len(positions)}, {dims})"
            )
        if not np.isfinite(array).all():
            row = int(np.argwhere(~np.isfinite(array))[0][0])
            raise ModelError(f"start[{name!r}]: {word} of boid {row} are not finite numbers")
    return positions, velocities


def _inside(name: str, space: Space, positions: np.ndarray) -> None:
    """Brings positions on periodic axes into the space; refuses those outside closed faces."""
    for axis, boundary in enumerate(space.boundaries):
        lower, side = space.lower[axis], space.size[axis]
        column = positions[:, axis]
        if boundary == "periodic":
            column -= np.floor((column - lower) / side) * side
            column[column >= lower + side] = lower
        elif boundary in ("reflecting", "held"):
            out = (column < lower) | (column > lower + side)
            if out.any():
                raise ModelError(
                    f"flocks.{name}.start: boid {int(np.argmax(out))} begins outside the space on "
                    f"axis {axis}, whose faces are {boundary}"
                )


def _drawn(start: Any, count: int, space: Space, random: np.random.Generator) -> Arrays:
    dims = space.dims
    lower, upper = np.array(space.lower), np.array(space.upper)
    centre = np.array(getattr(start, "centre", ()) or (lower + upper) / 2)
    if start.kind == "given":
        positions = np.array(start.positions, dtype=float).reshape(count, dims)
        rows = start.velocities or np.zeros((count, dims))
        return positions, np.array(rows, dtype=float).reshape(count, dims)
    if start.kind == "ring":
        angle = 2 * np.pi * np.arange(count) / max(count, 1)
        out, along = np.zeros((count, dims)), np.zeros((count, dims))
        out[:, 0], out[:, 1] = np.cos(angle), np.sin(angle)
        along[:, 0], along[:, 1] = -out[:, 1], out[:, 0]
        return centre + start.radius * out, start.speed * along
    if start.kind == "box":
        low = np.array(start.lower or lower)
        high = np.array(start.upper or upper)
        positions = low + (high - low) * random.random((count, dims))
    elif start.kind == "ball":
        radius = start.radius * random.random((count, 1)) ** (1.0 / dims)
        positions = centre + radius * directions(random, count, dims)
    elif start.kind == "lattice":
        side = int(np.ceil(count ** (1.0 / dims) - 1e-9)) if count else 1
        grid = np.stack(np.unravel_index(np.arange(count), (side,) * dims), axis=1)
        positions = centre + start.spacing * (grid - (side - 1) / 2)
    else:  # off-screen: in the space grown by the distance, but not in the space
        positions = np.empty((count, dims))
        missing = np.arange(count)
        while len(missing):
            grown = upper - lower + 2 * start.distance
            positions[missing] = (
                lower - start.distance + grown * random.random((len(missing), dims))
            )
            within = (positions >= lower) & (positions <= upper)
            missing = missing[within[missing].all(axis=1)]
    return positions, _velocities(start.velocity, count, dims, random)


def _velocities(law: Any, count: int, dims: int, random: np.random.Generator) -> Floats:
    if law.kind == "still":
        return np.zeros((count, dims))
    if law.kind == "directions":
        top = law.speed if law.up_to is None else law.up_to
        speed = law.speed + (top - law.speed) * random.random((count, 1))
        return np.asarray(speed * directions(random, count, dims))
    if law.kind == "cube":
        low, high = np.array(law.lower), np.array(law.upper)
        velocities: Floats = low + (high - low) * random.random((count, dims))
        if law.speed is not None:
            length = np.linalg.norm(velocities, axis=1, keepdims=True)
            velocities *= np.divide(law.speed, length, where=length > 0, out=np.zeros_like(length))
        return velocities
    return np.asarray(law.velocity + law.spread * random.standard_normal((count, dims)))


def directions(random: np.random.Generator, count: int, dims: int) -> Floats:
    """(count, dims): unit vectors, all directions equally likely (Muller 1959,
    doi:10.1145/377939.377946)."""
    vectors = random.standard_normal((count, dims))
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    length[length == 0] = 1
    return np.asarray(vectors / length)
