from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(autouse=True)
def _no_power_cuts(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Do not wait for the disk: that matters only for power cuts. One test checks the wait."""
    if "fsync" not in request.node.name:
        monkeypatch.setattr("os.fsync", lambda handle: None)
