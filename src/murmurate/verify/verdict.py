"""verify(): each expectation of a model beside what was measured, with its error."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from threading import Event
from typing import Literal

import numpy as np

from murmurate.engine.options import cores
from murmurate.errors import ModelError
from murmurate.measures.errorbars import mean_and_error
from murmurate.model.model import Expectation, Model
from murmurate.verify.checks import wrong_expectations
from murmurate.verify.planned_runs import fly, planned_runs

Tier = Literal["quick", "full"]


@dataclass(frozen=True)
class Result:
    """An expectation, and its outcome.

    value   the mean over seeds (and, where it is averaged over time, over time)
    error   its standard error: the larger of what the seeds and what the runs' own fluctuations
            say; nan for one moment of one run
    agrees  whether the value is within the bounds
    """

    model: str
    expected: Expectation
    value: float
    error: float

    @property
    def agrees(self) -> bool:
        low, high = self.expected.bounds()
        return low <= self.value <= high


def verify(
    model: Model,
    tier: Tier = "quick",
    tell: Callable[[int, int], None] | None = None,
    engine: str = "cpu",
) -> list[Result]:
    """Flies what a model's expectations need, each run on a thread of its own, and compares.

    tier  'quick', or 'full': those marked full as well
    tell  is called with (runs done, runs in all)
    engine  that flies them, see murmurate.engine.registry
    Raises ModelError for expectations that name what is not there, in either tier, all at once.
    """
    if wrong := wrong_expectations(model):
        raise ModelError("\n".join(wrong))
    expected = [one for one in model.expect if tier == "full" or one.tier == "quick"]
    runs = planned_runs(model, expected, engine)
    stop = Event()
    seen: dict[int, list[np.ndarray]] = {number: [] for number in range(len(expected))}
    with ThreadPoolExecutor(cores()) as pool:
        jobs = [pool.submit(fly, run, stop) for run in runs]
        try:
            for done, job in enumerate(as_completed(jobs), 1):
                for number, values in job.result().items():
                    seen[number].append(values)
                if tell:
                    tell(done, len(runs))
        except BaseException:
            stop.set()  # or Python would wait for the runs to their end
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [
        Result(model.name, one, *mean_over_runs(seen[number]))
        for number, one in enumerate(expected)
    ]


def mean_over_runs(runs: Iterable[np.ndarray]) -> tuple[float, float]:
    """Each run's series -> the mean over runs and its standard error; nan where any value is."""
    # threads finish in any order: sums must not
    series = sorted(runs, key=lambda values: values.tobytes())
    if any(len(values) == 0 or not np.isfinite(values).all() for values in series):
        return math.nan, math.nan
    means = np.array([values.mean() for values in series])
    within = [mean_and_error(values).error for values in series]
    inner = math.sqrt(sum(e * e for e in within)) / len(series)
    outer = float(means.std(ddof=1)) / math.sqrt(len(means)) if len(means) > 1 else math.nan
    known = [error for error in (inner, outer) if math.isfinite(error)]
    return float(means.mean()), max(known, default=math.nan)
