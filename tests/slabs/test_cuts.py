"""Where slabs are cut, and whose layers a worker is given."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from murmurate.engines.slabs.cuts import Cuts, Piece, even_cuts, kept_cuts, places_of


def test_even_cuts_hold_equal_shares() -> None:
    assert even_cuts(np.full(12, 10), 3).edges == (0, 4, 8, 12)
    assert even_cuts(np.array([0, 0, 50, 0, 50, 0]), 2).edges[1] in (3, 4)
    assert even_cuts(np.array([90, 1, 1, 1]), 2).edges == (0, 1, 4)


@pytest.mark.parametrize("workers", [1, 2, 5, 40])
def test_no_worker_holds_more_than_its_share_and_a_layer(workers: int) -> None:
    random = np.random.default_rng(workers)
    for _ in range(50):
        counts = random.integers(0, 100, 20) * (random.random(20) < 0.7)
        edges = even_cuts(counts, workers).edges
        assert edges[0] == 0
        assert edges[-1] == 20
        assert list(edges) == sorted(edges)
        held = [counts[a:b].sum() for a, b in pairwise(edges)]
        assert max(held) <= counts.sum() / workers + counts.max()


def test_cuts_stay_where_they_are_until_they_are_uneven() -> None:
    counts = np.full(10, 10)
    assert kept_cuts(np.array([np.nan]), 0.0, 2.0, counts).edges == (0, 5, 10)
    # the same places in a grid that is another one
    assert kept_cuts(np.array([12.0]), 0.0, 2.0, counts).edges == (0, 6, 10)
    assert kept_cuts(np.array([12.0]), -2.0, 2.0, counts).edges == (0, 5, 10)  # 70 of 100
    cuts = Cuts((0, 3, 10))
    assert places_of(cuts, 1.0, 2.0).tolist() == [7.0]


def test_layers_beside_a_worker() -> None:
    cuts = Cuts((0, 2, 2, 7, 8))
    assert cuts.beside(0, 1, True) == ([Piece(3, 7, 8, -1)], [Piece(2, 2, 3, 0)])
    assert cuts.beside(1, 1, True) == ([], [])  # it holds nothing
    assert cuts.beside(2, 3, False) == ([Piece(0, 0, 2, 0)], [Piece(3, 7, 8, 0)])
    assert cuts.beside(3, 2, False) == ([Piece(2, 5, 7, 0)], [])
    alone = Cuts((0, 3))
    assert alone.beside(0, 4, True) == (
        [Piece(0, 2, 3, -2), Piece(0, 0, 3, -1)],
        [Piece(0, 0, 3, 1), Piece(0, 0, 1, 2)],
    )
