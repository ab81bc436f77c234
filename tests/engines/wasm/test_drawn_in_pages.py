"""Parts that are drawn in a page act as the same parts of a model in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.live_view.drawing import add_predator
from murmurate.runs.drawn_rules import apply_values
from murmurate.runs.live_page import flight_head
from page_worker import STATE, engine, fly, gap, in_python, places
from tiny_model import TINY

SEED = 7
POSTS = mm.parse(TINY).set(
    {
        "space.boundary": "reflecting",
        "obstacles.post": {"kind": "sphere", "centre": [10, 10], "radius": 2},
        "rules.posts": {"kind": "avoid-obstacles", "look_ahead": 8},
    }
)
DISC = {"kind": "sphere", "centre": [5, 6], "radius": 3}
WALL = {"kind": "wall", "through": [[1, 2], [19, 1]]}
STEPS = {"type": "step", "steps": 30}
TOML = {"type": "toml"}


def draw(shape: dict[str, Any]) -> dict[str, Any]:
    return {"type": "draw", "shape": shape}


def test_obstacles_that_a_page_draws_have_the_bits_of_the_model() -> None:
    """A model with obstacles has room for more, which costs nothing."""
    head = flight_head(POSTS, SEED, 60)
    assert head["scene"]["can"]["kinds"] == ["sphere", "box", "wall"]
    replies = fly(head, [draw(DISC), draw(WALL), TOML, STEPS, STATE])
    assert set(replies[0]["changed"]) == {"obstacles.sphere"}
    model = mm.parse(replies[2]["toml"])
    assert list(model.obstacles) == ["post", "sphere", "wall"]
    assert model.obstacles["sphere"] == mm.Sphere(centre=(5, 6), radius=3)
    reference = engine(model, SEED)
    reference.step(30)
    assert (replies[-1]["state"]["places"] == places(reference)).all()
    plain = engine(POSTS, SEED)
    plain.step(30)
    assert (replies[-1]["state"]["places"] != places(plain)).any()
    removal = {"type": "edit", "values": {"obstacles.sphere": None, "obstacles.wall": None}}
    end = fly(head, [draw(DISC), draw(WALL), removal, STEPS, STATE])[-1]
    assert (end["state"]["places"] == places(plain)).all()


REFUSED = [
    (draw({"kind": "goal", "place": [1, 2]}), "without room for one"),
    (draw({**DISC, "radius": -1}), "obstacles.sphere.radius: got -1; expected > 0"),
    (draw({**DISC, "centre": [1]}), "expected 2, one per axis"),
    ({"type": "edit", "values": {"obstacles.post": None}}, "part of this page's model"),
    ({"type": "edit", "values": {"rules.other": {"kind": "wind"}}}, "has no room for it"),
    ({"type": "place", "position": [1, 2]}, "without room for one"),
]


def test_what_a_page_has_no_room_for_is_refused() -> None:
    head = flight_head(POSTS, SEED, 60)
    replies = fly(head, [*(message for message, _ in REFUSED), *[draw(DISC)] * 13, TOML])
    for reply, (message, why) in zip(replies, REFUSED, strict=False):
        assert not reply["ok"] and why in reply["error"], (message, reply)
    assert [reply["ok"] for reply in replies[len(REFUSED) :]] == [*[True] * 12, False, True]
    assert len(mm.parse(replies[-1]["toml"]).obstacles) == 13


@pytest.mark.slow
def test_goals_and_paths_of_a_page_made_for_drawing() -> None:
    model = mm.parse(TINY)
    assert "drawing" not in flight_head(mm.load("p5"), SEED, 60)
    head = flight_head(model, SEED, 60, draw=True)
    corners = [[3, 3], [10, 4], [8, 15]]
    path = {"kind": "path", "points": corners, "closed": True}
    disc = {"kind": "sphere", "centre": [15, 12], "radius": 2}
    replies = fly(head, [draw(disc), draw(path), TOML, STEPS, STATE])
    drawn = mm.parse(replies[2]["toml"])
    assert list(drawn.rules)[:2] == ["path", "avoid-obstacles"]
    assert drawn.rules["path"].closed and len(drawn.rules["path"].points) == 3
    python = in_python(drawn, SEED, 30)
    assert gap(drawn, replies[-1]["state"]["places"], places(python)) < 1e-4
    plain = fly(head, [STEPS, STATE])[-1]["state"]["places"]
    assert gap(model, plain, places(in_python(model, SEED, 30))) < 1e-4
    goal = {"kind": "goal", "place": [16, 3]}
    replies = fly(head, [draw(goal), draw(goal), TOML, STEPS, STATE])
    assert not replies[1]["ok"] and "Delete it first" in replies[1]["error"]
    python = in_python(mm.parse(replies[2]["toml"]), SEED, 30)
    assert gap(model, replies[-1]["state"]["places"], places(python)) < 1e-4


def predator_at(*position: float) -> dict[str, Any]:
    return {"type": "place", "position": list(position)}


@pytest.mark.slow
def test_predators_of_a_page_are_those_of_the_live_view() -> None:
    """The page founds the flock that Python founds, with the same bits from its start on."""
    model = mm.parse(TINY)
    head = flight_head(model, SEED, 60, draw=True)
    messages = [predator_at(24, 5), TOML, {"type": "restart"}, STEPS, STATE]
    replies = fly(head, [*messages, predator_at(14, 15), TOML, STATE, STEPS, STATE])
    drawn = mm.parse(replies[1]["toml"])
    frame = in_python(model, SEED, 0).frame
    expected = apply_values(model, add_predator(model, frame, (4.0, 5.0)).values)
    assert drawn == expected and list(drawn.rules) == list(expected.rules)
    reference = engine(drawn, SEED)
    reference.step(30)
    assert (replies[4]["state"]["places"] == places(reference)).all()
    python = in_python(drawn, SEED, 30)
    assert gap(drawn, replies[4]["state"]["places"], places(python)) < 1e-5
    # A second one joins while they fly, as in Python.
    more = mm.parse(replies[6]["toml"])
    assert more == drawn.set({"flocks.predator.count": 2})
    before, after = (replies[k]["state"] for k in (7, 9))
    assert before["step"] == 30 and before["counts"] == [12, 2]
    assert (before["places"][:, :13] == replies[4]["state"]["places"]).all()
    assert (before["places"][:2, 13] == [14, 15]).all()
    python = python.fork(more, {("predator", 1): (14.0, 15.0)})
    assert gap(more, before["places"], places(python)) < 1e-5
    assert gap(more, after["places"], places(python.step(30))) < 1e-4


@pytest.mark.slow
def test_predators_leave_a_page_with_their_flock_and_its_rules() -> None:
    model = mm.parse(TINY)
    head = flight_head(model, SEED, 60, draw=True)
    remove = {"type": "remove", "flock": "predator", "boid": 0}
    disc, obstacle = draw(DISC), {"type": "edit", "values": {"obstacles.sphere": None}}
    replies = fly(
        head,
        [
            predator_at(4, 5), predator_at(14, 15), disc, TOML, STEPS, STATE,
            remove, STATE, obstacle, remove, TOML, STATE,
            predator_at(4, 5), {"type": "edit", "values": {"flocks.predator.count": 3},
                          "places": {"predator": [[1, 1], [2, 2]]}},
            STATE, {"type": "reset"}, TOML, STATE,
        ],
    )  # fmt: skip
    assert all(reply["ok"] for reply in replies), [r for r in replies if not r["ok"]]
    assert list(mm.parse(replies[3]["toml"]).rules) == [
        "flee-predator", "hunt", "avoid-obstacles", "avoid-obstacles-2", "cohesion",
    ]  # fmt: skip
    both, last_one = (replies[k]["state"]["places"] for k in (5, 7))
    assert (last_one[:, :12] == both[:, :12]).all() and (last_one[:, 12] == both[:, 13]).all()
    assert set(replies[9]["changed"]) == {
        "flocks.predator", "rules.hunt", "rules.flee-predator", "rules.avoid-obstacles-2",
    }  # fmt: skip
    assert list(mm.parse(replies[10]["toml"]).rules) == ["avoid-obstacles", "cohesion"]
    assert replies[11]["state"]["counts"] == [12, 0]
    added = replies[14]["state"]["places"]
    assert (added[:2, 12:] == np.array([[4, 1, 2], [5, 1, 2]])).all()
    assert mm.parse(replies[16]["toml"]) == model
    assert replies[17]["state"]["counts"] == [12, 0] and replies[17]["state"]["step"] == 30


@pytest.mark.slow
def test_predators_join_a_flock_of_predators_in_any_page() -> None:
    tiny = mm.parse(TINY)
    frame = in_python(tiny, SEED, 0).frame
    model = apply_values(tiny, add_predator(tiny, frame, (4.0, 5.0)).values)
    head = flight_head(model, SEED, 60)
    assert head["scene"]["can"]["kinds"] == ["predator"]
    last = {"type": "remove", "flock": "predator", "boid": 0}
    replies = fly(head, [last, predator_at(10, 10), TOML, STATE, draw(DISC)])
    assert "the last boid of a flock cannot be removed" in replies[0]["error"]
    assert mm.parse(replies[2]["toml"]) == model.set({"flocks.predator.count": 2})
    assert replies[3]["state"]["counts"] == [12, 2]
    assert "without room for one" in replies[4]["error"]
