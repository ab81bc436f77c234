"""Measures of a flight as it is now, taken where its boids are."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from murmurate.errors import MeasureError
from murmurate.frame import DistributedFrame, Frame
from murmurate.measures.by_parts import BY_PARTS, measure_by_parts
from murmurate.measures.defaults import NAMES, SMALL_FLOCK
from murmurate.measures.registry import find_measure

Measured = dict[str, dict[str, float]]


def measured(
    names: Sequence[str],
    flocks: Sequence[str],
    boids: int,
    held: DistributedFrame | None,
    frame: Callable[[], Frame],
) -> Measured:
    """Flock -> name of a measure -> its value; see Simulation.measure.

    held   the flocks of so many boids, where several workers hold them
    frame  gathers all boids
    """
    measures = [find_measure(name) for name in names or NAMES]
    for one in measures:
        if one.kind != "number" or one.required:
            raise MeasureError(
                f"{one.name} is no measure of one frame that is a number: "
                f"mm.measures.{one.name} says what it takes"
            )
    asked = [one.name for one in measures]
    if held is not None and boids > SMALL_FLOCK and set(asked) <= set(BY_PARTS):
        return measure_by_parts(asked, flocks, held.map_parts)
    now = frame()
    return {flock.name: {one.name: float(one.function(flock)) for one in measures} for flock in now}
