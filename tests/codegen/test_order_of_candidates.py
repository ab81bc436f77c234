"""Candidates of a search for the nearest are put in order by (distance, id), in plain Python."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from murmurate.codegen.candidates.nearest_search import MAX_RANKED, sort_candidates


@given(
    distances=st.lists(st.integers(0, 1000), min_size=1, max_size=3 * MAX_RANKED),
    seed=st.integers(0, 2**32 - 1),
)
@example(distances=[1] * MAX_RANKED, seed=0)
@example(distances=list(range(MAX_RANKED)), seed=0)
@example(distances=list(range(MAX_RANKED + 1)), seed=0)
def test_candidates_in_order(distances: list[int], seed: int) -> None:
    """Few or many, with equal distances or without; some candidates are not near."""
    random = np.random.default_rng(seed)
    candidates = np.repeat(np.array(distances, np.float32), 2)
    ids = random.permutation(len(candidates)).astype(np.int32)
    near_candidates = random.permutation(len(candidates))[: len(distances)].astype(np.uint32)
    sorted_candidates = np.full(len(near_candidates) + 1, len(candidates), np.uint32)
    scratch = np.zeros(MAX_RANKED, np.float32), np.zeros(MAX_RANKED, np.uint32)
    k = len(near_candidates) // 2 + 1
    count = sort_candidates(
        len(near_candidates), k, near_candidates, candidates, ids, *scratch, sorted_candidates
    )
    expected = sorted(near_candidates.tolist(), key=lambda j: (candidates[j], ids[j]))
    assert sorted_candidates[:-1].tolist() == expected
    assert count == min(k, len(near_candidates))
    assert sorted_candidates[-1] == len(candidates)
