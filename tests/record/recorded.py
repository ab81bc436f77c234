"""Recordings that tests make and compare."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import murmurate as mm
from murmurate.record import store
from murmurate.runs import recorded_run
from structures import STRUCTURES

SIZES = {"shard_bytes": 4000, "chunk_frames": 3}  # so small that a short flight has many files


def model_of(name: str = "torus", count: int = 12) -> mm.Model:
    return STRUCTURES[name][0](count=count)


def record(
    path: Path,
    model: mm.Model | None = None,
    steps: int = 40,
    every: int = 1,
    seed: int = 5,
    dtype: Any = "float32",
    threads: int = 1,
    **options: Any,
) -> mm.Recording:
    """A small recording with small files."""
    simulation = mm.Simulation(model or model_of(), seed, dtype=dtype, threads=threads)
    return recorded_run.record(simulation, path, steps, every, **{**SIZES, **options})


def assert_same(one: mm.Recording, other: mm.Recording) -> None:
    """Array for array, bit for bit: what was recorded, and what xarray sees of it."""
    assert len(one) == len(other)
    assert one.steps == other.steps
    a, b = one.read(), other.read()
    for name in ("steps", "times", "positions", "velocities", "perch_timers"):
        left, right = getattr(a, name), getattr(b, name)
        assert (left is None) == (right is None)
        if left is not None:
            assert left.dtype == right.dtype and left.tobytes() == right.tobytes(), name
    left, right = one.to_xarray().load(), other.to_xarray().load()
    assert set(left.variables) == set(right.variables)
    for name in left.variables:
        assert left[name].identical(right[name]), name


def newest_files(path: Path) -> list[Path]:
    """All files that grow."""
    return sorted(file for file in path.rglob("*") if file.is_file() and file.name not in ("lock",))


class Crash(BaseException):
    """What a killed process does not live to see."""


def crash_after(writes: int, monkeypatch: Any, *, half: bool = True) -> list[int]:
    """The process dies at write number `writes` of a recording: nothing is written any more, and
    the unfinished file stays as it is. Returns a list that counts the writes."""
    count = [0]
    whole, append = store.write_atomically, store.journal.append

    def dying(path: Path, data: bytes, drafts: Path) -> None:
        count[0] += 1
        if count[0] == writes and half:
            (drafts / "draft-of-the-dead").write_bytes(data[: len(data) // 2])
        if count[0] >= writes:
            raise Crash
        whole(path, data, drafts)

    def dying_line(path: Path, entry: Any) -> None:
        count[0] += 1
        if count[0] == writes:
            with open(path / store.journal.LOG, "ab") as log:
                log.write(store.journal.line(entry)[:7])
        if count[0] >= writes:
            raise Crash
        append(path, entry)

    monkeypatch.setattr(store, "write_atomically", dying)
    monkeypatch.setattr(store.journal, "append", dying_line)
    return count


def positions(recording: mm.Recording) -> np.ndarray:
    return recording.read().positions
