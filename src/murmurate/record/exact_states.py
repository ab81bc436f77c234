"""Exact states of a flock in a file: where frames are rounded, a run goes on from these."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

from murmurate.frame import Frame
from murmurate.record.array_writers import whole
from murmurate.record.codec import Array, sealed, unsealed
from murmurate.record.durable_files import write_atomically
from murmurate.record.journal import FOLDER

Arrays = dict[str, Array]
"""'position' and 'velocity', (boids, axes) each, 'perch_timer', (boids,), and, where boids remember
anything, 'memory', (boids, numbers)."""


def file_of(frames: int) -> str:
    return f"{FOLDER}/state-{frames}"


def write(path: Path, frames: int, frame: Frame, dtype: str) -> str:
    """Writes the state after so many recorded frames; returns its file's name in the recording."""
    positions = whole(frame, "positions").astype(dtype)
    velocities = whole(frame, "velocities").astype(dtype)
    timers = whole(frame, "perch_timers").astype("<i8")
    head = struct.pack("<QQ", *positions.shape)
    memory = whole(frame, "memory").astype(dtype)
    arrays = (positions, velocities, timers, memory)
    data = b"".join([head, *(array.tobytes() for array in arrays)])
    write_atomically(path / file_of(frames), sealed(data), path / FOLDER)
    return file_of(frames)


def read(path: Path, frames: int, dtype: str) -> Arrays | None:
    """The state, or None where there is none that is whole."""
    try:
        data = unsealed((path / file_of(frames)).read_bytes())
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


def kept(path: Path) -> list[int]:
    """After how many frames there are states, the fewest first."""
    names = [file.name.removeprefix("state-") for file in (path / FOLDER).glob("state-*")]
    return sorted(int(name) for name in names if name.isdigit())


def forget(path: Path, keep: set[int]) -> None:
    """Removes the states that are not to be kept."""
    for frames in kept(path):
        if frames not in keep:
            (path / file_of(frames)).unlink(missing_ok=True)
