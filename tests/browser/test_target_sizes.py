"""Every control can be hit with a finger: it is 24 pixels wide and high or more (WCAG 2.5.8)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from accessibility import SMALL
from live_pages import MODEL, ROOM
from views import hook

import murmurate as mm
from processes import until
from tiny_model import TINY

pytestmark = pytest.mark.slow  # beside the README's command, for its time

SIZES = ((1280, 720), (390, 844), (320, 640))
OPEN_ALL = """() => {
  const root = document.querySelector("#murmurate").shadowRoot;
  for (const name of ["draw", "charts", "panel"]) {
    const button = root.querySelector(`.transport [data-test=${name}]`);
    if (button?.getAttribute("aria-pressed") !== "true") button?.click();
  }
  for (const details of root.querySelectorAll("details")) details.open = true;
  for (const button of root.querySelectorAll("[aria-expanded=false]")) button.click();
}"""


def check(tab: Any) -> None:
    """Assert it for all sizes, with everything open."""
    until(lambda: hook(tab, "drawn > 0"))
    for width, height in SIZES:
        tab.set_viewport_size({"width": width, "height": height})
        tab.evaluate(OPEN_ALL)
        tab.evaluate(OPEN_ALL)  # what was inside
        assert tab.evaluate(SMALL) == [], width


@pytest.mark.parametrize(
    ("model", "options"),
    [
        (mm.parse(MODEL), {"max_boids": ROOM}),
        (mm.parse(TINY), {"edit": True, "max_boids": ROOM}),
        (mm.parse(MODEL), {"beside": "p5", "max_boids": ROOM}),
    ],
    ids=["plain", "edit", "beside"],
)
def test_a_live_page(tab: Any, tmp_path: Path, model: Any, options: dict[str, Any]) -> None:
    path = tmp_path / "page.html"
    mm.live_page(model, path, **options)
    tab.goto(path.as_uri())
    check(tab)


def test_a_replay(tab: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    mm.replay_page(mm.parse(MODEL), path, steps=5, options=mm.RunOptions("reference"))
    tab.goto(path.as_uri())
    check(tab)


def test_a_live_view(view: Any) -> None:
    check(view().tab)
