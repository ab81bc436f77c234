"""Numbers that differ between boids, in closed form, and beside flocks of equal boids."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import flights
import murmurate as mm

ENGINES = ["reference", pytest.param("cpu", marks=pytest.mark.slow)]
COUNT = 30


def random_start(count: int, dims: int = 2, seed: int = 2) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    headings = random.normal(size=(count, dims))
    headings /= np.linalg.norm(headings, axis=1, keepdims=True)
    return random.random((count, dims)) * 20.0, headings


@pytest.mark.parametrize("engine", ENGINES)
def test_boids_at_their_own_speeds(engine: str) -> None:
    """Without rules each boid moves in a straight line, at its own speed."""
    model = mm.Model(
        dt=0.5,
        space=mm.Space(size=(20.0, 20.0)),
        flocks={
            "boids": mm.Flock(
                count=COUNT, motion=mm.ConstantSpeed(speed=mm.Lognormal(mean=1.0, sd=0.4))
            )
        },
    )
    x, headings = random_start(COUNT)
    simulation = mm.Simulation(
        model, seed=3, start={"boids": (x, headings)}, engine=engine, dtype="float64"
    )
    boids = simulation.step(40).frame["boids"]
    speeds = boids.traits["motion.speed"]
    expected = x + 20.0 * speeds[:, None] * headings
    assert np.abs(boids.positions - expected).max() < 1e-10
    assert np.linalg.norm(boids.velocities, axis=1) == pytest.approx(speeds, rel=1e-12)
    assert speeds.std() > 0.1


@pytest.mark.parametrize("engine", ENGINES)
def test_relaxation_to_own_places_at_own_rates(engine: str) -> None:
    """With replace and a spring, x - place shrinks by the factor 1 - weight * dt in each step."""
    random = np.random.default_rng(5)
    weights, places = random.uniform(0.1, 1.0, COUNT), random.random((COUNT, 2)) * 20.0
    model = mm.Model(
        dt=0.5,
        space=mm.Space(size=(20.0, 20.0)),
        flocks={"boids": mm.Flock(count=COUNT, motion=mm.Replace())},
        rules={"home": mm.TendToPlace(place=places, weight=weights)},
    )
    x, v = random_start(COUNT)
    simulation = mm.Simulation(
        model, seed=3, start={"boids": (x, v)}, engine=engine, dtype="float64"
    )
    boids = simulation.step(7).frame["boids"]
    expected = places + (x - places) * (1.0 - 0.5 * weights[:, None]) ** 7
    assert np.abs(boids.positions - expected).max() < 1e-10


def two_types(together: bool) -> tuple[mm.Model, dict[str, Any]]:
    """Return a model of two types of boids, as one flock or as two, and its start."""
    x, v = random_start(COUNT)
    first, cut = np.arange(COUNT) < 10, 10
    speed, weight, radius = (np.where(first, a, b) for a, b in ((1.0, 0.6), (0.4, 0.1), (3.0, 5.0)))
    space = mm.Space(size=(20.0, 20.0), boundary="periodic")
    if together:
        flock = mm.Flock(count=COUNT, motion=mm.Add(max_speed=speed))
        rules = {
            "cohesion": mm.Cohesion(radius=radius, weight=weight, field_of_view=150.0),
            "apart": mm.Separation(radius=2.0, law="linear", weight=weight / 5),
        }
        return mm.Model(dt=0.1, space=space, flocks={"all": flock}, rules=rules), {"all": (x, v)}
    flocks = {
        "a": mm.Flock(count=cut, motion=mm.Add(max_speed=1.0)),
        "b": mm.Flock(count=COUNT - cut, motion=mm.Add(max_speed=0.6)),
    }
    rules = {}
    for name, k, r in (("a", 0.4, 3.0), ("b", 0.1, 5.0)):
        senses: Any = {"moves": name, "senses": ("a", "b")}
        rules[f"cohesion-{name}"] = mm.Cohesion(radius=r, weight=k, field_of_view=150.0, **senses)
        rules[f"apart-{name}"] = mm.Separation(radius=2.0, law="linear", weight=k / 5, **senses)
    start = {"a": (x[:cut], v[:cut]), "b": (x[cut:], v[cut:])}
    return mm.Model(dt=0.1, space=space, flocks=flocks, rules=rules), start


@pytest.mark.parametrize("engine", [*ENGINES, pytest.param("cells", marks=pytest.mark.slow)])
def test_one_flock_of_two_types_equals_two_flocks(engine: str) -> None:
    results = []
    for together in (True, False):
        model, start = two_types(together)
        if engine == "reference":
            simulation: Any = flights.reference(model, start)
        elif engine == "cells":
            with flights.in_cells():
                simulation = flights.interpreted(model, start)
        else:
            simulation = flights.interpreted(model, start)
        simulation.step(30)
        results.append(np.concatenate([p for p, _, _ in flights.arrays(simulation).values()]))
    assert np.abs(results[0] - results[1]).max() < 1e-9


@pytest.mark.slow
def test_a_distribution_without_spread_gives_the_bits_of_a_plain_number() -> None:
    """sd 0 and a choice of one value are the same numbers, and the same sums."""
    plain, start = two_types(True)
    plain = plain.set({"rules.cohesion.weight": 0.3, "rules.cohesion.radius": 4.0})
    same = plain.set(
        {
            "rules.cohesion.weight": mm.Normal(mean=0.3, sd=0.0),
            "rules.cohesion.radius": mm.Choice(values=(4.0,)),
        }
    )
    assert set(same.traits_of("all")) > set(plain.traits_of("all"))
    one, other = flights.interpreted(plain, start), flights.interpreted(same, start)
    one.step(20)
    other.step(20)
    flights.assert_same_bits(one, other)
