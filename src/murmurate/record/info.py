"""What `murmurate info` says of a recording: plain words and numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.record.codec import Array
from murmurate.record.make_header import versions
from murmurate.record.metadata import parts_of

Row = Callable[[int, str], Array | None]
"""(frame's number, name of a measure) -> its value for each flock; None where it is lost."""


def size_on_disk(path: Path) -> int:
    """Bytes of all its files."""
    total = 0
    for file in path.rglob("*"):
        try:
            total += file.stat().st_size if file.is_file() else 0
        except OSError:  # a draft that was renamed meanwhile
            continue
    return total


def info(
    path: Path,
    header: Mapping[str, Any],
    *,
    frames: int,
    target: int,
    notes: Sequence[str],
    row: Row,
) -> dict[str, Any]:
    """What it is, how it was made, how large, the last frame's measures.

    frames, target, notes, row  as those of the Recording
    A measure that a flock is too small for is None.
    """
    boids, size = sum(header["counts"].values()), size_on_disk(path)
    first, every = header["first_step"], header["every"]
    last = first + (frames - 1) * every
    parts = parts_of(dict(header))
    out: dict[str, Any] = {
        "path": str(path),
        "title": header["title"],
        "model": header["name"],
        "fingerprint": header["fingerprint"],
        "seed": header["seed"],
        "engine": header["engine"],
        "dtype": header["dtype"],
        "boids": boids,
        "flocks": dict(header["counts"]),
        "frames": frames,
        "every": every,
        "first_step": first if frames else None,
        "last_step": last if frames else None,
        "asked_steps": target,
        "complete": frames > 0 and last + every > target,
        "time": float(last) * header["dt"] if frames else None,
        "precision": header["precision"],
        "velocity_precision": header["velocity_precision"],
        "bytes": size,
        "bytes_per_boid_frame": size / max(1, boids * frames),
        "versions": parts[-1]["versions"],
        "parts": [
            {"first_step": first + part["frame"] * every, "versions": part["versions"]}
            for part in parts
        ],
        "same_versions": parts[-1]["versions"] == versions(),
        "command": header["command"],
        "parent": header["parent"] or None,
        "notes": list(notes),
    }
    if frames:
        number = (frames - 1) // header["measure_every"] * header["measure_every"]
        out["measured_step"] = first + number * every
        out["measures"] = _measures(header, number, row)
    return out


def _measures(
    header: Mapping[str, Any], number: int, row: Row
) -> dict[str, dict[str, float | None]]:
    """flock -> measure -> value, of one frame."""
    rows = {name: row(number, name) for name in header["measures"]}
    return {
        flock: {
            name: None if values is None or not np.isfinite(values[k]) else float(values[k])
            for name, values in rows.items()
        }
        for k, flock in enumerate(header["counts"])
    }
