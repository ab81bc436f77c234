"""Linear algebra of small matrices on one thread: several spend most of their time waiting."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="package", autouse=True)
def _one_thread() -> Iterator[None]:
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:  # it comes with scikit-learn, which such linear algebra needs
        yield
        return
    with threadpool_limits(1, "blas"):
        yield
