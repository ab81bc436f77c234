"""Pages that murmurate makes, against WCAG 2.2."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from accessibility import violations
from live_pages import MODEL, ROOM

import murmurate as mm


@pytest.mark.slow  # beside the README's command, for its time
@pytest.mark.parametrize("live", [True, False], ids=["live", "replay"])
def test_a_page_breaks_no_rule(tab: Any, tmp_path: Path, live: bool) -> None:
    path = tmp_path / "page.html"
    if live:
        mm.live_page(mm.parse(MODEL), path, max_boids=ROOM)
    else:
        mm.replay_page(mm.parse(MODEL), path, steps=5, options=mm.RunOptions("reference"))
    tab.goto(path.as_uri())
    tab.locator("canvas:visible").first.wait_for()
    assert not violations(tab)


def test_a_rule_that_is_broken_is_found(tab: Any) -> None:
    tab.set_content("<html lang='en'><title>a page</title><main><button></button></main></html>")
    assert [rule for rule, *_ in violations(tab)] == ["button-name"]
