"""The zebrafish of the package trajectorytools (GPL-3), read where it is: never copied."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

NAME = "test_trajectories.npy"  # 100 zebrafish, 300 frames, 32 a second


def school() -> Path:
    """The file of tracks. Skips where the package is not installed; it is not imported, since that
    brings in all of scikit-learn."""
    package = importlib.util.find_spec("trajectorytools")
    if package is None or package.origin is None:
        pytest.skip("trajectorytools is not installed")
    return Path(package.origin).parent / "data" / NAME
