"""The default measures: those that recordings, the command line, pages, the live view and sweeps
take unless others are given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from murmurate.frame import FlockFrame, Frame
from murmurate.measures.milling import milling
from murmurate.measures.nearest import nearest_neighbour_distance
from murmurate.measures.polarization import polarization
from murmurate.measures.speed import speed


@dataclass(frozen=True)
class DefaultMeasure:
    """A measure that is taken by default.

    function  the measure: FlockFrame -> float
    label     its name in tables and charts
    unit      as recordings write it
    about     what it is, in a line
    shown     whether tables and charts show it
    costly    whether it searches for neighbours, which takes longer than going through all boids:
              left out, or taken less often, where a flock is large
    """

    function: Callable[[FlockFrame], float]
    label: str
    unit: str
    about: str
    shown: bool = True
    costly: bool = False

    @property
    def name(self) -> str:
        """Its name: that of the function in murmurate.measures."""
        return self.function.__name__


DEFAULTS = (
    DefaultMeasure(
        polarization,
        "polarization",
        "1",
        "length of the mean heading: 1 when all fly the same way",
    ),
    DefaultMeasure(
        milling,
        "milling",
        "1",
        "length of the mean angular momentum about the centroid, per boid",
    ),
    DefaultMeasure(
        nearest_neighbour_distance,
        "nearest neighbour",
        "length",
        "mean distance to the nearest boid of the flock",
        costly=True,
    ),
    DefaultMeasure(speed, "speed", "length / time", "mean speed of the flock"),
)
SMALL_FLOCK = 10_000
"""Boids up to which all of them are taken, and of every frame that is recorded."""
NAMES = tuple(one.name for one in DEFAULTS)
SHOWN = tuple(one for one in DEFAULTS if one.shown)


def default_values(frame: Frame) -> dict[str, dict[str, float]]:
    """Flock name -> name of a default measure -> its value; nan where a flock is too small for
    it."""
    return {
        flock.name: {one.name: float(one.function(flock)) for one in DEFAULTS} for flock in frame
    }


def chart_list() -> list[dict[str, Any]]:
    """The measures that a page charts, in their order, as JSON can hold them."""
    return [
        {"name": one.name, "label": one.label, "unit": one.unit, "about": one.about}
        for one in SHOWN
    ]
