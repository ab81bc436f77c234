"""Pages have the boids of engine 'wasm', bit for bit, while boids join and leave."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.runs.live_page import flight_head
from page_worker import STATE, engine, fly, places
from random_populations import random_model

SEED = 7
RULES = {
    "align": {"kind": "alignment", "radius": 1.5, "weight": 0.3},
    "apart": {"kind": "separation", "radius": 1.0, "weight": 0.2},
    "noise": {"kind": "random-steering", "weight": 0.2},
}
SPACES: list[tuple[list[str], int, bool]] = [
    (["periodic", "periodic"], 1, False),
    (["open", "reflecting"], 2, False),
    (["held", "periodic", "open"], 2, True),
]
"""Boundaries, number of flocks, and whether a flock senses with a delay: a module for each."""
STEPS = 40


def head_of(model: mm.Model, seed: int = SEED) -> dict[str, Any]:
    boids = sum(model.max_boids(name) for name in model.flocks)
    head: dict[str, Any] = flight_head(model, seed, boids)
    return head


def check_state(reply: dict[str, Any], reference: Any) -> None:
    """Check that a page has the boids of an engine."""
    state, flocks = reply["state"], list(reference.state().flocks.values())
    assert state["counts"] == [len(flock.positions) for flock in flocks]
    assert state["ever"] == [flock.n_ever for flock in flocks]
    for key in ("indices", "births"):
        assert state[key] == np.concatenate([getattr(flock, key) for flock in flocks]).tolist()
    assert (state["places"] == places(reference)).all()


def test_river() -> None:
    """Also with other numbers, another seed, and another number of boids at the start."""
    model = mm.load("river")
    changes = {"population.entry.rate": 25.0, "population.capture.handling_time": 0.5}
    replies = fly(
        head_of(model),
        [
            {"type": "step", "steps": 300}, STATE,
            {"type": "set", "values": changes}, {"type": "step", "steps": 100}, STATE,
            {"type": "set", "values": {"flocks.fish.count": 0}},
            {"type": "restart", "seed": 11}, {"type": "step", "steps": 60}, STATE,
        ],
    )  # fmt: skip
    reference = engine(model, SEED)
    reference.step(300)
    check_state(replies[1], reference)
    reference = engine(model.set(changes), SEED, reference.state())
    reference.step(100)
    check_state(replies[4], reference)
    reference = engine(model.set({"flocks.fish.count": 0, **changes}), 11)
    reference.step(60)
    check_state(replies[-1], reference)


def test_a_flock_that_is_full_stops() -> None:
    """In the state before the step, and it says so."""
    model = mm.load("river").set({"flocks.fish.max_boids": 240})
    with pytest.raises(AssertionError, match=r"fish\.max_boids: got 242 boids at the end of"):
        fly(head_of(model), [{"type": "step", "steps": 100}, STATE])


@pytest.mark.long
@pytest.mark.parametrize("number", range(36))
def test_random_populations(number: int) -> None:
    """Empty and full flocks among them, and flocks that sense late."""
    rng, (kinds, flocks, senses_late) = np.random.default_rng(number), SPACES[number % len(SPACES)]
    while True:
        tables = random_model(rng, kinds, flocks, RULES)
        if any(entry["kind"] == "capture" for entry in tables["population"].values()):
            break  # it adds per-boid state, and so another module
    for table in tables["flocks"].values():
        if "max_boids" in table:
            table["max_boids"] = int(rng.choice([60, 150]))
    if senses_late:
        tables["flocks"]["f0"]["sensing"] = {"delay": 3 * tables["dt"]}
    model = mm.Model(**tables)
    reference, steps, failed = engine(model, SEED), STEPS, False
    try:
        reference.step(STEPS)
    except mm.PopulationError:
        steps, failed = reference.step_number, True
    replies = fly(head_of(model), [{"type": "step", "steps": steps}, STATE] if steps else [STATE])
    check_state(replies[-1], reference)
    if failed:
        with pytest.raises(AssertionError, match=r"max_boids: got .* at the end of step"):
            fly(head_of(model), [{"type": "step", "steps": steps + 1}, STATE])
