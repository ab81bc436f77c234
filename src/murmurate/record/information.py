"""Information about a recording, which `murmurate info` prints."""

from __future__ import annotations

from typing import Any

import numpy as np

from murmurate.disk import file_sizes
from murmurate.record.header import engine_text, part_texts, version_parts, versions


def recording_info(recording: Any) -> dict[str, Any]:
    """Return information about a Recording. See `Recording.info`."""
    header, frames = recording.header, len(recording)
    boids, size = sum(header["counts"].values()), sum(file_sizes(recording.path))
    boid_frames = boids * frames
    first, every = header["first_step"], header["every"]
    last = first + (frames - 1) * every
    parts = version_parts(dict(header))
    out: dict[str, Any] = {
        "path": str(recording.path),
        "title": header["title"],
        "model": header["name"],
        "fingerprint": header["fingerprint"],
        "seed": header["seed"],
        "engine": engine_text(header["engine"], header.get("family", "")),
        "dtype": header["dtype"],
        "boids": boids,
        "flocks": dict(header["counts"]),
        "frames": frames,
        "every": every,
        "first_step": first if frames else None,
        "last_step": last if frames else None,
        "asked_steps": recording.target,
        "complete": frames > 0 and last + every > recording.target,
        "time": float(last) * header["dt"] if frames else None,
        "precision": header["precision"],
        "velocity_precision": header["velocity_precision"],
        "bytes": size,
        "bytes_per_boid_frame": size / boid_frames if boid_frames else 0.0,
        "versions": parts[-1]["versions"],
        "parts": [
            {"first_step": step, "versions": text} for step, text in part_texts(dict(header))
        ],
        "same_versions": parts[-1]["versions"] == versions(),
        "command": header["command"],
        "parent": header["parent"] or None,
        "notes": list(recording.notes),
    }
    if header.get("inputs"):
        log = recording.inputs
        out |= {"inputs": len(log), "last_input": log.last_step, "input_bytes": log.size}
    if recording.changes_numbers and frames:
        out |= _changing_info(recording, size)
    if frames:
        number = (frames - 1) // header["measure_every"] * header["measure_every"]
        out["measured_step"] = first + number * every
        out["measures"] = _measures(recording, number)
    return out


def _changing_info(recording: Any, size: int) -> dict[str, Any]:
    """Return the facts of a recording whose numbers of boids change."""
    n_boids, n_ever = recording.column("n_boids"), recording.column("n_ever")[-1]
    total = n_boids.sum(axis=1)
    numbers = {
        name: {
            "first": int(n_boids[0, k]),
            "last": int(n_boids[-1, k]),
            "smallest": int(n_boids[:, k].min()),
            "largest": int(n_boids[:, k].max()),
            "ever": int(n_ever[k]),
            "room": recording.header["rows"][name],
        }
        for k, name in enumerate(recording.counts)
    }
    return {
        "boids": int(total[-1]),
        "flocks": {name: flock["last"] for name, flock in numbers.items()},
        "first_boids": int(total[0]),
        "numbers": numbers,
        "bytes_per_boid_frame": size / int(total.sum()) if total.any() else 0.0,
    }


def _measures(recording: Any, number: int) -> dict[str, dict[str, float | None]]:
    """Return flock -> measure -> value of a frame."""
    rows = {name: recording.row(number, name) for name in recording.header["measures"]}
    return {
        flock: {
            name: None if values is None or not np.isfinite(values[k]) else float(values[k])
            for name, values in rows.items()
        }
        for k, flock in enumerate(recording.counts)
    }
