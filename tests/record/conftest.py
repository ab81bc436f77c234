from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(autouse=True)
def _no_power_cuts(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Waiting for the disk only matters when the power fails, which tests cannot make happen; that
    it is waited for, one test sees."""
    if "fsync" not in request.node.name:
        monkeypatch.setattr("os.fsync", lambda handle: None)
