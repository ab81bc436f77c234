"""Simulates models with this checkout and writes their last states: run by same_bits.py, with the
folders src and tests of a checkout on Python's path.

    states.py FOLDER '{"only": ["p5"], "engines": ["cpu"], "dtypes": ["float32"], "threads": [1],
                       "steps": 8}'
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np

import flights
import murmurate as mm
import structures

BOIDS = 300
"""In the largest flock of what is flown in cells and in slabs."""


def models(only: list[str]) -> Iterator[tuple[str, Callable[[], mm.Model], bool]]:
    """Yield names, functions that make models, and whether these are to be in cells."""
    found: list[tuple[str, Callable[[], mm.Model], bool]] = []
    for name in sorted(mm.zoo()):
        found.append((name, lambda name=name: mm.load(name), False))  # type: ignore[misc]
    for name, (make, _) in structures.STRUCTURES.items():
        found.append((f"structure-{name}", make, True))
    yield from (one for one in found if not only or any(word in one[0] for word in only))


def main(folder: Path, plan: dict[str, Any]) -> None:
    for name, make, in_cells in models(plan["only"]):
        model = make()
        for engine in plan["engines"]:
            for dtype in plan["dtypes"]:
                for threads in plan["threads"] if engine == "cpu" else [1]:
                    run = f"{name}-{engine}-{dtype}-{threads}-{plan['steps']}"
                    file = folder / f"{run}.npz"
                    if not file.exists():
                        with flights.in_cells() if in_cells else nullcontext():
                            arrays = flown(model, engine, dtype, threads, plan["steps"])
                        if arrays is None:
                            continue
                        np.savez(file.with_suffix(".part.npz"), **arrays)
                        file.with_suffix(".part.npz").replace(file)
                    print(run, flush=True)


def flown(
    model: mm.Model, engine: str, dtype: str, threads: int, steps: int
) -> dict[str, np.ndarray] | None:
    """Return the last state, or None where an engine refuses the model."""
    options: dict[str, Any] = {"engine": engine}
    options |= {"threads": threads} if engine == "cpu" else {}
    if engine == "slabs":
        largest = max(model.flocks, key=lambda flock: model.flocks[flock].count)
        model = model.set({f"flocks.{largest}.count": BOIDS})
        options = {"threads": 1, "engine": mm.Slabs(workers=3, address="here")}
    try:
        simulation = mm.Simulation(model, dtype=dtype, seed=5, **options)
    except mm.ModelError:
        return None
    try:
        simulation.step(steps)
    except mm.RunError as error:
        return {"lost": np.array([error.step, error.boid])}
    found = {}
    for flock in simulation.frame.values():
        for what in ("positions", "velocities", "perch_timers", "memory"):
            value = getattr(flock, what)
            if value is not None:
                found[f"{flock.name} {what}"] = np.asarray(value)
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]), json.loads(sys.argv[2]))
