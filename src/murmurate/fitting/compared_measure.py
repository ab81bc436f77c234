"""ComparedMeasure: a measure of the data, with predictions of the posterior."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from murmurate.measures.estimate import t_factor

ROUNDING = 1e-6  # of a value: an error of 0 is at least this


@dataclass(frozen=True)
class ComparedMeasure:
    """A measure of the data (theirs) and of the fitted model (ours).

    name  measure
    theirs, ours  values. Ours is the mean over runs at draws of the posterior.
    their_error, our_error  standard error of the data, and standard deviation of what the posterior
        predicts for the data without that error: over the draws, and between runs of one draw
    fitted  true if the fit should reproduce it, False if it is only compared
    their_freedom, our_freedom  degrees of freedom of the errors, for Student's t; inf for an exact
        error
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
            (_finite(self.their_error), self.their_freedom),
            (_finite(self.our_error), self.our_freedom),
        ]
        below = sum(error**4 / max(free, 1.0) for error, free in parts if error and free == free)
        total = sum(error**2 for error, _ in parts) ** 2
        return total / below if below > 0.0 else math.inf

    @property
    def z(self) -> float:
        """(ours - theirs) / combined error."""
        error = math.hypot(_finite(self.their_error), _finite(self.our_error))
        return (self.ours - self.theirs) / max(error, ROUNDING * abs(self.theirs), 1e-12)

    @property
    def verdict(self) -> str:
        """'fits', 'does not fit', 'not precise enough' or 'no value'.

        'does not fit': 0 is outside of the 95% interval of the difference by Student's t, which
        extends 1.96 errors for many samples, 3.18 for four, and 12.7 for two. 'not precise enough':
        it is inside only because the errors are of few samples. 'no value': the runs have none.
        """
        if math.isnan(self.z):
            return "no value"
        if abs(self.z) <= t_factor(math.inf, 0.05):
            return "fits"
        return (
            "not precise enough" if abs(self.z) <= t_factor(self.freedom, 0.05) else "does not fit"
        )


def compare(
    name: str, goal: tuple[float, float], freedom: float, values: np.ndarray, errors: np.ndarray,
    fitted: bool,
) -> ComparedMeasure:  # fmt: skip
    """Compare a measure of the data with runs at draws of the posterior.

    Fluctuations within a run do not count twice: the error of the data has them already, unless
    it is unknown.

    name  measure
    goal  value of the data and its standard error, inf for an unknown one
    freedom  degrees of freedom of that error
    values, errors  (n,) means over the runs, and their standard errors. nan for a run without a
        value
    fitted  true if the fit should reproduce it
    """
    theirs, their_error = goal
    valued = np.isfinite(values)
    count = int(valued.sum())
    if count < 2 or count < len(values) / 2:
        return ComparedMeasure(name, theirs, their_error, math.nan, math.nan, fitted, freedom)
    variance = float(values[valued].var(ddof=1))
    if math.isfinite(their_error):
        within = errors[valued & np.isfinite(errors)]
        variance -= float(np.mean(within**2)) if len(within) else 0.0
    spread = math.sqrt(max(variance, float(values[valued].var(ddof=1)) / count))
    ours = float(values[valued].mean())
    return ComparedMeasure(name, theirs, their_error, ours, spread, fitted, freedom, count - 1.0)


def _finite(error: float) -> float:
    """Return the error, or 0 if it is unknown."""
    return error if math.isfinite(error) else 0.0
