"""Meshes with known distances, and the kernels' own functions for them, as plain Python."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

import murmurate as mm
from murmurate.codegen.mesh_data import address_words, mesh_words
from murmurate.codegen.obstacle_shapes import MESH, OPEN

OPEN_SPACE = mm.Space(size=(20.0, 20.0, 20.0), origin=(-10.0, -10.0, -10.0), boundary="open")
OPEN_FACES = ((OPEN, -10.0, 10.0),) * 3
BOX_FACES = [
    (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6),
    (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
]  # fmt: skip


def arrays_of_prism(outline: list[tuple[float, float]], low: float, high: float,
                    cap: list[tuple[int, int, int]]) -> tuple[Any, Any]:  # fmt: skip
    """Return the arrays of a prism on an outline, counterclockwise, whose ends have triangles."""
    n = len(outline)
    points = [(x, y, z) for z in (low, high) for x, y in outline]
    faces = [(a, c, b) for a, b, c in cap] + [(a + n, b + n, c + n) for a, b, c in cap]
    for k in range(n):
        i = (k + 1) % n
        faces += [(k, i, i + n), (k, i + n, k + n)]
    return np.array(points, float), np.array(faces)


def box(size: tuple[float, float, float], **options: Any) -> mm.Mesh:
    half = np.array(size) / 2
    points = np.array(list(itertools.product((-1.0, 1.0), repeat=3))) * half
    return mm.Mesh.from_arrays(points, BOX_FACES, (0.0, 0.0, 0.0), **options)


def corner() -> mm.Mesh:
    """Return an L: the square from -2 to 2, without the quarter where x and y are above 0."""
    outline = [(-2.0, -2.0), (2.0, -2.0), (2.0, 0.0), (0.0, 0.0), (0.0, 2.0), (-2.0, 2.0)]
    cap = [(0, 1, 2), (0, 2, 3), (0, 3, 5), (3, 4, 5)]
    return mm.Mesh.from_arrays(*arrays_of_prism(outline, -2.0, 2.0, cap), (0.0, 0.0, 0.0))


def ring(major: float = 3.0, minor: float = 1.0, m: int = 16, n: int = 8) -> mm.Mesh:
    """Return a torus around z."""
    a, b = (2 * np.pi * np.arange(k) / k for k in (m, n))
    a, b = np.meshgrid(a, b, indexing="ij")
    radius = major + minor * np.cos(b)
    points = np.stack([radius * np.cos(a), radius * np.sin(a), minor * np.sin(b)], -1)
    faces = []
    for i, j in itertools.product(range(m), range(n)):
        k, q = (i + 1) % m, (j + 1) % n
        p = [i * n + j, k * n + j, k * n + q, i * n + q]
        faces += [(p[0], p[1], p[2]), (p[0], p[2], p[3])]
    return mm.Mesh.from_arrays(points.reshape(-1, 3), faces, (0.0, 0.0, 0.0))


def ball(levels: int) -> mm.Mesh:
    """Return an octahedron whose triangles are divided into four, on the unit sphere."""
    triangles = np.array([
        [(x, 0, 0), (0, y, 0), (0, 0, z)][:: 1 if x * y * z > 0 else -1]
        for x, y, z in itertools.product((-1.0, 1.0), repeat=3)
    ], float)  # fmt: skip
    for _ in range(levels):
        a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
        ab, bc, ca = ((p + q) / np.linalg.norm(p + q, axis=1, keepdims=True)
                      for p, q in ((a, b), (b, c), (c, a)))  # fmt: skip
        parts = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        triangles = np.concatenate([np.stack(part, axis=1) for part in parts])
    faces = np.arange(3 * len(triangles)).reshape(-1, 3)
    return mm.Mesh.from_arrays(triangles.reshape(-1, 3), faces, (0.0, 0.0, 0.0))


def stream(boids: int = 60) -> mm.Model:
    """Return boids that a wind carries past an L, which moves."""
    rise = mm.Ramp(start=8.0, stop=12.0, end=4.0)
    mesh = corner().model_copy(update={"centre": (10.0, 10.0, rise), "size": (7.0, 6.0, 8.0)})
    box = mm.InBox(lower=(1.0, 3.0, 3.0), upper=(7.0, 17.0, 17.0))
    return mm.Model(
        space=mm.Space(size=(20.0, 20.0, 20.0), boundary=("periodic", "reflecting", "reflecting")),
        flocks={"boids": mm.Flock(count=boids, start=box, motion=mm.Add(max_speed=1.0))},
        rules={
            "wind": mm.Wind(vector=(0.3, 0.0, 0.0)),
            "cohesion": mm.Cohesion(radius=4.0, weight=0.1),
            "avoid": mm.AvoidObstacles(look_ahead=3.0),
        },
        obstacles={"rock": mesh, "post": mm.Sphere(centre=(16.0, 10.0, 10.0), radius=2.0)},
    )


def row(mesh: mm.Mesh, space: mm.Space = OPEN_SPACE) -> np.ndarray:
    """Return the row of a mesh in the table of obstacles; its words stay in a cache."""
    words = mesh_words(mesh, space)
    return np.array([MESH, *mesh.centre, *address_words(words.ctypes.data)], float)
