"""Tables that tests write and open, and tracks to compare them with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import track_files

import murmurate as mm

POSITIONS = track_files.tracks(frames=40, animals=5)


def open_text(tmp_path: Path, text: str, name: str = "t.csv", **options: Any) -> mm.Tracks:
    """Write a table and open it."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    return mm.open_tracks(tmp_path / name, **options)


def speeds(tracks: mm.Tracks) -> np.ndarray:
    """Return (T, N) speeds."""
    return np.linalg.norm(tracks.velocities, axis=2)


def assert_positions(tracks: mm.Tracks, positions: np.ndarray = POSITIONS) -> None:
    """Compare all positions, nan where an animal was not seen."""
    np.testing.assert_allclose(tracks.positions, positions, rtol=0, atol=1e-9)
