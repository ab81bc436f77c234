"""Bond-orientational order of lattices with known values."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from flocks_for_measures import gas

from murmurate.errors import MeasureError
from murmurate.measures import bond_orientational_order, of_arrays
from murmurate.model.space import Space

AGREE = pytest.approx


def lattice(cell, basis, times):
    """Return a torus filled with cells, each with boids at the basis positions."""
    corners = np.array(list(itertools.product(range(times), repeat=len(cell))))
    x = (corners[:, None] + np.array(basis)).reshape(-1, len(cell)) * cell
    space = Space(size=tuple(times * np.array(cell, float)), boundary="periodic")
    return of_arrays(x + 0.1, space=space)


TRIANGULAR = ([1, math.sqrt(3)], [[0, 0], [0.5, 0.5]])
CUBIC = {
    "fcc": ([[0, 0, 0], [0.5, 0.5, 0], [0.5, 0, 0.5], [0, 0.5, 0.5]], 12, 0.57452),
    "bcc": ([[0, 0, 0], [0.5, 0.5, 0.5]], 14, 0.51069),
    "simple": ([[0, 0, 0]], 6, 0.35355),
}


def test_a_triangular_lattice():
    for average in ("flock", "boid"):
        assert bond_orientational_order(lattice(*TRIANGULAR, 4), average=average) == AGREE(1)


def test_a_square_lattice():
    """exp(6 i a) at right angles is 1, -1, 1, -1."""
    square = lattice([1, 1], [[0, 0]], 5)
    assert bond_orientational_order(square, k=4) == AGREE(0, abs=1e-12)


@pytest.mark.parametrize("name", CUBIC)
def test_cubic_lattices(name):
    """Steinhardt, Nelson & Ronchetti 1983, table I."""
    basis, k, exact = CUBIC[name]
    result = bond_orientational_order(lattice([1, 1, 1], basis, 4), k=k)
    assert result == AGREE(exact, abs=1e-5)


def test_two_grains():
    """With half of the flock rotated by 30 degrees, local order stays and global order cancels."""
    grain = lattice(*TRIANGULAR, 12).positions
    other = np.stack([-grain[:, 1], grain[:, 0]], axis=1) - [100, 0]
    flock = of_arrays(np.concatenate([grain, other]))
    assert bond_orientational_order(flock) < 0.02
    assert bond_orientational_order(flock, average="boid") > 0.8


@pytest.mark.parametrize(("dims", "k"), [(2, 6), (3, 12)])
def test_random_points(dims, k):
    result = [bond_orientational_order(gas(dims, 1000, seed=s)) ** 2 for s in range(10)]
    assert 1 < np.mean(result) * 1000 * k < 5


def test_coincident_neighbours_have_no_direction():
    assert bond_orientational_order(of_arrays(np.ones((15, 3)))) == 0


def test_invalid_options():
    with pytest.raises(MeasureError, match=r"^average: got 'all'"):
        bond_orientational_order(gas(2, 10), average="all")
    with pytest.raises(MeasureError, match=r"^k: got 0"):
        bond_orientational_order(gas(2, 10), k=0)
