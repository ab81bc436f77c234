"""Simulate the runs of a model's figure, store each when it ends, and compute the points."""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.codegen.cache_folder import cache_folder, read_cached, write_cached
from murmurate.codegen.code_digest import code_of
from murmurate.codegen.module_text import kernel_text
from murmurate.codegen.planner import make_plan
from murmurate.engines.base import EngineChoice
from murmurate.engines.cpu.thresholds import cpu_layout
from murmurate.errors import ModelError, RunError
from murmurate.measures.errorbars import MIN_RUNS, mean_and_error
from murmurate.measures.estimate import Estimate
from murmurate.measures.order import binder_of
from murmurate.model.files import parse, to_toml
from murmurate.model.model import Model
from murmurate.model.results import Expectation, Line, Panel
from murmurate.sweeps.task import Task
from murmurate.sweeps.workers import Processes, Workers
from murmurate.verify.checks import figure_mistakes, settings_of
from murmurate.verify.expectation_runs import PlannedRun, Progress, options_of_run, simulate_run
from murmurate.verify.statistics import is_run_statistic
from murmurate.verify.verdict import Tier, standard_error
from murmurate.version import __version__

QUICK_FRACTION = 4  # the quick version simulates a quarter of the steps


@dataclass(frozen=True)
class FigureRun(Task):
    """A run of a figure: a task whose record has all values of its measures.

    series  (name of the stored series, what is measured) for each series
    """

    series: tuple[tuple[str, Expectation], ...] = ()

    def run(self) -> dict[str, Any]:
        """Simulate the run, and return its record."""
        model = parse(self.model, f"{self.name}.toml")
        measured = dict(enumerate(expectation for _, expectation in self.series))
        results = simulate_run(PlannedRun(model, self.options, measured))
        values = {
            name: [float(f"{value:.8g}") for value in results[k]]
            for k, (name, _) in enumerate(self.series)
        }
        return {"index": self.index, "values": values}


@dataclass(frozen=True)
class LineData:
    """The values of a figure's line.

    line  the line, with what it takes from its panel
    at  (n,) positions of its points on the x axis
    series  for each point, the values of each run, (m,). A line over time and a distribution have
        one point.
    """

    line: Line
    at: np.ndarray
    series: list[list[np.ndarray]]


FigureData = list[tuple[Panel, list[LineData]]]


def simulate_figure(
    model: Model,
    tier: Tier | None = None,
    *,
    folder: str | os.PathLike[str] | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
    engine: EngineChoice = "cpu",
) -> FigureData:
    """Simulate a model for the panels of its figure.

    tier  "quick": every other point, the first seed and a quarter of the steps. "full": also lines
        with `tier = "full"`. The default is the figure without those lines.
    folder  folder of the stored runs. The hash of what a run depends on is its name, so an
        interrupted figure continues there, and a changed figure simulates new runs only. The
        default is in the user's cache.
    workers  the default is one process per core
    progress  called as progress(done, total) when a series is stored
    returns  (panel, its lines) for each panel
    raises ModelError  for unknown settings, measures and flocks; the message lists those of all
        tiers
    raises RunError  if a run fails
    """
    if mistakes := figure_mistakes(model):
        raise ModelError("\n".join(mistakes))
    store = Path(folder) if folder is not None else cache_folder("figures")
    store.mkdir(parents=True, exist_ok=True)
    planned: list[tuple[Panel, Line, list[list[str]]]] = []
    runs: dict[str, FigureRun] = {}
    for panel in model.figure:
        for line in _lines_of(panel, tier):
            points = [_runs_of(model, line, settings, engine) for settings in settings_of(line)]
            runs |= {name: run for point in points for name, run in point.items()}
            planned.append((panel, line, [list(point) for point in points]))
    values = _values_of(model, runs, store, workers, progress)
    return [
        (
            panel,
            [
                LineData(line, _positions(panel, line), [[values[n] for n in p] for p in points])
                for other, line, points in planned
                if other is panel
            ],
        )
        for panel in model.figure
    ]


def _values_of(
    model: Model,
    runs: dict[str, FigureRun],
    store: Path,
    workers: Workers | None,
    progress: Progress | None,
) -> dict[str, np.ndarray]:
    """Return name -> values of all runs: read from the store, or simulated and stored there."""
    done = {name: values for name in runs if (values := _read(store, name)) is not None}
    tasks = _tasks([run for name, run in runs.items() if name not in done])
    for outcome in (workers or Processes()).results(tasks) if tasks else ():
        if outcome.record is None:
            raise RunError(f"{model.name}: {outcome.error}")
        for name, values in outcome.record["values"].items():
            done[name] = np.array(values, dtype=np.float64)
            write_cached(store / f"{name}.values", json.dumps(values).encode())
        if progress:
            progress(len(done), len(runs))
    return done


def _positions(panel: Panel, line: Line) -> np.ndarray:
    if panel.shows in ("mean", "binder"):
        return np.array(line.at or next(iter(line.vary.values())), dtype=np.float64)
    return np.array(line.at, dtype=np.float64)


def _lines_of(panel: Panel, tier: Tier | None) -> list[Line]:
    lines = [line for line in panel.lines() if tier == "full" or line.tier == "quick"]
    return [_quick_line(line) for line in lines] if tier == "quick" else lines


def _quick_line(line: Line) -> Line:
    step, since = line.step or 0, line.since or 0
    every = line.every or 1
    changes = {
        "vary": {path: values[::2] for path, values in line.vary.items()},
        "at": line.at[::2] if line.vary else line.at,
        "seeds": line.seeds[:1],
        "step": max(step // QUICK_FRACTION, since // QUICK_FRACTION + every),
        "since": since // QUICK_FRACTION,
    }
    return line.model_copy(update=changes)


def _runs_of(
    model: Model, line: Line, settings: dict[str, Any], engine: EngineChoice
) -> dict[str, FigureRun]:
    """Return the runs of one point: name of the stored series -> run."""
    changed = model.set(settings) if settings else model
    bare = changed.model_copy(
        update={
            "expect": (),
            "figure": (),
            "about": "",
            "tries": (),
            "source": type(model.source)(),
        }
    )
    measured = Expectation(
        measure=line.measure, flock=line.flock, since=line.since, step=line.step or 0,
        every=line.every or 1, relative=bool(line.relative), low=0.0,
    )  # fmt: skip
    plan = make_plan(bare)
    text, kernel = to_toml(bare), code_of(kernel_text(plan, "float64", cpu_layout(plan)))
    engine_text, runs = str(options_of_run(engine, 0).choice), {}
    for seed in line.seeds:
        parts = (__version__, engine_text, text, kernel, repr(measured), str(seed))
        name = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
        runs[name] = FigureRun(
            0, 0, 0, options_of_run(engine, seed), {}, text, model.name, line.step or 0,
            line.since or 0, line.every or 1, (line.measure,), series=((name, measured),),
        )  # fmt: skip
    return runs


def _tasks(runs: list[FigureRun]) -> list[FigureRun]:
    """Merge runs of equal model and seed; return the tasks, the longest first."""
    merged: dict[tuple[str, int], FigureRun] = {}
    for run in runs:
        key = run.model, run.seed
        if key in merged:
            steps = max(run.steps, merged[key].steps)
            series = merged[key].series + run.series
            merged[key] = replace(merged[key], steps=steps, series=series)
        else:
            merged[key] = run
    tasks = sorted(merged.values(), key=_cost, reverse=True)
    return [replace(task, index=index) for index, task in enumerate(tasks)]


def _read(store: Path, name: str) -> np.ndarray | None:
    """Return the stored values of a run, or None."""
    data = read_cached(store / f"{name}.values")
    return None if data is None else np.array(json.loads(data), dtype=np.float64)


def _cost(task: FigureRun) -> int:
    """Return boids times steps."""
    flocks = parse(task.model).flocks.values()
    return task.steps * sum(flock.count for flock in flocks)


# --- points


def mean_over_runs(runs: Iterable[np.ndarray]) -> Estimate:
    """Return the mean over runs, of the series of each run.

    The error is the larger of the error between runs and the errors within runs. `short` is True
    if there are fewer than 8 runs and one of them is too short for its own error. All values are
    nan if a value is.
    """
    # workers end in any order, and sums must not depend on it
    series = sorted(runs, key=lambda values: values.tobytes())
    if any(len(values) == 0 or not np.isfinite(values).all() for values in series):
        return Estimate(math.nan, math.nan, 0.0, "seeds", short=True)
    means = np.array([values.mean() for values in series])
    estimates = [mean_and_error(values) for values in series]
    within = math.sqrt(sum(estimate.error**2 for estimate in estimates)) / len(series)
    between = standard_error(means)
    errors = [error for error in (within, between) if math.isfinite(error)]
    short = len(series) < MIN_RUNS and any(estimate.short for estimate in estimates)
    error = max(errors, default=math.nan)
    # Welch and Satterthwaite: degrees of freedom of a sum of errors
    parts = sum(e.error**4 / e.freedom for e in estimates if e.error > 0.0)
    freedom_within = (within * len(series)) ** 4 / parts if parts else math.nan
    freedom = len(means) - 1.0 if error == between else freedom_within
    return Estimate(float(means.mean()), error, float(len(means)), "seeds", short, freedom)


def binder_over_runs(runs: Sequence[np.ndarray]) -> Estimate:
    """Return the mean of the runs' Binder cumulants; `short` as in `mean_over_runs`."""
    estimates = [binder_of(values) for values in runs]
    cumulants, n = np.array([estimate.value for estimate in estimates]), len(estimates)
    within = math.sqrt(sum(estimate.error**2 for estimate in estimates)) / n
    between = standard_error(cumulants) if n > 1 else 0.0
    short = n < MIN_RUNS and any(estimate.short for estimate in estimates)
    freedom = n - 1.0 if n > 1 else estimates[0].freedom
    error = max(within, between)
    return Estimate(float(cumulants.mean()), error, float(n), "seeds", short, freedom)


def align_runs(runs: Sequence[np.ndarray]) -> np.ndarray:
    """Return values as (runs, times), up to the end of the shortest run.

    A run that loses a boid has no values after that.
    """
    n_times = min(len(values) for values in runs)
    return np.array([values[:n_times] for values in runs])


def count_missing_points(panel: Panel, lines: Sequence[LineData]) -> int:
    """Return how many points of a panel have no value and cannot be drawn.

    A run lost a boid, or the measure is not defined for such a flock.
    """
    return sum(_missing_points(panel, line) for line in lines)


def _missing_points(panel: Panel, data: LineData) -> int:
    if panel.shows in ("mean", "binder"):
        over_runs = mean_over_runs if panel.shows == "mean" else binder_over_runs
        return sum(not math.isfinite(over_runs(runs).value) for runs in data.series)
    (runs,) = data.series
    if panel.shows == "profile":
        mean = align_runs(runs).mean(axis=0)
        return int((~np.isfinite(mean)).sum()) if len(mean) else 1
    expected = _values_per_run(data.line)
    if panel.shows == "distribution":
        return sum(expected - int(np.isfinite(values).sum()) for values in runs)
    return expected - int(np.isfinite(align_runs(runs).mean(axis=0)).sum())


def _values_per_run(line: Line) -> int:
    """Return the number of values of a run that loses no boid."""
    if is_run_statistic(line.measure):
        return 1
    return len(range(line.since or 0, (line.step or 0) + 1, line.every or 1))
