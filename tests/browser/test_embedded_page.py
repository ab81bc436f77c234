"""A live page in another page: it rests where nobody sees it, and gives its WebGL context back; it
shows only the flock if its options say so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from live_pages import MODEL, ROOM
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

    def __init__(self, tab: Any, folder: Path, options: str, model: mm.Model | None = None) -> None:
        mm.live_page(model or mm.parse(MODEL), folder / "page.html", max_boids=ROOM)
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


CONTROLLER = """async () => {
  const flock = document.querySelector("iframe").contentWindow;
  let next = 1;
  const step = (steps, controls) => new Promise((done) => {
    const id = next++;
    const heard = ({ source, data }) => {
      if (source !== flock || data.murmurate !== "answer" || data.to !== id) return;
      removeEventListener("message", heard);
      done(data);
    };
    addEventListener("message", heard);
    flock.postMessage({ murmurate: "step", id, steps, controls }, "*");
  });
  const begin = await step(1);
  const boids = begin.flocks.boids;
  const up = await step(3, { boids: boids.positions.map((_, k) => k % 2) });
  const rest = await step(0, { boids: { ids: [2], vectors: [[-1, 0]] } });
  const last = await step(2);
  const wrong = [
    await step(1, { boids: [[1, 2]] }), await step(-1), await step(1, [3]),
    await step(1, { boids: boids.positions.fill(NaN) }),
  ];
  const end = await step(0, { boids: null });
  const rows = ({ step, flocks }) => [step, [...flocks.boids.velocities], flocks.boids.ids.length];
  return [...[begin, up, rest, last, end].map(rows), wrong.map(({ error }) => error)];
}"""


@pytest.mark.parametrize("engine", ["wasm", "gpu"])
def test_a_program_of_the_page_around_controls_it(engine: str, tab: Any, tmp_path: Path) -> None:
    """It gives commands, and gets boids and errors; the flock rests between its requests."""
    model = mm.Model(
        dt=0.1,
        space=mm.Space(size=(20.0, 20.0)),
        flocks={"boids": mm.Flock(count=30, motion=mm.Add(max_speed=5.0, max_force=100.0))},
        rules={"alignment": mm.Alignment(radius=3.0), "command": mm.Command(form="velocity")},
    )
    around = Around(tab, tmp_path, f"engine={engine}&draw=canvas", model)
    begin, up, rest, last, end, wrong = tab.evaluate(CONTROLLER)
    name = around.frame.locator("[data-test=engine]").get_attribute("data-value")
    if engine == "gpu" and name != "gpu":
        pytest.skip("this browser has no software adapter")
    assert [after[0] - begin[0] for after in (up, rest, last, end)] == [3, 3, 5, 5]
    assert {tuple(row) for row in zip(up[1][::2], up[1][1::2], strict=True)} == {(0.0, 1.0)}
    assert rest[1] == up[1] and end[1] == last[1]
    turned = up[1].copy()
    turned[4:6] = -1.0, 0.0
    assert last[1] == pytest.approx(turned, abs=1e-6)
    for text, part in zip(
        wrong, ("30 vectors", "steps: got -1", "controls: expected", "got NaN for"), strict=True
    ):
        assert part in text
    around.frame.locator("[data-test=play]").wait_for()
