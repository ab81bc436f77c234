"""What tracks are, in numbers and words: for `murmurate info`, and pictures."""

from __future__ import annotations

from typing import Any

import numpy as np

from murmurate.tracks.tracks import Tracks


def gaps_of(tracks: Tracks) -> list[tuple[int, int, int]]:
    """(animal, first frame, frames) of each gap between two places of an animal, longest first."""
    seen = np.isfinite(tracks.positions).all(axis=2)
    found = []
    for animal in range(seen.shape[1]):
        frames = np.flatnonzero(seen[:, animal])
        before = np.flatnonzero(np.diff(frames) > 1)
        found += [(animal, int(frames[k]) + 1, int(frames[k + 1] - frames[k]) - 1) for k in before]
    return sorted(found, key=lambda gap: -gap[2])


def description(tracks: Tracks) -> dict[str, Any]:
    """Plain numbers and words, None where there is no number."""
    positions = tracks.positions
    frames, animals, dims = positions.shape
    seen = positions[np.isfinite(positions).all(axis=2)]
    gaps = gaps_of(tracks)
    speeds = np.linalg.norm(tracks.steps, axis=2)
    speeds = speeds[np.isfinite(speeds)]
    names = list(tracks.names or ())
    return {
        "path": str(tracks.path),
        "read_as": tracks.source,
        "tracks": animals,
        "names": names,
        "frames": frames,
        "first_frame": tracks.start,
        "every": tracks.every,
        "frames_per_second": tracks.rate if tracks.timed else None,
        "seconds": (frames - 1) / tracks.rate if tracks.timed and frames else None,
        "dims": dims,
        "space": {
            "lower": list(tracks.space.lower),
            "size": list(tracks.space.size),
            "boundary": list(tracks.space.boundaries),
        },
        "flocks": {name: len(rows) for name, rows in tracks.flocks.items()},
        "unit": tracks.unit,
        "y_down": tracks.y_down,
        "lower": seen.min(axis=0).tolist() if len(seen) else None,
        "upper": seen.max(axis=0).tolist() if len(seen) else None,
        "median_step": float(np.median(speeds)) if len(speeds) else None,
        "missing": tracks.missing,
        "gaps": len(gaps),
        "longest_gap": {
            "animal": names[gaps[0][0]],
            "first_frame": tracks.start + gaps[0][1] * tracks.every,
            "frames": gaps[0][2],
        } if gaps else None,
        "attrs": dict(tracks.attrs),
        "notes": list(tracks.notes),
        "warnings": list(tracks.warnings),
    }  # fmt: skip
