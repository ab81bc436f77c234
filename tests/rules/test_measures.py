"""Measures against answers known by hand."""

import itertools
import math

import numpy as np
import pytest

from murmurate.frame import FlockFrame
from murmurate.measures import (
    centroid,
    milling,
    nearest_neighbour_distance,
    polarization,
    speed,
)
from murmurate.model.space import Space


def flock(positions, velocities=None, space=None, dtype=float):
    positions = np.array(positions, dtype)
    velocities = np.zeros_like(positions) if velocities is None else np.array(velocities, dtype)
    space = space or Space(size=(10.0,) * positions.shape[1])
    none = np.zeros(len(positions), np.int64)
    return FlockFrame("boids", np.arange(len(positions)), positions, velocities, none, space)


def ring(count, centre, radius=2.0):
    """(N, 2) places on a circle, outward unit vectors and counter-clockwise tangents."""
    angle = 2 * np.pi * np.arange(count) / count
    out = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return centre + radius * out, out, np.stack([-out[:, 1], out[:, 0]], axis=1)


def empty(dims):
    return flock(np.zeros((0, dims)), space=Space(size=(10.0,) * dims))


TORUS = Space(size=(10, 10), boundary="periodic")
TORUS3 = Space(size=(10, 10, 10), boundary="periodic")
AGREE = pytest.approx


class TestPolarization:
    def test_aligned(self):
        assert polarization(flock(np.zeros((3, 2)), [[1, 1], [2, 2], [9, 9]])) == AGREE(1)

    def test_opposite(self):
        assert polarization(flock(np.zeros((2, 3)), [[0, 0, 2], [0, 0, -5]])) == AGREE(0)

    def test_right_angle(self):
        assert polarization(flock(np.zeros((2, 2)), [[1, 0], [0, 3]])) == AGREE(math.sqrt(0.5))

    def test_a_boid_that_stands_still_counts_among_n(self):
        assert polarization(flock(np.zeros((4, 2)), [[1, 0], [1, 0], [1, 0], [0, 0]])) == AGREE(
            0.75
        )

    def test_mill_has_none(self):
        positions, _, along = ring(7, (5, 5))
        assert polarization(flock(positions, along)) == AGREE(0, abs=1e-12)


class TestMilling:
    @pytest.mark.parametrize("turn", [1, -1])
    def test_perfect_mill(self, turn):
        positions, _, along = ring(12, (5, 5))
        assert milling(flock(positions, turn * 3 * along)) == AGREE(1)

    def test_explosion(self):
        positions, out, _ = ring(12, (5, 5))
        bang = flock(positions, out)
        assert milling(bang) == AGREE(0, abs=1e-12)
        assert polarization(bang) == AGREE(0, abs=1e-12)

    def test_halfway_between(self):
        positions, out, along = ring(8, (5, 5))
        assert milling(flock(positions, out + along)) == AGREE(math.sqrt(0.5))

    def test_counter_rotating_rings_cancel(self):
        inner, _, first = ring(6, (5, 5), 1)
        outer, _, other = ring(6, (5, 5), 2)
        both = flock(np.concatenate([inner, outer]), np.concatenate([first, -other]))
        assert milling(both) == AGREE(0, abs=1e-12)

    @pytest.mark.parametrize("centre", [(0, 0), (0.3, 9.9), (5, 10)])
    def test_across_the_edges_of_a_torus(self, centre):
        positions, _, along = ring(12, centre)
        assert milling(flock(positions % 10, along, TORUS)) == AGREE(1)
        assert milling(flock(positions % 10, along)) < 0.9  # in open space it is torn apart

    def test_one_axis_periodic(self):
        space = Space(size=(10, 10), boundary=("periodic", "open"))
        positions, _, along = ring(12, (0, 30))
        positions[:, 0] %= 10
        assert milling(flock(positions, along, space)) == AGREE(1)

    @pytest.mark.parametrize("plane", [(0, 1), (1, 2), (2, 0)])
    def test_three_dimensions(self, plane):
        flat, _, along = ring(9, (5, 5))
        positions, velocities = np.full((9, 3), 5.0), np.zeros((9, 3))
        positions[:, plane], velocities[:, plane] = flat, along
        assert milling(flock(positions, velocities)) == AGREE(1)

    def test_still_and_central_boids_contribute_zero(self):
        positions, _, along = ring(2, (5, 5))
        positions = np.concatenate([positions, [[5, 5]], [[5, 5]]])
        along = np.concatenate([along, [[1, 0]], [[0, 0]]])
        assert milling(flock(positions, along)) == AGREE(0.5)


class TestCentroid:
    def test_open(self):
        assert centroid(flock([[1, 2], [3, 6]])) == AGREE([2, 4])

    def test_across_the_edge(self):
        assert centroid(flock([[9, 1], [2, 1]], space=TORUS)) == AGREE([0.5, 1])

    def test_equals_the_open_mean_for_a_lopsided_flock(self):
        x = np.array([[8.0, 5], [9, 5], [9, 5], [12, 5]])
        assert centroid(flock(x % 10, space=TORUS)) == AGREE([9.5, 5])

    def test_box_that_does_not_start_at_zero(self):
        space = Space(size=(10, 10), origin=(-5, -5), boundary="periodic")
        middle = centroid(flock([[4.5, 0], [-4.5, 0]], space=space))
        assert abs(middle[0]) == AGREE(5)
        assert middle[1] == AGREE(0, abs=1e-12)


class TestSpeed:
    def test_mean(self):
        assert speed(flock(np.zeros((2, 2)), [[3, 4], [0, 1]])) == AGREE(3)


class TestNearestNeighbour:
    @pytest.mark.parametrize("dims", [2, 3])
    @pytest.mark.parametrize("boundary", ["open", "periodic"])
    def test_lattice(self, dims, boundary):
        space = Space(size=(10,) * dims, boundary=boundary)
        points = np.array(list(itertools.product(np.arange(0, 10, 2.5), repeat=dims)))
        assert nearest_neighbour_distance(flock(points, space=space)) == AGREE(2.5)

    def test_pair_across_the_edge(self):
        pair = [[0.5, 5], [9.5, 5]]
        assert nearest_neighbour_distance(flock(pair, space=TORUS)) == AGREE(1)
        assert nearest_neighbour_distance(flock(pair)) == AGREE(9)

    def test_mixed_axes(self):
        space = Space(size=(10, 10, 10), boundary=("periodic", "open", "held"))
        points = [[0.5, -40, 0], [9.5, -40, 0], [5, 70, 0.5], [5, 70, 9.5]]
        assert nearest_neighbour_distance(flock(points, space=space)) == AGREE((1 + 1 + 9 + 9) / 4)

    def test_float32_on_the_edge(self):
        points = [[10, 10, 10], [0, 0, 1], [-1e-9, 3, 3], [10, 3, 4]]
        near = nearest_neighbour_distance(flock(points, space=TORUS3, dtype=np.float32))
        assert near == AGREE(1, rel=1e-6)

    def test_origin(self):
        space = Space(size=(10, 10), origin=(-3, 100), boundary="periodic")
        assert nearest_neighbour_distance(flock([[-3, 105], [6, 105]], space=space)) == AGREE(1)

    def test_same_place(self):
        assert nearest_neighbour_distance(flock(np.full((5, 2), 3.0))) == 0

    def test_random_against_all_pairs(self):
        points = np.random.default_rng(1).uniform(0, 10, (200, 3))
        away = points[:, None] - points
        away -= 10 * np.round(away / 10)
        distance = np.linalg.norm(away, axis=-1) + np.diag(np.full(200, np.inf))
        result = nearest_neighbour_distance(flock(points, space=TORUS3))
        assert result == AGREE(distance.min(axis=1).mean())

    def test_one_boid_or_a_lost_one(self):
        assert math.isnan(nearest_neighbour_distance(flock([[1, 1]])))
        near = nearest_neighbour_distance(flock([[1, 1], [np.nan, 1], [2, 2]]))
        assert near == AGREE(math.sqrt(2))  # a boid that is not seen is left out


@pytest.mark.parametrize("measure", [polarization, milling, speed, nearest_neighbour_distance])
@pytest.mark.parametrize("dims", [2, 3])
def test_an_empty_flock_has_no_value(measure, dims):
    assert math.isnan(measure(empty(dims)))


@pytest.mark.parametrize("measure", [polarization, milling, speed, nearest_neighbour_distance])
def test_single_and_double_precision_agree(measure):
    draw = np.random.default_rng(2)
    points = draw.uniform(0, 10, (300, 3)).astype(np.float32)
    velocities = draw.normal(size=(300, 3)).astype(np.float32)
    first = measure(flock(points, velocities, TORUS3, np.float32))
    assert isinstance(first, float)
    assert measure(flock(points, velocities, TORUS3)) == AGREE(first, rel=1e-6)
