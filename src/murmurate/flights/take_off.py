"""Take-off from a grid, the flock's motion from rest to rest, and landing.

Drones rise together, then move together on straight lines to their first positions. The assignment
has the smallest sum of squared lengths. Then, if drones are at least d apart before and after, they
stay d / sqrt(2) apart on the way (Turpin, Michael and Kumar 2014,
doi 10.1177/0278364913515307). The flock's own time starts and stops smoothly, so that the paths are
those of the flock.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from murmurate.flights.bernstein import Array, elevate
from murmurate.flights.fit import fit
from murmurate.flights.limits import Limits
from murmurate.flights.trajectory import Drone, Flight

PART = 0.8  # of the limits, by which take-off and landing are planned
SPACING = 1.5  # of the grid, in the smallest allowed distance
PEAK_SPEED, PEAK_ACCELERATION = 2.1875, 7.5132  # of a smooth step of degree 7
RAMP_ACCELERATION = 1.875  # of the flock's time, whose speed is a smooth step of degree 5


@dataclass(frozen=True)
class Flock:
    """Recorded flock, in metres and seconds.

    names  of the N drones
    times  (T,) evenly spaced, from 0
    positions  (T, N, 3)
    light_times  (K,)
    colours  (K, N, 3) 0 to 255
    """

    names: list[str]
    times: Array
    positions: Array
    light_times: Array
    colours: Array


def plan(
    flock: Flock, limits: Limits, tolerance: float, take_off: bool, spacing: float | None
) -> Flight:
    """Return the flight of a flock, from a grid on the ground and back if `take_off`."""
    times, positions, lit = _eased(flock, limits)
    ends, points = fit(times, positions, tolerance)
    parts = [(np.diff(ends), elevate(points, 7))]
    if take_off:
        apart = spacing or SPACING * (limits.min_distance or 2.0)
        grid = _grid(positions[0], apart)
        height = 0.5 * float(min(positions[0, :, 2].min(), positions[-1, :, 2].min()))
        up = np.array([0.0, 0.0, height])
        before, after = (_assigned(grid, positions[k], up) for k in (0, -1))
        climb = _move(before, before + up, limits), _move(before + up, positions[0], limits)
        land = _move(positions[-1], after + up, limits), _move(after + up, after, limits)
        parts = [*climb, *parts, *land]
        lit = lit + sum(float(length[0]) for length, _ in climb)
    spans = np.concatenate([length for length, _ in parts])
    control = np.concatenate([points for _, points in parts])
    clock = np.concatenate([[0.0], np.cumsum(spans)])
    control = np.concatenate([control, np.zeros((*control.shape[:3], 1))], axis=3)
    straight = np.zeros(len(spans), bool)
    lights, colours = lit, flock.colours
    if take_off:  # dark on the ground
        dark = np.zeros((1, *colours.shape[1:]))
        rising, sinking = clock[1], clock[-2]
        lights = np.concatenate([[0.0, rising], lights, [sinking, clock[-1]]])
        colours = np.concatenate([dark, colours[:1], colours, colours[-1:], dark])
    drones = [
        Drone(name, clock, control[:, :, k], straight, lights, colours[:, k])
        for k, name in enumerate(flock.names)
    ]
    return Flight(tuple(drones))


def _eased(flock: Flock, limits: Limits) -> tuple[Array, Array, Array]:
    """Return even times and positions of a flock whose time starts and stops smoothly.

    The third array has the times of its colours.
    """
    from scipy.interpolate import make_interp_spline

    times, positions = flock.times, flock.positions
    length = float(times[-1])
    step = length / (len(times) - 1)
    fast = float(np.linalg.norm(np.diff(positions, axis=0), axis=2).max()) / step
    push = PART * (limits.max_acceleration or 4.0)
    ramp = min(length, max(2.0, 2 * RAMP_ACCELERATION * fast / push))
    total = length + ramp
    count = int(np.ceil(2 * total / step)) + 1
    clock = np.linspace(0.0, total, count)

    def passed(u: Array) -> Array:
        return ramp * (u**6 - 3 * u**5 + 2.5 * u**4)  # the integral of a smooth step

    def flock_time(t: Array) -> Array:
        begin, end = np.clip(t / ramp, 0, 1), np.clip((total - t) / ramp, 0, 1)
        middle = np.clip(t - ramp, 0.0, total - 2 * ramp)
        return np.asarray(passed(begin) + middle + ramp / 2 - passed(end))

    path = make_interp_spline(times, positions, k=min(3, len(times) - 1))
    inner = np.clip(flock_time(clock), 0.0, length)
    reached = np.interp(flock.light_times, inner, clock)
    return clock, path(inner), reached


def _grid(positions: Array, spacing: float) -> Array:
    """Return positions (N, 3) on the ground, in rows around the middle of others."""
    count = len(positions)
    columns = int(np.ceil(np.sqrt(count)))
    row, column = np.divmod(np.arange(count), columns)
    grid = np.stack([column, row, np.zeros(count)], axis=1) * spacing
    middle = positions.mean(axis=0) - grid.mean(axis=0)
    return np.asarray(grid + np.array([middle[0], middle[1], 0.0]))


def _assigned(grid: Array, positions: Array, up: Array) -> Array:
    """Return the grid in the order of the drones, with the smallest sum of squared distances."""
    from scipy.optimize import linear_sum_assignment
    from scipy.spatial.distance import cdist

    _, chosen = linear_sum_assignment(cdist(positions, grid + up, "sqeuclidean"))
    return np.asarray(grid[chosen])


def _move(first: Array, last: Array, limits: Limits) -> tuple[Array, Array]:
    """Return the duration (1,) and control points (1, 8, N, 3) of straight ways, from rest to rest.

    Three derivatives are zero at both ends.
    """
    way = last - first
    flat = float(np.linalg.norm(way[:, :2], axis=1).max())
    high = float(np.abs(way[:, 2]).max())
    far = float(np.linalg.norm(way, axis=1).max())
    duration = max(
        PEAK_SPEED * flat / (PART * (limits.max_speed or 8.0)),
        PEAK_SPEED * high / (PART * (limits.max_vertical_speed or 3.0)),
        np.sqrt(PEAK_ACCELERATION * far / (PART * (limits.max_acceleration or 4.0))),
        1.0,
    )
    return np.array([duration]), np.stack([first] * 4 + [last] * 4)[None]
