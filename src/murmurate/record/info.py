"""What a recording is, in words and numbers; and whether all of it can be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from murmurate.record.block_reader import stretches
from murmurate.record.errors import RecordingDamaged
from murmurate.record.make_header import versions
from murmurate.record.metadata import parts_of
from murmurate.record.recording import STRETCH, Recording


def size_on_disk(path: Path) -> int:
    """Bytes of all its files."""
    total = 0
    for file in path.rglob("*"):
        try:
            total += file.stat().st_size if file.is_file() else 0
        except OSError:  # a draft that was renamed meanwhile
            continue
    return total


def info(rec: Recording) -> dict[str, Any]:
    """Plain words and numbers: what it is, how it was made, how large, the last frame's measures.

    A measure that a flock is too small for is None.
    """
    header, frames = rec.header, len(rec)
    boids, size = sum(header["counts"].values()), size_on_disk(rec.path)
    found: dict[str, Any] = {
        "path": str(rec.path),
        "title": header["title"],
        "model": header["name"],
        "fingerprint": header["fingerprint"],
        "seed": header["seed"],
        "engine": header["engine"],
        "dtype": header["dtype"],
        "boids": boids,
        "flocks": dict(header["counts"]),
        "frames": frames,
        "every": rec.every,
        "first_step": rec.steps[0] if frames else None,
        "last_step": rec.steps[-1] if frames else None,
        "asked_steps": rec.target,
        "complete": rec.complete,
        "time": float(rec.times[-1]) if frames else None,
        "precision": rec.precision,
        "velocity_precision": header["velocity_precision"],
        "bytes": size,
        "bytes_per_boid_frame": size / max(1, boids * frames),
        "versions": parts_of(header)[-1]["versions"],
        "parts": [
            {"first_step": header["first_step"] + part["frame"] * rec.every}
            | {"versions": part["versions"]}
            for part in parts_of(header)
        ],
        "same_versions": parts_of(header)[-1]["versions"] == versions(),
        "command": header["command"],
        "parent": header["parent"] or None,
        "notes": list(rec.notes),
    }
    if frames:
        found["measured_step"], found["measures"] = last_measures(rec)
    return found


def last_measures(rec: Recording) -> tuple[int | None, dict[str, dict[str, float | None]]]:
    """(the last step that was measured, flock -> measure -> value)."""
    flocks = list(rec.header["counts"])
    names = rec.header["measures"]
    number = (len(rec) - 1) // rec.header["measure_every"] * rec.header["measure_every"]
    rows = {name: rec.row(number, name) for name in names}
    values: dict[str, dict[str, float | None]] = {
        flock: {
            name: None if row is None or not np.isfinite(row[k]) else float(row[k])
            for name, row in rows.items()
        }
        for k, flock in enumerate(flocks)
    }
    return rec.steps[number], values


def damages(rec: Recording) -> list[str]:
    """Reads every frame; what cannot be read, in words. None: all checksums fit."""
    boids = max(1, sum(rec.header["counts"].values()))
    most = max(1, STRETCH // (boids * (2 * rec.header["dims"] * 8 + 4)))
    found: list[str] = []
    for first, last in stretches(0, len(rec), most):
        try:
            rec.read(first, last)
        except RecordingDamaged:
            for number in range(first, last):
                try:
                    rec[number]
                except RecordingDamaged as error:
                    if str(error) not in found:
                        found.append(str(error))
    return found
