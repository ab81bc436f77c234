"""Models whose boids join and leave: a population for each of the structures."""

from __future__ import annotations

from typing import Any

import murmurate as mm


def population_of(model: mm.Model, rate: float = 2.0) -> dict[str, Any]:
    """Return a population with much turnover for a model: boids per step join and leave."""
    space, dt = model.space, model.dt
    names = list(model.flocks)
    middle = [a + s / 2 for a, s in zip(space.lower, space.size, strict=True)]
    low = [a + 0.25 * s for a, s in zip(space.lower, space.size, strict=True)]
    high = [a + 0.75 * s for a, s in zip(space.lower, space.size, strict=True)]
    size = min(space.size)
    speed = {"kind": "directions", "speed": 0.2, "up_to": 1.0}
    tables: dict[str, Any] = {
        "gate": {
            "kind": "source",
            "flock": names[0],
            "rate": rate / dt,
            "start": {"kind": "box", "lower": low, "upper": high, "velocity": speed},
        },
        "deaths": {"kind": "deaths", "flocks": names[0], "rate": 0.04 / dt},
        "young": {
            "kind": "births",
            "flock": names[0],
            "rate": 0.03 / dt,
            "distance": 0.0437 * size,
        },
        "hole": {
            "kind": "exit",
            "region": {"kind": "ball", "centre": middle, "radius": 0.08 * size},
        },
        "age": {"kind": "lifetime", "flocks": names[-1], "duration": 9.5 * dt},
    }
    then = "leave" if model.integrator != "euler" else "drift" if model.space.dims == 2 else "stop"
    tables["faults"] = {"kind": "failure", "flocks": names, "rate": 0.05 / dt, "then": then}
    if len(names) > 1:
        tables["guests"] = {
            "kind": "source",
            "flock": names[1],
            "times": [2 * dt, 5 * dt, 7.5 * dt],
            "numbers": [3, 1, 4],
            "start": {"kind": "ball", "centre": middle, "radius": 0.3 * size, "velocity": speed},
        }
        tables["hunt"] = {
            "kind": "capture",
            "predators": names[1],
            "prey": names[0],
            "radius": 0.1 * size,
            "handling_time": 2 * dt,
            "probability": 0.7,
        }
    return tables


def peopled(model: mm.Model, rate: float = 2.0) -> mm.Model:
    """Return a model with a population. Perching and other parts stay as they are."""
    return mm.Model(**(model.to_dict() | {"population": population_of(model, rate)}))
