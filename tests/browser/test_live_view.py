"""The live view in a real browser, against the real server: what is clicked happens to the flock,
and what happens to the flock is seen."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.live import Watching
from murmurate.show.page import viewer_text

ORDERED = """\
# Sixty boids that fly one way.
name = "ordered"
title = "A flock that agrees"
[space]
size = [40, 40]
boundary = "periodic"
[flocks.boids]
count = 60
start = { kind = "box", velocity = { kind = "directions", speed = 0.4 } }
motion = { kind = "constant-speed", speed = 0.4 }
[rules.alignment]
radius = 19
weight = 0.6
[rules.jitter]
kind = "random-steering"
weight = 0.25
"""

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


@pytest.fixture(scope="module")
def shots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pictures of what was seen are left, for people to look at."""
    named = os.environ.get("MURMURATE_SHOTS")
    folder = Path(named) if named else tmp_path_factory.mktemp("shots")
    folder.mkdir(exist_ok=True)
    return folder


class View:
    """A page on a flock, and the session behind it."""

    def __init__(self, tab: Any, watching: Watching) -> None:
        self.tab, self.watching, self.session = tab, watching, watching.session

    def open(self) -> View:
        self.tab.goto(self.watching.url)
        self.until("drawn > 1 && hook.N > 0")
        return self

    def hook(self, what: str) -> Any:
        return self.tab.evaluate(
            f"(hook => hook.{what})(document.querySelector('#murmurate').__murmurate)"
        )

    def until(self, what: str, seconds: float = 60.0) -> None:
        """Waits until hook.WHAT holds."""
        self.true(
            lambda: self.tab.evaluate(
                "(hook => Boolean(hook && hook." + what + "))"
                "(document.querySelector('#murmurate')?.__murmurate)"
            ),
            what,
            seconds,
        )

    def true(self, check: Callable[[], object], what: str, seconds: float = 60.0) -> None:
        end = time.monotonic() + seconds
        while not check():
            assert time.monotonic() < end, f"{what} did not come about"
            self.tab.wait_for_timeout(40)

    def click(self, name: str) -> None:
        self.tab.locator(f"[data-test={name}]").first.click()

    def text(self, name: str) -> str:
        return str(self.tab.locator(f"[data-test={name}]").first.inner_text())

    def slide(self, path: str, value: float) -> None:
        """Types a number beside a slider."""
        box = self.tab.locator(f"input[data-value-path='{path}']").first
        box.fill(str(value))
        box.press("Enter")

    @property
    def model(self) -> mm.Model:
        return self.session.flight.simulation.model

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        mouse = self.tab.mouse
        mouse.move(*start)
        mouse.down()
        for k in range(1, 11):
            part = k / 10
            mouse.move(*(a + part * (b - a) for a, b in zip(start, end, strict=True)))
            self.tab.wait_for_timeout(30)
        mouse.up()

    def picture(self, folder: Path, name: str) -> None:
        self.tab.screenshot(path=folder / f"{name}.png")


@pytest.fixture
def view(tab: Any, tmp_path: Path) -> Iterator[Callable[..., View]]:
    """Begins a flock from a model file and opens a page on it."""
    assert viewer_text()
    begun: list[Watching] = []

    def begin(text: str | None = ORDERED, name: str = "") -> View:
        source: Any = name
        if text is not None:
            source = tmp_path / "flock.toml"
            source.write_text(text, encoding="utf-8")
        watching = mm.watch(source, seed=1, block=False, open_browser=False, port=0, threads=1)
        begun.append(watching)
        return View(tab, watching).open()

    yield begin
    tab.goto("about:blank")
    for watching in begun:
        assert watching.close()


def test_play_pause_step_restart(view, shots):
    page = view()
    page.until("step > 5")
    page.click("pause")
    page.true(lambda: page.tab.locator("[data-test=play]").count(), "a play button")
    before = page.session.frame.step
    page.tab.wait_for_timeout(400)
    assert page.session.frame.step == before
    page.click("step")
    page.true(lambda: page.session.frame.step == before + 1, "one step")
    page.until(f"step == {before + 1}")
    page.tab.evaluate("document.activeElement.blur()")
    page.tab.keyboard.press("Space")
    page.until(f"step > {before + 3}")
    page.picture(shots, "live-ordered")
    page.click("restart")
    page.true(lambda: page.session.frame.step < before, "a new start")
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

    def inside(place: tuple[float, float]) -> int:
        positions = page.session.frame["boids"].positions
        return int((np.linalg.norm(positions - place, axis=1) < 5.5).sum())

    page.true(lambda: inside((10, 10)) == 0, "nobody in the stone")
    handle = next(h for h in page.hook("handles") if "stone" in h["path"])
    assert "stone" in handle["path"]
    page.drag(tuple(handle["at"]), (handle["at"][0] + 120, handle["at"][1] - 60))
    page.true(lambda: tuple(page.model.obstacles["stone"].centre) != (10, 10), "it moved")
    page.tab.wait_for_timeout(300)
    centre = tuple(float(x) for x in page.model.obstacles["stone"].centre)
    page.true(lambda: inside(centre) == 0, f"nobody at its new place {centre}")
    page.picture(shots, "live-obstacle")


def test_a_predator_is_dragged(view):
    page = view(STONE)
    page.click("pause")
    page.tab.wait_for_timeout(300)
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
    page.click("pause")
    page.tab.wait_for_timeout(300)
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


def test_another_flock(view, shots):
    page = view()
    page.tab.locator("[data-test=zoo]").first.select_option("agentpy-2d")
    page.true(lambda: page.session.pilot.flying.name == "agentpy-2d", "agentpy-2d", 120)
    page.until("scene.includes('agentpy') || hook.N != 60")
    page.until("drawn > 3")
    page.picture(shots, "live-other")


def test_reload_and_a_second_page(view, tab, shots):
    page = view()
    page.slide("rules.jitter.weight", 0.5)
    page.true(lambda: page.model.rules["jitter"].weight == 0.5, "0.5")
    step = page.session.frame.step
    page.open()  # comes back to the same flock
    assert page.session.frame.step >= step
    box = page.tab.locator("input[data-value-path='rules.jitter.weight']").first
    page.true(lambda: float(box.input_value()) == 0.5, "the number it had")
    other = View(tab.context.new_page(), page.watching).open()
    other.slide("rules.jitter.weight", 0.125)
    page.true(lambda: float(box.input_value()) == 0.125, "the other page's number")
    assert len(page.session.guests) == 2
    other.tab.close()
    page.true(lambda: len(page.session.guests) == 1, "one page")
    page.picture(shots, "live-two")


def test_a_file_saved_with_a_mistake_and_mended(view, tmp_path, shots):
    page = view()
    file = tmp_path / "flock.toml"
    file.write_text(ORDERED.replace("weight = 0.6", "wieght = 0.6"))
    notice = page.tab.locator("[data-test=notice]")
    page.true(lambda: notice.count() and "wieght" in notice.first.inner_text(), "the mistake")
    step = page.session.frame.step
    page.true(lambda: page.session.frame.step > step + 3, "the flock flies on")
    page.picture(shots, "live-mistake")
    file.write_text(ORDERED.replace("weight = 0.6", "weight = 0.3"))
    page.true(lambda: page.model.rules["alignment"].weight == 0.3, "mended")
    page.true(lambda: not notice.count() or "wieght" not in notice.first.inner_text(), "no notice")


def test_copy_model_and_save(view):
    page = view()
    page.slide("rules.jitter.weight", 0.375)
    page.true(lambda: page.model.rules["jitter"].weight == 0.375, "0.375")
    page.click("copy-model")
    shown = page.tab.locator("[data-test=toml]").first
    page.true(lambda: shown.count(), "the text") if shown.count() else None
    reply = page.tab.evaluate("navigator.clipboard.readText().catch(() => '')")
    text = reply or (shown.input_value() if shown.count() else "")
    if text:  # browsers may keep the clipboard from pages
        assert mm.parse(text).rules["jitter"].weight == 0.375
    page.click("save-page")
    link = page.tab.locator("[data-test=made-link]").first
    link.wait_for(timeout=90_000)
    with page.tab.expect_download() as download:
        link.click()
    saved = Path(download.value.path()).read_text(encoding="utf-8")
    assert saved.startswith("<!DOCTYPE html>") and len(saved) > 500_000


def test_the_end_is_said(view, shots):
    page = view()
    page.watching.close()
    lost = page.tab.locator("[data-test=lost]")
    lost.first.wait_for(timeout=15_000)
    assert "ended" in lost.first.inner_text().lower() or "closed" in lost.first.inner_text().lower()
    page.picture(shots, "live-ended")
    page.tab.wrong.clear()  # a browser says that the connection is gone


def test_without_webgl(chromium, tmp_path, shots):
    """The same flock on a plain canvas, and why."""
    import playwright.sync_api

    del playwright
    path = chromium.browser_type.executable_path
    assert path is not None
    watching = mm.watch("ucl", seed=1, block=False, open_browser=False, port=0, threads=1)
    context = chromium.new_context(viewport={"width": 1280, "height": 720})
    # as in a browser whose graphics acceleration is off
    context.add_init_script(
        "HTMLCanvasElement.prototype.getContext = ((plain) => function (kind, ...rest) {"
        "  return kind.startsWith('webgl') ? null : plain.call(this, kind, ...rest);"
        "})(HTMLCanvasElement.prototype.getContext);"
    )
    try:
        page = View(context.new_page(), watching).open()
        assert page.hook("kind") == "flat"
        assert "WebGL" in page.text("why-2d")
        page.slide("rules.alignment.weight", 0.25)
        page.true(lambda: page.model.rules["alignment"].weight == 0.25, "a slider works")
        page.picture(shots, "live-flat")
    finally:
        context.close()
        assert watching.close()
