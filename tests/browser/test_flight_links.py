"""Links to a page in which a flock flies: what was changed in it is in its address."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable

import pytest
from live_pages import HOSTILE, LivePage

from processes import until

pytestmark = pytest.mark.slow  # beside the README's command, for its time


def test_a_link_opens_alike(page: Callable[..., LivePage]) -> None:
    live_page = page()
    live_page.type("rules.alignment.weight", "0.25")
    live_page.button("style-light").click()
    live_page.button("seed").fill("77")
    live_page.button("seed").press("Enter")
    changed = {
        "version": 1, "seed": "77", "values": {"rules.alignment.weight": 0.25},
        "view": {"style": "light"},
    }  # fmt: skip
    until(lambda: live_page.in_link() == changed)
    address = live_page.tab.evaluate("location.href")
    live_page.open("#" + address.partition("#")[2])
    assert live_page.button("seed").input_value() == "77"
    assert live_page.number("rules.alignment.weight").input_value() == "0.25"
    assert live_page.tab.locator(".murmurate").get_attribute("data-style") == "light"
    assert live_page.tab.evaluate("location.href") == address


def test_a_link_opens_kept_settings_and_the_two_that_are_compared(
    page: Callable[..., LivePage],
) -> None:
    live_page = page()
    tab, weight = live_page.tab, "rules.alignment.weight"

    def kept() -> list[str]:
        return list(tab.locator("[data-test=setting]").all_inner_texts())

    live_page.type(weight, "0.25")
    live_page.button("keep-setting").click()
    live_page.button("setting-rename").click()
    tab.locator("[data-test=setting-name]").fill(HOSTILE)
    tab.locator("[data-test=setting-name]").press("Enter")
    live_page.type(weight, "0.5")
    live_page.button("keep-setting").click()
    first = f"Compare with {HOSTILE}, side by side"
    tab.get_by_role("button", name=first, exact=True).click()
    live_page.until("beside && hook.beside.step > 2")
    names = [HOSTILE, "alignment weight 0.5"]
    assert kept() == names

    until(lambda: "compared" in live_page.in_link())
    assert live_page.in_link() == {
        "version": 1, "values": {weight: 0.5},
        "kept": [
            {"name": HOSTILE, "values": {weight: 0.25}}, {"name": names[1], "values": {weight: 0.5}}
        ],
        "compared": {"name": HOSTILE, "values": {weight: 0.25}},
    }  # fmt: skip
    live_page.open(tab.evaluate("location.hash"))
    live_page.until("beside && hook.beside.step > 2")
    assert kept() == names and tab.locator("img[onerror]").count() == 0
    caption = live_page.button("caption-0")
    until(lambda: caption.inner_text().endswith("alignment weight 0.25"))
    assert live_page.number(weight).input_value() == "0.5"
    live_page.button("compare-end").click()
    until(lambda: "compared" not in live_page.in_link() and len(live_page.in_link()["kept"]) == 2)


def test_a_link_that_asks_for_too_much(page: Callable[..., LivePage]) -> None:
    """What the page has not is said; the rest holds."""
    live_page = page()
    changes = {"version": 1, "values": {"rules.nobody.weight": 1, "rules.alignment.weight": 0.5}}
    text = base64.urlsafe_b64encode(json.dumps(changes).encode()).decode().rstrip("=")
    live_page.open(f"#flock={text}")
    notice = live_page.tab.locator("[data-test=notice][data-level=error]")
    assert "rules.nobody.weight: this page cannot change it" in notice.inner_text()
    assert live_page.number("rules.alignment.weight").input_value() == "0.5"
