"""Initial state: positions and velocities at step 0, from a model or from the user's arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from murmurate.engines.bounds import wrap_and_check
from murmurate.engines.initial_memory import initial_memory as initial_memory
from murmurate.engines.rng import make_generator
from murmurate.engines.state import FlightState, Floats, FlockState
from murmurate.errors import ModelError
from murmurate.frame import FlockFrame, Frame
from murmurate.model.model import Model
from murmurate.model.space import Space

Arrays = tuple[np.ndarray, np.ndarray]
BLOCK_ROWS = 2**18  # rows of random numbers that are drawn at a time


@dataclass(frozen=True, eq=False)
class Start(FlightState):
    """State at step 0, in float64. Random positions and velocities are drawn when they are read."""

    flocks: StartFlocks

    def size(self, flock: str) -> int:
        """Return the number of boids of a flock."""
        return self.flocks.size(flock)

    def rows(self, flock: str, rows: slice) -> FlockState:
        """Return boids rows.start to rows.stop - 1 of a flock, see StartFlocks.rows."""
        return self.flocks.rows(flock, rows)


class StartFlocks(Mapping[str, FlockState]):
    """States of a model's flocks at its start, see initial_state."""

    def __init__(self, model: Model, seed: int, arrays: Mapping[str, Any]) -> None:
        self._model, self._seed = model, seed
        self._arrays = {
            name: _check_pair(name, pair, model.space.dims) for name, pair in arrays.items()
        }
        self._states: dict[str, FlockState] = {}

    def __len__(self) -> int:
        return len(self._model.flocks)

    def __iter__(self) -> Iterator[str]:
        return iter(self._model.flocks)

    def __getitem__(self, name: str) -> FlockState:
        if name not in self._states:
            self._states[name] = self.rows(name, slice(0, self.size(name)))
        return self._states[name]

    def size(self, name: str) -> int:
        """Return the number of boids of a flock."""
        pair = self._arrays.get(name)
        return self._model.flocks[name].count if pair is None else len(pair[0])

    def max_coordinates(self) -> dict[str, list[float]]:
        """Return the largest absolute coordinate per axis, of flocks with the user's arrays."""
        return {
            name: np.abs(positions).max(axis=0, initial=0.0).tolist()
            for name, (positions, _) in self._arrays.items()
        }

    def rows(self, name: str, rows: slice) -> FlockState:
        """Return boids rows.start to rows.stop - 1 of a flock. Only these remain in memory.

        raises ModelError  a boid starts outside the space
        """
        flock, space = self._model.flocks[name], self._model.space
        if name in self._arrays:
            positions, velocities = (array[rows] for array in self._arrays[name])
        else:
            random = make_generator(self._seed, f"start/{name}")
            positions, velocities = draw_start(flock.start, flock.count, space, random, rows)
        what = f"start[{name!r}]" if name in self._arrays else f"flocks.{name}.start"
        wrap_and_check(what, space, positions, rows.start)
        count = len(positions)
        indices = np.arange(rows.start, rows.start + count)
        memory = initial_memory(self._model, self._seed, name, indices)
        return FlockState(positions, velocities, np.zeros(count, np.int64), memory)


def initial_state(model: Model, seed: int, start: Mapping[str, Any] | Frame | None = None) -> Start:
    """Return the state of a simulation at step 0, in float64.

    model  its flocks state their own starts
    seed  seed of random starts
    start  arrays that replace the starts of some flocks: name -> (positions, velocities), (N, D)
        each. A frame replaces them by its own positions and velocities.
    raises ModelError  a flock is unknown, or an array has a wrong shape or is not finite. For a
        boid that starts outside the space, the error comes when its flock is read.
    """
    if isinstance(start, Frame):
        start = start.flocks
    for name in start or {}:
        if name not in model.flocks:
            from murmurate.model.messages import format_unknown

            raise ModelError(f"start: {format_unknown('flock', name, model.flocks)}")
    return Start(0, StartFlocks(model, seed, start or {}))


def checked_state(
    what: str, space: Space, count: int, positions: Any = None, velocities: Any = None
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return checked positions and velocities of a flock as new float64 arrays; None remains None.

    Positions on periodic axes are wrapped into the space, except those at the faces of an engine,
    see engines/bounds.py.

    what  argument that the arrays are from, for the message
    positions, velocities  (count, D) arrays to check
    raises ModelError  an array has another shape or is not finite, or a position is outside a
        closed face
    """
    shape = (count, space.dims)
    x = None if positions is None else _to_array(f"{what}: positions", positions, shape)
    v = None if velocities is None else _to_array(f"{what}: velocities", velocities, shape)
    if x is not None:
        wrap_and_check(f"{what}: positions", space, x)
    return x, v


def _check_pair(name: str, pair: Any, dims: int) -> Arrays:
    """Return the user's arrays for a flock's start: positions and velocities, (N, D) each."""
    what = f"start[{name!r}]"
    if isinstance(pair, FlockFrame):
        pair = (pair.positions, pair.velocities)
    try:
        positions, velocities = pair
    except (TypeError, ValueError) as error:
        raise ModelError(
            f"{what}: got {type(pair).__name__}; expected a pair of arrays (positions, "
            f"velocities), (N, {dims}) each: {error}"
        ) from None
    positions = _to_array(f"{what}: positions", positions, (None, dims))
    return positions, _to_array(f"{what}: velocities", velocities, (len(positions), dims))


def _to_array(what: str, values: Any, shape: tuple[int | None, int]) -> np.ndarray:
    """Return values as a float64 array of a shape (None: any number of rows), or raise
    ModelError."""
    count, dims = shape
    rows = "N" if count is None else str(count)
    array = to_floats(what, values, f"an array of shape ({rows}, {dims})")
    if array.ndim != 2 or array.shape[1] != dims or count not in (None, len(array)):
        raise ModelError(
            f"{what}: got an array of shape {array.shape}; expected ({rows}, {dims}), a row for "
            "each boid of the flock"
        )
    if not np.isfinite(array).all():
        row = int(np.argwhere(~np.isfinite(array))[0][0])
        raise ModelError(
            f"{what}: got {array[row].tolist()} for boid {row}; expected finite numbers"
        )
    return array


def to_floats(what: str, values: Any, expected: str) -> np.ndarray:
    """Return values as a new float64 array, or raise ModelError."""
    try:
        return np.array(values, float)
    except (TypeError, ValueError) as error:
        raise ModelError(
            f"{what}: got {type(values).__name__}; expected {expected}: {error}"
        ) from None


def draw_start(
    start: Any,
    count: int,
    space: Space,
    random: np.random.Generator,
    rows: slice,
    joins_as: int | None = None,
) -> Arrays:
    """Return positions and velocities of some boids of a flock: (rows, dims) each.

    start  start of a flock or of a source
    count  boids that start together
    rows  which of them are returned
    joins_as  index within the flock of the first of them, if they join by a source: on a ring their
        angles are random, and they begin at given rows in turn
    """
    dims = space.dims
    lower, upper = np.array(space.lower), np.array(space.upper)
    centre = np.array(getattr(start, "centre", ()) or (lower + upper) / 2)
    boids = np.arange(rows.start, rows.stop)
    if start.kind == "given":
        positions = np.array(start.positions, dtype=float).reshape(-1, dims)
        velocities = np.array(start.velocities or np.zeros(positions.shape), dtype=float)
        chosen_rows = (boids + (joins_as or 0)) % max(len(positions), 1)
        return positions[chosen_rows], velocities.reshape(-1, dims)[chosen_rows]
    if start.kind == "ring":
        angle = 2 * np.pi * boids / max(count, 1)
        if joins_as is not None:
            angle = 2 * np.pi * random.random(count)[rows]
        outward, along = np.zeros((len(boids), dims)), np.zeros((len(boids), dims))
        outward[:, 0], outward[:, 1] = np.cos(angle), np.sin(angle)
        along[:, 0], along[:, 1] = -outward[:, 1], outward[:, 0]
        return centre + start.radius * outward, start.speed * along
    if start.kind == "box":
        low = np.array(start.lower or lower)
        high = np.array(start.upper or upper)
        positions = low + (high - low) * _draw_rows(random.random, count, dims, rows)
    elif start.kind == "ball":
        radius = start.radius * _draw_rows(random.random, count, 1, rows) ** (1.0 / dims)
        positions = centre + radius * _draw_directions(random, count, dims, rows)
    elif start.kind == "lattice":
        side = int(np.ceil(count ** (1.0 / dims) - 1e-9)) if count else 1
        grid = np.stack(np.unravel_index(boids, (side,) * dims), axis=1)
        positions = centre + start.spacing * (grid - (side - 1) / 2)
    else:
        positions = _draw_off_screen(start.distance, count, lower, upper, random)[rows]
    return positions, _draw_velocities(start.velocity, count, dims, random, rows)


def _draw_off_screen(
    distance: float, count: int, lower: np.ndarray, upper: np.ndarray, random: np.random.Generator
) -> Floats:
    """Return (count, dims) positions at most `distance` outside of the space, and not inside."""
    positions = np.empty((count, len(lower)))
    missing = np.arange(count)
    while len(missing):
        grown = upper - lower + 2 * distance
        positions[missing] = lower - distance + grown * random.random((len(missing), len(lower)))
        within = (positions >= lower) & (positions <= upper)
        missing = missing[within[missing].all(axis=1)]
    return positions


def _draw_velocities(
    law: Any, count: int, dims: int, random: np.random.Generator, rows: slice
) -> Floats:
    """Return (rows, dims) velocities of some boids, by the velocity law of their start."""
    if law.kind == "stationary":
        return np.zeros((rows.stop - rows.start, dims))
    if law.kind == "directions":
        top = law.speed if law.up_to is None else law.up_to
        speed = law.speed + (top - law.speed) * _draw_rows(random.random, count, 1, rows)
        return np.asarray(speed * _draw_directions(random, count, dims, rows))
    if law.kind == "cube":
        low, high = np.array(law.lower), np.array(law.upper)
        velocities: Floats = low + (high - low) * _draw_rows(random.random, count, dims, rows)
        if law.speed is not None:
            length = np.linalg.norm(velocities, axis=1, keepdims=True)
            velocities *= np.divide(law.speed, length, where=length > 0, out=np.zeros_like(length))
        return velocities
    noise = _draw_rows(random.standard_normal, count, dims, rows)
    return np.asarray(law.velocity + law.spread * noise)


def _draw_directions(
    random: np.random.Generator, count: int, dims: int, rows: slice | None = None
) -> Floats:
    """Return some rows of (count, dims) unit vectors in uniformly random directions.

    Muller 1959, doi:10.1145/377939.377946.
    """
    vectors = _draw_rows(random.standard_normal, count, dims, rows or slice(0, count))
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    length[length == 0] = 1
    return np.asarray(vectors / length)


def _draw_rows(
    draw: Callable[[tuple[int, int]], Floats], count: int, width: int, rows: slice
) -> Floats:
    """Return some rows of draw((count, width)).

    All rows are drawn, one block at a time, and only these are stored.
    """
    parts: list[Floats] = [np.zeros((0, width))]
    for first in range(0, count, BLOCK_ROWS):
        block = draw((min(BLOCK_ROWS, count - first), width))
        part = block[max(rows.start - first, 0) : max(rows.stop - first, 0)]
        parts.append(part if len(part) == len(block) else part.copy())
    return np.concatenate(parts)
