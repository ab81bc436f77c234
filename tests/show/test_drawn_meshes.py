"""Meshes of boids cover the pixels inside their triangles, in any order of bands and triangles."""

import numpy as np
import pytest

from murmurate.show import meshes
from murmurate.show.body import BIRD, Body
from murmurate.show.canvas import Canvas

WIDE, HIGH = 90, 61
NO_POSE = dict.fromkeys(["pose", "banks", "beat", "rest"])


def strengths(points, triangles, canvas=None):
    """Return the strength (HIGH, WIDE), 0 to 1, of meshes with corners points (N, V, 2)."""
    canvas = canvas or Canvas(WIDE, HIGH, 2)
    points = np.asarray(points, np.float32)
    triangles = np.asarray(triangles)
    count, flat = len(triangles), np.zeros(points.shape[:2], np.float32)
    body = Body(triangles, np.ones(count, bool), tones=np.ones(count, np.float32), **NO_POSE)
    x, y = np.ascontiguousarray(points[..., 0]), np.ascontiguousarray(points[..., 1])
    each = np.ones(len(points), np.float32)
    meshes.draw_meshes(
        canvas, x, y, flat, np.stack([x, y, flat]), body, 40 * each, each,
        np.zeros(len(points), np.uint16), 0.0,
    )  # fmt: skip
    raster = canvas.plane()[0].reshape(HIGH + 4, -1)[2 : HIGH + 2, 2 : WIDE + 2]
    return (raster >> 8) / 255.0


def areas(points):
    a, b, c = np.moveaxis(np.asarray(points, float), 1, 0)
    return 0.5 * abs(
        (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    )


def test_the_covered_area_is_that_of_the_triangle():
    points = np.random.default_rng(1).uniform([2, 2], [WIDE - 2, HIGH - 2], (60, 3, 2))
    drawn = [strengths(each[None], [(0, 1, 2)]).sum() for each in points]
    perimeter = sum(np.linalg.norm(points[:, k] - points[:, k - 1], axis=1) for k in range(3))
    assert (abs(drawn - areas(points)) < 0.05 * perimeter).all()


def test_each_pixel_has_the_share_of_a_triangle():
    """It is within an eighth of that of 16 x 16 samples."""
    triangle = np.array([(3.3, 4.1), (80.7, 22.2), (20.9, 55.6)])
    y, x = (np.mgrid[0 : HIGH * 16, 0 : WIDE * 16] + 0.5) / 16
    inside = np.ones(x.shape, bool)
    for k in range(3):
        (ax, ay), (bx, by) = triangle[k - 1], triangle[k]
        inside &= (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0
    exact = inside.reshape(HIGH, 16, WIDE, 16).mean(axis=(1, 3))
    assert abs(strengths(triangle[None], [(0, 1, 2)]) - exact).max() < 0.13


def test_triangles_that_share_an_edge_have_neither_gap_nor_overlap():
    corners = np.random.default_rng(2).uniform([5, 5], [WIDE - 5, HIGH - 5], (40, 2))
    box = np.array([[(4, 4), (WIDE - 4, 4), (WIDE - 4, HIGH - 4), (4, HIGH - 4)]], float)
    for corner in corners:
        fan = np.concatenate([box, corner[None, None]], axis=1)
        drawn = strengths(fan, [(k, (k + 1) % 4, 4) for k in range(4)])
        assert (drawn[4:-4, 4:-4] == 1.0).all()
        assert drawn.sum() == (HIGH - 8) * (WIDE - 8)


@pytest.mark.parametrize("low", [HIGH - 3, HIGH - 2])
def test_nothing_remains_of_a_mesh_that_leaves_the_picture(low):
    canvas = Canvas(WIDE, HIGH, 2)
    strengths([[(5, low), (70, low), (40, HIGH + 30)]], [(0, 1, 2)], canvas)
    pair = [[(5, low), (70, low), (40, HIGH + 30)], [(5, 5), (9, 5), (7, 8)]]
    both = strengths(pair, [(0, 1, 2)])
    assert not both[9 : low - 1].any()


def test_bands_do_not_change_a_mesh(monkeypatch):
    points = np.random.default_rng(3).uniform(-20, 100, (20, 6, 2))
    triangles = [(0, 1, 2), (3, 4, 5), (1, 3, 5)]
    expected = strengths(points, triangles)
    monkeypatch.setattr(meshes, "_GROUPS", 1)
    assert (strengths(points, triangles) == expected).all()


def test_a_distant_bird_covers_what_a_near_one_does():
    """Its silhouette from above, from the side and from the front, at many times of its beat."""
    corners = BIRD.pose(np.arange(20), 1.7, np.zeros(20, bool))
    for across, up in ((0, 1), (0, 2), (1, 2)):
        points = 30 * np.stack([corners[across], corners[up]], axis=-1) + [45, 30]
        near, far = (
            np.array([strengths(each[None], faces).sum() for each in points])
            for faces in (BIRD.triangles, BIRD.far[0])
        )
        assert (abs(far / near - 0.9) < 0.2).all()
