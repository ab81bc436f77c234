"""Violations planted between the times of files are found, and files without any pass."""

from __future__ import annotations

import pytest
from planted import search


def test_planted_violations_are_found() -> None:
    assert search(4) == []


@pytest.mark.slow
def test_many_planted_violations_are_found() -> None:
    assert search(80, first=1000) == []
