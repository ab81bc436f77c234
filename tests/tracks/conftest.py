from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))  # track_files*.py


@pytest.fixture
def tracks() -> np.ndarray:
    """(12, 5, 2): five animals, some not seen now and then."""
    random = np.random.default_rng(1)
    positions = np.cumsum(random.normal(size=(12, 5, 2)), axis=0) + 100
    positions[3, 1] = positions[7:9, 2] = positions[0, 4] = np.nan
    return positions
