"""Waves of agitation in the flock of docs/states.md, with the numbers of Hemelrijk et al. 2015."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.frame import FlockFrame
from murmurate.measures.waves import Wave

MODEL = Path(__file__).resolve().parents[2] / "docs" / "agitation-waves.toml"
SMALL: Any = {
    "flocks.boids.count": 500, "flocks.boids.start.radius": 7.0,
    "flocks.falcons.start.centre": (5.0, -26.0, 20.0),
}  # fmt: skip


class Rolls(Wave):
    """A bird responds when it rolls."""

    def strengths(
        self, first: FlockFrame, old: np.ndarray, flock: FlockFrame, new: np.ndarray
    ) -> np.ndarray:
        return np.asarray(flock.per_boid("skitter"))[new] - 0.75


@pytest.mark.parametrize(
    ("copied", "low", "high"),
    [
        pytest.param(3, 3.66, 11.0, marks=pytest.mark.long),
        pytest.param(7, 11.4, 15.4, marks=pytest.mark.long),
    ],
)
def test_waves_are_as_fast_as_over_rome(copied: int, low: float, high: float) -> None:
    """With seven copied neighbours within 2 m/s of the field's mean, 13.4 m/s; with three slower,
    and within the field's range, 3.66 to 25.24 m/s. The flock turns away from the falcon."""
    model = mm.load(str(MODEL)).set({**SMALL, "rules.skitter.nearest": copied})
    simulation = mm.Simulation(model, seed=1, threads=1)
    before = simulation.step(500).frame["boids"]
    assert mm.measures.nearest_neighbour_distance(before) == pytest.approx(1.3, abs=0.1)
    wave = Rolls()
    for _ in range(80):
        frame = simulation.step(5).frame
        wave.add(frame["boids"], frame.time)
    assert low < float(wave.speed()) < high
    assert float(wave.responders()) > 0.9
    assert frame["boids"].velocities[:, 0].mean() < -2.0
