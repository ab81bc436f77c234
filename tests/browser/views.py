"""A page on a live flock, as a user has it, and the session behind it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import murmurate as mm
from murmurate.live_view import LiveView
from processes import LIMIT
from runner_loop import current_step

SIXTY = """\
[space]
size = [40, 40]
boundary = "periodic"
[flocks.boids]
count = 60
start = { kind = "box", velocity = { kind = "directions", speed = 0.4 } }
motion = { kind = "constant-speed", speed = 0.4 }
"""
ORDERED = f"""\
# Sixty boids that fly one way.
name = "ordered"
title = "A flock that agrees"
{SIXTY}[rules.alignment]
radius = 19
weight = 0.6
[rules.jitter]
kind = "random-steering"
weight = 0.25
"""
SOLIDS = """\
# Boids in a box with a ball, a block, a wall and a hawk.
name = "solids"
title = "A ball, a block and a wall"
[space]
size = [100, 100, 100]
boundary = "reflecting"
[flocks.boids]
count = 500
start = { kind = "box", velocity = { kind = "directions", speed = 1 } }
motion = { kind = "constant-speed", speed = 1 }
look = { shape = "arrow" }
[flocks.hawks]
count = 1
start = { kind = "box", velocity = { kind = "directions", speed = 1 } }
motion = { kind = "constant-speed", speed = 1 }
look = { scale = 3, shape = "bird" }
[rules.jitter]
kind = "random-steering"
moves = "boids"
weight = 0.01
[obstacles.ball]
kind = "sphere"
centre = [40, 50, 50]
radius = 14
[obstacles.block]
kind = "box"
centre = [75, 60, 30]
size = [20, 25, 30]
[obstacles.wall]
kind = "wall"
point = [50, 85, 50]
normal = [0, -1, 0.2]
"""
FEWER_PICTURES = """
const ask = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = (draw) => {
  const begun = performance.now();
  const again = (now) => performance.now() - begun < 60 ? ask(again) : draw(now);
  return ask(again);
};
"""
"""Fifteen pictures a second, as on a slow machine: here the processor draws them all."""


def hook(tab: Any, what: str) -> Any:
    """The value of hook.WHAT; None while the page has no hook."""
    script = f"(hook => hook && (hook.{what}))(document.querySelector('#murmurate')?.__murmurate)"
    return tab.evaluate(script)


def blocks(image: Image.Image, size: int) -> np.ndarray:
    """The mean colours of square blocks of pixels: (rows, columns, 3)."""
    rows, columns = image.height // size, image.width // size
    pixels = np.asarray(image, dtype=float).reshape(rows, size, columns, size, 3)
    return pixels.mean(axis=(1, 3))


def pictures(tab: Any, count: int = 10) -> None:
    """Wait until the page could draw `count` more pictures: whatever moves, moves with them."""
    tab.evaluate(
        "async count => { while (count-- > 0) await new Promise(requestAnimationFrame); }", count
    )


class View:
    """A page on a flock, and the session behind it."""

    def __init__(self, tab: Any, live_view: LiveView) -> None:
        self.tab, self.live_view, self.session = tab, live_view, live_view.session

    def open(self) -> View:
        self.tab.goto(self.live_view.url)
        self.until("drawn > 1 && hook.N > 0")
        return self

    def hook(self, what: str) -> Any:
        return hook(self.tab, what)

    def until(self, what: str, seconds: float = LIMIT) -> None:
        """Waits until hook.WHAT holds."""
        self.true(lambda: hook(self.tab, what), what, seconds)

    def true(self, check: Callable[[], object], what: str, seconds: float = LIMIT) -> None:
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
        return self.session.runner.simulation.model

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        mouse = self.tab.mouse
        mouse.move(*start)
        mouse.down()
        for k in range(1, 11):
            part = k / 10
            mouse.move(*(a + part * (b - a) for a, b in zip(start, end, strict=True)))
            pictures(self.tab, 1)
        mouse.up()

    def pause(self) -> None:
        """Pause the flock, and wait until the page shows its last step."""
        self.click("pause")
        self.tab.locator("[data-test=play]").first.wait_for(timeout=LIMIT * 1000)
        runner = self.session.runner
        self.true(lambda: self.hook("step") == current_step(runner), "the last step")

    def picture(self, folder: Path, name: str) -> None:
        self.tab.screenshot(path=folder / f"{name}.png")
