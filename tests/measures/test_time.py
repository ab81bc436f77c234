"""Displacements, overlap and heading autocorrelation of known motions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from flocks_for_measures import gas, run, space_of, wrap

from murmurate.errors import MeasureError
from murmurate.frame import Frame
from murmurate.measures import (
    heading_autocorrelation,
    mean_squared_displacement,
    neighbour_overlap,
    of_arrays,
)

AGREE = pytest.approx


def straight(kind, dims, frames=40, step=0.7):
    """Return boids in different directions, |v| = 1, on a torus of side 10."""
    random = np.random.default_rng(1)
    x = random.uniform(0, 10, (50, dims))
    u = random.normal(size=(50, dims))
    u /= np.linalg.norm(u, axis=1)[:, None]
    space = space_of(kind, dims)
    return run([of_arrays(wrap(x + t * step * u, space), u, space) for t in range(frames)], step)


class TestDisplacement:
    @pytest.mark.parametrize("dims", [2, 3])
    @pytest.mark.parametrize("kind", ["torus", "open", "channel"])
    def test_straight_flight(self, kind, dims):
        """(v t)^2, also twice around the torus."""
        curve = mean_squared_displacement(straight(kind, dims))
        assert curve.x == AGREE(0.7 * np.arange(40))
        assert curve.y == AGREE(curve.x**2)
        assert curve.error == AGREE(np.zeros(40), abs=1e-9)

    @pytest.mark.parametrize("dims", [2, 3])
    @pytest.mark.parametrize("kind", ["torus", "open"])
    def test_random_walk(self, kind, dims):
        """2 D d t, with steps of variance 2 d dt along each axis."""
        random = np.random.default_rng(2)
        space, d, dt = space_of(kind, dims), 0.3, 0.5
        steps = random.normal(size=(60, 400, dims)) * math.sqrt(2 * d * dt)
        x = np.cumsum(steps, axis=0)
        frames = run([of_arrays(wrap(row, space), space=space) for row in x], dt)
        curve = mean_squared_displacement(frames)
        exact = 2 * dims * d * curve.x
        assert (np.abs(curve.y - exact) <= 4 * curve.error + 1e-12).all()
        assert curve.error[10] < 0.1 * exact[10]

    def test_relative_to_the_flock(self):
        random = np.random.default_rng(3)
        x = random.uniform(0, 10, (30, 2))
        frames = run([of_arrays(x + t * np.array([3.0, 1.0])) for t in range(10)])
        assert mean_squared_displacement(frames, about="flock").y == AGREE(np.zeros(10), abs=1e-9)
        assert mean_squared_displacement(frames).y[1] == AGREE(10)
        with pytest.raises(MeasureError, match="'flock'"):
            mean_squared_displacement(frames, about="sun")

    def test_gaps_and_new_boids(self):
        """A boid that is unseen for a while continues from its last position."""
        space, nan = space_of("torus", 2), [np.nan, np.nan]
        x = [[[9, 1], nan], [nan, [2, 2]], [[1, 1], [2, 3]], [[2, 1], nan]]
        frames = run([of_arrays(row, space=space) for row in x])
        curve = mean_squared_displacement(frames)
        # Lags of 1: the second boid 1, the first 1; of 2: the first across the edge; of 3: so.
        assert curve.y[1:] == AGREE([1, 4, 9])
        assert list(curve.count[1:]) == [2, 1, 1]

    def test_memory_is_bounded(self):
        """Few origins give the same result from fewer pairs."""
        curve = mean_squared_displacement(straight("torus", 2), origins=2)
        assert curve.y == AGREE(curve.x**2)
        assert curve.count[5] < 50 * 35

    def test_uneven_times(self):
        frames = straight("open", 2, 4)
        uneven = [*frames[:3], Frame(9, 9.0, frames[3].space, frames[3].flocks)]
        with pytest.raises(MeasureError, match="equal"):
            mean_squared_displacement(uneven)
        again = [frames[0], frames[0]]
        with pytest.raises(MeasureError, match="above 0"):
            mean_squared_displacement(again)


class TestOverlap:
    def test_a_rigid_flock(self):
        flock = gas(2, 100, 10.0)
        frames = run([of_arrays(wrap(flock.positions + t, flock.space), space=flock.space)
                      for t in range(5)])  # fmt: skip
        assert neighbour_overlap(frames).y == AGREE(np.ones(5))

    def test_a_mixed_flock(self):
        """k / (N - 1) for independent frames."""
        curve = neighbour_overlap([gas(2, 200, seed=seed) for seed in range(20)], k=10)
        assert curve.y[0] == 1
        assert (np.abs(curve.y[1:] - 10 / 199) < 4 * curve.error[1:]).all()

    def test_by_hand(self):
        """Boid 1 goes from beside 0 to beside 3: of the four, only the pair (2, 3) ... and back."""
        before = of_arrays([[0, 0], [1, 0], [10, 0], [11, 0]])
        after = of_arrays([[0, 0], [12.5, 0], [10, 0], [11, 0]])
        curve = neighbour_overlap([before, after], k=1)
        assert list(curve.y) == [1, 0.5]  # 2 and 3 keep each other, 0 and 1 do not


class TestHeadings:
    def test_turning(self):
        frames = []
        for t in range(20):
            a = 0.3 * t + np.arange(12)
            frames.append(of_arrays(np.zeros((12, 2)), np.stack([np.cos(a), np.sin(a)], axis=1)))
        assert heading_autocorrelation(frames).y == AGREE(np.cos(0.3 * np.arange(20)))

    def test_rotational_diffusion(self):
        random = np.random.default_rng(4)
        a = np.cumsum(random.normal(size=(80, 500)) * math.sqrt(2 * 0.05), axis=0)
        frames = [
            of_arrays(np.zeros((500, 2)), np.stack([np.cos(row), np.sin(row)], axis=1)) for row in a
        ]
        curve = heading_autocorrelation(frames)
        assert (np.abs(curve.y - np.exp(-0.05 * curve.x)) <= 4 * curve.error + 1e-12).all()
