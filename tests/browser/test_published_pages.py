"""The live page of each published model, opened from disk, simulates without an error. Its modules
come with the package, so that nothing is compiled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from live_pages import LivePage

import murmurate as mm


@pytest.mark.parametrize("name", mm.zoo())
def test_it_runs(name: str, tab: Any, tmp_path: Path, shots: Path) -> None:
    """`tab` fails the test for an error in the page."""
    tab.context.set_offline(True)
    model = mm.load(name)
    path = tmp_path / "page.html"
    mm.live_page(model).save(path)
    opened = LivePage(tab, path.as_uri()).open()
    if not model.changes_numbers:
        assert opened.hook("N") == sum(flock.count for flock in model.flocks.values())
    opened.until("step > 2")
    tab.screenshot(path=shots / f"published-{name}.png")
    assert not tab.locator("[data-test=notice][data-level=error]").count()
