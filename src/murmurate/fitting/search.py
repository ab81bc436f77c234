"""Search: the settings that a fit tries, by differential evolution, a simplex, and probes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np

from murmurate.engines.options import cores
from murmurate.fitting.fit_plan import PROBES, FitFolder, FitPlan
from murmurate.fitting.objective import objective
from murmurate.sweeps.task import Task
from murmurate.sweeps.workers import run_task

# (settings done, all settings, smallest objective so far)
Watch = Callable[[int, int, float], object]


def evolve(plan: FitPlan, search: Search) -> None:
    """Try generations over all bounds by differential evolution."""
    from scipy.optimize import differential_evolution

    integral = [all(isinstance(end, int) for end in ends) for ends in plan.vary.values()]
    differential_evolution(
        lambda x: x, plan.bounds, init=search.begin(), maxiter=plan.generations, tol=0,
        rng=np.random.default_rng(plan.seed), polish=False, workers=search.map,
        updating="deferred", integrality=integral, mutation=(0.4, 0.9),
    )  # fmt: skip


def refine(plan: FitPlan, search: Search) -> None:
    """Refine the best setting by a simplex that initially spans a twentieth of the bounds."""
    from scipy.optimize import minimize

    best = min(search.tried, key=lambda tried: tried[1])[0]
    start = np.array(list(best.values()), dtype=float)
    low, high = np.array(plan.bounds).T
    step = 0.05 * (high - low)
    simplex = np.vstack([start, start + np.diag(np.where(start + step > high, -step, step))])
    minimize(
        lambda x: search.map(None, [x])[0], start, method="Nelder-Mead", bounds=plan.bounds,
        options={"initial_simplex": simplex, "maxfev": plan.refining, "xatol": 0, "fatol": 0},
    )  # fmt: skip


def probe(plan: FitPlan, search: Search) -> None:
    """Try the best setting with each number at 1, 7, 13 and 19 twentieths of its bounds.

    If that makes no difference, the measures do not determine the number.
    """
    search.around = [min(search.tried, key=lambda tried: tried[1])]
    start = np.array(list(search.around[0][0].values()), dtype=float)
    low, high = np.array(plan.bounds).T
    rows = np.repeat(start[None], plan.probing, axis=0)
    for row in range(plan.probing):
        number, part = divmod(row, PROBES)
        fraction = (1 + 6 * part) / 20
        rows[row, number] = low[number] + fraction * (high[number] - low[number])
    search.map(None, rows)
    search.around += search.tried[-len(rows) :]


class Search:
    """Evaluates the settings that scipy proposes, and stores them in that order.

    Attributes
    ----------
    tried : list of (dict, float)
        Settings with their objectives.
    around : list of (dict, float)
        The best setting and its probes.
    history : list of float
        Smallest objective after each setting.
    total : int
        Expected number of settings.
    runs : int
        Number of finished runs.
    """

    def __init__(self, plan: FitPlan, folder: FitFolder, watch: Watch | None) -> None:
        self.plan, self.folder, self.watch = plan, folder, watch
        self.tried: list[tuple[dict[str, Any], float]] = []
        self.around: list[tuple[dict[str, Any], float]] = []
        self.history: list[float] = []
        self.total = plan.population * (plan.generations + 1) + plan.refining + plan.probing
        self.runs = 0

    def begin(self) -> np.ndarray:
        """Return the first generation, a Latin hypercube sample of the bounds."""
        from scipy.stats import qmc

        sampler = qmc.LatinHypercube(len(self.plan.vary), rng=np.random.default_rng(self.plan.seed))
        low, high = np.array(list(self.plan.vary.values()), dtype=float).T
        sample: np.ndarray = low + sampler.random(self.plan.population) * (high - low)
        return sample

    def map(self, _: Any, settings: Iterable[np.ndarray]) -> list[float]:
        """Return the objectives of a generation. scipy calls this in place of its own `map`."""
        batch = [self._values(row) for row in settings]
        objectives = self.evaluate(batch)
        for values, result in zip(batch, objectives, strict=True):
            self._record(values, result)
        return objectives

    def evaluate(self, batch: list[dict[str, Any]]) -> list[float]:
        """Return the objectives of settings by simulation."""
        tasks = [
            task
            for number, values in enumerate(batch, len(self.tried))
            for task in self.plan.tasks(number, values)
        ]
        records = self.run(tasks, self._report)
        seeds = self.plan.seeds
        return [
            objective(self.plan.target, records[first : first + seeds])
            for first in range(0, len(records), seeds)
        ]

    def run(self, tasks: list[Task], report: Callable[[], None]) -> list[dict[str, Any]]:
        """Return the records of runs in order, from the folder or by simulation.

        New records are stored in the folder. `report` is called after each run.
        """

        def find_or_run(task: Task) -> dict[str, Any]:
            record = self.folder.find_record(task)
            if record is None:
                result = run_task(replace(task, rules=()))  # rule files are already loaded
                record = result.record or {
                    "index": task.index, "values": task.values, "seed": task.seed,
                    "error": result.error,
                }  # fmt: skip
                self.folder.store(record)
            self.runs += 1
            report()
            return record

        pool = ThreadPoolExecutor(cores())
        try:
            return [job.result() for job in [pool.submit(find_or_run, task) for task in tasks]]
        finally:  # after Ctrl-C, do not wait for runs in progress
            pool.shutdown(wait=False, cancel_futures=True)

    def _values(self, row: np.ndarray) -> dict[str, Any]:
        """Return the values of a row of numbers, in types that JSON preserves."""
        return {
            path: round(float(x)) if all(isinstance(end, int) for end in ends) else float(x)
            for (path, ends), x in zip(self.plan.vary.items(), row, strict=True)
        }

    def _record(self, values: dict[str, Any], result: float) -> None:
        self.tried.append((values, result))
        self.history.append(min(result, self.history[-1] if self.history else result))

    def _report(self) -> None:
        if self.watch is not None:
            done = min(self.runs // self.plan.seeds, self.total)
            self.watch(done, self.total, self.history[-1] if self.history else math.inf)
