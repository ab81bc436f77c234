"""Boids join and leave in a page that simulates them: their numbers, sliders, link and cards."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from live_pages import LivePage

import murmurate as mm
from processes import until

pytestmark = pytest.mark.slow  # beside the README's command, for its time
RATE = "population.entry.rate"
RIGHTMOST = (
    "rows().map(([flock, id], k) => [(flock === 0 && id >= 0 && hook.positions(k)?.[0]) || 0, k])"
    ".reduce((a, b) => (b[0] > a[0] ? b : a))[1]"
)


@pytest.fixture
def live_page(tab: Any, tmp_path: Path) -> Callable[..., LivePage]:
    def make(**options: Any) -> LivePage:
        path = tmp_path / "river.html"
        mm.live_page("river", path, **options)
        return LivePage(tab, path.as_uri()).open()

    return make


def click(page: LivePage, boid: str) -> None:
    """Click on a boid, where it is seen now."""
    if at := page.hook(f"screen(hook.{boid})"):
        page.tab.mouse.click(*at)


def test_fish_join_and_leave(live_page: Callable[..., LivePage]) -> None:
    """The page shows it, a slider changes it, and the link has the change. The card of a fish says
    that it has left."""
    page = live_page()
    page.until("rows().some(([flock, id]) => flock === 0 && id >= 240)")
    page.tab.get_by_text("joined").first.wait_for()
    page.button("pause").click()
    until(lambda: page.hook("chosen !== null") or click(page, RIGHTMOST))
    page.button("play").click()
    page.tab.get_by_text("has left the flock").wait_for()
    page.type(RATE, "0")
    page.until("N < 150")
    assert page.in_link()["values"] == {RATE: 0}
    page.open(page.tab.evaluate("location.hash"))
    page.until("step > 40")
    assert page.number(RATE).first.input_value() == "0"
    assert page.hook("rows().every(([flock, id]) => flock === 1 || id < 240)")


@pytest.mark.long
def test_predators_are_drawn_among_boids_that_leave(live_page: Callable[..., LivePage]) -> None:
    page = live_page(draw=True)
    pike = "rows().filter(([flock, id]) => flock === 1 && id >= 0).length"
    assert page.hook(pike) == 2
    page.button("draw").click()
    page.button("draw-predator").click()
    page.tab.mouse.click(500, 300)
    page.until(f"{pike} === 3")
