"""The susceptibility of groups with known correlations."""

from __future__ import annotations

import math

import numpy as np
import pytest
from flocks_for_measures import blob

from murmurate.errors import MeasureError
from murmurate.measures import group_susceptibility, of_arrays

AGREE = pytest.approx


def test_two_halves_that_separate():
    """Each boid is correlated with N / 2 - 1 others and anticorrelated with N / 2."""
    x = np.concatenate([np.linspace(0, 1, 20), np.linspace(50, 51, 20)])
    v = np.repeat([1.0, -1.0], 20)
    flock = of_arrays(np.stack([x, 0 * x], axis=1), np.stack([v + 7, 0 * v + 3], axis=1))
    assert group_susceptibility(flock) == AGREE(19)


def test_by_brute_force():
    """Over all distances at which it changes; bins are coarser, so the value may be lower."""
    flock = blob("open", 3, 60)
    v = flock.velocities - flock.velocities.mean(axis=0)
    r = np.linalg.norm(flock.positions[:, None] - flock.positions, axis=2)
    products = v @ v.T / (v * v).sum() * 60
    i, j = np.triu_indices(60, 1)
    order = np.argsort(r[i, j])
    exact = (2 * np.cumsum(products[i, j][order]) / 60).max()
    result = group_susceptibility(flock, bins=20_000)
    assert 0.99 * exact < result <= exact * (1 + 1e-9)
    assert group_susceptibility(flock) == AGREE(exact, rel=0.05)


def test_anticorrelated_neighbours():
    x = np.arange(10.0)
    v = np.resize([1.0, -1.0], 10)
    flock = of_arrays(np.stack([x, 0 * x], axis=1), np.stack([v, 0 * v], axis=1))
    assert group_susceptibility(flock, bins=9) == 0


def test_of_speeds():
    flock = blob()
    along = np.abs(flock.velocities[:, :1]) * [1.0, 0.0]
    straight = of_arrays(flock.positions, along)
    assert group_susceptibility(straight, of="speed") == AGREE(group_susceptibility(straight))


def test_a_part_of_the_pairs():
    flock = blob("open", 2, 600)
    exact = group_susceptibility(flock)
    assert group_susceptibility(flock, pairs=600 * 300) == AGREE(exact, rel=0.15)


def test_flocks_without_a_value():
    assert math.isnan(group_susceptibility(of_arrays(np.eye(2), np.ones((2, 2)))))
    with pytest.raises(MeasureError, match=r"^pairs: got 0"):
        group_susceptibility(blob(), pairs=0)
