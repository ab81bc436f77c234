"""A walk through the live view: a ghost while rules compile, and a rule that is edited."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from test_live_view import STONE

from murmurate.live_view.controller import Controller
from processes import LIMIT

pytestmark = pytest.mark.slow

SWIRL = """\
def pair(self, me, other):
    return 1, -0.371 * other.dy, 0.371 * other.dx, 0

def finish(self, sums, me):
    n, x, y, z = sums
    return x, y, z
"""


def test_a_ghost_while_rules_compile_and_an_edited_rule(
    view: Any, shots: Any, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    seen, compile_rules = threading.Event(), Controller._compile
    request.addfinalizer(seen.set)

    def compile_later(*arguments: Any) -> None:  # kernels may be in the cache already
        seen.wait(LIMIT)
        compile_rules(*arguments)

    page = view(STONE)
    page.until("step > 5")
    monkeypatch.setattr(Controller, "_compile", compile_later)
    before = page.model
    notice = page.tab.locator("[data-about=compiling]")
    page.click("draw")
    page.click("draw-sphere")
    page.drag((700, 300), (760, 300))
    notice.locator("progress").wait_for()
    page.picture(shots, "live-ghost")
    seen.set()
    page.true(lambda: page.model != before, "a disc")
    page.true(lambda: notice.count() == 0, "no notice")
    page.tab.keyboard.press("Escape")
    page.tab.keyboard.press("Escape")

    rule = next(name for name, rule in page.model.rules.items() if rule.kind == "cohesion")
    page.click(f"more-{rule}")
    page.click(f"edit-{rule}")
    area = page.tab.locator(f"[data-test=text-{rule}]")
    text = area.input_value()
    assert "other.dy" in text
    area.fill(text.replace("other.dy", "other.far"))
    page.click(f"run-{rule}")
    fault = page.tab.locator(f"[data-test=fault-{rule}]")
    page.true(lambda: "other.far" in fault.inner_text(), "the error")
    area.fill(SWIRL)
    area.press("Control+Enter")
    page.true(lambda: page.model.rules[rule].functions == SWIRL, "the edited rule runs")
    page.picture(shots, "live-edited")
    assert fault.inner_text() == ""
    page.click("undo")
    page.true(lambda: page.model.rules[rule].functions == "", "undone")
    page.true(lambda: area.input_value() == text, "the text of the rule")
