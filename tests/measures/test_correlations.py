"""Correlations and anisotropy against fields and lattices with known values."""

from __future__ import annotations

import math

import numpy as np
import pytest
from flocks_for_measures import blob, gas

from murmurate.errors import MeasureError
from murmurate.measures import (
    anisotropy,
    bearings,
    correlation_length,
    frontness,
    of_arrays,
    speed_correlation,
    speed_correlation_length,
    velocity_correlation,
)
from murmurate.measures.measure_frames import measure_frames
from murmurate.measures.summary import MODEL_UNITS, make_rows
from murmurate.model.space import Space

AGREE = pytest.approx


class TestCorrelation:
    def test_a_rotating_ring(self):
        """dv_i . dv_j = R^2 w^2 cos a at the distance 2 R sin(a/2): C = 1 - r^2 / (2 R^2), which is
        0 at sqrt(2) R."""
        a = 2 * np.pi * np.arange(400) / 400
        x = 3 * np.stack([np.cos(a), np.sin(a)], axis=1)
        wind = np.array([5.0, 1.0])
        v = np.stack([-x[:, 1], x[:, 0]], axis=1) + wind
        flock = of_arrays(x, v)
        curve = velocity_correlation(flock, bins=60)
        finite = np.isfinite(curve.y)
        assert curve.y[finite] == AGREE(1 - curve.x[finite] ** 2 / 18, abs=0.03)
        assert correlation_length(flock, bins=60) == AGREE(3 * math.sqrt(2), rel=0.01)
        still = of_arrays(x, v - wind)  # a stationary mill: headings are proportional to velocities
        assert correlation_length(still, of="heading") == AGREE(3 * math.sqrt(2), rel=0.01)

    def test_a_linear_field_on_a_line(self):
        """x_i x_j over pairs at r on a line from -a to a is 0 on average at 2 a / (1 + sqrt 3)."""
        x = np.linspace(-2, 2, 801)
        flock = of_arrays(np.stack([x, 0 * x], axis=1), np.stack([0 * x + 3, x], axis=1))
        assert correlation_length(flock) == AGREE(4 / (1 + math.sqrt(3)), rel=0.01)

    def test_a_few_close_pairs_do_not_decide(self):
        """A pair of opposite deviations in the first bin of the same field; C starts below 0."""
        x = np.append(np.linspace(-2, 2, 41), [0.04, 0.0401])
        y = np.append(np.linspace(-2, 2, 41), [-1.0, 1.0])
        flock = of_arrays(np.stack([x, 0 * x], axis=1), np.stack([0 * x + 3, y], axis=1))
        assert velocity_correlation(flock, bins=80).y[0] < 0
        assert correlation_length(flock, bins=80) == AGREE(4 / (1 + math.sqrt(3)), rel=0.05)
        mean = measure_frames([flock, flock], "velocity_correlation", options={
            "velocity_correlation": {"bins": 80}
        })  # fmt: skip
        (row,) = make_rows(mean, 2, MODEL_UNITS)
        assert row.part == "first zero" and row.value == AGREE(4 / (1 + math.sqrt(3)), rel=0.05)

    def test_speeds_alone(self):
        x = np.linspace(-2, 2, 401)
        a = np.random.default_rng(1).uniform(0, 2 * np.pi, 401)
        u = np.stack([np.cos(a), np.sin(a)], axis=1)
        flock = of_arrays(np.stack([x, 0 * x], axis=1), (5 + x)[:, None] * u)
        assert speed_correlation_length(flock) == AGREE(4 / (1 + math.sqrt(3)), rel=0.01)

    def test_a_wave_on_a_torus(self):
        """dv = sin(2 pi x / L) along y: C(r) = cos averaged over directions, which is the Bessel
        function J0, first 0 at 2.4048 L / (2 pi)."""
        flock = gas(2, 4000, 10.0)
        v = np.stack([np.ones(4000), np.sin(2 * np.pi * flock.positions[:, 0] / 10)], axis=1)
        wave = of_arrays(flock.positions, v, flock.space)
        assert correlation_length(wave) == AGREE(2.404826 * 10 / (2 * np.pi), rel=0.02)

    @pytest.mark.parametrize("kind", ["open", "torus", "channel"])
    def test_all_pairs_by_hand(self, kind):
        flock = blob(kind, 3, 60)
        away = flock.positions[:, None] - flock.positions
        for axis in np.flatnonzero(flock.space.periodic):
            away[..., axis] -= 10 * np.round(away[..., axis] / 10)
        r = np.linalg.norm(away, axis=2)
        d = flock.velocities - flock.velocities.mean(axis=0)
        curve = velocity_correlation(flock, edges=[0.0, 0.5, 1.0, 2.0])
        for b, (low, high) in enumerate([(0, 0.5), (0.5, 1), (1, 2)]):
            rows = (r >= low) & (r < high) & ~np.eye(60, dtype=bool)
            assert curve.count[b] == rows.sum()
            assert curve.y[b] == AGREE((d @ d.T)[rows].mean() / (d * d).sum(axis=1).mean())

    def test_products_of_all_pairs_sum_to_zero(self):
        """The deviations sum to 0, so C over all pairs is -1 / (N - 1)."""
        curve = velocity_correlation(blob("open", 2, 100))
        assert curve.count.sum() == 100 * 99
        assert np.nansum(curve.y * curve.count) / curve.count.sum() == AGREE(-1 / 99)

    def test_a_part_of_the_pairs(self):
        flock = blob("open", 2, 1000)
        some = velocity_correlation(flock, pairs=100_000, bins=5)
        assert some.count.sum() == 100 * 999
        assert some.y[:3] == AGREE(velocity_correlation(flock, bins=5).y[:3], abs=0.3)

    def test_flocks_without_correlation(self):
        alike = of_arrays(np.random.default_rng(1).normal(size=(9, 2)), np.full((9, 2), 0.1))
        assert len(velocity_correlation(alike)) == 0
        assert len(speed_correlation(alike)) == 0
        assert math.isnan(correlation_length(alike))
        with pytest.raises(MeasureError, match="bins"):
            velocity_correlation(blob(), bins=0)


def columns(step):
    """Return a lattice of spacing 1 along y and `step` along x, moving along x."""
    x = np.array([[i * step, j] for i in range(8) for j in range(8)], dtype=float)
    return of_arrays(x, np.tile([2.0, 0], (64, 1)), Space(size=(8 * step, 8), boundary="periodic"))


class TestAnisotropy:
    def test_neighbours_beside(self):
        """The nearest neighbour is always at the side: the emptiest direction is the heading."""
        assert anisotropy(columns(2.0)) == AGREE(1)

    def test_neighbours_ahead_and_behind(self):
        assert anisotropy(columns(0.5)) == AGREE(0, abs=1e-12)

    def test_at_an_angle(self):
        flock = columns(2.0)
        turned = of_arrays(flock.positions, np.tile([1.0, 1.0], (64, 1)), flock.space)
        assert anisotropy(turned) == AGREE(0.5)

    @pytest.mark.parametrize("dims", [2, 3])
    def test_random_points(self, dims):
        values = []
        for seed in range(200):
            flock = gas(dims, 100, seed=seed)
            values.append(anisotropy(flock, k=3))
        error = np.std(values, ddof=1) / math.sqrt(len(values))
        assert abs(np.mean(values) - 1 / dims) < 4 * error

    def test_border_left_out(self):
        """Boids at the faces of a slab have neighbours on one side: the emptiest axis is across.

        For boids inside it is random.
        """
        both = []
        for seed in range(60):
            x = np.random.default_rng(seed).uniform(size=(300, 3)) * [20, 20, 6]
            flock = of_arrays(x, np.tile([1.0, 0, 0], (300, 1)))
            both.append([anisotropy(flock, k=7), anisotropy(flock, k=7, inner=True)])
        error = np.std(both, axis=0, ddof=1) / math.sqrt(len(both))
        off = (np.mean(both, axis=0) - 1 / 3) / error
        assert off[0] < -4 < off[1] < 4

    def test_no_boid_inside(self):
        flat = np.random.default_rng(1).uniform(size=(50, 3)) * [1, 1, 0]
        assert math.isnan(anisotropy(of_arrays(flat, flat + 1), inner=True))

    def test_frontness_of_a_queue(self):
        """Gaps widen forwards: the nearest of each boid except the last is the one behind."""
        queue = of_arrays([[i * i, 0.0] for i in range(1, 8)], [[1.0, 0]] * 7)
        assert frontness(queue) == AGREE((1 - 6) / 7)
        curve = bearings(queue, bins=2)
        assert curve.y == AGREE([2 * 1 / 7, 2 * 6 / 7])
        assert curve.count == AGREE([1, 6])

    @pytest.mark.parametrize("dims", [2, 3])
    def test_bearings_of_random_points(self, dims):
        curve = bearings(gas(dims, 4000), k=5, bins=6)
        assert curve.count.sum() == 20_000
        assert curve.y == AGREE(np.ones(6), abs=0.12)
        assert abs(frontness(gas(dims, 4000), k=5)) < 0.03

    def test_standing_still(self):
        still = of_arrays(np.random.default_rng(1).normal(size=(9, 2)))
        assert math.isnan(frontness(still)) and math.isnan(anisotropy(still))
