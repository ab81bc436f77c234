"""A page in a real browser, opened as a file with no network: it shows the simulated frames, and
its buttons and keys do what they say."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from views import hook, pictures

import murmurate as mm
from murmurate.bench.flocks import uniform
from murmurate.measures import defaults
from murmurate.model.obstacles import Sphere
from murmurate.show import page_of
from murmurate.show.page import Page, in_iframe
from processes import LIMIT
from tiny_model import TINY

FRAMES = 120


@pytest.fixture
def show(tab: Any, tmp_path: Path) -> Any:
    """Writes a page and opens the file; whatever it asks the network for fails the test."""
    requests: list[str] = []
    tab.context.set_offline(True)

    def go(page: Page, fragment: str = "") -> Any:
        path = tmp_path / "page.html"
        path.write_text(page.html, encoding="utf-8")
        tab.on("request", lambda request: requests.append(request.url))
        tab.goto(path.as_uri() + fragment)
        until(tab, "drawn > 0")
        return tab

    yield go
    foreign = [url for url in requests if not url.startswith(("file:", "data:", "blob:"))]
    assert not foreign, foreign
    assert sum(url.startswith("file:") for url in requests) <= 1


def until(tab: Any, what: str, seconds: float = LIMIT) -> None:
    """Waits until it is so of the page's hook. (The page's policy forbids wait_for_function.)"""
    end = time.monotonic() + seconds
    while not hook(tab, what):
        assert time.monotonic() < end, f"{what} did not come"
        tab.wait_for_timeout(30)


def changed(tab: Any, name: str, before: Any) -> Any:
    """What a value of the page's hook becomes."""
    end = time.monotonic() + LIMIT
    while (current := hook(tab, name)) == before:
        assert time.monotonic() < end, f"{name} stays {before}"
        tab.wait_for_timeout(30)
    return current


def press(tab: Any, key: str) -> None:
    """On the page itself, so that no button takes it."""
    tab.evaluate("document.activeElement?.blur()")
    tab.keyboard.press(key)
    pictures(tab, 3)


def simulate(model: mm.Model, steps: int) -> list[mm.Frame]:
    """Return the first frames. Small flocks use the reference engine, which compiles nothing."""
    small = sum(flock.count for flock in model.flocks.values()) < 50
    return list(mm.frames(mm.Simulation(model, 1, engine="reference" if small else "cpu"), steps))


def test_a_path_is_shown_where_boids_are_led(show: Any) -> None:
    points = [[2.0, 2.0], [18.0, 2.0], [10.0, 18.0]]
    path = {"kind": "follow-path", "path": "polyline", "points": points, "period": 9.0}
    model = mm.parse(TINY).set({"rules.path": path})
    tab = show(mm.replay_page(model, steps=4, options=mm.RunOptions(engine="reference")))
    line = tab.locator(".handles polyline")
    assert line.count() == 1 and tab.locator(".handle").count() == 0
    corners = [corner.split(",") for corner in line.get_attribute("points").split()]
    assert len(corners) == 4 and corners[0] == corners[3]
    assert float(corners[1][0]) > float(corners[0][0]) and corners[1][1] == corners[0][1]
    assert float(corners[2][1]) < float(corners[0][1])  # up


# Goes to each frame, waits until it is drawn, and reads where all boids are.
EVERY_POSITION = """async ([frames, count]) => {
  const root = document.querySelector("#murmurate");
  const hook = root.__murmurate;
  const scrub = root.shadowRoot?.querySelector("[data-test=scrub]") ??
    document.querySelector("[data-test=scrub]");
  const out = [];
  for (let k = 0; k < frames; k++) {
    const before = hook.drawn;
    scrub.value = String(k);
    scrub.dispatchEvent(new Event("input"));
    while (hook.drawn === before) await new Promise(requestAnimationFrame);
    for (let boid = 0; boid < count; boid++) out.push(...hook.positions(boid));
  }
  return out;
}"""


@pytest.mark.parametrize(
    ("model", "frames"),
    [
        pytest.param(uniform(400, 20), 60, marks=pytest.mark.slow),
        (uniform(20, 8, 2), 10),
        (mm.load("parker-gate").set({"flocks.boids.count": 20}), 20),
        (mm.load("sort-sol-hunt").set({"flocks.boids.count": 20}), 12),
        (mm.load("starlings").set({"flocks.boids.count": 1}), 3),
        (mm.load("ucl").set({"flocks.boids.count": 1}), 1),
    ],
    ids=["torus", "torus 2-D", "open 2-D", "two flocks", "two boids", "one boid, one frame"],
)
def test_every_boid_is_where_it_was_in_every_frame(
    show: Any, tab: Any, model: mm.Model, frames: int
) -> None:
    simulated = simulate(model, frames)
    count, dims = simulated[0].n_boids, model.space.dims
    tab.set_viewport_size({"width": 480, "height": 320})
    show(page_of(simulated, model))
    tab.locator("[data-test=pause]").click()
    got = np.array(tab.evaluate(EVERY_POSITION, [frames, count])).reshape(frames, count, 3)
    want = np.array(
        [np.concatenate([flock.positions for flock in m.values()]) for m in simulated], float
    )
    side = np.array(model.space.size)
    periodic = np.array(model.space.periodic)
    low, high = want.min(axis=(0, 1)), want.max(axis=(0, 1))
    box = np.where(periodic, side, np.maximum(high - low, 1e-6 * side))
    opened = np.array([word == "open" for word in model.space.boundaries])
    box = np.where(opened | periodic, box, np.maximum(box, side))
    off = got[..., :dims] - want
    off -= np.where(periodic, side * np.round(off / side), 0.0)
    assert (np.abs(off) / box).max() <= 0.5 / 65536 * (1 + 1e-3)
    assert (got[..., dims:] == 0).all()


@pytest.fixture(scope="module")
def flock() -> Page:
    model = mm.load("starlings").set({"flocks.boids.count": 149})
    return page_of(simulate(model, FRAMES), model, toml=mm.to_toml(model))


def test_it_plays_pauses_and_goes_where_one_wants(show: Any, flock: Page, shots: Path) -> None:
    tab = show(flock)
    first = hook(tab, "step")
    until(tab, f"step > {first + 5}")
    tab.screenshot(path=shots / "page-starlings.png")
    tab.locator("[data-test=pause]").click()
    stopped = hook(tab, "step")
    pictures(tab)
    assert hook(tab, "step") == stopped
    press(tab, ".")
    pictures(tab)
    stopped = hook(tab, "step")  # on a frame, not between two
    press(tab, ".")
    until(tab, f"step === {stopped + 1}")
    press(tab, ",")
    until(tab, f"step === {stopped}")
    scrub = tab.locator("[data-test=scrub]")
    scrub.fill("60")
    until(tab, "step === 62")  # between frames 60 and 61, of steps 61 and 62
    tab.locator("[data-test=play]").click()
    until(tab, "step !== 62")
    press(tab, " ")
    assert tab.locator("[data-test=play]").count() == 1
    press(tab, "r")
    until(tab, "step === 2")
    assert hook(tab, "N") == 150


def test_it_begins_again_at_the_end(show: Any, flock: Page) -> None:
    tab = show(flock)
    tab.locator("[data-test=scrub]").fill(str(FRAMES - 3))
    until(tab, "step < 60")


def test_it_can_be_turned_and_zoomed(show: Any, flock: Page) -> None:
    tab = show(flock)
    tab.locator("[data-test=pause]").click()
    before = hook(tab, "camera")
    tab.mouse.move(800, 250)
    tab.mouse.down()
    tab.mouse.move(950, 300, steps=5)
    tab.mouse.up()
    turned = changed(tab, "camera", before)
    tab.mouse.wheel(0, -400)
    changed(tab, "camera", turned)


def test_the_charts_are_the_flocks_measures(show: Any) -> None:
    model = uniform(40, 8, 2)
    frames = simulate(model, 30)
    tab = show(page_of(frames, model))
    tab.locator("[data-test=pause]").click()
    press(tab, "r")
    tab.locator("[data-test=scrub]").fill("29")
    pictures(tab)
    for name in ("polarization", "milling", "nearest_neighbour_distance", "speed"):
        value = hook(tab, f"chartLast('{name}')")
        assert value == pytest.approx(getattr(mm.measures, name)(frames[-1]["boids"]), rel=1e-3)


def test_every_measure_that_is_taken_by_default_has_its_chart(
    show: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    width = defaults.DefaultMeasure(
        mm.measures.radius_of_gyration, "radius of gyration", "length", "how far the flock reaches"
    )
    monkeypatch.setattr(defaults, "SHOWN", (*defaults.SHOWN, width))
    model = uniform(40, 8, 2)
    frames = simulate(model, 5)
    tab = show(page_of(frames, model))
    charts = tab.locator(".chart")
    expected = [f"chart-{measure.name}" for measure in defaults.SHOWN]
    assert charts.evaluate_all("all => all.map(one => one.dataset.test)") == expected
    labels = charts.locator("header .label").all_inner_texts()
    assert labels == [measure.label for measure in defaults.SHOWN]
    assert charts.last.get_attribute("title") == "how far the flock reaches (length)"
    assert charts.first.get_attribute("title") == defaults.SHOWN[0].about
    last = mm.measures.radius_of_gyration(frames[-1]["boids"])
    assert hook(tab, f"chartLast('{width.name}')") == pytest.approx(last, rel=1e-3)
    assert hook(tab, "chartLast('other')") is None


def test_moving_obstacles(show: Any, shots: Path) -> None:
    sway = mm.Cycle(mean=50, amplitude=30, period=20)
    model = mm.Model(
        name="sway", title="A ball that sways",
        space=mm.Space(size=(100, 100), boundary="periodic"),
        flocks={"boids": mm.Flock(count=40, start=mm.InBox(velocity=mm.Directions(speed=1.0)))},
        rules={"avoid": mm.Separation(senses="obstacles", radius=20, weight=0.5)},
        obstacles={"ball": Sphere(centre=(sway, 50.0), radius=10)},
    )  # fmt: skip
    tab = show(page_of(simulate(model, 40), model))
    pictures(tab)
    tab.screenshot(path=shots / "page-obstacle.png")


def test_without_webgl_boids_leave_no_marks_on_an_obstacle(show: Any) -> None:
    model = mm.Model(
        name="disc", space=mm.Space(size=(100, 100), boundary="periodic"),
        flocks={"boids": mm.Flock(count=40, start=mm.InBox(velocity=mm.Directions(speed=3.0)))},
        rules={}, obstacles={"disc": Sphere(centre=(50.0, 50.0), radius=45)},
    )  # fmt: skip
    frames = simulate(model, 30)
    tab = show(page_of(frames, model), "#draw=canvas")
    assert hook(tab, "kind") == "canvas"
    tab.locator("[data-test=pause]").click()

    def picture(frame: int) -> str:
        tab.locator("[data-test=scrub]").fill(str(frame))
        until(tab, f"step == {frames[frame + 1].step}")  # of the later of the two frames drawn
        hook(tab, "viewport.redrawNow(true)")  # with all pixels, also on a slow machine
        url: str = hook(tab, "viewport.renderer.canvas.toDataURL()")
        return url

    picture(15)
    before = picture(0)
    assert picture(28) != before
    assert picture(0) == before


def test_at_the_width_of_a_phone(show: Any, flock: Page, tab: Any, shots: Path) -> None:
    tab.set_viewport_size({"width": 390, "height": 780})
    show(flock)
    pictures(tab)
    wide = tab.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
    tab.screenshot(path=shots / "page-phone.png")


def test_inside_another_page(tab: Any, flock: Page, tmp_path: Path, shots: Path) -> None:
    """As in a notebook: an iframe that may not reach the page around it."""
    outer = tmp_path / "outer.html"
    outer.write_text(f"<!DOCTYPE html><h1>Around</h1>{in_iframe(flock.html)}", encoding="utf-8")
    tab.context.set_offline(True)
    tab.goto(outer.as_uri())
    inside = tab.frame_locator("iframe")
    inside.locator("canvas:visible").first.wait_for(timeout=LIMIT * 1000)
    inside.locator("[data-test=pause]").click()
    assert inside.locator("[data-test=play]").count() == 1
    tab.screenshot(path=shots / "page-framed.png")


def test_without_javascript_it_says_so(chromium: Any, flock: Page, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(flock.html, encoding="utf-8")
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    assert "needs JavaScript" in page.locator("body").inner_text()
    context.close()


def test_a_broken_file_says_so(show: Any, flock: Page, tab: Any, tmp_path: Path) -> None:
    text = flock.html
    at = text.index('id="murmurate-flight">') + 200
    path = tmp_path / "broken.html"
    path.write_text(text[:at] + "AAAA" + text[at + 4 :], encoding="utf-8")
    tab.goto(path.as_uri())
    tab.get_by_text("cannot be shown").first.wait_for(timeout=LIMIT * 1000)
    tab.wrong.clear()


def test_400_boids_in_300_frames_and_the_viewer_are_small() -> None:
    model = uniform(400, 20)
    assert page_of(simulate(model, 300), model, toml=mm.to_toml(model)).bytes < 1.3e6


def test_animals_that_are_not_seen_are_hidden(show: Any) -> None:
    positions = np.tile([[[0.0, 0.0], [8.0, 4.0]]], (9, 1, 1)) + np.arange(9)[:, None, None] / 10
    positions[3:6, 1] = np.nan
    tab = show(mm.replay_page(mm.Tracks(positions, 10.0)))
    tab.locator("[data-test=pause]").click()
    seen = []
    for frame in range(8):
        tab.locator("[data-test=scrub]").fill(f"{frame}")
        until(tab, f"step === {frame + 1}")  # between this frame and the next, at its beginning
        seen.append([hook(tab, f"positions({animal})") is not None for animal in (0, 1)])
    assert all(first for first, _ in seen)
    assert [second for _, second in seen] == [True] * 3 + [False] * 3 + [True] * 2
