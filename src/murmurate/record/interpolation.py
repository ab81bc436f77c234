"""Interpolate between two recorded frames by cubic Hermite curves.

A boid's path from one frame to the next is the cubic curve with its recorded positions and
velocities at both ends. On periodic axes it follows the direction of the velocities, also across
the edge. Recorded frames are never changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.model.obstacles import ObstacleShape
from murmurate.model.space import Space
from murmurate.record.codec import Array

MAX_TANGENT = 1.5  # of a tangent, in distances between the frames; boids that jitter exceed it


def interpolate(
    before: Frame, after: Frame, step: int, time: float, obstacles: Mapping[str, ObstacleShape]
) -> Frame:
    """Return the flock at a step between two frames.

    A boid that joins between them is shown from its birth on, and one that leaves until the later
    frame, since its step is not recorded. Both move straight on with their recorded velocity.

    obstacles  name -> shape of each obstacle at that time
    """
    part = (step - before.step) / (after.step - before.step)
    span = after.time - before.time
    flocks = {}
    for flock in before.values():
        moved = after[flock.name]
        if not np.array_equal(flock.ids, moved.ids):
            flock, moved = _match(flock, moved, step, span)
        flocks[flock.name] = _interpolate_flock(flock, moved, part, span, step - before.step)
    return Frame(step, time, before.space, flocks, obstacles)


def _match(
    before: FlockFrame, after: FlockFrame, step: int, span: float
) -> tuple[FlockFrame, FlockFrame]:
    """Return both frames with the boids of the flock at a step, in id order.

    Boids that one of the frames has not are added to it, on a straight line from the other one.
    """
    joined = ~np.isin(after.ids, before.ids)
    kept = np.flatnonzero(~joined | (after.births <= step))
    left = np.flatnonzero(~np.isin(before.ids, after.ids))
    n_ever = before.n_ever + int(joined[kept].sum())
    early = _merge(before, None, after, kept[joined[kept]], -span, n_ever)
    late = _merge(after, kept, before, left, span, n_ever)
    return early, late


def _merge(
    flock: FlockFrame, rows: Array | None, other: FlockFrame, added: Array, span: float, n_ever: int
) -> FlockFrame:
    """Return rows of a flock, and rows of another frame of it moved on by a time, in id order."""
    rows = np.arange(len(flock)) if rows is None else rows
    ids = np.concatenate([flock.ids[rows], other.ids[added]])
    order = np.argsort(ids, kind="stable")

    def merge(own: Array, others: Array) -> Array:
        return np.concatenate([own[rows], others[added]])[order]

    moved = other.positions + np.asarray(span * other.velocities, other.positions.dtype)
    positions = merge(flock.positions, _apply_boundaries(moved, flock.space))
    return replace(
        flock,
        ids=ids[order],
        positions=positions,
        velocities=merge(flock.velocities, other.velocities),
        perch_timers=merge(flock.perch_timers, other.perch_timers),
        memory=merge(flock.memory, other.memory),
        images=None,
        traits={name: merge(values, other.traits[name]) for name, values in flock.traits.items()},
        births=merge(flock.births, other.births),
        n_ever=n_ever,
    )


def _interpolate_flock(
    before: FlockFrame, after: FlockFrame, part: float, span: float, steps: int
) -> FlockFrame:
    is_airborne = before.perch_timers == 0
    positions = _interpolate_positions(before, after, part, span)
    velocities = _interpolate_velocities(before.velocities, after.velocities, part)
    if not is_airborne.all():
        velocities[~is_airborne] = before.velocities[~is_airborne]
    return replace(
        before,
        positions=positions,
        velocities=velocities,
        perch_timers=np.maximum(before.perch_timers - steps, 0),
        images=None,
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
