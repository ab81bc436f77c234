"""What is clicked, dragged and pressed on a page in which a flock flies: one page for all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flying import Flying
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
def opened(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flying]:
    """The page, from disk and with no network."""
    path = tmp_path_factory.mktemp("page") / "hunted.html"
    mm.to_html(mm.parse(MODEL), path=path, live=True)
    context = chromium.new_context(viewport={"width": 1280, "height": 720}, offline=True)
    context.add_init_script(FEWER_PICTURES)
    tab = context.new_page()
    wrong: list[str] = []
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    yield Flying(tab, path.as_uri())
    context.close()
    assert not wrong, wrong


@pytest.fixture
def flying(opened: Flying) -> Flying:
    """The page as it opens."""
    return opened.open()


def paused(flying: Flying) -> None:
    flying.button("pause").click()
    flying.tab.locator("[data-test=play]").wait_for()


def test_a_flock_is_shooed(flying: Flying) -> None:
    """By its button: no boid is left where the pointer is held."""
    place = flying.hook("handles")[0]["at"]
    flying.until("step > 20")
    flying.button("speed").fill("20")  # slow beside any machine's pointer
    flying.button("shoo").click()
    assert flying.button("shoo").get_attribute("aria-pressed") == "true"
    flying.tab.mouse.move(*place)
    flying.tab.mouse.down()

    def near() -> int:
        """How many boids are at the pointer, which has to move to be seen."""
        flying.tab.mouse.move(*place)
        spots = flying.hook("screen && [...Array(60).keys()].map((k) => hook.screen(k))")
        return int((np.linalg.norm(np.array(spots) - place, axis=1) < 40).sum())

    until(lambda: near() == 0)
    flying.tab.mouse.up()
    flying.button("shoo").click()
    assert flying.button("shoo").get_attribute("aria-pressed") == "false"


def test_a_predator_is_dragged(flying: Flying) -> None:
    paused(flying)
    x, y = flying.hook(f"screen({HAWK})")
    flying.tab.mouse.move(x, y)
    flying.tab.mouse.down()
    for k in range(1, 6):
        flying.tab.mouse.move(640 + 4 * k, 360)
        pictures(flying.tab, 3)  # places are sent no more often than that
    flying.tab.mouse.up()

    def there() -> bool:
        at = flying.hook(f"screen({HAWK})")
        return bool(np.linalg.norm(np.subtract(at, (660, 360))) < 30)

    until(there)


def test_a_chosen_boid_of_a_small_flock_is_deleted(flying: Flying) -> None:
    """As by the slider of their number: the flight begins anew, with one less."""
    flying.type("flocks.hawks.count", "2")
    flying.until("N === 62 && hook.step > 2")
    paused(flying)
    flying.tab.mouse.click(*flying.hook(f"screen({HAWK})"))
    flying.until(f"chosen === {HAWK}")
    flying.tab.keyboard.press("Delete")
    flying.until("N === 61 && hook.chosen === null")
    assert flying.number("flocks.hawks.count").input_value() == "1"
    flying.button("undo").click()
    flying.until("N === 62")


def test_a_goal_is_dragged_and_put_back(flying: Flying) -> None:
    (handle,) = flying.hook("handles")
    assert handle["path"] == "rules.home.place"
    x, y = handle["at"]
    flying.tab.mouse.move(x, y)
    flying.tab.mouse.down()
    flying.tab.mouse.move(x + 80, y + 40, steps=4)
    flying.tab.mouse.up()

    def away() -> float:
        return float(np.linalg.norm(np.subtract(flying.hook("handles")[0]["at"], (x, y))))

    until(lambda: abs(away() - np.hypot(80, 40)) < 3)
    flying.button("undo").click()
    until(lambda: away() < 1)


def test_colours_by_the_number_of_neighbours(flying: Flying) -> None:
    assert not flying.hook("neighbours")
    flying.button("colour-neighbours").click()
    flying.until("neighbours")
    flying.button("colour-heading").click()
    flying.until("neighbours === false")


def test_keys(flying: Flying) -> None:
    press = flying.tab.keyboard.press
    flying.tab.evaluate("document.activeElement.blur()")
    press("Space")
    flying.tab.locator("[data-test=play]").wait_for()
    step = flying.hook("step")
    press(".")
    flying.until(f"step === {step + 1}")
    press("r")
    flying.until("step === 0")
    press("+")
    flying.until("camera.zoom > 1.1")
    press("h")
    flying.until("camera.zoom < 1.05")
    press("ArrowRight")
    flying.until("camera.pan[0] !== 0")
    for key, test in (("g", "charts"), ("p", "panel")):
        before = flying.button(test).get_attribute("aria-pressed")
        press(key)
        assert flying.button(test).get_attribute("aria-pressed") != before
        press(key)
    style = flying.tab.locator(".murmurate")
    press("l")
    assert style.get_attribute("data-style") == "light"
    press("f")
    flying.until("camera.follow === 'flock'")
    press("?")
    assert "two simulations side by side" in flying.button("sheet").inner_text()
    press("Escape")
    press("Space")
    flying.until("step > 3")


def test_two_settings_side_by_side(flying: Flying, shots: Path) -> None:
    tab = flying.tab
    assert tab.evaluate("document.title") != "taken"
    flying.button("keep-setting").click()
    flying.button("setting-rename").click()
    tab.locator("[data-test=setting-name]").fill(HOSTILE)
    flying.button("setting-compare").click()
    flying.until("beside && hook.beside.step > 5")
    paused(flying)
    flying.until("beside.step === hook.step && " + BOTH)  # from one seed, with equal numbers
    for test in ("save-picture", "save-clip"):
        assert not flying.button(test).is_visible()  # they would be of one half
    flying.type(WEIGHT, "0")
    caption = flying.button("caption-0")
    until(lambda: caption.inner_text().endswith("alignment weight 0.6"))
    assert caption.inner_text().startswith(HOSTILE) and tab.locator("img[onerror]").count() == 0
    flying.button("play").click()
    flying.until("step > 40")
    tab.screenshot(path=shots / "flight-compared.png")
    paused(flying)
    flying.button("seed").fill("12")
    flying.button("seed").press("Enter")
    flying.until("step === 0 && hook.beside.step === 0")
    flying.button("play").click()
    flying.until("step > 5")
    paused(flying)
    flying.until("beside.step === hook.step && !(" + BOTH + ")")
    flying.button("restart").click()
    flying.until("step === 0 && hook.beside.step === 0 && " + BOTH)
    flying.button("step").click()
    flying.until("step === 1 && hook.beside.step === 1")
    flying.type("flocks.boids.count", "50")  # begins anew, and so does the other
    flying.until("N === 51 && hook.step === 0 && hook.beside.N === 61 && hook.beside.step === 0")
    flying.button("speed").fill("100")  # as fast as both go
    flying.button("play").click()
    flying.until(
        "step > 100 && hook.beside.step === hook.step && hook.chartBegins.join() === '0,0'"
    )
    tab.mouse.move(300, 300)
    tab.mouse.wheel(0, -300)  # over the other half: both come nearer
    flying.until("camera.zoom > 1.2")
    flying.button("compare-end").click()
    step = flying.hook("step")
    flying.until(f"beside === null && hook.step > {step + 2}")
