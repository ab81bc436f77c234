"""Measure engine gpu on the published flocks, in this checkout and in an earlier one.

    git worktree add ../before COMMIT
    python benchmarks/gpu.py --zoo ../before [--boids 1000] [--rounds 5]

Each checkout simulates in a process of its own, and the rounds alternate. The flocks are as in
their files, with at most `--boids` boids. Both processes may use the same adapter, also a software
adapter: the ratio of the times is then that of the work, not that of a card.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

from child_process import ChildFailed

sys.path.append(str(Path(__file__).parent / "peers"))
from timed_child import TimedChild
from timed_flock import Flock, serve

import murmurate as mm

ROOT = Path(__file__).resolve().parents[1]
STEPS = 10  # of a round


def flock(case: dict[str, Any], seed: int) -> Flock:
    """Return the flock of a case."""
    model = mm.load(case["name"])
    large = {k for k, flock in model.flocks.items() if flock.count > case["boids"]}
    model = model.set({f"flocks.{k}.count": case["boids"] for k in large})
    simulation = mm.Simulation(model, seed=seed, engine=mm.Gpu(case["adapter"]))
    return Flock(simulation.step, lambda: 0.0)


def compare(
    before: Path, boids: int, rounds: int, adapter: str | None
) -> Iterator[tuple[str, float, float, float]]:
    """Yield name, milliseconds per step before and now, and the median ratio of the rounds.

    Models that one of the checkouts refuses are left out.
    """
    folders = (before.resolve(), ROOT)
    for name in mm.zoo():
        case = {"name": name, "boids": boids, "adapter": adapter, "steps": STEPS}
        with ExitStack() as stack:
            try:
                children = [
                    stack.enter_context(
                        TimedChild(
                            [sys.executable, __file__],
                            case,
                            {**os.environ, "PYTHONPATH": str(folder / "src")},
                        )
                    )
                    for folder in folders
                ]
                for _ in range(rounds):
                    for child in children:
                        child.time_round()
            except ChildFailed as error:
                print(f"{name:24}  left out: {str(error).strip().splitlines()[-1][:100]}")
                continue
            old, new = (child.seconds for child in children)
        ratio = median(a / b for a, b in zip(old, new, strict=True))
        yield name, 1e3 * median(old), 1e3 * median(new), ratio


if __name__ == "__main__":
    serve(flock)
