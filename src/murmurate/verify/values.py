"""The values at the points of a figure's lines, and how many points have none."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from murmurate.measures.errorbars import FEW
from murmurate.measures.estimate import Estimate
from murmurate.measures.moments import binder_of
from murmurate.model.figure import Line, Panel
from murmurate.verify.figure_runs import FlownLine
from murmurate.verify.intervals import standard_error
from murmurate.verify.statistics import is_history
from murmurate.verify.verdict import mean_over_runs


def binder_over_runs(runs: Sequence[np.ndarray]) -> Estimate:
    """The mean of the runs' Binder cumulants; `short` where there are fewer than 8 runs and one is
    too short to know its own error."""
    each = [binder_of(values) for values in runs]
    numbers = np.array([one.value for one in each])
    inner = math.sqrt(sum(one.error**2 for one in each)) / len(each)
    outer = standard_error(numbers) if len(each) > 1 else 0.0
    short = len(each) < FEW and any(one.short for one in each)
    return Estimate(float(numbers.mean()), max(inner, outer), float(len(each)), "seeds", short)


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
