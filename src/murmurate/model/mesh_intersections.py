"""Find where a surface of triangles intersects itself.

Two triangles without a common vertex intersect if an edge of one passes through the other.
Triangles that share a vertex touch there and are not compared. Space is divided into boxes until
each holds few triangles, or triangles that all share a vertex; pairs are compared within boxes.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from murmurate.errors import ModelError

FEW = 200  # triangles of a box that is not divided
MAX_WORK = (
    100_000_000  # pairs in all boxes, and SORTING for each triangle of each box: some seconds
)
SORTING = 20
NEAR = 1e-9
"""Part of an edge, or of a triangle, by which a touch does not count as an intersection."""


def find_intersection(
    points: np.ndarray, triangles: np.ndarray, max_work: int = MAX_WORK
) -> np.ndarray | None:
    """Return a point (3,) in which a surface intersects itself, or None.

    points  (V, 3)
    triangles  (F, 3)
    max_work  largest number of pairs that are compared, and SORTING for each triangle of each box
    raises ModelError  for triangles that are too crowded to be compared
    """
    corners = points[triangles]
    for first, second in _pairs(corners, triangles, max_work):
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


def _pairs(
    corners: np.ndarray, triangles: np.ndarray, max_work: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield pairs of triangles in a box whose bounding boxes overlap; too many raise ModelError."""
    boxes = [(np.arange(len(corners)), corners.min(axis=1), corners.max(axis=1))]
    work = 0
    while boxes:
        inside, lower, upper = boxes.pop()
        if _share_a_vertex(triangles[inside]):
            continue
        few = len(inside) <= FEW
        work += len(inside) * (len(inside) if few else SORTING)
        if work > max_work:
            raise ModelError(
                f"got {len(corners):,} triangles, too crowded to be tested for intersections; "
                "expected fewer or shorter ones. Make their sides more equal, for example with the "
                "modifier Remesh of Blender"
            )
        if not few:
            boxes += _halves(corners, triangles, (inside, lower, upper))
            continue
        overlap = np.arange(len(inside)) > np.arange(len(inside))[:, None]
        for axis in range(3):
            overlap &= lower[:, None, axis] <= upper[:, axis]
            overlap &= lower[:, axis] <= upper[:, None, axis]
        first, second = np.nonzero(overlap)
        yield inside[first], inside[second]


def _share_a_vertex(triangles: np.ndarray) -> bool:
    return any(bool((triangles == vertex).any(axis=1).all()) for vertex in triangles[0])


Box = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Indices (N,) of triangles, and the bounds (N, 3) of their parts in a box."""


def _halves(corners: np.ndarray, triangles: np.ndarray, box: Box) -> list[Box]:
    """Return the halves of a box.

    It is divided where the areas of the halves, times the triangles to be compared in each, are
    least (the surface area heuristic: Goldsmith and Salmon 1987, doi:10.1109/MCG.1987.276983).
    """
    inside, lower, upper = box
    bottom, top = lower.min(axis=0), upper.max(axis=0)
    best = (np.inf, 0, 0.0)
    for axis in range(3):
        middle = (bottom[axis] + top[axis]) / 2
        for at in {float(np.median((lower[:, axis] + upper[:, axis]) / 2)), float(middle)}:
            cost = 0.0
            for chosen, share in (
                (lower[:, axis] <= at, at - bottom[axis]),
                (upper[:, axis] >= at, top[axis] - at),
            ):
                sides = top - bottom
                sides[axis] = share
                if chosen.any() and not _share_a_vertex(triangles[inside[chosen]]):
                    cost += chosen.sum() * (sides @ np.roll(sides, 1))
            best = min(best, (cost, axis, at))
    _, axis, at = best
    halves = []
    for sign, chosen in ((1.0, lower[:, axis] <= at), (-1.0, upper[:, axis] >= at)):
        if chosen.any():
            low, high = _part(corners[inside[chosen]], axis, at, sign)
            low, high = np.maximum(low, lower[chosen]), np.minimum(high, upper[chosen])
            halves.append((inside[chosen], low, high))
    return halves


def _part(corners: np.ndarray, axis: int, at: float, sign: float) -> tuple[np.ndarray, np.ndarray]:
    """Return (N, 3) bounds of the parts of triangles below a plane (sign 1) or above it (-1)."""
    height = sign * (corners[:, :, axis] - at)
    after, next_height = np.roll(corners, -1, axis=1), np.roll(height, -1, axis=1)
    cut = (height < 0.0) != (next_height < 0.0)
    share = height / np.where(cut, height - next_height, 1.0)
    points = np.concatenate([corners, corners + share[:, :, None] * (after - corners)], axis=1)
    valid = np.concatenate([height <= 0.0, cut], axis=1)[:, :, None]
    low = np.where(valid, points, np.inf).min(axis=1)
    high = np.where(valid, points, -np.inf).max(axis=1)
    margin = NEAR * (np.abs(low) + np.abs(high))
    return low - margin, high + margin


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
