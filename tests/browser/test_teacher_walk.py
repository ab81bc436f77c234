"""A teacher's walk through a live page that was sent as a file: help, drawing, link, sliders."""

from __future__ import annotations

from typing import Any

import pytest
from live_pages import MODEL

from processes import until

pytestmark = pytest.mark.slow  # beside the README's command, for its time

TALKATIVE = MODEL.replace('name = "few"', f'name = "few"\nabout = "{"One sentence more. " * 30}"')


def help_of(tab: Any) -> dict[str, str]:
    """Key -> what the help says of it."""
    tab.keyboard.press("?")
    names = tab.locator(".sheet .keys dt").all_inner_texts()
    texts = tab.locator(".sheet .keys dd").all_inner_texts()
    tab.keyboard.press("Escape")
    return dict(zip(names, texts, strict=True))


def test_a_teacher_walks_through_a_page(page: Any, tab: Any, shots: Any) -> None:
    flock = page(TALKATIVE)
    keys = help_of(tab)
    assert {"d", "s"} <= keys.keys() and "," not in keys
    tab.keyboard.press("d")
    assert not tab.locator("[data-test=draw-predator]").is_visible()
    flock.button("draw-sphere").click()
    tab.mouse.move(560, 300)
    tab.mouse.down()
    tab.mouse.move(600, 300)
    tab.mouse.up()
    flock.until("handles.some(({path}) => path === 'obstacles.sphere.centre')")
    tab.keyboard.press("Escape")
    tab.keyboard.press("Escape")
    tab.screenshot(path=shots / "teacher-page.png")

    until(lambda: "drawn" in flock.in_link())
    drawn = flock.in_link()["drawn"]["obstacles.sphere"]
    flock.open(tab.evaluate("location.hash"))
    flock.until("handles.some(({path}) => path === 'obstacles.sphere.centre')")
    assert flock.in_link()["drawn"]["obstacles.sphere"] == drawn
    flock.button("reset").click()
    until(lambda: not flock.hook("handles").count("sphere") and "drawn" not in flock.in_link())

    story = tab.locator(".about .story")
    short = len(story.inner_text())
    flock.button("more-about").click()
    assert len(story.inner_text()) > 2 * short

    flock.button("more-alignment").click()
    flock.button("functions-alignment").click()
    assert "other.u, other.v, other.w" in tab.locator(".editor[open] pre").inner_text()

    flock.button("copy-link").click()
    notice = tab.locator("[data-test=notice], .sheet .about").first
    assert "send the file" in notice.inner_text()
    if tab.locator(".sheet").count():
        tab.keyboard.press("Escape")

    slider = tab.locator("input[type=range][data-path='rules.alignment.weight']")
    low, high = (float(slider.get_attribute(end)) for end in ("min", "max"))
    assert low < 0 < high
    box = slider.bounding_box()
    near = (0.015 * (high - low) - low) / (high - low)  # not quite zero
    tab.mouse.click(box["x"] + 7 + near * (box["width"] - 14), box["y"] + box["height"] / 2)
    assert slider.input_value() == "0"
    flock.type("rules.alignment.weight", "0.0003")
    assert flock.number("rules.alignment.weight").input_value() == "0.0003"
    slider.press("ArrowRight")
    assert slider.input_value() != "0"
