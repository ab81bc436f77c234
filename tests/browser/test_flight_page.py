"""Pages in which a flock flies: opened from disk in Chromium, with no network."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from views import SIXTY

import murmurate as mm
from murmurate.runs.flight_pages import flight_head
from page_worker import STATE, fly
from processes import until

HOSTILE = "</script><img src=x onerror=\"document.title='taken'\"> & 'co'"
MODEL = f"""\
name = "few"
title = 'Few boids'
tries = ["rules.alignment.weight=0.1: hardly any"]
{SIXTY}[rules.alignment]
radius = 12
weight = 0.6
[rules.posts]
kind = "avoid-obstacles"
look_ahead = 8
[obstacles.post]
kind = "sphere"
centre = [20, 20]
radius = 3
"""


class Flying:
    """A page, and what is in it."""

    def __init__(self, tab: Any, address: str) -> None:
        self.tab, self.address = tab, address

    def open(self, behind: str = "") -> Flying:
        self.tab.goto("about:blank")
        self.tab.goto(self.address + behind)
        self.until("drawn > 1 && hook.step > 0")
        return self

    def hook(self, what: str) -> Any:
        return self.tab.evaluate(
            f"(hook => hook.{what})(document.querySelector('#murmurate').__murmurate)"
        )

    def until(self, what: str) -> None:
        script = (
            f"(hook => Boolean(hook && hook.{what}))"
            "(document.querySelector('#murmurate')?.__murmurate)"
        )
        until(lambda: self.tab.evaluate(script))

    def button(self, name: str) -> Any:
        return self.tab.locator(f"[data-test={name}]")

    def number(self, path: str) -> Any:
        """The field beside a slider."""
        return self.tab.locator(f"[data-value-path='{path}'], input.value[data-path='{path}']")

    def type(self, path: str, value: str) -> None:
        self.number(path).fill(value)
        self.number(path).press("Enter")


@pytest.fixture
def page(tab: Any, tmp_path: Path) -> Iterator[Callable[..., Flying]]:
    """Writes the page of a model and opens it, with the network off."""
    tab.context.set_offline(True)

    def begin(text: str = MODEL, **options: Any) -> Flying:
        path = tmp_path / "page.html"
        mm.to_html(mm.parse(text), path=path, live=True, force=True, **options)
        return Flying(tab, path.as_uri()).open()

    yield begin
    tab.goto("about:blank")


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


def test_a_link_opens_alike(page: Callable[..., Flying]) -> None:
    flying = page()
    flying.type("rules.alignment.weight", "0.25")
    flying.button("style-light").click()
    flying.button("seed").fill("77")
    flying.button("seed").press("Enter")
    address = ""

    def written() -> bool:
        nonlocal address
        address = flying.tab.evaluate("location.href")
        text = address.partition("#flock=")[2]
        said = (
            json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)) or "{}")
            if text
            else {}
        )
        return said == {
            "version": 1, "seed": "77", "values": {"rules.alignment.weight": 0.25},
            "view": {"style": "light"},
        }  # fmt: skip

    until(written)
    flying.open("#" + address.partition("#")[2])
    assert flying.button("seed").input_value() == "77"
    assert flying.number("rules.alignment.weight").input_value() == "0.25"
    assert flying.tab.locator(".murmurate").get_attribute("data-style") == "light"
    assert flying.tab.evaluate("location.href") == address


def test_a_link_opens_kept_settings_and_the_two_that_are_compared(
    page: Callable[..., Flying],
) -> None:
    flying = page()
    tab, weight = flying.tab, "rules.alignment.weight"

    def kept() -> list[str]:
        return list(tab.locator("[data-test=setting]").all_inner_texts())

    flying.type(weight, "0.25")
    flying.button("keep-setting").click()
    flying.button("setting-rename").click()
    tab.locator("[data-test=setting-name]").fill(HOSTILE)
    tab.locator("[data-test=setting-name]").press("Enter")
    flying.type(weight, "0.5")
    flying.button("keep-setting").click()
    first = f"Compare with {HOSTILE}, side by side"
    tab.get_by_role("button", name=first, exact=True).click()
    flying.until("beside && hook.beside.step > 2")
    names = [HOSTILE, "alignment weight 0.5"]
    assert kept() == names

    def said() -> Any:
        text = tab.evaluate("location.hash").partition("#flock=")[2]
        return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)) or "{}")

    until(lambda: "compared" in said())
    assert said() == {
        "version": 1, "values": {weight: 0.5},
        "kept": [
            {"name": HOSTILE, "values": {weight: 0.25}}, {"name": names[1], "values": {weight: 0.5}}
        ],
        "compared": {"name": HOSTILE, "values": {weight: 0.25}},
    }  # fmt: skip
    flying.open(tab.evaluate("location.hash"))
    flying.until("beside && hook.beside.step > 2")
    assert kept() == names and tab.locator("img[onerror]").count() == 0
    caption = flying.button("caption-0")
    until(lambda: caption.inner_text().endswith("alignment weight 0.25"))
    assert flying.number(weight).input_value() == "0.5"
    flying.button("compare-end").click()
    until(lambda: "compared" not in said() and len(said()["kept"]) == 2)


def test_a_link_that_asks_for_too_much(page: Callable[..., Flying]) -> None:
    """What the page has not is said; the rest holds."""
    flying = page()
    asked = {"version": 1, "values": {"rules.nobody.weight": 1, "rules.alignment.weight": 0.5}}
    text = base64.urlsafe_b64encode(json.dumps(asked).encode()).decode().rstrip("=")
    flying.open(f"#flock={text}")
    notice = flying.tab.locator("[data-test=notice][data-level=error]")
    assert "rules.nobody.weight: this page cannot change it" in notice.inner_text()
    assert flying.number("rules.alignment.weight").input_value() == "0.5"


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
        time.sleep(0.3)
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


@pytest.mark.parametrize(
    "name",
    [
        "vicsek-1995",
        pytest.param("starlings", marks=pytest.mark.slow),  # 3-D, the seven nearest, two flocks
        pytest.param("p5", marks=pytest.mark.slow),  # one by one
        pytest.param("parker-gate", marks=pytest.mark.slow),  # obstacles
        pytest.param("gregoire-chate", marks=pytest.mark.slow),  # noise in every pair
    ],
)
def test_the_same_bits_as_in_node(tab: Any, name: str) -> None:
    """In a worker of Chromium: V8 here, and V8 in Node, but with other flags and versions."""
    model = mm.load(name)
    boids = sum(flock.count for flock in model.flocks.values())
    head = flight_head(model, 3, max(400, boids))
    messages = [{"type": "step", "steps": 20}, STATE]
    expected = fly(head, messages)[-1]["state"]["places"]
    worker = (resources.files("murmurate.show") / "viewer" / "flight.js").read_text()
    tab.goto("about:blank")
    found = tab.evaluate(
        """async ([worker, head]) => {
          const inflate = async (text) => new Uint8Array(await new Response(new Blob([
            Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]).stream()
            .pipeThrough(new DecompressionStream("deflate"))).arrayBuffer());
          const modules = [];
          for (const m of head.modules) modules.push({...m, code: await inflate(m.code)});
          const start = {...head.start, code: await inflate(head.start.code)};
          const port = new Worker(URL.createObjectURL(new Blob([worker])));
          const replies = new Map();
          let step = 0;
          port.onmessage = ({data}) => {
            if (data instanceof ArrayBuffer) {
              step = new DataView(data).getFloat64(16, true);
              port.postMessage({type: "credit", frames: 1});
            } else if (data.type === "reply") replies.get(data.to)(data);
          };
          let next = 1;
          const ask = (message) => new Promise((done) => {
            replies.set(next, done);
            port.postMessage({...message, id: next++});
          });
          port.postMessage({...head, turnKey: head.turn_key, values: {}, off: [], modules, start});
          await ask({type: "pause"});
          await ask({type: "restart"});
          await ask({type: "step", steps: 20});
          while (step !== 20) await new Promise((done) => setTimeout(done, 5));
          const {state} = await ask({type: "state"});
          return Array.from(new Uint32Array(state.places.buffer));
        }""",
        [worker, head],
    )
    assert (np.array(found, np.uint32) == expected.view(np.uint32).ravel()).all()
