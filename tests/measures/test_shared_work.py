"""Measures of one frame share intermediate results, and frames do not."""

from __future__ import annotations

import gc
import weakref

import numpy as np
from flocks_for_measures import gas

from murmurate.measures import MEASURES, clusters, measure_frames
from murmurate.measures.flock_data import cached
from murmurate.neighbours.search import NeighbourSearch


def test_a_frame_is_searched_once(monkeypatch):
    """Measures with the same number of neighbours share the search."""
    calls = []
    original = NeighbourSearch.nearest
    monkeypatch.setattr(NeighbourSearch, "nearest", lambda s, k: calls.append(k) or original(s, k))
    names = ["kth_neighbour_distance", "local_density", "relative_connectivity", "frontness"]
    frames = [gas(2, 50, seed=seed) for seed in range(3)]
    results = measure_frames(frames, names)
    assert calls == [7, 1] * 3
    for name in names:
        alone = [MEASURES[name].function(gas(2, 50, seed=seed)) for seed in range(3)]
        assert np.array_equal(results[name].series, alone)


def test_the_cache_holds_one_flock():
    computed = []
    first_flock, second_flock = gas(2, 5), gas(2, 6)
    for flock in (first_flock, first_flock, second_flock, first_flock):
        cached(flock, "name", lambda flock=flock: computed.append(len(flock)))
    assert computed == [5, 6, 5]
    reference = weakref.ref(first_flock)
    clusters(first_flock)
    del first_flock, flock
    gc.collect()
    assert reference() is None


def test_results_can_be_changed():
    flock = gas(2, 50)
    first = clusters(flock)
    first[:] = -9
    assert clusters(flock).min() >= 0
