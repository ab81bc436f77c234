"""Seed rounds: flies what a model's expectations need, with more seeds until each is decided."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from threading import Event

import numpy as np

from murmurate.engines.base import EngineChoice
from murmurate.engines.options import cores
from murmurate.errors import ModelError
from murmurate.model.model import Model
from murmurate.model.results import MIN_SEEDS
from murmurate.verify.checks import wrong_expectations
from murmurate.verify.planned_runs import PlannedRun, fly, planned_runs
from murmurate.verify.verdict import Result, Tier, judge

MOST_SEEDS = 64
"""What 64 flights do not tell stays 'not precise enough'."""

Tell = Callable[[int, int], None]


def verify(
    model: Model,
    tier: Tier = "quick",
    tell: Tell | None = None,
    engine: EngineChoice = "cpu",
    *,
    shift: int = 0,
    most: int = MOST_SEEDS,
) -> list[Result]:
    """Flies what a model's expectations need, each run on a thread of its own, and compares. What 8
    flights do not tell is flown with twice as many seeds, and again.

    tier  'quick', or 'full': those marked full as well
    tell  is called with (runs done, runs in all so far)
    engine  that flies them, see murmurate.engines.registry
    shift  is added to every seed of a statistic: other flights; a trajectory stays the same
    most   flights of a statistic, 8 or more
    Raises ModelError for expectations that name what is not there, in either tier, all at once.
    """
    if wrong := wrong_expectations(model):
        raise ModelError("\n".join(wrong))
    expected = [one for one in model.expect if tier == "full" or one.tier == "quick"]
    seen: list[dict[int, np.ndarray]] = [{} for _ in expected]
    results: dict[int, Result] = {}
    undecided, many, done = dict(enumerate(expected)), MIN_SEEDS, 0
    while undecided and many <= max(most, MIN_SEEDS):
        missing = {
            number: (one, [seed for seed in one.run_seeds(many, shift) if seed not in seen[number]])
            for number, one in undecided.items()
        }
        runs = planned_runs(model, missing, engine)
        for run, values in fly_all(runs, done, tell):
            for number, series in values.items():
                seen[number][run.options.seed] = series
        done += len(runs)
        for number, one in undecided.items():
            results[number] = judge(model.name, one, seen[number])
        undecided = {n: one for n, one in undecided.items() if _open(results[n])}
        many *= 2
    return [results[number] for number in range(len(expected))]


def _open(result: Result) -> bool:
    return result.verdict == "not precise enough"


def fly_all(
    runs: Sequence[PlannedRun], before: int = 0, tell: Tell | None = None
) -> list[tuple[PlannedRun, dict[int, np.ndarray]]]:
    """The runs with the values of their expectations, by number, flown on all cores.

    before  runs that were done already, for what `tell` is told
    """
    stop, flown = Event(), []
    with ThreadPoolExecutor(cores()) as pool:
        jobs = {pool.submit(fly, run, stop): run for run in runs}
        try:
            for done, job in enumerate(as_completed(jobs), 1):
                flown.append((jobs[job], job.result()))
                if tell:
                    tell(before + done, before + len(runs))
        except BaseException:
            stop.set()  # or Python would wait for the runs to their end
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return flown
