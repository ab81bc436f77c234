"""Leadership recovers known delays."""

from __future__ import annotations

import math

import numpy as np
import pytest
from flocks_for_measures import run

from murmurate.errors import MeasureError
from murmurate.measures import directional_delays, leadership, of_arrays

AGREE = pytest.approx


def followers(lags, frames=200, noise=0.0, dt=0.5, seed=1):
    """Return boids whose headings are those of the leader lags[k] frames before."""
    random = np.random.default_rng(seed)
    angle = np.cumsum(random.normal(size=frames + max(lags)) * 0.4)
    result = []
    for t in range(frames):
        a = angle[[t + max(lags) - lag for lag in lags]] + noise * random.normal(size=len(lags))
        result.append(of_arrays(np.zeros((len(lags), 2)), np.stack([np.cos(a), np.sin(a)], axis=1)))
    return run(result, dt)


@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_planted_delays(noise):
    lags = [2, 0, 5, 3]
    result = directional_delays(followers(lags, noise=noise))
    assert result.delays == AGREE(0.5 * (np.array(lags)[None] - np.array(lags)[:, None]))
    assert result.delays == AGREE(-result.delays.T)
    if not noise:
        assert result.correlations == AGREE(np.ones((4, 4)))
    lead = [sum(0.5 * (b - a) for b in lags) / 3 for a in lags]
    assert result.lead == AGREE(lead)
    curve = leadership(followers(lags, noise=noise))
    assert curve.y == AGREE(sorted(lead, reverse=True))
    assert list(curve.x) == [1, 2, 3, 4] and list(curve.count) == [3, 3, 3, 3]


def test_no_delay_beyond_the_reach():
    result = directional_delays(followers([0, 6]), reach=2.0)
    assert abs(result.delays[0, 1]) <= 2.0
    assert directional_delays(followers([0, 6]), reach=3.0).delays[0, 1] == 3.0


def test_straight_motion_and_mirrored_delays_have_no_leader():
    """All lags are as good as 0, or positive lags as good as negative ones."""
    straight = [of_arrays(np.zeros((3, 2)), np.ones((3, 2)))] * 20
    assert not directional_delays(straight).delays.any()
    angle = np.array([[0, 0.1], [1, 0.9], [2, 2.1], [1, 0.9], [0, 0.1]])
    flocks = [of_arrays(np.zeros((2, 2)), np.stack([np.cos(a), np.sin(a)], 1)) for a in angle]
    assert not directional_delays(flocks, reach=3).delays.any()


def test_uncorrelated_boids_are_left_out():
    random = np.random.default_rng(2)
    frames = followers([0, 3])
    flocks = []
    for frame in frames:
        a = random.uniform(0, 2 * math.pi)
        v = np.concatenate([frame["boids"].velocities, [[math.cos(a), math.sin(a)]]])
        flocks.append(of_arrays(np.zeros((3, 2)), v))
    result = directional_delays(run(flocks, 0.5))
    assert result.delays[0, 1] == 1.5 and np.isnan(result.delays[2, :2]).all()
    assert result.lead[:2] == AGREE([1.5, -1.5]) and math.isnan(result.lead[2])
    assert len(leadership(run(flocks, 0.5))) == 2


def test_gaps():
    """A boid that is unseen for a while, and one that appears late."""
    flocks = []
    for t, frame in enumerate(followers([0, 2, 4])):
        v = frame["boids"].velocities.copy()
        v[1][(50 <= t < 80) * np.ones(2, bool)] = np.nan
        keep = [0, 1] if t < 30 else [0, 1, 2]
        flocks.append(of_arrays(np.zeros((len(keep), 2)), v[keep], ids=[10 * k for k in keep]))
    result = directional_delays(run(flocks, 0.5))
    assert list(result.ids) == [0, 10, 20]
    assert result.delays[0] == AGREE([0, 1, 2])


def test_invalid_options():
    frames = followers([0, 1], frames=8)
    for min_correlation in (2, "much", None):
        with pytest.raises(MeasureError, match=r"^min_correlation: got"):
            directional_delays(frames, min_correlation=min_correlation)
    with pytest.raises(MeasureError, match=r"^reach: got 0"):
        leadership(frames, reach=0)
    with pytest.raises(MeasureError, match="equal"):
        leadership([frames[0], frames[1], frames[5]])
    too_many = of_arrays(np.zeros((2001, 2)))
    with pytest.raises(MeasureError, match="got 2,001 boids; expected at most 2,000"):
        leadership([too_many])
