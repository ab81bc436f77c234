"""The loop of a live simulation's thread, waited for by what it does and not by time."""

from __future__ import annotations

from murmurate.live_view.flight_thread import FlightThread
from processes import LIMIT


def go_round(flight: FlightThread, times: int = 5) -> None:
    """Wait until the thread has looked at least `times` times whether a step is due.

    Work is done at the beginning of a pass of the loop, and steps at its end: so between two
    pieces of work, of which the second is submitted after the first was done, steps are made
    where any are due."""
    for _ in range(times + 1):
        flight.submit(lambda: None).result(LIMIT)


def unhurried(flight: FlightThread) -> None:
    """From now on a step is due in every pass of the loop in which the flock moves."""
    flight.submit(lambda: flight.set_rate(None)).result(LIMIT)


def step_of(flight: FlightThread) -> int:
    """The step that the simulation has reached, read between two steps."""
    return int(flight.submit(lambda: flight.simulation.frame.step).result(LIMIT))
