"""Shapes of boids in scenes: the beating bodies of films, and rigid shapes.

They have length 1 and point along +X, with their backs at +Z. The corners of a face are
counterclockwise seen from outside.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from murmurate.show.body import BODIES, Body

Array = np.ndarray
Point = tuple[float, float, float]

BEATS = 3.0  # wing beats per second of playing, slow enough for any frame rate
MIN_BEAT_FRAMES = 4
PHASES = 8  # largest number of groups of boids that beat together
SAMPLES = 24  # phases of a beat from which its first harmonic is computed
CIRCLE_CORNERS = 12


@dataclass(frozen=True)
class Shape:
    """Mesh of triangles whose points may oscillate.

    Attributes
    ----------
    name : str
    points : (V, 3)
        Mean positions.
    faces : (F, 3) int
        Indices of points.
    swing : (V, 3, 2)
        Displacement of each point per sine and per cosine of the phase.
    folded : (V, 3)
        Points of a boid on the ground.
    """

    name: str
    points: Array
    faces: Array
    swing: Array
    folded: Array

    @property
    def beats(self) -> bool:
        """Return whether any point moves."""
        return bool(self.swing.any())

    @property
    def bounds(self) -> Array:
        """Return the smallest and the largest coordinates (2, 3) at any phase."""
        reach = np.hypot(self.swing[..., 0], self.swing[..., 1])
        return np.stack([(self.points - reach).min(axis=0), (self.points + reach).max(axis=0)])

    def at(self, phase: float) -> Array:
        """Return the points (V, 3) at a phase of the beat in radians."""
        return self.points + self.swing @ [math.sin(phase), math.cos(phase)]


def beat_frames(frames_per_second: float) -> int:
    """Return the number of frames of a wing beat."""
    return max(MIN_BEAT_FRAMES, round(frames_per_second / BEATS))


def phase_numbers(ids: Array, phases: int) -> Array:
    """Return the group (N,), 0 to phases - 1, that each boid beats with.

    Multiples of the golden ratio separate boids with consecutive ids.
    """
    golden = (math.sqrt(5) - 1) / 2
    return (phases * (np.asarray(ids, float) * golden % 1.0)).astype(np.int32)


def _from_body(name: str, body: Body) -> Shape:
    """Return a body of films with the first harmonic of its beat.

    Scenes move points along ellipses only.
    """
    angles = 2 * np.pi * np.arange(SAMPLES) / SAMPLES
    corners = body.beat(angles).astype(float).transpose(2, 0, 1)  # (V, 3, samples)
    basis = np.stack([np.sin(angles), np.cos(angles)], axis=1)
    swing = 2 / SAMPLES * corners @ basis
    swing[np.abs(swing) < 1e-6] = 0.0
    return Shape(name, corners.mean(axis=2), body.triangles, swing, body.rest().T.astype(float))


def _rigid(name: str, triangles: Sequence[Sequence[Point]]) -> Shape:
    """Return a rigid shape of triangles. Equal corners are merged."""
    corners = np.array(triangles, float).reshape(-1, 3)
    points, faces = np.unique(corners.round(9), axis=0, return_inverse=True)
    return Shape(name, points, faces.reshape(-1, 3), np.zeros((*points.shape, 2)), points)


def _dart() -> Shape:
    nose, wing, tail = (0.6, 0.0, 0.0), (-0.4, 0.3, 0.02), -0.22
    back, keel = (tail, 0.0, 0.1), (tail, 0.0, -0.05)
    left = [(nose, wing, back), (nose, keel, wing), (wing, keel, back)]
    right = [tuple((x, -y, z) for x, y, z in reversed(triangle)) for triangle in left]
    return _rigid("dart", [*left, *right])


def _revolve(name: str, outline: Sequence[tuple[float, float]]) -> Shape:
    """Return the solid of revolution about the X axis of an outline (x, radius), nose to tail."""
    angles = 2 * np.pi * np.arange(CIRCLE_CORNERS) / CIRCLE_CORNERS
    rings = [
        [
            (round(x, 9), round(r * math.cos(a), 9) + 0.0, round(r * math.sin(a), 9) + 0.0)
            for a in angles.tolist()
        ]
        for x, r in outline
    ]
    triangles = []
    for front, rear in pairwise(rings):
        for k in range(CIRCLE_CORNERS):
            a, b, c, d = (
                front[k],
                front[(k + 1) % CIRCLE_CORNERS],
                rear[k],
                rear[(k + 1) % CIRCLE_CORNERS],
            )
            triangles += [corners for corners in ((a, c, d), (a, d, b)) if len(set(corners)) == 3]
    return _rigid(name, triangles)


_ARROW = ((0.5, 0.0), (0.1, 0.2), (0.1, 0.06), (-0.5, 0.06), (-0.5, 0.0))
_BALL = [(0.36 * math.cos(k * math.pi / 8), 0.36 * math.sin(k * math.pi / 8)) for k in range(9)]
SHAPES = {
    shape.name: shape
    for shape in (
        *(_from_body(name, body) for name, body in BODIES.items()), _dart(),
        _revolve("arrow", _ARROW), _revolve("disc", _BALL),
    )
}  # fmt: skip
"""Shapes by the words of `murmurate.model.view.Look.shape`; a disc is a ball."""


def shape_of(word: str, dims: int) -> Shape:
    """Return the shape of a look; "auto" is a bird in 3-D and a dart in 2-D."""
    return SHAPES[("bird" if dims == 3 else "dart") if word == "auto" else word]
