"""What pages draw and place becomes part of the model, and the flock goes on from where it is."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from conftest_live import Visitor, small

import murmurate as mm
from murmurate.engines.options import RunOptions
from murmurate.live_view.messages import BadMessage, read
from processes import until

Fly = Callable[..., Visitor]
DISC = {"kind": "sphere", "centre": [8.0, 12.0], "radius": 3.0}


def model_of(page: Visitor) -> mm.Model:
    return page.client.session.controller.requested


def flown(page: Visitor) -> mm.Model:
    """The model that flies, once everything is compiled."""
    session = page.client.session
    until(lambda: page.listen() or not session.busy)
    return session.controller.running


def drawn(page: Visitor, **shape: Any) -> dict[str, Any]:
    """Draws, and waits until it flies; what changed."""
    changed: dict[str, Any] = page.done("draw", shape=shape)["changed"]
    flown(page)
    return changed


def placed(page: Visitor, *position: float) -> dict[str, Any]:
    """Places a predator, and waits until it flies; what changed."""
    changed: dict[str, Any] = page.done("place", position=position)["changed"]
    flown(page)
    return changed


def stepped(page: Visitor, steps: int) -> Any:
    """The frame after so many steps more."""
    begun = page.client.session.frame.step
    page.done("step", steps=steps)
    page.until("status", lambda m: m["step"] == begun + steps)
    return page.client.session.flight.simulation.frame


@pytest.fixture
def still(fly: Fly) -> Visitor:
    """A page on the small flock after five steps; it makes a step when it is asked to."""
    page = fly(engine="reference", playing=False)
    stepped(page, 5)
    return page


def test_a_disc_is_drawn_with_the_rule_that_minds_it(still: Visitor) -> None:
    changed = drawn(still, **DISC)
    assert changed["obstacles.sphere"] == [None, DISC]
    before, rule = changed["rules.avoid-obstacles"]
    assert before is None and rule["look_ahead"] == 4.0  # a tenth of 20 at 0.5
    notice = still.until("notice")
    assert notice["level"] == "info" and "boids had none that minds obstacles" in notice["text"]
    model = flown(still)
    assert next(iter(model.rules)) == "avoid-obstacles"
    assert model.obstacles["sphere"].radius == 3.0
    assert still.client.session.frame.step == 5
    again = drawn(still, **DISC)
    assert list(again) == ["obstacles.sphere-2"]  # there is a rule now


def test_what_is_drawn_is_in_the_toml_which_loads_to_the_same_model(still: Visitor) -> None:
    shapes: list[dict[str, Any]] = [
        DISC,
        {"kind": "box", "centre": [15, 5], "size": [2, 3]},
        {"kind": "wall", "through": [[0.0, 1.0], [20.0, 1.0]]},
        {"kind": "path", "points": [[2, 2], [18, 2], [10, 18]], "closed": True},
        {"kind": "goal", "place": [10, 10]},
    ]
    for shape in shapes:
        still.done("draw", shape=shape)
    placed(still, 4.0, 4.0)
    model = flown(still)
    assert mm.parse(still.done("toml")["toml"]) == model
    assert list(model.obstacles) == ["sphere", "box", "wall"]
    assert list(model.rules)[:3] == ["flee-predator", "hunt", "goal"]
    assert model.obstacles["wall"].normal == (0.0, 1.0)  # to where the flock is
    stepped(still, 3)


def test_the_flock_goes_on_from_the_same_state_to_the_bit(fly: Fly) -> None:
    model = small(**{"space.boundary": "reflecting"})
    page = fly(model, playing=False)
    stepped(page, 5)
    drawn(page, kind="sphere", centre=[300.0, 300.0], radius=0.5)
    twin = mm.Simulation(model, seed=1, threads=1).step(25).frame["boids"]
    boids = stepped(page, 20)["boids"]
    np.testing.assert_array_equal(boids.positions, twin.positions)
    np.testing.assert_array_equal(boids.velocities, twin.velocities)


def test_a_predator_makes_a_flock_and_the_others_stay_as_they_are(still: Visitor) -> None:
    before = still.client.session.flight.simulation.frame["boids"]
    changed = placed(still, 25.0, 4.0)  # on a torus of 20
    assert changed["rules.cohesion.moves"] == ["", "boids"]
    assert "there were no predators to flee from" in still.until("notice")["text"]
    frame = still.client.session.flight.simulation.frame
    assert frame.step == 5
    np.testing.assert_array_equal(frame["boids"].positions, before.positions)
    np.testing.assert_array_equal(frame["boids"].velocities, before.velocities)
    np.testing.assert_allclose(frame["predator"].positions, [[5.0, 4.0]])
    scene = still.until("scene", lambda m: len(m["flocks"]) == 2)
    assert [flock["count"] for flock in scene["flocks"]] == [40, 1]
    second = placed(still, 10.0, 10.0)
    assert second == {"flocks.predator.count": [1, 2]}
    frame = still.client.session.flight.simulation.frame
    np.testing.assert_allclose(frame["predator"].positions, [[5.0, 4.0], [10.0, 10.0]])
    assert len(stepped(still, 5)["predator"]) == 2


def test_what_was_placed_and_drawn_is_taken_away_and_put_back(still: Visitor) -> None:
    begun = model_of(still)
    changes = [placed(still, 5.0, 4.0), placed(still, 10.0, 10.0), drawn(still, **DISC)]
    whole = flown(still)
    frame = still.client.session.flight.simulation.frame
    for changed in reversed(changes):
        still.done("edit", values={path: old for path, (old, _) in changed.items()})
    assert flown(still) == begun
    after = still.client.session.flight.simulation.frame
    assert after.step == 5 and list(after.flocks) == ["boids"]
    np.testing.assert_array_equal(after["boids"].positions, frame["boids"].positions)
    places: list[dict[str, Any]] = [{"predator": [[5.0, 4.0]]}, {"predator": [[10.0, 10.0]]}, {}]
    for changed, where in zip(changes, places, strict=True):
        values = {path: new for path, (_, new) in changed.items()}
        still.done("edit", values=values, places=where)
    assert flown(still) == whole
    again = still.client.session.flight.simulation.frame
    np.testing.assert_array_equal(again["predator"].positions, frame["predator"].positions)
    np.testing.assert_array_equal(again["boids"].positions, frame["boids"].positions)


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ({"type": "draw", "shape": DISC | {"radius": -1}}, "greater than 0"),
        ({"type": "draw", "shape": DISC | {"name": "../x"}}, "Extra inputs"),
        ({"type": "draw", "shape": DISC | {"centre": [1]}}, "at least 2"),
        ({"type": "draw", "shape": {"kind": "exec"}}, "kind"),
        ({"type": "draw", "shape": {"kind": "path", "points": [[1, 1]] * 65}}, "at most 64"),
        ({"type": "place", "position": ["a", "b"]}, "valid number"),
        ({"type": "edit", "values": {}}, "at least 1"),
    ],
)
def test_what_is_no_shape_is_refused_as_it_comes(message: dict[str, Any], problem: str) -> None:
    with pytest.raises(BadMessage, match=problem):
        read(json.dumps(message))


def test_not_a_number_is_refused(still: Visitor) -> None:
    for text in ("NaN", "Infinity", "1e999"):
        with pytest.raises(BadMessage):
            read(f'{{"type": "place", "position": [1, {text}]}}')


@pytest.mark.parametrize(
    ("kind", "message", "problem"),
    [
        ("draw", {"shape": DISC | {"centre": [1e6, 1]}}, "20 of its sides"),
        ("draw", {"shape": DISC | {"radius": 1e5}}, "more than 20 sides"),
        ("draw", {"shape": DISC | {"centre": [1, 2, 3]}}, "3 numbers in a space of 2"),
        ("draw", {"shape": {"kind": "wall", "through": [[1, 1], [1, 1]]}}, "these are one"),
        ("draw", {"shape": {"kind": "path", "points": [[1, 1], [1, 1]]}}, "these are one point"),
        ("place", {"position": [1e7, 1]}, "farther from the middle"),
        ("edit", {"values": {"obstacles.nothing": None}}, "nothing"),
        ("edit", {"values": {"obstacles.__class__": DISC}}, "a name is a letter"),
        ("edit", {"values": {"name": "/etc/passwd"}}, "a page may change"),
        ("edit", {"values": {"flocks.boids": None}}, "at least one flock"),
        ("edit", {"values": {"flocks.boids.count": 2_000_001}}, "2000000"),
    ],
)
def test_what_cannot_be_is_refused_in_words(
    still: Visitor, kind: str, message: dict[str, Any], problem: str
) -> None:
    before = model_of(still)
    reply = still.ask(kind, **message)
    assert not reply["ok"] and problem in reply["error"]
    assert model_of(still) == before


def test_there_may_be_so_many_obstacles_and_no_more(still: Visitor) -> None:
    many = {f"obstacles.o{k}": DISC for k in range(65)}
    assert "64 of them" in still.ask("edit", values=many)["error"]


def test_a_wall_across_a_torus_is_warned_of_until_it_is_gone(still: Visitor) -> None:
    changed = drawn(still, kind="wall", through=[[0.0, 1.0], [20.0, 1.0]])
    notice = still.until("notice", lambda m: m["level"] == "warning")
    assert notice["about"] == "doubts" and notice["sticky"]
    assert notice["text"].startswith("obstacle 'wall' is a wall across y, and y is periodic")
    still.done("edit", values={path: old for path, (old, _) in changed.items()})
    flown(still)
    still.until("notice", lambda m: (m["about"], m["level"]) == ("doubts", "clear"))


def test_a_reset_takes_away_what_was_drawn(still: Visitor) -> None:
    drawn(still, **DISC)
    still.done("reset")
    still.until("scene", lambda m: "obstacles" not in m["model"])
    assert flown(still) == small()
    assert still.client.session.frame.step == 5


def test_obstacles_that_a_rule_names_stay(fly: Fly) -> None:
    keep = {"kind": "separation", "senses": "stone", "radius": 2.0}
    page = fly(small(**{"obstacles.stone": DISC, "rules.keep": keep}), "reference", playing=False)
    assert "rules.keep.senses" in page.ask("edit", values={"obstacles.stone": None})["error"]


def test_a_boid_that_senses_late_joins_with_a_past() -> None:
    model = small(**{"flocks.boids.count": 6, "flocks.boids.sensing": {"delay": 3}})
    options = RunOptions(engine="reference", seed=1)
    simulation = mm.Simulation.from_options(model, options).step(5)
    more = model.set({"flocks.boids.count": 7})
    after = simulation.fork(more, {("boids", 6): (1.0, 2.0)})
    old, new = simulation.frame["boids"].memory, after.frame["boids"].memory
    np.testing.assert_array_equal(new[:6], old)
    np.testing.assert_array_equal(new[6, :2], [1.0, 2.0])
    np.testing.assert_array_equal(new[6].reshape(-1, 4), np.tile(new[6, :4], (3, 1)))
    assert after.step(2).frame.step == 7


def test_changes_that_come_while_it_compiles_are_all_flown(fly: Fly) -> None:
    page = fly()
    page.flying()
    step = page.frame().step
    page.done("draw", shape=DISC)
    page.done("place", position=[2.0, 2.0])
    page.done("draw", shape={"kind": "goal", "place": [5.0, 15.0]})
    page.done("place", position=[18.0, 18.0])
    page.done("set", values={"rules.cohesion.weight": 0.02})
    model = flown(page)
    assert model == model_of(page)
    assert model.flocks["predator"].count == 2 and "goal" in model.rules
    assert model.rules["cohesion"].weight == 0.02 and "sphere" in model.obstacles
    frame = page.client.session.flight.simulation.frame
    assert frame.step >= step and len(frame["predator"]) == 2


def test_a_count_that_is_set_begins_again_also_while_a_predator_joins(still: Visitor) -> None:
    still.done("place", position=[2.0, 2.0])
    still.done("set", values={"flocks.boids.count": 30})
    flown(still)
    frame = still.client.session.flight.simulation.frame
    assert frame.step == 0 and {name: len(f) for name, f in frame.items()} == {
        "boids": 30,
        "predator": 1,
    }
