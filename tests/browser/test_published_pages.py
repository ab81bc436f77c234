"""The page of each published model, opened from disk: it simulates, or replays frames, without an
error. Its modules come with the package, so that nothing is compiled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from live_pages import LivePage

import murmurate as mm

REPLAY_STEPS = 4


def page_of(model: mm.Model) -> mm.Page:
    """Return a live page; a replay of a model that live pages do not simulate."""
    try:
        return mm.live_page(model)
    except mm.ModelError:
        few = {f"flocks.{k}.count": min(f.count, 20) for k, f in model.flocks.items()}
        short = model.set(few | {"view.warm_up": 0})
        return mm.replay_page(short, steps=REPLAY_STEPS, options=mm.RunOptions("reference"))


@pytest.mark.parametrize("name", mm.zoo())
def test_it_runs(name: str, tab: Any, tmp_path: Path, shots: Path) -> None:
    """`tab` fails the test for an error in the page."""
    tab.context.set_offline(True)
    model = mm.load(name)
    path = tmp_path / "page.html"
    page = page_of(model)
    page.save(path)
    opened = LivePage(tab, path.as_uri()).open()
    if not page.live:
        return
    if not model.changes_numbers:
        assert opened.hook("N") == sum(flock.count for flock in model.flocks.values())
    opened.until("step > 2")
    tab.screenshot(path=shots / f"published-{name}.png")
    assert not tab.locator("[data-test=notice][data-level=error]").count()
