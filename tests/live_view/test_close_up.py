"""The steering vectors of a close-up are those of the engine."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.engines.reference.reference_engine import ReferenceEngine
from murmurate.engines.reference.sensing import Boid
from murmurate.engines.reference.steering import model_stages
from murmurate.live_view.client import Client
from murmurate.live_view.close_up import steering_of
from murmurate.live_view.observer import count_neighbours
from murmurate.model.quantity import number_at
from operations import cost_of

FEW = 40  # boids
MEAN_FROM = 8  # neighbours: fewer than by default, so that small flocks test the mean


def few(model: mm.Model) -> mm.Model:
    return model.set({f"flocks.{n}.count": min(f.count, FEW) for n, f in model.flocks.items()})


def restore(boids: list[Boid], values: list[tuple[np.ndarray, tuple[float, ...]]]) -> None:
    for boid, (velocity, kept) in zip(boids, values, strict=True):
        boid.velocity, boid.memory = velocity, kept


def by_the_reference(model: mm.Model, engine: ReferenceEngine, flock: str, index: int) -> Any:
    """Return rule -> its weighted vector on a boid, each stage with the previous stage's result."""
    boids, vectors = engine._boids, {}
    first = [(boid.velocity, boid.memory) for boid in boids]
    order = model_stages(model)
    for stage in order:
        boid, steering = engine._flocks[flock][index], engine.steering()
        for name, rule in model.moved_by(flock).items():
            if rule.stage == stage:
                perception = steering.perception
                own = perception.own(f"rules.{name}", rule, boid)
                weight = number_at(own.weight, perception.time)
                vector, _ = steering.vector(name, rule, boid, steering.me(boid))
                vectors[name] = weight * vector
        if stage == order[-1]:
            break
        nexts = [(b.velocity, b.memory) if b.timer else steering.turned(b, stage) for b in boids]
        restore(boids, nexts)
    restore(boids, first)
    return vectors


def assert_agree(model: mm.Model, seed: int = 3, steps: int = 1) -> None:
    simulation = mm.Simulation(model, seed, engine="reference").step(steps)
    frame, engine = simulation.frame, simulation._engine
    for flock in model.flocks:
        for index in (0, len(frame[flock]) // 2, len(frame[flock]) - 1):
            if frame[flock].perching[index]:
                continue
            message = steering_of(model, frame, flock, index, seed, MEAN_FROM)
            expected = by_the_reference(model, engine, flock, index)
            if model.flocks[flock].combine != "sum":
                assert_combined(model, engine, message, expected, flock, index)
                continue
            assert {line["rule"] for line in message["steering"]} == set(expected)
            for line in message["steering"]:
                vector = expected[line["rule"]]
                scale = max(1.0, float(np.abs(vector).max()))
                got = np.array(line["vector"][: len(vector)])
                np.testing.assert_allclose(got, vector, atol=1e-9 * scale, err_msg=line["rule"])
            np.testing.assert_allclose(
                message["total"], np.sum([li["vector"] for li in message["steering"]], axis=0),
                atol=1e-9,
            )  # fmt: skip


def assert_combined(
    model: mm.Model, engine: ReferenceEngine, message: Any, alone: Any, flock: str, index: int
) -> None:
    """Check rules that are not summed: each vector is complete or zero, by priority also a part,
    and the total is the engine's."""
    boid, rules = engine._flocks[flock][index], model.moved_by(flock)
    steering = engine.steering()
    assert {rule.stage for rule in rules.values()} == {1}
    np.testing.assert_allclose(
        message["total"][: model.space.dims],
        steering.combined(boid, rules, steering.me(boid)).total, atol=1e-9,
    )  # fmt: skip
    for line in message["steering"]:
        got = np.array(line["vector"][: model.space.dims])
        vector = alone[line["rule"]]
        part = (
            1.0
            if model.flocks[flock].combine == "levels"
            else got @ vector / max(vector @ vector, 1e-30)
        )
        assert not got.any() or (part <= 1 + 1e-9 and np.allclose(got, part * vector, atol=1e-9)), (
            line
        )


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if k % 4 else ())
        for k, name in enumerate(sorted(mm.zoo()))
    ],
)
def test_published_flocks(name: str) -> None:
    assert_agree(few(mm.load(name)))


BASE = """
[space]
size = [12, 12, 12]
boundary = ["periodic", "open", "reflecting"]
[flocks.boids]
count = 50
start = { kind = "box", velocity = { kind = "directions", speed = 1 } }
motion = { kind = "add", max_speed = 1, max_force = 0.5 }
[flocks.hawks]
count = 3
start = { kind = "box", velocity = { kind = "directions", speed = 1 } }
[obstacles.stone]
kind = "sphere"
centre = [6, 6, 6]
radius = 2
"""


@pytest.mark.parametrize(
    "rule",
    [
        'kind = "cohesion"\nradius = 4\ninner_radius = 2',
        'kind = "cohesion"\nfield_of_view = 100',
        'kind = "cohesion"\ninclude_self = true',
        'kind = "alignment"\nnearest = 5\nfield_of_view = 60\nradius = 5',
        'kind = "alignment"\nsenses = ["boids", "hawks"]\nnearest = 4',
        'kind = "separation"\nsenses = ["boids", "obstacles"]\nradius = 5\nlaw = "inverse-square"',
        'kind = "cohesion"\nform = "steering"\nlimit = 0.1',
        'kind = "random-steering"',
    ],
)
def test_each_way_of_sensing(rule: str) -> None:
    assert_agree(mm.parse(f'{BASE}\n[rules.rule]\nmoves = "boids"\n{rule}\nweight = 0.3\n'))


STAGES = """
[rules.first]
kind = "alignment"
moves = "boids"
radius = 4
weight = 0.4
stage = 1
[rules.second]
kind = "alignment"
moves = "boids"
nearest = 6
weight = 0.3
stage = 2
[rules.third]
kind = "alignment"
moves = "boids"
senses = ["boids", "hawks"]
radius = 5
field_of_view = 120
weight = 0.2
stage = 3
"""
SENSING = "sensing = { delay = 2, position_error = 0.1, velocity_error = 0.05 }"


def test_later_stages_sense_the_velocities_after_earlier_ones() -> None:
    assert_agree(mm.parse(BASE + STAGES))


def test_late_and_inexact_sensing() -> None:
    text = BASE.replace("[flocks.hawks]", f"{SENSING}\n[flocks.hawks]")
    rule = '[rules.rule]\nkind = "cohesion"\nmoves = "boids"\nradius = 5\nweight = 0.3\n'
    assert_agree(mm.parse(text + rule), steps=4)


def two_boids(**changes: Any) -> tuple[mm.Model, Any]:
    model = mm.Model(
        space={"size": [10.0, 10.0]},
        flocks={
            "boids": {
                "count": 3,
                "start": {
                    "kind": "given",
                    "positions": [[2.0, 2.0], [3.0, 2.0], [2.0, 6.0]],
                    "velocities": [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]],
                },
                "motion": {"kind": "add", "max_force": 1.0},
            }
        },
        rules={
            "separation": {"radius": 1.5, "law": "inverse", "weight": 2.0},
            "cohesion": {"radius": 5.0, "weight": 1.0},
        },
    )
    model = model.set(changes) if changes else model
    return model, mm.Simulation(model, engine="reference").frame


def test_by_hand() -> None:
    model, frame = two_boids()
    message = steering_of(model, frame, "boids", 0)
    assert message["steering"] == [
        {"rule": "separation", "vector": [-2.0, 0.0, 0.0]},
        {"rule": "cohesion", "vector": [0.5, 2.0, 0.0]},
    ]
    assert message["total"] == [-1.5, 2.0, 0.0]
    assert message["neighbours"] == [1, 2]
    assert (message["speed"], message["position"]) == (1.0, [2.0, 2.0, 0.0])
    assert [line["radius"] for line in message["radius"]] == [1.5, 5.0]


def test_by_priority_a_rule_has_the_rest_of_the_budget() -> None:
    """Separation requests 2 and uses the entire budget of 1; cohesion has no effect."""
    model, frame = two_boids(**{"flocks.boids.combine": "priority"})
    first, second = steering_of(model, frame, "boids", 0)["steering"]
    assert first["vector"] == [-1.0, 0.0, 0.0]
    assert second["vector"] == [0.0, 0.0, 0.0]


def test_by_levels_a_suppressed_rule_has_no_effect() -> None:
    model, frame = two_boids(**{"flocks.boids.combine": "levels", "rules.separation.level": 2,
                                "rules.cohesion.level": 1})  # fmt: skip
    first, second = steering_of(model, frame, "boids", 0)["steering"]
    assert first["vector"] == [-2.0, 0.0, 0.0]
    assert second["vector"] == [0.0, 0.0, 0.0]
    assert steering_of(model, frame, "boids", 2)["steering"][1]["vector"] != [0.0, 0.0, 0.0]


def test_an_infinite_radius_is_null_and_neighbours_are_limited() -> None:
    model = mm.load("parker").set({"flocks.boids.count": 1500})
    frame = mm.Simulation(model).frame
    message = steering_of(model, frame, "boids", 7)
    assert message["radius"][0]["radius"] is None
    assert len(message["neighbours"]) == 1000


def test_the_cost_grows_no_faster_than_the_flock() -> None:
    costs = []
    for count in (10_000, 100_000):
        model = mm.load("starlings").set({"flocks.boids.count": count})
        frame = mm.Simulation(model).frame
        # the seven in its field of view, and those of the seven nearest that are behind it
        assert 7 <= len(steering_of(model, frame, "boids", 5)["neighbours"]) <= 14
        costs.append(cost_of(partial(steering_of, model, frame, "boids", 5)))
    small, large = costs
    assert large.calls <= 15 * small.calls and large.bytes <= 15 * small.bytes, costs


def test_neighbour_counts_and_close_up_agree() -> None:
    model = few(mm.load("starlings"))
    frame = mm.Simulation(model, engine="reference").step(1).frame
    counts = count_neighbours(model, frame)
    positions = frame["boids"].positions
    for index in (0, 20, 39):
        distances = np.linalg.norm(positions - positions[index], axis=1)
        assert counts[index] == (distances <= 12).sum() - 1


def test_a_new_page_asks_for_no_neighbours() -> None:
    joined: list[Client] = []
    client = Client(SimpleNamespace(join=joined.append), wake=lambda: None)  # type: ignore[arg-type]
    assert joined == [client]
    assert (client.neighbours, client.number, client.chosen, client.over) == (False, "", None, "")
