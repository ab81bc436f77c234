"""Flocks that do not stand in the order of their names: a recording gives each its own boids back,
and is resumed as if it had not ended."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import murmurate as mm

MODEL = mm.Model(
    space=mm.Space(size=(20.0, 20.0), boundary="periodic"),
    flocks={"sheep": mm.Flock(count=5), "dog": mm.Flock(count=2)},
    rules={
        "hunt": mm.Hunt(moves="dog", senses="sheep"),
        "flee": mm.Flee(moves="sheep", senses="dog"),
    },
)


@pytest.mark.parametrize("precision", [None, 1e-4])
def test_each_flock_has_its_own_boids(precision: float | None, tmp_path: Path) -> None:
    path = tmp_path / "a.zarr"
    mm.run(
        MODEL,
        4,
        seed=3,
        output=path,
        precision=precision,
        options=mm.RunOptions(engine="reference"),
    )
    recording = mm.resume(path, 8)
    simulation = mm.Simulation(MODEL, 3, engine="reference")
    for frame in mm.open(path):
        simulation.step(frame.step - simulation.frame.step)
        assert list(frame.flocks) == ["sheep", "dog"] and len(frame["dog"]) == 2
        for expected in simulation.frame.values():
            result = frame[expected.name]
            np.testing.assert_array_equal(result.ids, expected.ids)
            np.testing.assert_allclose(result.positions, expected.positions, atol=precision or 0)
    assert len(recording) == 9
