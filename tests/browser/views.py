"""A page on a live flock, as a user has it, and the session behind it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

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
FEWER_PICTURES = """
const ask = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = (draw) => {
  const begun = performance.now();
  const again = (now) => performance.now() - begun < 60 ? ask(again) : draw(now);
  return ask(again);
};
"""
"""Fifteen pictures a second, as on a slow machine: here the processor draws them all."""


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
        return self.tab.evaluate(
            f"(hook => hook.{what})(document.querySelector('#murmurate').__murmurate)"
        )

    def until(self, what: str, seconds: float = LIMIT) -> None:
        """Waits until hook.WHAT holds."""
        self.true(
            lambda: self.tab.evaluate(
                "(hook => Boolean(hook && hook." + what + "))"
                "(document.querySelector('#murmurate')?.__murmurate)"
            ),
            what,
            seconds,
        )

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
