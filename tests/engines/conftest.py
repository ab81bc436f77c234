"""Fixtures of tests of engines."""

from __future__ import annotations

import pytest
from device_engine import DeviceEngine

from murmurate.engines import registry


@pytest.fixture
def device_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register DeviceEngine as the only engine beside the built-in ones, without instances yet."""
    monkeypatch.setattr(DeviceEngine, "expected", None)
    monkeypatch.setattr(DeviceEngine, "created", [])
    registry.register("device", DeviceEngine)
