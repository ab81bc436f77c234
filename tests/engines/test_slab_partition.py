"""How the turns of a step are dealt out to threads: slabs of layers, and whose turns are whose."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from murmurate.codegen.candidates import cell_functions
from murmurate.codegen.candidates.grid import even_edges


@given(
    counts=st.lists(st.integers(0, 9), min_size=1, max_size=40),
    threads=st.integers(1, 6),
    minimum=st.integers(1, 4),
)
def test_slabs_cover_all_layers(counts: list[int], threads: int, minimum: int) -> None:
    counts += [0] * (threads * minimum - len(counts))
    edges = even_edges(np.cumsum([0, *counts]), threads, minimum)
    assert len(edges) == threads + 1
    assert (edges[0], edges[-1]) == (0, len(counts))
    assert min(np.diff(edges)) >= minimum


def test_slabs_hold_about_as_many() -> None:
    """The nearer of two layers ends a slab: 12 and 18 boids, and not 20 and 10."""
    assert even_edges(np.array([0, 9, 10, 11, 12, 20, 30]), 2, 1) == [0, 4, 6]


@pytest.mark.parametrize("shuffled", [False, True])
def test_updates_are_assigned(shuffled: bool) -> None:
    random = np.random.default_rng(4)
    count, gridded = 50, 44
    column_of = random.permutation(count).astype(np.int32)
    boids = random.permutation(count)[None] if shuffled else np.empty((0, 0), np.int64)
    order, edges = np.full((2, count + 1), -1, np.int32)
    args = (boids, 0, column_of, count, gridded, 10, 30, 14, 25)
    result = cell_functions.assign_updates(*args, order, edges)
    columns = column_of[boids[0]] if shuffled else column_of
    own = [t for t, i in enumerate(columns) if 10 <= i < 30 or i >= gridded]
    assert order[: result + 1].tolist() == [*own, count]
    at_edge = [t for t in own if not 14 <= columns[t] < 25] + [count]
    assert edges[: result + 1].tolist() == [
        min(t for t in at_edge if t >= k) for k in [*own, count]
    ]
