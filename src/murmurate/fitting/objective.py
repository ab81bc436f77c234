"""Objective: the distance of a setting's measures from those of the target."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from murmurate.measures.errorbars import over_seeds

FAR = 1e6  # for a measure that has no value, and a run that failed: worse than any that has one
LEAST = 0.01  # an error of theirs is at least this part of their value: a fit needs some width


@dataclass(frozen=True)
class ComparedMeasure:
    """A measure of the target (theirs) beside that of the fitted model (ours).

    z       (ours - theirs) / the error of both together
    verdict 'fits' within 2 such errors, else 'does not fit'
    fitted  whether it was to be met, or only compared
    """

    name: str
    theirs: float
    their_error: float
    ours: float
    our_error: float
    fitted: bool

    @property
    def z(self) -> float:
        wide = math.hypot(width(self.theirs, self.their_error), _known(self.our_error))
        return (self.ours - self.theirs) / wide

    @property
    def verdict(self) -> str:
        return "fits" if abs(self.z) <= 2 else "does not fit"


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
        ours, our_error = mean_of(name, records)
        if not math.isfinite(ours):
            total += FAR
            continue
        wide = width(theirs, their_error)
        total += ((ours - theirs) / math.hypot(wide, min(_known(our_error), wide))) ** 2
    return total


def mean_of(name: str, records: list[dict[str, Any]]) -> tuple[float, float]:
    """The mean over runs and its error: over runs, or of one by its own memory; nan where a run
    has none."""
    means = [one.get("measures", {}).get(name, {}).get("mean") for one in records]
    if not means or any(value is None for value in means):
        return math.nan, math.nan
    if len(means) == 1:
        error = records[0]["measures"][name]["error"]
        return means[0], math.nan if error is None else error
    estimate = over_seeds(means)  # type: ignore[arg-type]
    return estimate.value, estimate.error


def width(value: float, error: float) -> float:
    """Their error, as a fit takes it."""
    return max(_known(error), LEAST * abs(value), 1e-12)


def _known(error: float) -> float:
    return error if math.isfinite(error) else 0.0
