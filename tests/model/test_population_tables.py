"""Tables [population.NAME]: they round-trip, and wrong ones are refused with a remedy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.engines.state import FlightState, FlockState, first_ids, make_frame, state_from_frame

TABLES: dict[str, Any] = {
    "gate": {
        "kind": "source",
        "flock": "fish",
        "rate": 2.0,
        "start": {"kind": "box", "lower": [0.0, 0.0], "upper": [0.0, 10.0]},
    },
    "young": {"kind": "births", "flock": "fish", "rate": 0.1, "distance": 0.5},
    "door": {
        "kind": "exit",
        "flocks": "fish",
        "region": {"kind": "face", "axis": "x", "side": "upper"},
    },
    "deaths": {"kind": "deaths", "flocks": "fish", "rate": 0.01},
    "age": {"kind": "lifetime", "flocks": "sharks", "duration": 50.0},
    "hunt": {
        "kind": "capture",
        "predators": "sharks",
        "prey": "fish",
        "radius": 1.0,
        "handling_time": 3.0,
    },
    "full": {
        "kind": "removal",
        "flocks": "sharks",
        "state": "population.hunt.handling",
        "above": 9.0,
    },
}


def pond(**changes: Any) -> mm.Model:
    return mm.Model(
        space={"size": [10.0, 10.0]},
        flocks={"fish": {"count": 10, "max_boids": 50}, "sharks": {"count": 2}},
        population=TABLES,
    ).set(changes)


def test_a_population_is_its_file() -> None:
    assert mm.parse(mm.to_toml(pond())) == pond()


def test_who_grows() -> None:
    model = pond()
    assert model.changes_numbers
    assert model.grows("fish") and not model.grows("sharks")
    assert (model.max_boids("fish"), model.max_boids("sharks")) == (50, 2)
    assert model.memory_of("sharks") == ("population.hunt.handling",)
    assert pond(**{"flocks.fish.max_boids": 10_000}).max_boids("fish") == 10_000


def test_the_order_of_the_table_counts() -> None:
    turned = dict(reversed(list(TABLES.items())))
    assert pond() != mm.Model(**(pond().to_dict() | {"population": turned}))


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("population.hunt.prey", "fsh", "did you mean 'fish'"),
        ("population.hunt.prey", "sharks", "cannibalism = true"),
        ("population.hunt.radius", 0, "> 0"),
        ("population.hunt.probability", 1.5, "<= 1"),
        ("population.door.region.axis", "z", "'x' or 'y'"),
        ("population.door.region.axis", "w", "'x'"),
        ("population.door.region.side", "top", "'lower' or 'upper'"),
        ("population.door.region", {"kind": "ball", "centre": [1.0], "radius": 1.0}, "expected 2"),
        (
            "population.door.region",
            {"kind": "box", "lower": [1.0, 1.0], "upper": [0.0, 2.0]},
            "at least the lower corner",
        ),
        ("space.boundary", ["periodic", "open"], "boids enter again opposite"),
        ("space.boundary", ["reflecting", "open"], "boids bounce off it"),
        ("population.gate.rate", -1.0, ">= 0"),
        ("population.gate.rate", 1e6, "max_boids, 50"),
        ("population.gate.rate", {"kind": "ramp", "start": 1.0, "stop": -1.0, "end": 9.0}, ">= 0"),
        ("population.gate.times", [1.0], "got both of rate and times"),
        ("population.gate.rate", None, "got neither of rate and times"),
        ("population.gate.kind", "sorce", "did you mean 'source'"),
        ("population.gate.flock", "", "is missing; expected the flock"),
        ("population.gate.start", {"kind": "lattice", "spacing": 1.0}, "got 'lattice'"),
        ("population.gate.start.lower", [1.0], "expected 2, one for each axis"),
        ("population.young.rate", 1e3, "most flocks.fish.max_boids"),
        ("population.young.distance", -1.0, ">= 0"),
        ("population.deaths.rate", -0.1, ">= 0"),
        ("population.age.duration", 0, "> 0"),
        ("population.age.duration", {"kind": "cycle", "amplitude": 1.0, "mean": 5.0, "period": 2.0},
         "'deaths'"),
        ("population.full.state", "rules.hunger.energy", "population.hunt.handling"),
        ("population.full.above", None, "below or above"),
        ("flocks.sharks.max_boids", 9, "cannot grow"),
        ("flocks.fish.max_boids", 9, "at most flocks.fish.max_boids"),
        ("flocks.fish.max_boids", 0, "greater than or equal to 1"),
        ("population.gate", {"kind": "source", "flock": "fish", "times": [2.0, 1.0]}, "increasing"),
        ("population.gate", {"kind": "source", "flock": "fish", "times": [0.0]}, "after 0"),
        (
            "population.gate",
            {"kind": "source", "flock": "fish", "times": [1.0], "numbers": [1, 2]},
            "one number for each time",
        ),
        ("population.deaths", {"kind": "failure", "rate": 0.1, "then": "sink"}, "then: got 'sink'"),
        ("population.nobody.rate", 1.0, "no entry of the population named 'nobody'"),
    ],
)  # fmt: skip
def test_wrong_tables_are_refused(path: str, value: Any, words: str) -> None:
    with pytest.raises(mm.ModelError, match=path.rsplit(".", 1)[0].split(".")[0]) as refused:
        pond(**{path: value})
    assert words in str(refused.value)


def test_a_source_outside_closed_faces_is_refused() -> None:
    changes = {"space.boundary": ["open", "held"], "population.gate.start.upper": [0.0, 12.0]}
    with pytest.raises(mm.ModelError, match=r"population.gate.start: boids may join at 12 on axis"):
        pond(**changes)


def test_a_schedule_that_overflows_is_refused() -> None:
    source = {"kind": "source", "flock": "fish", "times": [1.0, 2.0], "numbers": [40, 40]}
    tables = {"population": {"gate": source}}
    with pytest.raises(mm.ModelError, match="max_boids: got 50; expected at least 90"):
        mm.Model(**(pond().to_dict() | tables))


def test_captures_need_one_image_of_prey() -> None:
    changes: dict[str, Any] = {"space.boundary": "periodic", "population.door": None}
    with pytest.raises(mm.ModelError, match=r"hunt.radius: got 6; expected at most 5"):
        pond(**changes, **{"population.hunt.radius": 6.0})


def test_ids_are_reserved_for_flocks_that_grow() -> None:
    assert first_ids(pond(), {"fish": 60, "sharks": 2}) == {"fish": 0, "sharks": 1_000_000_000}


def test_a_frame_has_the_state() -> None:
    model = pond()
    rows = np.arange(6.0).reshape(3, 2)
    fish = FlockState(
        rows, rows, np.zeros(3, np.int64), np.zeros((3, 0)), np.array([2, 7, 30]),
        np.array([0, 4, 5]), 31,
    )  # fmt: skip
    sharks = FlockState(rows[:1], rows[:1], np.zeros(1, np.int64), np.ones((1, 1)), n_ever=2)
    frame = make_frame(model, FlightState(6, {"fish": fish, "sharks": sharks}), seed=0)
    assert frame["fish"].ids.tolist() == [2, 7, 30]
    assert frame["sharks"].ids.tolist() == [1_000_000_000]
    assert (frame["fish"].n_left, frame["sharks"].n_left) == (28, 1)
    again = state_from_frame(model, frame).flocks["fish"]
    assert again.indices.tolist() == [2, 7, 30]
    assert again.births.tolist() == [0, 4, 5] and again.n_ever == 31
