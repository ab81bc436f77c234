"""Names of measures in sweeps and fits: 'polarization', or 'polarization@falcons' for a flock."""

from __future__ import annotations

from murmurate.errors import SweepError
from murmurate.measures import MEASURES, Measure
from murmurate.model.messages import unknown
from murmurate.model.model import Model


def parse_measure(text: str, model: Model) -> tuple[Measure, str | None]:
    """'polarization' or 'polarization@falcons' -> the measure and the flock; None is the largest.
    Raises SweepError for a measure that is not one number a frame, or has options that must be
    given."""
    name, at, flock = text.partition("@")
    numbers = {k: m for k, m in MEASURES.items() if m.kind == "number" and not m.required}
    if name not in numbers:
        kind = MEASURES[name].kind if name in MEASURES else ""
        what = f"{name} is of kind '{kind}', not one number a frame" if kind else ""
        raise SweepError(what or unknown("measure", name, sorted(numbers)))
    if at and flock not in model.flocks:
        raise SweepError(unknown("flock", flock, model.flocks))
    return numbers[name], flock or None
