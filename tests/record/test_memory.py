"""What boids carry beside place and velocity is recorded: spins, and the past others know of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import recorded

import murmurate as mm
from murmurate.runs import branched_run, resumed_run

NAMES = ["spinning", pytest.param("drones", marks=pytest.mark.slow)]


DTYPES = {"spinning": "float32", "drones": "float64"}  # a kernel of each is enough


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("options", [{}, {"precision": 0.01}])
def test_gone_on_with_as_if_never_ended(tmp_path: Path, name: str, options: dict[str, Any]) -> None:
    options = {"dtype": DTYPES[name], **options}
    model = recorded.model_of(name)
    whole = recorded.record(tmp_path / "whole.zarr", model, 12, 2, **options)
    recorded.record(tmp_path / "part.zarr", model, 6, 2, **options)
    resumed_run.resume(tmp_path / "part.zarr", 12, threads=1)
    part = mm.open(tmp_path / "part.zarr")
    recorded.assert_same(whole, part)
    one, other = whole.read().memory, part.read().memory
    assert one is not None and other is not None
    assert one.any() and one.tobytes() == other.tobytes()
    for frame, its in zip(whole, part, strict=True):
        assert np.array_equal(frame["boids"].memory, its["boids"].memory)


@pytest.mark.parametrize("name", NAMES)
def test_branches_from_a_frame_between(tmp_path: Path, name: str) -> None:
    """A branch that changes nothing flies on as its parent did, from any frame."""
    model = recorded.model_of(name)
    parent = recorded.record(tmp_path / "parent.zarr", model, 10, 1, dtype=DTYPES[name])
    branch = branched_run.branch(tmp_path / "parent.zarr", tmp_path / "branch.zarr", 4, threads=1)
    assert branch[-1].step == 10
    for flock in branch[-1]:
        its = parent[-1][flock.name]
        assert np.array_equal(flock.positions, its.positions)
        assert np.array_equal(flock.memory, its.memory)


def test_nothing_more_is_recorded_where_nothing_is_remembered(tmp_path: Path) -> None:
    rec = recorded.record(tmp_path / "torus.zarr", None, 4, 2)
    assert not (tmp_path / "torus.zarr" / "memory").exists()
    assert rec.read().memory is None and rec[0]["boids"].memory.shape == (12, 0)
