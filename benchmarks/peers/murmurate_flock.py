"""murmurate: the same flock as a peer, on one thread."""

from __future__ import annotations

import math
import tempfile
from pathlib import Path
from typing import Any

import standard_flock as standard
from timed_flock import Flock, serve

import murmurate as mm
from murmurate.bench.flocks import abm, uniform
from murmurate.model.rule import NeighbourRule


def agentpy(case: dict[str, Any]) -> mm.Model:
    dims = case["dims"]
    size = [case["side"]] * dims
    return mm.load(f"agentpy-{dims}d").set(
        {"flocks.boids.count": case["boids"], "space.size": size}
    )


def mesa(case: dict[str, Any]) -> mm.Model:
    model = abm(case["boids"], case["side"], case["vision"])
    return model.set({"rules.separation.radius": case["separation"]})


def pyvicsek(case: dict[str, Any]) -> mm.Model:
    """Return a model that adds half a random unit vector to the mean heading."""
    within = {"radius": 1.0, "include_self": True}
    return mm.Model(
        space={"size": [(case["boids"] / 4) ** 0.5] * 2, "boundary": "periodic"},
        flocks={
            "boids": {
                "count": case["boids"],
                "start": {"kind": "box", "velocity": {"kind": "directions", "speed": 0.03}},
                "motion": {"kind": "self-propelled", "speed": 0.03},
            }
        },
        rules={
            "heading-alignment": {**within, "normalise": True},
            "vectorial-noise": {**within, "times": "one", "weight": 0.5},
        },
    )


def zoo(case: dict[str, Any]) -> mm.Model:
    return mm.load(case["model"]).set({"flocks.boids.count": case["boids"]})


def standard_torus(case: dict[str, Any]) -> mm.Model:
    return uniform(case["boids"], case.get("near", standard.NEIGHBOURS))


MODELS = {
    "agentpy": agentpy, "mesa": mesa, "pyvicsek": pyvicsek, "zoo": zoo, "film": zoo,
    "standard": standard_torus,
}  # fmt: skip


def reach(model: mm.Model) -> float:
    """Return the largest radius within which a boid senses others of its flock."""
    rules = [rule for rule in model.rules.values() if isinstance(rule, NeighbourRule)]
    return max(rule.radius for rule in rules if rule.moves in ("", "boids") and not rule.senses)


def flock(case: dict[str, Any], seed: int) -> Flock:
    model = MODELS[case["ours"]](case)
    if case["ours"] == "film":
        return Flock(lambda pictures: film(model, pictures, case), lambda: 0.0)
    simulation = mm.Simulation(model, seed=seed, threads=1)

    def neighbours() -> float:
        radius = reach(model)
        if math.isinf(radius):
            return case["boids"] - 1.0
        side = model.space.size[0] if "periodic" in model.space.boundaries else None
        return standard.mean_neighbours(simulation.frame["boids"].positions, radius, side)

    return Flock(simulation.step, neighbours)


def film(model: mm.Model, pictures: int, case: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "film.mp4"
        mm.film(model, path, view=mm.View(steps=pictures, size=tuple(case["size"]), every=1))


if __name__ == "__main__":
    serve(flock)
