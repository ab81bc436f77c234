"""Surfaces in pictures: triangles that are partly behind the camera are cut, and not bent."""

import numpy as np
from small_frames import empty, frame, plain, space

from murmurate.model.view import Camera
from murmurate.show.mesh_raster import raster_mesh
from murmurate.show.painter import Painter


def floor(cells):
    """Return triangles (F, 3, 3) of a square floor below the view, in cells of equal size."""
    edges = np.linspace(-600.0, 600.0, cells + 1)
    x, y = (side.ravel() for side in np.meshgrid(edges[:-1], edges[:-1]))
    step, z = 1200.0 / cells, np.full(x.shape, -30.0)
    low, right = np.stack([x, y, z], axis=1), np.stack([x + step, y, z], axis=1)
    far, left = np.stack([x + step, y + step, z], axis=1), np.stack([x, y + step, z], axis=1)
    return np.concatenate([np.stack([low, right, far], 1), np.stack([low, far, left], 1)])


def test_a_floor_below_the_camera_has_no_holes():
    view = plain(size=(160, 90), camera=Camera(elevation=15.0, follow="space"))
    projection = Painter(space(3), view).next_projection(frame(empty(3)))
    pictures = []
    for cells in (1, 60):
        corners = floor(cells)
        shades = np.full(corners.shape[:2], 0.5)
        pictures.append(raster_mesh(projection, corners, shades, (0, 160, 0, 90)))
    (cover, depth, shade), (covers, depths, shades) = pictures
    assert cover[-1].min() == 1.0 and cover[0].max() == 0.0
    assert np.abs(cover - covers).max() < 0.35  # of the samples along an edge
    near = np.isfinite(depths) & np.isfinite(depth)
    assert near.sum() > 2000
    np.testing.assert_allclose(depth[near], depths[near], rtol=1e-3)
    np.testing.assert_allclose(shade[cover == 1.0], 0.5, atol=1e-3)
    assert shades.max() <= 0.501
