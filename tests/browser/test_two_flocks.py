"""Two flocks side by side in one page that flies, from disk and with no network: each has its own
panel, both are at the same step, and a link opens both as they are set."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from live_pages import LivePage

import murmurate as mm
from processes import until

pytestmark = pytest.mark.slow  # beside the README's command, for its time

NOISE, TURN = "rules.heading-alignment.weight", "rules.attraction.weight"


@pytest.fixture
def two(tab: Any, tmp_path: Path) -> Iterator[LivePage]:
    tab.context.set_offline(True)
    path = tmp_path / "two.html"
    mm.live_page("vicsek-1995", path, beside="couzin-2002", max_boids=400)
    live_page = LivePage(tab, path.as_uri()).open()
    live_page.until("beside && hook.beside.step > 5")
    yield live_page
    tab.goto("about:blank")


def test_each_has_its_own_numbers_and_a_link_opens_both(two: LivePage, shots: Path) -> None:
    tab = two.tab
    two.button("pause").click()
    tab.locator("[data-test=play]").wait_for()
    two.until("beside.step === hook.step && hook.N === 300 && hook.beside.N === 100")
    two.until("chartBegins.join() === '0,0'")
    assert "Vicsek" in two.button("caption-0").inner_text()
    assert "Couzin" in two.button("caption-1").inner_text()
    assert tab.title() == tab.locator("h1").inner_text() == "vicsek-1995 and couzin-2002"
    assert two.button("compare-end").count() == two.button("setting-compare").count() == 0

    two.type(NOISE, "0.5")
    two.button("tab-1").click()
    assert not two.number(NOISE).is_visible() and two.number(TURN).is_visible()
    two.type(TURN, "0.25")
    keep = tab.locator("[data-test=keep-setting]:visible")
    keep.click()
    two.type(TURN, "0.75")
    tab.keyboard.press("Control+z")  # what was done in this panel
    until(lambda: two.number(TURN).input_value() == "0.25")
    assert two.number(NOISE).input_value() == "0.5"
    tab.screenshot(path=shots / "two-flocks.png")
    kept = [{"name": "attraction weight 0.25", "values": {TURN: 0.25}}]
    changed = {"values": {NOISE: 0.5}, "beside": {"values": {TURN: 0.25}, "kept": kept}}
    until(lambda: two.in_link() == {"version": 1, **changed})

    two.open(tab.evaluate("location.hash"))
    two.until("beside && hook.beside.step > 2")
    assert two.number(NOISE).input_value() == "0.5"
    assert two.number(TURN).input_value() == "0.25"
    two.button("tab-1").click()
    assert tab.locator("[data-test=setting]:visible").all_inner_texts() == [kept[0]["name"]]


def test_captions_of_one_model_twice_list_the_differences(tab: Any, tmp_path: Path) -> None:
    path = tmp_path / "twice.html"
    model = mm.load("vicsek-1995")
    mm.live_page(model.set({NOISE: 0.5}), path, beside=model, max_boids=400)
    live_page = LivePage(tab, path.as_uri()).open()
    live_page.until("beside && hook.beside.step > 2")
    assert tab.title() == tab.locator("h1").inner_text() == model.title
    captions = [live_page.button(f"caption-{side}") for side in (0, 1)]
    was = captions[1].inner_text()
    assert captions[0].inner_text().endswith(" 0.5") and not was.endswith(" 0.5")
    value = tab.locator(f"[data-value-path='{NOISE}']:visible")  # that of the first one's panel
    value.fill("0.75")
    value.press("Enter")
    until(lambda: captions[0].inner_text().endswith(" 0.75"))
    assert captions[1].inner_text() == was
    tab.goto("about:blank")


def test_both_begin_again_with_another_seed_or_number_of_boids(two: LivePage, shots: Path) -> None:
    tab = two.tab
    two.button("pause").click()
    tab.locator("[data-test=play]").wait_for()
    two.button("seed").fill("5")
    two.button("seed").press("Enter")
    two.until("step === 0 && hook.beside.step === 0")
    two.button("step").click()
    two.until("step === 1 && hook.beside.step === 1")
    two.button("tab-1").click()
    boids = tab.locator("[data-test=boids]:visible")
    boids.fill("40")
    boids.press("Enter")
    two.until("beside.N === 40 && hook.N === 300 && hook.step === 0 && hook.beside.step === 0")
    two.button("play").click()
    two.until("step > 5 && hook.beside.step === hook.step")
    tab.set_viewport_size({"width": 390, "height": 844})
    wide = tab.evaluate("document.documentElement.scrollWidth")
    assert wide == 390
    tab.screenshot(path=shots / "two-flocks-phone.png")
