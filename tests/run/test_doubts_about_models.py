"""A model that says what is hardly meant is flown, with a warning that says what to do."""

from __future__ import annotations

import numpy as np
import pytest

import murmurate as mm
from murmurate.model.doubts import ModelWarning, doubts_about


def walled(boundary: object, normal: tuple[float, ...] = (0.0, 1.0)) -> mm.Model:
    model = mm.load("vicsek-1995")
    wall = {"kind": "wall", "point": [0.0, 0.0], "normal": list(normal)}
    return model.set({"space.boundary": boundary, "obstacles.floor": wall})


def test_a_wall_across_a_periodic_axis() -> None:
    model = walled("periodic")
    with pytest.warns(
        ModelWarning, match=r"obstacles\.floor: .* axis y, .* 'reflecting' or 'held'"
    ):
        flight = mm.Simulation(model, engine="reference")
    # as it says: boids round the torus are put onto it
    heights = flight.step(1).frame["boids"].positions[:, 1]
    away = np.minimum(heights, model.space.size[1] - heights)
    assert 0.3 < (away < 1e-3).mean() < 0.7
    with pytest.warns(ModelWarning, match="axis x and y"):
        mm.Simulation(walled("periodic", (1.0, 1.0)), engine="reference")


def test_a_wall_across_a_closed_axis_is_fine() -> None:
    assert not list(doubts_about(walled(["periodic", "held"])))
    assert not list(doubts_about(walled(["reflecting", "periodic"], (1.0, 0.0))))
    assert not list(doubts_about(walled("open")))
