"""The loop of a runner's thread: wait for its passes instead of time."""

from __future__ import annotations

from murmurate.live_view.runner import Runner
from processes import LIMIT


def run_loop(runner: Runner, times: int = 5) -> None:
    """Wait until the thread has checked at least `times` times whether a step is due.

    A pass of the loop does the submitted work first, and makes the steps that are due last. So
    between two pieces of work, with the second submitted after the first is done, the due steps
    are made."""
    for _ in range(times + 1):
        runner.submit(lambda: None).result(LIMIT)


def set_unlimited_rate(runner: Runner) -> None:
    """Make a step due in every pass of the loop while the flock moves."""
    runner.submit(lambda: runner.set_rate(None)).result(LIMIT)


def current_step(runner: Runner) -> int:
    """Return the simulation's step, read between two steps."""
    return int(runner.submit(lambda: runner.simulation.frame.step).result(LIMIT))
