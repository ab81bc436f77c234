"""Bodies in a picture: posed meshes turned, sized and projected, many boids in one call."""

from __future__ import annotations

import numpy as np
from numba import njit

from murmurate.show.projection import Array, Orthographic, Perspective, Projection


def place_bodies(
    projection: Projection, posed: Array, size: Array, axes: Array, rows: Array
) -> tuple[Array, Array, Array, Array]:
    """x, y and depth of corners (K, V), nan behind the camera; and these corners in the model's
    axes, from where the boids are (3, K, V).

    posed  (3, K, V) float32 corners of boids of length 1 in their own axes
    size   (K,) their lengths, length units
    axes   (3, 3, K) forward, left and up of each
    rows   (D, K) offsets of boids from the centre of the view
    """
    corners, x = np.empty_like(posed), np.empty(posed.shape[1:], np.float32)
    y, depth = np.empty_like(x), np.empty_like(x)
    where = np.zeros((3, len(size)), np.float32)
    where[: len(rows)] = rows
    if isinstance(projection, Perspective):
        seen, scale = projection.axes().astype(np.float32), projection.focal
        distance, near = projection.distance, projection.near
    else:
        assert isinstance(projection, Orthographic)
        seen, scale, distance, near = np.eye(3, dtype=np.float32), projection.zoom, 0.0, 0.0
    lens = np.array([scale, distance, near, 0.5 * projection.width, projection.middle], np.float32)
    _place(
        posed, np.ascontiguousarray(size, np.float32), np.ascontiguousarray(axes, np.float32),
        where, seen, lens, corners, x, y, depth,
    )  # fmt: skip
    return x, y, depth, corners


@njit(cache=True, nogil=True, error_model="numpy")
def _place(posed, size, axes, rows, seen, lens, corners, x, y, depth):  # type: ignore[no-untyped-def]
    """lens: its distance is 0 where the space is flat, and seen from above."""
    scale, distance, near, middle_x, middle_y = lens[0], lens[1], lens[2], lens[3], lens[4]
    for i in range(len(size)):
        for v in range(posed.shape[2]):
            a, b, c = size[i] * posed[0, i, v], size[i] * posed[1, i, v], size[i] * posed[2, i, v]
            for k in range(3):
                corners[k, i, v] = axes[0, k, i] * a + axes[1, k, i] * b + axes[2, k, i] * c
            p, q = rows[0, i] + corners[0, i, v], rows[1, i] + corners[1, i, v]
            r = rows[2, i] + corners[2, i, v]
            across = seen[0, 0] * p + seen[0, 1] * q + seen[0, 2] * r
            up = seen[1, 0] * p + seen[1, 1] * q + seen[1, 2] * r
            pixels, away = scale, -corners[2, i, v]
            if distance > 0.0:
                away = seen[2, 0] * p + seen[2, 1] * q + seen[2, 2] * r + distance
                away = away if away > near else np.float32(np.nan)
                pixels = scale / away
            x[i, v], y[i, v] = middle_x + across * pixels, middle_y - up * pixels
            depth[i, v] = away
