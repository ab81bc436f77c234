"""Objective: the distance of a setting's measures from those of the target."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from murmurate.measures.errorbars import over_seeds
from murmurate.measures.estimate import Estimate, t_factor
from murmurate.sweeps.table import of_record

FAR = 1e6  # for a measure that has no value, and a run that failed: worse than any that has one
LEAST = 0.01  # an error of theirs is at least this part of their value: a fit needs some width


@dataclass(frozen=True)
class ComparedMeasure:
    """A measure of the target (theirs) beside that of the fitted model (ours).

    their_error, our_error  standard errors; freedom their degrees of freedom, for Student's t: inf
            where an error is known exactly
    z       (ours - theirs) / the error of both together
    verdict 'fits' where 0 lies within the 95% interval of the difference, by Student's t with the
            freedom of both errors together (Welch 1947, doi:10.1093/biomet/34.1-2.28), else 'does
            not fit': within 1.96 errors of many runs, 3.18 of four
    fitted  whether it was to be met, or only compared
    """

    name: str
    theirs: float
    their_error: float
    ours: float
    our_error: float
    fitted: bool
    their_freedom: float = math.inf
    our_freedom: float = math.inf

    @property
    def freedom(self) -> float:
        """Degrees of freedom of the error of both together."""
        parts = [
            (width(self.theirs, self.their_error), self.their_freedom),
            (_known(self.our_error), self.our_freedom),
        ]
        below = sum(error**4 / max(free, 1.0) for error, free in parts if error and free == free)
        total = sum(error**2 for error, _ in parts) ** 2
        return total / below if below > 0.0 else math.inf

    @property
    def z(self) -> float:
        wide = math.hypot(width(self.theirs, self.their_error), _known(self.our_error))
        return (self.ours - self.theirs) / wide

    @property
    def verdict(self) -> str:
        return "fits" if abs(self.z) <= t_factor(self.freedom, 0.05) else "does not fit"


def objective(
    target: Mapping[str, tuple[float, float]], records: Iterable[dict[str, Any]]
) -> float:
    """sum over measures of ((ours - theirs) / error)^2, ours being the mean over the runs.

    error  of both together; but ours only as far as theirs goes, so that a restless flock cannot
           hide behind its own error bar
    """
    records = list(records)
    total = 0.0
    for name, (theirs, their_error) in target.items():
        found = mean_of(name, records)
        ours, our_error = found.value, found.error
        if not math.isfinite(ours):
            total += FAR
            continue
        wide = width(theirs, their_error)
        total += ((ours - theirs) / math.hypot(wide, min(_known(our_error), wide))) ** 2
    return total


def mean_of(name: str, records: list[dict[str, Any]]) -> Estimate:
    """The mean over runs and its error: over runs, or of one by its own memory; nan where a run
    has none."""
    means = [one.get("measures", {}).get(name, {}).get("mean") for one in records]
    if not means or any(value is None for value in means):
        return Estimate(math.nan, math.nan, 0.0, "seeds", short=True)
    if len(means) == 1:
        return of_record(records[0]["measures"][name])
    return over_seeds(means)  # type: ignore[arg-type]


def width(value: float, error: float) -> float:
    """Their error, as a fit takes it."""
    return max(_known(error), LEAST * abs(value), 1e-12)


def _known(error: float) -> float:
    return error if math.isfinite(error) else 0.0
