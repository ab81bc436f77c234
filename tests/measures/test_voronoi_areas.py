"""Voronoi cells that end at a radius and at walls: closed forms, sums, and counts of points."""

from __future__ import annotations

import math

import numpy as np
import pytest

from murmurate.errors import MeasureError
from murmurate.measures import of_arrays, of_tracks, voronoi_area, voronoi_density
from murmurate.measures.zones import parse_zone
from murmurate.model.space import Space

AGREE = pytest.approx
TORUS = Space(size=(10.0, 10.0), boundary=("periodic", "periodic"))
STAR = "polygon 0 0 10 0 10 10 5 3 0 10"  # not convex


def test_closed_forms():
    single, two = of_arrays([[1.0, 2.0]]), of_arrays([[0.0, 0.0], [2.0, 0.0]])
    assert voronoi_density(single, radius=2.0) == AGREE(1 / (4 * math.pi))
    # a disc of radius 2 without the segment beyond the distance 1
    segment = 4 * math.acos(0.5) - math.sqrt(3)
    assert voronoi_density(two, radius=2.0) == AGREE(1 / (4 * math.pi - segment))
    assert voronoi_density(two, radius=0.9) == AGREE(1 / (0.81 * math.pi))
    # the quarter of a disc in the corner of a box, and half of it beyond a wall
    corner = of_arrays([[0.0, 0.0]])
    assert voronoi_density(corner, radius=2.0, wall="box 0 0 9 9") == AGREE(1 / math.pi)
    assert voronoi_density(corner, radius=2.0, wall="box -9 -9 9 0") == AGREE(1 / (2 * math.pi))
    grid = np.stack(np.meshgrid([0.5, 1.5, 2.5], [0.5, 1.5, 2.5]), axis=-1).reshape(-1, 2)
    areas = voronoi_area([of_arrays(grid)] * 2, wall="box 0 0 3 3")
    assert areas.values == AGREE(np.ones(9)) and list(areas.counts) == [2] * 9
    for line in ([[1.0, 5.0], [3.0, 5.0], [5.0, 5.0]], [[1.0, 1.0], [3.0, 3.0]]):
        areas = voronoi_area([of_arrays(line)], wall="box 0 0 10 10").values
        assert areas.sum() == AGREE(100)
    assert voronoi_area([of_arrays([[1.0, 5.0], [3.0, 5.0]])], wall="box 0 0 10 10")[0] == AGREE(20)


@pytest.mark.parametrize("seed", range(5))
def test_cells_fill_the_room(seed):
    """Any walls, in either direction: cells add up to the area inside, with any number of boids."""
    random = np.random.default_rng(seed)
    positions = random.uniform(0, 10, (random.integers(1, 40), 2))
    for wall, area in (
        ("box 0 0 10 10", 100),
        ("box 10 10 0 0", 100),
        (STAR, 65),
        ("circle 5 5 3", 9 * math.pi),
    ):
        for radius in (None, 30.0):
            areas = voronoi_area([of_arrays(positions)], wall=wall, radius=radius)
            assert areas.values.sum() == AGREE(area, rel=1e-9)
    around = voronoi_area([of_arrays(positions, space=TORUS)], radius=30.0)
    assert around.values.sum() == AGREE(100, rel=1e-9)
    flock = of_arrays(positions, space=TORUS)
    assert voronoi_density(flock, radius=30.0) == AGREE(voronoi_density(flock))


@pytest.mark.parametrize("seed", range(4))
def test_cells_against_counts_of_points(seed):
    """The nearest boid of each point of a fine grid, if it is near enough."""
    random = np.random.default_rng(seed)
    positions = random.uniform(0, 10, (random.integers(2, 30), 2))
    radius = random.uniform(0.8, 4)
    x = (np.arange(250) + 0.5) / 25
    points = np.stack(np.meshgrid(x, x), axis=-1).reshape(-1, 2)
    for space, wall in ((None, STAR), (None, "circle 5 5 4"), (TORUS, None)):
        away = points[:, None] - positions
        distance = np.linalg.norm(away if space is None else space.minimum_image(away), axis=2)
        near = distance.min(axis=1) < radius
        if wall is not None:
            zone = parse_zone(wall, "wall")
            near &= zone.pieces(points, 0 * points).shares(len(points)) == 1
        counts = np.bincount(distance.argmin(axis=1)[near], minlength=len(positions)) / 625
        areas = voronoi_area([of_arrays(positions, space=space)], radius=radius, wall=wall)
        np.testing.assert_allclose(areas.values, counts, atol=0.06)


def test_gaps_and_coincident_boids():
    """An animal that is not seen has no cell; its neighbours have it."""
    tracks = np.array([[[1.0, 5.0], [3.0, 5.0]], [[np.nan, np.nan], [3.0, 5.0]]])
    areas = voronoi_area(of_tracks(tracks), wall="box 0 0 10 10")
    assert list(areas.values) == AGREE([20, (80 + 100) / 2]) and list(areas.counts) == [1, 2]
    twice = of_arrays([[1.0, 1.0], [1.0, 1.0]])
    assert math.isnan(voronoi_density(twice, radius=1.0))
    assert math.isnan(voronoi_area([twice], radius=1.0)[0])
    assert math.isnan(voronoi_area(of_tracks(np.full((2, 3, 2), np.nan)), radius=1.0).mean.value)


def test_refusals():
    flock = of_arrays(np.random.default_rng(1).uniform(0, 10, (9, 2)), space=TORUS)
    for options, says in (
        ({"wall": "box 0 0 10 10"}, "expected none in a periodic space"),
        ({"wall": "circle 0 0"}, "wall: got"),
        ({"radius": 0}, "radius: got 0; expected a number above 0"),
    ):
        with pytest.raises(MeasureError, match=says):
            voronoi_density(flock, **options)
        with pytest.raises(MeasureError, match=says):
            voronoi_area([flock], **options)
    with pytest.raises(MeasureError, match="a wall that crosses itself"):
        voronoi_density(of_arrays(flock.positions), wall="polygon 0 0 1 1 1 0 0 1")
    with pytest.raises(MeasureError, match="in 3-D; expected 2-D"):
        voronoi_area([of_arrays(np.eye(3))], radius=1.0)
