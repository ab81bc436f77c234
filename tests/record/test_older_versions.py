"""Recordings that version 0.1.0 made are opened, and resumed by this one.

made_by_0_1_0.zip has the flight of 12 boids of ucl from seed 3, steps 0, 2, ..., 20, exact and with
a precision of 0.01.
"""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

import murmurate as mm

ARCHIVE = Path(__file__).parent / "made_by_0_1_0.zip"


@pytest.mark.parametrize("name", ["exact", "rounded"])
def test_a_recording_of_0_1_0_is_opened_and_resumed(name: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(ARCHIVE) as archive:
        archive.extractall(tmp_path)
    rec = mm.open(tmp_path / f"{name}.zarr")
    assert list(rec.steps) == list(range(0, 21, 2)) and rec.seed == 3 and rec.notes == ()
    assert rec.model.name == "ucl" and rec.info()["boids"] == 12
    assert "murmurate 0.1.0" in rec.header["versions"] and not rec.info()["same_versions"]
    before = rec.read()
    # flocks are chaotic and machines round differently: one step from the start is near everywhere
    near = mm.Simulation(rec.model, rec.seed, dtype=rec.dtype).step(2).frame["boids"]
    allowed = 1e-3 + (rec.precision or 0.0)
    assert np.abs(near.positions - before.positions[1]).max() < allowed
    rec = mm.resume(rec.path, 30)
    assert list(rec.steps) == list(range(0, 31, 2))
    after = rec.read(0, 11)
    assert after.positions.tobytes() == before.positions.tobytes()
    parts = rec.info()["parts"]
    assert [part["first_step"] for part in parts] == [0, 22]
    assert f"murmurate {mm.__version__}" in parts[1]["versions"]
    assert np.isfinite(rec[-1]["boids"].positions).all()
