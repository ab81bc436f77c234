"""Shapes of boids in scenes: a small bird that flaps its wings, and a dart for flat flocks.

Of length 1; they fly along +X, their backs to +Z. Corners of a face turn left, seen from outside.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

Array = np.ndarray
Point = tuple[float, float, float]

BEATS = 3.0  # of the wings, a second of playing: slow enough for every film to show them
FEWEST = 4  # frames of a beat, however few there are in a second
PHASES = 8  # birds that flap together are so many groups at most
SWING = 0.34  # how far a wing tip rises above its middle height
LAG = 0.9  # radians that the tip is later than the root

# Stations of the bird's body, from beak to tail: x, half width, height of the back and the belly.
BODY = [(0.38, 0.05, 0.055, 0.03), (0.30, 0.055, 0.06, 0.045), (0.12, 0.1, 0.085, 0.1),
        (-0.12, 0.085, 0.075, 0.075), (-0.32, 0.03, 0.035, 0.025)]  # fmt: skip
BEAK = (0.5, 0.0, 0.0)
TAIL = [(-0.3, 0.03, 0.005), (-0.5, 0.1, 0.0), (-0.48, 0.0, 0.005)]
# The left wing, from its root to its tip: the leading and the trailing edge.
WING = [((0.21, 0.07, 0.04), (-0.1, 0.07, 0.03)), ((0.25, 0.34, 0.07), (-0.05, 0.36, 0.055)),
        ((0.12, 0.62, 0.06), (-0.1, 0.55, 0.05))]  # fmt: skip
TIP = (-0.17, 0.86, 0.04)
ROOT, SPAN = 0.1, TIP[1]  # so far from the middle the wing begins to swing, and ends


@dataclass(frozen=True)
class Shape:
    """A mesh of triangles, whose points rise and fall as wings do.

    points  (V, 3) at the middle height of a beat
    faces   (F, 3) numbers of points
    swing   (V, 2) how far each point is lifted at a phase: times its sine, and times its cosine
    """

    name: str
    points: Array
    faces: Array
    swing: Array

    def at(self, phase: float) -> Array:
        """(V, 3) points at a phase of the beat, radians."""
        out = self.points.copy()
        out[:, 2] += self.swing @ [math.sin(phase), math.cos(phase)]
        return out

    @property
    def bounds(self) -> Array:
        """(2, 3) the smallest and the largest of all points, at any phase."""
        lift = np.zeros_like(self.points)
        lift[:, 2] = np.hypot(*self.swing.T)
        return np.stack([(self.points - lift).min(axis=0), (self.points + lift).max(axis=0)])

    @property
    def folded(self) -> Array:
        """(V, 3) points with the wings laid on the back, as of a bird that stands."""
        out = self.points.copy()
        part = _along_wing(self.points[:, 1])
        wing = part > 0
        side, part = np.sign(out[wing, 1]), part[wing]
        out[wing, 0] -= 0.25 * part
        out[wing, 1] = side * (0.8 * ROOT + 0.03 * np.sin(math.pi * part))
        out[wing, 2] = WING[0][0][2]
        return out


def beat_frames(frames_per_second: float) -> int:
    """Frames from one beat of the wings to the next."""
    return max(FEWEST, round(frames_per_second / BEATS))


def phase_numbers(ids: Array, phases: int) -> Array:
    """(N,) the group, 0 to phases - 1, that each boid flaps with: neighbours by number are far
    apart (multiples of the golden ratio)."""
    golden = (math.sqrt(5) - 1) / 2
    return (phases * (np.asarray(ids, float) * golden % 1.0)).astype(np.int32)


def normals(corners: Array) -> Array:
    """(F, 3, 3) corners of faces -> (F, 3, 3) float32 unit normals, the same at each corner."""
    a, b, c = corners.astype(float).transpose(1, 0, 2)
    across = np.cross(b - a, c - a)
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    return np.repeat(across[:, None, :], 3, axis=1).astype(np.float32)


def _along_wing(across: Array) -> Array:
    """0 from the middle to the root of the wing, 1 at its tip."""
    return np.clip((np.abs(across) - ROOT) / (SPAN - ROOT), 0.0, 1.0)


def _shape(name: str, triangles: Sequence[Sequence[Point]]) -> Shape:
    """Of triangles; points at the same place become one."""
    corners = np.array(triangles, float).reshape(-1, 3)
    points, faces = np.unique(corners.round(9), axis=0, return_inverse=True)
    part = _along_wing(points[:, 1])
    swing = SWING * part[:, None] * np.stack([np.cos(LAG * part), -np.sin(LAG * part)], axis=1)
    return Shape(name, points, faces.reshape(-1, 3), swing)


def _mirrored(left: Sequence[Sequence[Point]]) -> list[Sequence[Point]]:
    """Triangles, and the same on the right."""
    return [*left, *([(x, -y, z) for x, y, z in reversed(one)] for one in left)]


def _bird() -> Shape:
    # of the left half: the middle of the back, the shoulder, the flank and the middle of the belly
    rings = [
        ((x, 0.0, back), (x, 0.8 * wide, 0.55 * back), (x, wide, -0.2 * belly), (x, 0.0, -belly))
        for x, wide, back, belly in BODY
    ]
    left: list[Sequence[Point]] = []
    for a, b in pairwise(rings[0]):
        left.append((BEAK, b, a))
    for front, rear in pairwise(rings):
        for k in range(3):
            left += [(front[k], front[k + 1], rear[k]), (front[k + 1], rear[k + 1], rear[k])]
    left += [(rings[-1][0], rings[-1][1], rings[-1][2]), (rings[-1][0], rings[-1][2], rings[-1][3])]
    left.append((TAIL[0], TAIL[1], TAIL[2]))
    left.append((TAIL[0], TAIL[2], (TAIL[0][0], 0.0, TAIL[0][2])))
    for (lead, trail), (far_lead, far_trail) in pairwise(WING):
        left += [(lead, far_lead, trail), (far_lead, far_trail, trail)]
    left.append((WING[-1][0], TIP, WING[-1][1]))
    return _shape("bird", _mirrored(left))


def _dart() -> Shape:
    nose, wing, tail = (0.6, 0.0, 0.0), (-0.4, 0.3, 0.02), -0.22
    back, keel = (tail, 0.0, 0.1), (tail, 0.0, -0.05)
    made = _shape("dart", _mirrored([(nose, wing, back), (nose, keel, wing), (wing, keel, back)]))
    return Shape(made.name, made.points, made.faces, np.zeros_like(made.swing))


BIRD, DART = _bird(), _dart()


def shape_of(dims: int) -> Shape:
    """What flies in so many dimensions: birds in space, darts in the plane."""
    return BIRD if dims == 3 else DART
