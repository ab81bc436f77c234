"""Recordings of large flocks in slabs equal those of engine 'cpu', without a frame in one process.

Each engine resumes recordings of the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from slab_engines import OtherSlabs, slabs_with

import murmurate as mm
from murmurate.engines.slabs.boids import merge_id_range, split_by_id
from murmurate.engines.slabs.coordinator import Coordinator
from murmurate.engines.slabs.executors import WorkerLost
from murmurate.engines.slabs.slab_options import LOCAL_ADDRESS
from murmurate.frame import Frame
from murmurate.record import Recording
from murmurate.record.check import find_damage
from murmurate.record.schema import boid_arrays
from murmurate.runs.record_run import record
from murmurate.runs.resume_run import resume
from murmurate.runs.simulation import Simulation
from structures import STRUCTURES

STEPS = 4
SIZES: dict[str, Any] = {"chunk_frames": 1, "shard_bytes": 1000, "block_boids": 3000}
SLABS = mm.Slabs(3, LOCAL_ADDRESS)


@pytest.fixture(scope="module", params=["plain", pytest.param("rich", marks=pytest.mark.long)])
def model(request: pytest.FixtureRequest) -> mm.Model:
    """A plain flock; or boids with a spin that perch, and hawks without per-boid state."""
    if request.param == "plain":
        return mm.load("ucl").set({"flocks.boids.count": 12_000})
    return STRUCTURES["spinning"][0](count=10_100, side=40.0)


def simulation(model: mm.Model, engine: str | mm.Slabs) -> Simulation:
    return Simulation(model, seed=4, engine=engine, threads=1)


def files(path: Path) -> dict[str, bytes]:
    """Return the content of all files of boids' arrays."""
    names = [array.name for array in boid_arrays(mm.open(path).header)]
    names += ["boid", "flock", "id_in_flock"]
    return {
        str(file.relative_to(path)): file.read_bytes()
        for name in names
        for file in sorted((path / name / "c").rglob("*"))
        if file.is_file()
    }


@pytest.fixture(scope="module")
def expected(model: mm.Model, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cpu") / "cpu.zarr"
    record(simulation(model, "cpu"), path, STEPS, 2, **SIZES)
    return path


@pytest.fixture
def no_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail if any code gathers a frame in this process."""

    def fail(*_: Any) -> Frame:
        raise AssertionError("a frame was gathered")

    monkeypatch.setattr(Simulation, "frame", property(fail))
    monkeypatch.setattr(Recording, "frame_of", fail)


def assert_equal(path: Path, expected: Path) -> None:
    assert files(path) == files(expected)
    assert find_damage(mm.open(path)) == []
    assert not list(path.rglob("draft-*"))
    recording, other = mm.open(path), mm.open(expected)
    assert recording.header["measures"] == ["polarization", "milling", "speed"]
    for name in recording.header["measures"]:
        np.testing.assert_allclose(recording.column(name), other.column(name), rtol=1e-6)


@pytest.mark.usefixtures("no_frames")
def test_files_equal_those_of_engine_cpu(model: mm.Model, expected: Path, tmp_path: Path) -> None:
    path = tmp_path / "slabs.zarr"
    progress: list[tuple[int, int]] = []
    record(
        simulation(model, SLABS), path, STEPS, 2,
        progress=lambda done, total: progress.append((done, total)), **SIZES,
    )  # fmt: skip
    assert progress == [(2, 4), (4, 4)]
    assert_equal(path, expected)


def test_readers_merge_blocks_of_boids(expected: Path) -> None:
    recording = mm.open(expected)
    assert {array.blocks for array in boid_arrays(recording.header)} == {4}
    assert recording.header["schema_version"] == 3  # older readers cannot merge blocks
    data, frames = recording.to_xarray(), recording.read()
    np.testing.assert_array_equal(data["position"].values, frames.positions)
    counts = list(recording.counts.values())
    np.testing.assert_array_equal(data["boid"].values, np.arange(sum(counts)))
    np.testing.assert_array_equal(data["flock"].values, np.repeat(np.arange(len(counts)), counts))
    ids = np.concatenate([np.arange(count) for count in counts])
    np.testing.assert_array_equal(data["id_in_flock"].values, ids)


@pytest.mark.parametrize(("first", "second"), [("cpu", "slabs"), ("slabs", "cpu")])
def test_each_engine_resumes_recordings_of_the_other(
    model: mm.Model, expected: Path, tmp_path: Path, first: str, second: str, request: Any
) -> None:
    engines: dict[str, Any] = {"cpu": "cpu", "slabs": SLABS}
    path = tmp_path / f"{first}.zarr"
    record(simulation(model, engines[first]), path, 2, 2, **SIZES)
    if second == "slabs":
        request.getfixturevalue("no_frames")
        engines["slabs"] = mm.Slabs(2, LOCAL_ADDRESS)
    resume(path, STEPS, engine=engines[second], threads=1)
    assert_equal(path, expected)


def test_a_worker_is_lost_while_frames_are_encoded(
    model: mm.Model, expected: Path, tmp_path: Path
) -> None:
    """Blocks of the interrupted frame are discarded and encoded again."""
    losses = iter([False, True, False, True])

    class FailingCoordinator(Coordinator):
        def gather_by_id(self, *args: Any) -> Iterator[Any]:
            for k, block in enumerate(super().gather_by_id(*args)):
                if k == 2 and next(losses, False):
                    raise WorkerLost("a worker died")
                yield block

    path = tmp_path / "slabs.zarr"
    with slabs_with(FailingCoordinator):
        record(simulation(model, OtherSlabs(3, LOCAL_ADDRESS)), path, STEPS, 2, **SIZES)
    assert next(losses, None) is None
    assert_equal(path, expected)


def test_a_full_disk_is_reported_and_earlier_frames_are_kept(
    model: mm.Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from murmurate.record import shards

    write_all = shards.write_all
    path = tmp_path / "slabs.zarr"

    def write_until_full(file: Any, data: bytes) -> None:
        if (path / "position/c/0").exists():
            raise OSError(28, "No space left on device")
        write_all(file, data)

    monkeypatch.setattr(shards, "write_all", write_until_full)
    with pytest.raises(mm.RecordError, match=r"the disk is full.* 1 frames are kept"):
        record(simulation(model, SLABS), path, STEPS, 2, **SIZES)
    assert not list(path.rglob("draft-*")) and len(mm.open(path)) == 1


def test_recordings_with_a_precision(model: mm.Model, tmp_path: Path) -> None:
    """They store changes from frame to frame, so frames are gathered in this process."""
    recorded = {}
    for engine in ("cpu", SLABS):
        path = tmp_path / f"{len(recorded)}.zarr"
        record(simulation(model, engine), path, 2, 2, precision=0.01, **SIZES)
        recorded[engine] = files(path)
    assert recorded["cpu"] == recorded[SLABS]


def test_boids_are_split_and_merged_by_id() -> None:
    """From three workers, in two id ranges, with all arrays."""
    random = np.random.default_rng(3)
    ids = random.permutation(50).astype(np.int32)
    arrays = {
        "ids": ids,
        "state": np.stack([ids + 0.25 * axis for axis in range(6)]),
        "timers": 2 * ids,
        "memory": ids[None] + 0.5,
    }
    workers = [slice(0, 17), slice(17, 17), slice(17, 50)]
    parts = [split_by_id(arrays.__getitem__, columns, [0, 20, 50]) for columns in workers]
    for k, (first, last) in enumerate([(0, 20), (20, 50)]):
        merged = merge_id_range([part[k] for part in parts], first, last)
        numbers = np.arange(first, last)
        np.testing.assert_array_equal(merged["perch_timer"], 2 * numbers)
        np.testing.assert_array_equal(merged["memory"], numbers[:, None] + 0.5)
        vectors = np.concatenate([merged["position"], merged["velocity"]], axis=1)
        np.testing.assert_array_equal(vectors, numbers[:, None] + 0.25 * np.arange(6))
