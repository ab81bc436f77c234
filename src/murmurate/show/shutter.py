"""Shutter: the moments that make up a picture while a camera's shutter is open (motion blur)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.show.id_lookup import find_ids
from murmurate.show.projection import (
    Array,
    Orthographic,
    Perspective,
    Projection,
    ScreenPoints,
)

FEWEST, MOST = 4, 32  # moments of a blurred picture: one for each pixel that boids move
LOOKED_AT = 2_000  # boids whose movement is measured


class Moment(NamedTuple):
    """A frame as the camera sees it at a time of the film."""

    frame: Frame
    projection: Orthographic | Perspective
    seconds: float


class Exposure(NamedTuple):
    """A picture: when the shutter closes, and the moments that it is the mean of: that one alone
    where nothing is blurred."""

    now: Moment
    moments: list[Moment]


class Shutter:
    """Open for a part of the time from one picture to the next, which ends with the picture.

    angle  degrees: 360 times that part
    """

    def __init__(self, angle: float, frames_per_second: float) -> None:
        self._open, self._rate = angle / 360.0, frames_per_second
        self._pictures = 0
        self.before: tuple[Frame, Orthographic | Perspective] | None = None
        self._now: tuple[Frame, Orthographic | Perspective] | None = None

    def expose(self, frame: Frame, projection: Orthographic | Perspective) -> Exposure:
        """The next picture."""
        self.before, self._now = self._now, (frame, projection)
        now = Moment(frame, projection, self._pictures / self._rate)
        self._pictures += 1
        if not self._open or self.before is None:
            return Exposure(now, [now])
        old, seen = self.before
        moved = {flock.name: movement(old.flocks.get(flock.name), flock) for flock in frame}

        def ago(part: float) -> Moment:
            seconds = now.seconds - part / self._rate
            return Moment(_back(frame, moved, part), _seen_back(seen, projection, part), seconds)

        count = min(max(math.ceil(_farthest(now, seen, moved) * self._open), FEWEST), MOST)
        return Exposure(now, [ago(self._open * (k + 0.5) / count) for k in range(count)])


def exposed(
    picture: Array, moments: Sequence[Moment], draw: Callable[[Array, Moment], object]
) -> Array:
    """The mean of pictures: `draw` draws a moment on a copy of this one."""
    total = np.zeros(picture.shape, np.uint16)
    for moment in moments:
        one = picture.copy()
        draw(one, moment)
        total += one
    count = len(moments)
    mean: Array = ((total + count // 2) // count).astype(np.uint8)
    return mean


def movement(before: FlockFrame | None, now: FlockFrame) -> tuple[Array, Array]:
    """(N, D) how far each boid came, the shorter way on periodic axes, and (N, D) how its velocity
    changed; zeros for those that were not there."""
    moved, changed = (np.zeros(now.positions.shape) for _ in range(2))
    if before is None:
        return moved, changed
    known, places = find_ids(before.ids, now.ids)
    moved[known] = now.positions[known] - before.positions[places].astype(np.float64)
    changed[known] = now.velocities[known] - before.velocities[places]
    for axis in np.flatnonzero(now.space.periodic):
        side = now.space.size[axis]
        moved[:, axis] -= side * np.round(moved[:, axis] / side)
    return moved, changed


def _back(now: Frame, moved: dict[str, tuple[Array, Array]], ago: float) -> Frame:
    """The flocks a part of the time back, on straight lines."""
    flocks = {
        flock.name: replace(
            flock,
            positions=flock.positions - ago * moved[flock.name][0],
            velocities=flock.velocities - ago * moved[flock.name][1],
        )
        for flock in now
    }
    return replace(now, flocks=flocks)


def _seen_back(
    before: Orthographic | Perspective, now: Orthographic | Perspective, ago: float
) -> Orthographic | Perspective:
    """The camera a part of the time back."""
    centre = tuple(float(c) for c in np.subtract(now.centre, ago * _camera_moved(before, now)))
    if isinstance(now, Orthographic) and isinstance(before, Orthographic):
        return replace(now, centre=centre, zoom=now.zoom + ago * (before.zoom - now.zoom))
    assert isinstance(now, Perspective) and isinstance(before, Perspective)
    turn = (before.azimuth - now.azimuth + math.pi) % (2.0 * math.pi) - math.pi
    return replace(
        now, centre=centre, azimuth=now.azimuth + ago * turn,
        distance=now.distance + ago * (before.distance - now.distance),
    )  # fmt: skip


def _camera_moved(before: Projection, now: Projection) -> Array:
    """(D,) how far the middle of the picture came, the shorter way on periodic axes."""
    away = np.subtract(now.centre, before.centre)
    side = np.array(now.wrap)
    away -= np.where(side > 0, side * np.round(away / np.where(side > 0, side, 1.0)), 0.0)
    return away


def place_before(rows: Array, moved: Array, before: Projection, now: Projection) -> ScreenPoints:
    """Where boids that are now at `rows` (D, N) offsets, and came `moved` (N, D), were on the
    picture before."""
    shift = _camera_moved(before, now)[:, None] - moved.T
    return before.project((rows + shift).astype(np.float32))


def _farthest(now: Moment, before: Projection, moved: dict[str, tuple[Array, Array]]) -> float:
    """How many pixels all but the fastest boids moved since the picture before."""
    found = [0.0]
    for flock in now.frame:
        some = slice(None, None, max(1, len(flock) // LOOKED_AT))
        rows = now.projection.nearest_offsets(flock.positions[some])
        here = now.projection.project(rows)
        there = place_before(rows, moved[flock.name][0][some], before, now.projection)
        far = np.hypot(here.x - there.x, here.y - there.y)
        far = far[np.isfinite(far)]
        if len(far):
            found.append(float(np.quantile(far, 0.95)))
    return max(found)
