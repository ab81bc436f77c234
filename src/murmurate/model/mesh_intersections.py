"""Find where a surface of triangles intersects itself.

Two triangles without a common vertex intersect if an edge of one passes through the other. Pairs
come from a sort of bounding boxes along one axis. Triangles that share a vertex touch there and are
not compared.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

CHUNK = 200_000  # pairs at a time
NEAR = 1e-9
"""Part of an edge, or of a triangle, by which a touch does not count as an intersection."""


def find_intersection(points: np.ndarray, triangles: np.ndarray) -> np.ndarray | None:
    """Return a point (3,) in which a surface intersects itself, or None.

    Parameters
    ----------
    points : ndarray of shape (V, 3)
    triangles : ndarray of shape (F, 3)
    """
    corners = points[triangles]
    for first, second in _pairs(corners):
        apart = ~(triangles[first][:, :, None] == triangles[second][:, None, :]).any(axis=(1, 2))
        first, second = first[apart], second[apart]
        for a, b in ((first, second), (second, first)):
            for k in range(3):
                begin, end = corners[a, k], corners[a, (k + 1) % 3]
                crossed, at = _crossings(begin, end, corners[b])
                if crossed.any():
                    point: np.ndarray = at[crossed][0]
                    return point
    return None


def _pairs(corners: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield pairs of triangles whose bounding boxes overlap, in chunks.

    Boxes are sorted along the longest axis; a box is compared with those that begin within it.
    """
    lower, upper = corners.min(axis=1), corners.max(axis=1)
    axis = int(np.argmax(upper.max(axis=0) - lower.min(axis=0)))
    order = np.argsort(lower[:, axis], kind="stable")
    lower, upper = lower[order], upper[order]
    last = np.searchsorted(lower[:, axis], upper[:, axis], side="right")
    counts = last - np.arange(len(order)) - 1
    begin = 0
    while begin < len(order):
        sums = np.cumsum(counts[begin:])
        end = begin + max(1, int(np.searchsorted(sums, CHUNK)))
        n = counts[begin:end]
        first = np.repeat(np.arange(begin, end), n)
        starts = np.repeat(np.cumsum(n) - n, n)
        second = first + 1 + np.arange(len(first)) - starts
        overlap = (lower[first] <= upper[second]).all(axis=1)
        overlap &= (lower[second] <= upper[first]).all(axis=1)
        yield order[first[overlap]], order[second[overlap]]
        begin = end


def _crossings(
    begin: np.ndarray, end: np.ndarray, corners: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return which edges (N, 3) pass through which triangles (N, 3, 3), and where.

    Moller and Trumbore 1997, doi:10.1080/10867651.1997.10487468.
    """
    way = end - begin
    side1, side2 = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    across = np.cross(way, side2)
    size = np.einsum("ij,ij->i", side1, across)
    offset = begin - corners[:, 0]
    other = np.cross(offset, side1)
    with np.errstate(divide="ignore", invalid="ignore"):
        u = np.einsum("ij,ij->i", offset, across) / size
        v = np.einsum("ij,ij->i", way, other) / size
        t = np.einsum("ij,ij->i", side2, other) / size
        inside = (u >= -NEAR) & (v >= -NEAR) & (u + v <= 1.0 + NEAR)
        crossed = inside & (t >= -NEAR) & (t <= 1.0 + NEAR) & np.isfinite(t)
    return crossed, begin + np.where(crossed, t, 0.0)[:, None] * way
