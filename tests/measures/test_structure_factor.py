"""Structure factors against closed forms and brute force."""

from __future__ import annotations

import math

import numpy as np
import pytest
from flocks_for_measures import blob, gas

from murmurate.errors import MeasureError
from murmurate.measures import of_arrays, structure_factor
from murmurate.model.space import Space

AGREE = pytest.approx


@pytest.mark.parametrize("dims", [2, 3])
def test_a_lattice_has_bragg_peaks(dims):
    """N at 2 pi over the spacing, 0 at all other waves below."""
    axis = np.arange(6) + 0.3
    x = np.stack(np.meshgrid(*[axis] * dims), axis=-1).reshape(-1, dims)
    flock = of_arrays(x, space=Space(size=(6.0,) * dims, boundary="periodic"))
    curve = structure_factor(flock, reach=2 * math.pi * 1.001, bins=6)
    y = np.nan_to_num(curve.y)
    assert y[:5] == AGREE(np.zeros(5), abs=1e-12)
    near = structure_factor(flock, edges=[2 * math.pi * 0.999, 2 * math.pi * 1.001])
    assert near.y * near.count == AGREE([dims * 6**dims])  # of each axis one wave


@pytest.mark.parametrize("dims", [2, 3])
def test_random_points(dims):
    reach = {2: 80.0, 3: 40.0}[dims]  # of some 500 waves, each with an exponential S
    curves = [structure_factor(gas(dims, 300, seed=s), reach=reach, bins=4) for s in range(8)]
    y, count = (np.array([getattr(curve, name) for curve in curves]) for name in ("y", "count"))
    assert np.average(y, weights=count) == AGREE(1, abs=4 / math.sqrt(count.sum()))


@pytest.mark.parametrize("dims", [2, 3])
def test_by_brute_force_on_a_torus(dims):
    """A box with different sides: each wave once, with its mirror image."""
    size = np.array([3.0, 2.0, 2.5])[:dims]
    x = np.random.default_rng(3).uniform(0, 1, (40, dims)) * size + 5
    flock = of_arrays(x, space=Space(size=tuple(size), origin=(5.0,) * dims, boundary="periodic"))
    curve = structure_factor(flock, reach=12.0, bins=4)
    grid = np.stack(np.meshgrid(*[np.arange(-7, 8)] * dims), axis=-1).reshape(-1, dims)
    k = 2 * math.pi * grid / size
    length = np.linalg.norm(k, axis=1)
    each = np.abs(np.exp(-1j * x @ k.T).sum(axis=0)) ** 2 / 40
    for b in range(4):
        inside = (length > 0) & (length >= 3 * b) & (length < 3 * (b + 1))
        assert curve.count[b] == inside.sum() / 2
        assert curve.y[b] == AGREE(each[inside].mean())


@pytest.mark.parametrize("dims", [2, 3])
def test_by_brute_force_in_open_space(dims):
    """The mean over directions of k: evenly spaced in 2-D; in 3-D, even heights at even angles."""
    flock = blob("open", dims, 60)
    curve = structure_factor(flock, reach=10.0, bins=5)
    a = np.arange(90) / 90 * 2 * math.pi
    ways = np.stack([np.cos(a), np.sin(a)], axis=1)
    weights = np.ones(90) / 90
    if dims == 3:
        z, w = np.polynomial.legendre.leggauss(40)
        ways = np.concatenate([
            np.c_[math.sqrt(1 - h * h) * ways, np.full(90, h)] for h in z
        ])  # fmt: skip
        weights = np.repeat(w / 2, 90) / 90
    for k, y in zip(curve.x, curve.y, strict=True):
        each = np.abs(np.exp(-1j * k * flock.positions @ ways.T).sum(axis=0)) ** 2 / 60
        assert y == AGREE(each @ weights, abs=1e-4)


def test_long_wavelengths_give_the_number_of_boids():
    assert structure_factor(blob("open", 3, 50), edges=[0.0, 1e-6]).y == AGREE([50])


def test_the_default_reach_of_an_open_flock():
    """Six times 2 pi over twice the mean distance between boids."""
    points = np.array([[0.0, 0.0], [8.0, 0.0], [8.0, 8.0], [0.0, 8.0], [3.0, 4.0], [5.0, 4.0]])
    curve = structure_factor(of_arrays(points, np.zeros_like(points)))
    assert curve.edges[-1] == AGREE(6 * math.pi * math.sqrt(6 / 64))


def test_large_flocks_have_fewer_waves():
    """Without a reach, boids times waves are at most 20 million."""
    curve = structure_factor(gas(2, 20_000))
    assert curve.count.sum() == AGREE(1000, rel=0.15)
    with pytest.raises(MeasureError, match="plane waves; expected at most"):
        structure_factor(gas(3, 50), reach=1e4)
    with pytest.raises(MeasureError, match="20,001 boids in open space; expected at most 20,000"):
        structure_factor(gas(2, 20_001, kind="open"))


@pytest.mark.parametrize(
    ("size", "options"),
    [
        pytest.param(size, options, marks=() if k == m else pytest.mark.slow)
        for k, size in enumerate([(10.0, 10.0, 10.0), (10.0, 10.0), (2.0, 9.0, 4.0), (8.0, 3.0)])
        for m, options in enumerate([{}, {"bins": 100}, {"reach": 5.0}, {"edges": [0, 0.1, 2, 5]}])
    ],
)
def test_no_bin_is_below_the_smallest_wave_number(size, options):
    """2 pi / 10 in a box of side 10: longer waves do not fit it. Bins began at 0."""
    x = np.random.default_rng(2).uniform(0, 1, (200, len(size))) * size
    flock = of_arrays(x, space=Space(size=size, boundary="periodic"))
    curve = structure_factor(flock, **options)
    smallest = 2 * math.pi / max(size)
    assert curve.edges[0] == smallest and (curve.x > smallest).all()
    assert curve.count[0] >= 1 and np.isfinite(curve.y[0])
    again = structure_factor(flock, edges=curve.edges)
    np.testing.assert_array_equal(again.y, curve.y)
    reach = curve.edges[-1]
    assert curve.count.sum() == structure_factor(flock, edges=[0, reach]).count.sum()


def test_a_reach_without_a_wave_is_an_error():
    flock = gas(2, 100, side=10.0)
    with pytest.raises(MeasureError, match=r"up to 0\.5; expected a reach above 0\.628"):
        structure_factor(flock, reach=0.5)
    with pytest.raises(MeasureError, match="Give a larger reach"):
        structure_factor(flock, edges=[0.1, 2 * math.pi / 10])
    assert structure_factor(blob("open"), reach=0.5).edges[0] == 0  # no box in open space


@pytest.mark.parametrize("dims", [2, 3])
def test_random_points_have_one_in_every_bin(dims):
    """S of one wave is exponential, so the mean of n of them has the error 1 / sqrt(n)."""
    flocks = [gas(dims, 200, side=10.0, seed=seed) for seed in range(40)]
    curves = [structure_factor(curve, reach={2: 6.0, 3: 3.0}[dims], bins=8) for curve in flocks]
    waves = np.array([curve.count for curve in curves])
    assert (waves == waves[0]).all()
    filled = waves[0] > 0
    mean = np.mean([curve.y[filled] for curve in curves], axis=0)
    score = (mean - 1) * np.sqrt(40 * waves[0][filled])
    assert filled[0] and (np.abs(score) < 4).all()
    assert 0.3 < np.mean(score**2) < 2.5
