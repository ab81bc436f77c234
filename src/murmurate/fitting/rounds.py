"""Rounds: the settings that a fit simulates, first of the prior, then of earlier posteriors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from murmurate.errors import FitError
from murmurate.fitting.fit_plan import FitFolder, FitPlan
from murmurate.fitting.likelihood import Likelihood, LogLikelihood
from murmurate.fitting.posterior import Posterior
from murmurate.fitting.priors import quantiles_of, settings_at
from murmurate.fitting.sampler import draw_posterior
from murmurate.sweeps.run import Progress
from murmurate.sweeps.task import Task
from murmurate.sweeps.workers import Workers

WIDE = (
    0.5  # power of the likelihood for settings of later rounds, which spread more than posteriors
)
CHAINS, DRAWS = 4, 500  # of the final posterior
MIN_WORTH, MAX_WORTH = 0.5, 3.0  # runs that the data may be worth without a remark
MAX_UNKNOWN = 0.3  # share of a variance that may come from too few runs


class Runs:
    """The runs of a fit: from its folder, or simulated and stored there.

    settings  settings that were simulated, path -> value, in order
    count  number of finished runs
    """

    def __init__(
        self, plan: FitPlan, folder: FitFolder, workers: Workers, progress: Progress | None
    ) -> None:
        self.plan, self.folder, self.workers = plan, folder, workers
        self._progress = progress or (lambda done, total: None)
        self.settings: list[dict[str, Any]] = []
        self.records: list[dict[str, Any]] = []
        self.count = 0

    def simulate(
        self, settings: Sequence[dict[str, Any]], plans: Sequence[FitPlan] = ()
    ) -> None:  # fmt: skip
        """Add the runs of more settings, by `plans` in rotation, by default of the fit alone."""
        first, plans = len(self.settings), plans or [self.plan]
        tasks = [
            task
            for number, values in enumerate(settings)
            for task in plans[number % len(plans)].tasks(first + number, values)
        ]
        self.records += self.run(tasks)
        self.settings += settings

    def run(self, tasks: Sequence[Task]) -> list[dict[str, Any]]:
        """Return the records of runs in order, from the folder or by simulation."""
        records = {task.index: self.folder.find_record(task) for task in tasks}
        missing = [task for task in tasks if records[task.index] is None]
        self._count(len(tasks) - len(missing))
        by_index = {task.index: task for task in missing}
        for result in self.workers.results(missing):
            task = by_index[result.task.index]
            record = result.record or {
                "index": task.index, "values": task.values, "seed": task.seed,
                "error": result.error,
            }  # fmt: skip
            self.folder.store(record)
            records[task.index] = record
            self._count(1)
        return [records[task.index] for task in tasks]  # type: ignore[misc]

    def draws(self) -> tuple[np.ndarray, np.ndarray]:
        """Return (n, D) settings as quantiles of the prior, and their (n, m) measures.

        Each row is a draw of what the data are: one run, if the length of the data is known, or
        the mean over the runs of a setting. Raises FitError if all runs failed.
        """
        failed = [record["error"] for record in self.records if "error" in record]
        if len(failed) == len(self.records):
            raise FitError(f"runs: all {len(failed)} failed, the first with: {failed[0]}")
        quantiles = quantiles_of(self.plan.priors, self.settings)
        values, _ = measured(self.records, tuple(self.plan.target))
        if self.plan.lasts is not None:
            return np.repeat(quantiles, self.plan.seeds, axis=0), values
        shape = len(self.settings), self.plan.seeds, len(self.plan.target)
        return quantiles, values.reshape(shape).mean(axis=1)

    def likelihood(self) -> Likelihood:
        """Return the likelihood that all runs give. Raises FitError if too few have values."""
        data, (quantiles, values) = self.plan.data, self.draws()
        variance = data.variance(quantiles, values)
        return Likelihood(quantiles, data.imitate(values, variance, self.plan.seed))

    def _count(self, more: int) -> None:
        self.count += more
        total = self.plan.settings * self.plan.seeds + self.plan.predicted
        self._progress(self.count, total)


def measured(
    records: Sequence[dict[str, Any]], names: Sequence[str]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the (n, m) means of measures over runs, and their standard errors; nan for none."""

    def column(record: dict[str, Any], name: str, key: str) -> float:
        value = record.get("measures", {}).get(name, {}).get(key)
        return math.nan if value is None else float(value)

    values, errors = (
        np.array([[column(record, name, key) for name in names] for record in records])
        for key in ("mean", "error")
    )
    return values.reshape(len(records), len(names)), errors.reshape(len(records), len(names))


def run_rounds(plan: FitPlan, runs: Runs) -> tuple[Posterior, list[str]]:
    """Simulate all rounds of a fit. Return its posterior, and remarks on the runs."""
    from scipy.stats import qmc

    priors, numbers = plan.priors, len(plan.vary)
    for number, count in enumerate(plan.rounds):
        settings = runs.folder.find_round(number, priors)
        if settings is None or len(settings) != count:
            rng = np.random.default_rng((plan.seed, number))
            if number == 0:
                quantiles = qmc.LatinHypercube(numbers, rng=rng).random(count)
            else:
                likelihood = runs.likelihood().of(plan.data.values)
                quantiles, _ = draw_posterior(likelihood, numbers, max(count, 256), rng, WIDE)
            settings = settings_at(priors, quantiles[:count])
            runs.folder.store_round(number, settings)
        runs.simulate(settings)
    likelihood = runs.likelihood().of(plan.data.values)
    posterior = posterior_of(plan, likelihood)
    return posterior, _remarks(plan, runs, posterior, likelihood)


def posterior_of(plan: FitPlan, likelihood: LogLikelihood) -> Posterior:
    """Return the posterior of a plan from its likelihood, by chains that are independent."""
    chains = [
        draw_posterior(
            likelihood, len(plan.vary), DRAWS, np.random.default_rng((plan.seed, 1000 + chain))
        )
        for chain in range(CHAINS)
    ]
    quantiles, logs = (np.stack(part) for part in zip(*chains, strict=True))
    observed = {name: value for name, (value, _) in plan.target.items()}
    return Posterior(plan.priors, quantiles, logs, observed)


def _remarks(
    plan: FitPlan, runs: Runs, posterior: Posterior, likelihood: LogLikelihood
) -> list[str]:
    """Return remarks on data and runs that do not suit each other, one line each."""
    quantiles, values = runs.draws()
    lines = []
    for name, value, column in zip(plan.target, plan.data.values, values.T, strict=True):
        low, high = np.nanmin(column), np.nanmax(column)
        if not low <= value <= high:
            lines.append(
                f"{name}: the data have {value:.4g}, and all runs {low:.4g} to {high:.4g}. No "
                "setting within the bounds reproduces it"
            )
    variance = plan.data.variance(quantiles, values)
    worth, noise = plan.data.worth(values, variance), plan.data.noise(values, variance)
    for name, times, extra in zip(plan.target, worth, noise, strict=True):
        if times > MAX_WORTH:
            lines.append(
                f"{name}: the data are as precise as {times:.0f} runs, so the posterior is too "
                "wide. Use more steps, more seeds, or frames that are closer (every)"
            )
        elif extra > 0.0 and times < MIN_WORTH:
            lines.append(
                f"{name}: the data are imprecise, as precise as {times:.2g} runs. Their error "
                "widens the posterior. Use more data, or runs as long as they are"
            )
    prediction = likelihood.emulator.predict(posterior.quantiles.reshape(-1, len(plan.vary))[::20])
    unknown = prediction.unknown / (prediction.unknown + prediction.between)
    share = float(np.median(unknown.max(axis=1)))
    if share > MAX_UNKNOWN:
        lines.append(
            f"runs: {share:.0%} of a variance that widens the posterior comes from too few runs. "
            "Use more runs"
        )
    lines += _length_remarks(plan) + _sampling_remarks(plan)
    missing = sum("error" in record for record in runs.records)
    if missing:
        lines.append(f"{missing} of {len(runs.records)} runs failed; see {runs.folder.path}/runs")
    return lines


def _length_remarks(plan: FitPlan) -> list[str]:
    """Return a remark if runs are not as long as the data."""
    lines: list[str] = []
    if plan.lasts is None:
        return lines
    dt, longest, steps = plan.parsed_model.dt, plan.steps - plan.warm_up, plan.run_steps()
    if steps + plan.every < plan.steps:
        lines.append(
            f"steps: the data are imprecise: they last {plan.lasts / dt:.0f} steps, and a run "
            f"{longest} after the warm-up. Runs end after {steps} steps, as long as the data"
        )
    elif plan.lasts > MAX_WORTH * longest * dt:
        lines.append(
            f"steps: the data last {plan.lasts / dt:.0f} steps, and a run {longest} after the "
            "warm-up, so the posterior is too wide. Use "
            f"{plan.warm_up + math.ceil(plan.lasts / dt)} steps"
        )
    return lines


def _sampling_remarks(plan: FitPlan) -> list[str]:
    """Return remarks on parts of the tracks that runs do not imitate."""
    tracks = plan.tracks
    lines: list[str] = []
    if tracks is None:
        return lines
    boids = max(flock.count for flock in plan.parsed_model.flocks.values())
    if boids != tracks.animals > 0 and not any(path.endswith(".count") for path in plan.vary):
        lines.append(
            f"tracks: got {tracks.animals} animals at a time, and the model has {boids} boids. "
            "Use as many boids as animals (--boids)"
        )
    if tracks.interpolated:
        lines.append(
            "tracks: positions are smoothed, or interpolated between detections at other times, "
            "which smooths velocities; those of runs are not. Use detections at equal times, "
            "without --smooth"
        )
    return lines
