"""Planned runs: the runs that expectations need, each made once for all expectations that use
it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Event

import numpy as np

from murmurate.engines.base import EngineChoice
from murmurate.engines.options import RunOptions, run_options
from murmurate.errors import RunError
from murmurate.model.model import Model
from murmurate.model.results import Expectation
from murmurate.runs.simulation import Simulation
from murmurate.verify.statistics import check, collector, find, picked

FEW = 20  # steps between two checks of whether to stop


@dataclass
class PlannedRun:
    """One run: a changed model, how it is flown, and the expectations measured in it, by their
    number."""

    model: Model
    options: RunOptions
    expectations: dict[int, Expectation] = field(default_factory=dict)


def options_of_run(engine: EngineChoice, seed: int) -> RunOptions:
    """How runs of verify are flown: in double precision, each on one thread."""
    return run_options(engine, "float64", 1, seed)


def planned_runs(
    model: Model,
    wanted: Mapping[int, tuple[Expectation, Sequence[int]]],
    engine: EngineChoice = "cpu",
) -> list[PlannedRun]:
    """The runs that these expectations need, the longest first.

    wanted  number of an expectation -> itself, and the seeds it is to be flown with
    Raises ModelError for settings, measures and flocks that are not there.
    """
    found: dict[tuple[str, int], PlannedRun] = {}
    for number, (one, seeds) in wanted.items():
        check(one.measure)
        changed = model.set(one.set) if one.set else model
        for seed in seeds:
            key = changed.fingerprint(), seed
            run = PlannedRun(changed, options_of_run(engine, seed))
            found.setdefault(key, run).expectations[number] = one
    return sorted(found.values(), key=_work, reverse=True)


def fly(run: PlannedRun, stop: Event | None = None) -> dict[int, np.ndarray]:
    """Number of the expectation -> its values. A run that loses a boid gives nan from there on.

    stop  once it is set the run ends early, and its values mean nothing
    """
    moments: dict[int, list[int]] = {}
    for number, one in run.expectations.items():
        for step in _steps(one):
            moments.setdefault(step, []).append(number)
    values: dict[int, list[float]] = {number: [] for number in run.expectations}
    of_runs = {n: collector(one.measure) for n, one in run.expectations.items()}
    collectors = {n: found for n, found in of_runs.items() if found}
    simulation = Simulation.from_options(run.model, run.options)
    at = 0
    for step in sorted(moments):
        if stop is not None and stop.is_set():
            break
        try:
            frame = _forward(simulation, step - at, stop).frame
        except RunError:
            for number in run.expectations:
                values[number].append(np.nan)
            break
        at = step
        for number in moments[step]:
            one = run.expectations[number]
            measured = picked(frame, one.flock)
            if number in collectors:
                collectors[number][0].add(measured, frame.time)
            else:
                values[number].append(find(one.measure)(measured))
    for number, (_, ask) in collectors.items():
        values[number].extend(np.atleast_1d(ask()).tolist())
    return {number: _relative(run.expectations[number], rows) for number, rows in values.items()}


def _forward(simulation: Simulation, steps: int, stop: Event | None) -> Simulation:
    """Flies so many steps; where it may be stopped, a few at a time."""
    if stop is None:
        return simulation.step(steps)
    while steps > 0 and not stop.is_set():
        simulation.step(min(steps, FEW))
        steps -= FEW
    return simulation


def _steps(one: Expectation) -> list[int]:
    """The steps at which an expectation is measured."""
    first = one.step if one.since is None else one.since
    steps = list(range(first, one.step + 1, one.every))
    return [0, *steps] if one.relative else steps


def _relative(one: Expectation, rows: list[float]) -> np.ndarray:
    values = np.array(rows, dtype=np.float64)
    if not one.relative or len(values) < 2:
        return values
    return values[1:] / (values[0] or np.nan)  # nothing is a part of zero


def _work(run: PlannedRun) -> int:
    boids = sum(flock.count for flock in run.model.flocks.values())
    return boids * max(one.step for one in run.expectations.values())
