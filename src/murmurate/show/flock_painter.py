"""Draw boids in the shape of their flock: flat, or as meshes near the camera."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.model.view import Shape
from murmurate.show.body import BODIES
from murmurate.show.canvas import Canvas
from murmurate.show.meshes import draw_meshes, place_bodies
from murmurate.show.orientation import Orientation
from murmurate.show.projection import Array, Projection, ScreenPoints
from murmurate.show.sprites import OUTLINES, Sprites

MIN_BODY_LENGTH = 8.0  # pixels; longer boids are drawn as meshes if their shape has one
MIN_FORESHORTENING = 0.4  # of a flat boid that points at the camera
UPRIGHT = math.radians(34.0)  # from the ground to the axis of a perching bird
_BATCH = 2_000  # meshes per batch, which fit in the processor's cache


class PlacedBoids(NamedTuple):
    """The boids of a flock in a picture.

    rows  (D, N) offsets from the centre of the view, length units
    length  (N,) length in pixels of a boid seen from the side; nan for hidden boids
    strength  (N,) from 0 to 1
    colour  (N,)
    seconds  time of the film
    """

    flock: FlockFrame
    projection: Projection
    rows: Array
    screen: ScreenPoints
    length: Array
    strength: Array
    colour: Array
    seconds: float


class FlockPainter:
    """Draw the boids of one flock, one picture at a time. Perching boids are upright."""

    def __init__(self, shape: Shape, frames_per_second: float, relief: float) -> None:
        self.shape = shape
        self._outline, self._body = OUTLINES[shape], BODIES.get(shape)
        self._sprites = Sprites(shape)
        self._relief = relief
        self._orientation = Orientation(
            frames_per_second, self._body is not None and self._body.banks
        )

    def update(self, flock: FlockFrame) -> None:
        """Update the orientations of the boids for the next picture."""
        if self._body is not None:
            self._orientation.update(flock.ids, flock.velocities)

    def draw(self, canvas: Canvas, boids: PlacedBoids) -> None:
        """Draw the boids on the canvas."""
        near = self._near(boids, canvas.width, canvas.height)
        for batch, x, y, depth, corners in self._bodies(boids, near):
            assert self._body is not None
            draw_meshes(
                canvas, x, y, depth, corners, self._body, boids.length[batch],
                boids.strength[batch], boids.colour[batch], self._relief,
            )  # fmt: skip
        angle, length = self._flat(boids, near)
        x, y = boids.screen.x, boids.screen.y
        self._sprites.draw(canvas, x, y, angle, length, boids.strength, boids.colour)

    def triangles(self, boids: PlacedBoids) -> Iterator[tuple[Array, Array, Array]]:
        """Yield the triangles that boids cover.

        Each item is rows of boids (K,), and x and y (K, T, 3) of their triangles in pixels.
        """
        near = self._near(boids, boids.projection.width, boids.projection.height)
        for batch, x, y, *_ in self._bodies(boids, near):
            assert self._body is not None
            yield batch, x[:, self._body.triangles], y[:, self._body.triangles]
        angle, length = self._flat(boids, near)
        flat = np.flatnonzero(np.isfinite(length))
        along, aside = self._outline.corners[..., 0], self._outline.corners[..., 1]
        cos, sin = (
            (length[flat] * function(np.nan_to_num(angle[flat])))[:, None, None]
            for function in (np.cos, np.sin)
        )
        x, y = (a[flat, None, None] for a in (boids.screen.x, boids.screen.y))
        yield flat, x + along * cos - aside * sin, y + along * sin + aside * cos

    def _near(self, boids: PlacedBoids, width: int, height: int) -> Array:
        """Return the rows (K,) of the boids that are drawn as meshes, the farthest first."""
        if self._body is None:
            return np.zeros(0, np.intp)
        x, y, length = boids.screen.x, boids.screen.y, boids.length
        visible = (x > -length) & (x < width + length) & (y > -length) & (y < height + length)
        near = np.flatnonzero(visible & (length >= MIN_BODY_LENGTH))
        depth = boids.screen.depth
        return near if depth is None else near[np.argsort(-depth[near], kind="stable")]

    def _flat(self, boids: PlacedBoids, near: Array) -> tuple[Array, Array]:
        """Return (N,) angles and lengths of flat boids in the picture; nan for the others."""
        angle, foreshortening = boids.projection.heading(
            boids.rows, boids.screen, boids.flock.velocities
        )
        length = boids.length
        if foreshortening is not None and not self._outline.round:
            length = length * np.maximum(foreshortening, np.float32(MIN_FORESHORTENING))
        if len(near):
            length = length.copy()
            length[near] = np.nan
        return angle, length

    def _bodies(
        self, boids: PlacedBoids, near: Array
    ) -> Iterator[tuple[Array, Array, Array, Array, Array]]:
        """Yield batches of meshes.

        Each item is rows of boids (K,), x, y and depth of their corners (K, V), and these corners
        relative to the boids in the axes of the model (3, K, V).
        """
        flock, projection, body = boids.flock, boids.projection, self._body
        for first in range(0, len(near) if body else 0, _BATCH):
            assert body is not None
            batch = near[first : first + _BATCH]
            posed = body.pose(flock.ids[batch], boids.seconds, flock.perching[batch])
            scale = np.asarray(boids.screen.scale, np.float32)
            size = boids.length[batch] / (scale[batch] if scale.ndim else scale)
            axes = self._orientation.axes(flock.velocities[batch], batch)
            rows = boids.rows[:, batch]
            if len(rows) == 3 and flock.perching[batch].any():
                axes, rows = _set_down(flock.perching[batch], axes, rows, size)
            yield batch, *place_bodies(projection, posed, size, axes, rows)


def _set_down(resting: Array, axes: Array, rows: Array, size: Array) -> tuple[Array, Array]:
    """Return axes (3, 3, K) and offsets (3, K) with resting boids upright on the ground.

    They keep the horizontal part of their headings.
    """
    left = axes[1]
    level = np.array([left[1], -left[0], np.zeros_like(left[0])])
    level /= np.maximum(np.sqrt((level * level).sum(axis=0)), 1e-6)
    level *= np.where((level * axes[0]).sum(axis=0) < 0, -1, 1)  # of one on its back
    cos, sin = math.cos(UPRIGHT), math.sin(UPRIGHT)
    vertical = np.array([[0.0], [0.0], [1.0]], np.float32)
    sitting = np.stack([cos * level + sin * vertical, left, cos * vertical - sin * level])
    sitting[1] = [-level[1], level[0], level[2]]
    still = resting > 0
    lifted = rows.copy()
    lifted[2, still] += np.float32(0.5 * sin) * size[still]
    return np.where(still, sitting, axes).astype(np.float32), lifted
