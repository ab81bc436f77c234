"""Recordings of controlled simulations: what came from outside is logged, and repeats the run."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from recorded import Crash, crash_after

import murmurate as mm
from murmurate.record import input_log, journal
from murmurate.record.check import find_damage
from processes import started, until

N, STEPS, EVERY = 8, 23, 5
MODEL = mm.Model(
    dt=0.1,
    space=mm.Space(size=(10.0, 10.0), boundary="periodic"),
    flocks={"boids": mm.Flock(count=N), "dogs": mm.Flock(count=2)},
    rules={
        "alignment": mm.Alignment(radius=3.0, moves="boids"),
        "noise": mm.RandomSteering(moves="boids"),
        "command": mm.Command(moves="boids"),
        "lead": mm.Command(form="velocity", moves="dogs"),
    },
)
LEAVING = MODEL.set(
    {"population.out": {"kind": "deaths", "flocks": "boids", "rate": 0.5}, "rules.alignment": None}
)


def give(sim: mm.Simulation, random: np.random.Generator) -> None:
    """Give a simulation one input of any kind."""
    boids = sim.frame["boids"]
    count = len(boids)
    vectors = random.normal(size=(count, 2))
    vectors[random.random(count) < 0.3] = np.nan
    some = boids.ids[random.random(count) < 0.5]
    dogs = random.normal(size=(2, 2))
    kind = random.integers(8)
    if kind == 0 and not np.isnan(vectors).all():
        sim.step(0, controls={"boids": vectors, "dogs": dogs})
    elif kind == 1 and len(some):
        sim.step(0, controls={"boids": (some, random.normal(size=(len(some), 2)))})
    elif kind == 2:
        sim.step(0, controls={"boids": None})
    elif kind == 3 and "alignment" in sim.model.rules:
        sim.set({"rules.alignment.weight": random.random(), "rules.noise.weight": 0.1})
    elif kind == 4:
        wind = {"kind": "wind", "moves": "boids", "vector": [0.1, 0.0]}
        sim.set({"rules.wind": None if "wind" in sim.model.rules else wind})
    elif kind == 5:
        sim.set_state("boids", velocities=random.normal(size=(count, 2)))
    elif kind == 6:
        sim.set_state("dogs", random.uniform(0.0, 10.0, (2, 2)), dogs)
    else:
        sim.step(0, controls={"dogs": dogs})


def controlled(
    path: Path,
    model: mm.Model = MODEL,
    engine: str = "reference",
    steps: int = STEPS,
    seed: int = 1,
    **options: Any,
) -> list[mm.Frame]:
    """Record a run with many inputs; return the frame of every step."""
    return list(control(path, model, engine, steps, seed, **options))


def control(
    path: Path, model: mm.Model, engine: str, steps: int, seed: int, **options: Any
) -> Iterator[mm.Frame]:
    dtype: Any = "float64" if engine == "reference" else "float32"
    sim = mm.Simulation(model, seed, engine=engine, dtype=dtype)
    random = np.random.default_rng(seed)
    with mm.Recorder(sim, path, EVERY, **options):
        yield sim.frame
        while sim.step_number < steps:
            for _ in range(random.integers(3)):
                give(sim, random)
            yield sim.step(1).frame


def assert_frames(left: mm.Frame, right: mm.Frame) -> None:
    assert left.step == right.step
    for name, flock in right.items():
        for field in ("ids", "positions", "velocities", "memory"):
            assert getattr(left[name], field).tobytes() == getattr(flock, field).tobytes()


@pytest.mark.parametrize(
    ("model", "engine", "options"),
    [
        (MODEL, "reference", {}),
        (LEAVING, "reference", {}),
        (MODEL, "reference", {"precision": 0.01}),
        pytest.param(MODEL, "cpu", {}, marks=pytest.mark.slow),
        pytest.param(LEAVING, "cpu", {"precision": 0.01}, marks=pytest.mark.long),
        pytest.param(MODEL, "wasm", {}, marks=pytest.mark.long),
    ],
)
def test_every_step_is_repeated(
    model: mm.Model, engine: str, options: dict[str, Any], tmp_path: Path
) -> None:
    """Also between recorded frames, by `replay`, and by a branch that records every step."""
    path = tmp_path / "run.zarr"
    frames = controlled(path, model, engine, **options)
    rec = mm.open(path)
    assert rec.steps == range(0, STEPS, EVERY) and len(rec.inputs) > STEPS // 2
    assert {entry.kind for entry in rec.inputs} >= {"controls", "state", "model"}
    for at in (0, 3, EVERY, 17, STEPS):
        assert_frames(mm.replay(path, at).frame, frames[at])
    if not options:
        again = mm.branch(path, tmp_path / "again.zarr", at=0, every=1)
        for frame in again:
            assert_frames(frame, frames[frame.step])
        assert [(i.step, i.kind) for i in again.inputs] == [
            (i.step, i.kind) for i in rec.inputs if i.step < again.steps[-1]
        ]


@pytest.mark.parametrize("seed", [2, pytest.param(3, marks=pytest.mark.long)])
def test_a_killed_run_is_repeated_up_to_its_last_input(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process ends with any write of the recording, and the log with any byte after that."""
    expected = controlled(tmp_path / "whole.zarr", seed=seed, chunk_frames=1, shard_bytes=500)
    writes = crash_after(10**6, monkeypatch)
    controlled(tmp_path / "counted.zarr", seed=seed, chunk_frames=1, shard_bytes=500)
    assert writes[0] > 40
    for number in range(32, writes[0], 19 if seed == 2 else 3):
        path = tmp_path / f"{number}.zarr"
        with monkeypatch.context() as patch:
            crash_after(number, patch)
            with pytest.raises(Crash):
                controlled(path, seed=seed, chunk_frames=1, shard_bytes=500)
        if not path.exists():
            continue  # nothing was begun
        again = mm.resume(path)
        last = again.inputs.last_step
        assert again.steps[-1] >= last - last % EVERY
        for frame in again:
            assert_frames(frame, expected[frame.step])
        assert not find_damage(again)


def test_a_log_is_cut_at_any_byte(tmp_path: Path) -> None:
    path = tmp_path / "run.zarr"
    frames = controlled(path, steps=4 * EVERY)
    log, count = path / input_log.INPUTS, len(mm.open(path))
    data, marker = log.read_bytes(), journal.line({"frames": count})
    assert data.endswith(marker) and data.count(marker) == 1
    for cut in range(0, len(data), 23):
        log.write_bytes(data[:cut])
        rest = input_log.InputLog(path)
        assert rest.size <= cut and rest.frames < count
    assert_frames(mm.open(path)[-1], frames[4 * EVERY])
    assert find_damage(mm.open(path))
    for use in (mm.resume, lambda p: mm.replay(p, 20), lambda p: mm.branch(p, tmp_path / "b.zarr")):
        with pytest.raises(mm.errors.DamagedRecordingError, match="inputs: is missing or"):
            use(path)
    log.unlink()
    with pytest.raises(mm.errors.DamagedRecordingError, match="of 5 frames"):
        mm.resume(path)
    for extra in (b"", b"0123abcd {", *_torn_entries()):  # after the last commit
        log.write_bytes(data + extra)
        assert_frames(mm.resume(path)[-1], frames[4 * EVERY])
        assert input_log.InputLog(path).size == len(log.read_bytes())
    assert not find_damage(mm.open(path))


def _torn_entries() -> list[bytes]:
    entry = input_log.encode(input_log.Input(20, "state", "boids", {"velocities": np.ones((N, 2))}))
    zeros = entry[:-9] + bytes(9)  # the length was durable, the bytes were not
    return [entry[:cut] for cut in (10, len(entry) - 20)] + [zeros]


def test_a_flipped_byte_of_the_log_is_found(tmp_path: Path) -> None:
    path = tmp_path / "run.zarr"
    controlled(path)
    assert not find_damage(mm.open(path))
    log = path / input_log.INPUTS
    data = log.read_bytes()
    random = np.random.default_rng(1)
    for offset in random.integers(len(data), size=4):
        flipped = bytearray(data)
        flipped[offset] ^= 1 << random.integers(8)
        log.write_bytes(flipped)
        assert find_damage(mm.open(path)), offset
        with pytest.raises(mm.errors.DamagedRecordingError):
            for step in mm.open(path).steps:
                mm.replay(path, step + EVERY - 1)


FORGED: list[dict[str, Any]] = [
    {"frames": -1},
    {"step": -1, "kind": "changes", "text": "", "arrays": {}},
    {"step": 1, "kind": "run", "text": "", "arrays": {}},
    {"step": 1, "kind": "state", "text": "boids", "arrays": {"positions": ["<f8", [8, 2], -40]}},
    {"step": 1, "kind": "state", "text": "boids", "arrays": {"positions": ["|O", [8, 2], 0]}},
    {"step": 1, "kind": "changes", "text": "a b", "arrays": {}},
    {"step": 1, "kind": "model", "text": "a b", "arrays": {}},
    {"step": 1, "kind": "controls", "text": "nobody", "arrays": {}},
]


def test_a_log_that_murmurate_did_not_write(tmp_path: Path) -> None:
    path = tmp_path / "run.zarr"
    controlled(path, steps=2)
    end = journal.line({"frames": 1})
    for entry in FORGED:
        (path / input_log.INPUTS).write_bytes(journal.line(entry) + end)
        with pytest.raises((mm.errors.DamagedRecordingError, mm.errors.ModelError)):
            mm.replay(path, 2)


def test_changes_of_a_branch_hold_whatever_was_set(tmp_path: Path) -> None:
    sim = mm.Simulation(MODEL, engine="reference")
    with mm.Recorder(sim, tmp_path / "a.zarr", 2):
        sim.step(2).set({"rules.alignment.weight": 0.5, "rules.noise.weight": 0.25}).step(4)
    path = tmp_path / "b.zarr"
    branch = mm.branch(tmp_path / "a.zarr", path, 0, {"rules.noise.weight": 0.0})
    weights = {name: rule.weight for name, rule in branch.model_at(6).rules.items()}
    assert (weights["alignment"], weights["noise"]) == (0.5, 0.0)
    other = mm.branch(tmp_path / "a.zarr", tmp_path / "c.zarr", 4)
    assert other.model.rules["alignment"].weight == 0.5


REFUSED = [
    ("dt", lambda sim: sim.set({"dt": 0.2})),
    ("obstacles", lambda sim: sim.set({"obstacles.post.centre": [1.0, 2.0]})),
    (
        "schedules",
        lambda sim: sim.set({"rules.noise.weight": mm.Ramp(start=0.0, stop=1.0, end=9.0)}),
    ),
    ("differ", lambda sim: sim.set({"rules.noise.weight": mm.Uniform(min=0.0, max=1.0)})),
    ("per-boid state", lambda sim: sim.set({"rules.lead": None})),
    ("reset: got a simulation that is recorded", lambda sim: sim.reset()),
    ("restore: got", lambda sim: sim.restore(sim.checkpoint())),
    ("Recorder: got", lambda sim: mm.Recorder(sim, "other.zarr")),
    ("every: got 0", lambda sim: mm.Recorder(sim, "other.zarr", 0)),
]


def test_what_a_recording_cannot_have_is_refused(tmp_path: Path) -> None:
    post = {"kind": "sphere", "centre": [5.0, 5.0], "radius": 1.0}
    sim = mm.Simulation(MODEL.set({"obstacles.post": post}), engine="reference")
    with mm.Recorder(sim, tmp_path / "a.zarr") as recorder:
        before = sim.model
        for message, change in REFUSED:
            with pytest.raises(mm.errors.ModelError, match=message):
                change(sim)
            assert sim.model == before
        sim.step(2)
        copy = sim.copy().step(3)  # which nobody records
        assert "3 frames, 0 inputs" in repr(recorder)
    sim.reset()
    assert copy.step_number == 5 and len(mm.open(tmp_path / "a.zarr")) == 3
    with pytest.raises(mm.errors.ModelError, match="simulation: got a Model; expected a Sim"):
        mm.Recorder(MODEL, tmp_path / "b.zarr")  # type: ignore[arg-type]
    with pytest.raises(mm.errors.OpenError, match="exists and is kept"):
        mm.Recorder(sim, tmp_path / "a.zarr")
    sim.set({"dt": 0.2})  # no recorder is left
    for at in (-1, 1.5):
        with pytest.raises(mm.errors.ModelError, match="at: got"):
            mm.replay(tmp_path / "a.zarr", at)


PROGRAM = """
import numpy as np, murmurate as mm
from test_inputs import MODEL
sim = mm.Simulation(MODEL, 3, engine="reference", dtype="float64")
with mm.Recorder(sim, "run.zarr", every=10):
    for k in range(10**6):
        sim.step(1, controls={"dogs": np.full((2, 2), np.sin(k))})
"""


@pytest.mark.slow
def test_a_killed_process_loses_no_input(tmp_path: Path) -> None:
    log = tmp_path / "run.zarr" / input_log.INPUTS
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with started(sys.executable, "-c", PROGRAM, cwd=tmp_path, env=env) as process:
        until(lambda: log.exists() and log.stat().st_size > 20_000)
        process.kill()
    rec = mm.resume(tmp_path / "run.zarr")
    last = rec.inputs.last_step
    assert len(rec.inputs) == last + 1 and rec.steps[-1] == last - last % 10 > 20
    sim = mm.Simulation(MODEL, 3, engine="reference", dtype="float64")
    for k in range(rec.steps[-1]):
        sim.step(1, controls={"dogs": np.full((2, 2), np.sin(k))})
    assert_frames(rec[-1], sim.frame)
