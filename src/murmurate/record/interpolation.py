"""Interpolate between two recorded frames by cubic Hermite curves.

A boid's path from one frame to the next is the cubic curve with its recorded positions and
velocities at both ends. On periodic axes it follows the direction of the velocities, also across
the edge. Recorded frames are never changed.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.model.obstacles import ObstacleShape
from murmurate.model.space import Space
from murmurate.record.codec import Array

MAX_TANGENT = 1.5  # of a tangent, in distances between the frames; boids that jitter exceed it


def interpolate(
    before: Frame, after: Frame, step: int, time: float, obstacles: Mapping[str, ObstacleShape]
) -> Frame:
    """Return the flock at a step between two frames of the same boids.

    Parameters
    ----------
    before, after : Frame
        The frames.
    step, time : int, float
        The step, and its time.
    obstacles : mapping
        Name -> shape of each obstacle at that time.
    """
    part = (step - before.step) / (after.step - before.step)
    span = after.time - before.time
    flocks = {
        flock.name: _interpolate_flock(flock, after[flock.name], part, span, step - before.step)
        for flock in before.values()
    }
    return Frame(step, time, before.space, flocks, obstacles)


def _interpolate_flock(
    before: FlockFrame, after: FlockFrame, part: float, span: float, steps: int
) -> FlockFrame:
    is_airborne = before.perch_timers == 0
    positions = _interpolate_positions(before, after, part, span)
    velocities = _interpolate_velocities(before.velocities, after.velocities, part)
    if not is_airborne.all():
        velocities[~is_airborne] = before.velocities[~is_airborne]
    return FlockFrame(
        before.name,
        before.ids,
        positions,
        velocities,
        np.maximum(before.perch_timers - steps, 0),
        before.space,
        before.memory,
        before.kept_names,
    )


def _interpolate_positions(
    before: FlockFrame, after: FlockFrame, part: float, span: float
) -> Array:
    """Return (N, D) positions on the curve at a fraction `part`, inside the boundaries."""
    begin, start, end = (
        np.asarray(array, np.float64)
        for array in (before.positions, before.velocities, after.velocities)
    )
    start, end = span * start, span * end
    # the velocities predict the displacement, and so the periodic image of its end
    displacement = before.space.minimum_image(after.positions - begin, near=0.5 * (start + end))
    length = np.linalg.norm(displacement, axis=1)
    start, end = _limit_tangent(start, length), _limit_tangent(end, length)
    s, r = part, 1.0 - part
    path = (s * s * (3.0 - 2.0 * s)) * displacement + (s * r * r) * start - (s * s * r) * end
    return _apply_boundaries(begin + path, before.space).astype(before.positions.dtype)


def _limit_tangent(tangents: Array, length: Array) -> Array:
    """Return tangents (N, D) of at most MAX_TANGENT times the lengths (N,)."""
    size = np.linalg.norm(tangents, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = np.where(size > MAX_TANGENT * length, MAX_TANGENT * length / size, 1.0)
    return tangents * scale[:, None]


def _apply_boundaries(positions: Array, space: Space) -> Array:
    """Wrap positions along periodic axes, and clip them along closed ones."""
    positions, lower, upper = space.wrap(positions), space.lower, space.upper
    for axis, boundary in enumerate(space.boundaries):
        if boundary in ("reflecting", "held"):
            positions[:, axis] = np.clip(positions[:, axis], lower[axis], upper[axis])
    return positions


def _interpolate_velocities(before: Array, after: Array, part: float) -> Array:
    """Return (N, D) velocities whose heading and speed change linearly."""
    a, b = np.asarray(before, np.float64), np.asarray(after, np.float64)
    speed_a, speed_b = np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        heading_a, heading_b = a / speed_a[:, None], b / speed_b[:, None]
        heading = (1.0 - part) * heading_a + part * heading_b
        heading /= np.linalg.norm(heading, axis=1)[:, None]
    undefined = ~np.isfinite(heading).all(axis=1)  # at rest, or reversing
    heading[undefined] = 0.0
    out = ((1.0 - part) * speed_a + part * speed_b)[:, None] * heading
    out[undefined] = a[undefined] if part < 0.5 else b[undefined]
    return out.astype(before.dtype)
