"""Numbers that differ between boids in pages: drawn, changed and refused as in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.engines.individual_numbers import individual_numbers
from murmurate.model.distribution import DISTRIBUTIONS
from murmurate.runs.live_page import flight_head
from page_worker import STATE, engine, fly, places
from tiny_model import TINY

SEED = 11
SCHOOL: dict[str, Any] = {
    "flocks.boids.motion": {
        "kind": "constant-speed", "speed": {"kind": "uniform", "min": 0.5, "max": 1.5}
    },
    "flocks.sharks": {
        "count": 3,
        "motion": {"kind": "constant-speed", "speed": {"kind": "choice", "values": [1, 3]}},
    },
    "rules.alignment": {
        "moves": ["boids", "sharks"], "senses": "boids",
        "radius": {"kind": "normal", "mean": 3, "sd": 1, "min": 1, "max": 6},
        "field_of_view": {"kind": "uniform", "min": 60, "max": 180},
        "weight": {"kind": "lognormal", "mean": 1, "sd": 0.5, "draw": "bold"},
    },
    "rules.cohesion": {
        "moves": "boids", "radius": 5,
        "weight": {"kind": "lognormal", "mean": 0.5, "sd": 0.5, "draw": "bold"},
    },
    "space.size": [30, 30], "flocks.boids.count": 24, "name": "school",
}  # fmt: skip
WEIGHT = "rules.alignment.weight"
RADIUS = "rules.alignment.radius"


def random_distribution(rng: np.random.Generator, low: float, high: float) -> dict[str, Any]:
    """Return a distribution of numbers between two bounds, as tables have it."""
    kind = str(rng.choice([each.model_fields["kind"].default for each in DISTRIBUTIONS[:-1]]))
    lowest, highest = np.sort(rng.uniform(low, high, 2)).tolist()
    if kind == "uniform":
        return {"kind": kind, "min": lowest, "max": highest}
    if kind == "choice":
        shares = rng.dirichlet([1.0, 1.0, 1.0]).tolist()
        return {
            "kind": kind, "values": rng.uniform(low, high, 3).tolist(), "probabilities": shares
        }  # fmt: skip
    sd = (high - low) * float(rng.choice([0.0, 0.01, 0.3, 2.0]))
    own = {"draw": "bold"} if rng.random() < 0.5 else {}
    bounds = {"min": lowest, "max": highest}
    return {"kind": kind, "mean": (lowest + highest) / 2, "sd": sd, **bounds, **own}


@pytest.mark.slow
def test_random_distributions_in_pages_have_the_bits_of_engine_wasm() -> None:
    """Positions after some steps depend on each number; seeds and numbers of boids change too."""
    rng, model = np.random.default_rng(3), mm.parse(TINY).set(SCHOOL)
    paths = {
        WEIGHT: (0.1, 2.0), "rules.cohesion.weight": (0.1, 2.0), RADIUS: (0.5, 9.0),
        "rules.alignment.field_of_view": (10.0, 180.0), "flocks.boids.motion.speed": (0.1, 3.0),
        "flocks.sharks.motion.speed": (0.1, 3.0),
    }  # fmt: skip
    messages: list[dict[str, Any]] = []
    expected = []
    for _ in range(40):
        values: dict[str, Any] = {k: random_distribution(rng, *ends) for k, ends in paths.items()}
        values["flocks.boids.count"] = int(rng.integers(2, 60))
        seed = int(rng.integers(2**53))
        messages += [
            {"type": "set", "values": values}, {"type": "restart", "seed": seed},
            {"type": "step", "steps": 3}, STATE,
        ]  # fmt: skip
        run = engine(model.set(values), seed)
        run.step(3)
        expected.append(places(run))
    replies = fly(flight_head(model, SEED, 80), messages)
    assert [reply["error"] for reply in replies if "error" in reply] == []
    states = [reply["state"]["places"] for reply in replies if "state" in reply]
    assert [np.array_equal(a, b) for a, b in zip(states, expected, strict=True)] == [True] * 40


@pytest.mark.slow
def test_changes_in_pages_are_checked_as_in_python() -> None:
    """What Python refuses, the page refuses, and nothing is changed then."""
    model = mm.parse(TINY).set(SCHOOL)
    normal = {"kind": "normal", "mean": 3.0, "sd": 1.0, "min": 1.0, "max": 6.0}
    refused: list[dict[str, Any]] = [
        {f"{RADIUS}.sd": -1.0}, {f"{RADIUS}.min": 7.0}, {f"{RADIUS}.min": -1.0},
        {RADIUS: {"kind": "normal", "mean": 3.0, "sd": 1.0, "min": 1.0}},
        {RADIUS: {**normal, "max": 40.0}}, {RADIUS: {**normal, "min": 0.0, "max": 1e-12}},
        {RADIUS: {**normal, "mean": "many"}}, {WEIGHT: {"kind": "lognormal", "mean": 0, "sd": 1}},
        {WEIGHT: {"kind": "lognormal", "mean": 1.0, "sd": 1e9}},
        {WEIGHT: {"kind": "choice", "values": [1.0, 2.0], "probabilities": [0.5, 0.6]}},
        {WEIGHT: {"kind": "choice", "values": []}}, {WEIGHT: {"kind": "each", "values": [1.0]}},
        {"flocks.boids.motion.speed": {"kind": "uniform", "min": -1.0, "max": 1.0}},
    ]  # fmt: skip
    for change in refused:
        with pytest.raises(mm.ModelError):
            model.set(change)
    only_here = [
        {"rules.cohesion.radius": normal},  # compiled as one number
        {WEIGHT: {"kind": "ramp", "start": 0.1, "stop": 1.0, "end": 3.0}},
    ]
    changes = [{"type": "set", "values": change} for change in [*refused, *only_here]]
    *replies, text = fly(flight_head(model, SEED, 80), [*changes, {"type": "toml"}])
    assert [reply.get("error", "") != "" for reply in replies] == [True] * len(changes)
    assert mm.parse(text["toml"]) == model


def test_a_chosen_boid_tells_its_numbers_and_the_model_has_those_of_the_page() -> None:
    model = mm.load("jolles-2017")
    speed = "flocks.boids.motion.speed"
    changed = model.set({f"{speed}.sd": 0.3, "rules.goal.weight": 0.2})
    messages: list[dict[str, Any]] = [
        {"type": "set", "values": {f"{speed}.sd": 0.3, "rules.goal.weight": 0.2}},
        {"type": "choose", "flock": "boids", "boid": 7}, {"type": "toml"},
    ]  # fmt: skip
    _, chosen, text = fly(flight_head(model, SEED, 40), messages)
    drawn = individual_numbers(changed, SEED, "boids", np.arange(20))["motion.speed"]
    own = chosen["boid"]["numbers"]
    assert own == {"motion.speed": pytest.approx(drawn[7], rel=1e-14), "rules.goal.weight": 0.2}
    assert mm.parse(text["toml"]) == changed


def test_boids_that_join_have_numbers_and_state_of_their_own() -> None:
    parts = {
        "flocks.boids.max_boids": 60,
        "population": {"births": {"kind": "births", "rate": 0.1, "distance": 0.1}},
    }  # fmt: skip
    model = mm.load("swarmalators").set({"flocks.boids.count": 30, **parts})
    messages: list[dict[str, Any]] = [{"type": "step", "steps": 30}, STATE]
    state = fly(flight_head(model, SEED, 60), messages)[-1]["state"]
    reference = engine(model, SEED)
    reference.step(30)
    assert np.array_equal(state["places"], places(reference))
