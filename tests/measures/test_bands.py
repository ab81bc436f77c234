"""Profiles along the heading for known densities."""

from __future__ import annotations

import math

import numpy as np
import pytest
from flocks_for_measures import gas, space_of

from murmurate.errors import MeasureError
from murmurate.frame import FlockFrame
from murmurate.measures import band_contrast, band_peak, density_profile, of_arrays, order_profile
from murmurate.model.space import Space

AGREE = pytest.approx


def waves(amplitude: float, turn: tuple[int, int], count: int = 40_000) -> FlockFrame:
    """Return a flock of density 1 + a cos(2 pi (n . x / L - 0.2)), moving along n / L."""
    n = np.array(turn) / np.array([4.0, 2.0])
    random = np.random.default_rng(1)
    x = random.uniform(size=(4 * count, 2)) * [4, 2]
    high = 1 + amplitude * np.cos(2 * np.pi * (x @ n - 0.2))
    x = x[random.uniform(0, 2, len(x)) < high][:count]
    return of_arrays(x, np.tile(n, (count, 1)), Space(size=(4, 2), boundary="periodic"))


class TestDensity:
    @pytest.mark.parametrize("turn", [(1, 0), (-1, 0), (0, 1), (1, 1), (1, -1)])
    def test_a_wave_along_a_side_or_a_diagonal(self, turn):
        """It is centred wherever it is, with contrast a / sqrt(2) and peak 1 + a."""
        flock = waves(0.8, turn)
        curve = density_profile(flock)
        exact = 1 - 0.8 * np.cos(2 * np.pi * curve.x)
        assert np.abs(curve.y - exact).max() < 5 / math.sqrt(40_000 / 32)
        assert curve.count.sum() == 40_000
        assert band_contrast(flock) == AGREE(0.8 / math.sqrt(2), abs=0.02)
        assert band_peak(flock) == curve.y.max() == AGREE(1.8, abs=0.15)

    def test_a_wave_across_the_heading_does_not_count(self):
        flock = waves(0.8, (0, 1))
        front = of_arrays(flock.positions, np.tile([1.0, 0], (len(flock), 1)), flock.space)
        assert band_contrast(front) < 0.05

    def test_all_in_half_of_the_box(self):
        x = np.stack([np.arange(64) / 64 * 5 + 7.5 + 0.01, np.zeros(64)], axis=1) % 10
        flock = of_arrays(x, np.tile([1.0, 0.1], (64, 1)), space_of("torus", 2))
        curve = density_profile(flock, bins=8)
        assert list(curve.y) == AGREE([0, 0, 2, 2, 2, 2, 0, 0])
        assert band_contrast(flock, bins=8) == AGREE(math.sqrt(8 / 7 - 1 / 8))

    def test_the_front_is_ahead(self):
        """The steep side is at larger s for any direction of motion."""
        tail = np.random.default_rng(2).exponential(0.1, 20_000) % 1
        for way in (1, -1):
            x = np.stack([-way * tail * 10 % 10, np.zeros(len(tail))], axis=1)
            flock = of_arrays(x, np.tile([way, 0.0], (len(x), 1)), space_of("torus", 2))
            y = density_profile(flock).y
            peak = int(np.argmax(y))
            assert y[peak + 1] < 0.5 < 5 < y[peak - 1]

    def test_random_points_have_no_contrast(self):
        """For any number of points the mean square is 0, and peaks are those of chance."""
        for count in (100, 2000):
            flocks = [gas(2, count, seed=seed) for seed in range(30)]
            assert np.mean([band_contrast(f) ** 2 for f in flocks]) < 5 / count
            assert np.mean([band_peak(f) for f in flocks]) == AGREE(
                1 + 2 * math.sqrt(32 / count), rel=0.1
            )

    def test_open_space(self):
        """s runs from the last boid to the first, along the heading."""
        x = np.array([[0, 5], [0.9, 2], [3.2, 9], [4, 0]], dtype=float)
        flock = of_arrays(x, np.tile([2.0, 0], (4, 1)))
        assert list(density_profile(flock, bins=4).count) == [2, 0, 0, 2]
        back = of_arrays(x, np.tile([-2.0, 0], (4, 1)))
        assert list(density_profile(back, bins=4).count) == [2, 0, 0, 2][::-1]
        assert not len(density_profile(of_arrays(x * [0, 1], flock.velocities)))

    def test_a_channel_along_and_across(self):
        """Periodic along x: slabs close along x, and do not along y."""
        x = np.array([[9.9, 1], [0.1, 2], [0.2, 4], [9.8, 5]])
        along, across = [np.tile(v, (4, 1)) for v in ([1.0, 0.1], [0.1, 1.0])]
        space = space_of("channel", 2)
        assert density_profile(of_arrays(x, along, space), bins=3).count[1] == 4
        assert list(density_profile(of_arrays(x, across, space), bins=2).count) == [2, 2]


class TestOrder:
    def test_a_band_in_a_gas(self):
        """Aligned boids are in the middle; the others move in both directions along y."""
        s = (np.arange(600) + 0.5) / 600
        inside = np.abs(s - 0.5) < 0.25
        v = np.where(inside[:, None], [1.0, 0], np.stack([0 * s, np.resize([1, -1], 600)], axis=1))
        x = np.stack([s * 10, 0 * s], axis=1)
        x = np.concatenate([x, x[inside]])  # twice as dense, which determines the middle
        flock = of_arrays(x, np.concatenate([v, v[inside]]), space_of("torus", 2))
        curve = order_profile(flock, bins=4)
        assert curve.y == AGREE([0, 1, 1, 0], abs=1e-12)
        assert density_profile(flock, bins=4).y == AGREE([2 / 3, 4 / 3, 4 / 3, 2 / 3])

    def test_an_empty_slab_has_no_value(self):
        flock = of_arrays([[1, 1], [1.1, 1]], [[1, 0], [1, 0]], space_of("torus", 2))
        assert np.isnan(order_profile(flock, bins=5).y[0])


def test_a_flock_without_heading_has_no_profile():
    flock = of_arrays([[1, 1], [2, 1]], [[1, 0], [-1, 0]], space_of("torus", 2))
    assert not len(density_profile(flock))
    assert math.isnan(band_peak(flock))
    assert math.isnan(band_contrast(flock))


def test_invalid_bins():
    with pytest.raises(MeasureError, match=r"^bins: got 0"):
        density_profile(gas(2, 10), bins=0)
    with pytest.raises(MeasureError, match=r"^bins: got 1,000,000,000,000; expected at most"):
        density_profile(gas(2, 10), bins=1e12)
    with pytest.raises(MeasureError, match=r"^bins: got 1e\+40; expected"):
        density_profile(gas(2, 10), bins=10**40)
    with pytest.raises(MeasureError, match=r"^bins: got 2\.5"):
        band_contrast(gas(2, 10), bins=2.5)
