"""Search: the settings that a fit tries: differential evolution, then a simplex, then probes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np

from murmurate.engine.options import cores
from murmurate.fitting.fit_plan import PROBES, FitPlan
from murmurate.fitting.objective import objective
from murmurate.fitting.store import FitFolder
from murmurate.sweeps.single_run import Task
from murmurate.sweeps.workers import attempt

# (settings done, settings in all, the least objective so far)
Progress = Callable[[int, int, float], object]


def evolve(plan: FitPlan, search: Search) -> None:
    """Generations over the whole box."""
    from scipy.optimize import differential_evolution

    whole = [all(isinstance(end, int) for end in ends) for ends in plan.vary.values()]
    differential_evolution(
        lambda x: x, plan.bounds, init=search.begin(), maxiter=plan.generations, tol=0,
        rng=np.random.default_rng(plan.seed), polish=False, workers=search.map,
        updating="deferred", integrality=whole, mutation=(0.4, 0.9),
    )  # fmt: skip


def refine(plan: FitPlan, search: Search) -> None:
    """Downhill from the best of them, by a simplex that begins a twentieth of the box wide."""
    from scipy.optimize import minimize

    best = min(search.tried, key=lambda one: one[1])[0]
    start = np.array(list(best.values()), dtype=float)
    low, high = np.array(plan.bounds).T
    step = 0.05 * (high - low)
    simplex = np.vstack([start, start + np.diag(np.where(start + step > high, -step, step))])
    minimize(
        lambda x: search.map(None, [x])[0], start, method="Nelder-Mead", bounds=plan.bounds,
        options={"initial_simplex": simplex, "maxfev": plan.refining, "xatol": 0, "fatol": 0},
    )  # fmt: skip


def probe(plan: FitPlan, search: Search) -> None:
    """The best setting with each number in turn at 1, 7, 13 and 19 twentieths of its bounds: where
    that makes no difference, the measures do not determine the number."""
    search.around = [min(search.tried, key=lambda one: one[1])]
    start = np.array(list(search.around[0][0].values()), dtype=float)
    low, high = np.array(plan.bounds).T
    rows = np.repeat(start[None], plan.probing, axis=0)
    for row in range(plan.probing):
        number, part = divmod(row, PROBES)
        share = (1 + 6 * part) / 20
        rows[row, number] = low[number] + share * (high[number] - low[number])
    search.map(None, rows)
    search.around += search.tried[-len(rows) :]


class Search:
    """The settings that scipy asks for, simulated and remembered, in the order in which it asks."""

    def __init__(self, plan: FitPlan, folder: FitFolder, progress: Progress | None) -> None:
        self.plan, self.folder, self.progress = plan, folder, progress
        self.tried: list[tuple[dict[str, Any], float]] = []
        self.around: list[tuple[dict[str, Any], float]] = []  # the best and its probes
        self.history: list[float] = []  # the least objective so far, after each setting
        self.total = plan.population * (plan.generations + 1) + plan.refining + plan.probing
        self.flown = 0

    def begin(self) -> np.ndarray:
        """The first generation: an even sample of the box."""
        from scipy.stats import qmc

        sampler = qmc.LatinHypercube(len(self.plan.vary), rng=np.random.default_rng(self.plan.seed))
        low, high = np.array(list(self.plan.vary.values()), dtype=float).T
        drawn: np.ndarray = low + sampler.random(self.plan.population) * (high - low)
        return drawn

    def map(self, _: Any, settings: Iterable[np.ndarray]) -> list[float]:
        """The objectives of a generation."""
        batch = [self._values(row) for row in settings]
        first = len(self.tried)
        tasks = [
            task
            for number, values in enumerate(batch, first)
            for task in self.plan.tasks(number, values)
        ]
        records = self.fly(tasks, self._tell)
        seeds = self.plan.seeds
        for number, values in enumerate(batch):
            mine = records[number * seeds : (number + 1) * seeds]
            self._note(values, objective(self.plan.target, mine))
        return [value for _, value in self.tried[first:]]

    def fly(self, tasks: list[Task], tell: Callable[[], None]) -> list[dict[str, Any]]:
        """The records of runs, in their order: from the folder, or simulated and stored there."""

        def one(task: Task) -> dict[str, Any]:
            known = self.folder.known(task)
            if known is None:
                outcome = attempt(replace(task, rules=()))  # they are known by now
                known = outcome.record or {
                    "index": task.index, "values": task.values, "seed": task.seed,
                    "error": outcome.error,
                }  # fmt: skip
                self.folder.keep(known)
            self.flown += 1
            tell()
            return known

        pool = ThreadPoolExecutor(cores())
        try:
            return [job.result() for job in [pool.submit(one, task) for task in tasks]]
        finally:  # after Ctrl-C the runs in flight are not waited for
            pool.shutdown(wait=False, cancel_futures=True)

    def _values(self, row: np.ndarray) -> dict[str, Any]:
        """A row of scipy's as settings; numbers that read back from JSON as they were."""
        return {
            path: round(float(x)) if all(isinstance(end, int) for end in ends) else float(x)
            for (path, ends), x in zip(self.plan.vary.items(), row, strict=True)
        }

    def _note(self, values: dict[str, Any], found: float) -> None:
        self.tried.append((values, found))
        self.history.append(min(found, self.history[-1] if self.history else found))

    def _tell(self) -> None:
        if self.progress is not None:
            done = min(self.flown // self.plan.seeds, self.total)
            self.progress(done, self.total, self.history[-1] if self.history else math.inf)
