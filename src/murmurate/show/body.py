"""Body: a mesh of a boid of length 1 whose parts move, and the pose of each boid at a time."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

Array = np.ndarray

# Fractions by which numbers of boids are spread evenly over 0 to 1: powers of the plastic ratio's
# inverse, see M. Roberts, "The unreasonable effectiveness of quasirandom sequences" (2018).
_SPREAD = (0.7548776662466927, 0.5698402909980532, 0.4301597090019468)


class Body(NamedTuple):
    """A mesh that flies along +X, its left to +Y and its back to +Z, its nose near x = 0.5.

    triangles  (T, 3) numbers of corners; from outside, or above, they turn left
    thin       (T,) whether a triangle is seen from both sides, as wings are
    pose       (ids (N,), seconds of film, resting (N,)) -> (3, N, V) float32 corners
    banks      whether it leans into its turns
    beat       radians (K,) -> (3, K, V) corners at these moments of a beat with all its strength
    rest       (3, V) corners of a boid that stands on the ground
    """

    triangles: Array
    thin: Array
    pose: Callable[[Array, float, Array], Array]
    banks: bool
    beat: Callable[[Array], Array]
    rest: Array


def own_number(ids: Array, which: int) -> Array:
    """(N,) a number of each boid's own, 0 to 1, the same in every film."""
    return np.asarray(ids * _SPREAD[which]) % 1.0


def spindle(stations: Sequence[tuple[float, float, float, float]]) -> tuple[Array, Array]:
    """Corners and triangles of a closed body with square rings, from nose to tail.

    stations  x, height of the middle, half width, half height; a point at the first and the last
    """
    points: list[tuple[float, float, float]] = []
    rings: list[list[int]] = []
    for x, z, wide, high in stations:
        ring = [(x, 0.0, z + high), (x, wide, z), (x, 0.0, z - high), (x, -wide, z)]
        ring = ring if wide else ring[:1]
        rings.append([len(points) + k for k in range(len(ring))])
        points += ring
    triangles = []
    for front, back in itertools.pairwise(rings):
        for k in range(4):
            a, b = front[k % len(front)], front[(k + 1) % len(front)]
            c, d = back[k % len(back)], back[(k + 1) % len(back)]
            if a != b:
                triangles.append((a, b, d))
            if c != d:
                triangles.append((a, d, c))
    return np.array(points), np.array(triangles)
