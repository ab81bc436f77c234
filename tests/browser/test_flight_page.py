"""Pages in which a flock flies: opened from disk in Chromium, with no network."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from live_pages import HOSTILE, MODEL, ROOM, LivePage
from views import pictures

import murmurate as mm
from processes import until
from tiny_model import TINY


def test_it_plays_steps_and_pauses(page: Callable[..., LivePage]) -> None:
    live_page = page()
    live_page.button("pause").click()
    live_page.tab.locator("[data-test=play]").wait_for()
    begin = live_page.hook("step")
    live_page.button("step").click()
    live_page.until(f"step === {begin + 1}")
    live_page.button("restart").click()
    live_page.until("step === 0")
    live_page.button("play").click()
    live_page.until("step > 3")


def test_boids_come_where_they_are_called_and_nothing_is_drawn(
    page: Callable[..., LivePage],
) -> None:
    text, posts, _ = MODEL.partition("[rules.posts]")
    assert posts
    live_page = page(text)
    assert not live_page.button("draw").is_visible()  # no obstacle: its kernels sense none
    live_page.tab.keyboard.press("d")
    assert not live_page.button("palette").is_visible()
    live_page.type("rules.alignment.weight", "0")  # else they turn back to the others' heading
    x, y = 620, 330
    far = f"Math.hypot(hook.screen(k)[0] - {x}, hook.screen(k)[1] - {y})"
    near = f"screen(0) && Array.from({{length: 60}}, (_, k) => {far}).filter(d => d < 100).length"
    live_page.button("call").click()
    live_page.tab.mouse.move(x, y)
    live_page.until(f"{near} > 25")
    live_page.button("call").click()
    live_page.button("shoo").click()
    live_page.tab.mouse.move(x, y)
    live_page.until(f"{near} < 10")


def test_obstacles_alone_are_drawn_where_all_boids_sense_them(
    page: Callable[..., LivePage],
) -> None:
    live_page = page()
    assert live_page.button("draw").is_visible()
    live_page.tab.keyboard.press("d")
    live_page.button("palette").wait_for()
    offered = live_page.tab.locator("[data-test=palette] button.kind:visible")
    kinds = offered.evaluate_all("all => all.map(one => one.dataset.test)")
    assert kinds == ["draw-sphere", "draw-box", "draw-wall", "draw-delete"]
    live_page.button("draw-sphere").click()
    live_page.tab.mouse.move(700, 300)
    live_page.tab.mouse.down()
    live_page.tab.mouse.move(760, 300, steps=5)
    live_page.tab.mouse.up()
    live_page.tab.locator(".handle.selected[data-handle='obstacles.sphere.centre']").wait_for()
    with live_page.tab.expect_download() as kept:
        live_page.button("save-model").click()
    path = Path(kept.value.path())
    saved = mm.load(path.rename(path.with_suffix(".toml")))
    assert {name: shape.kind for name, shape in saved.obstacles.items()} == {
        "post": "sphere", "sphere": "sphere",
    }  # fmt: skip


@pytest.mark.slow
def test_predators_are_drawn_removed_undone_and_linked(page: Callable[..., LivePage]) -> None:
    live_page = page(TINY, draw=True)
    tab = live_page.tab
    assert live_page.hook("N") == 12
    live_page.button("draw").click()
    live_page.button("draw-predator").click()
    tab.mouse.click(500, 300)
    live_page.until("N === 13")
    step = live_page.hook("step")
    tab.mouse.click(640, 420)
    live_page.until("N === 14")
    assert live_page.hook("step") >= step  # the flock goes on
    live_page.button("draw-predator").click()
    assert live_page.number("flocks.predator.count").input_value() == "2"
    live_page.until(f"step > {step} + 3")
    until(lambda: live_page.in_link().get("drawn", {}).get("flocks.predator", {}).get("count") == 2)
    with tab.expect_download() as kept:
        live_page.button("save-model").click()
    path = Path(kept.value.path())
    saved = mm.load(path.rename(path.with_suffix(".toml")))
    assert saved.flocks["predator"].count == 2 and saved.rules["hunt"].senses == ("boids",)
    assert saved.rules["cohesion"].moves == "boids"
    tab.keyboard.press("Escape")
    live_page.open("#" + tab.evaluate("location.hash").partition("#")[2])
    live_page.until("N === 14")
    live_page.button("pause").click()
    pictures(tab)
    tab.mouse.click(*live_page.hook("screen(12)"))
    live_page.until("chosen === 12")
    tab.keyboard.press("Delete")
    live_page.until("N === 13")
    live_page.button("undo").click()
    live_page.until("N === 14")
    live_page.button("reset").click()
    live_page.until("N === 12")
    until(lambda: "drawn" not in live_page.in_link())


def test_numbers_rules_and_boids(page: Callable[..., LivePage]) -> None:
    live_page = page()
    live_page.tab.locator("[data-test=more-alignment]").click()
    for path, value in (("rules.alignment.nearest", "0"), ("rules.alignment.form", "plain")):
        fixed = live_page.tab.locator(f"[data-fixed='{path}']")
        assert fixed.locator("b").inner_text() == value
        assert "fixed. It is compiled into this page" in str(fixed.text_content())
    assert live_page.tab.locator("[data-fixed=order]").count() == 1  # folded away with the motion
    live_page.type("rules.alignment.radius", "3.5")
    live_page.tab.locator("[data-rule=posts]").click(force=True)
    assert live_page.button("boids").input_value() == "60"
    live_page.type("flocks.boids.count", "91")
    live_page.until("N === 91 && hook.step > 2")
    live_page.type("flocks.boids.count", "500")
    fault = live_page.tab.locator("[data-test=fault]", has_text="Allowed")
    assert "“500” is too large. Allowed: a whole number from 1 to 100." in fault.inner_text()
    assert live_page.button("boids").input_value() == "91"
    live_page.type("rules.alignment.weight", "0.25")
    live_page.button("undo").click()
    assert live_page.number("rules.alignment.weight").input_value() == "0.6"
    with live_page.tab.expect_download() as kept:
        live_page.button("save-model").click()
    model = mm.load(Path(kept.value.path()).rename(Path(kept.value.path()).with_suffix(".toml")))
    assert model == mm.parse(MODEL).set(
        {
            "rules.alignment.radius": 3.5, "flocks.boids.count": 91, "rules.posts.weight": 0,
        }
    )  # fmt: skip
    assert 'mm.watch("few.toml")' in live_page.tab.locator(".sheet textarea").first.input_value()


def test_pictures_and_clips(page: Callable[..., LivePage]) -> None:
    live_page = page()
    with live_page.tab.expect_download() as picture:
        live_page.button("save-picture").click()
    assert Path(picture.value.path()).read_bytes().startswith(b"\x89PNG")
    live_page.button("save-clip").click()
    drawn = live_page.hook("drawn")
    live_page.until(f"drawn > {drawn + 5}")
    with live_page.tab.expect_download() as clip:
        live_page.button("save-clip").click()
    assert clip.value.suggested_filename == "few.webm"
    assert Path(clip.value.path()).read_bytes().startswith(b"\x1aE\xdf\xa3")


def test_a_boid_seen_close_an_obstacle_moved_and_charts(page: Callable[..., LivePage]) -> None:
    live_page = page()
    live_page.until("chartLast('polarization') > 0")
    live_page.button("pause").click()
    live_page.tab.locator("[data-test=play]").wait_for()
    x, y = live_page.hook("screen(7)")
    live_page.tab.mouse.click(x, y)
    live_page.button("boid").wait_for()
    assert "neighbour" in live_page.button("boid").inner_text()
    live_page.tab.keyboard.press("Escape")
    handle = live_page.hook("handles")[0]
    x, y = handle["at"]
    live_page.tab.mouse.move(x, y)
    live_page.tab.mouse.down()
    live_page.tab.mouse.move(x + 60, y, steps=4)
    live_page.tab.mouse.up()
    moved = live_page.hook("handles")[0]["at"]
    assert abs(moved[0] - x - 60) < 3


def test_it_rests_while_hidden(page: Callable[..., LivePage]) -> None:
    live_page = page()
    see = (
        "state => { Object.defineProperty(document, 'visibilityState', "
        "{value: state, configurable: true});"
        "document.dispatchEvent(new Event('visibilitychange')); }"
    )
    live_page.tab.evaluate(see, "hidden")

    def rests() -> bool:
        before = live_page.hook("received")
        pictures(live_page.tab, 20)
        return bool(live_page.hook("received") == before)

    until(rests)
    live_page.tab.evaluate(see, "visible")
    step = live_page.hook("step")
    live_page.until(f"step > {step + 3}")


def test_hostile_names_are_text(page: Callable[..., LivePage]) -> None:
    live_page = page(
        MODEL.replace("'Few boids'", json.dumps(HOSTILE)).replace("hardly any", "</script><b>x</b>")
    )
    assert live_page.tab.title() == HOSTILE
    assert live_page.tab.locator("h1").inner_text() == HOSTILE
    assert live_page.tab.locator("img[onerror]").count() == 0


def test_a_phone(page: Callable[..., LivePage], shots: Path) -> None:
    live_page = page()
    live_page.tab.set_viewport_size({"width": 390, "height": 844})
    live_page.open()
    wide = live_page.tab.evaluate("document.documentElement.scrollWidth")
    assert wide == 390
    live_page.tab.screenshot(path=shots / "flight-phone.png")
    live_page.button("panel").click()
    live_page.button("save-model").wait_for()
    live_page.tab.screenshot(path=shots / "flight-phone-panel.png")


def test_within_another_page(tab: Any) -> None:
    """As a notebook shows it, in an iframe that may run scripts and nothing else."""
    tab.set_content(mm.live_page(mm.parse(MODEL), height=400, max_boids=ROOM)._repr_html_())
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
    mm.live_page(mm.parse(MODEL), path, max_boids=ROOM)
    tab.add_init_script("delete globalThis.WebAssembly")
    tab.goto(path.as_uri())
    caption = tab.locator("figcaption")
    until(lambda: "has no WebAssembly" in caption.inner_text())
    assert tab.locator("figure img").evaluate("image => image.naturalWidth") == 640


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("delete Navigator.prototype.gpu", "has no WebGPU"),
        (
            "delete Navigator.prototype.gpu; "
            "Object.defineProperty(window, 'isSecureContext', { value: false })",
            "only in pages from disk, https",
        ),
        ("GPU.prototype.requestAdapter = async () => null", "no graphics card that it can use"),
        (
            "GPU.prototype.requestAdapter = async () => { throw new Error('it is off'); }",
            "WebGPU has failed: it is off",
        ),
    ],
)
def test_a_page_without_webgpu_says_why(page: Any, tab: Any, script: str, reason: str) -> None:
    tab.add_init_script(f"if (window.GPU) {{ {script} }}")
    live_page = page()
    assert reason in live_page.button("engine-why").inner_text()
    assert live_page.button("engine-gpu").is_disabled()
    assert live_page.button("engine").get_attribute("data-value") == "wasm"


def test_a_page_whose_model_webgpu_does_not_simulate_says_why(page: Any) -> None:
    why = page(mm.to_toml(mm.load("p5")), max_boids=4000).button("engine-why").inner_text()
    assert why == (
        "WebGPU cannot simulate this model: order: got 'one-by-one'; expected 'synchronous'. "
        "WebAssembly simulates the flock."
    )
