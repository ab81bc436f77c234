"""Voronoi cells: the room of each boid."""

from __future__ import annotations

import numpy as np

from murmurate.measures.limits import at_most

MOST = 50_000  # boids: ten seconds or more in 3-D


def cells(points: np.ndarray) -> np.ndarray:
    """(N,) volumes (2-D: areas) of the Voronoi cells of (N, D) points; nan for cells that are not
    within the convex hull of all points.

    A cell is cut into pyramids: from its point to each of its faces, and a face into triangles. The
    two points beside a face have equal pyramids on it.
    Raises MeasureError above 50,000 points.
    """
    from scipy.spatial import Delaunay, QhullError, Voronoi

    count, dims = points.shape
    none = np.full(count, np.nan)
    at_most(count, MOST, f"Voronoi cells of {count:,} boids", "Take local_density.")
    if count < dims + 2 or len(np.unique(points, axis=0)) < count:
        return none  # too few, or two at one place, which have no cells
    try:
        diagram, inside = Voronoi(points), Delaunay(points)
    except QhullError:  # all in a plane, or a line
        return none
    lengths = np.array([len(face) for face in diagram.ridge_vertices])
    corners = np.concatenate([np.asarray(face) for face in diagram.ridge_vertices])
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    # A corner a hair outside of a hull that it belongs to counts as in it.
    shrunk = diagram.vertices * (1 - 1e-9)
    reached = np.append(inside.find_simplex(shrunk) >= 0, False)  # the last is the corner -1
    whole = np.logical_and.reduceat(reached[corners], starts)
    kept = np.ones(count, dtype=bool)
    np.logical_and.at(kept, diagram.ridge_points.ravel(), np.repeat(whole, 2))
    # Triangle t of a face is its first corner and its corners t + 1 and t + 2; in 2-D the face
    # is a line, and there is one "triangle" of two corners.
    parts = lengths - dims + 1
    face = np.repeat(np.arange(len(lengths)), parts)
    turn = np.arange(len(face)) - np.repeat(np.cumsum(parts) - parts, parts)
    picks = [starts[face]] + [starts[face] + turn + step for step in range(1, dims)]
    apex = points[diagram.ridge_points[face, 0]]
    edges = np.stack([diagram.vertices[corners[pick]] - apex for pick in picks], axis=1)
    volumes = np.abs(_spanned(edges)) / (2.0 if dims == 2 else 6.0)
    whole_part = whole[face]
    sums = np.zeros(count)
    for side in (0, 1):
        owner = diagram.ridge_points[face[whole_part], side]
        sums += np.bincount(owner, volumes[whole_part], minlength=count)
    return np.where(kept & (sums > 0), sums, none)


def _spanned(edges: np.ndarray) -> np.ndarray:
    """(F, D, D) -> (F,) determinants. Written out: numpy's call a library for each of many tiny
    matrices, whose threads then wait for each other."""
    if edges.shape[1] == 2:
        flat: np.ndarray = edges[:, 0, 0] * edges[:, 1, 1] - edges[:, 0, 1] * edges[:, 1, 0]
        return flat
    return np.einsum("ij,ij->i", edges[:, 0], np.cross(edges[:, 1], edges[:, 2]))
