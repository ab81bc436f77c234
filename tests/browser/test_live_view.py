"""The live view in a real browser, against the real server: what is clicked happens to the flock,
and what happens to the flock is seen."""

from __future__ import annotations

import numpy as np

from processes import LIMIT
from runner_loop import current_step, run_loop, set_unlimited_rate

STONE = """\
# Boids that drift about, held out by a stone.
name = "stone"
[space]
size = [40, 40]
boundary = "reflecting"
[flocks.boids]
count = 200
start = { kind = "box", velocity = { kind = "directions", speed = 0.5 } }
motion = { kind = "add", min_speed = 0.3, max_speed = 0.5 }
[flocks.hawks]
count = 1
start = { kind = "box", velocity = { kind = "directions", speed = 0.1 } }
motion = { kind = "add", min_speed = 0.01, max_speed = 0.02 }
look = { scale = 2.5 }
[obstacles.stone]
kind = "sphere"
centre = [10, 10]
radius = 6
[rules.cohesion]
moves = "boids"
senses = "boids"
radius = 4
weight = 0.001
[rules.flee]
moves = "boids"
senses = "hawks"
radius = 6
weight = 0.05
[rules.drift]
kind = "random-steering"
moves = "hawks"
weight = 0.01
"""


def test_play_pause_step_restart(view, shots):
    page = view()
    page.until("step > 5")
    page.click("pause")
    page.true(lambda: page.tab.locator("[data-test=play]").count(), "a play button")
    runner = page.session.runner
    rate = runner.rate
    set_unlimited_rate(runner)
    before = current_step(runner)
    run_loop(runner)
    assert current_step(runner) == before
    runner.submit(lambda: runner.set_rate(rate)).result(LIMIT)
    page.click("step")
    page.true(lambda: page.session.frame.step == before + 1, "one step")
    page.until(f"step == {before + 1}")
    page.tab.evaluate("document.activeElement.blur()")
    page.tab.keyboard.press("Space")
    page.until(f"step > {before + 3}")
    page.picture(shots, "live-ordered")
    page.pause()
    page.click("restart")
    page.true(lambda: page.session.frame.step == 0, "a new start")
    page.until("drawn > 3")


def test_a_slider_moves_the_model_and_the_flock(view, shots):
    page = view()
    page.until("chartLast('polarization') > 0.9")
    page.slide("rules.alignment.weight", 0)
    page.true(lambda: page.model.rules["alignment"].weight == 0, "weight 0")
    page.until("chartLast('polarization') < 0.5")
    page.picture(shots, "live-disordered")
    # the slider itself, by keyboard
    slider = page.tab.locator("input[type=range][data-path='rules.alignment.weight']").first
    slider.focus()
    for _ in range(3):
        slider.press("ArrowRight")
    page.true(lambda: page.model.rules["alignment"].weight > 0, "the slider moved")
    page.click("reset")
    page.true(lambda: page.model.rules["alignment"].weight == 0.6, "reset")
    page.until("chartLast('polarization') > 0.8")


def test_a_rule_switched_off_and_on(view):
    page = view()
    page.until("chartLast('polarization') > 0.8")
    switch = page.tab.locator("input[data-rule=alignment]").first
    switch.evaluate("element => element.click()")
    page.true(lambda: page.model.rules["alignment"].weight == 0, "off")
    switch.evaluate("element => element.click()")
    page.true(lambda: page.model.rules["alignment"].weight == 0.6, "on again")


def test_an_obstacle_is_dragged_and_boids_leave_its_place(view, shots):
    page = view(STONE)
    page.until("handles.length > 0")

    def inside(position: tuple[float, float]) -> int:
        positions = page.session.frame["boids"].positions
        return int((np.linalg.norm(positions - position, axis=1) < 5.5).sum())

    page.true(lambda: inside((10, 10)) == 0, "nobody in the stone")
    handle = next(h for h in page.hook("handles") if "stone" in h["path"])
    assert "stone" in handle["path"]
    page.drag(tuple(handle["at"]), (handle["at"][0] + 120, handle["at"][1] - 60))
    page.true(lambda: tuple(page.model.obstacles["stone"].centre) != (10, 10), "it moved")

    def centre() -> tuple[float, float]:
        x, y = (float(x) for x in page.model.obstacles["stone"].centre)
        return x, y

    page.true(lambda: inside(centre()) == 0, "nobody at its new place")
    page.picture(shots, "live-obstacle")


def test_a_predator_is_dragged(view):
    page = view(STONE)
    page.pause()
    hawk = 200
    page.until(f"screen({hawk})")
    before = page.session.frame["hawks"].positions[0].copy()
    x, y = page.hook(f"screen({hawk})")
    page.drag((x, y), (x + 80, y + 40))
    page.true(
        lambda: np.linalg.norm(page.session.frame["hawks"].positions[0] - before) > 1.0,
        "the hawk was moved",
    )


def test_one_boid_is_chosen(view, shots):
    page = view(STONE)
    page.pause()
    spots = [(k, page.hook(f"screen({k})")) for k in range(60)]
    boid, (x, y) = next(
        (k, s) for k, s in spots if s and 350 < s[0] < 900 and 120 < s[1] < 380
    )  # away from the panels
    page.tab.mouse.click(x, y)
    page.until("chosen !== null")
    page.tab.locator("[data-test=boid]").first.wait_for()
    assert "cohesion" in page.text("boid")
    assert 0 <= boid < 200
    page.picture(shots, "live-chosen")
