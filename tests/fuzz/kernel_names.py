"""Cases: flocks, rules, obstacles and numbers named like variables of the kernels, simulated by
the fast engine and by the reference engine."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from guard import Fault, Guard

import flights
import murmurate as mm

NAMES = (
    "chunk", "turn", "x", "y", "z", "layer", "time", "step", "dt", "boid", "k", "cell", "table",
    "start", "now", "new", "seed", "count", "grid", "real", "first", "last", "part", "rows", "ids",
    "int64", "float32", "math", "sqrt", "range", "numba", "lambda", "None",
)  # fmt: skip
"""Most are variables of the kernels' templates; some are words of Python and of numba."""


class Time(mm.Rule):
    """Pushes along an axis, by an amount with the name of a kernel's variable."""

    step: mm.Scalar = mm.quantity(0.1)

    def alone(self, me):  # type: ignore[no-untyped-def]
        return self.step, 0.0, 0.0


def prepare(folder: Path) -> None:
    """Nothing is shared."""


def case(dice: Random, valid: Path, guard: Guard) -> None:
    """Two flocks of few boids, four rules and an obstacle, of other names each time."""
    names = dice.sample(NAMES, 7)
    one, other, obstacle, *rules = names
    if "time" not in names:
        rules[3] = dice.choice(["time", rules[3]])  # then its number is time.step
    table: dict[str, Any] = {
        "order": dice.choice(["synchronous", "synchronous", "one-by-one", "shuffled"]),
        "space": {"size": [10.0, 10.0, 10.0][: dice.choice([2, 3])], "boundary": "periodic"},
        "flocks": {
            one: {"count": 9, "motion": {"kind": "add", "max_speed": 1.0}},
            other: {"count": 5, "motion": {"kind": "add", "max_speed": 1.0}},
        },
        "rules": {
            rules[0]: {"kind": "cohesion", "moves": one, "weight": 0.1, "radius": 4.0},
            rules[1]: {"kind": "separation", "moves": one, "senses": obstacle, "radius": 3.0},
            rules[2]: {"kind": "hunt", "moves": other, "senses": one, "weight": 0.2},
            rules[3]: {"kind": "time", "moves": one, "step": 0.2},
        },
        "obstacles": {
            obstacle: {"kind": "sphere", "centre": [5.0] * 3, "radius": 1.0},
        },
    }
    dims = len(table["space"]["size"])
    table["obstacles"][obstacle]["centre"] = [5.0] * dims
    cells = dice.random() < 0.6
    where = "in cells" if cells else "all pairs"
    guard.did(f"names {[one, other, obstacle, *rules]}, {dims}-D, {table['order']}, {where}")
    model = mm.Model.model_validate(table)
    with flights.in_cells() if cells else flights.whole():
        fast = flights.cpu(model)
    plain = flights.reference(model)
    for engine in (fast, plain):
        engine.step(2)
    try:
        flights.assert_agree(fast, plain)
    except AssertionError as error:
        raise Fault(f"engines differ: {error}") from None
    if not all(np.isfinite(arrays[0]).all() for arrays in flights.arrays(fast).values()):
        raise Fault("numbers that are not finite")
