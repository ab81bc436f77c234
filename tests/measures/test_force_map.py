"""Force maps recover known forces."""

from __future__ import annotations

import numpy as np
import pytest
from flocks_for_measures import run, space_of

from murmurate.errors import MeasureError
from murmurate.measures import force_map, of_arrays, speeding_force, turning_force

AGREE = pytest.approx
STEP = 0.5


def pairs(dims=2, count=3000, strength=0.2, seed=1, kind="open"):
    """Return frames of distant pairs with random headings.

    Each boid is attracted by strength * (vector to the other one).
    """
    random = np.random.default_rng(seed)
    grid = 20.0 * np.stack([np.arange(count) % 60, np.arange(count) // 60], axis=1)
    first = np.zeros((count, dims))
    first[:, :2] = grid
    away = random.uniform(-1, 1, (count, dims))
    x = np.concatenate([first, first + away])
    v = random.normal(size=x.shape)
    force = strength * np.concatenate([away, -away])
    times = [of_arrays(x, v + t * STEP * force) for t in (-1, 0, 1)]
    return run(times, STEP)


@pytest.mark.parametrize("dims", [2, 3])
def test_an_attraction(dims):
    """The forces are the strength times the distances ahead and to the side."""
    result = force_map(pairs(dims), reach=1.0, bins=8)
    assert result.count.sum() > 1000
    front, side = ((e[1:] + e[:-1]) / 2 for e in (result.front, result.side))
    finite = result.count > 0
    exact = np.broadcast_to(0.2 * front[:, None], finite.shape)
    assert result.speeding[finite] == AGREE(exact[finite], abs=0.2 * 0.13)
    exact = np.broadcast_to(0.2 * side, finite.shape)
    assert result.turning[finite] == AGREE(exact[finite], abs=0.2 * 0.13)
    assert side[0] < 0 if dims == 2 else side[0] > 0
    curve = speeding_force(pairs(dims), reach=1.0, bins=8)
    assert curve.y == AGREE(0.2 * curve.x, abs=0.01)
    assert (curve.error > 0).all() and (curve.error < 0.01).all()
    curve = turning_force(pairs(dims), reach=1.0, bins=8)
    assert curve.y == AGREE(0.2 * curve.x, abs=0.01)
    assert curve.count.sum() == result.count.sum()


def test_left_and_right():
    """The boid always turns left, and accelerates by what is behind."""
    v = np.array([[0, 1], [0, 1.0]])
    x = np.array([[5, 5], [6, 4.0]])
    change = np.array([[-0.1, 0.2], [0, 0]])
    times = [of_arrays(x, v + t * change) for t in (-1, 0, 1)]
    result = force_map(run(times), reach=2.0, bins=2)
    assert result.count.tolist() == [[1, 0], [0, 1]]  # behind to the right; ahead to the left
    assert result.turning[0, 0] == AGREE(0.1) and result.speeding[0, 0] == AGREE(0.2)
    assert np.isnan(result.turning[0, 1]) and result.turning[1, 1] == 0
    curve = turning_force(run(times), reach=2.0, bins=2)
    assert curve.y == AGREE([-0.05]) and list(curve.count) == [2]


def test_across_the_edge_of_a_torus():
    times = [
        of_arrays([[0.5, 5], [9.5, 5]], [[1, t * 0.0], [1 + 0.1 * t, 0]], space_of("torus", 2))
        for t in (-1, 0, 1)
    ]
    result = force_map(run(times), reach=2.0, bins=2)
    assert result.count.sum() == 2 and np.nanmax(result.speeding) == AGREE(0.1)


def test_boids_missing_in_one_of_three_frames_have_no_force():
    x = np.array([[5, 5], [6, 4], [5, 4.0]])
    first = of_arrays(x[:2], np.ones((2, 2)), ids=[0, 1])
    other = of_arrays(x, np.ones((3, 2)), ids=[0, 1, 2])
    still = of_arrays(x, np.zeros((3, 2)), ids=[0, 1, 2])
    assert force_map(run([first, other, other]), reach=5.0).count.sum() == 4
    assert force_map(run([other, still, other]), reach=5.0).count.sum() == 0
    assert not len(speeding_force(run([other, still, other]), reach=5.0))


def test_too_few_frames_and_invalid_options():
    frames = pairs(count=3)
    assert force_map(frames[:2]).count.size == 0 and not len(turning_force(frames[:2]))
    with pytest.raises(MeasureError, match=r"^reach: got 0"):
        force_map(frames, reach=0)
    with pytest.raises(MeasureError, match=r"^bins: got .* expected at most"):
        speeding_force(frames, bins=10**6)
