"""Voronoi tessellation: whose cells touch whose, and how large they are.

Two points are neighbours when no third is nearer to some place between them than they are: when a
line of the Delaunay triangulation joins them. Tests hold this against cells that are cut out one by
one.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from murmurate.model.space import Space

FLAT = 1e-9  # points are on a line, or in a plane, that are no farther off it than this part


def voronoi_neighbours(positions: np.ndarray, space: Space) -> tuple[np.ndarray, np.ndarray]:
    """The Voronoi neighbours of each of N points: (offsets, links). Those of point i are
    links[offsets[i] : offsets[i + 1]], in ascending order.

    positions  (N, D); on periodic axes their images count too, though nobody is neighbour to itself
    Points at one place are neighbours, and share all others. Cost: O(N log N).
    """
    points, kind = np.unique(np.asarray(positions, float), axis=0, return_inverse=True)
    kind = kind.reshape(-1)
    members: list[list[int]] = [[] for _ in points]
    for number, which in enumerate(kind):
        members[which].append(number)
    pairs = {(a, b) for a in range(len(points)) for b in [a] if len(members[a]) > 1}
    pairs |= _pairs(points, space)
    found: list[set[int]] = [set() for _ in positions]
    for a, b in pairs:
        for one in members[a]:
            found[one].update(members[b])
        for other in members[b]:
            found[other].update(members[a])
    rows = [sorted(near - {number}) for number, near in enumerate(found)]
    offsets = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    links = np.array(list(itertools.chain(*rows)), np.int64)
    return offsets, links


def _pairs(points: np.ndarray, space: Space) -> set[tuple[int, int]]:
    """Pairs of distinct points whose cells touch, the images of all others beside them."""
    if len(points) < 2:
        return set()
    axes = [axis for axis in range(space.dims) if space.periodic[axis]]
    if not axes:
        edges, _ = _edges(points, len(points))
        return {(int(a), int(b)) for a, b in edges if a != b}
    sides = np.array(space.size)
    volume = float(np.prod(np.maximum(np.ptp(points, axis=0), 1e-9)))
    margin = 4.0 * (volume / len(points)) ** (1.0 / space.dims)
    most = (2.0 if len(axes) == space.dims else 1.0) * float(sides[axes].max())
    while True:
        near = min(margin, most)
        whole, origin = _with_images(points, np.array(space.lower), sides, axes, near)
        edges, reach = _edges(whole, len(points))
        # circles through a point reach out of the space by twice their radius at most
        if margin >= most or 2.0 * reach <= margin:
            return {(int(a), int(b)) for a, b in origin[edges] if a != b}
        margin *= 2.0


def _with_images(
    points: np.ndarray, lower: np.ndarray, sides: np.ndarray, axes: list[int], margin: float
) -> tuple[np.ndarray, np.ndarray]:
    """The points, and behind them their images within a margin around the box, along some axes; and
    which point each is an image of."""
    reaches = [
        int(np.ceil(margin / sides[axis])) if axis in axes else 0 for axis in range(len(sides))
    ]
    shifts = [s for s in itertools.product(*(range(-r, r + 1) for r in reaches)) if any(s)]
    whole, origin = [points], [np.arange(len(points))]
    for shift in shifts:
        image = points.copy()
        for axis in axes:
            image[:, axis] += shift[axis] * sides[axis]
        near = np.ones(len(points), bool)
        for axis in axes:
            near &= image[:, axis] >= lower[axis] - margin
            near &= image[:, axis] <= lower[axis] + sides[axis] + margin
        whole.append(image[near])
        origin.append(np.flatnonzero(near))
    return np.concatenate(whole), np.concatenate(origin)


def _edges(points: np.ndarray, own: int) -> tuple[np.ndarray, float]:
    """Pairs of points that the Delaunay triangulation joins, of which one is among the first `own`;
    and the largest radius of the circles (spheres) about simplices with one of these."""
    from scipy.spatial import Delaunay

    points = _flattened(points)
    dims = points.shape[1]
    if dims == 1:
        order = np.argsort(points[:, 0], kind="stable")
        edges = np.stack([order[:-1], order[1:]], axis=1)
        edges = edges[(edges < own).any(axis=1)]
        gaps = np.abs(points[edges[:, 0], 0] - points[edges[:, 1], 0])
        return edges, 0.5 * float(gaps.max(initial=0.0))
    made = Delaunay(points)
    simplices = made.simplices[(made.simplices < own).any(axis=1)]
    corners = itertools.combinations(range(dims + 1), 2)
    edges = np.concatenate([simplices[:, list(pair)] for pair in corners])
    edges = np.unique(np.sort(edges, axis=1), axis=0)
    edges = np.concatenate([edges, _beside(made, edges)])
    return edges[(edges < own).any(axis=1)], _radius(points[simplices])


def _beside(made: Any, edges: np.ndarray) -> np.ndarray:
    """Points so near to a corner that the triangulation leaves them out have its neighbours."""
    more = []
    for point, _, corner in made.coplanar:
        more.append((point, corner))
        for a, b in edges[(edges == corner).any(axis=1)]:
            more.append((point, a if b == corner else b))
    return np.array(more, edges.dtype).reshape(-1, 2)


def _flattened(points: np.ndarray) -> np.ndarray:
    """The points as they lie in the line, plane or space that they span."""
    centred = points - points.mean(axis=0)
    _, sizes, ways = np.linalg.svd(centred, full_matrices=False)
    rank = max(1, int((sizes > FLAT * max(sizes[0], 1e-300)).sum()))
    return points if rank == points.shape[1] else centred @ ways[:rank].T


def _radius(simplices: np.ndarray) -> float:
    """The largest radius of the circles through simplices, (S, D + 1, D)."""
    if len(simplices) == 0:
        return 0.0
    ways = simplices[:, 1:] - simplices[:, :1]
    squares = 0.5 * (ways**2).sum(axis=2)
    flat = np.abs(np.linalg.det(ways)) < 1e-14 * np.abs(ways).max(axis=(1, 2)) ** ways.shape[2]
    ways, squares = ways[~flat], squares[~flat]
    if len(ways) == 0:
        return 0.0
    centres = np.linalg.solve(ways, squares[:, :, None])[:, :, 0]
    return float(np.sqrt((centres**2).sum(axis=1)).max())


def cell_volumes(points: np.ndarray, sides: np.ndarray | None = None) -> np.ndarray:
    """(N,) volumes (2-D: areas) of the Voronoi cells of (N, D) points, length^D; nan for cells that
    are not within the convex hull of all points.

    sides  (D,) the period of each axis, inf where it is not periodic; none is unless given. On
           periodic axes the images of all points cut cells too; a hull is taken along the others.
           Where all are periodic every cell is whole, and the volumes add up to that of the box.

    Points at one place have no cells: then all are nan. Cost: O(N log N), 10 seconds or more for
    50,000 points in 3-D; with borders and periodic axes those of up to 3^D as many points.
    """
    sides = np.full(points.shape[1], np.inf) if sides is None else np.asarray(sides, np.float64)
    axes = np.flatnonzero(np.isfinite(sides)).tolist()
    if not axes:
        return _cells_among(points, points, np.ones(points.shape[1], bool))[0]
    count, dims = points.shape
    points = points.copy()
    for axis in axes:
        points[:, axis] %= sides[axis]
    spans = np.where(np.isfinite(sides), sides, np.maximum(np.ptp(points, axis=0), 1e-9))
    margin = 4.0 * (float(np.prod(spans)) / max(count, 1)) ** (1.0 / dims)
    # The nearest image of a point to any place of a cell is at most a side away from the cell's
    # own point, so that farther images cut nothing.
    most = float(sides[axes].max())
    while True:
        near = min(margin, most)
        whole, _ = _with_images(points, np.zeros(dims), sides, axes, near)
        volumes, reach = _cells_among(points, whole, ~np.isfinite(sides))
        # What is farther from a point than twice the farthest corner of its cell cuts nothing.
        if margin >= most or (len(axes) == dims and 2.0 * reach <= near):
            return volumes
        margin *= 2.0


def _cells_among(
    points: np.ndarray, everyone: np.ndarray, bounded: np.ndarray
) -> tuple[np.ndarray, float]:
    """(N,) volumes of the cells of (N, D) points among everyone, (M, D), of whom they are the
    first; and the largest distance from one of them to a corner of its cell, where that is whole.

    bounded  (D,) bool: the axes along which cells must be within the convex hull of the points

    A cell is cut into pyramids: from its point to each of its faces, and a face into triangles. The
    two points beside a face have equal pyramids on it.
    """
    from scipy.spatial import QhullError, Voronoi

    count, dims = points.shape
    none = np.full(count, np.nan), np.inf
    if len(everyone) < dims + 2 or len(np.unique(points, axis=0)) < count:
        return none  # too few, or two at one place, which have no cells
    try:
        diagram, planes = Voronoi(everyone), _hull_planes(points[:, bounded])
    except QhullError:  # all in a plane, or a line
        return none
    lengths = np.array([len(face) for face in diagram.ridge_vertices])
    corners = np.concatenate([np.asarray(face) for face in diagram.ridge_vertices])
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    # A corner a hair outside of a hull that it belongs to counts as in it.
    shrunk = diagram.vertices[:, bounded] * (1 - 1e-9)
    reached = np.append(_within(planes, shrunk), False)  # the last is the corner -1
    whole = np.logical_and.reduceat(reached[corners], starts)
    kept = np.ones(len(everyone), dtype=bool)
    np.logical_and.at(kept, diagram.ridge_points.ravel(), np.repeat(whole, 2))
    # Triangle t of a face is its first corner and its corners t + 1 and t + 2; in 2-D the face
    # is a line, and there is one "triangle" of two corners.
    parts = lengths - dims + 1
    face = np.repeat(np.arange(len(lengths)), parts)
    turn = np.arange(len(face)) - np.repeat(np.cumsum(parts) - parts, parts)
    picks = [starts[face]] + [starts[face] + turn + step for step in range(1, dims)]
    apex = everyone[diagram.ridge_points[face, 0]]
    edges = np.stack([diagram.vertices[corners[pick]] - apex for pick in picks], axis=1)
    volumes = np.abs(_spanned(edges)) / (2.0 if dims == 2 else 6.0)
    far = np.sqrt((edges**2).sum(axis=2)).max(axis=1)
    own = whole[face] & (diagram.ridge_points[face].min(axis=1) < count)
    sums, reach = np.zeros(len(everyone)), float(far[own].max(initial=0.0))
    for side in (0, 1):
        owner = diagram.ridge_points[face[own], side]
        sums += np.bincount(owner, volumes[own], minlength=len(everyone))
    kept, sums = kept[:count], sums[:count]
    return np.where(kept & (sums > 0), sums, np.nan), reach


def _hull_planes(points: np.ndarray) -> np.ndarray:
    """(F, D + 1) planes of the convex hull of (N, D) points, the last column the offset: what is
    inside has normal . x + offset <= 0. Raises QhullError where it is flat."""
    from scipy.spatial import ConvexHull

    if points.shape[1] == 0:
        return np.zeros((0, 1))
    if points.shape[1] == 1:
        return np.array([[-1.0, float(points.min())], [1.0, -float(points.max())]])
    planes: np.ndarray = ConvexHull(points).equations
    return planes


def _within(planes: np.ndarray, places: np.ndarray) -> np.ndarray:
    """(M,) whether each of (M, D) places is in the hull of those (F, D + 1) planes, of which the
    last column is the offset. Plane by plane over the places that are left to decide: those in the
    ball inside of all planes are in it."""
    if not len(planes):
        return np.ones(len(places), bool)
    planes = np.unique(planes, axis=0)  # a facet of many corners is in several parts
    normals, offsets = planes[:, :-1], planes[:, -1]
    ball = max(-float(offsets.max()), 0.0)  # about the origin
    inside = np.einsum("ij,ij->i", places, places) < ball**2
    left = np.flatnonzero(~inside)
    for normal, offset in zip(normals, offsets, strict=True):
        left = left[places[left] @ normal <= -offset]
    inside[left] = True
    return inside


def _spanned(edges: np.ndarray) -> np.ndarray:
    """(F, D, D) -> (F,) determinants. Written out: numpy's call a library for each of many tiny
    matrices, whose threads then wait for each other."""
    if edges.shape[1] == 2:
        flat: np.ndarray = edges[:, 0, 0] * edges[:, 1, 1] - edges[:, 0, 1] * edges[:, 1, 0]
        return flat
    return np.einsum("ij,ij->i", edges[:, 0], np.cross(edges[:, 1], edges[:, 2]))
