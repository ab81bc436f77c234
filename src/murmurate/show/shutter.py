"""Blur motion: a picture is the mean over the times at which the shutter of the camera is open.

This module also computes the movement of boids between two pictures, identified by id.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.show.projection import (
    Array,
    Orthographic,
    Perspective,
    Projection,
    ScreenPoints,
)

MIN_SAMPLES, MAX_SAMPLES = 4, 32  # of a blurred picture: one per pixel that boids move
MAX_MEASURED = 2_000  # boids whose movement is measured


class Snapshot(NamedTuple):
    """A frame and its projection at a time of the film."""

    frame: Frame
    projection: Orthographic | Perspective
    seconds: float


class Exposure(NamedTuple):
    """A picture: the snapshot when the shutter closes, and the snapshots that are averaged."""

    closing: Snapshot
    samples: list[Snapshot]


Movement = tuple[Array, Array]  # displacements (N, D) and changes of velocity (N, D)


class Shutter:
    """A shutter that is open for a part of the time between pictures, up to the later one.

    angle  shutter angle in degrees: 360 times that part
    before  those of the previous picture
    """

    def __init__(self, angle: float, frames_per_second: float) -> None:
        self._open, self._rate = angle / 360.0, frames_per_second
        self._pictures = 0
        self.before: tuple[Frame, Orthographic | Perspective] | None = None
        self._latest: tuple[Frame, Orthographic | Perspective] | None = None

    def expose(self, frame: Frame, projection: Orthographic | Perspective) -> Exposure:
        """Return the snapshots of the next picture."""
        self.before, self._latest = self._latest, (frame, projection)
        closing = Snapshot(frame, projection, self._pictures / self._rate)
        self._pictures += 1
        if not self._open or self.before is None:
            return Exposure(closing, [closing])
        old_frame, old_projection = self.before
        moves = {name: movement(old_frame.get(name), flock) for name, flock in frame.items()}

        def rewind(part: float) -> Snapshot:
            return Snapshot(
                _rewind_frame(frame, moves, part),
                _rewind_projection(old_projection, projection, part),
                closing.seconds - part / self._rate,
            )

        pixels = _screen_distance(closing, old_projection, moves) * self._open
        count = min(max(math.ceil(pixels), MIN_SAMPLES), MAX_SAMPLES)
        return Exposure(closing, [rewind(self._open * (k + 0.5) / count) for k in range(count)])


def average(
    picture: Array, samples: Sequence[Snapshot], draw: Callable[[Array, Snapshot], object]
) -> Array:
    """Return the mean of pictures. `draw` draws a snapshot on a copy of `picture`."""
    total = np.zeros_like(picture, np.uint16)
    for snapshot in samples:
        copy = picture.copy("K")
        draw(copy, snapshot)
        total += copy
    count = len(samples)
    return ((total + count // 2) // count).astype(np.uint8)


def movement(before: FlockFrame | None, flock: FlockFrame) -> Movement:
    """Return how boids moved between two frames.

    displacement  (N, D) minimum image along periodic axes; 0 for boids that were not there, or not
        seen, before
    change  (N, D) change of the velocity; 0 for these boids
    """
    displacement, change = (np.zeros(flock.positions.shape) for _ in range(2))
    if before is None:
        return displacement, change
    present, rows = find_ids(before.ids, flock.ids)
    old = before.positions[rows].astype(np.float64)
    displacement[present] = flock.positions[present] - old
    change[present] = flock.velocities[present] - before.velocities[rows]
    for moved in (displacement, change):  # animals that were not seen before have nan there
        moved[~np.isfinite(moved)] = 0.0
    return flock.space.minimum_image(displacement), change


def find_ids(ids: Array, queries: Array) -> tuple[Array, Array]:
    """Look up ids in ascending ids.

    ids  (M,) ascending ids
    queries  (N,)
    present  (N,) whether each query is among the ids
    rows  (K,) rows of the K queries that are
    """
    if not len(ids):
        return np.zeros(len(queries), bool), np.zeros(0, np.intp)
    rows = np.minimum(np.searchsorted(ids, queries), len(ids) - 1)
    present = ids[rows] == queries
    return present, rows[present]


def _rewind_frame(frame: Frame, moves: Mapping[str, Movement], part: float) -> Frame:
    """Move the flocks back along straight lines, by a part of the time between pictures."""
    flocks = {
        flock.name: replace(
            flock,
            positions=flock.positions - part * moves[flock.name][0],
            velocities=flock.velocities - part * moves[flock.name][1],
        )
        for flock in frame.values()
    }
    return replace(frame, flocks=flocks)


def _rewind_projection(
    before: Orthographic | Perspective, latest: Orthographic | Perspective, part: float
) -> Orthographic | Perspective:
    """Move the camera back by a part of the time between pictures."""
    shift = part * _camera_shift(before, latest)
    centre = tuple(float(c) for c in np.subtract(latest.centre, shift))
    if isinstance(latest, Orthographic) and isinstance(before, Orthographic):
        return replace(latest, centre=centre, zoom=latest.zoom + part * (before.zoom - latest.zoom))
    assert isinstance(latest, Perspective) and isinstance(before, Perspective)
    turn = (before.azimuth - latest.azimuth + math.pi) % (2.0 * math.pi) - math.pi
    return replace(
        latest, centre=centre, azimuth=latest.azimuth + part * turn,
        distance=latest.distance + part * (before.distance - latest.distance),
    )  # fmt: skip


def _camera_shift(before: Projection, latest: Projection) -> Array:
    """Return the displacement (D,) of the view's centre, the minimum image on periodic axes."""
    shift = np.subtract(latest.centre, before.centre)
    side = np.array(latest.wrap)
    shift -= np.where(side > 0, side * np.round(shift / np.where(side > 0, side, 1.0)), 0.0)
    return shift


def project_before(
    rows: Array, displacement: Array, before: Projection, latest: Projection
) -> ScreenPoints:
    """Return where boids were on the previous picture.

    `rows` are (D, N) present offsets from the view's centre, and `displacement` is (N, D).
    """
    shift = _camera_shift(before, latest)[:, None] - displacement.T
    return before.project((rows + shift).astype(np.float32))


def _screen_distance(closing: Snapshot, before: Projection, moves: Mapping[str, Movement]) -> float:
    """Return the 95 % quantile of the movement on screen since the previous picture, pixels."""
    distances = [0.0]
    for flock in closing.frame.values():
        sample = slice(None, None, max(1, len(flock) // MAX_MEASURED))
        rows = closing.projection.nearest_offsets(flock.positions[sample])
        new = closing.projection.project(rows)
        old = project_before(rows, moves[flock.name][0][sample], before, closing.projection)
        pixels = np.hypot(new.x - old.x, new.y - old.y)
        pixels = pixels[np.isfinite(pixels)]
        if len(pixels):
            distances.append(float(np.quantile(pixels, 0.95)))
    return max(distances)
