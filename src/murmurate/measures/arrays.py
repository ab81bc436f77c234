"""Flocks and frames from arrays: own positions and velocities, and tracks of real animals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from murmurate.errors import MeasureError
from murmurate.frame import FlockFrame, Frame
from murmurate.measures.limits import check_positive
from murmurate.model.space import Space
from murmurate.neighbours.periodic import central_differences

MAX_NUMBER = 1e70  # measures add up a million fourth powers, which must stay below 1.8e308
UNSEEN = "nan for an animal that is not seen"


def of_arrays(
    positions: np.ndarray,
    velocities: np.ndarray | None = None,
    space: Space | None = None,
    *,
    ids: np.ndarray | None = None,
    traits: Mapping[str, np.ndarray] | None = None,
    name: str = "boids",
) -> FlockFrame:
    """Return a FlockFrame of positions and velocities.

    Parameters
    ----------
    positions : array_like of shape (N, D)
        Positions in length units, D = 2 or 3; nan for a boid that is not seen.
    velocities : array_like of shape (N, D), optional
        Velocities in length per time. The default is zeros.
    space : Space, optional
        Box and periodic axes. The default is an open box around the boids.
    ids : array_like of shape (N,), optional
        Distinct whole numbers; rows are sorted by them. The default is 0 to N - 1.
    traits : mapping of str to array_like of shape (N,), optional
        Numbers of each boid that measures compare with its motion, such as its size; nan for an
        unknown one.
    name : str, default 'boids'
        Name of the flock.

    Returns
    -------
    FlockFrame
        N boids, in ascending order of their ids.

    Raises
    ------
    MeasureError
        For shapes that do not fit, and for values that are neither real numbers up to 1e70 nor nan.
    """
    positions = _real_array(positions, "positions")
    _check_shape(positions, 2, "positions")
    count = len(positions)
    speeds = np.zeros(positions.shape) if velocities is None else velocities
    velocities = _real_array(speeds, "velocities")
    if velocities.shape != positions.shape:
        raise MeasureError(
            f"velocities: got shape {velocities.shape}; expected {positions.shape}, as positions"
        )
    space = bounding_box(positions) if space is None else space
    if space.dims != positions.shape[1]:
        raise MeasureError(
            f"space: got {space.dims} dimensions; expected {positions.shape[1]}, as positions"
        )
    ids = np.arange(count) if ids is None else np.asarray(ids)
    integral = ids.dtype.kind in "iuf" and (ids == np.round(ids)).all()
    if not integral or ids.shape != (count,) or len(np.unique(ids)) != count:
        raise MeasureError(
            f"ids: got shape {ids.shape} of type {ids.dtype}; expected {count} distinct whole "
            "numbers"
        )
    order = np.argsort(ids)
    numbers = {key: _trait_array(values, key, count) for key, values in (traits or {}).items()}
    return FlockFrame(
        name=name,
        ids=ids[order].astype(np.int64),
        positions=positions[order],
        velocities=velocities[order],
        perch_timers=np.zeros(count, dtype=np.int64),
        space=space,
        traits={key: values[order] for key, values in numbers.items()},
    )


def of_tracks(
    tracks: np.ndarray,
    dt: float = 1.0,
    space: Space | None = None,
    *,
    velocities: np.ndarray | None = None,
    traits: Mapping[str, np.ndarray] | None = None,
    name: str = "boids",
) -> Iterator[Frame]:
    """Yield a Frame for each time of an array of tracks.

    Parameters
    ----------
    tracks : array_like of shape (T, N, D)
        Positions of N animals at T equally spaced times; nan for an animal that is not seen.
    dt : float, default 1.0
        Time from one row to the next.
    space : Space, optional
        Box and periodic axes. The default is an open box around all tracks.
    velocities : array_like of shape (T, N, D), optional
        Velocities in length per time. The default is (x_t+1 - x_t-1) / (2 dt), to the nearest image
        on periodic axes; one-sided where only one of both positions is known, else nan.
    traits : mapping of str to array_like of shape (N,), optional
        Numbers of each animal, as for `of_arrays`.
    name : str, default 'boids'
        Name of the flock.

    Yields
    ------
    Frame
        Steps 0 to T - 1, at times 0, dt, 2 dt, ...

    Raises
    ------
    MeasureError
        As for `of_arrays`.
    """
    tracks = _real_array(tracks, "tracks")
    _check_shape(tracks, 3, "tracks")
    check_positive(dt, "dt")
    space = bounding_box(tracks.reshape(-1, tracks.shape[-1])) if space is None else space
    if velocities is None:
        with np.errstate(over="ignore"):  # of_arrays refuses what is too large
            steps = space.minimum_image(np.diff(tracks, axis=0))
            velocities = central_differences(steps)[: len(tracks)] / dt
    if np.shape(velocities) != tracks.shape:
        raise MeasureError(
            f"velocities: got shape {np.shape(velocities)}; expected {tracks.shape}, as tracks"
        )
    for step, (x, v) in enumerate(zip(tracks, velocities, strict=True)):
        flock = of_arrays(x, v, space, traits=traits, name=name)
        yield Frame(step=step, time=step * dt, space=space, flocks={name: flock})


def bounding_box(positions: np.ndarray) -> Space:
    """Return the open box around (N, D) positions; a side without width gets length 1."""
    dims = positions.shape[1]
    finite = positions[np.isfinite(positions).all(axis=1)]
    if not len(finite):
        return Space(size=(1.0,) * dims)
    lower, size = finite.min(axis=0), np.ptp(finite, axis=0)
    size[size == 0] = 1.0
    return Space.around(lower.tolist(), size.tolist())


def _real_array(values: Any, name: str) -> np.ndarray:
    """Return `values` as float64. Raise MeasureError unless they are real numbers or nan."""
    try:
        array = np.asarray(values)
        if array.dtype.kind == "O":  # None stands for nan
            array = array.astype(np.float64)
    except (TypeError, ValueError):
        raise MeasureError(
            f"{name}: got {type(values).__name__} that is not one array of real numbers; expected "
            f"rows of equal length with numbers, or {UNSEEN}"
        ) from None
    if array.dtype.kind not in "iuf":
        raise MeasureError(f"{name}: got type {array.dtype}; expected real numbers, or {UNSEEN}")
    array = array.astype(np.float64)
    if (np.abs(array) > MAX_NUMBER).any():
        large = array[np.abs(array) > MAX_NUMBER][0]
        raise MeasureError(
            f"{name}: got {large:g}; expected numbers up to {MAX_NUMBER:g}, or {UNSEEN}. Use a "
            "larger unit."
        )
    return array


def _trait_array(values: Any, name: str, count: int) -> np.ndarray:
    """Return (count,) float64 numbers of a trait."""
    array = _real_array(values, f"traits: {name}")
    if array.shape != (count,):
        raise MeasureError(
            f"traits: {name}: got shape {array.shape}; expected ({count},), one number for each "
            "boid"
        )
    return array


def _check_shape(array: np.ndarray, dims: int, name: str) -> None:
    if array.ndim != dims or array.shape[-1] not in (2, 3):
        shape = "(N, D)" if dims == 2 else "(T, N, D)"
        raise MeasureError(f"{name}: got shape {array.shape}; expected {shape} with D 2 or 3")
