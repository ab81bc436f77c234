"""Toolbar, panel, charts and palette at every width of a page: none lies over another."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import murmurate as mm
from processes import until
from tiny_model import TINY

pytestmark = pytest.mark.slow  # beside the README's command, for its time

WIDTHS = (320, 390, 640, 719, 720, 800, 1000, 1100, 1236, 1920)
PARTS = ("transport", "panel:not(.closed)", "charts", "palette")
# Rectangles [left, top, right, bottom] of what is seen: the parts, and the toolbar's own buttons.
RECTANGLES = """async (parts) => {
  const root = document.querySelector("#murmurate").shadowRoot;
  for (let k = 0; k < 3; k++) await new Promise(requestAnimationFrame);
  await Promise.all(root.getAnimations().map((moving) => moving.finished));
  const seen = (selector) => [...root.querySelectorAll(selector)]
    .map((element) => element.getBoundingClientRect())
    .filter(({width, height}) => width > 0 && height > 0)
    .map(({left, top, right, bottom}) => [left, top, right, bottom]);
  return {
    parts: parts.flatMap((part) => seen("." + part).map((place) => [part, place])),
    buttons: seen(".transport > *"),
    toolbar: seen(".transport")[0],
    scrolled: root.querySelector(".murmurate").scrollLeft,
  };
}"""


def overlap(first: list[float], second: list[float]) -> bool:
    """Return whether two rectangles overlap by more than a pixel."""
    (a, b, c, d), (e, f, g, h) = first, second
    return min(c, g) - max(a, e) > 1 and min(d, h) - max(b, f) > 1


def check(tab: Any, width: int) -> list[str]:
    """Asserts it for a width; the parts that are seen."""
    tab.set_viewport_size({"width": width, "height": 844 if width < 720 else 720})
    rectangles = tab.evaluate(RECTANGLES, PARTS)
    for (name, part), (other_name, other) in combinations(rectangles["parts"], 2):
        assert not overlap(part, other), f"{name} and {other_name} at {width}: {part}, {other}"
    left, _, right, _ = rectangles["toolbar"]
    assert rectangles["scrolled"] == 0
    assert left >= 0 and right <= width, f"the toolbar at {width}: {left} to {right}"
    for a, _, b, _ in rectangles["buttons"]:
        assert left <= a and b <= right, f"a button at {width}: {a} to {b} of {left} to {right}"
    return [name for name, _ in rectangles["parts"]]


def test_nothing_lies_over_another_in_the_live_view(view: Any) -> None:
    page = view()
    tab = page.tab

    def open_all() -> None:
        for name in ("panel", "charts"):
            if tab.locator(f"[data-test={name}]").get_attribute("aria-pressed") == "false":
                page.click(name)

    page.click("draw")
    for width in WIDTHS:
        open_all()
        seen = check(tab, width)
        assert "transport" in seen and "panel:not(.closed)" in seen
        assert ("charts" in seen and "palette" in seen) or width < 720  # there the panel is a sheet
    page.click("panel-close")
    for width in WIDTHS:
        assert check(tab, width) == ["transport", "charts", "palette"]


def test_nothing_lies_over_another_in_a_replay(tab: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    mm.replay_page(mm.Simulation(mm.parse(TINY), engine="reference"), path, steps=4)
    tab.goto(path.as_uri())
    drawn = "document.querySelector('#murmurate')?.__murmurate?.drawn > 0"
    until(lambda: tab.evaluate(drawn))
    tab.locator("[data-test=panel]").click()
    for width in WIDTHS:
        seen = check(tab, width)
        assert seen[:2] == ["transport", "panel:not(.closed)"]
        assert "charts" in seen or width < 720
