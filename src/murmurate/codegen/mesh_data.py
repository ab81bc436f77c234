"""The words of memory in which kernels read a mesh: see the functions of mesh_shapes.py.

    header      HEADER words: sides and offsets of the other parts
    grid        two words a cell: a lower bound of the distance from its points to the surface, 0 in
                the solid and at the surface; and the index of a triangle near it
    nodes       a tree of boxes, in the order of a depth-first walk: lower and upper corner, the
                node after its subtree, first triangle and number of triangles, 0 unless a leaf
    corners     nine words a triangle
    triangles   of each: its normal; pseudonormals of its edges and of its corners; directions into
                the triangles across its edges; first and number of the edges at its corners
    rings       unit vectors along the edges at each vertex

Words are float64 or int64.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from murmurate.model.mesh_surface import Surface
from murmurate.model.obstacles import Mesh
from murmurate.model.space import Space

HEADER, NODE, CORNERS, TRIANGLE, RING, CELL = 24, 9, 9, 36, 3, 2
"""Words of the header, and of each item of the other parts."""

EXTENT, THICKNESS, GRID_LOWER, GRID_STEP, GRID_SIDES = 0, 3, 4, 7, 8
GRID_AT, NODES_AT, N_NODES, CORNERS_AT, TRIANGLES_AT, RINGS_AT = 11, 12, 13, 14, 15, 16
PERIODS = 17
"""Words of the header: half the sides of a box around the centre that holds the mesh (3), its
smallest half side, lower corner of the grid (3), side and numbers of cells (1, 3), offsets, and the
periods of the space (3), or FAR."""

FAR = 1e15
"""Period of an axis that is not periodic: the next image of a mesh is out of reach."""

LEAF = 4  # triangles in a leaf of the tree
MAX_CELLS = 32  # of the grid, along its longest side
MARGIN = 3.0  # cells of the grid around the mesh: the outermost have no surface near them
CHUNK = 22
"""Bits in each of the three numbers of an obstacle's row that hold an address: float32 represents
whole numbers up to 2^24."""


def address_words(address: int) -> list[float]:
    """Return the three numbers of an obstacle's row that hold an address."""
    mask = (1 << CHUNK) - 1
    return [float(address & mask), float(address >> CHUNK & mask), float(address >> 2 * CHUNK)]


def single_words(words: np.ndarray) -> np.ndarray:
    """Return the words of a mesh as float32: whole ones are below 2^24, so they stay the same."""
    integers = words.view(np.int64)
    is_whole = np.zeros(len(words), bool)
    is_whole[GRID_SIDES:PERIODS] = True
    grid, nodes, _, corners, triangles, rings = integers[GRID_AT:PERIODS]
    is_whole[grid:nodes].reshape(-1, CELL)[:, 1] = True
    is_whole[nodes:corners].reshape(-1, NODE)[:, 6:] = True
    is_whole[triangles:rings].reshape(-1, TRIANGLE)[:, 30:] = True
    single: np.ndarray = np.where(is_whole, integers, words).astype(np.float32)
    return single


def mesh_words(mesh: Mesh, space: Space) -> np.ndarray:
    """Return the words of a mesh, (W,) float64, of which some are int64."""
    sides = zip(space.size, space.periodic, strict=True)
    periods = tuple(side if periodic else FAR for side, periodic in sides)
    return _words(mesh.at_origin(), periods)


@lru_cache(maxsize=32)
def _words(mesh: Mesh, periods: tuple[float, ...]) -> np.ndarray:
    return pack_surface(mesh.triangles(), periods)


def pack_surface(surface: Surface, periods: tuple[float, ...]) -> np.ndarray:
    """Return the words of a surface in a space with these periods."""
    order, nodes = _tree(surface.corners)
    surface = Surface(surface.vertices, surface.faces[order])
    corners = surface.corners
    triangles, rings = _adjacency(surface)
    grid_head, grid = _grid(corners)
    extent = np.abs(surface.vertices).max(axis=0)
    parts = [grid, nodes, corners.reshape(-1, CORNERS), triangles, rings]
    offsets = HEADER + np.cumsum([0, *(part.size for part in parts)])
    head = np.zeros(HEADER)
    head[EXTENT : EXTENT + 3], head[THICKNESS] = extent, extent.min()
    head[GRID_LOWER : GRID_LOWER + 4] = grid_head[:4]
    head[PERIODS : PERIODS + 3] = periods
    integers = head.view(np.int64)
    integers[GRID_SIDES : GRID_SIDES + 3] = grid_head[4:]
    integers[GRID_AT], integers[NODES_AT], integers[N_NODES] = offsets[0], offsets[1], len(nodes)
    integers[CORNERS_AT], integers[TRIANGLES_AT], integers[RINGS_AT] = offsets[2:5]
    words = np.concatenate([head, *(part.reshape(-1) for part in parts)])
    words.setflags(write=False)
    return words


def _tree(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the order of the triangles (F,) in the leaves of a tree, and its nodes.

    A node is split in the middle of its triangles' centres along their longest axis.
    """
    lower, upper, centres = corners.min(axis=1), corners.max(axis=1), corners.mean(axis=1)
    order = np.arange(len(corners))
    nodes: list[np.ndarray] = []

    def add(begin: int, end: int) -> None:
        own = order[begin:end]
        node = np.zeros(NODE)
        node[0:3], node[3:6] = lower[own].min(axis=0), upper[own].max(axis=0)
        nodes.append(node)
        integers = node.view(np.int64)
        if end - begin <= LEAF:
            integers[7], integers[8] = begin, end - begin
        else:
            axis = int(np.argmax(np.ptp(centres[own], axis=0)))
            order[begin:end] = own[np.argsort(centres[own, axis], kind="stable")]
            middle = (begin + end) // 2
            add(begin, middle)
            add(middle, end)
        integers[6] = len(nodes)

    add(0, len(corners))
    return order, np.array(nodes)


def _adjacency(surface: Surface) -> tuple[np.ndarray, np.ndarray]:
    """Return the words of triangles, (F, TRIANGLE), and those of rings, (E, RING).

    Pseudonormals: Baerentzen and Aanaes 2005, doi:10.1109/TVCG.2005.49.
    """
    faces, corners, count = surface.faces, surface.corners, len(surface.vertices)
    sides = np.roll(corners, -1, axis=1) - corners
    normals = _unit(np.cross(sides[:, 0], -sides[:, 2]))
    along = _unit(sides)
    inward = np.cross(normals[:, None], along)  # into each triangle, from its edges
    begin, end = faces.reshape(-1), np.roll(faces, -1, axis=1).reshape(-1)
    ways, reverse = begin * count + end, end * count + begin
    by_key = np.argsort(ways, kind="stable")
    twin = by_key[np.searchsorted(ways[by_key], reverse)]  # the same edge of the other triangle
    edge_normals = _unit(normals.repeat(3, axis=0) + normals[twin // 3])
    angles = np.arccos(np.clip(-(along * np.roll(along, 1, axis=1)).sum(axis=2), -1.0, 1.0))
    weighted = (angles[:, :, None] * normals[:, None]).reshape(-1, 3)
    vertex_normals = np.zeros((count, 3))
    np.add.at(vertex_normals, begin, weighted)
    vertex_normals = _unit(vertex_normals)
    by_vertex = np.argsort(begin, kind="stable")
    numbers = np.bincount(begin, minlength=count)
    firsts = np.cumsum(numbers) - numbers
    words = np.zeros((len(faces), TRIANGLE))
    words[:, 0:3] = normals
    words[:, 3:12] = edge_normals.reshape(-1, 9)
    words[:, 12:21] = vertex_normals[faces].reshape(-1, 9)
    words[:, 21:30] = inward.reshape(-1, 3)[twin].reshape(-1, 9)
    words.view(np.int64)[:, 30:33] = firsts[faces]
    words.view(np.int64)[:, 33:36] = numbers[faces]
    return words, along.reshape(-1, 3)[by_vertex]


def _unit(vectors: np.ndarray) -> np.ndarray:
    """Return vectors of length 1; zeros where there is no direction."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: np.ndarray = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return unit


def _grid(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the grid's lower corner, cell side and numbers of cells (7,), and its cells.

    Distances are measured to points that cover the triangles, at most half a cell apart.
    """
    from scipy.ndimage import label
    from scipy.spatial import cKDTree

    lower, upper = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    side = float((upper - lower).max()) / (MAX_CELLS - 2 * MARGIN)
    sides = np.ceil((upper - lower) / side + 2 * MARGIN).astype(int)
    first = (lower + upper) / 2 - sides * side / 2
    axes = [first[k] + side * (np.arange(sides[k]) + 0.5) for k in range(3)]
    centres = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    points, owners, spacing = _cover(corners, side / 2)
    distance, nearest = cKDTree(points).query(centres.reshape(-1, 3))
    bound = np.maximum(distance - spacing - 0.8661 * side, 0.0).reshape(sides)  # sqrt(3) / 2
    areas, _ = label(bound > 0.0)  # cells without surface, joined by their faces
    edge = np.ones(sides, bool)
    edge[1:-1, 1:-1, 1:-1] = False
    outside = np.isin(areas, np.unique(areas[edge])) & (areas > 0)
    cells = np.zeros((centres[..., 0].size, CELL))
    cells[:, 0] = np.where(outside, bound, 0.0).reshape(-1)
    cells.view(np.int64)[:, 1] = owners[nearest]
    return np.array([*first, side, *sides]), cells


def _cover(corners: np.ndarray, spacing: float) -> tuple[np.ndarray, np.ndarray, float]:
    """Return points (P, 3) that cover triangles, the triangle of each (P,), and their spacing.

    No point of the triangles is farther than the spacing from one of them.
    """
    longest = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2).max(axis=1)
    parts = np.maximum(1, np.ceil(longest / spacing)).astype(int)
    points, owners = [], []
    for n in np.unique(parts):
        own = np.flatnonzero(parts == n)
        i, j = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
        keep = i + j <= n
        weights = np.stack([i[keep], j[keep], n - i[keep] - j[keep]], axis=1) / n
        points.append(np.einsum("pk,tkx->tpx", weights, corners[own]).reshape(-1, 3))
        owners.append(np.repeat(own, len(weights)))
    return np.concatenate(points), np.concatenate(owners), float((longest / parts).max())
