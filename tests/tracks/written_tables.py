"""Tables that tests write and open."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import murmurate as mm


def opened(tmp_path: Path, text: str, name: str = "t.csv", **options: Any) -> mm.Tracks:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return mm.open_tracks(tmp_path / name, **options)


def speeds(tracks: mm.Tracks) -> np.ndarray:
    return np.linalg.norm(tracks.velocities, axis=2)
