"""Recordings that are exported, each made once."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(autouse=True)
def _no_power_cuts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting for the disk only matters when the power fails."""
    monkeypatch.setattr("os.fsync", lambda handle: None)


@pytest.fixture(scope="session")
def recordings(tmp_path_factory):
    """Their names are the keys of exported.MODELS."""
    from exported import MODELS, record

    folder = tmp_path_factory.mktemp("recordings")
    return {name: record(folder / f"{name}.zarr", name) for name in MODELS}


@pytest.fixture(params=["torus", "hunted", "landing", "rounded"])
def rec(request, recordings):
    """Each of them in turn."""
    return recordings[request.param]


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that short recordings are written in many pieces too."""
    monkeypatch.setattr("murmurate.exports.selection.PIECE", 4000)
