"""Initial state: a model's starts -> positions and velocities; checks of states that users give."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from murmurate.engines.bounds import check_inside
from murmurate.engines.protocol import FlightState, Floats, FlockState
from murmurate.engines.rng import generator
from murmurate.errors import ModelError
from murmurate.frame import FlockFrame, Frame
from murmurate.model.model import Model
from murmurate.model.space import Space

Arrays = tuple[np.ndarray, np.ndarray]
BLOCK = 2**18  # boids that are drawn at a time


@dataclass(frozen=True, eq=False)
class Start(FlightState):
    """The state at step 0, in float64; what is drawn at random is drawn when it is asked for."""

    flocks: StartFlocks

    def size(self, flock: str) -> int:
        """How many boids a flock has."""
        return self.flocks.size(flock)

    def rows(self, flock: str, rows: slice) -> FlockState:
        """Some boids of a flock. Raises ModelError for boids that begin outside the space."""
        return self.flocks.rows(flock, rows)


class StartFlocks(Mapping[str, FlockState]):
    """The flocks of a model at its start: see initial_state."""

    def __init__(self, model: Model, seed: int, given: Mapping[str, Any]) -> None:
        self._model, self._seed = model, seed
        self._given = {name: _checked(name, pair, model.space.dims) for name, pair in given.items()}
        self._drawn: dict[str, FlockState] = {}

    def __len__(self) -> int:
        return len(self._model.flocks)

    def __iter__(self) -> Iterator[str]:
        return iter(self._model.flocks)

    def __getitem__(self, name: str) -> FlockState:
        if name not in self._drawn:
            self._drawn[name] = self.rows(name, slice(0, self.size(name)))
        return self._drawn[name]

    def size(self, name: str) -> int:
        """How many boids a flock has."""
        given = self._given.get(name)
        return self._model.flocks[name].count if given is None else len(given[0])

    def given_ends(self) -> dict[str, list[float]]:
        """Return of each flock whose start the user gave the largest coordinate on each axis,
        without its sign."""
        return {
            name: np.abs(positions).max(axis=0, initial=0.0).tolist()
            for name, (positions, _) in self._given.items()
        }

    def rows(self, name: str, rows: slice) -> FlockState:
        """Some boids of a flock: only these are held in memory. Raises ModelError for boids that
        begin outside the space."""
        flock, space = self._model.flocks[name], self._model.space
        if name in self._given:
            positions, velocities = (array[rows] for array in self._given[name])
        else:
            random = generator(self._seed, f"start/{name}")
            positions, velocities = _drawn(flock.start, flock.count, space, random, rows)
        what = f"start[{name!r}]" if name in self._given else f"flocks.{name}.start"
        check_inside(what, space, positions, rows.start)
        count = len(positions)
        return FlockState(positions, velocities, np.zeros(count, np.int64), np.zeros((count, 0)))


def initial_state(model: Model, seed: int, given: Mapping[str, Any] | Frame | None = None) -> Start:
    """The state of a flight at step 0, in float64.

    given  arrays that replace a flock's own start: name -> (positions, velocities); or a Frame,
           whose positions and velocities they are
    Raises ModelError for arrays of a wrong shape or with numbers that are not finite, and for boids
    that begin outside the space, when these are first asked for.
    """
    if isinstance(given, Frame):
        given = given.flocks
    for name in given or {}:
        if name not in model.flocks:
            from murmurate.model.messages import unknown

            raise ModelError(f"start: {unknown('flock', name, model.flocks)}")
    return Start(0, StartFlocks(model, seed, given or {}))


def checked_state(
    what: str, space: Space, count: int, positions: Any = None, velocities: Any = None
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return positions and velocities that a flock of `count` boids may be put into, as new float64
    arrays (count, D); None stays None.

    Positions on periodic axes are brought into the space; those that an engine made are left as
    they are, see engines/faces.py.

    what  the argument that they are of, for the message

    Raises ModelError for another shape, numbers that are not finite, and positions outside closed
    faces.
    """
    made: list[np.ndarray | None] = []
    for word, given in (("positions", positions), ("velocities", velocities)):
        made.append(
            None if given is None else _array(f"{what}: {word}", given, (count, space.dims))
        )
    if made[0] is not None:
        check_inside(f"{what}: positions", space, made[0])
    return made[0], made[1]


def _checked(name: str, pair: Any, dims: int) -> Arrays:
    """Return a flock's start as the user gives it: positions and velocities, (N, D) each."""
    what = f"start[{name!r}]"
    if isinstance(pair, FlockFrame):
        pair = (pair.positions, pair.velocities)
    try:
        positions, velocities = pair
    except (TypeError, ValueError) as error:
        raise ModelError(
            f"{what}: give a pair of arrays (positions, velocities), (N, {dims}) each: {error}"
        ) from None
    positions = _array(f"{what}: positions", positions, (None, dims))
    return positions, _array(f"{what}: velocities", velocities, (len(positions), dims))


def _array(what: str, given: Any, shape: tuple[int | None, int]) -> np.ndarray:
    """Return a new float64 array of what was given. Raises ModelError for another shape (None: any
    number of rows) and for numbers that are not finite."""
    count, dims = shape
    rows = "N" if count is None else str(count)
    try:
        array = np.array(given, dtype=float)
    except (TypeError, ValueError) as error:
        raise ModelError(f"{what}: expected an array of shape ({rows}, {dims}): {error}") from None
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


def _drawn(
    start: Any, count: int, space: Space, random: np.random.Generator, rows: slice
) -> Arrays:
    """Places and velocities of some of a flock's boids: (rows, dims) each."""
    dims = space.dims
    lower, upper = np.array(space.lower), np.array(space.upper)
    centre = np.array(getattr(start, "centre", ()) or (lower + upper) / 2)
    boids = np.arange(rows.start, rows.stop)
    if start.kind == "given":
        positions = np.array(start.positions, dtype=float).reshape(count, dims)
        velocities = start.velocities or np.zeros((count, dims))
        return positions[rows], np.array(velocities, dtype=float).reshape(count, dims)[rows]
    if start.kind == "ring":
        angle = 2 * np.pi * boids / max(count, 1)
        out, along = np.zeros((len(boids), dims)), np.zeros((len(boids), dims))
        out[:, 0], out[:, 1] = np.cos(angle), np.sin(angle)
        along[:, 0], along[:, 1] = -out[:, 1], out[:, 0]
        return centre + start.radius * out, start.speed * along
    if start.kind == "box":
        low = np.array(start.lower or lower)
        high = np.array(start.upper or upper)
        positions = low + (high - low) * drawn_rows(random.random, count, dims, rows)
    elif start.kind == "ball":
        radius = start.radius * drawn_rows(random.random, count, 1, rows) ** (1.0 / dims)
        positions = centre + radius * directions(random, count, dims, rows)
    elif start.kind == "lattice":
        side = int(np.ceil(count ** (1.0 / dims) - 1e-9)) if count else 1
        grid = np.stack(np.unravel_index(boids, (side,) * dims), axis=1)
        positions = centre + start.spacing * (grid - (side - 1) / 2)
    else:
        positions = _off_screen(start.distance, count, lower, upper, random)[rows]
    return positions, _velocities(start.velocity, count, dims, random, rows)


def _off_screen(
    distance: float, count: int, lower: np.ndarray, upper: np.ndarray, random: np.random.Generator
) -> Floats:
    """(count, dims): places in the space grown by a distance, but not in the space."""
    positions = np.empty((count, len(lower)))
    missing = np.arange(count)
    while len(missing):
        grown = upper - lower + 2 * distance
        positions[missing] = lower - distance + grown * random.random((len(missing), len(lower)))
        within = (positions >= lower) & (positions <= upper)
        missing = missing[within[missing].all(axis=1)]
    return positions


def _velocities(
    law: Any, count: int, dims: int, random: np.random.Generator, rows: slice
) -> Floats:
    if law.kind == "still":
        return np.zeros((rows.stop - rows.start, dims))
    if law.kind == "directions":
        top = law.speed if law.up_to is None else law.up_to
        speed = law.speed + (top - law.speed) * drawn_rows(random.random, count, 1, rows)
        return np.asarray(speed * directions(random, count, dims, rows))
    if law.kind == "cube":
        low, high = np.array(law.lower), np.array(law.upper)
        velocities: Floats = low + (high - low) * drawn_rows(random.random, count, dims, rows)
        if law.speed is not None:
            length = np.linalg.norm(velocities, axis=1, keepdims=True)
            velocities *= np.divide(law.speed, length, where=length > 0, out=np.zeros_like(length))
        return velocities
    drawn = drawn_rows(random.standard_normal, count, dims, rows)
    return np.asarray(law.velocity + law.spread * drawn)


def directions(
    random: np.random.Generator, count: int, dims: int, rows: slice | None = None
) -> Floats:
    """(count, dims), or some rows of them: unit vectors, all directions equally likely (Muller
    1959, doi:10.1145/377939.377946)."""
    vectors = drawn_rows(random.standard_normal, count, dims, rows or slice(0, count))
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    length[length == 0] = 1
    return np.asarray(vectors / length)


def drawn_rows(
    draw: Callable[[tuple[int, int]], Floats], count: int, width: int, rows: slice
) -> Floats:
    """Some rows of draw((count, width)). All are drawn, a block at a time, but only these kept."""
    parts: list[Floats] = [np.zeros((0, width))]
    for first in range(0, count, BLOCK):
        made = draw((min(BLOCK, count - first), width))
        part = made[max(rows.start - first, 0) : max(rows.stop - first, 0)]
        parts.append(part if len(part) == len(made) else part.copy())
    return np.concatenate(parts)
