"""Neighbours of a frame are those that all pairs give, in a radius and a field of view."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

import murmurate as mm


def nearest(
    frame: mm.Frame, i: int, senses: str, k: int | None, radius: float, view: float
) -> list[tuple[float, int]]:
    """Return (distance, id) of the neighbours of a boid of flock 'a', from all pairs."""
    boids, others = frame["a"], frame[senses or "a"]
    velocity = boids.velocities[i]
    away = others.positions.astype(float) - boids.positions[i].astype(float)
    to = frame.space.minimum_image(away)
    distances = np.linalg.norm(to, axis=1)
    bound = math.cos(math.radians(view)) * distances * float(np.linalg.norm(velocity))
    seen = (distances <= radius) & ((to @ velocity >= bound) | (view == 180.0))
    if not senses:
        seen[i] = False
    return sorted(zip(distances[seen].tolist(), others.ids[seen].tolist(), strict=True))[:k]


@pytest.mark.parametrize("dims", [2, 3])
def test_neighbours_are_those_of_all_pairs(dims: int) -> None:
    random = np.random.default_rng(dims)
    zones = product(("", "b"), (None, 1, 5, 60), (1.5, 4.0, math.inf), (180.0, 60.0))
    for boundary, (senses, k, radius, view) in product(("periodic", "open"), zones):
        if k is None and math.isinf(radius):
            continue
        model = mm.Model(
            space=mm.Space(size=(10.0,) * dims, boundary=boundary),
            flocks={"a": mm.Flock(count=24), "b": mm.Flock(count=9)},
        )
        start = {
            name: (np.round(random.uniform(0, 9.9, (n, dims)), 1), random.normal(size=(n, dims)))
            for name, n in (("a", 24), ("b", 9))
        }
        start["a"][1][::5] = 0.0
        frame = mm.Simulation(model, start=start, engine="reference").frame
        near = frame.neighbours("a", senses=senses, k=k, radius=radius, field_of_view=view)
        assert k is None or near.ids.shape == (24, k)
        for i in range(24):
            expected = nearest(frame, i, senses, k, radius, view)
            n = len(expected)
            assert near.counts[i] == n
            np.testing.assert_allclose(near.distances[i, :n], [d for d, _ in expected], atol=1e-9)
            assert (near.ids[i, n:] == -1).all() and np.isnan(near.velocities[i, n:]).all()
            lengths = np.linalg.norm(near.displacements[i, :n], axis=1)
            np.testing.assert_allclose(lengths, near.distances[i, :n])


def test_wrong_zones_are_refused() -> None:
    model = mm.Model(space=mm.Space(size=(9.0, 9.0)), flocks={"a": mm.Flock(count=3)})
    frame = mm.Simulation(model, engine="reference").frame
    for zone, message in (
        ({}, "got no k and no radius"),
        ({"k": 0}, "k: got 0"),
        ({"k": True}, "k: got True"),
        ({"radius": -1.0}, r"radius: got -1\.0"),
        ({"k": 1, "radius": math.nan}, "radius: got nan"),
        ({"k": 1, "field_of_view": 181}, "field_of_view: got 181"),
    ):
        with pytest.raises(mm.errors.ModelError, match=message):
            frame.neighbours(**zone)
    with pytest.raises(KeyError, match="got flock 'b'"):
        frame.neighbours("b", k=1)
