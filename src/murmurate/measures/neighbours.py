"""Neighbours of a flock's boids: the search over its positions, and pairs within a radius."""

from __future__ import annotations

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.last_flock import once
from murmurate.measures.limits import at_most, counted
from murmurate.neighbours.search import NeighbourSearch

FEW = 5_000  # boids whose pairs are listed without being counted first
PAIRS = 30_000_000  # pairs that are listed at most, half a gigabyte


def search(flock: FlockFrame) -> NeighbourSearch:
    """The search over a flock's positions, which must all be finite."""
    return once(flock, "search", lambda: NeighbourSearch(flock.positions, flock.space))


def nearest_distances(flock: FlockFrame) -> np.ndarray:
    """(N,) distances to the nearest other boid; empty below 2 boids."""
    return once(flock, "nearest distances", lambda: search(flock).nearest_distances())


def nearest(flock: FlockFrame, k: int) -> tuple[np.ndarray, np.ndarray]:
    """(N, k) distances to the k nearest other boids, ascending, and (N, k) their rows. There must
    be more than k boids."""
    return once(flock, ("nearest", k), lambda: search(flock).nearest(k))


def pairs_within(flock: FlockFrame, radius: float, what: str) -> np.ndarray:
    """(P, 2) rows of all pairs that are at most a radius apart.

    Raises MeasureError where there are more than 30 million, in the name of `what`.
    """
    found = search(flock)
    if len(flock) > FEW:
        pairs = (int(found.count_pairs(radius)) - len(flock)) // 2
        at_most(pairs, PAIRS, f"{what}: {counted(pairs)} pairs", "Give a smaller radius.")
    return found.pairs(radius)
