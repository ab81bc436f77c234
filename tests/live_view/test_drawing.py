"""Drawn shapes and predators become part of the model, and the flock continues from its state."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest_live import LocalPage, small

import murmurate as mm
from murmurate.engines.options import RunOptions
from murmurate.live_view.drawing import add_shape
from murmurate.live_view.edits import MAX_OFFSET, wrap_point
from murmurate.live_view.messages import MessageError, Sphere, decode
from murmurate.runs.drawn_rules import apply_values
from processes import until

OpenPage = Callable[..., LocalPage]
DISC = {"kind": "sphere", "centre": [8.0, 12.0], "radius": 3.0}


def requested_model(page: LocalPage) -> mm.Model:
    return page.client.session.controller.requested


def wait_until_compiled(page: LocalPage) -> mm.Model:
    """Wait until everything is compiled. Return the running model."""
    session = page.client.session
    until(lambda: page.receive() or not session.busy)
    return session.controller.running


def draw(page: LocalPage, **shape: Any) -> dict[str, Any]:
    """Draw a shape, and wait until it is compiled. Return the changes."""
    changed: dict[str, Any] = page.do("draw", shape=shape)["changed"]
    wait_until_compiled(page)
    return changed


def add_predator(page: LocalPage, *position: float) -> dict[str, Any]:
    """Add a predator, and wait until it is compiled. Return the changes."""
    changed: dict[str, Any] = page.do("place", position=position)["changed"]
    wait_until_compiled(page)
    return changed


def step(page: LocalPage, steps: int) -> Any:
    """Make some steps. Return the frame after them."""
    first = page.client.session.frame.step
    page.do("step", steps=steps)
    page.wait_for("status", lambda m: m["step"] == first + steps)
    return page.client.session.runner.simulation.frame


@pytest.fixture
def paused(open_page: OpenPage) -> LocalPage:
    """Open a page on the small flock, paused after five steps."""
    page = open_page(engine="reference", playing=False)
    step(page, 5)
    return page


def test_an_obstacle_is_drawn_with_a_rule_that_avoids_it(paused: LocalPage) -> None:
    changed = draw(paused, **DISC)
    assert changed["obstacles.sphere"] == [None, DISC]
    before, rule = changed["rules.avoid-obstacles"]
    assert before is None and rule["look_ahead"] == 4.0  # a tenth of 20 at 0.5
    notice = paused.wait_for("notice")
    assert notice["level"] == "info" and "boids had no rule that senses obstacles" in notice["text"]
    model = wait_until_compiled(paused)
    assert next(iter(model.rules)) == "avoid-obstacles"
    assert model.obstacles["sphere"].radius == 3.0
    assert paused.client.session.frame.step == 5
    second = draw(paused, **DISC)
    assert list(second) == ["obstacles.sphere-2"]  # the rule exists


def test_the_toml_with_drawn_shapes_loads_to_the_same_model(paused: LocalPage) -> None:
    shapes: list[dict[str, Any]] = [
        DISC,
        {"kind": "box", "centre": [15, 5], "size": [2, 3]},
        {"kind": "wall", "through": [[0.0, 1.0], [20.0, 1.0]]},
        {"kind": "path", "points": [[2, 2], [18, 2], [10, 18]], "closed": True},
        {"kind": "goal", "place": [10, 10]},
    ]
    for shape in shapes:
        paused.do("draw", shape=shape)
    add_predator(paused, 4.0, 4.0)
    model = wait_until_compiled(paused)
    assert mm.parse(paused.do("toml")["toml"]) == model
    assert list(model.obstacles) == ["sphere", "box", "wall"]
    assert list(model.rules)[:3] == ["flee-predator", "hunt", "goal"]
    assert model.obstacles["wall"].normal == (0.0, 1.0)  # towards the flock
    step(paused, 3)


@pytest.mark.slow  # two kernels
def test_the_flock_continues_from_the_same_bits(open_page: OpenPage) -> None:
    model = small(**{"space.boundary": "reflecting"})
    page = open_page(model, engine="cpu", playing=False)
    step(page, 5)
    draw(page, kind="sphere", centre=[300.0, 300.0], radius=0.5)
    simulation = mm.Simulation(model, seed=1, threads=1).step(5)
    simulation.replace_model(wait_until_compiled(page))
    expected = simulation.step(20).frame["boids"]
    boids = step(page, 20)["boids"]
    np.testing.assert_array_equal(boids.positions, expected.positions)
    np.testing.assert_array_equal(boids.velocities, expected.velocities)


@pytest.mark.slow
def test_what_a_part_needs_is_compiled_before_it_is_drawn(
    open_page: OpenPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The flock goes on meanwhile, and the model stays."""
    page = open_page(engine="cpu")
    page.wait_until_running()
    monkeypatch.setenv("MURMURATE_CACHE", str(tmp_path))  # empty
    controller = page.client.session.controller
    with_disc = apply_values(
        small(), add_shape(small(), page.client.session.frame, Sphere(**DISC)).values
    )
    simulation = mm.Simulation(with_disc)
    assert not simulation.compiled
    step = page.frame().step
    page.do("prepare", part="obstacle")
    until(lambda: page.receive() or simulation.compiled)
    assert page.frame(lambda f: f.step > step) and controller.requested == small()
    page.do("prepare", part="obstacle")  # nothing more to do
    draw(page, **DISC)
    assert controller.running == with_disc


def test_preparing_changes_nothing(paused: LocalPage) -> None:
    before = requested_model(paused)
    for part in ("obstacle", "goal", "predator"):
        paused.do("prepare", part=part)
    assert requested_model(paused) == before and not paused.client.session.busy


def test_a_predator_founds_a_flock_and_the_others_are_unchanged(paused: LocalPage) -> None:
    before = paused.client.session.runner.simulation.frame["boids"]
    changed = add_predator(paused, 25.0, 4.0)  # on a torus of 20
    assert changed["rules.cohesion.moves"] == ["", "boids"]
    assert "there were no predators" in paused.wait_for("notice")["text"]
    frame = paused.client.session.runner.simulation.frame
    assert frame.step == 5
    np.testing.assert_array_equal(frame["boids"].positions, before.positions)
    np.testing.assert_array_equal(frame["boids"].velocities, before.velocities)
    np.testing.assert_allclose(frame["predator"].positions, [[5.0, 4.0]])
    scene = paused.wait_for("scene", lambda m: len(m["flocks"]) == 2)
    assert [flock["count"] for flock in scene["flocks"]] == [40, 1]
    second = add_predator(paused, 10.0, 10.0)
    assert second == {"flocks.predator.count": [1, 2]}
    frame = paused.client.session.runner.simulation.frame
    np.testing.assert_allclose(frame["predator"].positions, [[5.0, 4.0], [10.0, 10.0]])
    assert len(step(paused, 5)["predator"]) == 2


def test_edits_are_undone_and_redone(paused: LocalPage) -> None:
    original = requested_model(paused)
    changes = [
        add_predator(paused, 5.0, 4.0),
        add_predator(paused, 10.0, 10.0),
        draw(paused, **DISC),
    ]
    complete = wait_until_compiled(paused)
    frame = paused.client.session.runner.simulation.frame
    for changed in reversed(changes):
        paused.do("edit", values={path: old for path, (old, _) in changed.items()})
    assert wait_until_compiled(paused) == original
    after = paused.client.session.runner.simulation.frame
    assert after.step == 5 and list(after.flocks) == ["boids"]
    np.testing.assert_array_equal(after["boids"].positions, frame["boids"].positions)
    added: list[dict[str, Any]] = [{"predator": [[5.0, 4.0]]}, {"predator": [[10.0, 10.0]]}, {}]
    for changed, positions in zip(changes, added, strict=True):
        values = {path: new for path, (_, new) in changed.items()}
        paused.do("edit", values=values, places=positions)
    assert wait_until_compiled(paused) == complete
    redone = paused.client.session.runner.simulation.frame
    np.testing.assert_array_equal(redone["predator"].positions, frame["predator"].positions)
    np.testing.assert_array_equal(redone["boids"].positions, frame["boids"].positions)


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
def test_invalid_messages_are_refused(message: dict[str, Any], problem: str) -> None:
    with pytest.raises(MessageError, match=problem):
        decode(json.dumps(message))


def test_numbers_that_are_not_finite_are_refused(paused: LocalPage) -> None:
    for text in ("NaN", "Infinity", "1e999"):
        with pytest.raises(MessageError):
            decode(f'{{"type": "place", "position": [1, {text}]}}')


@pytest.mark.parametrize(
    ("kind", "message", "problem"),
    [
        ("draw", {"shape": DISC | {"centre": [1e6, 1]}}, "within 20 sides"),
        ("draw", {"shape": DISC | {"radius": 1e5}}, "at most 20 sides"),
        ("draw", {"shape": DISC | {"centre": [1, 2, 3]}}, "got 3 numbers; expected 2"),
        ("draw", {"shape": {"kind": "wall", "through": [[1, 1], [1, 1]]}}, "two equal points"),
        ("draw", {"shape": {"kind": "path", "points": [[1, 1], [1, 1]]}}, "equal points only"),
        ("place", {"position": [1e7, 1]}, "from its middle"),
        ("edit", {"values": {"obstacles.nothing": None}}, "nothing"),
        ("edit", {"values": {"obstacles.__class__": DISC}}, "expected a letter"),
        ("edit", {"values": {"name": "/etc/passwd"}}, "a page may change"),
        ("edit", {"values": {"flocks.boids": None}}, "at least one flock"),
        ("edit", {"values": {"flocks.boids.count": 2_000_001}}, "2000000"),
    ],
)
def test_invalid_edits_are_refused_with_a_reason(
    paused: LocalPage, kind: str, message: dict[str, Any], problem: str
) -> None:
    before = requested_model(paused)
    reply = paused.request(kind, **message)
    assert not reply["ok"] and problem in reply["error"]
    assert requested_model(paused) == before


def test_a_point_may_be_20_sides_from_the_middle() -> None:
    model = mm.load("ucl")
    middle = np.array(model.space.lower) + 0.5 * np.array(model.space.size)
    step = MAX_OFFSET * max(model.space.size)
    assert wrap_point(model, "a", (middle[0] + step, *middle[1:]))
    with pytest.raises(mm.ModelError, match="from its middle"):
        wrap_point(model, "a", (middle[0] + 1.001 * step, *middle[1:]))


def test_the_number_of_obstacles_is_limited(paused: LocalPage) -> None:
    obstacles = {f"obstacles.o{k}": DISC for k in range(65)}
    assert "at most 64" in paused.request("edit", values=obstacles)["error"]


def test_a_wall_across_a_torus_has_a_warning_until_it_is_removed(paused: LocalPage) -> None:
    changed = draw(paused, kind="wall", through=[[0.0, 1.0], [20.0, 1.0]])
    notice = paused.wait_for("notice", lambda m: m["level"] == "warning")
    assert notice["about"] == "warnings" and notice["sticky"]
    assert notice["text"].startswith("obstacle 'wall' is a wall across y, and y is periodic")
    paused.do("edit", values={path: old for path, (old, _) in changed.items()})
    wait_until_compiled(paused)
    paused.wait_for("notice", lambda m: (m["about"], m["level"]) == ("warnings", "clear"))


def test_a_reset_removes_drawn_parts(paused: LocalPage) -> None:
    draw(paused, **DISC)
    paused.do("reset")
    paused.wait_for("scene", lambda m: "obstacles" not in m["model"])
    assert wait_until_compiled(paused) == small()
    assert paused.client.session.frame.step == 5


def test_obstacles_that_a_rule_needs_stay(open_page: OpenPage) -> None:
    rule = {"kind": "separation", "senses": "stone", "radius": 2.0}
    page = open_page(
        small(**{"obstacles.stone": DISC, "rules.keep": rule}), "reference", playing=False
    )
    assert "rules.keep.senses" in page.request("edit", values={"obstacles.stone": None})["error"]


def test_a_boid_that_senses_with_a_delay_joins_with_a_history() -> None:
    model = small(**{"flocks.boids.count": 6, "flocks.boids.sensing": {"delay": 3}})
    options = RunOptions(engine="reference", seed=1)
    simulation = mm.Simulation(model, **options.arguments).step(5)
    after = simulation.fork(model.set({"flocks.boids.count": 7}), {("boids", 6): (1.0, 2.0)})
    old, new = simulation.frame["boids"].memory, after.frame["boids"].memory
    np.testing.assert_array_equal(new[:6], old)
    np.testing.assert_array_equal(new[6, :2], [1.0, 2.0])
    np.testing.assert_array_equal(new[6].reshape(-1, 4), np.tile(new[6, :4], (3, 1)))
    assert after.step(2).frame.step == 7


def test_changes_during_a_compilation_are_all_applied(open_page: OpenPage) -> None:
    page = open_page()
    page.wait_until_running()
    step = page.frame().step
    page.do("draw", shape=DISC)
    page.do("place", position=[2.0, 2.0])
    page.do("draw", shape={"kind": "goal", "place": [5.0, 15.0]})
    page.do("place", position=[18.0, 18.0])
    page.do("set", values={"rules.cohesion.weight": 0.02})
    model = wait_until_compiled(page)
    assert model == requested_model(page)
    assert model.flocks["predator"].count == 2 and "goal" in model.rules
    assert model.rules["cohesion"].weight == 0.02 and "sphere" in model.obstacles
    frame = page.client.session.runner.simulation.frame
    assert frame.step >= step and len(frame["predator"]) == 2


def test_setting_a_count_restarts_the_flock_also_while_a_predator_joins(paused: LocalPage) -> None:
    paused.do("place", position=[2.0, 2.0])
    paused.do("set", values={"flocks.boids.count": 30})
    wait_until_compiled(paused)
    frame = paused.client.session.runner.simulation.frame
    assert frame.step == 0 and {name: len(flock) for name, flock in frame.items()} == {
        "boids": 30,
        "predator": 1,
    }
