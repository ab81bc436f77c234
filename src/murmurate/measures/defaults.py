"""The default measures of recordings, the command line, pages, the live view and sweeps.

Live views and pages chart these, or measures that a user names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from murmurate.errors import MeasureError
from murmurate.frame import FlockFrame, Frame
from murmurate.measures.neighbour_distances import nearest_neighbour_distance
from murmurate.measures.order import milling, polarization, speed


@dataclass(frozen=True)
class DefaultMeasure:
    """A measure that is computed by default.

    function  the measure, FlockFrame -> float
    label  name in tables and charts
    unit  unit, as written to recordings
    about  description in one line
    visible  true if tables and charts show it
    costly  true if it searches for neighbours, which takes longer than a loop over boids. For large
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


def charted_measures(names: Sequence[str] = ()) -> tuple[DefaultMeasure, ...]:
    """Return the measures of charts.

    names  measures that are one number per frame, without required options. Empty: the default
        ones.
    raises MeasureError  for an unknown measure, with a similar name, and for one that cannot be
        charted
    """
    return tuple(map(_charted_measure, names)) if names else SHOWN


def _charted_measure(name: str) -> DefaultMeasure:
    for default in DEFAULTS:
        if default.name == name:
            return default
    import murmurate.measures  # noqa: F401  (fills the table of measures)
    from murmurate.measures.registry import MEASURES, find_measure

    measure = find_measure(name)
    if measure.kind != "number" or measure.required:
        numbers = (m.name for m in MEASURES.values() if m.kind == "number" and not m.required)
        why = (
            f"needs {', '.join(measure.required)}" if measure.kind == "number"
            else f"is of kind {measure.kind!r}"
        )  # fmt: skip
        raise MeasureError(
            f"measure: got {name!r}, which {why}; expected one number of each frame without "
            f"options: {', '.join(sorted(numbers))}"
        )
    return DefaultMeasure(
        measure.function, name.replace("_", " "), measure.unit, measure.definition,
        costly=measure.slow,
    )  # fmt: skip


def default_values(frame: Frame) -> dict[str, dict[str, float]]:
    """Return flock name -> measure name -> value; nan for a flock that is too small."""
    return {
        flock.name: {measure.name: float(measure.function(flock)) for measure in DEFAULTS}
        for flock in frame.values()
    }
