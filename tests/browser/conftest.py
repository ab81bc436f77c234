"""A real browser: Chromium, with WebGL and WebGPU computed by the processor where there is no
graphics card.

It is found by the environment's CHROMIUM or under its usual names; without one these tests skip.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from live_pages import MODEL, ROOM, LivePage
from views import FEWER_PICTURES, ORDERED, View

import murmurate as mm
from murmurate.live_view import LiveView
from murmurate.show.html_file import viewer_text

FLAGS = [
    # Without a graphics card a page takes a third of the processor time, with the same renderer;
    # but pictures of WebGPU's canvases are empty: see test_webgpu_renderer.py.
    "--disable-gpu-compositing",
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=gl-egl",
    "--ignore-gpu-blocklist",
    "--enable-unsafe-webgpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
NAMES = ("chromium", "chromium-browser", "google-chrome")


def chromium_path() -> str | None:
    """Where the browser is, if anywhere."""
    named = os.environ.get("CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The browser, for all tests of a session."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = chromium_path()
    if path is None:
        pytest.skip("no Chromium is installed: set CHROMIUM, or install one")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        browser.executable, browser.flags = path, FLAGS  # for tests that need one with others
        yield browser
        browser.close()


@pytest.fixture
def tab(chromium: Any) -> Iterator[Any]:
    """A page of its own, 1280 x 720. Whatever goes wrong in its scripts fails the test, but
    what a test names in `expected` (a part of the text) before it happens."""
    context = chromium.new_context(viewport={"width": 1280, "height": 720}, offline=False)
    context.add_init_script(FEWER_PICTURES)
    page = context.new_page()
    page.wrong, page.expected = [], []
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.on(
        "console",
        lambda message: page.wrong.append(message.text) if message.type == "error" else None,
    )
    yield page
    context.close()
    wrong = [text for text in page.wrong if not any(part in text for part in page.expected)]
    assert not wrong, wrong


@pytest.fixture(scope="session")
def shots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pictures of what was seen are left, for people to look at."""
    named = os.environ.get("MURMURATE_SHOTS")
    folder = Path(named) if named else tmp_path_factory.mktemp("shots")
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture
def view(tab: Any, tmp_path: Path) -> Iterator[Callable[..., View]]:
    """Begins a flock from a model file and opens a page on it."""
    assert viewer_text()
    begun: list[LiveView] = []

    def begin(text: str | None = ORDERED, name: str = "") -> View:
        source: Any = name
        if text is not None:
            source = tmp_path / "flock.toml"
            source.write_text(text, encoding="utf-8")
        live_view = mm.watch(
            source,
            seed=1,
            block=False,
            open_browser=False,
            port=0,
            options=mm.RunOptions(threads=1),
        )
        begun.append(live_view)
        return View(tab, live_view).open()

    yield begin
    tab.goto("about:blank")
    for live_view in begun:
        assert live_view.close()


@pytest.fixture
def page(tab: Any, tmp_path: Path) -> Iterator[Callable[..., LivePage]]:
    """Writes the page of a model and opens it, with the network off."""
    tab.context.set_offline(True)

    def begin(text: str = MODEL, **options: Any) -> LivePage:
        path = tmp_path / "page.html"
        mm.live_page(mm.parse(text), path, force=True, **{"max_boids": ROOM} | options)
        return LivePage(tab, path.as_uri()).open()

    yield begin
    tab.goto("about:blank")
