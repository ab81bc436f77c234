"""Turns, shepherds, drones: a wrong sign or a factor is found out; and what runs are judged by."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.measures.arrays import of_arrays
from murmurate.verify import verify
from murmurate.verify.histories import Approaching, Arriving
from murmurate.verify.statistics import in_right_half, outside

LONG = pytest.mark.long


def only(name: str, measure: str, number: int = 0) -> mm.Model:
    """A model with one of its expectations."""
    model = mm.load(name)
    found = [e for e in model.expect if e.measure == measure and e.kind != "trajectory"][number]
    return model.model_copy(update={"expect": (found,)})


BROKEN = [
    ("inertial-spin", "turn_speed", {"rules.alignment.weight": -0.8}),
    ("inertial-spin", "turn_speed", {"flocks.boids.motion.inertia": 2.5}),
    ("strombom-2014", "arrived", {"rules.flee.weight": -1.0}),
    ("strombom-2014", "arrived", {"rules.herd.weight": -1.5}),
    pytest.param(
        "vasarhelyi-2018", "closest_approach", {"rules.repulsion.weight": -0.13}, marks=LONG
    ),
    ("vasarhelyi-2018", "outside", {"rules.walls.speed": 0.1}),
    ("heppner-grenander", "outside", {"rules.home.weight": -0.1}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "measure", "change"), BROKEN)
def test_a_broken_model_is_found_out(name: str, measure: str, change: dict[str, Any]) -> None:
    (result,) = verify(only(name, measure).set(change))
    assert result.differs, result


@pytest.mark.parametrize("name", [pytest.param("inertial-spin", marks=LONG), "strombom-2014"])
def test_they_do_agree(name: str) -> None:
    (result,) = verify(only(name, {"inertial-spin": "turn_speed"}.get(name, "arrived")))
    assert result.agrees, result


def test_other_histories() -> None:
    arriving, approaching = Arriving(), Approaching()
    for x in (30.0, 8.0, 30.0):
        flock = of_arrays(np.array([[x, 1.0], [x, -2.0 - x]]), np.zeros((2, 2)))
        arriving.add(flock, 0.0)
        approaching.add(flock, 0.0)
    assert arriving.arrived() == 1.0
    assert approaching.closest() == 11.0
    late = Arriving()
    late.add(of_arrays(np.array([[0.0, 10.5]]), np.zeros((1, 2))), 0.0)
    assert late.arrived() == 0.0


def test_places_in_the_space() -> None:
    places = np.array([[-0.1, 5.0], [5.0, 5.0], [5.0, 10.1], [0.0, 10.0]])
    space = mm.Space(size=(10.0, 10.0))
    flock = of_arrays(places, np.zeros((4, 2)), space=space)
    assert outside(flock) == 0.5 and in_right_half(flock) == 0.0
    assert (
        in_right_half(of_arrays(np.add(places, [1.0, 0.0]), np.zeros((4, 2)), space=space)) == 0.5
    )
