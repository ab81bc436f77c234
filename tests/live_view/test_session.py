"""Requests of a page change the flock, and all pages are notified."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from conftest_live import LocalPage, small

import murmurate as mm
from murmurate.codegen.kernel_cache import Kernel
from murmurate.engines.cpu.model_kernels import ModelKernels
from processes import LIMIT, until
from runner_loop import current_step, run_loop, set_unlimited_rate

OpenPage = Callable[..., LocalPage]


class CompileGate:
    """Stops each compiled model before it runs, until the test opens the gate for it."""

    def __init__(self) -> None:
        self._compiled, self._open = threading.Semaphore(0), threading.Semaphore(0)

    def __call__(self) -> None:
        self._compiled.release()
        assert self._open.acquire(timeout=LIMIT)

    def wait_until_compiled(self) -> None:
        assert self._compiled.acquire(timeout=LIMIT)

    def open(self, models: int = 1) -> None:
        self._open.release(models)


@pytest.fixture
def gate() -> Iterator[CompileGate]:
    gate = CompileGate()
    yield gate
    gate.open(10)


def test_it_plays_pauses_and_steps(open_page: OpenPage) -> None:
    page = open_page(playing=False)
    scene = page.wait_for("scene")
    assert scene["dims"] == 2
    assert [flock["count"] for flock in scene["flocks"]] == [40]
    first = page.frame()
    assert first.step == 0
    page.do("step", steps=3)
    assert page.frame(lambda f: f.step >= 3).step == 3
    page.do("play")
    page.frame(lambda f: f.step >= 6)
    page.wait_for("status", lambda m: m["playing"] and m["steps_per_second"] > 0)
    page.do("pause")
    page.wait_for("status", lambda m: not m["playing"])
    runner = page.client.session.runner
    set_unlimited_rate(runner)
    step = current_step(runner)
    run_loop(runner)
    assert current_step(runner) == step
    page.do("play")
    run_loop(runner)
    assert current_step(runner) >= step + 5


def test_it_runs_like_a_simulation(open_page: OpenPage) -> None:
    page = open_page(engine="cpu", playing=False)
    page.do("step", steps=20)
    page.wait_for("status", lambda m: m["step"] == 20)
    expected = mm.Simulation(small(), seed=1, threads=1).step(20).frame
    frame = page.client.session.frame
    np.testing.assert_array_equal(frame["boids"].positions, expected["boids"].positions)


def test_its_rate_is_that_of_a_film_and_can_be_changed(open_page: OpenPage) -> None:
    page = open_page(small(**{"view.frames_per_second": 30.0, "view.every": 2}))
    assert page.wait_for("status")["rate"] == 60.0
    page.wait_until_running()
    page.do("rate", steps_per_second=200)
    assert page.wait_for("status", lambda m: m["rate"] == 200)
    page.do("rate", steps_per_second=None)
    page.wait_for("status", lambda m: m["rate"] is None)
    runner, reached = page.client.session.runner, page.client.session.frame.step
    run_loop(runner)
    assert current_step(runner) >= reached + 5  # in every pass of the loop


def test_numbers_change_while_it_runs(open_page: OpenPage) -> None:
    page = open_page()
    page.wait_until_running()
    other = LocalPage(page.client.session)
    number = page.frame().scene
    reply = page.do("set", values={"rules.cohesion.weight": 0.5, "rules.alignment.radius": 3})
    assert not reply["compiling"]
    for each in (page, other):
        message = each.wait_for("values", lambda m: m["values"])
        assert message["values"] == {"rules.cohesion.weight": 0.5}
    assert page.client.session.controller.running.rules["cohesion"].weight == 0.5
    assert page.frame().scene == number


@pytest.mark.slow  # many steps
def test_without_alignment_the_flock_loses_its_heading(open_page: OpenPage) -> None:
    model = small(**{"rules.alignment.weight": 1.0, "rules.alignment.radius": 9.0})
    jitter = {"rules.jitter": {"kind": "random-steering", "weight": 0.1}}
    page = open_page(model.set(jitter), engine="cpu")
    page.do("rate", steps_per_second=None)

    def polarized(low: float, high: float) -> Callable[[dict[str, Any]], bool]:
        return lambda m: any(
            low <= p["flocks"]["boids"]["polarization"] <= high for p in m["points"]
        )

    page.wait_for("measures", polarized(0.9, 1.0))
    page.do("switch", rule="alignment", on=False)
    assert page.wait_for("values")["off"] == ["alignment"]
    page.wait_for("measures", polarized(0.0, 0.5))
    page.do("switch", rule="alignment", on=True)
    assert page.wait_for("values")["values"] == {"rules.alignment.weight": 1.0}
    page.wait_for("measures", polarized(0.9, 1.0))


def test_setting_the_weight_of_a_rule_switches_it_on(open_page: OpenPage) -> None:
    page = open_page()
    page.do("switch", rule="cohesion", on=False)
    page.do("set", values={"rules.cohesion.weight": 0.2})
    assert (
        page.wait_for("values", lambda m: m["values"] == {"rules.cohesion.weight": 0.2})["off"]
        == []
    )


@pytest.mark.slow
def test_other_rules_are_compiled_while_it_runs(open_page: OpenPage) -> None:
    page = open_page(engine="cpu")
    page.wait_until_running()
    number = page.frame().scene
    step = page.frame().step
    reply = page.do("set", values={"rules.separation": {"radius": 1.0, "weight": 0.1}})
    assert reply["compiling"]
    page.do("set", values={"rules.cohesion.weight": 0.25})  # does not wait for it
    assert page.client.session.controller.running.rules["cohesion"].weight == 0.25
    scene = page.wait_for("scene", lambda m: m["scene"] > number)
    assert "separation" in scene["model"]["rules"]
    after = page.frame(lambda f: f.scene == scene["scene"])
    assert after.step >= step  # it never stopped
    running = page.client.session.controller.running
    assert running.rules["cohesion"].weight == 0.25 and "separation" in running.rules
    page.wait_for("status", lambda m: m["busy"] == "")


def test_another_number_of_boids_restarts_it(open_page: OpenPage) -> None:
    page = open_page()
    page.wait_until_running()
    page.do("set", values={"flocks.boids.count": 55})
    scene = page.wait_for("scene", lambda m: m["flocks"][0]["count"] == 55)
    frame = page.frame(lambda f: f.scene == scene["scene"])
    assert len(frame.positions) == 55
    page.frame(lambda f: f.step > 0)


def test_restart_and_seed(open_page: OpenPage) -> None:
    page = open_page(playing=False)
    page.do("step", steps=5)
    page.frame(lambda f: f.step == 5)
    assert page.do("restart", seed=9)["seed"] == 9
    page.frame(lambda f: f.step == 0)
    expected = mm.Simulation(small(), seed=9, engine="reference").frame
    frame = page.client.session.frame
    np.testing.assert_array_equal(frame["boids"].positions, expected["boids"].positions)


def test_a_paused_flock_stays_paused_if_restarted_before_it_is_compiled(
    open_page: OpenPage, gate: CompileGate
) -> None:
    page = open_page(playing=False, on_compiled=gate)
    page.do("restart", seed=7)
    assert page.wait_for("status", lambda m: m["busy"])["playing"] is False
    gate.open()
    assert page.wait_for("status", lambda m: not m["busy"])["playing"] is False


def test_a_change_that_is_taken_back_while_it_is_compiled(
    open_page: OpenPage, gate: CompileGate
) -> None:
    gate.open()
    page = open_page(on_compiled=gate)
    page.wait_until_running()
    gate.wait_until_compiled()
    for count, busy in ((55, True), (40, False), (60, True)):
        page.do("set", values={"flocks.boids.count": count})
        page.wait_for("status", lambda m, busy=busy: bool(m["busy"]) is busy)
    gate.open(2)
    page.wait_for("scene", lambda m: m["flocks"][0]["count"] == 60)
    page.wait_for("status", lambda m: m["busy"] == "")


def test_a_seed_that_is_set_while_another_flock_is_compiled(
    open_page: OpenPage, gate: CompileGate
) -> None:
    gate.open()
    page = open_page(playing=False, on_compiled=gate)
    gate.wait_until_compiled()
    page.do("set", values={"flocks.boids.count": 55})
    gate.wait_until_compiled()  # with a start that was drawn from the previous seed
    page.do("restart", seed=9)
    gate.open()
    page.wait_for("scene", lambda m: m["flocks"][0]["count"] == 55)
    model = small(**{"flocks.boids.count": 55})
    expected = mm.Simulation(model, seed=9, engine="reference").frame
    frame = page.client.session.frame
    np.testing.assert_array_equal(frame["boids"].positions, expected["boids"].positions)


def test_reset(open_page: OpenPage) -> None:
    page = open_page()
    page.do("set", values={"rules.cohesion.weight": 0.5})
    page.do("switch", rule="alignment", on=False)
    page.do("reset")
    assert page.client.session.controller.requested == small()
    assert page.wait_for("values", lambda m: not m["off"])


def test_opening_another_flock(open_page: OpenPage) -> None:
    page = open_page()
    assert "small" in [m["name"] for m in page.wait_for("scene")["zoo"]]
    page.do("open", model="ucl")
    scene = page.wait_for("scene", lambda m: m["name"] == "ucl")
    page.frame(lambda f: f.scene >= scene["scene"] and f.step > 0)
    page.do("open", model="small")
    page.wait_for("scene", lambda m: m["name"] == "small")
    refusal = page.request("open", model="../../etc/passwd")
    assert "no published flock" in refusal["error"]


def test_a_boid_is_moved(open_page: OpenPage) -> None:
    page = open_page(playing=False)
    page.do("move", flock="boids", boid=3, position=[25.0, 4.0])
    frame = page.frame(lambda f: abs(f.positions[3] - [5.0, 4.0]).max() < 1e-2)
    assert len(frame.positions) == 40
    assert "0 to 39" in page.request("move", flock="boids", boid=40, position=[1, 1])["error"]
    assert "no flock" in page.request("move", flock="x", boid=0, position=[1, 1])["error"]


def test_shooed_boids_leave(open_page: OpenPage) -> None:
    centre, radius = np.array([10.0, 10.0]), 5.0
    page = open_page(small(**{"rules.cohesion.weight": 0.0}))
    page.do("rate", steps_per_second=2000)

    def near() -> int:
        positions = page.client.session.frame["boids"].positions
        return int((np.linalg.norm(positions - centre, axis=1) < radius / 2).sum())

    page.do("shoo", position=[10.0, 10.0, 0.0], radius=radius)
    until(lambda: page.receive() or not near())
    page.do("shoo", position=None, radius=radius)
    assert page.client.pointer_force is None


def test_called_boids_come(open_page: OpenPage) -> None:
    page = open_page(small(**{"rules.cohesion.weight": 0.0, "rules.alignment.weight": 0.0}))
    page.do("rate", steps_per_second=2000)

    def spread() -> float:
        positions = page.client.session.frame["boids"].positions
        return float(np.linalg.norm(positions - [10.0, 10.0], axis=1).mean())

    assert spread() > 5.0  # evenly over a square of 20
    page.do("shoo", position=[10.0, 10.0, 0.0], radius=20.0, call=True)
    assert page.client.pointer_force.sign == -1
    until(lambda: page.receive() or spread() < 3.0)
    page.do("shoo", position=None, radius=5.0)
    assert page.client.pointer_force is None


def test_boids_leave_the_position_of_a_dragged_obstacle(open_page: OpenPage) -> None:
    stone = {"kind": "sphere", "centre": [-50.0, 5.0], "radius": 3.0}
    page = open_page(small(**{"obstacles.stone": stone, "space.boundary": "reflecting"}))
    assert page.wait_for("scene")["handles"] == [
        {
            "path": "obstacles.stone.centre",
            "label": "stone centre",
            "position": [-50.0, 5.0, 0.0],
            "kind": "obstacle",
        }
    ]
    page.wait_until_running()
    page.do("set", values={"obstacles.stone.centre": [10.0, 10.0]})
    moved = page.wait_for("obstacles")
    assert moved["obstacles"][0]["position"] == [10.0, 10.0, 0.0]
    assert moved["handles"][0]["position"] == [10.0, 10.0, 0.0]
    step = page.frame().step
    frame = page.frame(lambda f: f.step > step + 2)
    assert np.linalg.norm(frame.positions - [10.0, 10.0], axis=1).min() > 2.99


def test_places_of_rules_are_handles(open_page: OpenPage) -> None:
    gate = {"kind": "tend-to-place", "place": [4.0, 5.0]}
    page = open_page(small(**{"rules.gate": gate}), playing=False)
    (handle,) = page.wait_for("scene")["handles"]
    assert (handle["path"], handle["kind"]) == ("rules.gate.place", "place")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"rules.cohesion.weight": "heavy"}, "expected a valid number"),
        ({"rules.cohesoin.weight": 1}, "did you mean 'cohesion'"),
        ({"rules.cohesion.radius": -1}, "got -1; expected a number > 0"),
        ({"flocks.boids.count": 3_000_000}, "at most 2000000"),
        ({"name": "../../x"}, "a page may change dt"),
        ({"rules.cohesion.kind": "os.system"}, "no rule named"),
    ],
)
def test_invalid_values_are_refused_with_a_reason(
    open_page: OpenPage, values: dict[str, Any], words: str
) -> None:
    page = open_page(playing=False)
    reply = page.request("set", values=values)
    assert not reply["ok"] and words in reply["error"]
    assert page.client.session.controller.requested == small()


def test_a_lost_boid_pauses_the_flock_until_a_restart(open_page: OpenPage) -> None:
    model = small(**{"space.boundary": "open", "flocks.boids.motion.max_speed": float("inf")})
    page = open_page(model)
    page.wait_until_running()
    page.do("set", values={"rules.cohesion.weight": -1e6})
    notice = page.wait_for("notice", lambda m: m["level"] == "error")
    assert notice["about"] == "run" and notice["sticky"] and "it left the space" in notice["text"]
    late = LocalPage(page.client.session)
    assert late.wait_for("notice")["text"] == notice["text"]
    assert "must be restarted" in page.request("play")["error"]
    page.frame()  # the other boids are still visible
    page.do("set", values={"rules.cohesion.weight": 0.01})
    page.do("restart")
    assert page.wait_for("notice")["level"] == "clear"
    page.wait_until_running()


def test_a_rule_that_does_not_compile_leaves_the_flock_running(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the rule reader or the compiler finds the fault."""

    class Worded(mm.Rule):
        def alone(self, me):  # type: ignore[no-untyped-def]
            return "here", "and", "there"

    class Crooked(mm.Rule):
        def alone(self, me):  # type: ignore[no-untyped-def]
            return 1.0, 0.0, 0.0

    kernel = ModelKernels.kernel

    def broken_kernel(kernels: ModelKernels, name: str) -> Kernel:
        if "crooked" in kernels.layout.plan.model.rules:
            raise mm.RuleError("Crooked: the compiler stopped")
        return kernel(kernels, name)

    monkeypatch.setattr(ModelKernels, "kernel", broken_kernel)
    page = open_page(engine="cpu")
    page.wait_until_running()
    reply = page.request("set", values={"rules.worded": {}})
    assert not reply["ok"] and "Worded" in reply["error"] and "'here'" in reply["error"]
    assert page.client.session.controller.requested == small()
    page.request("set", values={"rules.crooked": {}})
    notice = page.wait_for("notice")
    assert notice["about"] == "model" and "Crooked" in notice["text"]
    step = page.frame().step
    page.frame(lambda f: f.step > step)
    assert page.client.session.controller.requested == small()


def test_one_message_sets_values_and_rules(open_page: OpenPage) -> None:
    """The rules that are off replace those that were off before; their weights are restored."""
    page = open_page(playing=False)
    controller = page.client.session.controller
    page.do("switch", rule="cohesion", on=False)
    page.do("set", values={"rules.alignment.weight": 0.5, "dt": 0.5}, off=["alignment"])
    page.wait_for("values", lambda m: m["off"] == ["alignment"])
    rules = controller.requested.rules
    assert rules["cohesion"].weight == 0.01 and rules["alignment"].weight == 0
    page.do("switch", rule="alignment", on=True)
    assert controller.requested == small(**{"rules.alignment.weight": 0.5, "dt": 0.5})
    page.do("set", off=["alignment", "cohesion"])
    refusal = page.request("set", values={"dt": 2.0}, off=["alinment"])
    assert not refusal["ok"] and "did you mean 'alignment'" in refusal["error"]
    assert list(controller.off) == ["alignment", "cohesion"] and controller.requested.dt == 0.5
    page.do("set", off=[])
    assert controller.requested == small(**{"rules.alignment.weight": 0.5, "dt": 0.5})
