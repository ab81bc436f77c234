"""The ground and the sky around exported flocks."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import murmurate as mm
from murmurate.exports.appearance import default_boid_size
from murmurate.exports.surroundings import GROUND, ground


@pytest.mark.parametrize("dims", [2, 3])
def test_the_ground_is_a_square_below_the_space_and_all_boids(dims: int) -> None:
    space = mm.Space(size=(30, 40, 120)[:dims], origin=(1, 2, 3)[:dims])
    scene = SimpleNamespace(view=mm.View(scenery="land"))
    bounds = [(0, 0, -7)[:dims], (9, 9, 9)[:dims]]
    recording = SimpleNamespace(scene=scene)
    corners = ground(SimpleNamespace(space=space, recording=recording, bounds=bounds))  # type: ignore[arg-type]
    assert corners is not None
    size = 50.0 if dims == 2 else 130.0
    low, high = (
        np.array((16.0, 22.0)) - GROUND * size / 2,
        np.array((16.0, 22.0)) + GROUND * size / 2,
    )
    expected = [(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])]
    assert corners[:, :2] == pytest.approx(np.array(expected))
    below = -0.05 * size if dims == 2 else -7.0 - 0.001 * size
    assert corners[:, 2] == pytest.approx(below)
    scene.view = mm.View(scenery="land", box=False)
    again = ground(SimpleNamespace(space=space, recording=recording, bounds=bounds))  # type: ignore[arg-type]
    assert np.array_equal(again, corners)
    scene.view = mm.View(box=False)
    assert ground(SimpleNamespace(space=space, recording=recording, bounds=bounds)) is None  # type: ignore[arg-type]


def test_boids_are_as_large_as_their_distances_allow() -> None:
    """0.4 of the distance of as many boids that are spread evenly; flat flocks too."""

    def size(*sides: float) -> float:
        axes = [np.linspace(0.0, side, 41) if side else [0.0] for side in sides]
        points = np.stack(np.meshgrid(*axes), axis=-1).reshape(1, -1, len(sides))
        space = mm.Space(size=(99,) * len(sides))
        selection = SimpleNamespace(space=space, fullest=SimpleNamespace(positions=points))
        return default_boid_size(selection)  # type: ignore[arg-type]

    assert size(10.0, 40.0) == pytest.approx(0.4 * np.sqrt(0.9 * 10 * 0.9 * 40) / 41)
    assert size(10.0, 10.0, 10.0) == pytest.approx(0.4 * 0.9 * 10 / 41)
    assert size(20.0, 20.0, 0.0) == pytest.approx(0.4 * 0.9 * 20 / 41)
