"""The default measures of recordings, the command line, pages, the live view and sweeps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from murmurate.frame import FlockFrame, Frame
from murmurate.measures.neighbour_distances import nearest_neighbour_distance
from murmurate.measures.order import milling, polarization, speed


@dataclass(frozen=True)
class DefaultMeasure:
    """A measure that is computed by default.

    Attributes
    ----------
    function : callable
        The measure, FlockFrame -> float.
    label : str
        Name in tables and charts.
    unit : str
        Unit, as written to recordings.
    about : str
        Description in one line.
    visible : bool
        True if tables and charts show it.
    costly : bool
        True if it searches for neighbours, which takes longer than a loop over boids. For large
        flocks it is left out or computed less often.
    """

    function: Callable[[FlockFrame], float]
    label: str
    unit: str
    about: str
    visible: bool = True
    costly: bool = False

    @property
    def name(self) -> str:
        """Name of the function in murmurate.measures."""
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
"""Number of boids up to which recordings store all default measures of every frame."""
NAMES = tuple(measure.name for measure in DEFAULTS)
SHOWN = tuple(measure for measure in DEFAULTS if measure.visible)


def default_values(frame: Frame) -> dict[str, dict[str, float]]:
    """Return flock name -> measure name -> value; nan for a flock that is too small."""
    return {
        flock.name: {measure.name: float(measure.function(flock)) for measure in DEFAULTS}
        for flock in frame.values()
    }


def chart_list() -> list[dict[str, Any]]:
    """Return the measures that a page charts, in order, as JSON-compatible dicts."""
    return [{"name": m.name, "label": m.label, "unit": m.unit, "about": m.about} for m in SHOWN]
