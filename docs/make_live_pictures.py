"""Make the pictures of live.md: a live view, one with numbers that differ, and one with drawings.

    python docs/make_live_pictures.py [live] [individuals] [drawing]

They need Chromium and playwright, like the browser tests.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from make_pictures import CHROMIUM, FLAGS
from PIL import Image

import murmurate as mm

HERE = Path(__file__).resolve().parent
SIZE = {"width": 1280, "height": 720}
AROUND = {"view.camera.elevation": 12, "view.camera.follow": "space", "view.box": True}
HOOK = "document.querySelector('#murmurate').__murmurate"


@contextmanager
def live_view(model: mm.Model, step: int) -> Iterator[tuple[Any, Any]]:
    """Yield the tab of a live view, from a step on, and the view."""
    from playwright.sync_api import sync_playwright

    view = mm.watch(model, seed=1, block=False, open_browser=False, port=0)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        tab = browser.new_page(viewport=SIZE)
        tab.goto(f"{view.url}#draw=gl")
        wait(tab, f"{HOOK}?.step >= {step}")
        yield tab, view
        browser.close()
    view.close()


def wait(tab: Any, holds: str) -> None:
    """Wait until an expression is true."""
    while not tab.evaluate(holds):
        tab.wait_for_timeout(20)


def save(tab: Any, name: str) -> None:
    """Write a picture of the tab."""
    path = HERE / f"{name}.png"
    picture = Image.open(io.BytesIO(tab.screenshot())).convert("RGB")
    picture.save(path, optimize=True)
    print(f"wrote {path}, {path.stat().st_size / 1e6:.2f} MB")


def live() -> None:
    """Starlings, with charts and sliders."""
    with live_view(mm.load("starlings"), 200) as (tab, _):
        save(tab, "live")


def individuals() -> None:
    """Boids coloured by the weight of their cohesion, whose card is open."""
    normal = {"kind": "normal", "mean": 0.01, "sd": 0.004}
    changes = {"rules.cohesion.weight": normal, "view.colour_by": "rules.cohesion.weight"}
    model = mm.load("ucl").set({**changes, "flocks.boids.count": 120})
    with live_view(model, 200) as (tab, _):
        tab.get_by_text("cohesion", exact=True).first.click()
        tab.wait_for_timeout(500)
        save(tab, "live-individuals")


def drawing() -> None:
    """A drawn sphere and predator, and a box that is being drawn."""
    with live_view(mm.load("parker").set(AROUND), 260) as (tab, view):

        def drag(kind: str, start: tuple[int, int], end: tuple[int, int], release: bool) -> None:
            button = tab.locator(f"[data-test=draw-{kind}]")
            if button.get_attribute("aria-pressed") == "false":
                button.click()
            tab.mouse.move(*start)
            tab.mouse.down()
            tab.mouse.move(*end, steps=5)
            if release:
                tab.mouse.up()
                tab.wait_for_timeout(1000)
                while view.session.runner.simulation.model != view.session.controller.requested:
                    tab.wait_for_timeout(100)  # it compiles
                tab.wait_for_timeout(1000)

        tab.locator("[data-test=draw]").click()
        drag("sphere", (420, 300), (462, 300), release=True)
        drag("predator", (560, 220), (561, 220), release=True)
        drag("box", (690, 370), (770, 440), release=False)
        tab.wait_for_timeout(700)
        save(tab, "live-drawing")


PICTURES: dict[str, Callable[[], None]] = {
    "live": live,
    "individuals": individuals,
    "drawing": drawing,
}

if __name__ == "__main__":
    for name in sys.argv[1:] or PICTURES:
        PICTURES[name]()
