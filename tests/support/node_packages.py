"""Packages of Node that tests use: where `npm ci` put them, in viewer/ or where NODE_PATH says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

VIEWER = Path(__file__).parents[2] / "viewer"


def node_package(name: str) -> Path:
    """A package's folder; without it the test is skipped."""
    folder = Path(os.environ.get("NODE_PATH") or VIEWER / "node_modules") / name
    if not folder.exists():
        pytest.skip(f"{name} is not installed: npm ci in viewer/")
    return folder
