"""Recordings to export, each made once."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(autouse=True)
def _no_power_cuts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip fsync, which matters for power failures only."""
    monkeypatch.setattr("os.fsync", lambda handle: None)


@pytest.fixture(scope="session")
def recordings(tmp_path_factory):
    """Return recordings by the names of exported.MODELS."""
    from exported import MODELS, record

    folder = tmp_path_factory.mktemp("recordings")
    return {name: record(folder / f"{name}.zarr", name) for name in MODELS}


@pytest.fixture(params=["torus", "hunted", "landing", "rounded"])
def rec(request, recordings):
    """Return each recording."""
    return recordings[request.param]


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write short recordings in many pieces."""
    monkeypatch.setattr("murmurate.exports.selection.PIECE", 4000)
