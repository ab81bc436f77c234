"""The WebGPU renderer draws what WebGL draws: from frames, and from states on the device."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from views import SOLIDS, blocks, hook

import murmurate as mm
from processes import until

pytestmark = pytest.mark.slow  # pages that the processor draws

SHAPES = SOLIDS.replace('"arrow"', '"dart"') + '[view]\nstyle = "dusk"\ntrails = 6\n'
FLAT = """\
name = "flat"
[space]
size = [40, 40]
boundary = "periodic"
[flocks.boids]
count = 150
start = { kind = "box", velocity = { kind = "directions", speed = 0.5, up_to = 2 } }
motion = { kind = "add" }
look = { shape = "arrow" }
[flocks.fish]
count = 40
start = { kind = "box", velocity = { kind = "directions", speed = 0.5, up_to = 2 } }
motion = { kind = "add" }
look = { shape = "fish" }
[rules.curve]
kind = "random-steering"
moves = "boids"
weight = 0.1
[obstacles.post]
kind = "sphere"
centre = [20, 20]
radius = 4
[view]
style = "dark"
colour_by = "speed"
scenery = "water"
trails = 6
"""
HEADINGS = SOLIDS + '[view]\nstyle = "dark"\ncolour_by = "heading"\n'
VIEWPORT = "document.querySelector('#murmurate').__murmurate.viewport"
ADVANCE = """async (steps) => {
  const page = document.querySelector("#murmurate").__murmurate;
  const drawn = async () => {
    const before = page.drawn;
    while (page.drawn === before) await new Promise(requestAnimationFrame);
  };
  for (let k = 0; k < steps; k++) {
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "." }));
    await drawn();
  }
}"""
"""Shows the next frames of a paused replay, every one of them."""

KEPT = f"""() => {{
  const view = {VIEWPORT};
  view.rest();
  const {{ canvas }} = view.renderer;
  const {{ data }} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  view.wake();
  let seen = 0;
  const differs = (k) => [0, 1, 2, 3].some((c) => data[k + c] !== data[c]);
  for (let k = 0; k < data.length; k += 4) seen += differs(k);
  return 4 * seen / data.length;
}}"""
"""The part of the last picture in which something is seen, after the page goes out of sight."""

COPY_TO_DEVICE = """() => {
  const { viewport } = document.querySelector("#murmurate").__murmurate;
  const { device } = viewport.renderer;
  window.read = 0;
  for (const name of ["mapAsync", "getMappedRange"]) {
    const own = GPUBuffer.prototype[name];
    GPUBuffer.prototype[name] = function (...all) { window.read++; return own.apply(this, all); };
  }
  const held = new Map();
  const stateOf = (frame) => {
    if (held.has(frame.step)) return held.get(frame.step);
    const words = new Uint32Array(8 * frame.count), numbers = new Float32Array(words.buffer);
    for (let boid = 0; boid < frame.count; boid++) {
      const speed = frame.shorts[6 * boid + 3] / 65535 * frame.fastest;
      for (let axis = 0; axis < 3; axis++) {
        const part = (frame.shorts[6 * boid + axis] + 0.5) / 65536;
        const at = frame.lower[axis] + part * frame.side[axis];
        if (axis < frame.dims) numbers[8 * boid + axis] = at;
        numbers[8 * boid + 4 + axis] = frame.bytes[12 * boid + 8 + axis] / 127 * speed;
      }
      words[8 * boid + 3] = boid;
    }
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const buffer = device.createBuffer({ size: words.byteLength, usage });
    device.queue.writeBuffer(buffer, 0, words);
    held.set(frame.step, buffer);
    return buffer;
  };
  const take = viewport.calls.take;
  let boids = null;
  window.numbers = undefined;
  viewport.calls.take = (...all) => {
    const moment = take(...all);
    const { before, now, part } = moment;
    const again = boids && boids.steps[0] === before.step && boids.steps[1] === now.step;
    if (!again || boids.numbers !== window.numbers) {
      const steps = [before.step, now.step];
      boids = { device, before: stateOf(before), now: stateOf(now), count: now.count, steps };
      boids.numbers = window.numbers;
    }
    boids.between = part;
    // Frames have nothing to draw: what is seen comes from the device.
    const empty = { ...now, count: 0, present: 0 };
    return { ...moment, boids, before: empty, now: empty };
  };
}"""
"""From now on the page is given its states on the device, as a flock that is simulated there."""


@pytest.fixture(scope="module")
def chromium(chromium: Any) -> Iterator[Any]:
    """A browser in which pictures of WebGPU's canvases are complete."""
    flags = [flag for flag in chromium.flags if flag != "--disable-gpu-compositing"]
    browser = chromium.browser_type.launch(executable_path=chromium.executable, args=flags)
    yield browser
    browser.close()


@pytest.fixture
def replay(tab: Any, tmp_path: Path) -> Callable[[str, str], None]:
    """Opens the paused replay of a model, drawn by one of the renderers."""

    def show(text: str, renderer: str) -> None:
        path = tmp_path / f"{mm.parse(text).name}.html"
        if not path.exists():
            options = mm.RunOptions("reference")
            mm.replay_page(mm.parse(text), path, steps=20, seed=1, options=options)
        tab.goto("about:blank")
        tab.goto(f"{path.as_uri()}#draw={renderer}")
        until(lambda: hook(tab, f"drawn > 0 && hook.kind == '{renderer}'"))
        tab.locator("[data-test=pause]").click()
        tab.locator("[data-test=play]").wait_for()
        tab.keyboard.press("r")
        until(lambda: hook(tab, "step <= 2"))

    return show


def shot(tab: Any, shots: Path, name: str, steps: int) -> Image.Image:
    """The scene without panels, some frames later."""
    tab.evaluate(ADVANCE, steps)
    image = Image.open(io.BytesIO(tab.screenshot(path=shots / f"{name}.png")))
    return image.convert("RGB").crop((320, 0, 960, 640))


def picture(tab: Any, shots: Path, name: str, steps: int = 9) -> np.ndarray:
    """The scene in blocks of 4 x 4 pixels: (rows, columns, 3)."""
    return blocks(shot(tab, shots, name, steps), 4)


def hues(tab: Any, shots: Path, name: str) -> int:
    """How many hues, of 36, are to be seen in strong colours."""
    colours = np.asarray(shot(tab, shots, name, 2).convert("HSV"), dtype=int)
    hue, strength, light = colours.reshape(-1, 3).T
    strong = hue[(strength > 90) & (light > 110)] * 36 // 256
    return int((np.bincount(strong, minlength=36) > 20).sum())


def assert_same(drawn: np.ndarray, expected: np.ndarray) -> None:
    assert drawn.std() > 5  # something is to be seen
    assert np.abs(drawn - expected).mean() < 0.4
    assert np.quantile(np.abs(drawn - expected), 0.999) < 16


@pytest.mark.parametrize("text", [SHAPES, FLAT], ids=["solids", "flat"])
def test_it_draws_what_webgl_draws(replay, tab, shots, text):
    """From frames, and then from the same states on the device, of which nothing is read back."""
    name = mm.parse(text).name
    replay(text, "gl")
    by_webgl = picture(tab, shots, f"{name}-gl")
    replay(text, "webgpu")
    assert_same(picture(tab, shots, f"{name}-webgpu"), by_webgl)
    assert tab.evaluate(KEPT) > 0.05  # of the pixels of a picture that stays out of sight
    tab.evaluate(COPY_TO_DEVICE)
    tab.keyboard.press("r")
    assert_same(picture(tab, shots, f"{name}-device"), by_webgl)
    assert tab.evaluate("window.read") == 0


def test_numbers_on_the_device_give_colours(replay, tab, shots):
    """Boids have their flock's colour, and the page states so, until the device has the numbers."""
    replay(FLAT.replace('scenery = "water"\n', ""), "webgpu")
    tab.evaluate(COPY_TO_DEVICE)
    tab.evaluate(f"{VIEWPORT}.picture.colourBy = 'neighbours'")
    assert hues(tab, shots, "numbers-missing") < 4  # two flocks, with the folds of their shapes
    tab.keyboard.press("Space")
    until(lambda: tab.locator("[data-test=notice]").count())
    assert "colours of their flocks" in tab.locator("[data-test=notice]").inner_text()
    tab.locator("[data-test=pause]").click()
    tab.evaluate(
        f"""() => {{
          const {{ device }} = {VIEWPORT}.renderer;
          const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
          const numbers = Float32Array.from({{ length: 190 }}, (_, boid) => boid % 17);
          const buffer = device.createBuffer({{ size: 4 * 190, usage }});
          device.queue.writeBuffer(buffer, 0, numbers);
          window.numbers = {{ buffer, of: "neighbours" }};
        }}"""
    )
    assert hues(tab, shots, "numbers") > 4


def test_a_lost_device_is_replaced(replay, tab, shots):
    """The flock is drawn on without WebGPU, seen as before."""
    replay(FLAT, "webgpu")
    tab.evaluate(f"{VIEWPORT}.camera.goal.zoom = 1.5")
    before = picture(tab, shots, "device-before")
    tab.evaluate(f"{VIEWPORT}.renderer.device.destroy()")
    until(lambda: hook(tab, "kind != 'webgpu'"))
    until(lambda: tab.locator("[data-test=notice]").count())
    assert "WebGPU has stopped" in tab.locator("[data-test=notice]").inner_text()
    tab.locator("[data-test=notice-close]").click()
    tab.keyboard.press("r")
    after = picture(tab, shots, "device-lost")
    assert np.abs(after - before).mean() < 2


def test_a_flock_on_the_device_is_drawn_from_there(tab, tmp_path, shots):
    """The same step of a live page: from the device's memory, and from a frame read back."""
    path = tmp_path / "live.html"
    mm.live_page(mm.parse(HEADINGS), path, seed=1)
    pictures = []
    for draw, kind in (("&draw=webgpu", "webgpu"), ("&draw=gl", "gl")):
        tab.goto("about:blank")
        tab.goto(f"{path.as_uri()}#engine=gpu{draw}")
        until(lambda kind=kind: hook(tab, f"drawn > 1 && hook.kind == '{kind}'"))
        tab.locator("[data-test=pause]").click()
        tab.locator("[data-test=play]").wait_for()
        tab.keyboard.press("r")
        until(lambda: hook(tab, "step == 0"))
        pictures.append(picture(tab, shots, f"live-{kind}", steps=0))
    assert_same(*pictures)
