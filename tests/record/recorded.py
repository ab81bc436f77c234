"""Make and compare recordings in tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import murmurate as mm
from murmurate.record import store
from murmurate.runs import record_run
from structures import STRUCTURES

SIZES = {"shard_bytes": 4000, "chunk_frames": 3}  # so small that a short run has many files


def model_of(name: str = "torus", count: int = 12) -> mm.Model:
    return STRUCTURES[name][0](count=count)


def record(
    path: Path,
    model: mm.Model | None = None,
    steps: int = 40,
    every: int = 1,
    seed: int = 5,
    dtype: Any = None,
    threads: int = 1,
    engine: str = "cpu",
    **options: Any,
) -> mm.Recording:
    """Make a small recording with small files, by default of single precision."""
    dtype = dtype or ("float64" if engine == "reference" else "float32")
    simulation = mm.Simulation(
        model or model_of(), seed, engine=engine, dtype=dtype, threads=threads
    )
    return record_run.record(simulation, path, steps, every, **{**SIZES, **options})


def assert_same(first: mm.Recording, second: mm.Recording) -> None:
    """Compare arrays bit for bit, as recorded and as xarray reads them."""
    assert len(first) == len(second)
    assert first.steps == second.steps
    a, b = first.read(), second.read()
    for name in ("steps", "times", "positions", "velocities", "perch_timers"):
        left, right = getattr(a, name), getattr(b, name)
        assert (left is None) == (right is None)
        if left is not None:
            assert left.dtype == right.dtype and left.tobytes() == right.tobytes(), name
    left, right = first.to_xarray().load(), second.to_xarray().load()
    assert set(left.variables) == set(right.variables)
    for name in left.variables:
        assert left[name].identical(right[name]), name


def newest_files(path: Path) -> list[Path]:
    """Return all files that grow."""
    return sorted(file for file in path.rglob("*") if file.is_file() and file.name not in ("lock",))


class Crash(BaseException):
    """Stands for the end of a killed process."""


def crash_after(writes: int, monkeypatch: Any, *, half: bool = True) -> list[int]:
    """Make write number `writes` of a recording raise Crash, and all later ones.

    With `half`, the unfinished file is left. Returns a list that counts the writes.
    """
    count = [0]
    write, append = store.write_atomically, store.journal.append

    def write_or_crash(path: Path, data: bytes, drafts: Path) -> None:
        count[0] += 1
        if count[0] == writes and half:
            (drafts / "draft-of-the-dead").write_bytes(data[: len(data) // 2])
        if count[0] >= writes:
            raise Crash
        write(path, data, drafts)

    def append_or_crash(path: Path, entry: Any) -> None:
        count[0] += 1
        if count[0] == writes:
            with open(path / store.journal.LOG, "ab") as log:
                log.write(store.journal.line(entry)[:7])
        if count[0] >= writes:
            raise Crash
        append(path, entry)

    monkeypatch.setattr(store, "write_atomically", write_or_crash)
    monkeypatch.setattr(store.journal, "append", append_or_crash)
    return count


def positions(recording: mm.Recording) -> np.ndarray:
    return recording.read().positions
