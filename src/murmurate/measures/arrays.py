"""Frames from arrays: one's own positions and velocities, and tracks of real animals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.measures.limits import MeasureError, positive
from murmurate.model.space import Space

LARGEST = 1e70  # of a number: measures add up a million fourth powers


def of_arrays(
    positions: np.ndarray,
    velocities: np.ndarray | None = None,
    space: Space | None = None,
    *,
    ids: np.ndarray | None = None,
    name: str = "boids",
) -> FlockFrame:
    """A FlockFrame of one's own numbers.

    positions   (N, D) lengths, D 2 or 3; nan for a boid that is not seen
    velocities  (N, D) lengths per time; zeros unless given
    space       where the boids are, and which axes are periodic; an open box around them unless
                given
    ids         (N,) whole numbers, each once; 0 to N - 1 unless given. Rows are put in their order.

    Raises MeasureError where the shapes do not fit, and for what is not real numbers up to 1e70
    (or nan): words, complex numbers, inf.
    """
    positions = _numbers(positions, "positions")
    _check(positions, 2, "positions")
    count = len(positions)
    given = np.zeros(positions.shape) if velocities is None else velocities
    velocities = _numbers(given, "velocities")
    if velocities.shape != positions.shape:
        raise MeasureError(
            f"velocities have shape {velocities.shape}: it must be {positions.shape}, as the "
            "positions have"
        )
    space = around(positions) if space is None else space
    if space.dims != positions.shape[1]:
        raise MeasureError(f"the space is {space.dims}-D, the positions {positions.shape[1]}-D")
    ids = np.arange(count) if ids is None else np.asarray(ids)
    whole = ids.dtype.kind in "iuf" and (ids == np.round(ids)).all()
    if not whole or ids.shape != (count,) or len(np.unique(ids)) != count:
        raise MeasureError(f"ids: they must be {count} whole numbers, each once")
    order = np.argsort(ids)
    return FlockFrame(
        name=name,
        ids=ids[order].astype(np.int64),
        positions=positions[order],
        velocities=velocities[order],
        perch_timers=np.zeros(count, dtype=np.int64),
        space=space,
    )


def of_tracks(
    tracks: np.ndarray,
    dt: float = 1.0,
    space: Space | None = None,
    *,
    velocities: np.ndarray | None = None,
    name: str = "boids",
) -> Iterator[Frame]:
    """Frames of tracks, one after the other.

    tracks      (T, N, D) positions of N animals at T equal steps of time; nan where one is not seen
    dt          time from one row to the next
    space       an open box around all tracks unless given
    velocities  (T, N, D); from the positions unless given: (x_t+1 - x_t-1) / (2 dt), to the nearest
                image on periodic axes, one-sided where only one of the two is seen, else nan

    Raises MeasureError as `of_arrays` does.
    """
    tracks = _numbers(tracks, "tracks")
    _check(tracks, 3, "tracks")
    positive(dt, "dt")
    space = around(tracks.reshape(-1, tracks.shape[-1])) if space is None else space
    if velocities is None:
        velocities = _velocities(tracks, dt, space)
    if np.shape(velocities) != tracks.shape:
        raise MeasureError(f"velocities have shape {np.shape(velocities)}, tracks {tracks.shape}")
    for step, (x, v) in enumerate(zip(tracks, velocities, strict=True)):
        flock = of_arrays(x, v, space, name=name)
        yield Frame(step=step, time=step * dt, space=space, flocks={name: flock})


def around(positions: np.ndarray) -> Space:
    """The open box around (N, D) positions; sides of 1 where they have no width."""
    dims = positions.shape[1]
    known = positions[np.isfinite(positions).all(axis=1)]
    if not len(known):
        return Space(size=(1.0,) * dims)
    lower, size = known.min(axis=0), np.ptp(known, axis=0)
    size[size == 0] = 1.0
    return Space.around(lower.tolist(), size.tolist())


def _velocities(tracks: np.ndarray, dt: float, space: Space) -> np.ndarray:
    steps = np.diff(tracks, axis=0)
    for axis in np.flatnonzero(space.periodic):
        steps[..., axis] -= space.size[axis] * np.round(steps[..., axis] / space.size[axis])
    none = np.full_like(tracks[:1], np.nan)
    before, after = np.concatenate([none, steps]), np.concatenate([steps, none])
    both = np.where(np.isnan(before), after, np.where(np.isnan(after), before, 0.0))
    middle = np.isfinite(before) & np.isfinite(after)
    with np.errstate(over="ignore"):  # what is too large is refused where the flock is made
        return np.where(middle, (before + after) / 2, both) / dt


def _numbers(values: Any, name: str) -> np.ndarray:
    """The values as float64. Raises MeasureError for what is not real numbers, or nan."""
    try:
        found = np.asarray(values)
        if found.dtype.kind == "O":  # None stands for nan
            found = found.astype(np.float64)
    except (TypeError, ValueError):
        raise MeasureError(f"{name} are not one array of real numbers: each row must be as long as "
                           "the others, and hold numbers, or nan for what is not seen"
                           ) from None  # fmt: skip
    if found.dtype.kind not in "iuf":
        raise MeasureError(f"{name} are of type {found.dtype}: they must be real numbers, or nan "
                           "for what is not seen")  # fmt: skip
    found = found.astype(np.float64)
    if (np.abs(found) > LARGEST).any():
        here = found[np.abs(found) > LARGEST][0]
        raise MeasureError(f"{name} hold {here:g}: they must be numbers up to {LARGEST:g}, or nan "
                           "for what is not seen; use a larger unit")  # fmt: skip
    return found


def _check(array: np.ndarray, dims: int, name: str) -> None:
    if array.ndim != dims or array.shape[-1] not in (2, 3):
        shape = "(N, D)" if dims == 2 else "(T, N, D)"
        raise MeasureError(f"{name} have shape {array.shape}: it must be {shape} with D 2 or 3")
