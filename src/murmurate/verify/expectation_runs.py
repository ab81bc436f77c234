"""Simulate a model for its expectations, with more seeds until each verdict is certain."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from threading import Event

import numpy as np

from murmurate.dtypes import Dtype
from murmurate.engines.base import EngineChoice
from murmurate.engines.options import RunOptions, cores
from murmurate.engines.refusals import check_engine
from murmurate.engines.registry import engine_class
from murmurate.errors import DeviceError, ModelError, RunError
from murmurate.measures.over_frames import add_flock
from murmurate.model.files import model_of
from murmurate.model.model import Model
from murmurate.model.results import MIN_SEEDS, Expectation
from murmurate.runs.simulation import Simulation
from murmurate.verify.checks import expectation_mistakes
from murmurate.verify.report import Verdicts
from murmurate.verify.statistics import (
    check_statistic,
    frame_statistic,
    run_statistic,
    select_flock,
)
from murmurate.verify.verdict import Result, Tier, judge

MAX_SEEDS = 64
STEPS_BETWEEN_CHECKS = 20  # of whether to stop

Progress = Callable[[int, int], object]
Values = dict[int, np.ndarray]


@dataclass
class PlannedRun:
    """A run that one or more expectations need.

    model  with the settings of the expectations
    """

    model: Model
    options: RunOptions
    expectations: dict[int, Expectation] = field(default_factory=dict)


def verify(
    model: Model | str | os.PathLike[str],
    tier: Tier = "quick",
    progress: Progress | None = None,
    engine: EngineChoice = "cpu",
    *,
    seed_offset: int = 0,
    max_seeds: int = MAX_SEEDS,
) -> Verdicts:
    """Compare a model with the results that its [[expect]] tables state.

    Each statistic is simulated with 8 seeds. While its verdict is 'not precise enough', the number
    of seeds doubles, up to `max_seeds`. Runs share all cores, one thread each.

    model  a model, the name of a published flock or the path of a model file
    tier  "full" includes the expectations with `tier = "full"`
    progress  called as progress(done, total) after each run. `total` grows when more seeds are
        needed.
    engine  the engine that simulates the runs
    seed_offset  added to every seed of a statistic. Trajectories keep their seed.
    max_seeds  largest number of runs per statistic; at least 8 are simulated
    returns  a list of Result, one for each expectation of the tier, in the order of the model. It
        displays as a table.
    raises ModelError  for an unknown model, and for expectations with an unknown measure, flock or
        setting. The message lists the mistakes of all tiers, before the first run.
    """
    return Verdicts(
        simulate_rounds(
            model_of(model), tier, progress, engine, seed_offset=seed_offset, max_seeds=max_seeds
        )
    )


def options_of_run(engine: EngineChoice, seed: int) -> RunOptions:
    """Return the options of a run of verify: one thread, double precision if the engine has it."""
    dtype: Dtype = getattr(engine_class(RunOptions(engine).engine), "dtype", "float64")
    return RunOptions(engine, dtype, 1, seed)


def refusal(model: Model, engine: EngineChoice) -> str:
    """Return why an engine does not simulate a model; '' if it does."""
    options = options_of_run(engine, 0)
    try:
        check_engine(model, options)
    except ModelError as error:
        return str(error)
    return ""


def planned_runs(
    model: Model,
    expected: Mapping[int, tuple[Expectation, Iterable[int]]],
    engine: EngineChoice = "cpu",
) -> list[PlannedRun]:
    """Return the runs that expectations need, the longest first.

    Expectations with equal settings and seed share a run.

    expected  number of an expectation -> (expectation, seeds)
    raises ModelError  for unknown settings and measures
    """
    runs: dict[tuple[str, int], PlannedRun] = {}
    for number, (expectation, seeds) in expected.items():
        check_statistic(expectation.measure)
        changed = model.set(expectation.set) if expectation.set else model
        for seed in seeds:
            key = changed.fingerprint(), seed
            run = PlannedRun(changed, options_of_run(engine, seed))
            runs.setdefault(key, run).expectations[number] = expectation
    return sorted(runs.values(), key=_cost, reverse=True)


def simulate_run(run: PlannedRun, stop: Event | None = None) -> Values:
    """Simulate a run and measure its expectations.

    stop  when it is set, the run ends early, and its values mean nothing
    returns  number of an expectation -> values, (m,) float64. After a RunError, such as a lost
        boid, the next value is nan and the last.
    """
    steps_measured: dict[int, list[int]] = {}
    for number, expectation in run.expectations.items():
        for step in _measured_steps(expectation):
            steps_measured.setdefault(step, []).append(number)
    values: dict[int, list[float]] = {number: [] for number in run.expectations}
    statistics = {n: run_statistic(e.measure) for n, e in run.expectations.items()}
    of_run = {n: statistic for n, statistic in statistics.items() if statistic is not None}
    simulation = Simulation(run.model, **run.options.arguments)
    position = 0
    for step in sorted(steps_measured):
        if stop is not None and stop.is_set():
            break
        try:
            frame = _advance(simulation, step - position, stop).frame
        except DeviceError:
            raise  # it says nothing about the model
        except RunError:
            for number in run.expectations:
                values[number].append(np.nan)
            break
        position = step
        for number in steps_measured[step]:
            expectation = run.expectations[number]
            flock = select_flock(frame, expectation.flock)
            if number in of_run:
                add_flock(of_run[number][0], flock, frame.time, frame.step)
            else:
                values[number].append(frame_statistic(expectation.measure)(flock))
    for number, (_, result) in of_run.items():
        values[number].extend(np.atleast_1d(result()).tolist())
    return {n: _relative_to_first(run.expectations[n], series) for n, series in values.items()}


def simulate_rounds(
    model: Model,
    tier: Tier = "quick",
    progress: Progress | None = None,
    engine: EngineChoice = "cpu",
    *,
    seed_offset: int = 0,
    max_seeds: int = MAX_SEEDS,
    simulate: Callable[[PlannedRun, Event], Values] = simulate_run,
) -> list[Result]:
    """Return the result of `verify`; `simulate` returns the values of one run."""
    if mistakes := expectation_mistakes(model):
        raise ModelError("\n".join(mistakes))
    expected = [e for e in model.expect if tier == "full" or e.tier == "quick"]
    values_by_seed: list[dict[int, np.ndarray]] = [{} for _ in expected]
    results: dict[int, Result] = {}
    undecided, n_seeds, done = dict(enumerate(expected)), MIN_SEEDS, 0
    single = options_of_run(engine, 0).dtype == "float32"
    while undecided and n_seeds <= max(max_seeds, MIN_SEEDS):
        missing = {
            n: (e, [s for s in e.run_seeds(n_seeds, seed_offset) if s not in values_by_seed[n]])
            for n, e in undecided.items()
        }
        runs = planned_runs(model, missing, engine)
        for run, values in simulate_all(runs, done, progress, simulate=simulate):
            for number, series in values.items():
                values_by_seed[number][run.options.seed] = series
        done += len(runs)
        for number, expectation in undecided.items():
            results[number] = judge(model.name, expectation, values_by_seed[number], single)
        undecided = {
            n: e for n, e in undecided.items() if results[n].verdict == "not precise enough"
        }
        n_seeds *= 2
    return [results[number] for number in range(len(expected))]


def simulate_all(
    runs: Sequence[PlannedRun],
    done_before: int = 0,
    progress: Progress | None = None,
    *,
    simulate: Callable[[PlannedRun, Event], Values] = simulate_run,
) -> list[tuple[PlannedRun, Values]]:
    """Simulate runs on all cores, and return each with its values, in the order in which they end.

    `done_before` is the number of runs of earlier rounds, for `progress`.
    """
    stop, outcomes = Event(), []
    with ThreadPoolExecutor(cores()) as pool:
        jobs = {pool.submit(simulate, run, stop): run for run in runs}
        try:
            for done, job in enumerate(as_completed(jobs), 1):
                outcomes.append((jobs[job], job.result()))
                if progress:
                    progress(done_before + done, done_before + len(runs))
        except BaseException:
            stop.set()  # without it, Python waits for the last step of every run
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return outcomes


def _advance(simulation: Simulation, steps: int, stop: Event | None) -> Simulation:
    """Advance a simulation, and check `stop` every few steps."""
    if stop is None:
        return simulation.step(steps)
    while steps > 0 and not stop.is_set():
        simulation.step(min(steps, STEPS_BETWEEN_CHECKS))
        steps -= STEPS_BETWEEN_CHECKS
    return simulation


def _measured_steps(expectation: Expectation) -> list[int]:
    first = expectation.step if expectation.since is None else expectation.since
    steps = list(range(first, expectation.step + 1, expectation.every))
    return [0, *steps] if expectation.relative else steps


def _relative_to_first(expectation: Expectation, series: list[float]) -> np.ndarray:
    """Return a series, divided by the value at step 0 if the expectation is relative."""
    values = np.array(series, dtype=np.float64)
    if not expectation.relative or len(values) < 2:
        return values
    return values[1:] / (values[0] or np.nan)  # a ratio to zero has no value


def _cost(run: PlannedRun) -> int:
    """Return boids times steps."""
    boids = sum(flock.count for flock in run.model.flocks.values())
    return boids * max(expectation.step for expectation in run.expectations.values())
