"""Links to a page in which a flock flies: what was changed in it is in its address."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable

import pytest
from flying import HOSTILE, Flying

from processes import until

pytestmark = pytest.mark.slow  # beside the README's command, for its time


def test_a_link_opens_alike(page: Callable[..., Flying]) -> None:
    flying = page()
    flying.type("rules.alignment.weight", "0.25")
    flying.button("style-light").click()
    flying.button("seed").fill("77")
    flying.button("seed").press("Enter")
    changed = {
        "version": 1, "seed": "77", "values": {"rules.alignment.weight": 0.25},
        "view": {"style": "light"},
    }  # fmt: skip
    until(lambda: flying.in_link() == changed)
    address = flying.tab.evaluate("location.href")
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

    until(lambda: "compared" in flying.in_link())
    assert flying.in_link() == {
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
    until(lambda: "compared" not in flying.in_link() and len(flying.in_link()["kept"]) == 2)


def test_a_link_that_asks_for_too_much(page: Callable[..., Flying]) -> None:
    """What the page has not is said; the rest holds."""
    flying = page()
    asked = {"version": 1, "values": {"rules.nobody.weight": 1, "rules.alignment.weight": 0.5}}
    text = base64.urlsafe_b64encode(json.dumps(asked).encode()).decode().rstrip("=")
    flying.open(f"#flock={text}")
    notice = flying.tab.locator("[data-test=notice][data-level=error]")
    assert "rules.nobody.weight: this page cannot change it" in notice.inner_text()
    assert flying.number("rules.alignment.weight").input_value() == "0.5"
