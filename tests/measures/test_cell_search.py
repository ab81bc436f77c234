"""The cell search for nearest neighbours against scipy's k-d tree, point by point."""

from __future__ import annotations

import numpy as np
import pytest
from flocks_for_measures import space_of

from murmurate.neighbours.search import NeighbourSearch

COUNT = 4000


def points(kind: str, dims: int) -> np.ndarray:
    random = np.random.default_rng(3)
    even = random.uniform(0, 10, (COUNT, dims))
    return {
        "even": even,
        "round": 5 + random.normal(size=(COUNT, dims)),
        "heavy tails": 5 + random.normal(size=(COUNT, dims)) ** 3,
        "clumps": even * 0.01 + random.integers(0, 4, (COUNT, 1)) * 2.5,
        "lattice": np.floor(even * 8) / 8,  # ties, and coincident points
        "flat": even * np.eye(dims)[0],
        "lonely": np.concatenate([even[:5] * 1e5, even * 1e-3]),
    }[kind]


@pytest.mark.parametrize("dims", [2, 3])
@pytest.mark.parametrize("edges", ["open", "torus", "channel"])
@pytest.mark.parametrize(
    "kind", ["even", "round", "heavy tails", "clumps", "lattice", "flat", "lonely"]
)
def test_every_distance_equals_that_of_the_tree(kind, edges, dims):
    x, space = points(kind, dims), space_of(edges, dims)
    tree = NeighbourSearch(x, space, min_cell_points=10 * COUNT).nearest_distances()
    cells = NeighbourSearch(x, space, min_cell_points=2).nearest_distances()
    assert np.allclose(cells, tree, rtol=1e-9, atol=1e-12)
