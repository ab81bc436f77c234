"""Pages in which a flock flies: opened from disk in Chromium, with no network."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flying import HOSTILE, MODEL, Flying
from views import pictures

import murmurate as mm
from processes import until


def test_it_flies_steps_and_rests(page: Callable[..., Flying]) -> None:
    flying = page()
    flying.button("pause").click()
    flying.tab.locator("[data-test=play]").wait_for()
    begin = flying.hook("step")
    flying.button("step").click()
    flying.until(f"step === {begin + 1}")
    flying.button("restart").click()
    flying.until("step === 0")
    flying.button("play").click()
    flying.until("step > 3")


def test_boids_come_where_they_are_called_and_nothing_is_drawn(page: Callable[..., Flying]) -> None:
    flying = page()
    assert not flying.button("draw").is_visible()  # the kernels are compiled already
    flying.tab.keyboard.press("d")
    assert not flying.button("palette").is_visible()
    flying.type("rules.alignment.weight", "0")  # else they turn back to the others' heading
    x, y = 620, 330
    far = f"Math.hypot(hook.screen(k)[0] - {x}, hook.screen(k)[1] - {y})"
    near = f"screen(0) && Array.from({{length: 60}}, (_, k) => {far}).filter(d => d < 100).length"
    flying.button("call").click()
    flying.tab.mouse.move(x, y)
    flying.until(f"{near} > 25")
    flying.button("call").click()
    flying.button("shoo").click()
    flying.tab.mouse.move(x, y)
    flying.until(f"{near} < 10")


def test_numbers_rules_and_boids(page: Callable[..., Flying]) -> None:
    flying = page(max_boids=400)
    flying.tab.locator("[data-test=more-alignment]").click()
    for path, value in (("rules.alignment.nearest", "0"), ("rules.alignment.form", "plain")):
        fixed = flying.tab.locator(f"[data-fixed='{path}']")
        assert fixed.locator("b").inner_text() == value
        assert "fixed. It is compiled into this page" in str(fixed.text_content())
    assert flying.tab.locator("[data-fixed=order]").count() == 1  # folded away with the motion
    flying.type("rules.alignment.radius", "3.5")
    flying.tab.locator("[data-rule=posts]").click(force=True)
    assert flying.button("boids").input_value() == "60"
    flying.type("flocks.boids.count", "321")
    flying.until("N === 321 && hook.step > 2")
    flying.type("flocks.boids.count", "500")
    fault = flying.tab.locator("[data-test=fault]", has_text="Allowed")
    assert "“500” is too large. Allowed: a whole number from 1 to 400." in fault.inner_text()
    assert flying.button("boids").input_value() == "321"
    flying.type("rules.alignment.weight", "0.25")
    flying.button("undo").click()
    assert flying.number("rules.alignment.weight").input_value() == "0.6"
    with flying.tab.expect_download() as kept:
        flying.button("save-model").click()
    model = mm.load(Path(kept.value.path()).rename(Path(kept.value.path()).with_suffix(".toml")))
    assert model == mm.parse(MODEL).set(
        {
            "rules.alignment.radius": 3.5, "flocks.boids.count": 321, "rules.posts.weight": 0,
        }
    )  # fmt: skip
    assert 'mm.watch("few.toml")' in flying.tab.locator(".sheet textarea").first.input_value()


def test_pictures_and_clips(page: Callable[..., Flying]) -> None:
    flying = page()
    with flying.tab.expect_download() as picture:
        flying.button("save-picture").click()
    assert Path(picture.value.path()).read_bytes().startswith(b"\x89PNG")
    flying.button("save-clip").click()
    drawn = flying.hook("drawn")
    flying.until(f"drawn > {drawn + 5}")
    with flying.tab.expect_download() as clip:
        flying.button("save-clip").click()
    assert clip.value.suggested_filename == "few.webm"
    assert Path(clip.value.path()).read_bytes().startswith(b"\x1aE\xdf\xa3")


def test_a_boid_seen_close_an_obstacle_moved_and_charts(page: Callable[..., Flying]) -> None:
    flying = page()
    flying.until("chartLast('polarization') > 0")
    flying.button("pause").click()
    flying.tab.locator("[data-test=play]").wait_for()
    x, y = flying.hook("screen(7)")
    flying.tab.mouse.click(x, y)
    flying.button("boid").wait_for()
    assert "neighbour" in flying.button("boid").inner_text()
    flying.tab.keyboard.press("Escape")
    handle = flying.hook("handles")[0]
    x, y = handle["at"]
    flying.tab.mouse.move(x, y)
    flying.tab.mouse.down()
    flying.tab.mouse.move(x + 60, y, steps=4)
    flying.tab.mouse.up()
    moved = flying.hook("handles")[0]["at"]
    assert abs(moved[0] - x - 60) < 3


def test_it_rests_while_hidden(page: Callable[..., Flying]) -> None:
    flying = page()
    see = (
        "state => { Object.defineProperty(document, 'visibilityState', "
        "{value: state, configurable: true});"
        "document.dispatchEvent(new Event('visibilitychange')); }"
    )
    flying.tab.evaluate(see, "hidden")

    def rests() -> bool:
        before = flying.hook("received")
        pictures(flying.tab, 20)
        return bool(flying.hook("received") == before)

    until(rests)
    flying.tab.evaluate(see, "visible")
    step = flying.hook("step")
    flying.until(f"step > {step + 3}")


def test_hostile_names_are_text(page: Callable[..., Flying]) -> None:
    flying = page(
        MODEL.replace("'Few boids'", json.dumps(HOSTILE)).replace("hardly any", "</script><b>x</b>")
    )
    assert flying.tab.title() == HOSTILE
    assert flying.tab.locator("h1").inner_text() == HOSTILE
    assert flying.tab.locator("img[onerror]").count() == 0


def test_a_phone(page: Callable[..., Flying], shots: Path) -> None:
    flying = page()
    flying.tab.set_viewport_size({"width": 390, "height": 844})
    flying.open()
    wide = flying.tab.evaluate("document.documentElement.scrollWidth")
    assert wide == 390
    flying.tab.screenshot(path=shots / "flight-phone.png")
    flying.button("panel").click()
    flying.button("save-model").wait_for()
    flying.tab.screenshot(path=shots / "flight-phone-panel.png")


def test_within_another_page(tab: Any) -> None:
    """As a notebook shows it, in an iframe that may run scripts and nothing else."""
    tab.set_content(mm.live(mm.parse(MODEL), height=400)._repr_html_())
    assert tab.locator("iframe").bounding_box()["height"] == 400
    inside = tab.frames[1]
    hook = "document.querySelector('#murmurate')?.__murmurate?.step ?? 0"
    until(lambda: inside.evaluate(hook) > 2)
    assert inside.locator("[data-test=save-model]").count() == 1
    assert inside.locator("[data-test=copy-link]").count() == 0  # its address opens nothing
    inside.locator("[data-test=style-light]").click()
    before = inside.evaluate(hook)
    until(lambda: inside.evaluate(hook) > before + 24)


def test_without_webassembly_there_is_a_picture(tab: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    mm.to_html(mm.parse(MODEL), path=path, live=True)
    tab.add_init_script("delete globalThis.WebAssembly")
    tab.goto(path.as_uri())
    caption = tab.locator("figcaption")
    until(lambda: "has no WebAssembly" in caption.inner_text())
    assert tab.locator("figure img").evaluate("image => image.naturalWidth") == 640
