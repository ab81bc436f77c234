"""Simulations whose boids join and leave: recorded, resumed, branched and killed, bit for bit."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path
from typing import Any

import pytest
import xarray as xr
from changing_flocks import assert_equal_frames, changing_model, contents
from recorded import assert_same, record

import murmurate as mm
from murmurate.engines.slabs.slab_options import LOCAL_ADDRESS
from murmurate.record.check import find_damage
from murmurate.runs import record_run
from processes import started, until

MODEL = changing_model()
STEPS = 60
SIZES: dict[str, Any] = {"shard_bytes": 250, "chunk_frames": 3, "block_boids": 4}


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> mm.Recording:
    """Record a run without a break on one thread."""
    return record(tmp_path_factory.mktemp("whole") / "a.zarr", MODEL, STEPS, **SIZES)


def test_frames_equal_those_of_the_simulation(uninterrupted: mm.Recording) -> None:
    simulation = mm.Simulation(MODEL, 5, threads=1)
    for frame in uninterrupted:
        assert_equal_frames(simulation.frame, frame)
        simulation.step(1)
    assert uninterrupted.column("n_ever")[-1, 0] > 12 and len(uninterrupted[-1]["hawks"]) < 3
    assert find_damage(uninterrupted) == []


@pytest.mark.slow
def test_a_resumed_recording_equals_an_uninterrupted_one(
    uninterrupted: mm.Recording, tmp_path: Path
) -> None:
    parts = record(tmp_path / "a.zarr", MODEL, 17, threads=2, **SIZES)
    for steps, threads in ((18, 1), (35, 2), (STEPS, 1)):
        parts = mm.resume(parts.path, steps, threads=threads)
    assert_same(parts, uninterrupted)
    assert contents(parts.path) == contents(uninterrupted.path)


def test_rounded_recordings(tmp_path: Path) -> None:
    """They are resumed from the exact state."""
    complete = record(tmp_path / "a.zarr", MODEL, 30, precision=0.01, **SIZES)
    record(tmp_path / "b.zarr", MODEL, 13, precision=0.01, **SIZES)
    assert_same(mm.resume(tmp_path / "b.zarr", 30, threads=2), complete)


def test_a_branch_has_the_same_individuals(uninterrupted: mm.Recording, tmp_path: Path) -> None:
    """Without changes it equals its parent, from any frame."""
    branch = mm.branch(uninterrupted.path, tmp_path / "b.zarr", at=25, threads=1)
    assert branch.steps == range(25, STEPS + 1)
    for frame, other in zip(branch, uninterrupted[25:], strict=True):
        assert_equal_frames(other, frame)
    changes = {"population.enter.rate": 0.0, "flocks.prey.max_boids": 15}
    branch = mm.branch(uninterrupted.path, tmp_path / "c.zarr", at=25, changes=changes, threads=1)
    assert_equal_frames(uninterrupted[25], branch[0])
    assert branch.column("n_ever")[:, 0].tolist() == [uninterrupted[25]["prey"].n_ever] * (
        STEPS - 24
    )
    assert branch.header["rows"]["prey"] == 15
    with pytest.raises(mm.ModelError, match=r"got 6; expected at most flocks\.prey\.max_boids"):
        mm.branch(
            uninterrupted.path, tmp_path / "d.zarr", at=25, changes={"flocks.prey.max_boids": 2}
        )


def test_a_run_in_memory_gives_the_same_dataset(uninterrupted: mm.Recording) -> None:
    xr.testing.assert_equal(mm.run(MODEL, STEPS, seed=5), uninterrupted.to_xarray().load())


def test_a_full_flock_keeps_the_frames_before(tmp_path: Path) -> None:
    model = changing_model(max_boids=9, **{"population.enter.rate": 20.0})
    with pytest.raises(mm.PopulationError, match=r"flocks\.prey\.max_boids"):
        record(tmp_path / "a.zarr", model, STEPS, **SIZES)
    rec = mm.open(tmp_path / "a.zarr")
    assert 1 <= len(rec) < STEPS and not rec.complete
    simulation = mm.Simulation(model, 5, threads=1).step(len(rec) - 1)
    assert_equal_frames(simulation.frame, rec[-1])


@pytest.mark.slow
def test_slabs_record_the_same_files(tmp_path: Path) -> None:
    """One process gathers their frames; engines resume recordings of each other."""
    model = mm.Model(
        space=mm.Space(size=(100.0, 100.0)),
        dt=0.1,
        flocks={
            "boids": mm.Flock(
                count=1500, max_boids=30_000,
                motion=mm.ConstantSpeed(speed=mm.Uniform(min=1.0, max=2.0)),
            )
        },
        rules={"cohesion": mm.Cohesion(radius=3.0, weight=0.2)},
        population={
            "enter": mm.BoidSource(flock="boids", rate=200.0),
            "leave": mm.Deaths(flocks="boids", rate=0.3),
        },
    )  # fmt: skip
    sizes = {"shard_bytes": 100_000, "chunk_frames": 3, "block_boids": 300}
    expected = record(tmp_path / "a.zarr", model, 9, **sizes)
    slabs = mm.Slabs(2, LOCAL_ADDRESS)
    simulation = mm.Simulation(model, 5, engine=slabs, threads=1)
    record_run.record(simulation, tmp_path / "b.zarr", 4, **sizes)
    mm.resume(tmp_path / "b.zarr", 6, engine=slabs)
    parts = mm.resume(tmp_path / "b.zarr", 9, engine="cpu", threads=1)
    assert contents(parts.path) == contents(expected.path)


CHILD = """
import sys, time
sys.path[:0] = [{tests!r}, {folder!r}]
import murmurate as mm
from changing_flocks import changing_model
from murmurate.runs import record_run
simulation = mm.Simulation(changing_model(), 5, threads=1)
record_run.record(simulation, {path!r}, {steps}, precision={precision!r}, commit_seconds=0.02,
                  progress=lambda *_: time.sleep(1e-3), **{sizes!r})
"""


@pytest.mark.skipif(os.name == "nt", reason="there is no kill -9")
@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(range(1, 2), marks=pytest.mark.slow),
        pytest.param(range(2, 16), marks=pytest.mark.long),
    ],
)
def test_killed_and_resumed(seeds: range, tmp_path: Path) -> None:
    """A process is killed after a random number of frames."""
    steps, folder = 200, Path(__file__).parent
    for seed in seeds:
        precision = 0.01 if seed % 3 == 2 else None
        complete = record(
            tmp_path / f"complete-{seed}.zarr", MODEL, steps, precision=precision, **SIZES
        )
        path = tmp_path / f"{seed}.zarr"
        code = CHILD.format(
            tests=str(folder.parent / "support"), folder=str(folder), path=str(path), steps=steps,
            precision=precision, sizes=SIZES,
        )  # fmt: skip
        enough = random.Random(seed).randrange(1, steps // 2)
        with started(sys.executable, "-c", code) as child:
            until(lambda: path.exists() and len(mm.open(path)) >= enough, child)  # noqa: B023
        rec = mm.resume(path, threads=1 + seed % 2)
        assert_same(rec, complete)
        assert find_damage(rec) == []
