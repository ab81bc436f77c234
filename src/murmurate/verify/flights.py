"""Flights: the runs that expectations need, each flown once for all that look at it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Event

import numpy as np

from murmurate.engine.options import RunOptions
from murmurate.errors import RunError
from murmurate.model.model import Expectation, Model
from murmurate.runs.simulation import Simulation
from murmurate.verify.figures import HISTORIES, check, find, is_history, picked

FEW = 20  # steps that are flown before Ctrl-C is heeded


@dataclass
class Flight:
    """One run: a changed model, how it is flown, and the expectations that look at it, by their
    number."""

    model: Model
    options: RunOptions
    watchers: dict[int, Expectation] = field(default_factory=dict)


def run_options(engine: str, seed: int) -> RunOptions:
    """How runs of verify are flown: in double precision, each on one thread."""
    return RunOptions(engine, "float64", 1, seed)


def flights(model: Model, expected: Sequence[Expectation], engine: str = "cpu") -> list[Flight]:
    """The runs that these expectations need, the longest first. Raises ModelError for settings,
    measures and flocks that are not there."""
    found: dict[tuple[str, int], Flight] = {}
    for number, one in enumerate(expected):
        check(one.measure)
        changed = model.set(one.set) if one.set else model
        for seed in one.seeds:
            key = changed.fingerprint(), seed
            found.setdefault(key, Flight(changed, run_options(engine, seed))).watchers[number] = one
    return sorted(found.values(), key=_work, reverse=True)


def fly(flight: Flight, stop: Event | None = None) -> dict[int, np.ndarray]:
    """Number of the expectation -> the values it saw. A run that loses a boid gives nan from there
    on.

    stop  once it is set the flight ends early, and its values mean nothing
    """
    moments: dict[int, list[int]] = {}
    for number, one in flight.watchers.items():
        for step in _steps(one):
            moments.setdefault(step, []).append(number)
    values: dict[int, list[float]] = {number: [] for number in flight.watchers}
    histories = {
        n: HISTORIES[one.measure][0]()
        for n, one in flight.watchers.items()
        if is_history(one.measure)
    }
    simulation = Simulation.from_options(flight.model, flight.options)
    at = 0
    for step in sorted(moments):
        if stop is not None and stop.is_set():
            break
        try:
            frame = _forward(simulation, step - at, stop).frame
        except RunError:
            for number in flight.watchers:
                values[number].append(np.nan)
            break
        at = step
        for number in moments[step]:
            one = flight.watchers[number]
            seen = picked(frame, one.flock)
            if number in histories:
                histories[number].add(seen, frame.time)
            else:
                values[number].append(find(one.measure)(seen))
    for number, history in histories.items():
        _, asked = HISTORIES[flight.watchers[number].measure]
        values[number].append(asked(history))
    return {number: _judged(flight.watchers[number], rows) for number, rows in values.items()}


def _forward(simulation: Simulation, steps: int, stop: Event | None) -> Simulation:
    """Flies so many steps; where it may be stopped, a few at a time."""
    if stop is None:
        return simulation.step(steps)
    while steps > 0 and not stop.is_set():
        simulation.step(min(steps, FEW))
        steps -= FEW
    return simulation


def _steps(one: Expectation) -> list[int]:
    """The steps at which an expectation looks."""
    first = one.step if one.since is None else one.since
    steps = list(range(first, one.step + 1, one.every))
    return [0, *steps] if one.relative else steps


def _judged(one: Expectation, rows: list[float]) -> np.ndarray:
    values = np.array(rows, dtype=np.float64)
    if not one.relative or len(values) < 2:
        return values
    return values[1:] / (values[0] or np.nan)  # nothing is a part of zero


def _work(flight: Flight) -> int:
    boids = sum(flock.count for flock in flight.model.flocks.values())
    return boids * max(one.step for one in flight.watchers.values())
