"""Boids that pages take away one by one, and flocks whose boids are given one by one: the others
fly on from where they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from conftest_live import Visitor, small
from test_drawing import DISC, drawn, flown, model_of, placed, stepped

import murmurate as mm
from murmurate.engines.options import RunOptions
from murmurate.live_view import Session

Fly = Callable[..., Visitor]
PLACES = [[2.0, 3.0], [10.0, 4.0], [15.0, 16.0]]
GIVEN: dict[str, Any] = {
    "flocks.boids.count": 3,
    "flocks.boids.start": {
        "kind": "given",
        "positions": PLACES,
        "velocities": [[0.3, 0.0], [0.0, 0.3], [0.2, 0.1]],
    },
}


def removed(page: Visitor, flock: str, boid: int) -> dict[str, Any]:
    """Takes a boid away, and waits until the others fly; what changed."""
    changed: dict[str, Any] = page.done("remove", flock=flock, boid=boid)["changed"]
    flown(page)
    return changed


def edit(page: Visitor, changed: dict[str, Any], side: int, **places: list[list[float]]) -> None:
    """Undoes (0) a change, or does it again (1)."""
    values = {path: both[side] for path, both in changed.items()}
    page.done("edit", values=values, places=places)
    flown(page)


def positions(page: Visitor, flock: str) -> np.ndarray:
    found: np.ndarray = page.client.session.flight.simulation.frame[flock].positions
    return found


def test_the_chosen_one_leaves_and_is_put_back(fly: Fly) -> None:
    page = fly(playing=False)
    places = [[2.0, 2.0], [10.0, 10.0], [5.0, 15.0]]
    for place in places:
        placed(page, *place)
    stepped(page, 3)
    before, boids, step = positions(page, "predator"), positions(page, "boids"), 3
    model = model_of(page)
    changed = removed(page, "predator", 1)
    assert changed == {"flocks.predator.count": [3, 2]}
    np.testing.assert_array_equal(positions(page, "predator"), before[[0, 2]])
    np.testing.assert_array_equal(positions(page, "boids"), boids)
    assert page.client.session.frame.step == step
    edit(page, changed, 0, predator=[[11.0, 12.0]])
    assert model_of(page) == model
    np.testing.assert_allclose(positions(page, "predator"), [*before[[0, 2]], [11.0, 12.0]])
    assert len(stepped(page, 2)["predator"]) == 3


def test_the_last_one_takes_its_flock_with_it(fly: Fly) -> None:
    page = fly(engine="reference", playing=False)
    placed(page, 2.0, 2.0)
    with_it, boids = model_of(page), positions(page, "boids")
    changed = removed(page, "predator", 0)
    assert "rule" not in (notice := page.until("notice", lambda m: "Took" in m["text"])["text"])
    assert "flee-predator" in notice and "hunt" in notice
    assert list(flown(page).flocks) == ["boids"]
    assert list(flown(page).rules) == ["cohesion", "alignment"]
    np.testing.assert_array_equal(positions(page, "boids"), boids)
    edit(page, changed, 0, predator=[[2.0, 2.0]])
    assert flown(page) == with_it
    page.done("remove", flock="boids", boid=39)
    assert flown(page).flocks["boids"].count == 39


def test_a_rule_about_others_too_stays(fly: Fly) -> None:
    hawk = {"count": 1, "start": {"kind": "box"}, "motion": {"kind": "add", "max_speed": 0.5}}
    senses = {"rules.alignment.moves": ["boids", "hawk"], "rules.alignment.senses": "boids"}
    both = {"flocks.hawk": hawk, "rules.cohesion.moves": "boids", **senses}
    page = fly(small(**both), "reference", playing=False)
    assert removed(page, "hawk", 0)["rules.alignment.moves"] == [["boids", "hawk"], ["boids"]]
    assert list(flown(page).rules) == ["cohesion", "alignment"]


def test_who_cannot_be_taken_away(fly: Fly) -> None:
    page = fly(small(**{"flocks.boids.count": 1}), "reference", playing=False)
    assert "no other flock" in page.ask("remove", flock="boids", boid=0)["error"]
    assert "boids 0 to 0" in page.ask("remove", flock="boids", boid=1)["error"]
    assert "nobody" in page.ask("remove", flock="nobody", boid=0)["error"]


def test_a_boid_is_taken_away_once(fly: Fly) -> None:
    page = fly(small(**{"flocks.boids.count": 5}), "reference", playing=False)
    controller = page.client.session.controller
    page.client.session.do(lambda: setattr(controller, "prepare", lambda: None) or {}).result()
    page.done("remove", flock="boids", boid=2)  # and nothing is compiled
    assert "taken away already" in page.ask("remove", flock="boids", boid=2)["error"]
    assert model_of(page).flocks["boids"].count == 4


def test_what_a_boid_keeps_leaves_with_it() -> None:
    model = small(**{"flocks.boids.count": 6, "flocks.boids.sensing": {"delay": 3}})
    simulation = mm.Simulation.from_options(model, RunOptions(engine="reference", seed=1)).step(5)
    fewer = model.set({"flocks.boids.count": 4})
    after = simulation.fork(fewer, leaving={"boids": {1, 4}})
    old, new = simulation.frame["boids"], after.frame["boids"]
    for name in ("positions", "velocities", "memory"):
        np.testing.assert_array_equal(getattr(new, name), getattr(old, name)[[0, 2, 3, 5]])


def test_things_are_drawn_into_a_flock_that_is_given(fly: Fly) -> None:
    page = fly(small(**GIVEN), "reference", playing=False)
    stepped(page, 2)
    before = positions(page, "boids")
    changes = [drawn(page, **DISC), drawn(page, kind="goal", place=[4, 4])]
    changes.append(placed(page, 18.0, 2.0))
    np.testing.assert_array_equal(positions(page, "boids"), before)
    model = flown(page)
    assert mm.parse(page.done("toml")["toml"]) == model
    assert model.flocks["boids"].start == small(**GIVEN).flocks["boids"].start
    for changed in reversed(changes):
        edit(page, changed, 0)
    assert flown(page) == small(**GIVEN)
    np.testing.assert_array_equal(positions(page, "boids"), before)


def test_predators_that_are_given_come_and_go() -> None:
    hunters = {"count": 2, "start": {"kind": "given", "positions": PLACES[:2]}}
    model = small(
        **{
            "flocks.boids.count": 6, "rules.cohesion.moves": "boids",
            "rules.alignment.moves": "boids",
            "flocks.hunters": hunters | {"motion": {"kind": "add", "max_speed": 0.5}},
            "rules.flee": {"moves": "boids", "senses": "hunters", "radius": 4.0},
        }
    )  # fmt: skip
    with Session(model, RunOptions(engine="reference", seed=1), playing=False) as session:
        page = Visitor(session)
        stepped(page, 2)
        more = placed(page, 18.0, 17.0)
        assert more["flocks.hunters.count"] == [2, 3]
        start = model_of(page).flocks["hunters"].start
        assert start.kind == "given" and len(start.positions) == 3
        np.testing.assert_allclose(positions(page, "hunters")[2], [18.0, 17.0])
        kept = positions(page, "hunters")
        less = removed(page, "hunters", 0)
        np.testing.assert_array_equal(positions(page, "hunters"), kept[1:])
        start = model_of(page).flocks["hunters"].start
        assert start.kind == "given" and start.positions == ((10.0, 4.0), (18.0, 17.0))
        assert mm.parse(page.done("toml")["toml"]) == flown(page)
        edit(page, less, 0, hunters=[[2.5, 3.0]])
        edit(page, more, 0)
        assert flown(page) == model
        assert stepped(page, 1).step == 3
