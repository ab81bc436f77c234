from __future__ import annotations

import pytest


@pytest.fixture(params=["reference", pytest.param("cpu", marks=pytest.mark.long)])
def engine(request: pytest.FixtureRequest) -> str:
    """The engines that are compared with published rules in plain Python."""
    name: str = request.param
    return name
