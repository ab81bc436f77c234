"""Kernels that tests compile are kept beside pytest's own cache, never in the user's: reruns are
fast. Kernels are named by what is in them, so an old one cannot stand in for a new one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import murmurate.rules  # noqa: F401  (so that built-in kinds are known before the first test)
from murmurate.model.motion import MOTIONS
from murmurate.model.rule import KINDS

KERNELS = Path(__file__).resolve().parent.parent / ".pytest_cache" / "kernels"
os.environ["MURMURATE_CACHE"] = str(KERNELS)


@pytest.fixture(autouse=True)
def _same_kinds():
    """Rules and motions that a test defines are unknown again after it."""
    known = [(registry, dict(registry)) for registry in (KINDS, MOTIONS)]
    yield
    for registry, kinds in known:
        registry.clear()
        registry.update(kinds)
