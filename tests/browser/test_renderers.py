"""The two renderers in a real browser: WebGL, and the processor alone where there is none."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image
from views import SOLIDS, View, blocks, pictures

import murmurate as mm

pytestmark = pytest.mark.slow  # beside the README's command, for its time

WITHOUT = [["--disable-gpu", "--disable-software-rasterizer"], ["--disable-3d-apis"]]


def scene_of(page: View) -> np.ndarray:
    """The picture of a paused page, without panels, in blocks of 8 x 8 pixels: (rows, columns, 3).
    The camera may still move when this is called: it waits until three pictures are equal."""

    def take_picture() -> Image.Image:
        pictures(page.tab, 5)
        return Image.open(io.BytesIO(page.tab.screenshot())).convert("RGB").crop((320, 0, 960, 640))

    shots = [take_picture(), take_picture(), take_picture()]
    page.true(
        lambda: shots[-1] == shots[-2] == shots[-3] or shots.append(take_picture()),
        "a picture that stays",
    )
    return blocks(shots[-1], 8)


def drawn_by(page: View, renderer: str) -> View:
    """The page again, drawn by one of the renderers."""
    page.tab.goto("about:blank")
    page.tab.goto(f"{page.live_view.url}#draw={renderer}")
    page.until("drawn > 0 && hook.N > 0")
    assert page.hook("kind") == renderer
    return page


@pytest.mark.parametrize(
    "style", ["dusk", *(pytest.param(style, marks=pytest.mark.long) for style in ("light", "dark"))]
)
def test_they_draw_the_same(view, shots, style):
    page = view(SOLIDS + f'[view]\nstyle = "{style}"\n')
    page.click("pause")
    pictures = []
    for renderer in ("gl", "canvas"):
        pictures.append(scene_of(drawn_by(page, renderer)))
        page.picture(shots, f"drawn-{renderer}-{style}")
    gl, canvas = pictures
    assert gl.std() > 5  # something is to be seen
    assert np.abs(gl - canvas).mean() < 1.5
    assert np.quantile(np.abs(gl - canvas), 0.999) < 30


def test_a_graphics_card_that_was_lost_comes_back(view):
    page = drawn_by(view(SOLIDS), "gl")
    page.click("pause")
    before = scene_of(page)
    page.tab.evaluate(
        """async () => {
          const { canvas } = document.querySelector("#murmurate").__murmurate.viewport.renderer;
          const gl = canvas.getContext("webgl2");
          window.card = gl.getExtension("WEBGL_lose_context");
          const lost = new Promise((done) => canvas.addEventListener("webglcontextlost", done));
          window.card.loseContext();
          await lost;
        }"""
    )
    page.tab.evaluate("window.card.restoreContext()")
    page.true(lambda: np.abs(scene_of(page) - before).mean() < 0.5, "the same picture again")


@pytest.mark.parametrize("flags", WITHOUT, ids=["no GPU process", "no 3-D"])
def test_without_webgl(chromium, shots, flags):
    """The same flock on a plain canvas, and why."""
    path = chromium.executable
    live_view = mm.watch(
        "ucl", seed=1, block=False, open_browser=False, port=0, options=mm.RunOptions(threads=1)
    )
    browser = chromium.browser_type.launch(executable_path=path, args=["--no-sandbox", *flags])
    try:
        tab = browser.new_page(viewport={"width": 1280, "height": 720})
        page = View(tab, live_view).open()
        assert tab.evaluate("document.createElement('canvas').getContext('webgl2')") is None
        assert page.hook("kind") == "canvas"
        assert "WebGL" in page.text("why-2d")
        page.slide("rules.alignment.weight", 0.25)
        page.true(lambda: page.model.rules["alignment"].weight == 0.25, "a slider works")
        page.click("pause")
        assert scene_of(page).std() > 1
        page.picture(shots, "live-flat")
    finally:
        browser.close()
        assert live_view.close()
