"""Turns, shepherds, drones: verify notices a wrong sign or factor; statistics of whole runs."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.measures.arrays import of_arrays
from murmurate.verify import verify
from murmurate.verify.statistics import (
    Arrival,
    ClosestApproach,
    in_right_half,
    outside,
    select_flock,
)

LONG = pytest.mark.long


def only(name: str, measure: str, number: int = 0) -> mm.Model:
    """A model with one of its expectations."""
    model = mm.load(name)
    chosen = [e for e in model.expect if e.measure == measure and e.kind != "trajectory"][number]
    return model.model_copy(update={"expect": (chosen,)})


BROKEN = [
    pytest.param("inertial-spin", "turn_speed", {"rules.alignment.weight": -0.8}, marks=LONG),
    pytest.param("inertial-spin", "turn_speed", {"flocks.boids.motion.inertia": 2.5}, marks=LONG),
    pytest.param("strombom-2014", "arrived", {"rules.flee.weight": -1.0}, marks=LONG),
    ("strombom-2014", "arrived", {"rules.herd.weight": -1.5}),
    pytest.param(
        "vasarhelyi-2018", "closest_approach", {"rules.repulsion.weight": -0.13}, marks=LONG
    ),
    ("vasarhelyi-2018", "outside", {"rules.walls.speed": 0.1}),
    ("heppner-grenander", "outside", {"rules.home.weight": -0.1}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "measure", "change"), BROKEN)
def test_verify_notices_a_broken_model(name: str, measure: str, change: dict[str, Any]) -> None:
    (result,) = verify(only(name, measure).set(change))
    assert result.differs, result


@pytest.mark.slow
@pytest.mark.parametrize("name", [pytest.param("inertial-spin", marks=LONG), "strombom-2014"])
def test_intact_models_agree(name: str) -> None:
    (result,) = verify(only(name, {"inertial-spin": "turn_speed"}.get(name, "arrived")))
    assert result.agrees, result


def test_statistics_of_a_run() -> None:
    arrival, approach = Arrival(), ClosestApproach()
    for x in (30.0, 8.0, 30.0):
        flock = of_arrays(np.array([[x, 1.0], [x, -2.0 - x]]), np.zeros((2, 2)))
        arrival.add(flock, 0.0)
        approach.add(flock, 0.0)
    assert arrival.arrived() == 1.0
    assert approach.distance() == 11.0
    late = Arrival()
    late.add(of_arrays(np.array([[0.0, 10.5]]), np.zeros((1, 2))), 0.0)
    assert late.arrived() == 0.0


def test_shares_of_the_space() -> None:
    positions = np.array([[-0.1, 5.0], [5.0, 5.0], [5.0, 10.1], [0.0, 10.0]])
    space = mm.Space(size=(10.0, 10.0))
    flock = of_arrays(positions, np.zeros((4, 2)), space=space)
    assert outside(flock) == 0.5 and in_right_half(flock) == 0.0
    moved = of_arrays(np.add(positions, [1.0, 0.0]), np.zeros((4, 2)), space=space)
    assert in_right_half(moved) == 0.5


def test_all_boids_as_one_flock_have_their_births_and_traits() -> None:
    """So that statistics of who left, and of common traits, count those of all flocks."""
    model = mm.Model(
        space=mm.Space(size=(9.0, 9.0)),
        flocks={"a": mm.Flock(count=3), "b": mm.Flock(count=2)},
    )
    frame = mm.Simulation(model, 1, engine="reference").frame
    flocks = {
        name: dataclasses.replace(
            flock, n_ever=7, births=np.arange(len(flock)), traits={"x": np.ones(len(flock))}
        )
        for name, flock in frame.items()
    }
    everyone = select_flock(dataclasses.replace(frame, flocks=flocks), "all")
    assert (len(everyone), everyone.n_ever, everyone.n_left) == (5, 14, 9)
    assert everyone.births.tolist() == [0, 1, 2, 0, 1]
    assert everyone.traits["x"].tolist() == [1.0] * 5
