"""Warnings about valid models: walls across periodic axes."""

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
    (warning,) = model_warnings(walled(boundary, normal))
    assert warning.startswith(f"obstacle 'floor' is a wall across {axis}, and {axis} is periodic: ")
    assert "about half of the space is behind it" in warning
    assert f"space.boundary = {closed}" in warning and "box" in warning


@pytest.mark.parametrize(
    "model",
    [
        walled(("periodic", "periodic", "held"), (0.0, 0.0, 1.0)),
        walled(("periodic", "open"), (0.0, 1.0)),
        walled(TORUS, (), kind="box"),
    ],
)
def test_walls_across_other_axes_and_boxes_give_no_warning(model: mm.Model) -> None:
    assert model_warnings(model) == []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mm.Simulation(model, engine="reference")


def test_published_flocks_give_no_warning() -> None:
    assert {name: model_warnings(mm.load(name)) for name in mm.zoo()} == {n: [] for n in mm.zoo()}


def test_a_simulation_warns_and_puts_half_of_the_boids_onto_the_wall() -> None:
    with pytest.warns(UserWarning, match="wall across z"):
        simulation = mm.Simulation(walled(TORUS, (0.0, 0.0, 1.0)), engine="reference", seed=1)
    before = simulation.frame["boids"].positions[:, 2]
    after = simulation.step(1).frame["boids"].positions[:, 2]
    moved = (before > 5.0) & (after % 10.0 < 0.01)
    assert 60 < moved.sum() < 140 and (moved == (before > 5.0)).all()
