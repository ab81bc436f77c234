"""Flock painter: draws boids in the shape of their flock, flat or, near the camera, as bodies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.model.view import Shape
from murmurate.show.attitude import Attitudes
from murmurate.show.bird import BIRD
from murmurate.show.body import Body
from murmurate.show.body_placing import place_bodies
from murmurate.show.canvas import Canvas
from murmurate.show.fish import FISH
from murmurate.show.outlines import OUTLINES
from murmurate.show.projection import Array, Projection, ScreenPoints
from murmurate.show.sprites import Sprites
from murmurate.show.triangles import draw_meshes

BODIES: dict[Shape, Body] = {"bird": BIRD, "fish": FISH}
NEAR = 8.0  # pixels: longer boids are drawn as bodies, where their shape has one
SHORTEST = 0.4  # the least foreshortening of a flat boid that points at the camera
_AT_ONCE = 2_000  # bodies handled at a time: they stay in the processor's cache


class PlacedBoids(NamedTuple):
    """The boids of a flock on a picture.

    rows      (D, N) offsets from the centre of the view
    length    (N,) float32 pixels of a boid seen from the side; nan: not seen
    strength  (N,) 0 to 1; colour: (N,) uint16 numbers
    seconds   of the film
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
    """Draws the boids of one flock, picture after picture."""

    def __init__(self, shape: Shape, frames_per_second: float, relief: float) -> None:
        self._outline, self._body = OUTLINES[shape], BODIES.get(shape)
        self._sprites = Sprites(shape)
        self._relief = relief
        self._attitudes = Attitudes(frames_per_second)

    def update(self, flock: FlockFrame) -> None:
        """Learn how the flock flies in the next picture."""
        if self._body is not None:
            self._attitudes.update(flock)

    def draw(self, canvas: Canvas, boids: PlacedBoids) -> None:
        near = self._near(boids, canvas.width, canvas.height)
        for some, x, y, depth, corners in self._bodies(boids, near):
            assert self._body is not None
            draw_meshes(
                canvas, x, y, depth, corners, self._body.triangles, self._body.thin,
                boids.strength[some], boids.colour[some], self._relief,
            )  # fmt: skip
        angle, length = self._flat(boids, near)
        x, y = boids.screen.x, boids.screen.y
        self._sprites.draw(canvas, x, y, angle, length, boids.strength, boids.colour)

    def triangles(self, boids: PlacedBoids) -> Iterator[tuple[Array, Array, Array]]:
        """What boids cover: (K,) numbers of boids, (K, T, 3) x and y of triangles in pixels."""
        near = self._near(boids, boids.projection.width, boids.projection.height)
        for some, x, y, *_ in self._bodies(boids, near):
            assert self._body is not None
            yield some, x[:, self._body.triangles], y[:, self._body.triangles]
        angle, length = self._flat(boids, near)
        some = np.flatnonzero(np.isfinite(length))
        along, aside = self._outline.corners[..., 0], self._outline.corners[..., 1]
        cos, sin = (
            (length[some] * turn(np.nan_to_num(angle[some])))[:, None, None]
            for turn in (np.cos, np.sin)
        )
        x, y = (a[some, None, None] for a in (boids.screen.x, boids.screen.y))
        yield some, x + along * cos - aside * sin, y + along * sin + aside * cos

    def _near(self, boids: PlacedBoids, width: int, height: int) -> Array:
        """(K,) numbers of the boids that are drawn as bodies, the farthest first."""
        if self._body is None:
            return np.zeros(0, np.intp)
        x, y, length = boids.screen.x, boids.screen.y, boids.length
        seen = (x > -length) & (x < width + length) & (y > -length) & (y < height + length)
        near = np.flatnonzero(seen & (length >= NEAR))
        depth = boids.screen.depth
        return near if depth is None else near[np.argsort(-depth[near], kind="stable")]

    def _flat(self, boids: PlacedBoids, near: Array) -> tuple[Array, Array]:
        """(N,) angles and lengths of flat boids in the picture; nan for those that are not."""
        angle, seen = boids.projection.heading(boids.rows, boids.screen, boids.flock.velocities)
        length = boids.length
        if seen is not None and not self._outline.round:
            length = length * np.maximum(seen, np.float32(SHORTEST))
        if len(near):
            length = length.copy()
            length[near] = np.nan
        return angle, length

    def _bodies(
        self, boids: PlacedBoids, near: Array
    ) -> Iterator[tuple[Array, Array, Array, Array, Array]]:
        """Numbers of boids (K,); x, y and depth of their corners (K, V); these in the model's axes
        (3, K, V), from where the boids are."""
        flock, projection, body = boids.flock, boids.projection, self._body
        for first in range(0, len(near) if body else 0, _AT_ONCE):
            assert body is not None
            some = near[first : first + _AT_ONCE]
            own = body.pose(flock.ids[some], boids.seconds, flock.perching[some])
            scale = np.asarray(boids.screen.scale, np.float32)
            size = boids.length[some] / (scale[some] if scale.ndim else scale)
            axes = self._attitudes.axes(flock, body.banks, some)
            yield some, *place_bodies(projection, own, size, axes, boids.rows[:, some])
