"""The cell search for nearest neighbours against scipy's tree, point by point."""

from __future__ import annotations

import numpy as np
import pytest
from flocks_for_measures import space_of

from murmurate.measures import of_arrays
from murmurate.measures.neighbours import search

COUNT = 4000


def places(kind: str, dims: int) -> np.ndarray:
    random = np.random.default_rng(3)
    even = random.uniform(0, 10, (COUNT, dims))
    return {
        "even": even,
        "round": 5 + random.normal(size=(COUNT, dims)),
        "heavy tails": 5 + random.normal(size=(COUNT, dims)) ** 3,
        "clumps": even * 0.01 + random.integers(0, 4, (COUNT, 1)) * 2.5,
        "lattice": np.floor(even * 8) / 8,  # ties, and several at one place
        "flat": even * np.eye(dims)[0],
        "lonely": np.concatenate([even[:5] * 1e5, even * 1e-3]),
    }[kind]


@pytest.mark.parametrize("dims", [2, 3])
@pytest.mark.parametrize("edges", ["open", "torus", "channel"])
@pytest.mark.parametrize(
    "kind", ["even", "round", "heavy tails", "clumps", "lattice", "flat", "lonely"]
)
def test_every_distance_is_the_tree_s(kind, edges, dims, monkeypatch):
    flock = of_arrays(places(kind, dims), space=space_of(edges, dims))
    tree = np.sort(search(flock).nearest(1)[0][:, 0])
    monkeypatch.setattr("murmurate.neighbours.search.LARGE", COUNT)
    assert np.allclose(np.sort(search(flock).nearest_distances()), tree, rtol=1e-9, atol=1e-12)
