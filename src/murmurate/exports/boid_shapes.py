"""Shapes of boids in scenes: the bodies of films, whose wings and tails beat, and still ones.

Of length 1; they fly along +X, their backs to +Z. Corners of a face turn left, seen from outside.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from murmurate.show.body import BIRD, FISH, Body

Array = np.ndarray
Point = tuple[float, float, float]

BEATS = 3.0  # of wings, a second of playing: slow enough for every film to show them
FEWEST = 4  # frames of a beat, however few there are in a second
PHASES = 8  # boids that beat together are so many groups at most
MOMENTS = 24  # of a beat, by which its swing is found
AROUND = 12  # corners of what is round


@dataclass(frozen=True)
class Shape:
    """A mesh of triangles, whose points swing as wings do.

    points  (V, 3) in the middle of their swing
    faces   (F, 3) numbers of points
    swing   (V, 3, 2) how far each point is moved at a phase: times its sine, and times its cosine
    folded  (V, 3) points of a boid that stands on the ground
    """

    name: str
    points: Array
    faces: Array
    swing: Array
    folded: Array

    @property
    def beats(self) -> bool:
        """Whether anything of it moves."""
        return bool(self.swing.any())

    @property
    def bounds(self) -> Array:
        """(2, 3) the smallest and the largest of all points, at any phase."""
        reach = np.hypot(self.swing[..., 0], self.swing[..., 1])
        return np.stack([(self.points - reach).min(axis=0), (self.points + reach).max(axis=0)])

    def at(self, phase: float) -> Array:
        """(V, 3) points at a phase of the beat, radians."""
        moved: Array = self.points + self.swing @ [math.sin(phase), math.cos(phase)]
        return moved


def beat_frames(frames_per_second: float) -> int:
    """Frames from one beat of the wings to the next."""
    return max(FEWEST, round(frames_per_second / BEATS))


def phase_numbers(ids: Array, phases: int) -> Array:
    """(N,) the group, 0 to phases - 1, that each boid beats with: neighbours by number are far
    apart (multiples of the golden ratio)."""
    golden = (math.sqrt(5) - 1) / 2
    return (phases * (np.asarray(ids, float) * golden % 1.0)).astype(np.int32)


def normals(corners: Array) -> Array:
    """(F, 3, 3) corners of faces -> (F, 3, 3) float32 unit normals, the same at each corner."""
    a, b, c = corners.astype(float).transpose(1, 0, 2)
    across = np.cross(b - a, c - a)
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    return np.repeat(across[:, None, :], 3, axis=1).astype(np.float32)


def _of_body(name: str, body: Body) -> Shape:
    """A body of films, whose beat is cut down to its first harmonic: scenes move points on lines
    and circles."""
    angles = 2 * np.pi * np.arange(MOMENTS) / MOMENTS
    corners = body.beat(angles).astype(float).transpose(2, 0, 1)  # (V, 3, moments)
    turns = np.stack([np.sin(angles), np.cos(angles)], axis=1)
    swing = 2 / MOMENTS * corners @ turns
    swing[np.abs(swing) < 1e-6] = 0.0
    return Shape(name, corners.mean(axis=2), body.triangles, swing, body.rest.T.astype(float))


def _still(name: str, triangles: Sequence[Sequence[Point]]) -> Shape:
    """Of triangles; points at the same place become one."""
    corners = np.array(triangles, float).reshape(-1, 3)
    points, faces = np.unique(corners.round(9), axis=0, return_inverse=True)
    return Shape(name, points, faces.reshape(-1, 3), np.zeros((*points.shape, 2)), points)


def _dart() -> Shape:
    nose, wing, tail = (0.6, 0.0, 0.0), (-0.4, 0.3, 0.02), -0.22
    back, keel = (tail, 0.0, 0.1), (tail, 0.0, -0.05)
    left = [(nose, wing, back), (nose, keel, wing), (wing, keel, back)]
    right = [tuple((x, -y, z) for x, y, z in reversed(one)) for one in left]
    return _still("dart", [*left, *right])


def _turned(name: str, outline: Sequence[tuple[float, float]]) -> Shape:
    """An outline (x, radius), from the nose to the tail, turned about the X axis."""
    angles = 2 * np.pi * np.arange(AROUND) / AROUND
    rings = [
        [
            (round(x, 9), round(r * math.cos(a), 9) + 0.0, round(r * math.sin(a), 9) + 0.0)
            for a in angles.tolist()
        ]
        for x, r in outline
    ]
    triangles = []
    for front, rear in pairwise(rings):
        for k in range(AROUND):
            a, b, c, d = front[k], front[(k + 1) % AROUND], rear[k], rear[(k + 1) % AROUND]
            triangles += [one for one in ((a, c, d), (a, d, b)) if len(set(one)) == 3]
    return _still(name, triangles)


_ARROW = ((0.5, 0.0), (0.1, 0.2), (0.1, 0.06), (-0.5, 0.06), (-0.5, 0.0))
_BALL = [(0.36 * math.cos(k * math.pi / 8), 0.36 * math.sin(k * math.pi / 8)) for k in range(9)]
SHAPES = {
    shape.name: shape
    for shape in (
        _of_body("bird", BIRD), _of_body("fish", FISH), _dart(), _turned("arrow", _ARROW),
        _turned("disc", _BALL),
    )
}  # fmt: skip
"""By the words of `murmurate.model.view.Look.shape`; a disc is a ball."""


def shape_of(word: str, dims: int) -> Shape:
    """Of a flock's look; auto: birds in space, darts in the plane."""
    return SHAPES[("bird" if dims == 3 else "dart") if word == "auto" else word]
