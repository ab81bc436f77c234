"""Relaxation times and the dynamic exponent for known correlations."""

from __future__ import annotations

import math

import numpy as np
import pytest
from flocks_for_measures import drifting, run, space_of

from murmurate.errors import MeasureError
from murmurate.measures import (
    Curve,
    Estimate,
    correlation_length,
    dynamic_exponent,
    of_arrays,
    relaxation_of,
    relaxation_time,
    spatiotemporal_correlation,
)
from murmurate.measures.structure import isotropic_wave, quadrature_directions

AGREE = pytest.approx


def lasting(tau, frames=4000, dt=0.5, kind="torus", k=2 * math.pi / 10):
    """Return a standing wave of velocities whose amplitude decorrelates within tau."""
    random = np.random.default_rng(1)
    x = np.stack(np.meshgrid(np.arange(10.0), np.arange(10.0)), axis=-1).reshape(-1, 2)
    shape = np.stack([np.zeros(100), np.cos(k * x[:, 0])], axis=1)
    kept = math.exp(-dt / tau)
    noise = random.normal(size=frames) * math.sqrt(1 - kept**2)
    amplitude = [random.normal()]
    for kick in noise[1:]:
        amplitude.append(kept * amplitude[-1] + kick)
    space = space_of(kind, 2)
    return run([of_arrays(x, [1, 0] + a * shape, space) for a in amplitude], dt)


class TestTimes:
    def test_an_exponential(self):
        t = np.arange(4000) * 0.05
        for tau in (1.0, 3.0):
            curve = Curve(t, np.exp(-t / tau), t)
            assert relaxation_of(curve) == AGREE(tau, rel=1e-3)

    def test_a_gaussian(self):
        """The integral is pi / 2 erf(s / (tau sqrt(2))): half of it at 0.476936."""
        t = np.arange(400) * 0.1
        curve = Curve(t, np.exp(-(t**2) / 2 / 3.0**2), t)
        assert relaxation_of(curve) == AGREE(3 / math.sqrt(2) / 0.4769363, rel=1e-3)

    def test_a_constant_correlation_has_no_time(self):
        t = np.arange(10.0)
        assert math.isnan(relaxation_of(Curve(t, np.ones(10), t)))
        assert math.isnan(relaxation_of(Curve(t[:1], t[:1], t[:1])))

    def test_gaps_in_the_curve(self):
        t = np.arange(400) * 0.1
        c = np.exp(-t / 2)
        c[[3, 50]] = np.nan
        assert relaxation_of(Curve(t, c, t)) == AGREE(2, rel=0.01)


class TestFlocks:
    @pytest.mark.slow
    @pytest.mark.parametrize("tau", [2.0, 8.0])
    def test_a_planted_time(self, tau):
        frames = lasting(tau, 2000)
        result = relaxation_time(frames, k=2 * math.pi / 10)
        assert result.value == AGREE(tau, rel=5 * math.sqrt(tau / 2000)) and not result.short
        curve = spatiotemporal_correlation(frames, k=2 * math.pi / 10)
        assert curve.y[:9] == AGREE(np.exp(-curve.x[:9] / tau), abs=0.15)

    @pytest.mark.parametrize("dims", [2, 3])
    def test_by_brute_force_in_open_space(self, dims):
        """Against all pairs, with the analytical mean over directions."""
        flocks, k = drifting("open", dims, 6, 40), 1.7
        sums = np.zeros(4)
        pairs = np.zeros(4)
        for s, item in enumerate(flocks):
            for t, other in enumerate(flocks[s : s + 4]):
                x, y = (f.positions - f.positions.mean(axis=0) for f in (item, other))
                v, w = (f.velocities - f.velocities.mean(axis=0) for f in (item, other))
                r = np.linalg.norm(x[:, None] - y, axis=2)
                sums[t] += (v @ w.T * isotropic_wave(k * r, dims)).sum() / 40
                pairs[t] += 1
        curve = spatiotemporal_correlation(run(flocks, 0.5), k=k)
        assert curve.y == AGREE(sums / pairs / (sums[0] / pairs[0]))
        assert list(curve.x) == [0, 0.5, 1.0, 1.5] and list(curve.count) == [6, 5, 4, 3]

    def test_a_moving_flock_is_measured_in_its_own_frame(self):
        still = lasting(2.0, 60)
        flocks = []
        for t, frame in enumerate(still):
            flock = frame["boids"]
            flocks.append(
                of_arrays((flock.positions + 0.7 * t) % 10, flock.velocities, flock.space)
            )
        moved = spatiotemporal_correlation(run(flocks, 0.5), k=0.6)
        assert moved.y == AGREE(spatiotemporal_correlation(still, k=0.6).y)

    def test_the_wave_fits_the_box(self):
        frames = lasting(2.0, 50)
        exact = spatiotemporal_correlation(frames, k=2 * math.pi / 10)
        near = spatiotemporal_correlation(frames, k=0.01)
        assert near.y == AGREE(exact.y)

    def test_one_over_the_correlation_length(self):
        flocks = drifting("open", 2)
        length = correlation_length(flocks[0])
        unsaid = spatiotemporal_correlation(run(flocks))
        assert unsaid.y == AGREE(spatiotemporal_correlation(run(flocks), k=1 / length).y)

    def test_frames_without_boids(self):
        frames = lasting(2.0, 60)
        gap = of_arrays(np.full((100, 2), np.nan), space=frames[0].space)
        some = run([gap if t in (7, 20) else f["boids"] for t, f in enumerate(frames)], 0.5)
        exact = spatiotemporal_correlation(frames, k=0.6)
        result = spatiotemporal_correlation(some, k=0.6)
        assert result.count[0] == 58 and result.count[1] == 59 - 4
        assert result.y[:5] == AGREE(exact.y[:5], abs=0.1)

    def test_invalid_options(self):
        for k in (0, -1, math.inf, "long"):
            with pytest.raises(MeasureError, match=r"^k: got"):
                relaxation_time(drifting("open", 2), k=k)
        with pytest.raises(MeasureError, match=r"^k: got .* directions; expected at most"):
            relaxation_time(drifting("open", 3), k=1e9)
        for k in (1e300, 1e308):
            with pytest.raises(
                MeasureError, match=r"^reach: got [0-9.]+e\+6\d\d plane waves; expected at most"
            ):
                relaxation_time(lasting(2.0, 5), k=k)


class TestExponent:
    def test_a_planted_exponent(self):
        k = np.array([0.1, 0.2, 0.5, 1.0])
        result = dynamic_exponent(k, 3 * k**-1.2)
        assert result.value == AGREE(1.2) and result.error == AGREE(0, abs=1e-12)
        taus = [Estimate(4.0 / item**2, 0.1, 9, "fit") for item in k]
        assert float(dynamic_exponent(k, [*taus[:3], math.nan])) == AGREE(2)

    @pytest.mark.slow
    def test_of_flocks_of_several_sizes(self):
        """Boxes with one wave each, whose relaxation time is proportional to k^-1."""
        k = 2 * math.pi / 10 * np.array([1, 2, 4])
        times = [relaxation_time(lasting(2 / item, 1500, k=item), k=item) for item in k]
        assert float(dynamic_exponent(k, times)) == AGREE(1, abs=0.15)

    def test_invalid_options(self):
        assert math.isnan(float(dynamic_exponent([1, 2], [1, 2])))
        with pytest.raises(MeasureError, match="3 wave numbers for 2 times"):
            dynamic_exponent([1, 2, 3], [1, 2])
        with pytest.raises(MeasureError, match=r"^k: got -3; expected numbers above 0"):
            dynamic_exponent([1, 2, -3], [1, 2, 3])


@pytest.mark.parametrize("dims", [2, 3])
def test_quadrature_is_exact_up_to_the_phase(dims):
    ways, weights = quadrature_directions(20.0, dims)
    random = np.random.default_rng(0).normal(size=(30, dims))
    y = random / np.linalg.norm(random, axis=1)[:, None] * np.linspace(0, 20, 30)[:, None]
    mean = weights @ np.exp(1j * ways @ y.T)
    assert mean == AGREE(isotropic_wave(np.linspace(0, 20, 30), dims), abs=1e-12)
