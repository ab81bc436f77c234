"""Outlines of shapes: their surfaces are those that boids meet, and face the boids."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

import murmurate as mm
from cases import cases

SPACE = mm.Space(size=(9.0, 8.0, 7.0))
SHAPES = {
    "sphere": mm.Sphere(centre=(4.0, 3.0, 2.0), radius=1.5),
    "box": mm.Box(centre=(4.0, 3.0, 2.0), size=(3.0, 2.0, 1.0)),
    "cylinder": mm.Cylinder(centre=(4.0, 3.0, 2.0), radius=1.5, height=4.0),
    "tank": mm.Tank(centre=(4.0, 3.0, 2.0), radius=2.5),
    "wall": mm.Wall(point=(4.0, 3.0, 2.0), normal=(1.0, -2.0, 0.5)),
}


@cases("name", SHAPES)
def test_the_outline_is_the_surface_that_boids_meet(name: str) -> None:
    shape = SHAPES[name]
    row, clearance = shape.row(0.0), importlib.import_module(type(shape).__module__).clearance
    outline = shape.drawn(SPACE)
    for points, lit in zip(outline.corners, outline.normals, strict=True):
        across = np.cross(points[1] - points[0], points[2] - points[0])
        assert (lit @ across > 0.0).all()
        np.testing.assert_allclose(np.linalg.norm(lit, axis=1), 1.0)
        for point, normal in zip(points, lit, strict=True):
            assert clearance(row, *(point - row[1:4]))[0] == pytest.approx(0.0, abs=1e-9)
            outside = clearance(row, *(point + 1e-3 * normal - row[1:4]))
            assert outside[0] > 0.8e-3 and normal @ outside[1:] > 0.99
    for point in outline.lines.reshape(-1, 3):
        assert clearance(row, *(point - row[1:4]))[0] == pytest.approx(0.0, abs=1e-9)
    assert len(outline.lines) == {"box": 12, "tank": 152, "wall": len(outline.corners) + 2}.get(
        name, 0
    )


@cases("name", sorted({"sphere", "box", "cylinder"}))
def test_the_outline_of_a_solid_is_closed(name: str) -> None:
    corners = SHAPES[name].drawn(SPACE).corners.round(6)
    edges = np.stack([corners, np.roll(corners, -1, axis=1)], axis=2).reshape(-1, 2, 3)
    forth, back = ({edge.tobytes() for edge in way + 0.0} for way in (edges, edges[:, ::-1]))
    assert forth == back and len(forth) == len(edges)
