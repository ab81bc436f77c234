"""A recording of a large flock in slabs is that of engine 'cpu', though nobody held a whole frame;
so is one that is resumed by the other engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.engines.slabs.by_number import parts_by_number, stretch_of
from murmurate.engines.slabs.crew import Died
from murmurate.engines.slabs.slab_flight import SlabFlight
from murmurate.engines.slabs.slab_options import HERE
from murmurate.frame import DistributedFrame, Frame
from murmurate.record import Recording
from murmurate.record.check import find_damage
from murmurate.record.schema import boid_arrays
from murmurate.runs.recorded_run import record
from murmurate.runs.resumed_run import resume
from murmurate.runs.simulation import Simulation
from structures import STRUCTURES

STEPS = 4
SIZES: dict[str, Any] = {"chunk_frames": 1, "shard_bytes": 1000, "block_boids": 3000}


@pytest.fixture(scope="module", params=["plain", pytest.param("rich", marks=pytest.mark.slow)])
def model(request: pytest.FixtureRequest) -> mm.Model:
    """A plain flock; or boids with a spin, that perch, and hawks that keep nothing."""
    if request.param == "plain":
        return mm.load("ucl").set({"flocks.boids.count": 12_000})
    return STRUCTURES["spinning"][0](count=10_100, side=40.0)


def flown(model: mm.Model, engine: str = "slabs", workers: int = 3) -> Simulation:
    asked = mm.Slabs(workers, HERE) if engine == "slabs" else engine
    return Simulation(model, seed=4, engine=asked, threads=1)


def files(path: Path) -> dict[str, bytes]:
    """The files of all that is kept of boids."""
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
    record(flown(model, "cpu"), path, STEPS, 2, **SIZES)
    return path


@pytest.fixture
def no_whole_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any) -> Frame:
        raise AssertionError("a whole frame was made")

    monkeypatch.setattr(Simulation, "frame", property(refused))
    monkeypatch.setattr(Recording, "frame_of", refused)


def assert_as_expected(path: Path, expected: Path) -> None:
    assert files(path) == files(expected)
    assert find_damage(mm.open(path)) == []
    assert not list(path.rglob("draft-*"))
    one, other = mm.open(path), mm.open(expected)
    assert one.header["measures"] == ["polarization", "milling", "speed"]
    for name in one.header["measures"]:
        np.testing.assert_allclose(one.column(name), other.column(name), rtol=1e-6)


@pytest.mark.usefixtures("no_whole_frames")
def test_it_has_the_files_of_one_by_cpu(model: mm.Model, expected: Path, tmp_path: Path) -> None:
    path = tmp_path / "slabs.zarr"
    frames: list[Any] = []
    record(flown(model), path, STEPS, 2, progress=lambda frame, _: frames.append(frame), **SIZES)
    assert [frame.step for frame in frames] == [2, 4]
    assert all(isinstance(frame, DistributedFrame) for frame in frames)
    assert_as_expected(path, expected)


def test_other_tools_read_blocks_of_boids(expected: Path) -> None:
    rec = mm.open(expected)
    assert {array.blocks for array in boid_arrays(rec.header)} == {4}
    assert rec.header["schema_version"] == 3  # older readers expect whole frames
    data, frames = rec.to_xarray(), rec.read()
    np.testing.assert_array_equal(data["position"].values, frames.positions)
    counts = list(rec.counts.values())
    np.testing.assert_array_equal(data["boid"].values, np.arange(sum(counts)))
    np.testing.assert_array_equal(data["flock"].values, np.repeat(np.arange(len(counts)), counts))
    own = np.concatenate([np.arange(count) for count in counts])
    np.testing.assert_array_equal(data["id_in_flock"].values, own)


@pytest.mark.parametrize(("first", "then"), [("cpu", "slabs"), ("slabs", "cpu")])
def test_each_engine_resumes_what_the_other_recorded(
    model: mm.Model, expected: Path, tmp_path: Path, first: str, then: str, request: Any
) -> None:
    path = tmp_path / f"{first}.zarr"
    record(flown(model, first), path, 2, 2, **SIZES)
    if then == "slabs":
        request.getfixturevalue("no_whole_frames")
    asked = mm.Slabs(workers=2, address=HERE) if then == "slabs" else then
    resume(path, STEPS, engine=asked, threads=1)
    assert_as_expected(path, expected)


def test_a_worker_that_dies_while_frames_are_packed(
    model: mm.Model, expected: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The blocks that came before are thrown away, and all are packed again."""
    by_number, deaths = SlabFlight.by_number, iter([False, True, False, True])

    def dies(self: SlabFlight, *asked: Any) -> Any:
        for k, block in enumerate(by_number(self, *asked)):
            if k == 2 and next(deaths, False):
                raise Died("a worker died")
            yield block

    monkeypatch.setattr(SlabFlight, "by_number", dies)
    path = tmp_path / "slabs.zarr"
    record(flown(model), path, STEPS, 2, **SIZES)
    assert next(deaths, None) is None
    assert_as_expected(path, expected)


def test_a_full_disk_is_said_and_keeps_what_was_recorded(
    model: mm.Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from murmurate.record import shards

    write_all = shards.write_all
    path = tmp_path / "slabs.zarr"

    def full(file: Any, data: bytes) -> None:
        if (path / "position/c/0").exists():
            raise OSError(28, "No space left on device")
        write_all(file, data)

    monkeypatch.setattr(shards, "write_all", full)
    with pytest.raises(mm.RecordError, match=r"the disk is full.* 1 frames are kept"):
        record(flown(model), path, STEPS, 2, **SIZES)
    assert not list(path.rglob("draft-*")) and len(mm.open(path)) == 1


def test_a_precision_needs_whole_frames(model: mm.Model, tmp_path: Path) -> None:
    """They are kept as changes from frame to frame."""
    found = {}
    for engine in ("cpu", "slabs"):
        path = tmp_path / f"{engine}.zarr"
        record(flown(model, engine), path, 2, 2, precision=0.01, **SIZES)
        found[engine] = files(path)
    assert found["cpu"] == found["slabs"]


def test_boids_are_put_together_by_their_numbers() -> None:
    """From three places, in two stretches; nothing is lost of what they carry."""
    random = np.random.default_rng(3)
    ids = random.permutation(50).astype(np.int32)
    whole = {
        "ids": ids,
        "state": np.stack([ids + 0.25 * axis for axis in range(6)]),
        "timers": 2 * ids,
        "memory": ids[None] + 0.5,
    }
    cuts = [0, 20, 50]
    places = [slice(0, 17), slice(17, 17), slice(17, 50)]
    parts = [parts_by_number(whole.__getitem__, place, cuts) for place in places]
    for k, (first, last) in enumerate([(0, 20), (20, 50)]):
        found = stretch_of([part[k] for part in parts], first, last)
        numbers = np.arange(first, last)
        np.testing.assert_array_equal(found["perch_timer"], 2 * numbers)
        np.testing.assert_array_equal(found["memory"], numbers[:, None] + 0.5)
        places_and_velocities = np.concatenate([found["position"], found["velocity"]], axis=1)
        np.testing.assert_array_equal(places_and_velocities, numbers[:, None] + 0.25 * np.arange(6))
