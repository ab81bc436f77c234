"""The page of a flock that WebGPU simulates: controls, a boid's card, engines, a lost device."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from live_pages import MODEL, ROOM, LivePage
from views import pictures

import murmurate as mm
from processes import until

pytestmark = pytest.mark.slow

DEVICES = """
window.devices = [];
const request = GPUAdapter.prototype.requestDevice;
GPUAdapter.prototype.requestDevice = async function (...options) {
  const device = await request.apply(this, options);
  window.devices.push(device);
  return device;
};
"""


@pytest.fixture
def page(tab: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LivePage]:
    """A page that WebGPU simulates on a software adapter. WebAssembly has the module of the other
    pages of this model, for few boids."""
    path = tmp_path / "page.html"
    monkeypatch.setattr(import_module("murmurate.runs.live_page"), "MIN_CAPACITY", ROOM)
    mm.live_page(mm.parse(MODEL), path)
    tab.add_init_script(f"if (window.GPUAdapter) {{ {DEVICES} }}")
    # Drawn by the processor: a software adapter is slow enough with the flock alone.
    live_page = LivePage(tab, path.as_uri()).open("#engine=gpu&draw=canvas")
    if not tab.evaluate("window.devices?.length"):
        pytest.skip("this browser has no software adapter")
    yield live_page
    tab.goto("about:blank")


def engine(page: LivePage) -> str:
    """The engine that the panel shows."""
    return str(page.tab.locator("[data-test=engine]").get_attribute("data-value"))


def status(page: LivePage) -> str:
    """The lines under the title."""
    return str(page.tab.locator("[data-test=status]").inner_text())


def test_controls_and_the_card_of_a_boid(page: LivePage) -> None:
    assert engine(page) == "gpu"
    until(lambda: "WebGPU" in status(page))
    page.button("pause").click()
    page.tab.locator("[data-test=play]").wait_for()
    pictures(page.tab)  # the state at which it rests is read back
    begin = page.hook("step")
    page.button("step").click()
    page.until(f"step === {begin + 1}")
    x, y = page.hook("screen(7)")
    page.tab.mouse.click(x, y)
    page.until("chosen !== null")
    card = page.tab.locator("[data-test=boid]")
    until(lambda: "alignment" in card.inner_text())
    page.type("flocks.boids.count", "321")
    page.until("N === 321")
    page.type("flocks.boids.count", "200001")
    fault = page.tab.locator("[data-test=fault]", has_text="Allowed")
    assert "a whole number from 1 to 200,000" in fault.inner_text()
    page.button("restart").click()
    page.until("step === 0")
    page.button("play").click()
    page.until("step > 3")


def test_another_engine_has_the_same_numbers(page: LivePage) -> None:
    page.type("flocks.boids.count", "90")
    page.type("rules.alignment.weight", "0.25")
    page.button("draw").click()
    page.button("draw-sphere").click()
    page.tab.mouse.click(*page.hook("screen(7)"))
    page.tab.locator("[data-handle='obstacles.sphere.centre']").wait_for()
    page.tab.locator("summary", has_text="Obstacles").click()
    page.type("obstacles.sphere.radius", "5")
    page.until("N === 90 && hook.step > 2")
    page.tab.locator("[data-test=engine-wasm]").click()
    page.until("step < 3")
    page.until("N === 90 && hook.step > 3")
    assert engine(page) == "wasm"
    assert "engine=wasm" in page.tab.evaluate("location.hash")
    assert page.number("rules.alignment.weight").input_value() == "0.25"
    assert page.number("obstacles.sphere.radius").input_value() == "5"
    page.tab.locator("[data-handle='obstacles.sphere.centre']").wait_for()
    page.tab.locator("[data-test=engine-gpu]").click()
    until(lambda: "WebGPU" in status(page))
    page.until("N === 90 && hook.step > 3")


def test_after_a_lost_device_webassembly_goes_on(page: LivePage) -> None:
    page.type("rules.alignment.weight", "0.25")
    page.until("step > 20")
    step = page.hook("step")
    page.tab.evaluate("window.devices[0].destroy()")
    notice = page.tab.locator("text=WebAssembly simulates the flock").first
    notice.wait_for()
    assert "goes on from step" in notice.inner_text()
    page.until(f"step > {step} + 2")
    assert engine(page) == "wasm"
    assert page.number("rules.alignment.weight").input_value() == "0.25"
    assert page.tab.locator("[data-test=engine-gpu]").is_disabled()
