"""Figures: the default measures of a flight as it is now, taken where its boids are."""

from __future__ import annotations

from murmurate.measures.by_sums import measured_by_sums
from murmurate.measures.defaults import NAMES, SMALL_FLOCK, default_values
from murmurate.runs.simulation import Simulation

Figures = dict[str, dict[str, float]]


def figures_of(simulation: Simulation) -> Figures:
    """Flock -> name of a default measure -> its value; nan where a flock is too small for it.

    Of a large flock that several workers hold, no frame is made: what is made of sums is summed up
    where the boids are, and what is not, the nearest neighbours, is left out (nan).
    """
    held = simulation.distributed_frame
    if held is None or simulation.boids <= SMALL_FLOCK:
        return default_values(simulation.frame)
    found = measured_by_sums(list(simulation.model.flocks), held.each_part)
    return {
        flock: {name: values.get(name, float("nan")) for name in NAMES}
        for flock, values in found.items()
    }
