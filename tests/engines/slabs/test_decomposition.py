"""The layers of the grid that each worker holds, and the halo that it needs."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from murmurate.engines.slabs.decomposition import (
    DomainDecomposition,
    LayerRange,
    balance,
    rebalance,
)


def test_balanced_slabs_hold_equal_shares() -> None:
    assert balance(np.full(12, 10), 3).edges == (0, 4, 8, 12)
    assert balance(np.array([0, 0, 50, 0, 50, 0]), 2).edges[1] in (3, 4)
    assert balance(np.array([90, 1, 1, 1]), 2).edges == (0, 1, 4)


@pytest.mark.parametrize("workers", [1, 2, 5, 40])
def test_no_worker_holds_more_than_its_share_and_a_layer(workers: int) -> None:
    random = np.random.default_rng(workers)
    for _ in range(50):
        counts = random.integers(0, 100, 20) * (random.random(20) < 0.7)
        edges = balance(counts, workers).edges
        assert edges[0] == 0
        assert edges[-1] == 20
        assert list(edges) == sorted(edges)
        loads = [counts[a:b].sum() for a, b in pairwise(edges)]
        assert max(loads) <= counts.sum() / workers + counts.max()


def test_boundaries_stay_until_slabs_are_uneven() -> None:
    counts = np.full(10, 10)
    assert rebalance(np.array([np.nan]), 0.0, 2.0, counts).edges == (0, 5, 10)
    # the same boundary in another grid
    assert rebalance(np.array([12.0]), 0.0, 2.0, counts).edges == (0, 6, 10)
    assert rebalance(np.array([12.0]), -2.0, 2.0, counts).edges == (0, 5, 10)  # 70 of 100
    assert DomainDecomposition((0, 3, 10)).boundaries(1.0, 2.0).tolist() == [7.0]


def test_halo_of_a_worker() -> None:
    slabs = DomainDecomposition((0, 2, 2, 7, 8))
    assert slabs.halo(0, 1, True) == ([LayerRange(3, 7, 8, -1)], [LayerRange(2, 2, 3, 0)])
    assert slabs.halo(1, 1, True) == ([], [])  # an empty slab
    assert slabs.halo(2, 3, False) == ([LayerRange(0, 0, 2, 0)], [LayerRange(3, 7, 8, 0)])
    assert slabs.halo(3, 2, False) == ([LayerRange(2, 5, 7, 0)], [])
    single = DomainDecomposition((0, 3))
    assert single.halo(0, 4, True) == (
        [LayerRange(0, 2, 3, -2), LayerRange(0, 0, 3, -1)],
        [LayerRange(0, 0, 3, 1), LayerRange(0, 0, 1, 2)],
    )
