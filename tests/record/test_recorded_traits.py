"""Numbers of a model that differ between boids, in recordings: stored, read, checked, resumed."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from changing_flocks import assert_equal_frames, changing_model, contents
from recorded import assert_same, record

import murmurate as mm
from murmurate.record import journal, traits
from murmurate.record.check import find_damage

WEIGHTS = {"kind": "normal", "mean": 0.2, "sd": 0.1, "min": 0.0}
SPEEDS = {"kind": "uniform", "min": 1.0, "max": 3.0}
MODEL = mm.Model(
    space=mm.Space(size=(20.0, 16.0)),
    dt=0.1,
    flocks={
        "boids": mm.Flock(count=12, motion=mm.ConstantSpeed(speed=mm.Uniform(min=1.0, max=3.0))),
        "hawks": mm.Flock(count=5, motion=mm.ConstantSpeed(speed=3.0)),
    },
    rules={
        "cohesion": mm.Cohesion(
            moves="boids", radius=4.0, weight=mm.Normal(mean=0.2, sd=0.1, min=0.0)
        ),
        "gather": mm.Cohesion(moves="hawks", radius=mm.Uniform(min=3.0, max=4.0), weight=0.1),
    },
)
CHANGING = changing_model(**{"rules.cohesion.weight": WEIGHTS, "flocks.prey.motion.speed": SPEEDS})
NAMES = {"boids": ("motion.speed", "rules.cohesion.weight"), "hawks": ("rules.gather.radius",)}
REFERENCE = mm.RunOptions(engine="reference")
SIZES: dict[str, Any] = {
    "engine": "reference",
    "shard_bytes": 250,
    "chunk_frames": 3,
    "block_boids": 5,
}


@pytest.fixture(scope="module")
def fixed(tmp_path_factory: pytest.TempPathFactory) -> mm.Recording:
    return record(tmp_path_factory.mktemp("fixed") / "a.zarr", MODEL, 12, **SIZES)


@pytest.fixture(scope="module")
def changing(tmp_path_factory: pytest.TempPathFactory) -> mm.Recording:
    return record(tmp_path_factory.mktemp("changing") / "a.zarr", CHANGING, 40, **SIZES)


@pytest.fixture
def copy(fixed: mm.Recording, tmp_path: Path) -> Path:
    return Path(shutil.copytree(fixed.path, tmp_path / "a.zarr"))


@pytest.mark.slow
def test_frames_have_the_traits_of_the_simulation(
    fixed: mm.Recording, changing: mm.Recording
) -> None:
    for rec, model in ((fixed, MODEL), (changing, CHANGING)):
        simulation = mm.Simulation(model, 5, engine="reference")
        for frame in rec:
            assert_equal_frames(simulation.frame, frame)
            simulation.step(1)
        assert_equal_frames(rec[7], list(rec)[7])
    assert {name: tuple(flock.traits) for name, flock in fixed[3].items()} == NAMES
    part = fixed.flock_rows(3, "boids", slice(4, 9))
    speeds = fixed[3]["boids"].traits["motion.speed"]
    assert np.array_equal(part.traits["motion.speed"], speeds[4:9])
    assert np.abs(fixed[3]["boids"].velocities).max() > 1.0 and len(set(speeds)) == 12


def test_an_array_of_all_boids(fixed: mm.Recording) -> None:
    """Other tools have it with its names, nan where a flock has no such number."""
    data = xr.open_zarr(fixed.path)
    assert data["trait"].dims == ("boid", "trait_name")
    assert data["trait_name"].values.tolist() == [*NAMES["boids"], *NAMES["hawks"]]
    for flock, rows in (("boids", slice(0, 12)), ("hawks", slice(12, 17))):
        for name in data["trait_name"].values.tolist():
            values = data["trait"].sel(trait_name=name).values[rows]
            expected = fixed[0][flock].traits.get(name, np.nan)
            assert np.array_equal(values, np.broadcast_to(expected, len(values)), equal_nan=True)
    for layout, dim in (("movement", "individual"), ("cf", "trajectory")):
        other = fixed.to_xarray(layout)["trait"]  # type: ignore[arg-type]
        assert other.dims == (dim, "trait_name")
        assert np.array_equal(other.values, data["trait"].values, equal_nan=True)
    xr.testing.assert_equal(mm.run(MODEL, 12, seed=5, options=REFERENCE), fixed.to_xarray().load())


def test_individuals_that_come_and_go(changing: mm.Recording) -> None:
    """They have a table by id, of all who are in any frame."""
    data = changing.to_xarray()
    assert data["trait"].dims == ("individual", "trait_name")
    for frame in changing:
        for flock in frame.values():
            for name, values in flock.traits.items():
                column = data["trait"].sel(individual=flock.ids, trait_name=name)
                assert np.array_equal(column.values, values)
    assert "trait" not in xr.open_zarr(changing.path)
    movement = changing.to_xarray("movement")["trait"]
    assert np.array_equal(movement.values, data["trait"].values, equal_nan=True)
    xr.testing.assert_equal(mm.run(CHANGING, 40, seed=5, options=REFERENCE), data.load())


@pytest.mark.slow
def test_resumed_and_branched_runs_have_the_same_individuals(
    fixed: mm.Recording, changing: mm.Recording, tmp_path: Path
) -> None:
    for rec in (fixed, changing):
        last = rec.steps[-1]
        name = rec.header["name"]
        record(tmp_path / f"{name}.zarr", rec.model, 5, **SIZES)
        parts = mm.resume(tmp_path / f"{name}.zarr", last, threads=2)
        assert_same(parts, rec)
        assert contents(parts.path) == contents(rec.path)
        branch = mm.branch(rec.path, tmp_path / f"{name}-b.zarr", at=6, threads=1)
        for frame, other in zip(branch, rec[6:], strict=True):
            assert_equal_frames(other, frame)


def test_damage_is_found_and_mended(copy: Path, fixed: mm.Recording) -> None:
    """Frames have the traits even so: they follow from the model and the seed."""
    file = copy / "trait/c/1/0"
    data = bytearray(file.read_bytes())
    data[9] ^= 1
    for damaged in (bytes(data), data[:-9], b""):
        file.write_bytes(damaged)
        messages = find_damage(mm.open(copy))
        assert any("trait/c/1/0" in message for message in messages)
        assert_equal_frames(fixed[3], mm.open(copy)[3])
    file.unlink()
    assert find_damage(mm.open(copy))
    mm.resume(copy).close()
    assert find_damage(mm.open(copy)) == [] and contents(copy) == contents(fixed.path)


def test_stored_traits_are_read_without_the_model(
    fixed: mm.Recording, changing: mm.Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rule that is not registered here is not needed; those of changing numbers need it."""

    def fail(*_: Any) -> None:
        raise mm.ModelError("unknown rule")

    expected = fixed[2]["boids"].traits
    monkeypatch.setattr(traits, "compute_traits", fail)
    monkeypatch.setattr("murmurate.record.trait_reader.compute_traits", fail)
    assert np.array_equal(
        mm.open(fixed.path)[2]["boids"].traits["motion.speed"], expected["motion.speed"]
    )
    assert not mm.open(changing.path)[2]["prey"].traits


def test_names_that_the_model_does_not_have(changing: mm.Recording, tmp_path: Path) -> None:
    """Anybody may have changed a header: frames are read, without these traits."""
    copy = Path(shutil.copytree(changing.path, tmp_path / "a.zarr"))
    header, commits = journal.read(copy)
    assert header is not None
    header["traits"] = {"prey": ["rules.cohesion.radius"], "nobody": ["x"]}
    (copy / journal.LOG).write_bytes(b"".join(map(journal.line, [header, *commits])))
    rec = mm.open(copy)
    assert not rec[3]["prey"].traits and len(rec[3]["prey"]) == len(changing[3]["prey"])


def test_models_without_traits_have_no_array(tmp_path: Path) -> None:
    rec = record(tmp_path / "a.zarr", steps=2)
    assert not (rec.path / "trait").exists() and "traits" not in rec.header
