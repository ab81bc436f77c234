"""What the measures of one frame share is worked out once, and for no other frame."""

from __future__ import annotations

import gc
import weakref

import numpy as np
from flocks_for_measures import gas

from murmurate.measures import MEASURES, clusters, measure_frames
from murmurate.measures.last_flock import once
from murmurate.neighbours.search import NeighbourSearch


def test_a_frame_is_searched_once(monkeypatch):
    """By all the measures that look for the seven nearest, or the nearest."""
    asked = []
    whole = NeighbourSearch.nearest
    monkeypatch.setattr(NeighbourSearch, "nearest", lambda s, k: asked.append(k) or whole(s, k))
    names = ["kth_neighbour_distance", "local_density", "relative_connectivity", "frontness"]
    frames = [gas(2, 50, seed=seed) for seed in range(3)]
    found = measure_frames(frames, names)
    assert asked == [7, 1] * 3
    for name in names:
        alone = [MEASURES[name].function(gas(2, 50, seed=seed)) for seed in range(3)]
        assert np.array_equal(found[name].series, alone)


def test_it_is_forgotten_with_the_flock_or_when_another_comes():
    made = []
    one, other = gas(2, 5), gas(2, 6)
    for flock in (one, one, other, one):
        once(flock, "name", lambda flock=flock: made.append(len(flock)))
    assert made == [5, 6, 5]
    gone = weakref.ref(one)
    clusters(one)
    del one, flock
    gc.collect()
    assert gone() is None


def test_what_is_given_out_can_be_changed():
    flock = gas(2, 50)
    first = clusters(flock)
    first[:] = -9
    assert clusters(flock).min() >= 0
