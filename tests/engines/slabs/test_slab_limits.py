"""Engine 'slabs' names what it cannot simulate before anything starts."""

from __future__ import annotations

import pytest

import murmurate as mm
from murmurate.errors import ClusterError
from structures import STRUCTURES

REFUSED = [
    ("in-turn", "order: got 'one-by-one'"),
    ("shuffled", "order: got 'shuffled'"),
    ("herded", "rules.herd.kind: got 'herd', which senses a whole herd"),
    ("tessellated", "rules.alignment.neighbours: got 'voronoi'"),
    ("integrated", "integrator: got 'rk4'"),
    (
        "forces",
        "rules.cucker-smale.radius: got a test of each boid of 'boids' with all 5,000",
    ),
]


@pytest.mark.parametrize(("name", "reason"), REFUSED)
def test_refused_by_name(name: str, reason: str) -> None:
    model = STRUCTURES[name][0](count=5000)
    with pytest.raises(mm.ModelError, match="for engine 'slabs'") as error:
        mm.Simulation(model, engine=mm.Slabs(workers=2, address="here"))
    assert reason in str(error.value)
    assert "Use engine 'cpu'" in str(error.value)


def test_a_model_without_a_gridded_flock() -> None:
    with pytest.raises(mm.ModelError, match="none of 100 boids in the grid"):
        mm.Simulation(mm.load("ucl").set({"flocks.boids.count": 100}), engine="slabs")


def test_a_refused_replacement_leaves_the_simulation_unchanged() -> None:
    model = STRUCTURES["torus"][0](count=2000, side=30.0)
    simulation = mm.Simulation(model, engine=mm.Slabs(workers=2, address="here"))
    with pytest.raises(mm.ModelError, match="integrator"):
        simulation.replace_model(model.set({"integrator": "rk4"}))
    simulation.step(1)


def test_an_address_that_does_not_answer() -> None:
    """The error comes at once, not after minutes."""
    pytest.importorskip("ray", reason="Ray is not installed")
    model = mm.load("ucl").set({"flocks.boids.count": 2000})
    with pytest.raises(ClusterError, match=r"no Ray cluster at 127\.0\.0\.1:9"):
        mm.Simulation(model, engine=mm.Slabs(address="127.0.0.1:9"))
