"""Objective: the distance between the measures of a setting and those of the target."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from murmurate.measures.errorbars import over_seeds
from murmurate.measures.estimate import Estimate, t_factor
from murmurate.sweeps.table import record_estimate

PENALTY = 1e6  # for a measure without a value, and a failed run: worse than any value
MIN_RELATIVE_ERROR = 0.01  # of a target: the objective divides by the error


@dataclass(frozen=True)
class ComparedMeasure:
    """A measure of the target (theirs) and of the fitted model (ours).

    Attributes
    ----------
    name : str
        Measure.
    theirs, ours : float
        Values.
    their_error, our_error : float
        Standard errors.
    fitted : bool
        True if the fit should reproduce it, False if it is only compared.
    their_freedom, our_freedom : float
        Degrees of freedom of the errors, for Student's t; inf for an exact error.
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
        """Degrees of freedom of the combined error (Welch 1947, doi:10.1093/biomet/34.1-2.28)."""
        parts = [
            (target_error(self.theirs, self.their_error), self.their_freedom),
            (_finite(self.our_error), self.our_freedom),
        ]
        below = sum(error**4 / max(free, 1.0) for error, free in parts if error and free == free)
        total = sum(error**2 for error, _ in parts) ** 2
        return total / below if below > 0.0 else math.inf

    @property
    def z(self) -> float:
        """(ours - theirs) / combined error."""
        error = math.hypot(target_error(self.theirs, self.their_error), _finite(self.our_error))
        return (self.ours - self.theirs) / error

    @property
    def verdict(self) -> str:
        """'fits' if 0 is in the 95% interval of the difference by Student's t, else 'does not fit'.

        The interval extends 1.96 errors for many runs, 3.18 for four.
        """
        return "fits" if abs(self.z) <= t_factor(self.freedom, 0.05) else "does not fit"


def objective(
    target: Mapping[str, tuple[float, float]], records: Iterable[dict[str, Any]]
) -> float:
    """Return the sum over measures of ((ours - theirs) / error)^2.

    `ours` is the mean over the runs, `error` the combined error. Our error counts only up to
    theirs: a flock with large fluctuations must not fit because of its own error bar.
    """
    records = list(records)
    total = 0.0
    for name, (theirs, their_error) in target.items():
        mean = mean_over_runs(name, records)
        ours, our_error = mean.value, mean.error
        if not math.isfinite(ours):
            total += PENALTY
            continue
        error = target_error(theirs, their_error)
        total += ((ours - theirs) / math.hypot(error, min(_finite(our_error), error))) ** 2
    return total


def mean_over_runs(name: str, records: list[dict[str, Any]]) -> Estimate:
    """Return the mean over runs with its error; nan if a run has no value.

    The error of a single run comes from its own correlations in time.
    """
    means = [record.get("measures", {}).get(name, {}).get("mean") for record in records]
    if not means or any(value is None for value in means):
        return Estimate(math.nan, math.nan, 0.0, "seeds", short=True)
    if len(means) == 1:
        return record_estimate(records[0]["measures"][name])
    return over_seeds(means)  # type: ignore[arg-type]


def target_error(value: float, error: float) -> float:
    """Return the error of a target, at least 1% of its value."""
    return max(_finite(error), MIN_RELATIVE_ERROR * abs(value), 1e-12)


def _finite(error: float) -> float:
    """Return the error, or 0 if it is unknown."""
    return error if math.isfinite(error) else 0.0
