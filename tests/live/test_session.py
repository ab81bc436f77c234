"""What a page asks for happens to the flock, and all pages are notified."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from conftest_live import Visitor, small

import murmurate as mm
from flight_loop import go_round, step_of, unhurried
from murmurate.codegen.kernel_cache import Kernel
from murmurate.engines.cpu.model_kernels import ModelKernels
from murmurate.live_view.controller import Controller
from processes import LIMIT, until

Fly = Callable[..., Visitor]


class Held:
    """What was compiled, in the order in which it was, flies when it is let."""

    def __init__(self) -> None:
        self.waiting = threading.Semaphore(0)
        self.let = threading.Semaphore(0)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    held, compiled = Held(), Controller._prepared

    def prepared(self: Controller, trial: mm.Simulation, fresh: bool) -> None:
        def late() -> None:
            if held.let.acquire(timeout=0.01):
                compiled(self, trial, fresh)
            else:
                self.flight.post(late)

        held.waiting.release()
        late()

    monkeypatch.setattr(Controller, "_prepared", prepared)
    return held


def test_it_plays_pauses_and_steps(fly: Fly) -> None:
    page = fly(playing=False)
    scene = page.until("scene")
    assert scene["dims"] == 2
    assert [flock["count"] for flock in scene["flocks"]] == [40]
    first = page.frame()
    assert first.step == 0
    page.done("step", steps=3)
    assert page.frame(lambda f: f.step >= 3).step == 3
    page.done("play")
    page.frame(lambda f: f.step >= 6)
    page.until("status", lambda m: m["playing"] and m["steps_per_second"] > 0)
    page.done("pause")
    page.until("status", lambda m: not m["playing"])
    flight = page.client.session.flight
    unhurried(flight)
    step = step_of(flight)
    go_round(flight)
    assert step_of(flight) == step
    page.done("play")
    go_round(flight)
    assert step_of(flight) >= step + 5


def test_it_flies_what_a_simulation_flies(fly: Fly) -> None:
    page = fly(playing=False)
    page.done("step", steps=20)
    page.until("status", lambda m: m["step"] == 20)
    twin = mm.Simulation(small(), seed=1, threads=1).step(20).frame
    flown = page.client.session.frame
    np.testing.assert_array_equal(flown["boids"].positions, twin["boids"].positions)


def test_its_rate_is_the_films_and_can_be_changed(fly: Fly) -> None:
    page = fly(small(**{"view.frames_per_second": 30.0, "view.every": 2}))
    assert page.until("status")["rate"] == 60.0
    page.flying()
    page.done("rate", steps_per_second=200)
    assert page.until("status", lambda m: m["rate"] == 200)
    page.done("rate", steps_per_second=None)
    page.until("status", lambda m: m["rate"] is None)
    flight, reached = page.client.session.flight, page.client.session.frame.step
    go_round(flight)
    assert step_of(flight) >= reached + 5  # as fast as it can: every time that it looks


def test_numbers_change_in_flight(fly: Fly) -> None:
    page, other = fly(), None
    page.flying()
    other = Visitor(page.client.session)
    number = page.frame().scene
    reply = page.done("set", values={"rules.cohesion.weight": 0.5, "rules.alignment.radius": 3})
    assert not reply["compiling"]
    for each in (page, other):
        told = each.until("values", lambda m: m["values"])
        assert told["values"] == {"rules.cohesion.weight": 0.5}
    assert page.client.session.controller.running.rules["cohesion"].weight == 0.5
    assert page.frame().scene == number


def test_alignment_off_and_the_flock_forgets_its_heading(fly: Fly) -> None:
    model = small(**{"rules.alignment.weight": 1.0, "rules.alignment.radius": 9.0})
    page = fly(model.set({"rules.jitter": {"kind": "random-steering", "weight": 0.1}}))
    page.done("rate", steps_per_second=None)

    def polarized(low: float, high: float) -> Callable[[dict[str, Any]], bool]:
        return lambda m: any(
            low <= p["flocks"]["boids"]["polarization"] <= high for p in m["points"]
        )

    page.until("measures", polarized(0.9, 1.0))
    page.done("switch", rule="alignment", on=False)
    assert page.until("values")["off"] == ["alignment"]
    page.until("measures", polarized(0.0, 0.5))
    page.done("switch", rule="alignment", on=True)
    assert page.until("values")["values"] == {"rules.alignment.weight": 1.0}
    page.until("measures", polarized(0.9, 1.0))


def test_a_switched_off_rule_that_is_given_a_weight_is_on(fly: Fly) -> None:
    page = fly()
    page.done("switch", rule="cohesion", on=False)
    page.done("set", values={"rules.cohesion.weight": 0.2})
    assert (
        page.until("values", lambda m: m["values"] == {"rules.cohesion.weight": 0.2})["off"] == []
    )


def test_other_rules_are_compiled_beside_the_flight(fly: Fly) -> None:
    page = fly()
    page.flying()
    number = page.frame().scene
    step = page.frame().step
    reply = page.done("set", values={"rules.separation": {"radius": 1.0, "weight": 0.1}})
    assert reply["compiling"]
    page.done("set", values={"rules.cohesion.weight": 0.25})  # does not wait for it
    assert page.client.session.controller.running.rules["cohesion"].weight == 0.25
    scene = page.until("scene", lambda m: m["scene"] > number)
    assert "separation" in scene["model"]["rules"]
    after = page.frame(lambda f: f.scene == scene["scene"])
    assert after.step >= step  # it flew on, and does so still
    flying = page.client.session.controller.running
    assert flying.rules["cohesion"].weight == 0.25 and "separation" in flying.rules
    page.until("status", lambda m: m["busy"] == "")


def test_another_number_of_boids_begins_anew(fly: Fly) -> None:
    page = fly()
    page.flying()
    page.done("set", values={"flocks.boids.count": 55})
    scene = page.until("scene", lambda m: m["flocks"][0]["count"] == 55)
    frame = page.frame(lambda f: f.scene == scene["scene"])
    assert len(frame.positions) == 55
    page.frame(lambda f: f.step > 0)


def test_restart_and_seed(fly: Fly) -> None:
    page = fly(playing=False)
    page.done("step", steps=5)
    page.frame(lambda f: f.step == 5)
    assert page.done("restart", seed=9)["seed"] == 9
    page.frame(lambda f: f.step == 0)
    twin = mm.Simulation(small(), seed=9, threads=1).frame
    flown = page.client.session.frame
    np.testing.assert_array_equal(flown["boids"].positions, twin["boids"].positions)


def test_what_rests_still_rests_where_it_is_restarted_before_it_is_compiled(
    fly: Fly, held: Held
) -> None:
    page = fly(playing=False)
    page.done("restart", seed=7)
    assert page.until("status", lambda m: m["busy"])["playing"] is False
    held.let.release()
    assert page.until("status", lambda m: not m["busy"])["playing"] is False


def test_a_seed_that_is_asked_for_while_another_flock_is_compiled(fly: Fly, held: Held) -> None:
    held.let.release()
    page = fly(playing=False)
    assert held.waiting.acquire(timeout=LIMIT)
    page.done("set", values={"flocks.boids.count": 55})
    assert held.waiting.acquire(timeout=LIMIT)  # a start was drawn, from the seed before
    page.done("restart", seed=9)
    held.let.release()
    page.until("scene", lambda m: m["flocks"][0]["count"] == 55)
    twin = mm.Simulation(small(**{"flocks.boids.count": 55}), seed=9, threads=1).frame
    flown = page.client.session.frame
    np.testing.assert_array_equal(flown["boids"].positions, twin["boids"].positions)


def test_reset(fly: Fly) -> None:
    page = fly()
    page.done("set", values={"rules.cohesion.weight": 0.5})
    page.done("switch", rule="alignment", on=False)
    page.done("reset")
    assert page.client.session.controller.requested == small()
    assert page.until("values", lambda m: not m["off"])


def test_opening_another_flock(fly: Fly) -> None:
    page = fly()
    assert "small" in [m["name"] for m in page.until("scene")["zoo"]]
    page.done("open", model="ucl")
    scene = page.until("scene", lambda m: m["name"] == "ucl")
    page.frame(lambda f: f.scene >= scene["scene"] and f.step > 0)
    page.done("open", model="small")
    page.until("scene", lambda m: m["name"] == "small")
    refused = page.ask("open", model="../../etc/passwd")
    assert "no published flock" in refused["error"]


def test_a_boid_is_moved(fly: Fly) -> None:
    page = fly(playing=False)
    page.done("move", flock="boids", boid=3, position=[25.0, 4.0])
    frame = page.frame(lambda f: abs(f.positions[3] - [5.0, 4.0]).max() < 1e-2)
    assert len(frame.positions) == 40
    assert "0 to 39" in page.ask("move", flock="boids", boid=40, position=[1, 1])["error"]
    assert "no flock" in page.ask("move", flock="x", boid=0, position=[1, 1])["error"]


def test_shooed_boids_fly_away(fly: Fly) -> None:
    centre, radius = np.array([10.0, 10.0]), 5.0
    page = fly(small(**{"rules.cohesion.weight": 0.0}))
    page.done("rate", steps_per_second=2000)

    def near() -> int:
        positions = page.client.session.frame["boids"].positions
        return int((np.linalg.norm(positions - centre, axis=1) < radius / 2).sum())

    page.done("shoo", position=[10.0, 10.0, 0.0], radius=radius)
    until(lambda: page.listen() or not near())
    page.done("shoo", position=None, radius=radius)
    assert page.client.shoo is None


def test_called_boids_come(fly: Fly) -> None:
    page = fly(small(**{"rules.cohesion.weight": 0.0, "rules.alignment.weight": 0.0}))
    page.done("rate", steps_per_second=2000)

    def spread() -> float:
        positions = page.client.session.frame["boids"].positions
        return float(np.linalg.norm(positions - [10.0, 10.0], axis=1).mean())

    assert spread() > 5.0  # evenly over a square of 20
    page.done("shoo", position=[10.0, 10.0, 0.0], radius=20.0, call=True)
    assert page.client.shoo.sign == -1
    until(lambda: page.listen() or spread() < 3.0)
    page.done("shoo", position=None)
    assert page.client.shoo is None


def test_an_obstacle_is_dragged_and_boids_leave_its_place(fly: Fly) -> None:
    stone = {"kind": "sphere", "centre": [-50.0, 5.0], "radius": 3.0}
    page = fly(small(**{"obstacles.stone": stone, "space.boundary": "reflecting"}))
    assert page.until("scene")["handles"] == [
        {
            "path": "obstacles.stone.centre",
            "label": "stone centre",
            "position": [-50.0, 5.0, 0.0],
            "kind": "obstacle",
        }
    ]
    page.flying()
    page.done("set", values={"obstacles.stone.centre": [10.0, 10.0]})
    moved = page.until("obstacles")
    assert moved["obstacles"][0]["centre"] == [10.0, 10.0, 0.0]
    assert moved["handles"][0]["position"] == [10.0, 10.0, 0.0]
    step = page.frame().step
    frame = page.frame(lambda f: f.step > step + 2)
    assert np.linalg.norm(frame.positions - [10.0, 10.0], axis=1).min() > 2.99


def test_places_of_rules_are_handles(fly: Fly) -> None:
    gate = {"kind": "tend-to-place", "place": [4.0, 5.0]}
    page = fly(small(**{"rules.gate": gate}), playing=False)
    (handle,) = page.until("scene")["handles"]
    assert (handle["path"], handle["kind"]) == ("rules.gate.place", "place")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"rules.cohesion.weight": "heavy"}, "must be a valid number"),
        ({"rules.cohesoin.weight": 1}, "did you mean 'cohesion'"),
        ({"rules.cohesion.radius": -1}, "must be > 0"),
        ({"flocks.boids.count": 3_000_000}, "a page may ask for 2000000"),
        ({"name": "../../x"}, "a page may change dt"),
        ({"rules.cohesion.kind": "os.system"}, "no rule named"),
    ],
)
def test_what_cannot_be_is_refused_in_words(fly: Fly, values: dict[str, Any], words: str) -> None:
    page = fly(playing=False)
    reply = page.ask("set", values=values)
    assert not reply["ok"] and words in reply["error"]
    assert page.client.session.controller.requested == small()


def test_a_lost_boid_pauses_and_restart_is_the_way_out(fly: Fly) -> None:
    model = small(**{"space.boundary": "open", "flocks.boids.motion.max_speed": float("inf")})
    page = fly(model)
    page.flying()
    page.done("set", values={"rules.cohesion.weight": -1e6})
    notice = page.until("notice", lambda m: m["level"] == "error")
    assert notice["about"] == "run" and notice["sticky"] and "it left the space" in notice["text"]
    late = Visitor(page.client.session)
    assert late.until("notice")["text"] == notice["text"]
    assert "must be restarted" in page.ask("play")["error"]
    page.frame()  # the others are still shown
    page.done("set", values={"rules.cohesion.weight": 0.01})
    page.done("restart")
    assert page.until("notice")["level"] == "clear"
    page.flying()


def test_a_rule_that_does_not_compile_leaves_the_flock_flying(
    fly: Fly, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether its text shows what is wrong, or only the compiler finds it."""

    class Worded(mm.Rule):
        def alone(self, me):  # type: ignore[no-untyped-def]
            return "here", "and", "there"

    class Crooked(mm.Rule):
        def alone(self, me):  # type: ignore[no-untyped-def]
            return 1.0, 0.0, 0.0

    compiled = ModelKernels.kernel

    def refused(kernels: ModelKernels, name: str) -> Kernel:
        if "crooked" in kernels.layout.plan.model.rules:
            raise mm.RuleError("Crooked: the compiler stopped")
        return compiled(kernels, name)

    monkeypatch.setattr(ModelKernels, "kernel", refused)
    page = fly()
    page.flying()
    reply = page.ask("set", values={"rules.worded": {}})
    assert not reply["ok"] and "Worded" in reply["error"] and "'here'" in reply["error"]
    assert page.client.session.controller.requested == small()
    page.ask("set", values={"rules.crooked": {}})
    notice = page.until("notice")
    assert notice["about"] == "model" and "Crooked" in notice["text"]
    step = page.frame().step
    page.frame(lambda f: f.step > step)
    assert page.client.session.controller.requested == small()


def test_a_setting_comes_in_one_message(fly: Fly) -> None:
    """Values, and which rules are off, whatever was off before; a rule that is off keeps its
    weight aside."""
    page = fly(playing=False)
    controller = page.client.session.controller
    page.done("switch", rule="cohesion", on=False)
    page.done("set", values={"rules.alignment.weight": 0.5, "dt": 0.5}, off=["alignment"])
    page.until("values", lambda m: m["off"] == ["alignment"])
    rules = controller.requested.rules
    assert rules["cohesion"].weight == 0.01 and rules["alignment"].weight == 0
    page.done("switch", rule="alignment", on=True)
    assert controller.requested == small(**{"rules.alignment.weight": 0.5, "dt": 0.5})
    page.done("set", off=["alignment", "cohesion"])
    refused = page.ask("set", values={"dt": 2.0}, off=["alinment"])
    assert not refused["ok"] and "did you mean 'alignment'" in refused["error"]
    assert list(controller.off) == ["alignment", "cohesion"] and controller.requested.dt == 0.5
    page.done("set", off=[])
    assert controller.requested == small(**{"rules.alignment.weight": 0.5, "dt": 0.5})
