"""Recordings that are stopped anywhere and resumed equal those of an uninterrupted run."""

from __future__ import annotations

import os
import random
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from recorded import SIZES, Crash, assert_same, crash_after, model_of, record

import murmurate as mm
from murmurate.record import durable_files, information, store, writer
from murmurate.runs import resume_run
from processes import ran, started, until

# perching, schedules, chance, several flocks, all orders of update
CASES = [
    ("torus", "cpu"),
    pytest.param("two-flocks", "reference", marks=pytest.mark.slow),
    ("landing", "reference"),
    pytest.param("landing", "cpu", marks=pytest.mark.slow),
    *(
        pytest.param(name, "cpu", marks=pytest.mark.long)
        for name in ("two-flocks", "in-turn", "mixed", "stages", "shuffled")
    ),
]


@pytest.mark.parametrize(("name", "engine"), CASES)
def test_a_resumed_recording_equals_an_uninterrupted_one(
    name: str, engine: str, tmp_path: Path
) -> None:
    """In parts of any length, on engine cpu each with another number of threads."""
    model = model_of(name)
    single = engine == "cpu" and name in ("torus", "landing", "in-turn")
    options = {"dtype": "float32" if single else "float64", "engine": engine}
    complete = record(tmp_path / "whole.zarr", model, steps=24, every=2, **options)
    parts = record(tmp_path / "parts.zarr", model, steps=7, every=2, **options)
    for steps, threads in ((6, 2), (8, 1), (19, 3), (24, 2)):
        parts = mm.resume(parts.path, steps, threads=threads if engine == "cpu" else None)
        assert parts.steps[-1] == steps // 2 * 2
    assert_same(parts, complete)
    assert parts.complete
    assert_same(mm.resume(parts.path), complete)


def test_the_versions_of_each_part_are_kept(tmp_path: Path, monkeypatch) -> None:
    """Also if a part is simulated again from before its beginning."""
    rec = record(tmp_path / "a.zarr", steps=10, every=2, shard_bytes=432)  # three frames a file
    first = rec.header["versions"]
    assert len(mm.resume(rec.path, 12).info()["parts"]) == 1  # the same versions
    monkeypatch.setattr(writer, "versions", lambda: "murmurate 9")
    monkeypatch.setattr(information, "versions", lambda: "murmurate 9")
    info = mm.resume(rec.path, 20).info()
    assert info["parts"] == [
        {"first_step": 0, "versions": first},
        {"first_step": 14, "versions": "murmurate 9"},
    ]
    assert info["versions"] == "murmurate 9" and info["same_versions"]
    data = mm.open(rec.path).to_xarray()
    assert data.attrs["versions"] == f"{first}; from step 14 on: murmurate 9"
    shutil.rmtree(rec.path / "velocity" / "c" / "3")  # frames 9 and 10
    monkeypatch.setattr(writer, "versions", lambda: "murmurate 10")
    info = mm.resume(rec.path, 20).info()
    assert [part["first_step"] for part in info["parts"]] == [0, 14, 18]
    shutil.rmtree(rec.path / "velocity" / "c" / "1")
    shutil.rmtree(rec.path / "velocity" / "c" / "2")
    shutil.rmtree(rec.path / "velocity" / "c" / "3")
    monkeypatch.setattr(writer, "versions", lambda: first)
    assert mm.resume(rec.path, 20).info()["parts"] == [{"first_step": 0, "versions": first}]


@pytest.mark.slow
def test_some_boids_perch(tmp_path: Path) -> None:
    rec = record(tmp_path / "a.zarr", model_of("landing"), steps=30)
    assert (rec.read().perch_timers > 0).any()  # type: ignore[operator]


@pytest.mark.parametrize(
    "nth",
    [pytest.param(11, marks=pytest.mark.slow), pytest.param(1, marks=pytest.mark.long)],
    ids=["some", "each"],
)
@pytest.mark.parametrize("precision", [None, 0.01])
@pytest.mark.parametrize("half", [True, False])
def test_a_crash_at_any_write(
    precision: Any, half: bool, nth: int, tmp_path: Path, monkeypatch
) -> None:
    """With a file half written or whole: earlier frames are intact, and it can be resumed."""
    model = model_of("landing")
    complete = record(tmp_path / "whole.zarr", model, steps=20, precision=precision)
    with monkeypatch.context() as patched:
        count = crash_after(10**9, patched)
        record(tmp_path / "count.zarr", model, steps=20, precision=precision)
    began = 22  # before, the recording is not there yet
    for number in range(began, count[0] + 1, nth):
        path = tmp_path / "dying.zarr"
        shutil.rmtree(path, ignore_errors=True)
        with monkeypatch.context() as patched:
            crash_after(number, patched, half=half)
            with pytest.raises(Crash):
                record(path, model, steps=20, precision=precision)
        if not path.exists():  # it died at its first frame
            continue
        left = mm.open(path)
        assert 1 <= len(left) <= 21
        assert np.array_equal(left.read().positions, complete.read().positions[: len(left)])
        assert left.to_xarray().load().sizes["time"] == len(left.to_xarray()["time"])
        assert_same(mm.resume(path, threads=1), complete)
        assert not list(path.rglob("draft-*"))


CHILD = """
import sys, murmurate as mm
from murmurate.runs import record_run
sys.path[:0] = [{tests!r}, {folder!r}]
from recorded import model_of
simulation = mm.Simulation(model_of("landing"), 5, threads=1)
record_run.record(simulation, {path!r}, {steps}, precision={precision!r}, commit_seconds=0.02,
               shard_bytes=8000, chunk_frames=3, progress=lambda *_: __import__("time").sleep(4e-4))
"""


def kill(path: Path, seed: int, precision: Any, steps: int) -> int:
    """Kill a recording process after a random number of frames; return the frames left."""
    folder = Path(__file__).parent
    code = CHILD.format(
        tests=str(folder.parent / "support"),
        folder=str(folder),
        path=str(path),
        precision=precision,
        steps=steps,
    )
    enough = random.Random(seed).randrange(1, steps // 2)
    with started(sys.executable, "-c", code) as child:
        until(lambda: path.exists() and len(mm.open(path)) >= enough, child)
    return len(mm.open(path))


def kill_and_resume(seeds: range, steps: int, tmp_path: Path) -> None:
    complete = {
        precision: record(
            tmp_path / f"complete-{precision}.zarr", model_of("landing"), steps=steps,
            precision=precision, shard_bytes=8000,
        )
        for precision in (None, 0.01)
    }  # fmt: skip
    for seed in seeds:
        precision = 0.01 if seed % 3 == 2 else None
        path = tmp_path / f"{seed}.zarr"
        assert kill(path, seed, precision, steps) >= 1
        rec = mm.resume(path, threads=1 + seed % 2)
        assert_same(rec, complete[precision])
        shutil.rmtree(path)


@pytest.mark.skipif(os.name == "nt", reason="there is no kill -9")
@pytest.mark.parametrize(
    "times",
    [pytest.param(1, marks=pytest.mark.slow), pytest.param(20, marks=pytest.mark.long)],
)
def test_killed_many_times(tmp_path: Path, times: int) -> None:
    kill_and_resume(range(20 - times, 20), 400, tmp_path)


def test_commits_are_made_in_time(tmp_path: Path) -> None:
    """Also if the simulation is slow: a frame is committed before the next one comes."""
    waited = []

    def slow(step: int, _: int) -> None:
        until(lambda: len(mm.open(tmp_path / "a.zarr")) > step)
        waited.append(step)

    record(tmp_path / "a.zarr", steps=5, progress=slow, commit_seconds=0.05, shard_bytes=10**8)
    assert waited[-1] == 5


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.zarr"

    def meanwhile(step: int, _: int) -> None:
        if step == 3:
            with pytest.raises(mm.OpenError, match="is writing this recording"):
                mm.resume(path)
            with pytest.raises(mm.OpenError, match=f"process {os.getpid()}"):
                record(path, force=True)

    record(path, steps=6, progress=meanwhile)
    assert len(mm.resume(path, 8)) == 9


def test_a_dead_process_holds_no_lock(tmp_path: Path) -> None:
    rec = record(tmp_path / "a.zarr", steps=3)
    (rec.path / "journal/lock").write_text('{"process": 999999, "machine": "elsewhere"}')
    assert len(mm.resume(rec.path, 5)) == 6
    code = (
        "import sys, os; from pathlib import Path; "
        "from murmurate.record.durable_files import Lock; "
        f"lock = Lock(Path({str(rec.path / 'journal/lock')!r}), 'it'); os._exit(9)"
    )
    assert ran(sys.executable, "-c", code).returncode == 9
    assert not durable_files.is_locked(rec.path / "journal/lock")
    assert len(mm.resume(rec.path, 7)) == 8


def test_stopping_early(tmp_path: Path) -> None:

    def soon(step: int, _: int) -> None:
        if step == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        record(tmp_path / "a.zarr", steps=20, progress=soon)
    rec = mm.Recording(tmp_path / "a.zarr")
    assert rec.steps[-1] == 5 and rec.target == 20 and not rec.complete
    assert_same(mm.resume(rec.path), record(tmp_path / "b.zarr", steps=20))


def test_fewer_steps_are_refused(tmp_path: Path) -> None:
    rec = record(tmp_path / "a.zarr", steps=20)
    with pytest.raises(mm.ModelError, match="a recording is never cut"):
        mm.resume(rec.path, 10)
    assert len(mm.resume(rec.path, 21)) == 22


@pytest.mark.slow
def test_rounded_recordings_are_resumed_from_an_exact_state(tmp_path: Path) -> None:
    """From the newest undamaged one; later frames are simulated again."""
    model = model_of("landing")
    options = {"precision": 0.05, "engine": "reference"}
    complete = record(tmp_path / "whole.zarr", model, steps=30, **options)
    rec = record(tmp_path / "a.zarr", model, steps=12, **options)
    mm.resume(rec.path, 20)
    states = store.list_states(rec.path)
    assert states[-1] == 21 and states[0] == 1 and len(states) == 3
    newest = rec.path / store.state_file(21)
    newest.write_bytes(newest.read_bytes()[:-9])
    assert_same(mm.resume(rec.path, 30), complete)
    for frames in store.list_states(rec.path)[1:]:
        (rec.path / store.state_file(frames)).unlink()
    assert_same(mm.resume(rec.path, 30), complete)


def test_the_journal_lists_files_and_sizes(tmp_path: Path) -> None:
    rec = record(tmp_path / "a.zarr", steps=20)
    header, commits = store.journal.read(rec.path)
    assert header is not None and header["seed"] == 5
    assert [c["frames"] for c in commits] == sorted({c["frames"] for c in commits})
    for name, (size, _) in commits[-1]["files"].items():
        assert (rec.path / name).stat().st_size == size
    assert SIZES["chunk_frames"] == 3


# --- further state of boids: spins, and the past that others sense

WITH_STATE = ["spinning", pytest.param("drones", marks=pytest.mark.slow)]


OF_STATE: dict[str, dict[str, Any]] = {
    "spinning": {"engine": "reference"},
    "drones": {"engine": "reference"},
}


@pytest.mark.parametrize("name", WITH_STATE)
@pytest.mark.parametrize("options", [{}, {"precision": 0.01}])
def test_the_state_of_boids_is_resumed(tmp_path: Path, name: str, options: dict[str, Any]) -> None:
    options = {**OF_STATE[name], **options}
    model = model_of(name)
    complete = record(tmp_path / "complete.zarr", model, 12, 2, **options)
    record(tmp_path / "part.zarr", model, 6, 2, **options)
    resume_run.resume(tmp_path / "part.zarr", 12, threads=1)
    part = mm.open(tmp_path / "part.zarr")
    assert_same(complete, part)
    memory, resumed = complete.read().memory, part.read().memory
    assert memory is not None and resumed is not None
    assert memory.any() and memory.tobytes() == resumed.tobytes()
    for frame, copy in zip(complete, part, strict=True):
        assert np.array_equal(frame["boids"].memory, copy["boids"].memory)


@pytest.mark.parametrize("name", WITH_STATE)
def test_the_state_of_boids_is_branched(tmp_path: Path, name: str) -> None:
    """A branch without changes equals its parent, from any frame."""
    model = model_of(name)
    parent = record(tmp_path / "parent.zarr", model, 10, 1, **OF_STATE[name])
    branch = resume_run.branch(tmp_path / "parent.zarr", tmp_path / "branch.zarr", 4, threads=1)
    assert branch[-1].step == 10
    for flock in branch[-1].values():
        original = parent[-1][flock.name]
        assert np.array_equal(flock.positions, original.positions)
        assert np.array_equal(flock.memory, original.memory)


def test_boids_without_state_have_no_memory_array(tmp_path: Path) -> None:
    rec = record(tmp_path / "torus.zarr", None, 4, 2)
    assert not (tmp_path / "torus.zarr" / "memory").exists()
    assert rec.read().memory is None and rec[0]["boids"].memory.shape == (12, 0)
