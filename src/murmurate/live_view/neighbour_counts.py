"""Neighbour counts: how many neighbours each boid has, for its colour."""

from __future__ import annotations

import math

import numpy as np

from murmurate.frame import Frame
from murmurate.model.model import Model
from murmurate.model.quantity import number_at
from murmurate.model.rule import NeighbourRule
from murmurate.neighbours.search import NeighbourSearch

SPACINGS = 2.0  # mean nearest-neighbour distances that stand in for a radius, where none is finite


def radius_of(model: Model, flock: str, time: float) -> float:
    """The largest finite radius with which a flock senses its own boids; inf if there is none."""
    radii = [
        number_at(rule.radius, time)
        for rule in model.moved_by(flock).values()
        if isinstance(rule, NeighbourRule) and flock in model.sensed(rule, flock)[0]
    ]
    return max((radius for radius in radii if math.isfinite(radius)), default=math.inf)


def count_neighbours(model: Model, frame: Frame) -> np.ndarray:
    """(N,) int64: for each boid, in id order, the others of its flock within `radius_of`, to the
    nearest image on periodic axes, field of view and `nearest` left aside. Where no rule has a
    finite radius: within twice the flock's mean nearest-neighbour distance."""
    counts = []
    for flock in frame.values():
        number = len(flock)
        positions = flock.positions
        if number < 2 or not np.isfinite(positions).all():
            counts.append(np.zeros(number, np.int64))
            continue
        near = NeighbourSearch(positions, frame.space)
        radius = radius_of(model, flock.name, frame.time)
        if not math.isfinite(radius):
            sample = near.nearest_distances(every=max(1, number // 1000))
            radius = SPACINGS * float(sample.mean())
        counts.append(near.counts(radius))
    return np.concatenate(counts) if counts else np.zeros(0, np.int64)
