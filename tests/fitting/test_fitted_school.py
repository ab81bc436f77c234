"""The model of zebrafish between walls in docs has the values that its page states."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import murmurate as mm

MODEL = Path(__file__).parents[2] / "docs" / "zebrafish-walls.toml"
PUBLISHED = {
    # mean over 40 runs, and standard deviation of single runs
    "polarization": (0.694, 0.042),
    "milling": (0.313, 0.059),
    "nearest_neighbour_distance": (100.7, 4.0),
    "speed": (361.0, 1.9),
    "speed_spread": (203.6, 2.5),
    "radius_of_gyration": (742.0, 37.0),
}


@pytest.mark.long
def test_the_school_between_walls_is_as_fitted() -> None:
    """Eight runs agree to four standard errors, and no fish is outside the tank."""
    model, values = mm.load(MODEL), []
    for seed in range(8):
        simulation = mm.Simulation(model, seed, threads=1).step(640)
        while simulation.frame.step < 2400:
            fish = simulation.step(20).frame["fish"]
            values.append([getattr(mm.measures, name)(fish) for name in PUBLISHED])
            assert np.linalg.norm(fish.positions - 1600.0, axis=1).max() < 1500.0
    for (name, (mean, spread)), ours in zip(
        PUBLISHED.items(), np.mean(values, axis=0), strict=True
    ):
        assert ours == pytest.approx(mean, abs=4 * spread / 8**0.5), name
