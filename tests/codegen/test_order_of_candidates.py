"""Candidates of a search for the nearest are put in order by (distance, id), in plain Python."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from murmurate.codegen.candidates.nearest_search import RANKED, put_in_order


@given(
    distances=st.lists(st.integers(0, 1000), min_size=1, max_size=3 * RANKED),
    seed=st.integers(0, 2**32 - 1),
)
@example(distances=[1] * RANKED, seed=0)
@example(distances=list(range(RANKED)), seed=0)
@example(distances=list(range(RANKED + 1)), seed=0)
def test_candidates_in_order(distances: list[int], seed: int) -> None:
    """Few and many of them, with equal distances or without; some candidates are not picked."""
    random = np.random.default_rng(seed)
    candidates = np.repeat(np.array(distances, np.float32), 2)
    ids = random.permutation(len(candidates)).astype(np.int32)
    picked = random.permutation(len(candidates))[: len(distances)].astype(np.uint32)
    in_order = np.full(len(picked) + 1, len(candidates), np.uint32)
    scratch = np.zeros(RANKED, np.float32), np.zeros(RANKED, np.uint32)
    k = len(picked) // 2 + 1
    count = put_in_order(len(picked), k, picked, candidates, ids, *scratch, in_order)
    expected = sorted(picked.tolist(), key=lambda j: (candidates[j], ids[j]))
    assert in_order[:-1].tolist() == expected
    assert count == min(k, len(picked))
    assert in_order[-1] == len(candidates)
