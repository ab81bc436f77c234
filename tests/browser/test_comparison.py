"""Settings that are kept, and two of them side by side, in the live view: what flies in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.slow  # beside the README's command, for its time

WEIGHT = "rules.alignment.weight"
HOSTILE = "<img src=x onerror=\"document.title='taken'\">"
BOTH = (
    "[...Array(hook.N).keys()].every((k) => "
    "JSON.stringify(hook.positions(k)) === JSON.stringify(hook.beside.positions(k)))"
)


def test_settings_are_kept_gone_back_to_renamed_and_removed(view: Any) -> None:
    page = view()
    tab = page.tab

    def weight() -> Any:
        return page.session.controller.requested.rules["alignment"].weight

    page.slide(WEIGHT, 0.25)
    page.true(lambda: weight() == 0.25, "0.25")
    page.click("keep-setting")
    tab.get_by_role("button", name="Return to alignment weight 0.25", exact=True).wait_for()
    page.slide(WEIGHT, 0.5)
    tab.locator("input[data-rule=alignment]").evaluate("box => box.click()")
    page.true(lambda: weight() == 0, "off")
    setting = tab.locator("[data-test=setting]")
    setting.focus()
    setting.press("Enter")
    page.true(lambda: weight() == 0.25 and not page.session.controller.off, "gone back")
    tab.keyboard.press("Control+z")  # one change
    page.true(lambda: page.session.controller.off == {"alignment": 0.5}, "undone")

    page.click("setting-rename")
    field = tab.locator("[data-test=setting-name]")
    field.fill(HOSTILE)
    field.press("Enter")
    assert setting.inner_text() == HOSTILE
    assert tab.locator("img[onerror]").count() == 0
    page.click("setting-rename")
    field.fill("not this")
    field.press("Escape")
    assert setting.inner_text() == HOSTILE
    page.click("setting-remove")
    assert setting.count() == 0


def test_two_settings_side_by_side(view: Any, shots: Any) -> None:
    page = view()
    tab, sessions = page.tab, page.live_view.server.sessions

    def caption(k: int) -> str:
        return str(page.text(f"caption-{k}"))

    page.click("keep-setting")
    page.click("setting-rename")
    tab.locator("[data-test=setting-name]").fill(HOSTILE)
    page.click("setting-compare")
    page.until("beside && hook.beside.step > 5")
    page.click("pause")
    page.until("beside.step === hook.step && " + BOTH)  # from one seed, with equal numbers
    (clone,) = sessions.clones
    assert HOSTILE in caption(0) and "the same setting" in caption(0)
    assert tab.locator("img[onerror]").count() == 0

    page.slide(WEIGHT, 0)
    page.true(lambda: "alignment weight 0.6" in caption(0), "what differs")
    assert "alignment weight 0" in caption(1)
    page.true(lambda: page.model.rules["alignment"].weight == 0, "weight 0")
    assert clone.controller.requested.rules["alignment"].weight == 0.6
    page.click("play")
    page.until("chartLast('polarization') < 0.5")
    page.picture(shots, "live-compared")
    page.click("pause")
    page.until("beside.step === hook.step && !(" + BOTH + ")")
    page.click("restart")
    page.until("step === 0 && hook.beside.step === 0 && " + BOTH)
    for _ in range(3):
        page.click("step")
    page.until("step === 3 && hook.beside.step === 3")
    boids, cloned = page.session.frame["boids"], clone.frame["boids"]
    assert page.session.frame.step == clone.frame.step == 3
    assert not np.array_equal(boids.positions, cloned.positions)

    page.click("compare-swap")
    page.true(lambda: page.model.rules["alignment"].weight == 0.6, "the kept one")
    page.true(lambda: clone.controller.requested.rules["alignment"].weight == 0, "the other one")
    page.until("step === 0 && hook.beside.step === 0")
    page.click("play")
    page.until("step > 3 && hook.beside.step === hook.step")
    page.until("chartBegins.join() === '0,0'")
    page.click("compare-end")
    page.true(lambda: len(sessions) == 1 and clone.over, "one session")
    step = page.hook("step")
    page.until(f"beside === null && hook.step > {step + 2}")  # it flies on


def test_a_comparison_ends_with_its_flock(view: Any) -> None:
    page = view()
    page.click("keep-setting")
    page.click("setting-compare")
    page.until("beside && hook.beside.step > 0")
    page.tab.locator("[data-test=zoo]").select_option("agentpy-2d")
    page.until("scene === 'agentpy-2d' && hook.beside === null")
    page.true(lambda: len(page.live_view.server.sessions) == 1, "one session")
    assert page.tab.locator("[data-test=setting]").count() == 0
