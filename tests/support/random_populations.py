"""Random models whose boids join and leave, as tables: entries, starts and regions of all kinds."""

from __future__ import annotations

from typing import Any

import numpy as np

BOUNDARIES = ("open", "periodic", "reflecting", "held")
KINDS = (
    "source", "group", "births", "exit", "deaths", "failure", "lifetime", "removal", "capture",
)  # fmt: skip


def random_model(rng: np.random.Generator, boundaries: list[str] | None = None, flocks: int = 0,
                 rules: dict[str, Any] | None = None) -> dict[str, Any]:  # fmt: skip
    """Return the tables of a model of one to three flocks.

    boundaries  of the space, whose sides are random; random ones unless given
    flocks  number of flocks; random unless given
    rules  rules of all flocks, whose motion stores the heading
    """
    kinds = boundaries or [str(rng.choice(BOUNDARIES)) for _ in range(rng.integers(2, 4))]
    names = [f"f{k}" for k in range(flocks or rng.integers(1, 4))]
    parts = _Parts(rng, kinds, names, float(rng.choice([1.0, 0.1, 0.25])))
    population = {f"e{k}": parts.entry() for k in range(rng.integers(2, 8))}
    tables: dict[str, Any] = {}
    for name in names:
        grows = any(entry.get("flock") == name for entry in population.values())
        tables[name] = {
            "count": int(rng.choice([0, 5, 30] if grows else [1, 5, 30])),
            "start": {"kind": "box", "velocity": {"kind": "directions", "speed": 1}},
            "motion": {"kind": "active-brownian", "speed": 0.02 * min(parts.size) / parts.dt},
        } | ({"max_boids": int(rng.choice([60, 300, 2000]))} if grows else {})
    return {
        "dt": parts.dt,
        "space": {"size": parts.size, "origin": parts.lower, "boundary": kinds},
        "flocks": tables,
        "rules": {name: {**rule, "moves": names} for name, rule in (rules or {}).items()},
        "population": population,
    }


class _Parts:
    """Parts of a model's population."""

    def __init__(
        self, rng: np.random.Generator, kinds: list[str], names: list[str], dt: float
    ) -> None:
        self.rng, self.kinds, self.names, self.dt = rng, kinds, names, dt
        self.dims = len(kinds)
        self.size = [float(rng.uniform(5, 15)) for _ in kinds]
        self.lower = [float(rng.uniform(-5, 5)) for _ in kinds]

    def inside(self, part: float) -> list[float]:
        return [a + part * s for a, s in zip(self.lower, self.size, strict=True)]

    def number(self, value: float) -> Any:
        """Return a number, or a schedule that holds it first."""
        if self.rng.random() > 0.25:
            return value
        begin, end = 2 * self.dt, 10 * self.dt
        return {"kind": "ramp", "start": value, "stop": 1.5 * value, "begin": begin, "end": end}

    def velocity(self) -> dict[str, Any]:
        cube = {"kind": "cube", "lower": [-1.0] * self.dims, "upper": [0.5] * self.dims}
        laws: list[dict[str, Any]] = [
            {"kind": "stationary"},
            {"kind": "directions", "speed": 0.5, "up_to": 1.5},
            cube, cube | {"speed": 2.0},
            {"kind": "heading", "velocity": [1.0] * self.dims, "spread": 0.3},
        ]  # fmt: skip
        return laws[self.rng.integers(len(laws))]

    def start(self) -> dict[str, Any]:
        radius, velocity = 0.2 * min(self.size), self.velocity()
        rows = [self.inside(float(self.rng.uniform(0.1, 0.9))) for _ in range(3)]
        starts: list[dict[str, Any]] = [
            {"kind": "box", "velocity": velocity},
            {"kind": "box", "lower": self.inside(0.2), "upper": self.inside(0.6),
             "velocity": velocity},
            {"kind": "ball", "radius": radius, "centre": self.inside(0.5), "velocity": velocity},
            {"kind": "ring", "radius": radius, "centre": self.inside(0.5), "speed": 0.7},
            {"kind": "given", "positions": rows},
            {"kind": "given", "positions": rows, "velocities": [[0.1] * self.dims] * 3},
            {"kind": "off-screen", "distance": radius, "velocity": velocity},
        ]  # fmt: skip
        closed = {"reflecting", "held"} & set(self.kinds)
        return starts[self.rng.integers(len(starts) - bool(closed))]

    def region(self) -> dict[str, Any]:
        axes = [a for a, kind in enumerate(self.kinds) if kind in ("open", "held")]
        centre = self.inside(float(self.rng.random()))
        regions: list[dict[str, Any]] = [
            {"kind": "box", "lower": self.inside(0.3), "upper": self.inside(0.45)},
            {"kind": "ball", "centre": centre, "radius": self.number(0.15 * min(self.size))},
        ]
        if axes:
            side = str(self.rng.choice(["lower", "upper"]))
            regions.append({"kind": "face", "axis": "xyz"[self.rng.choice(axes)], "side": side})
        return regions[self.rng.integers(len(regions))]

    def entry(self) -> dict[str, Any]:
        rng, dt, flock = self.rng, self.dt, str(self.rng.choice(self.names))
        some = [name for name in self.names if rng.random() < 0.6] or [flock]
        kind = str(rng.choice(KINDS))
        if kind == "source":
            rate = self.number(float(rng.choice([0.2, 3, 15, 40])) / dt)
            return {"kind": kind, "flock": flock, "rate": rate, "start": self.start()}
        if kind == "group":
            times = [0.5 * dt * int(k) for k in sorted(rng.choice(np.arange(1, 30), 3, False))]
            entry = {"kind": "source", "flock": flock, "times": times, "start": self.start()}
            return entry | ({"numbers": [3, 1, 4]} if rng.random() < 0.6 else {})
        if kind == "births":
            rate = self.number(float(rng.choice([0.01, 0.1, 0.6])) / dt)
            distance = float(rng.choice([0, 0.5, 3]))
            return {"kind": kind, "flock": flock, "rate": rate, "distance": distance}
        if kind == "exit":
            return {"kind": kind, "region": self.region(), "flocks": some}
        if kind == "deaths":
            rate = self.number(float(rng.choice([0.01, 0.2, 1.5])) / dt)
            return {"kind": kind, "flocks": some, "rate": rate}
        if kind == "failure":
            then = str(rng.choice(["stop", "drift", "leave"]))
            rate = self.number(float(rng.choice([0.05, 0.5])) / dt)
            return {"kind": kind, "flocks": some, "rate": rate, "then": then}
        if kind == "lifetime":
            return {"kind": kind, "flocks": some, "duration": float(rng.choice([0.3, 4, 12])) * dt}
        if kind == "removal":
            entry = {"kind": kind, "flocks": some, "state": "motion.heading_x"}
            return entry | (
                {"above": self.number(0.95)} if rng.random() < 0.5 else {"below": -0.97}
            )
        prey = [name for name in self.names if name not in some] or self.names
        return {
            "kind": kind, "predators": some, "prey": prey,
            "radius": self.number(0.1 * min(self.size)),
            "handling_time": float(rng.choice([0, 1, 2.5])) * dt,
            "probability": float(rng.choice([0.3, 0.6, 1.0])),
            "cannibalism": bool(set(some) & set(prey)),
        }  # fmt: skip
