"""Drawing with the mouse in a real browser: what is drawn is in the model, and the flock minds
it."""

from __future__ import annotations

import numpy as np
import pytest
from test_flight_controls import MODEL as HUNTED
from test_live_view import STONE

import murmurate as mm

pytestmark = pytest.mark.slow  # beside the README's command, for its time

APART = '"box", lower = [5, 5], upper = [15, 15]'
ROOM = """\
# Boids that drift about in a room.
name = "room"
[space]
size = [40, 40, 40]
boundary = "reflecting"
[flocks.boids]
count = 60
start = { kind = "box", velocity = { kind = "directions", speed = 0.5 } }
motion = { kind = "add", min_speed = 0.3, max_speed = 0.5 }
[rules.cohesion]
radius = 4
weight = 0.001
[view.camera]
turn = 0
"""


def drawn(page, kind, start, end):
    """Draws with the mouse, and waits until the flock flies with it."""
    button = page.tab.locator(f"[data-test=draw-{kind}]")
    if button.get_attribute("aria-pressed") == "false":
        button.click()
    page.drag(start, end)
    page.true(lambda: page.session.controller.requested != page.before, f"a {kind} in the model")
    page.true(lambda: page.model == page.session.controller.requested, f"a {kind} in flight")


def test_a_disc_is_drawn_moved_deleted_and_undone(view, shots):
    page = view(STONE)
    page.until("step > 5")
    page.before = page.model
    page.click("draw")
    drawn(page, "sphere", (700, 300), (760, 300))
    disc = page.model.obstacles["sphere"]
    assert disc.kind == "sphere" and 1 < disc.radius < 8
    assert "avoid-obstacles" in page.model.rules
    step = page.session.frame.step
    page.until(f"step > {step}")
    page.picture(shots, "draw-disc")

    def inside() -> int:
        positions = page.session.frame["boids"].positions
        return int((np.linalg.norm(positions - disc.centre, axis=1) < 0.9 * disc.radius).sum())

    page.true(lambda: inside() == 0, "nobody in the disc")
    page.tab.locator(".handle.selected[data-handle='obstacles.sphere.centre']").wait_for()
    handle = next(h for h in page.hook("handles") if "sphere" in h["path"])
    x, y = handle["at"]
    page.drag((x, y), (x + 40, y))
    page.true(lambda: page.model.obstacles["sphere"].centre != disc.centre, "it was dragged")
    page.tab.keyboard.press("Delete")
    page.true(lambda: "sphere" not in page.model.obstacles, "it was deleted")
    page.true(lambda: page.tab.locator("[data-handle^='obstacles.sphere']").count() == 0, "no mark")
    page.click("undo")
    page.true(lambda: "sphere" in page.model.obstacles, "deleting was undone")
    page.click("undo")
    page.true(lambda: page.model.obstacles["sphere"].centre == disc.centre, "it is back")
    page.click("undo")
    page.true(lambda: page.model == page.before, "drawing was undone")
    page.click("redo")
    page.true(lambda: page.model.obstacles.get("sphere") == disc, "and done again")
    page.click("reset")
    page.true(lambda: page.model == page.before, "a reset")
    page.click("undo")
    page.true(lambda: page.model.obstacles.get("sphere") == disc, "a reset undone")


@pytest.mark.long
def test_a_wall_in_three_dimensions_and_a_predator(view, shots):
    page = view(ROOM)
    page.until("step > 5")
    page.before = page.model
    page.click("draw")
    drawn(page, "wall", (400, 430), (900, 430))
    wall = page.model.obstacles["wall"]
    assert wall.kind == "wall" and wall.normal[2] == 0 and wall.point[2] == 0
    page.before = page.model
    step = page.session.frame.step
    drawn(page, "predator", (640, 300), (640, 300))
    assert page.session.frame.step >= step  # it flew on
    assert page.model.flocks["predator"].count == 1
    page.until("N == 61")
    page.picture(shots, "draw-wall-predator")
    page.before = page.model
    drawn(page, "predator", (600, 300), (600, 300))
    assert page.model.flocks["predator"].count == 2
    assert mm.parse(page.session.controller.toml()) == page.model
    page.until("N == 62")
    page.click("draw-path")
    for corner in ((450, 300), (600, 380), (800, 300)):
        page.tab.mouse.click(*corner)
    page.tab.mouse.click(800, 300)  # pressed twice
    page.true(lambda: "path" in page.model.rules, "a path in flight")
    assert len(page.model.rules["path"].points) == 3
    page.until("handles.filter(h => h.path.startsWith('rules.path.points')).length == 3")
    page.picture(shots, "draw-path")
    page.tab.keyboard.press("Control+z")
    page.true(lambda: "path" not in page.model.rules, "the path is gone")
    page.tab.keyboard.press("Control+z")
    page.true(lambda: page.model.flocks["predator"].count == 1, "the second one is gone")
    page.tab.keyboard.press("Control+z")
    page.true(lambda: "predator" not in page.model.flocks, "the first one is gone")
    assert "wall" in page.model.obstacles


def test_a_chosen_predator_is_deleted_and_put_back(view, shots):
    page = view(HUNTED.replace("count = 1", "count = 2").replace('"box", v', f"{APART}, v"))
    page.until("N === 62 && hook.screen(60)")
    page.click("pause")
    page.tab.locator("[data-test=play]").wait_for()
    page.click("draw")
    delete = page.tab.locator("[data-test=draw-delete]")
    assert delete.is_disabled()
    first, second = (page.session.frame["hawks"].positions[k] for k in (0, 1))
    page.tab.mouse.click(*page.hook("screen(60)"))
    page.until("chosen === 60")
    assert delete.get_attribute("aria-label") == "Delete hawks 0"
    page.picture(shots, "draw-predator-chosen")
    page.tab.keyboard.press("Delete")
    page.true(lambda: len(page.session.frame["hawks"]) == 1, "one hawk")
    np.testing.assert_array_equal(page.session.frame["hawks"].positions, [second])
    page.until("N === 61 && hook.chosen === null")
    page.click("undo")
    page.true(lambda: len(page.session.frame["hawks"]) == 2, "two hawks")
    np.testing.assert_allclose(page.session.frame["hawks"].positions, [second, first], atol=1e-3)
    page.until("N === 62 && hook.screen(3)")
    page.tab.mouse.click(*page.hook("screen(3)"))
    page.until("chosen !== null && hook.chosen < 60")
    page.tab.keyboard.press("Delete")
    page.tab.get_by_text("boids has 60 boids").wait_for()
    assert page.model.flocks["boids"].count == 60


def test_boids_come_where_they_are_called(view):
    page = view()
    page.until("step > 5")
    page.click("call")
    page.tab.mouse.move(640, 300)
    page.true(
        lambda: any(c.pointer_force and c.pointer_force.sign == -1 for c in page.session.pages),
        "a call",
    )
    page.click("call")
    page.true(lambda: not any(c.pointer_force for c in page.session.pages), "no call")
