"""Tracks of a file beside those that it was made of."""

from __future__ import annotations

import numpy as np
import track_files

from murmurate.tracks import Tracks

PLACES = track_files.tracks(frames=40, animals=5)


def assert_same(found: Tracks, places: np.ndarray = PLACES) -> None:
    np.testing.assert_allclose(found.positions, places, rtol=0, atol=1e-9)
