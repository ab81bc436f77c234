"""What slabs cannot fly is refused by name, before anything starts."""

from __future__ import annotations

import pytest

import murmurate as mm
from murmurate.errors import ClusterError
from structures import STRUCTURES

REFUSED = [
    ("in-turn", "order is 'one-by-one'"),
    ("shuffled", "order is 'shuffled'"),
    ("herded", "rules that sense a whole herd: herd"),
    ("tessellated", "rules with Voronoi neighbours: alignment"),
    ("integrated", "integrator is 'rk4'"),
    ("forces", "looks at all of the 5000 boids of 'boids', by rule 'cucker-smale'"),
]


@pytest.mark.parametrize(("name", "what"), REFUSED)
def test_refused_by_name(name: str, what: str) -> None:
    model = STRUCTURES[name][0](count=5000)
    with pytest.raises(mm.ModelError, match="engine 'slabs' cannot fly") as found:
        mm.Simulation(model, engine=mm.Slabs(workers=2, address="here"))
    assert what in str(found.value)
    assert "'cpu' flies every model" in str(found.value)


def test_a_flock_that_is_in_no_cell() -> None:
    with pytest.raises(mm.ModelError, match="no flock of its 100 boids is in cells"):
        mm.Simulation(mm.load("ucl").set({"flocks.boids.count": 100}), engine="slabs")


def test_a_model_that_comes_to_need_more() -> None:
    """In flight too: the flight is as it was."""
    model = STRUCTURES["torus"][0](count=2000, side=30.0)
    flight = mm.Simulation(model, engine=mm.Slabs(workers=2, address="here"))
    with pytest.raises(mm.ModelError, match="integrator"):
        flight.replace_model(model.set({"integrator": "rk4"}))
    flight.step(1)


def test_nobody_answers() -> None:
    """At once, not after minutes."""
    pytest.importorskip("ray", reason="Ray is not installed")
    model = mm.load("ucl").set({"flocks.boids.count": 2000})
    with pytest.raises(ClusterError, match=r"no Ray cluster at 127\.0\.0\.1:9"):
        mm.Simulation(model, engine=mm.Slabs(address="127.0.0.1:9"))
