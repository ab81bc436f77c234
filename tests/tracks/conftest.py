from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import murmurate as mm

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))  # track_files*.py


@pytest.fixture(scope="session")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, mm.Recording]:
    """Return recordings by the names of recorded_flocks.MODELS."""
    import recorded_flocks

    return recorded_flocks.record(tmp_path_factory.mktemp("recordings"))


@pytest.fixture
def tracks() -> np.ndarray:
    """(12, 5, 2): five animals, some not seen now and then."""
    random = np.random.default_rng(1)
    positions = np.cumsum(random.normal(size=(12, 5, 2)), axis=0) + 100
    positions[3, 1] = positions[7:9, 2] = positions[0, 4] = np.nan
    return positions
