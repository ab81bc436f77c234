"""Verdict: whether what flights gave can be reconciled with what a model's file expects."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from murmurate.model.results import Expectation
from murmurate.verify.intervals import clopper_pearson, standard_error, student

Tier = Literal["quick", "full"]
Verdict = Literal["agrees", "differs", "not precise enough"]

FALSE_ALARM = 1e-6
"""How probable it may be that one look at the flights of an expectation that is met says that it
differs. Each is looked at up to four times (8, 16, 32, 64 flights), so that 250 of them, more than
the zoo has, together raise a false alarm in one of 1,000 zoos."""
DOUBT = 0.05
"""How probable it may be that the interval which must lie within the bounds misses the mean."""


@dataclass(frozen=True)
class Result:
    """An expectation, and its outcome.

    value    the mean, or the share, over the flights
    error    its standard error over flights; nan for a trajectory
    seeds    of the flights, in order
    interval the one that holds the mean, or the share, with 95%: by Student's t, or Clopper and
             Pearson's; (nan, nan) for a trajectory
    verdict  'agrees': the interval that holds the mean with 95% lies within the bounds. 'differs':
             the interval that all but certainly holds it (FALSE_ALARM) lies outside, or a flight
             was lost. 'not precise enough': neither, after as many flights as are allowed
    """

    model: str
    expected: Expectation
    value: float
    error: float
    seeds: tuple[int, ...]
    verdict: Verdict
    interval: tuple[float, float] = (math.nan, math.nan)

    @property
    def flights(self) -> int:
        """How many were flown."""
        return len(self.seeds)

    @property
    def agrees(self) -> bool:
        return self.verdict == "agrees"

    @property
    def differs(self) -> bool:
        return self.verdict == "differs"


def judge(model: str, expected: Expectation, runs: Mapping[int, np.ndarray]) -> Result:
    """The outcome of an expectation, of seed -> the values of its flight, (m,) each: those of one
    flight are averaged over time first, since they are not independent."""
    values = np.array([series.mean() if len(series) else math.nan for series in runs.values()])
    values.sort()  # flights end in any order: sums must not
    low, high = expected.bounds()
    n, seeds = len(values), tuple(sorted(runs))
    verdict: Verdict
    if not np.isfinite(values).all():
        return Result(model, expected, math.nan, math.nan, seeds, "differs")
    if expected.kind == "trajectory":
        value = float(values.mean())
        verdict = "agrees" if low <= value <= high else "differs"
        return Result(model, expected, value, math.nan, seeds, verdict)
    if expected.kind == "share":
        hits = int(_counts(expected, values).sum())
        share = hits / n
        likely, certain = (clopper_pearson(hits, n, doubt) for doubt in (DOUBT, FALSE_ALARM))
        error = math.sqrt(share * (1.0 - share) / n)
        verdict = _verdict(likely, certain, low, high)
        return Result(model, expected, share, error, seeds, verdict, likely)
    likely, certain = (student(values, doubt) for doubt in (DOUBT, FALSE_ALARM))
    verdict = _verdict(likely, certain, low, high)
    mean, error = float(values.mean()), standard_error(values)
    return Result(model, expected, mean, error, seeds, verdict, likely)


def _counts(expected: Expectation, values: np.ndarray) -> np.ndarray:
    """Which flights a share counts."""
    if expected.at_least is not None:
        return values >= expected.at_least
    return values <= (math.inf if expected.at_most is None else expected.at_most)


def _verdict(
    likely: tuple[float, float], certain: tuple[float, float], low: float, high: float
) -> Verdict:
    if certain[1] < low or certain[0] > high:
        return "differs"
    return "agrees" if low <= likely[0] and likely[1] <= high else "not precise enough"
