"""Pages have the bits of engine 'wasm', and agree with engine 'reference' within rounding.

Also after changes of numbers, seeds, and numbers of boids.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import flights
import meshes
import murmurate as mm
from murmurate.engines.wasm.page_modules import page_modules
from murmurate.live_view.close_up import steering_of
from murmurate.runs.live_page import flight_head, live_page, page_capacity, page_gpu
from page_worker import STATE, engine, fly, gap, in_python, places
from policies import CASES, lived, saved
from structures import STRUCTURES

SEED = 7
# sequential update; for periodic cells see the browser tests (test_flight_page.py)
SLOW = ("parker-predator",)
FLOCKS = [
    pytest.param(
        name,
        marks=() if name == "p5" else pytest.mark.slow if name in SLOW else pytest.mark.long,
    )
    for name in mm.zoo()
    if not mm.load(name).changes_numbers
]
"""Published flocks, without those whose boids come and go."""


def boids(model: mm.Model) -> int:
    return sum(flock.count for flock in model.flocks.values())


@pytest.mark.parametrize("name", FLOCKS)
def test_published_flocks(name: str) -> None:
    model = mm.load(name)
    head = flight_head(model, SEED, boids(model))
    start, _, end = fly(head, [STATE, {"type": "step", "steps": 5}, STATE])
    reference = engine(model, SEED)
    assert (start["state"]["places"] == places(reference)).all()
    reference.step(5)
    assert (end["state"]["places"] == places(reference)).all()
    python = in_python(model, SEED, 5)
    assert gap(model, end["state"]["places"], places(python)) < 1e-4


def test_state_that_begins_with_a_parameter_and_that_others_read() -> None:
    """Flocks have their phases in different rows; a page cannot change the phase at the start."""
    model = STRUCTURES["clocks"][0](count=30, phase=0.7)
    head = flight_head(model, SEED, 60)
    assert head["starts"]["boids"]["memory"] == [2.0, 0.7, 0.0, 0.0]
    assert head["starts"]["others"]["memory"] == [0.7, 0.0]
    end = fly(head, [{"type": "step", "steps": 20}, STATE])[-1]
    (python := flights.interpreted(model, seed=SEED, dtype="float32")).step(20)
    assert gap(model, end["state"]["places"], places(python)) < 1e-4
    change = {"type": "set", "values": {"rules.clock.initial_phase": 1.0}}
    assert "cannot change it" in fly(head, [change])[-1]["error"]
    grown = [{"type": "set", "values": {"flocks.boids.count": 40}}, {"type": "restart", "seed": 3}]
    end = fly(head, [*grown, {"type": "step", "steps": 20}, STATE])[-1]
    grown_model = model.set({"flocks.boids.count": 40})
    (python := flights.interpreted(grown_model, seed=3, dtype="float32")).step(20)
    assert gap(model, end["state"]["places"], places(python)) < 1e-4


def test_a_learned_policy(tmp_path: Path) -> None:
    """Its weights are in the rows of numbers of a page."""
    model = lived(CASES["2-D, tanh"][0], saved(tmp_path, "2-D, tanh"))
    head = flight_head(model, SEED, 60)
    assert not {"width", "weights"} & head["scene"]["schemas"]["rules.policy"]["properties"].keys()
    end = fly(head, [{"type": "step", "steps": 5}, STATE])[-1]
    reference = engine(model, SEED)
    reference.step(5)
    assert (end["state"]["places"] == places(reference)).all()


def test_a_shuffled_order() -> None:
    model = mm.load("p5").set({"order": "shuffled"})
    end = fly(flight_head(model, SEED, 60), [{"type": "step", "steps": 40}, STATE])[-1]
    reference = engine(model, SEED)
    reference.step(40)
    assert (end["state"]["places"] == places(reference)).all()


@pytest.mark.slow
def test_schedules() -> None:
    """A page and Python evaluate the same schedules: of rules, a field of view, and an obstacle."""
    parts = dict(mm.load("p5"))
    rules, obstacles = dict(parts["rules"]), {}
    rules["cohesion"] = rules["cohesion"].model_copy(
        update={
            "weight": mm.Cycle(mean=0.3, amplitude=1.2, period=7.3, phase=0.2),
            "field_of_view": mm.Ramp(start=40.0, stop=170.0, begin=3.0, end=31.0),
            "radius": mm.Sampled(times=(0.0, 9.5, 30.0), values=(60.0, 20.0, 90.0)),
        }
    )
    rules["posts"] = mm.AvoidObstacles(
        look_ahead=20.0, weight=mm.Steps(times=(5.0,), values=(1, 2))
    )
    swing = mm.Cycle(mean=200.0, amplitude=90.0, period=25.0)
    obstacles["post"] = mm.Sphere(centre=(swing, 180.0), radius=30.0)
    obstacles["wall"] = mm.Wall(point=(10.0, 0.0), normal=(3.0, 0.4))
    narrowing = mm.Ramp(start=400.0, stop=200.0, end=25.0)
    obstacles["tank"] = mm.Tank(centre=(320.0, 180.0), radius=narrowing)
    closed = parts["space"].model_copy(update={"boundary": "held"})  # a wall divides its space
    model = mm.Model(**{**parts, "space": closed, "rules": rules, "obstacles": obstacles})
    end = fly(flight_head(model, SEED, 60), [{"type": "step", "steps": 40}, STATE])[-1]
    reference = engine(model, SEED)
    reference.step(40)
    assert (end["state"]["places"] == places(reference)).all()


@pytest.mark.slow
def test_a_mesh() -> None:
    """It moves by its schedule and by hand; its form is compiled into the page."""
    model = meshes.stream(20)
    head = flight_head(model, SEED, 20)
    centre = [11.0, 9.0, 10.0]
    steps = {"type": "step", "steps": 15}
    by_hand = {"type": "set", "values": {"obstacles.rock.centre": centre}}
    messages = [steps, STATE, by_hand, steps, STATE, {"type": "toml"}]
    _, scheduled, _, _, last, text = fly(head, messages)
    moved = model.set({"obstacles.rock.centre": centre})
    reference, python = engine(model, SEED), in_python(model, SEED, 15)
    reference.step(15)
    assert (scheduled["state"]["places"] == places(reference)).all()
    assert gap(model, scheduled["state"]["places"], places(python)) < 1e-4
    python.set({"obstacles.rock.centre": centre}).step(15)
    assert gap(model, last["state"]["places"], places(python)) < 1e-4
    assert mm.parse(text["toml"]) == moved
    change = {"type": "set", "values": {"obstacles.rock.size": [1.0, 1.0, 1.0]}}
    assert "cannot change it. It is compiled" in fly(head, [change])[-1]["error"]


def test_other_numbers_seeds_and_boids() -> None:
    """Changes in a page have the effect of other arguments in Python."""
    model = mm.load("vicsek-1995")
    seed = 2**52 + 3
    changed = model.set({"rules.heading-alignment.radius": 1.5, "flocks.boids.count": 120})
    values = {"rules.heading-alignment.radius": 1.5, "flocks.boids.count": 120}
    messages = [
        {"type": "set", "values": values}, {"type": "restart", "seed": seed},
        {"type": "step", "steps": 6}, STATE,
    ]  # fmt: skip
    end = fly(flight_head(model, SEED, 2000), messages)[-1]
    reference = in_python(changed, seed, 6)
    assert gap(changed, end["state"]["places"], places(reference)) < 1e-4


def test_a_radius_that_the_grid_does_not_serve() -> None:
    """The page changes to the module that tests all pairs, and back."""
    model = mm.load("vicsek-1995")
    path = "rules.heading-alignment.radius"
    long = 0.45 * model.space.size[0]
    messages: list[dict[str, Any]] = [{"type": "step", "steps": 2}]
    reference = in_python(model, SEED, 2)
    for radius in (long, 1.0):
        messages += [{"type": "set", "values": {path: radius}}, {"type": "step", "steps": 2}]
        reference.replace_model(model.set({path: radius}))
        reference.step(2)
    end = fly(flight_head(model, SEED, 2000), [*messages, STATE])[-1]
    assert len(page_modules(model, 2000)) == 2
    assert gap(model, end["state"]["places"], places(reference)) < 1e-4


@pytest.mark.parametrize(
    "name",
    [
        "p5",
        pytest.param("vicsek-1995", marks=pytest.mark.slow),
        pytest.param("couzin-2002", marks=pytest.mark.slow),
        pytest.param("strombom-2014", marks=pytest.mark.long),
    ],
)
def test_a_close_up_agrees_with_the_reference_engine(name: str) -> None:
    """With a sequential update the first boid is chosen: no other boid has moved before it."""
    model = mm.load(name)
    flock, boid = next(iter(model.flocks)), 0 if model.order == "one-by-one" else 17
    messages = [{"type": "step", "steps": 3}, {"type": "choose", "flock": flock, "boid": boid}]
    seen = fly(flight_head(model, SEED, boids(model)), messages)[-1]["boid"]
    simulation = in_python(model, SEED, 3)
    expected = steering_of(model, simulation.frame, flock, boid, seed=SEED)
    assert seen["neighbours"] == expected["neighbours"]
    assert [s["rule"] for s in seen["steering"]] == [s["rule"] for s in expected["steering"]]
    size = max(np.abs(expected["total"]).max(), 1e-3)
    for a, b in zip(seen["steering"], expected["steering"], strict=True):
        assert np.allclose(a["vector"], b["vector"], atol=1e-3 * size), a["rule"]
    assert np.allclose(seen["total"], expected["total"], atol=1e-3 * size)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"rules.cohesion.weight": "much"}, 'rules.cohesion.weight: got "much"; expected a number'),
        ({"rules.separation.radius": -1}, "got -1; expected > 0, or inf"),
        ({"rules.alignment.field_of_view": 181}, "expected > 0 and <= 180, and finite"),
        ({"rules.cohesion.nearest": 3}, "cannot change it. It is compiled into this page"),
        ({"flocks.boids.count": 4001}, "expected >= 1 and <= 4000"),
        ({"flocks.boids.motion.min_speed": 1e6}, "min_speed: is above max_speed"),
        ({"rules.nobody.weight": 1}, "rules.nobody.weight: this page cannot change it"),
    ],
)
def test_refused_changes(values: dict[str, Any], message: str) -> None:
    """A refused value leaves the model unchanged, with all values of the same message."""
    model = mm.load("parker")
    toml = {"type": "toml"}
    messages = [toml, {"type": "set", "values": {"rules.bounds.weight": 3, **values}}, toml]
    before, reply, after = fly(flight_head(model, SEED, 4000), messages)
    assert not reply["ok"] and message in reply["error"]
    assert before["toml"] == after["toml"]


@pytest.mark.parametrize("name", FLOCKS)
def test_the_text_of_a_changed_model(name: str) -> None:
    """Python reads the model back from it."""
    model = mm.load(name)
    changes: dict[str, Any] = {"dt": model.dt / 2} if "vasarhelyi" not in name else {}
    rule = next(iter(model.rules))
    changes[f"rules.{rule}.limit"] = 2.5
    text = _texts(model, changes)
    assert mm.parse(text) == model.set(changes)


def _texts(model: mm.Model, changes: dict[str, Any]) -> str:
    head = flight_head(model, SEED, boids(model))
    reply = fly(head, [{"type": "set", "values": changes}, {"type": "toml"}])[-1]
    return str(reply["toml"])


def test_refused_models() -> None:
    with pytest.raises(mm.ModelError, match="neighbours: got 'voronoi'; expected 'all'"):
        live_page(STRUCTURES["tessellated"][0](count=9))
    with pytest.raises(mm.ModelError, match="max_boids: got 10; expected 150"):
        live_page(mm.load("parker"), max_boids=10)


def test_the_largest_flock_may_have_max_boids_beside_the_others() -> None:
    starlings = mm.load("starlings")
    assert page_capacity(starlings, 100_000) == 100_001  # the falcon besides
    assert page_capacity(starlings, None) == 2 * starlings.flocks["boids"].count + 1
    program = page_gpu(starlings, SEED, 100_000)["program"]
    assert program["max_boids"] == 100_001
    assert page_gpu(starlings, SEED)["program"]["max_boids"] == 200_001
    assert page_gpu(starlings, SEED, 5000)["program"]["max_boids"] == 5001


def test_arrays_do_not_overlap() -> None:
    for module in page_modules(mm.load("vicsek-1995"), 2000):
        arrays = [a for a in module.manifest["arguments"].values() if a["shape"]]
        begins = sorted(
            (a["address"], int(np.prod(a["shape"])) * np.dtype(a["dtype"]).itemsize) for a in arrays
        )
        ends = [address + size for address, size in begins]
        assert all(end <= begin for end, (begin, _) in zip(ends[:-1], begins[1:], strict=True))
        assert module.manifest["table"] < begins[0][0]
