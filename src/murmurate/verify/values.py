"""The values at the points of a figure's lines, and how many points have none."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from murmurate.measures.errorbars import MIN_RUNS, mean_and_error
from murmurate.measures.estimate import Estimate
from murmurate.measures.order import binder_of
from murmurate.model.results import Line, Panel
from murmurate.verify.figure_runs import FlownLine
from murmurate.verify.intervals import standard_error
from murmurate.verify.statistics import is_history


def mean_over_runs(runs: Iterable[np.ndarray]) -> Estimate:
    """Each run's series -> the mean over runs; nan where any value is. Its error is the larger of
    what the runs differ by and what their own fluctuations leave open; `short` where there are
    fewer than 8 runs and one is too short to know its own."""
    # threads finish in any order: sums must not
    series = sorted(runs, key=lambda values: values.tobytes())
    if any(len(values) == 0 or not np.isfinite(values).all() for values in series):
        return Estimate(math.nan, math.nan, 0.0, "seeds", short=True)
    means = np.array([values.mean() for values in series])
    within = [mean_and_error(values) for values in series]
    inner = math.sqrt(sum(one.error**2 for one in within)) / len(series)
    outer = standard_error(means)
    known = [error for error in (inner, outer) if math.isfinite(error)]
    short = len(series) < MIN_RUNS and any(one.short for one in within)
    error = max(known, default=math.nan)
    # as Welch and Satterthwaite: errors that are added have the freedom of those that count
    parts = sum(one.error**4 / one.freedom for one in within if one.error > 0.0)
    inside = (inner * len(series)) ** 4 / parts if parts else math.nan
    freedom = len(means) - 1.0 if error == outer else inside
    return Estimate(float(means.mean()), error, float(len(means)), "seeds", short, freedom)


def binder_over_runs(runs: Sequence[np.ndarray]) -> Estimate:
    """The mean of the runs' Binder cumulants; `short` where there are fewer than 8 runs and one is
    too short to know its own error."""
    each = [binder_of(values) for values in runs]
    numbers = np.array([one.value for one in each])
    inner = math.sqrt(sum(one.error**2 for one in each)) / len(each)
    outer = standard_error(numbers) if len(each) > 1 else 0.0
    short = len(each) < MIN_RUNS and any(one.short for one in each)
    freedom = len(each) - 1.0 if len(each) > 1 else each[0].freedom
    error = max(inner, outer)
    return Estimate(float(numbers.mean()), error, float(len(each)), "seeds", short, freedom)


def side_by_side(runs: Sequence[np.ndarray]) -> np.ndarray:
    """(runs, times) values, as far as all runs go: one that lost a boid has none after that."""
    many = min(len(values) for values in runs)
    return np.array([values[:many] for values in runs])


def without_value(panel: Panel, lines: Sequence[FlownLine]) -> int:
    """How many points of a panel cannot be drawn since they have no value: a run lost a boid, or
    the measure means nothing for such a flock."""
    return sum(_missing(panel, line) for line in lines)


def _missing(panel: Panel, flown: FlownLine) -> int:
    if panel.shows in ("mean", "binder"):
        over_runs = mean_over_runs if panel.shows == "mean" else binder_over_runs
        return sum(not math.isfinite(over_runs(runs).value) for runs in flown.series)
    (runs,) = flown.series
    if panel.shows == "profile":
        middle = side_by_side(runs).mean(axis=0)
        return int((~np.isfinite(middle)).sum()) if len(middle) else 1
    wanted = _moments(flown.line)
    if panel.shows == "distribution":
        return sum(wanted - int(np.isfinite(values).sum()) for values in runs)
    return wanted - int(np.isfinite(side_by_side(runs).mean(axis=0)).sum())


def _moments(line: Line) -> int:
    """How many values a run has that loses no boid."""
    if is_history(line.measure):
        return 1
    return len(range(line.since or 0, (line.step or 0) + 1, line.every or 1))
