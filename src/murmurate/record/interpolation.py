"""Interpolation between two recorded frames: cubic Hermite curves.

A boid's path from one frame to the next is the cubic curve with its recorded positions and
velocities at both ends. On periodic axes it is the path in the direction of the velocities, across
the edge too. Recorded frames themselves are never changed.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.model.obstacles import ObstacleShape
from murmurate.model.space import Space
from murmurate.record.codec import Array

BEND = 1.5  # distances between two frames that a velocity may carry; more is a boid that jitters


def interpolate(
    before: Frame, after: Frame, step: int, time: float, obstacles: Mapping[str, ObstacleShape]
) -> Frame:
    """The flock at a step between those of two frames of the same boids.

    time, obstacles  as they are at that step
    """
    part = (step - before.step) / (after.step - before.step)
    span = after.time - before.time
    flocks = {
        flock.name: _interpolate_flock(flock, after[flock.name], part, span, step - before.step)
        for flock in before
    }
    return Frame(step, time, before.space, flocks, obstacles)


def _interpolate_flock(
    before: FlockFrame, after: FlockFrame, part: float, span: float, past: int
) -> FlockFrame:
    flying = before.perch_timers == 0
    positions = _positions(before, after, part, span)
    velocities = _velocities(before.velocities, after.velocities, part)
    if not flying.all():
        velocities[~flying] = before.velocities[~flying]
    return FlockFrame(
        before.name,
        before.ids,
        positions,
        velocities,
        np.maximum(before.perch_timers - past, 0),
        before.space,
        before.memory,
        before.kept_names,
    )


def _positions(before: FlockFrame, after: FlockFrame, part: float, span: float) -> Array:
    """(N, D): on the curve, part of the way; in the space where it has faces or is periodic."""
    begin, one, other = (
        np.asarray(array, np.float64)
        for array in (before.positions, before.velocities, after.velocities)
    )
    one, other = span * one, span * other
    # the way is near to what the velocities say, so on a torus that image of its end is meant
    moved = _displacement(after.positions - begin, 0.5 * (one + other), before.space)
    length = np.linalg.norm(moved, axis=1)
    one, other = _limited(one, length), _limited(other, length)
    s, r = part, 1.0 - part
    way = (s * s * (3.0 - 2.0 * s)) * moved + (s * r * r) * one - (s * s * r) * other
    return _wrapped(begin + way, before.space).astype(before.positions.dtype)


def _displacement(way: Array, foreseen: Array, space: Space) -> Array:
    """The displacement to the periodic image of its end that is nearest to the predicted one."""
    way = np.array(way, np.float64)
    for axis in np.flatnonzero(space.periodic):
        side = space.size[axis]
        way[:, axis] += side * np.round((foreseen[:, axis] - way[:, axis]) / side)
    return way


def _limited(velocities: Array, length: Array) -> Array:
    """The velocities, none longer than what a way of that length can be bent by."""
    speed = np.linalg.norm(velocities, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        shrink = np.where(speed > BEND * length, BEND * length / speed, 1.0)
    return velocities * shrink[:, None]


def _wrapped(positions: Array, space: Space) -> Array:
    """Periodic axes are gone round, closed ones kept to."""
    lower, upper = np.array(space.lower), np.array(space.upper)
    for axis, word in enumerate(space.boundaries):
        if word == "periodic":
            where = (positions[:, axis] - lower[axis]) % space.size[axis] + lower[axis]
            positions[:, axis] = np.where(where < upper[axis], where, lower[axis])
        elif word != "open":
            positions[:, axis] = np.clip(positions[:, axis], lower[axis], upper[axis])
    return positions


def _velocities(one: Array, other: Array, part: float) -> Array:
    """(N, D): the heading turns from one to the other, the speed changes evenly."""
    a, b = np.asarray(one, np.float64), np.asarray(other, np.float64)
    slow, fast = np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        ahead, then = a / slow[:, None], b / fast[:, None]
        heading = (1.0 - part) * ahead + part * then
        heading /= np.linalg.norm(heading, axis=1)[:, None]
    lost = ~np.isfinite(heading).all(axis=1)  # at rest, or turning right round
    heading[lost] = 0.0
    out = ((1.0 - part) * slow + part * fast)[:, None] * heading
    out[lost] = a[lost] if part < 0.5 else b[lost]
    return out.astype(one.dtype)
