"""A walk through a page made with --edit: a rule is edited, refused, linked and reset."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from live_pages import LivePage

from processes import until
from tiny_model import TINY

pytestmark = pytest.mark.slow

PATH = "rules.cohesion.functions"
EAST = """\
def pair(self, me, other):
    return 1, 0, 0, 0

def finish(self, sums, me):
    return 5, 0, 0
"""
AGREE = "chartLast('polarization') > 0.99"
DISAGREE = "chartLast('polarization') < 0.8"


def test_a_rule_is_edited_refused_linked_and_reset(
    page: Callable[..., LivePage], shots: Path
) -> None:
    """Random headings become one where the edited rule pushes all boids to the east."""
    live_page = page(TINY, edit=True)
    tab = live_page.tab
    area, fault = live_page.button("text-cohesion"), live_page.button("fault-cohesion")

    def open_editor() -> None:
        live_page.button("more-cohesion").click()
        live_page.button("edit-cohesion").click()
        area.wait_for()

    open_editor()
    text = area.input_value()
    assert "def pair(" in text and "def finish(" in text
    live_page.until(DISAGREE)

    area.fill(EAST.replace("return 5, 0, 0", "return sums.far, 0, 0"))
    live_page.button("run-cohesion").click()
    until(lambda: "line 5" in fault.inner_text())
    tab.screenshot(path=shots / "edited-fault.png")
    assert PATH not in live_page.in_link().get("values", {})

    area.fill(EAST)
    area.press("Control+Enter")
    live_page.until(AGREE)
    assert fault.inner_text() == ""
    until(lambda: live_page.in_link().get("values") == {PATH: EAST})
    tab.screenshot(path=shots / "edited.png")

    live_page.open("#" + tab.evaluate("location.hash").partition("#")[2])
    live_page.until(AGREE)
    open_editor()
    assert area.input_value() == EAST

    live_page.button("reset").click()
    until(lambda: area.input_value() == text)
    until(lambda: "values" not in live_page.in_link())
    live_page.button("restart").click()
    live_page.until(DISAGREE)
