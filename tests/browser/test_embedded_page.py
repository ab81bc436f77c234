"""A live page in another page: it rests where nobody sees it, and gives its WebGL context back; it
shows only the flock if its options say so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from live_pages import MODEL
from views import hook

import murmurate as mm
from processes import until

pytestmark = pytest.mark.slow  # beside the README's command, for its time

AROUND = """\
<!doctype html><title>around</title><body style="margin:0;height:5000px">
<iframe src="page.html#{}" width="600" height="400"></iframe>
<script>said = []; onmessage = ({{ data }}) => said.push(data);</script></body>
"""
# Ten pictures of the page around it.
WAIT_FOR_FRAMES = """new Promise((done) => {
  let left = 10;
  const tick = () => (left-- > 0 ? requestAnimationFrame(tick) : done());
  tick();
})"""


class Around:
    """A page with a flock in a frame, opened from disk."""

    def __init__(self, tab: Any, folder: Path, options: str) -> None:
        mm.live_page(mm.parse(MODEL), folder / "page.html")
        (folder / "around.html").write_text(AROUND.format(options), encoding="utf-8")
        tab.context.set_offline(True)
        tab.goto((folder / "around.html").as_uri())
        until(lambda: len(tab.frames) > 1)
        self.frame = tab.frames[1]
        until(lambda: (self.hook("step") or 0) > 2)

    def hook(self, what: str) -> Any:
        return hook(self.frame, what)


def test_it_rests_while_it_is_out_of_sight(tab: Any, tmp_path: Path) -> None:
    around = Around(tab, tmp_path, "draw=gl")
    hook = around.hook
    assert hook("kind") == "gl"
    tab.evaluate("scrollTo(0, 3000)")
    until(lambda: hook("kind") == "canvas")
    drawn = hook("drawn")
    tab.evaluate(WAIT_FOR_FRAMES)
    assert hook("drawn") == drawn
    tab.evaluate("scrollTo(0, 0)")
    until(lambda: hook("kind") == "gl" and hook("drawn") > drawn + 2)


def test_it_shows_the_flock_alone(tab: Any, tmp_path: Path) -> None:
    """The wheel scrolls the page around it, and the pointer calls."""
    around = Around(tab, tmp_path, "show=flock&hand=call")
    picture = (
        "[...document.querySelector('#murmurate').shadowRoot.querySelector('.murmurate').children]"
    )
    seen = f"{picture}.filter((one) => one.offsetWidth > 0).map((one) => one.className)"
    assert [name.split()[0] for name in around.frame.evaluate(seen)] == ["scene"]
    assert around.frame.locator(".scene.call").count() == 1
    zoom = around.hook("camera.zoom")
    tab.mouse.move(300, 200)
    tab.mouse.wheel(0, 400)
    until(lambda: tab.evaluate("scrollY") > 0)
    assert around.hook("camera.zoom") == zoom
    assert tab.evaluate("said") == [{"murmurate": "flies"}]
