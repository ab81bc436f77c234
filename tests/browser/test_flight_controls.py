"""What is clicked, dragged and pressed on a page in which a flock flies: one page for all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from live_pages import ROOM, LivePage
from test_comparison import BOTH, HOSTILE
from views import FEWER_PICTURES, SIXTY, pictures

import murmurate as mm
from processes import until

pytestmark = pytest.mark.slow  # beside the README's command, for its time

MODEL = f"""\
name = "hunted"
{SIXTY}[flocks.hawks]
count = 1
start = {{ kind = "box", velocity = {{ kind = "directions", speed = 0.01 }} }}
motion = {{ kind = "constant-speed", speed = 0.01 }}
look = {{ scale = 3 }}
[rules.alignment]
moves = "boids"
radius = 12
weight = 0.6
[rules.home]
kind = "tend-to-place"
moves = "boids"
place = [10, 30]
weight = 0.01
"""
WEIGHT = "rules.alignment.weight"
HAWK = 60


@pytest.fixture(scope="module")
def opened(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LivePage]:
    """The page, from disk and with no network."""
    path = tmp_path_factory.mktemp("page") / "hunted.html"
    mm.live_page(mm.parse(MODEL), path, max_boids=ROOM)
    context = chromium.new_context(viewport={"width": 1280, "height": 720}, offline=True)
    context.add_init_script(FEWER_PICTURES)
    tab = context.new_page()
    wrong: list[str] = []
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.on(
        "console", lambda message: wrong.append(message.text) if message.type == "error" else None
    )
    yield LivePage(tab, path.as_uri())
    context.close()
    assert not wrong, wrong


@pytest.fixture
def live_page(opened: LivePage) -> LivePage:
    """The page as it opens."""
    return opened.open()


def paused(live_page: LivePage) -> None:
    live_page.button("pause").click()
    live_page.tab.locator("[data-test=play]").wait_for()


def test_a_flock_is_shooed(live_page: LivePage) -> None:
    """By its button: no boid is left where the pointer is held."""
    position = live_page.hook("handles")[0]["at"]
    live_page.until("step > 20")
    live_page.button("speed").fill("20")  # slow beside any machine's pointer
    live_page.button("shoo").click()
    assert live_page.button("shoo").get_attribute("aria-pressed") == "true"
    live_page.tab.mouse.move(*position)
    live_page.tab.mouse.down()

    def near() -> int:
        """How many boids are at the pointer, which has to move to be seen."""
        live_page.tab.mouse.move(*position)
        spots = live_page.hook("screen && [...Array(60).keys()].map((k) => hook.screen(k))")
        return int((np.linalg.norm(np.array(spots) - position, axis=1) < 40).sum())

    until(lambda: near() == 0)
    live_page.tab.mouse.up()
    live_page.button("shoo").click()
    assert live_page.button("shoo").get_attribute("aria-pressed") == "false"


def test_a_predator_is_dragged(live_page: LivePage) -> None:
    paused(live_page)
    x, y = live_page.hook(f"screen({HAWK})")
    live_page.tab.mouse.move(x, y)
    live_page.tab.mouse.down()
    for k in range(1, 6):
        live_page.tab.mouse.move(640 + 4 * k, 360)
        pictures(live_page.tab, 3)  # places are sent no more often than that
    live_page.tab.mouse.up()

    def is_there() -> bool:
        at = live_page.hook(f"screen({HAWK})")
        return bool(np.linalg.norm(np.subtract(at, (660, 360))) < 30)

    until(is_there)


def test_a_chosen_boid_of_a_small_flock_is_deleted(live_page: LivePage) -> None:
    """As by the slider of their number: the simulation restarts, with one less."""
    live_page.type("flocks.hawks.count", "2")
    live_page.until("N === 62 && hook.step > 2")
    paused(live_page)
    live_page.tab.mouse.click(*live_page.hook(f"screen({HAWK})"))
    live_page.until(f"chosen === {HAWK}")
    live_page.tab.keyboard.press("Delete")
    live_page.until("N === 61 && hook.chosen === null")
    assert live_page.number("flocks.hawks.count").input_value() == "1"
    live_page.button("undo").click()
    live_page.until("N === 62")


def test_a_goal_is_dragged_and_put_back(live_page: LivePage) -> None:
    (handle,) = live_page.hook("handles")
    assert handle["path"] == "rules.home.place"
    x, y = handle["at"]
    live_page.tab.mouse.move(x, y)
    live_page.tab.mouse.down()
    live_page.tab.mouse.move(x + 80, y + 40, steps=4)
    live_page.tab.mouse.up()

    def away() -> float:
        return float(np.linalg.norm(np.subtract(live_page.hook("handles")[0]["at"], (x, y))))

    until(lambda: abs(away() - np.hypot(80, 40)) < 3)
    live_page.button("undo").click()
    until(lambda: away() < 1)


def test_colours_by_the_number_of_neighbours(live_page: LivePage) -> None:
    assert not live_page.hook("neighbours")
    live_page.button("colour-neighbours").click()
    live_page.until("neighbours")
    live_page.button("colour-heading").click()
    live_page.until("neighbours === false")


def test_keys(live_page: LivePage) -> None:
    press = live_page.tab.keyboard.press
    live_page.tab.evaluate("document.activeElement.blur()")
    press("Space")
    live_page.tab.locator("[data-test=play]").wait_for()
    step = live_page.hook("step")
    for _ in range(3):
        press(".")
    live_page.until(f"step >= {step + 3}")  # one more if a step was not shown yet
    press("r")
    live_page.until("step === 0")
    press("+")
    live_page.until("camera.zoom > 1.1")
    press("h")
    live_page.until("camera.zoom < 1.05")
    press("ArrowRight")
    live_page.until("camera.pan[0] !== 0")
    for key, test in (("g", "charts"), ("p", "panel")):
        before = live_page.button(test).get_attribute("aria-pressed")
        press(key)
        assert live_page.button(test).get_attribute("aria-pressed") != before
        press(key)
    style = live_page.tab.locator(".murmurate")
    press("l")
    assert style.get_attribute("data-style") == "light"
    press("f")
    live_page.until("camera.follow === 'flock'")
    press("?")
    assert "two simulations side by side" in live_page.button("sheet").inner_text()
    press("Escape")
    press("Space")
    live_page.until("step > 3")


def test_two_settings_side_by_side(live_page: LivePage, shots: Path) -> None:
    tab = live_page.tab
    assert tab.evaluate("document.title") != "taken"
    live_page.button("keep-setting").click()
    live_page.button("setting-rename").click()
    tab.locator("[data-test=setting-name]").fill(HOSTILE)
    live_page.button("setting-compare").click()
    live_page.until("beside && hook.beside.step > 5")
    paused(live_page)
    live_page.until("beside.step === hook.step && " + BOTH)  # from one seed, with equal numbers
    for test in ("save-picture", "save-clip"):
        assert not live_page.button(test).is_visible()  # they would be of one half
    live_page.type(WEIGHT, "0")
    caption = live_page.button("caption-0")
    until(lambda: caption.inner_text().endswith("alignment weight 0.6"))
    assert caption.inner_text().startswith(HOSTILE) and tab.locator("img[onerror]").count() == 0
    live_page.button("play").click()
    live_page.until("step > 40")
    tab.screenshot(path=shots / "flight-compared.png")
    paused(live_page)
    live_page.button("seed").fill("12")
    live_page.button("seed").press("Enter")
    live_page.until("step === 0 && hook.beside.step === 0")
    live_page.button("play").click()
    live_page.until("step > 5")
    paused(live_page)
    live_page.until("beside.step === hook.step && !(" + BOTH + ")")
    live_page.button("restart").click()
    live_page.until("step === 0 && hook.beside.step === 0 && " + BOTH)
    live_page.button("step").click()
    live_page.until("step === 1 && hook.beside.step === 1")
    live_page.type("flocks.boids.count", "50")  # restarts, and so does the other
    live_page.until("N === 51 && hook.step === 0 && hook.beside.N === 61 && hook.beside.step === 0")
    live_page.button("speed").fill("100")  # as fast as both go
    live_page.button("play").click()
    live_page.until(
        "step > 100 && hook.beside.step === hook.step && hook.chartBegins.join() === '0,0'"
    )
    tab.mouse.move(300, 300)
    tab.mouse.wheel(0, -300)  # over the other half: both come nearer
    live_page.until("camera.zoom > 1.2")
    live_page.button("compare-end").click()
    step = live_page.hook("step")
    live_page.until(f"beside === null && hook.step > {step + 2}")
