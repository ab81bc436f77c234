"""Pages of readers who asked for less motion start paused, with a large button to play."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from live_pages import MODEL, ROOM, LivePage
from views import hook, pictures

import murmurate as mm
from processes import until

pytestmark = pytest.mark.slow  # beside the README's command, for its time


@pytest.fixture
def still(tab: Any) -> Any:
    tab.emulate_media(reduced_motion="reduce")
    return tab


def starts_paused(tab: Any, moved: Callable[[], object], shots: Path, name: str) -> None:
    """Check that the flock waits for the button, and then moves."""
    button = tab.locator("[data-test=start-play]")
    button.wait_for()
    before = moved()
    pictures(tab)
    assert moved() == before
    assert tab.locator("[data-test=play]").count() == 1
    tab.screenshot(path=shots / f"paused-{name}.png")
    button.click()
    until(lambda: moved() != before)
    until(lambda: button.count() == 0)


@pytest.mark.parametrize("other", [None, mm.parse(MODEL)], ids=["alone", "two"])
def test_a_live_page(still: Any, tmp_path: Path, shots: Path, other: mm.Model | None) -> None:
    path = tmp_path / "page.html"
    mm.live_page(mm.parse(MODEL), path, beside=other, max_boids=ROOM)
    for behind in ("", "#show=flock"):
        still.goto("about:blank")
        still.goto(path.as_uri() + behind)
        until(lambda: hook(still, "drawn > 0"))
        assert hook(still, "step") == 0
        starts_paused(still, lambda: hook(still, "step"), shots, f"live{behind[1:5]}")
    page = LivePage(still, path.as_uri()).open("#show=flock&play")  # its reader has pressed Run
    assert page.button("start-play").count() == 0


def test_a_replay(still: Any, tmp_path: Path, shots: Path) -> None:
    path = tmp_path / "page.html"
    mm.replay_page(mm.parse(MODEL), path, steps=5, options=mm.RunOptions("reference"))
    still.goto(path.as_uri())
    scrub = still.locator("[data-test=scrub]")
    until(lambda: hook(still, "drawn > 0"))
    assert scrub.input_value() == "0"
    starts_paused(still, scrub.input_value, shots, "replay")


def test_a_live_view(still: Any, view: Any, shots: Path) -> None:
    page = view()
    page.tab.locator("[data-test=start-play]").wait_for()
    page.true(lambda: not page.session.runner.playing, "paused")
    pictures(still)
    starts_paused(still, lambda: page.hook("step"), shots, "view")


def test_a_page_that_may_move_does(page: Any) -> None:
    assert page().button("start-play").count() == 0
