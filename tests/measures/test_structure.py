"""Distances, shape, density and pair correlation against lattices, random points and solids."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from flocks_for_measures import blob, gas, space_of
from scipy.spatial.distance import pdist

from murmurate.errors import MeasureError
from murmurate.measures import (
    aspect_ratio,
    asphericity,
    border_to_core,
    clark_evans,
    collisions,
    density,
    distance_to_centre,
    elongation_along_motion,
    extent,
    kth_neighbour_distance,
    local_density,
    minimum_distance,
    number_fluctuation_exponent,
    number_fluctuations,
    of_arrays,
    pair_correlation,
    radius_of_gyration,
    shape,
    thickness,
    voronoi_density,
)
from murmurate.model.space import Space
from murmurate.neighbours.search import NeighbourSearch

AGREE = pytest.approx


def lattice(dims, side=8, step=1.0, kind="torus"):
    x = np.array(list(itertools.product(np.arange(side) * step, repeat=dims)))
    return of_arrays(x, np.ones_like(x), space_of(kind, dims, side * step))


def over(measure, flocks):
    """Return the mean and standard error over independent flocks."""
    values = np.array([measure(flock) for flock in flocks])
    return values.mean(axis=0), values.std(axis=0, ddof=1) / math.sqrt(len(values))


class TestNeighbours:
    @pytest.mark.parametrize("dims", [2, 3])
    def test_lattice(self, dims):
        flock = lattice(dims, step=2.5)
        assert kth_neighbour_distance(flock, k=2 * dims) == AGREE(2.5)
        assert kth_neighbour_distance(flock, k=2 * dims + 1) == AGREE(2.5 * math.sqrt(2))
        assert minimum_distance(flock) == AGREE(2.5)

    def test_clark_evans_of_lattices(self):
        assert clark_evans(lattice(2)) == AGREE(2.0)
        rows = np.array(
            [[i + 0.5 * (j % 2), j * math.sqrt(0.75)] for i in range(8) for j in range(8)]
        )
        triangles = of_arrays(rows, space=Space(size=(8, 8 * math.sqrt(0.75)), boundary="periodic"))
        assert clark_evans(triangles) == AGREE(2.1491, abs=1e-4)
        assert clark_evans(lattice(3)) == AGREE(1 / 0.55396, rel=1e-4)

    @pytest.mark.parametrize("dims", [2, 3])
    def test_clark_evans_of_random_points(self, dims):
        mean, error = over(clark_evans, [gas(dims, 1000, seed=seed) for seed in range(20)])
        assert abs(mean - 1) < 4 * error
        assert error < 0.01

    def test_known_density(self):
        flock = gas(2, 500, kind="open")
        assert clark_evans(flock, density=500.0) < clark_evans(flock)
        with pytest.raises(MeasureError, match="density"):
            clark_evans(flock, density=0)

    @pytest.mark.parametrize("dims", [2, 3])
    @pytest.mark.parametrize("kind", ["open", "torus", "channel"])
    def test_cells_give_the_distances_of_the_tree(self, dims, kind):
        """For uniform and clumped points, outliers and coincident points."""
        random = np.random.default_rng(1)
        gases = random.uniform(0, 10, (3000, dims))
        clumps = random.normal(size=(3000, dims)) ** 3 + random.integers(0, 3, (3000, 1)) * 3
        far = np.concatenate([gases, random.normal(size=(5, dims)) * 1e4])
        for x in (
            gases,
            clumps,
            far,
            np.repeat(gases, 2, axis=0),
            gases[:2],
            gases[:1].repeat(9, 0),
        ):
            space = space_of(kind, dims)
            tree = NeighbourSearch(x, space, min_cell_points=10**9).nearest_distances()
            cells = NeighbourSearch(x, space, min_cell_points=2).nearest_distances()
            assert cells == AGREE(tree, rel=1e-9)

    def test_wrong_k(self):
        with pytest.raises(MeasureError, match=r"^k: got 0"):
            kth_neighbour_distance(lattice(2), k=0)

    def test_collisions(self):
        flock = of_arrays([[0.1, 5], [9.9, 5], [5, 5], [5, 5.3]], space=space_of("torus", 2))
        assert collisions(flock, radius=0.25) == 1
        assert collisions(flock, radius=0.5) == 2
        assert collisions(lattice(2), radius=1.0) == 0  # nearer than, not at
        assert collisions(lattice(2), radius=1.001) == 2 * 64
        assert minimum_distance(flock) == AGREE(0.2)


class TestExtent:
    @pytest.mark.parametrize("dims", [2, 3])
    def test_all_pairs(self, dims):
        flock = blob("open", dims, 200)
        assert extent(flock) == AGREE(pdist(flock.positions).max())

    def test_across_the_edge(self):
        pair = [[0.5, 5], [9.5, 5]]
        assert extent(of_arrays(pair, space=space_of("torus", 2))) == AGREE(1)
        assert extent(of_arrays(pair, space=space_of("open", 2))) == AGREE(9)

    def test_flat_ones(self):
        line = np.outer(np.arange(5.0), [1, 2, 2])
        assert extent(of_arrays(line)) == AGREE(12)
        square = [[0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1.0]]
        assert extent(of_arrays(square)) == AGREE(math.sqrt(2))
        assert extent(of_arrays([[3.0, 4.0]])) == 0

    def test_sphere(self):
        x = np.random.default_rng(1).normal(size=(3000, 3))
        x /= np.linalg.norm(x, axis=1)[:, None]
        flock = of_arrays(np.concatenate([x, -x]))
        assert extent(flock) == AGREE(2)
        assert distance_to_centre(flock) == AGREE(1)
        assert radius_of_gyration(flock) == AGREE(1)

    def test_disc(self):
        random = np.random.default_rng(2)
        x = random.uniform(-1, 1, (40_000, 2))
        x = x[(x**2).sum(axis=1) < 1] * 3
        assert radius_of_gyration(of_arrays(x)) == AGREE(3 / math.sqrt(2), rel=0.01)
        assert distance_to_centre(of_arrays(x)) == AGREE(2, rel=0.01)


class TestShape:
    def test_ellipsoid(self):
        random = np.random.default_rng(3)
        x = random.uniform(-1, 1, (60_000, 3))
        x = x[(x**2).sum(axis=1) < 1] * [5.6, 2.8, 1]
        flock = of_arrays(x, np.tile([0, 0, 1.0], (len(x), 1)))
        result = shape(flock)
        assert result.eigenvalues == AGREE(np.array([5.6, 2.8, 1]) ** 2 / 5, rel=0.03)
        assert result.ratios == AGREE([5.6, 2.8], rel=0.02)
        assert abs(result.axes[0, 0]) == AGREE(1, abs=1e-3)
        assert aspect_ratio(flock) == AGREE(5.6, rel=0.02)
        assert thickness(flock) == AGREE(2, rel=0.02)
        assert elongation_along_motion(flock) == AGREE(0, abs=0.02)

    def test_line_and_square(self):
        line = of_arrays([[0, 0], [1, 1], [2, 2]], [[1, 1]] * 3)
        assert asphericity(line) == AGREE(1)
        assert aspect_ratio(line) == math.inf
        assert thickness(line) == AGREE(0, abs=1e-7)
        assert elongation_along_motion(line) == AGREE(1)
        assert asphericity(lattice(2, kind="open")) == AGREE(0, abs=1e-12)
        assert asphericity(lattice(3, kind="open")) == AGREE(0, abs=1e-12)
        assert aspect_ratio(lattice(3, kind="open")) == AGREE(1)

    def test_rectangle(self):
        """2 by 1: variances as 4 to 1; asphericity (2 * 17 / 25 - 1)."""
        assert asphericity(of_arrays([[0, 0], [2, 0], [0, 1], [2, 1]])) == AGREE(9 / 25)


class TestDensity:
    def test_square(self):
        square = of_arrays([[0, 0], [2, 0], [0, 2], [2, 2]])
        assert density(square) == AGREE(1)

    @pytest.mark.parametrize("dims", [2, 3])
    def test_voronoi_of_a_lattice(self, dims):
        flock = lattice(dims, side=5, step=0.5, kind="open")
        assert voronoi_density(flock) == AGREE(2.0**dims)
        assert border_to_core(lattice(dims, side=7, kind="open")) == AGREE(1)

    @pytest.mark.parametrize("dims", [2, 3])
    def test_random_points(self, dims):
        flocks = [gas(dims, 1000, seed=seed) for seed in range(20)]
        mean, error = over(local_density, flocks)
        assert abs(mean - 1000) < 4 * error
        assert error < 20
        assert voronoi_density(flocks[0]) == AGREE(1000, rel=1e-12)
        assert density(flocks[0]) == AGREE(1000, rel=1e-12)

    def test_crowded_border(self):
        random = np.random.default_rng(4)
        x = random.normal(size=(2000, 2))
        x *= (random.uniform(size=(2000, 1)) ** 0.2) / np.linalg.norm(x, axis=1)[:, None]
        assert border_to_core(of_arrays(x)) > 1.5  # density grows as r^3
        assert border_to_core(gas(2, 2000, kind="open")) == AGREE(1, abs=0.1)
        with pytest.raises(MeasureError, match="share"):
            border_to_core(of_arrays(x), share=1.0)

    def test_too_many_boids(self):
        with pytest.raises(MeasureError, match=r"got 50,001 boids.*Use local_density"):
            voronoi_density(gas(2, 50_001, kind="channel"))
        assert voronoi_density(gas(2, 101)) == AGREE(101)  # a torus needs no cells


class TestPairCorrelation:
    @pytest.mark.parametrize("dims", [2, 3])
    @pytest.mark.parametrize("kind", ["torus", "open"])
    def test_random_points(self, dims, kind):
        """1 at all distances, by the box on a torus, within the hull in open space."""
        flocks = [gas(dims, 800, kind=kind, seed=seed) for seed in range(16)]
        y = np.array([pair_correlation(flock, reach=0.2, bins=8).y for flock in flocks])
        mean, error = y.mean(axis=0), y.std(axis=0, ddof=1) / 4
        assert (np.abs(mean - 1) < 4 * error + 0.004).all()

    def test_a_small_flock_of_random_points(self):
        """The hull of 200 points in a ball is a third smaller than the ball; g is still 1."""
        random = np.random.default_rng(5)
        result = []
        for _ in range(100):
            x = random.normal(size=(200, 3))
            x *= np.cbrt(random.uniform(size=(200, 1))) / np.linalg.norm(x, axis=1)[:, None]
            flock = of_arrays(x)
            assert density(flock) > 1.2 * 200 / (4 / 3 * math.pi)
            result.append(pair_correlation(flock, edges=[0.1, 0.2, 0.3, 0.4]).y)
        mean, error = np.mean(result, axis=0), np.std(result, axis=0, ddof=1) / 10
        assert (error < 0.03).all()
        assert (np.abs(mean - 1) < 4 * error).all()

    def test_too_far_on_a_torus(self):
        flock = gas(2, 100)
        half = flock.space.size[0] / 2
        assert np.isfinite(pair_correlation(flock, reach=half, bins=4).y).all()
        for options in ({"reach": 1.01 * half}, {"edges": [0, 0.1, 2 * half]}):
            with pytest.raises(MeasureError, match="expected at most half of the torus"):
                pair_correlation(flock, **options)

    def test_lattice(self):
        """4 at distance 1, 4 at sqrt 2, 4 at 2 and none elsewhere."""
        curve = pair_correlation(lattice(2), edges=[0.9, 1.1, 1.3, 1.5, 1.9, 2.1])
        assert curve.count == AGREE(64 * np.array([4, 0, 4, 0, 4]))
        shell = math.pi * (1.1**2 - 0.9**2)
        assert curve.y[0] == AGREE(4 / (shell * 63 / 64))

    def test_pairs_across_the_edge(self):
        pair = of_arrays([[0.1, 5], [9.9, 5]], space=space_of("torus", 2))
        assert pair_correlation(pair, edges=[0, 0.15, 0.25]).count == AGREE([0, 2])

    def test_an_open_flock_by_hand(self):
        """Two boids within a square of four: the density is that of n + 1 in the hull."""
        corners = [[0.0, 0.0], [8.0, 0.0], [8.0, 8.0], [0.0, 8.0]]
        points = np.array([*corners, [3.0, 4.0], [5.0, 4.0]])
        flock = of_arrays(points, np.zeros_like(points))
        curve = pair_correlation(flock, edges=[1.5, 2.5])
        assert curve.count == AGREE([2])
        assert curve.y == AGREE([(2 / 2) / (3 / 64 * math.pi * (2.5**2 - 1.5**2))])

    def test_a_part_of_the_centres(self):
        flock = gas(2, 4000)
        every = pair_correlation(flock, reach=0.1, bins=4)
        some = pair_correlation(flock, reach=0.1, bins=4, centres=1000)
        assert some.y == AGREE(every.y, abs=0.06)
        assert some.count.sum() < every.count.sum() / 3

    def test_wrong_edges(self):
        with pytest.raises(MeasureError, match="edges"):
            pair_correlation(lattice(2), edges=[0.0, 2.0, 1.0])


class TestNumberFluctuations:
    @pytest.mark.parametrize("dims", [2, 3])
    def test_random_points(self, dims):
        flocks = [gas(dims, 4000, seed=seed) for seed in range(24)]
        mean, error = over(number_fluctuation_exponent, flocks)
        assert abs(mean - 0.5) < 4 * error
        assert error < 0.03
        curves = [number_fluctuations(flock) for flock in flocks]
        squares = np.array([flock.y**2 for flock in curves])
        spread = squares.std(axis=0, ddof=1) / math.sqrt(24)
        assert (np.abs(squares.mean(axis=0) - curves[0].x) < 4 * spread).all()

    def test_open_space(self):
        random = np.random.default_rng(1)
        flocks = []
        for _ in range(16):
            x = random.uniform(-1, 1, (6000, 2))
            flocks.append(of_arrays(x[(x**2).sum(axis=1) < 1]))
        mean, error = over(number_fluctuation_exponent, flocks)
        assert abs(mean - 0.5) < 4 * error

    def test_order_and_clumps(self):
        random = np.random.default_rng(2)
        jittered = lattice(2, side=64).positions + random.uniform(-0.3, 0.3, (4096, 2))
        torus = space_of("torus", 2, 64)
        assert number_fluctuation_exponent(of_arrays(jittered % 64, space=torus)) < 0.4
        clumps = random.uniform(0, 64, (16, 1, 2)) + random.normal(size=(16, 250, 2)) * 3
        clumped = of_arrays(clumps.reshape(-1, 2) % 64, space=torus)
        assert number_fluctuation_exponent(clumped) > 0.7
