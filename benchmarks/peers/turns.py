"""How a flock of this folder is driven: it flies when its turn comes, and says how long that took.

    python SCRIPT CASE

CASE is JSON. Each line that comes in on stdin is a turn: `steps` steps after one that is not timed,
answered by the seconds of one. When stdin ends, the last answer is how many neighbours each boid
has, on the average. With `whole` a turn is as many runs of so many steps as fill half a second,
making the flock included, and is answered by the seconds of a run. One processor core is used,
where the system can say so. This file is run in every peer's environment: it needs only Python.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

RUNNING = 0.5  # seconds


@dataclass(frozen=True)
class Flock:
    """What flies.

    fly         flies so many steps
    neighbours  how many others each boid's step takes into account, on the average, now
    """

    fly: Callable[[int], object]
    neighbours: Callable[[], float]


Make = Callable[[dict[str, Any], int], Flock]


def serve(make: Make) -> None:
    """Takes turns, as above.

    make  the flock of a case and a seed
    """
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever else is printed is no answer
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    case = json.loads(sys.argv[1])
    take = _run if case.get("whole") else _fly
    flock = make(case, 1)
    flock.fly(case.get("first", 1))  # compiled, and warm
    print("ready", file=answers, flush=True)
    for turn, _ in enumerate(sys.stdin):
        seconds, flock = take(make, case, flock, turn)
        print(seconds, file=answers, flush=True)
    print(flock.neighbours(), file=answers, flush=True)


def _fly(make: Make, case: dict[str, Any], flock: Flock, turn: int) -> tuple[float, Flock]:
    """(seconds a step, the flock)."""
    flock.fly(1)  # the other flock's turn has left nothing of this one in the processor's caches
    begin = time.perf_counter()
    flock.fly(case["steps"])
    return (time.perf_counter() - begin) / case["steps"], flock


def _run(make: Make, case: dict[str, Any], flock: Flock, turn: int) -> tuple[float, Flock]:
    """(seconds a run, the last one's flock); each run has a seed of its own."""
    runs, begin = 0, time.perf_counter()
    while not runs or time.perf_counter() - begin < RUNNING:
        runs += 1
        flock = make(case, 1000 * (turn + 1) + runs)
        flock.fly(case["steps"])
    return (time.perf_counter() - begin) / runs, flock
