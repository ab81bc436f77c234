"""Voronoi tessellation: which cells touch, and how large they are.

Two points are Voronoi neighbours if an edge of the Delaunay triangulation connects them. Tests
compare this with cells that are constructed one at a time.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from murmurate.model.space import Space

FLAT = 1e-9  # relative width below which points count as on a line, or in a plane


def voronoi_neighbours(positions: np.ndarray, space: Space) -> tuple[np.ndarray, np.ndarray]:
    """Return the Voronoi neighbours of each point.

    Coincident points are neighbours, and have all other neighbours in common. Cost: O(N log N).

    positions  (N, D) points. On periodic axes their images count too, but no point is its own
        neighbour.
    space  periodic axes
    offsets  (N + 1,)
    links  the neighbours of point i are links[offsets[i] : offsets[i + 1]], in ascending order
    """
    points, unique_of = np.unique(np.asarray(positions, float), axis=0, return_inverse=True)
    unique_of = unique_of.reshape(-1)
    members: list[list[int]] = [[] for _ in points]
    for index, unique in enumerate(unique_of):
        members[unique].append(index)
    pairs = {(a, a) for a in range(len(points)) if len(members[a]) > 1}
    pairs |= _touching_pairs(points, space)
    neighbours: list[set[int]] = [set() for _ in positions]
    for a, b in pairs:
        for index in members[a]:
            neighbours[index].update(members[b])
        for index in members[b]:
            neighbours[index].update(members[a])
    rows = [sorted(near - {index}) for index, near in enumerate(neighbours)]
    offsets = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    links = np.array(list(itertools.chain(*rows)), np.int64)
    return offsets, links


def _touching_pairs(points: np.ndarray, space: Space) -> set[tuple[int, int]]:
    """Return pairs of distinct points whose cells touch, with images on periodic axes."""
    if len(points) < 2:
        return set()
    axes = [axis for axis in range(space.dims) if space.periodic[axis]]
    if not axes:
        edges, _ = _delaunay_edges(points, len(points))
        return {(int(a), int(b)) for a, b in edges if a != b}
    sides = np.array(space.size)
    volume = float(np.prod(np.maximum(np.ptp(points, axis=0), 1e-9)))
    margin = 4.0 * (volume / len(points)) ** (1.0 / space.dims)
    max_margin = (2.0 if len(axes) == space.dims else 1.0) * float(sides[axes].max())
    while True:
        near = min(margin, max_margin)
        extended, origin = _with_images(points, np.array(space.lower), sides, axes, near)
        edges, radius = _delaunay_edges(extended, len(points))
        # circles through a point extend beyond the space by at most twice their radius
        if margin >= max_margin or 2.0 * radius <= margin:
            return {(int(a), int(b)) for a, b in origin[edges] if a != b}
        margin *= 2.0


def _with_images(
    points: np.ndarray, lower: np.ndarray, sides: np.ndarray, axes: list[int], margin: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the points followed by their images within a margin around the box.

    Also returns which point each is an image of. Images are taken along the given axes.
    """
    copies = [
        int(np.ceil(margin / sides[axis])) if axis in axes else 0 for axis in range(len(sides))
    ]
    shifts = [s for s in itertools.product(*(range(-n, n + 1) for n in copies)) if any(s)]
    extended, origin = [points], [np.arange(len(points))]
    for shift in shifts:
        image = points.copy()
        for axis in axes:
            image[:, axis] += shift[axis] * sides[axis]
        near = np.ones(len(points), bool)
        for axis in axes:
            near &= image[:, axis] >= lower[axis] - margin
            near &= image[:, axis] <= lower[axis] + sides[axis] + margin
        extended.append(image[near])
        origin.append(np.flatnonzero(near))
    return np.concatenate(extended), np.concatenate(origin)


def _delaunay_edges(points: np.ndarray, own: int) -> tuple[np.ndarray, float]:
    """Return edges of the Delaunay triangulation with an end among the first `own` points.

    Also returns the largest circumradius of the simplices with one of these points.
    """
    from scipy.spatial import Delaunay

    points = _flatten(points)
    dims = points.shape[1]
    if dims == 1:
        order = np.argsort(points[:, 0], kind="stable")
        edges = np.stack([order[:-1], order[1:]], axis=1)
        edges = edges[(edges < own).any(axis=1)]
        gaps = np.abs(points[edges[:, 0], 0] - points[edges[:, 1], 0])
        return edges, 0.5 * float(gaps.max(initial=0.0))
    triangulation = Delaunay(points)
    simplices = triangulation.simplices
    simplices = simplices[(simplices < own).any(axis=1)]
    corners = itertools.combinations(range(dims + 1), 2)
    edges = np.concatenate([simplices[:, list(pair)] for pair in corners])
    edges = np.unique(np.sort(edges, axis=1), axis=0)
    edges = np.concatenate([edges, _coplanar_edges(triangulation, edges)])
    return edges[(edges < own).any(axis=1)], _largest_circumradius(points[simplices])


def _coplanar_edges(triangulation: Any, edges: np.ndarray) -> np.ndarray:
    """Return edges of points that the triangulation omits, since they are too near to a corner.

    Such a point has the corner's neighbours.
    """
    more = []
    for point, _, corner in triangulation.coplanar:
        more.append((point, corner))
        for a, b in edges[(edges == corner).any(axis=1)]:
            more.append((point, a if b == corner else b))
    return np.array(more, edges.dtype).reshape(-1, 2)


def _flatten(points: np.ndarray) -> np.ndarray:
    """Return coordinates of the points within the line, plane or space that they span."""
    centred = points - points.mean(axis=0)
    _, sizes, axes = np.linalg.svd(centred, full_matrices=False)
    rank = max(1, int((sizes > FLAT * max(sizes[0], 1e-300)).sum()))
    return points if rank == points.shape[1] else centred @ axes[:rank].T


def _largest_circumradius(simplices: np.ndarray) -> float:
    """Return the largest circumradius of (S, D + 1, D) simplices."""
    if len(simplices) == 0:
        return 0.0
    sides = simplices[:, 1:] - simplices[:, :1]
    squares = 0.5 * (sides**2).sum(axis=2)
    flat = np.abs(np.linalg.det(sides)) < 1e-14 * np.abs(sides).max(axis=(1, 2)) ** sides.shape[2]
    sides, squares = sides[~flat], squares[~flat]
    if len(sides) == 0:
        return 0.0
    centres = np.linalg.solve(sides, squares[:, :, None])[:, :, 0]
    return float(np.sqrt((centres**2).sum(axis=1)).max())


def cell_volumes(points: np.ndarray, sides: np.ndarray | None = None) -> np.ndarray:
    """Return the volumes (2-D: areas) of Voronoi cells.

    Cost: O(N log N), 10 seconds or more for 50,000 points in 3-D. With open and periodic axes the
    cost is that of up to 3^D times as many points.

    points  (N, D)
    sides  (D,) period of each axis, inf for open axes. The default is open on every axis. On
        periodic axes the images of all points cut cells too, and the hull is that along the other
        axes.
    returns  (N,) volumes in length^D; nan for a cell that is not within the convex hull of all
        points. If all axes are periodic, all cells are complete, and their volumes add up to that
        of the box. Coincident points have no cells: then all volumes are nan.
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
    # Images more than a side away from a cell's own point do not cut the cell.
    max_margin = float(sides[axes].max())
    while True:
        near = min(margin, max_margin)
        extended, _ = _with_images(points, np.zeros(dims), sides, axes, near)
        volumes, radius = _cells_among(points, extended, ~np.isfinite(sides))
        # A point farther away than twice the farthest corner of a cell does not cut the cell.
        if margin >= max_margin or (len(axes) == dims and 2.0 * radius <= near):
            return volumes
        margin *= 2.0


def _cells_among(
    points: np.ndarray, extended: np.ndarray, bounded: np.ndarray
) -> tuple[np.ndarray, float]:
    """Return the volumes of the cells of some points among others.

    A cell is divided into pyramids from its point to each of its faces, and faces into triangles.
    The pyramids on both sides of a face are equal.

    points : (N, D), the first of `extended`
    extended : (M, D)
    bounded : (D,) bool, axes along which cells must be within the convex hull of the points
    Returns (N,) volumes, and the largest distance from a point to a corner of its complete cell.
    """
    from scipy.spatial import QhullError, Voronoi

    count, dims = points.shape
    none = np.full(count, np.nan), np.inf
    if len(extended) < dims + 2 or len(np.unique(points, axis=0)) < count:
        return none  # too few points, or coincident ones, which have no cells
    try:
        diagram, planes = Voronoi(extended), _hull_planes(points[:, bounded])
    except QhullError:  # points in a plane or on a line
        return none
    lengths = np.array([len(face) for face in diagram.ridge_vertices])
    corners = np.concatenate([np.asarray(face) for face in diagram.ridge_vertices])
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    # A corner on the hull may be outside of it by rounding, and counts as inside.
    shrunk = diagram.vertices[:, bounded] * (1 - 1e-9)
    inside = np.append(_within(planes, shrunk), False)  # the last is corner -1, at infinity
    complete = np.logical_and.reduceat(inside[corners], starts)
    has_cell = np.ones(len(extended), dtype=bool)
    np.logical_and.at(has_cell, diagram.ridge_points.ravel(), np.repeat(complete, 2))
    # Triangle t of a face is its first corner and its corners t + 1 and t + 2; in 2-D the face
    # is a line, and there is one "triangle" of two corners.
    parts = lengths - dims + 1
    face = np.repeat(np.arange(len(lengths)), parts)
    triangle = np.arange(len(face)) - np.repeat(np.cumsum(parts) - parts, parts)
    picks = [starts[face]] + [starts[face] + triangle + step for step in range(1, dims)]
    apex = extended[diagram.ridge_points[face, 0]]
    edges = np.stack([diagram.vertices[corners[pick]] - apex for pick in picks], axis=1)
    volumes = np.abs(_determinants(edges)) / (2.0 if dims == 2 else 6.0)
    distances = np.sqrt((edges**2).sum(axis=2)).max(axis=1)
    own = complete[face] & (diagram.ridge_points[face].min(axis=1) < count)
    sums, radius = np.zeros(len(extended)), float(distances[own].max(initial=0.0))
    for side in (0, 1):
        owner = diagram.ridge_points[face[own], side]
        sums += np.bincount(owner, volumes[own], minlength=len(extended))
    has_cell, sums = has_cell[:count], sums[:count]
    return np.where(has_cell & (sums > 0), sums, np.nan), radius


def _hull_planes(points: np.ndarray) -> np.ndarray:
    """Return (F, D + 1) planes of the convex hull of (N, D) points, normals and offsets.

    A point x is inside if normal . x + offset <= 0 for all planes. Raises QhullError for a flat
    hull.
    """
    from scipy.spatial import ConvexHull

    if points.shape[1] == 0:
        return np.zeros((0, 1))
    if points.shape[1] == 1:
        return np.array([[-1.0, float(points.min())], [1.0, -float(points.max())]])
    planes: np.ndarray = ConvexHull(points).equations
    return planes


def _within(planes: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return (M,) bool: each of (M, D) points is in the hull with these (F, D + 1) planes.

    Points in the ball inside of all planes are in the hull; the others are tested plane by plane.
    """
    if not len(planes):
        return np.ones(len(points), bool)
    planes = np.unique(planes, axis=0)  # a facet with many corners appears several times
    normals, offsets = planes[:, :-1], planes[:, -1]
    ball = max(-float(offsets.max()), 0.0)  # about the origin
    inside = np.einsum("ij,ij->i", points, points) < ball**2
    left = np.flatnonzero(~inside)
    for normal, offset in zip(normals, offsets, strict=True):
        left = left[points[left] @ normal <= -offset]
    inside[left] = True
    return inside


def _determinants(edges: np.ndarray) -> np.ndarray:
    """Return (F,) determinants of (F, D, D) matrices.

    numpy.linalg.det calls a library for each small matrix, whose threads wait for each other.
    """
    if edges.shape[1] == 2:
        return cross_2d(edges[:, 0], edges[:, 1])
    return np.einsum("ij,ij->i", edges[:, 0], np.cross(edges[:, 1], edges[:, 2]))


def limited_cell_areas(
    points: np.ndarray, sides: np.ndarray, radius: float | None, walls: np.ndarray | None
) -> np.ndarray:
    """Return the areas of Voronoi cells in 2-D that end at a distance from their point or at walls.

    Cost: O(N log N + N (V + M) M) for V corners of walls and up to M neighbours.

    points  (N, 2)
    sides  (2,) period of each axis, inf for open axes
    radius  largest distance from a point; None: no limit
    walls  (V, 2) corners of a polygon that does not cross itself, on open axes; None: no walls
    returns  (N,) areas; nan for coincident points
    """
    count = len(points)
    if len(np.unique(points, axis=0)) < count or not count:
        return np.full(count, np.nan)
    extended, axes = points, np.flatnonzero(np.isfinite(sides)).tolist()
    if axes:
        assert radius is not None
        points = points.copy()
        points[:, axes] %= sides[axes]
        # images more than a side away, or beyond a disc of twice the radius, cut no cell
        margin = min(2.0 * radius, float(sides[axes].max()))
        extended, _ = _with_images(points, np.zeros(2), sides, axes, margin)
    edges, _ = _delaunay_edges(extended, count)
    edges = np.concatenate([edges, edges[:, ::-1]])
    edges = edges[edges[:, 0] < count]
    edges = edges[np.argsort(edges[:, 0], kind="stable")]
    numbers = np.bincount(edges[:, 0], minlength=count)
    slot = np.arange(len(edges)) - np.repeat(np.cumsum(numbers) - numbers, numbers)
    to_neighbours = np.zeros((count, int(numbers.max(initial=0)), 2))
    to_neighbours[edges[:, 0], slot] = extended[edges[:, 1]] - points[edges[:, 0]]
    corners = walls
    if corners is None:
        assert radius is not None
        corners = radius * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    polygons = corners - (points[:, None] if walls is not None else np.zeros((count, 1, 2)))
    for k in range(to_neighbours.shape[1]):
        polygons = _cut_polygons(polygons, to_neighbours[:, k])
    following = np.roll(polygons, -1, axis=1)
    return np.abs(_triangle_areas(polygons, following, radius).sum(axis=1))


def _cut_polygons(polygons: np.ndarray, to_neighbour: np.ndarray) -> np.ndarray:
    """Return (N, M', 2) polygons without points that are nearer to a neighbour than to the origin.

    The algorithm is that of Sutherland and Hodgman. Corners may repeat; where a polygon falls into
    parts, edges without area join them.

    polygons : (N, M, 2) corners
    to_neighbour : (N, 2) vectors to a neighbour; zero: there is none
    """
    height = np.einsum("nmd,nd->nm", polygons, to_neighbour)
    height -= 0.5 * np.einsum("nd,nd->n", to_neighbour, to_neighbour)[:, None]
    inside: np.ndarray = height <= 0
    following = np.roll(height, -1, axis=1)
    crosses = inside != (following <= 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(crosses, height / (height - following), 0.0)[..., None]
    cuts = polygons + share * (np.roll(polygons, -1, axis=1) - polygons)
    both = np.stack([polygons, cuts], axis=2).reshape(len(polygons), -1, 2)
    chosen = np.stack([inside, crosses], axis=2).reshape(len(polygons), -1)
    width = max(int(chosen.sum(axis=1).max(initial=0)), 1)
    order = np.argsort(~chosen, axis=1, kind="stable")[:, :width]
    corners = np.take_along_axis(both, order[..., None], axis=1)
    is_corner = np.take_along_axis(chosen, order, axis=1)[..., None]
    return np.where(is_corner, corners, np.where(is_corner[:, :1], corners[:, :1], 0.0))


def _triangle_areas(start: np.ndarray, end: np.ndarray, radius: float | None) -> np.ndarray:
    """Return signed areas of triangles from the origin to (..., 2) edges, within a disc."""
    if radius is None:
        return 0.5 * cross_2d(start, end)
    step = end - start
    a, b = (step**2).sum(axis=-1), (start * step).sum(axis=-1)
    square = b * b - a * ((start**2).sum(axis=-1) - radius**2)
    meets = (a > 0) & (square > 0)
    a, root = np.where(meets, a, 1.0), np.sqrt(np.where(meets, square, 0.0))
    enter, leave = (
        np.where(meets, np.clip((-b + r) / a, 0, 1), 0.0)[..., None] for r in (-root, root)
    )
    into, out = start + enter * step, start + leave * step
    angles = sum(
        np.arctan2(cross_2d(u, v), (u * v).sum(axis=-1)) for u, v in ((start, into), (out, end))
    )
    result: np.ndarray = 0.5 * (radius**2 * angles + cross_2d(into, out))
    return result


def cross_2d(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return cross products of (..., 2) vectors."""
    result: np.ndarray = u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]
    return result
