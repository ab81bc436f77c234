"""What is said of models that can be flown and look wrong: walls across periodic axes."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import murmurate as mm
from murmurate.model.warnings import model_warnings

TORUS = ("periodic", "periodic", "periodic")


def walled(boundary: tuple[str, ...], normal: tuple[Any, ...], kind: str = "wall") -> mm.Model:
    dims = len(boundary)
    shapes = {
        "wall": {"kind": "wall", "point": [0.0] * dims, "normal": normal},
        "box": {"kind": "box", "centre": [0.0] * dims, "size": [1.0] * dims},
    }
    return mm.Model(
        space={"size": [10.0] * dims, "boundary": boundary},
        flocks={"boids": {"count": 200, "motion": {"kind": "add"}}},
        rules={"wind": {"vector": [0.0] * dims}},
        obstacles={"floor": shapes[kind]},
    )


@pytest.mark.parametrize(
    ("boundary", "normal", "axis", "closed"),
    [
        (TORUS, (0.0, 0.0, 2.0), "z", '["periodic", "periodic", "held"]'),
        (("open", "periodic"), (0.5, -1.0), "y", '["open", "held"]'),
        (("periodic", "open"), (mm.Ramp(start=-3, stop=0, end=9), 1.0), "x", '["held", "open"]'),
    ],
)
def test_a_wall_across_a_periodic_axis(
    boundary: tuple[str, ...], normal: tuple[Any, ...], axis: str, closed: str
) -> None:
    (said,) = model_warnings(walled(boundary, normal))
    assert said.startswith(f"obstacle 'floor' is a wall across {axis}, and {axis} is periodic: ")
    assert "about half of the space is behind it" in said
    assert f"space.boundary = {closed}" in said and "box" in said


@pytest.mark.parametrize(
    "model",
    [
        walled(("periodic", "periodic", "held"), (0.0, 0.0, 1.0)),
        walled(("periodic", "open"), (0.0, 1.0)),
        walled(TORUS, (), kind="box"),
    ],
)
def test_what_is_told_to_do_is_not_doubted(model: mm.Model) -> None:
    assert model_warnings(model) == []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mm.Simulation(model, engine="reference")


def test_published_flocks_are_not_doubted() -> None:
    assert {name: model_warnings(mm.load(name)) for name in mm.zoo()} == {n: [] for n in mm.zoo()}


def test_a_flight_begins_with_it_and_half_of_its_boids_are_put_onto_the_wall() -> None:
    with pytest.warns(UserWarning, match="wall across z"):
        flight = mm.Simulation(walled(TORUS, (0.0, 0.0, 1.0)), engine="reference", seed=1)
    before = flight.frame["boids"].positions[:, 2]
    after = flight.step(1).frame["boids"].positions[:, 2]
    put = (before > 5.0) & (after % 10.0 < 0.01)
    assert 60 < put.sum() < 140 and (put == (before > 5.0)).all()
