"""Boids that pages remove, also from flocks with given positions: the others continue from their
state."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
from conftest_live import LocalPage, small
from test_drawing import DISC, add_predator, draw, requested_model, step, wait_until_compiled

import murmurate as mm
from murmurate.engines.options import RunOptions
from murmurate.live_view import Session

OpenPage = Callable[..., LocalPage]
POSITIONS = [[2.0, 3.0], [10.0, 4.0], [15.0, 16.0]]
GIVEN: dict[str, Any] = {
    "flocks.boids.count": 3,
    "flocks.boids.start": {
        "kind": "given",
        "positions": POSITIONS,
        "velocities": [[0.3, 0.0], [0.0, 0.3], [0.2, 0.1]],
    },
}


def remove(page: LocalPage, flock: str, boid: int) -> dict[str, Any]:
    """Remove a boid, and wait until the others run. Return the changes."""
    changed: dict[str, Any] = page.do("remove", flock=flock, boid=boid)["changed"]
    wait_until_compiled(page)
    return changed


def edit(
    page: LocalPage, changed: dict[str, Any], side: int, **positions: list[list[float]]
) -> None:
    """Undo a change (side 0), or redo it (side 1)."""
    values = {path: both[side] for path, both in changed.items()}
    page.do("edit", values=values, places=positions)
    wait_until_compiled(page)


def positions(page: LocalPage, flock: str) -> np.ndarray:
    array: np.ndarray = page.client.session.runner.simulation.frame[flock].positions
    return array


def test_a_boid_is_removed_and_put_back(open_page: OpenPage) -> None:
    page = open_page(playing=False)
    for position in [[2.0, 2.0], [10.0, 10.0], [5.0, 15.0]]:
        add_predator(page, *position)
    step(page, 3)
    before, boids = positions(page, "predator"), positions(page, "boids")
    model = requested_model(page)
    changed = remove(page, "predator", 1)
    assert changed == {"flocks.predator.count": [3, 2]}
    np.testing.assert_array_equal(positions(page, "predator"), before[[0, 2]])
    np.testing.assert_array_equal(positions(page, "boids"), boids)
    assert page.client.session.frame.step == 3
    edit(page, changed, 0, predator=[[11.0, 12.0]])
    assert requested_model(page) == model
    np.testing.assert_allclose(positions(page, "predator"), [*before[[0, 2]], [11.0, 12.0]])
    assert len(step(page, 2)["predator"]) == 3


def test_the_last_boid_takes_its_flock_with_it(open_page: OpenPage) -> None:
    page = open_page(engine="reference", playing=False)
    add_predator(page, 2.0, 2.0)
    with_predator, boids = requested_model(page), positions(page, "boids")
    changed = remove(page, "predator", 0)
    notice = page.wait_for("notice", lambda m: "Removed" in m["text"])["text"]
    assert "flee-predator" in notice and "hunt" in notice
    assert list(wait_until_compiled(page).flocks) == ["boids"]
    assert list(wait_until_compiled(page).rules) == ["cohesion", "alignment"]
    np.testing.assert_array_equal(positions(page, "boids"), boids)
    edit(page, changed, 0, predator=[[2.0, 2.0]])
    assert wait_until_compiled(page) == with_predator
    page.do("remove", flock="boids", boid=39)
    assert wait_until_compiled(page).flocks["boids"].count == 39


def test_a_rule_with_other_flocks_stays(open_page: OpenPage) -> None:
    hawk = {"count": 1, "start": {"kind": "box"}, "motion": {"kind": "add", "max_speed": 0.5}}
    senses = {"rules.alignment.moves": ["boids", "hawk"], "rules.alignment.senses": "boids"}
    both = {"flocks.hawk": hawk, "rules.cohesion.moves": "boids", **senses}
    page = open_page(small(**both), "reference", playing=False)
    assert remove(page, "hawk", 0)["rules.alignment.moves"] == [["boids", "hawk"], ["boids"]]
    assert list(wait_until_compiled(page).rules) == ["cohesion", "alignment"]


def test_boids_that_cannot_be_removed(open_page: OpenPage) -> None:
    page = open_page(small(**{"flocks.boids.count": 1}), "reference", playing=False)
    assert "the only flock" in page.request("remove", flock="boids", boid=0)["error"]
    assert "expected 0 to 0" in page.request("remove", flock="boids", boid=1)["error"]
    assert "nobody" in page.request("remove", flock="nobody", boid=0)["error"]


def test_a_boid_is_removed_once(open_page: OpenPage) -> None:
    compiled = threading.Event()
    page = open_page(
        small(**{"flocks.boids.count": 5}), "reference", playing=False, on_compiled=compiled.wait
    )
    page.do("remove", flock="boids", boid=2)
    assert "removed already" in page.request("remove", flock="boids", boid=2)["error"]
    assert requested_model(page).flocks["boids"].count == 4
    compiled.set()


def test_a_boids_memory_leaves_with_it() -> None:
    model = small(**{"flocks.boids.count": 6, "flocks.boids.sensing": {"delay": 3}})
    simulation = mm.Simulation(model, 1, engine="reference").step(5)
    after = simulation.fork(model.set({"flocks.boids.count": 4}), leaving={"boids": {1, 4}})
    old, new = simulation.frame["boids"], after.frame["boids"]
    for name in ("positions", "velocities", "memory"):
        np.testing.assert_array_equal(getattr(new, name), getattr(old, name)[[0, 2, 3, 5]])


def test_shapes_are_drawn_into_a_flock_with_given_positions(open_page: OpenPage) -> None:
    page = open_page(small(**GIVEN), "reference", playing=False)
    step(page, 2)
    before = positions(page, "boids")
    changes = [draw(page, **DISC), draw(page, kind="goal", place=[4, 4])]
    changes.append(add_predator(page, 18.0, 2.0))
    np.testing.assert_array_equal(positions(page, "boids"), before)
    model = wait_until_compiled(page)
    assert mm.parse(page.do("toml")["toml"]) == model
    assert model.flocks["boids"].start == small(**GIVEN).flocks["boids"].start
    for changed in reversed(changes):
        edit(page, changed, 0)
    assert wait_until_compiled(page) == small(**GIVEN)
    np.testing.assert_array_equal(positions(page, "boids"), before)


def test_predators_with_given_positions_are_added_and_removed() -> None:
    hunters = {"count": 2, "start": {"kind": "given", "positions": POSITIONS[:2]}}
    model = small(
        **{
            "flocks.boids.count": 6, "rules.cohesion.moves": "boids",
            "rules.alignment.moves": "boids",
            "flocks.hunters": hunters | {"motion": {"kind": "add", "max_speed": 0.5}},
            "rules.flee": {"moves": "boids", "senses": "hunters", "radius": 4.0},
        }
    )  # fmt: skip
    with Session(model, RunOptions(engine="reference", seed=1), playing=False) as session:
        page = LocalPage(session)
        step(page, 2)
        added = add_predator(page, 18.0, 17.0)
        assert added["flocks.hunters.count"] == [2, 3]
        start = requested_model(page).flocks["hunters"].start
        assert start.kind == "given" and len(start.positions) == 3
        np.testing.assert_allclose(positions(page, "hunters")[2], [18.0, 17.0])
        before = positions(page, "hunters")
        removed = remove(page, "hunters", 0)
        np.testing.assert_array_equal(positions(page, "hunters"), before[1:])
        start = requested_model(page).flocks["hunters"].start
        assert start.kind == "given" and start.positions == ((10.0, 4.0), (18.0, 17.0))
        assert mm.parse(page.do("toml")["toml"]) == wait_until_compiled(page)
        edit(page, removed, 0, hunters=[[2.5, 3.0]])
        edit(page, added, 0)
        assert wait_until_compiled(page) == model
        assert step(page, 1).step == 3
