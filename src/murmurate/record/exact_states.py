"""Exact states of a flock in files: where frames are rounded, a run is resumed from these."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

from murmurate.disk import read_bytes
from murmurate.frame import Frame
from murmurate.record.array_writers import all_boids
from murmurate.record.codec import Array, with_checksum, without_checksum
from murmurate.record.durable_files import write_atomically
from murmurate.record.journal import FOLDER

Arrays = dict[str, Array]
"""'position' and 'velocity', (boids, axes) each, 'perch_timer', (boids,), and, where boids remember
anything, 'memory', (boids, numbers)."""


def file_name(frames: int) -> str:
    return f"{FOLDER}/state-{frames}"


def write(path: Path, frames: int, frame: Frame, dtype: str) -> str:
    """Writes the state after so many recorded frames; returns its file's name in the recording."""
    positions = all_boids(frame, "positions").astype(dtype)
    velocities = all_boids(frame, "velocities").astype(dtype)
    timers = all_boids(frame, "perch_timers").astype("<i8")
    head = struct.pack("<QQ", *positions.shape)
    memory = all_boids(frame, "memory").astype(dtype)
    arrays = (positions, velocities, timers, memory)
    data = b"".join([head, *(array.tobytes() for array in arrays)])
    write_atomically(path / file_name(frames), with_checksum(data), path / FOLDER)
    return file_name(frames)


def read(path: Path, frames: int, dtype: str) -> Arrays | None:
    """The state, or None where there is none that is whole."""
    try:
        data = without_checksum(read_bytes(path / file_name(frames)))
    except OSError:
        return None
    if data is None:
        return None
    shape = struct.unpack("<QQ", data[:16])
    each = shape[0] * shape[1] * np.dtype(dtype).itemsize
    last = 16 + 2 * each + 8 * shape[0]
    arrays = {
        "position": np.frombuffer(data[16 : 16 + each], dtype).reshape(shape),
        "velocity": np.frombuffer(data[16 + each : 16 + 2 * each], dtype).reshape(shape),
        "perch_timer": np.frombuffer(data[16 + 2 * each : last], "<i8"),
    }
    if len(data) > last:
        arrays["memory"] = np.frombuffer(data[last:], dtype).reshape(shape[0], -1)
    return arrays


def saved_after(path: Path) -> list[int]:
    """After how many frames there are states, the fewest first."""
    names = [file.name.removeprefix("state-") for file in (path / FOLDER).glob("state-*")]
    return sorted(int(name) for name in names if name.isdigit())


def remove_except(path: Path, keep: set[int]) -> None:
    """Removes the states that are not to be kept."""
    for frames in saved_after(path):
        if frames not in keep:
            (path / file_name(frames)).unlink(missing_ok=True)
