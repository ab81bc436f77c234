"""Time a flock of this folder, one round for each line on stdin.

    python SCRIPT CASE

CASE is JSON. In a round the flock runs one step that is not timed, then `steps` steps; the answer
on stdout is the time of one step in seconds. With `whole` a round repeats complete runs of `steps`
steps, construction included, for half a second; the answer is the time of one run. When stdin ends,
the last answer is the mean number of neighbours of a boid. The process is bound to one core where
the system supports it. This file runs in the environment of every peer and needs only Python.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

MIN_SECONDS = 0.5  # of repeated runs


@dataclass(frozen=True)
class Flock:
    """A flock of a peer.

    run         advances the flock by a number of steps
    neighbours  returns the mean number of neighbours in the current state
    """

    run: Callable[[int], object]
    neighbours: Callable[[], float]


Make = Callable[[dict[str, Any], int], Flock]


def serve(make: Make) -> None:
    """Answer each line on stdin with the seconds of a round.

    make  returns the flock of a case and a seed
    """
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # only answers go to stdout
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    case = json.loads(sys.argv[1])
    time_round = _time_runs if case.get("whole") else _time_steps
    flock = make(case, 1)
    flock.run(case.get("first", 1))  # compile, and warm the caches
    print("ready", file=answers, flush=True)
    for round_index, _ in enumerate(sys.stdin):
        seconds, flock = time_round(make, case, flock, round_index)
        print(seconds, file=answers, flush=True)
    print(flock.neighbours(), file=answers, flush=True)


def _time_steps(
    make: Make, case: dict[str, Any], flock: Flock, round_index: int
) -> tuple[float, Flock]:
    """Return the seconds of a step, and the flock."""
    flock.run(1)  # refill the caches: the other flock ran in between
    begin = time.perf_counter()
    flock.run(case["steps"])
    return (time.perf_counter() - begin) / case["steps"], flock


def _time_runs(
    make: Make, case: dict[str, Any], flock: Flock, round_index: int
) -> tuple[float, Flock]:
    """Return the seconds of a run, and the flock of the last run. Seeds differ between runs."""
    runs, begin = 0, time.perf_counter()
    while not runs or time.perf_counter() - begin < MIN_SECONDS:
        runs += 1
        flock = make(case, 1000 * (round_index + 1) + runs)
        flock.run(case["steps"])
    return (time.perf_counter() - begin) / runs, flock
