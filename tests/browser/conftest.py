"""A real browser: Chromium, with WebGL drawn by the processor where there is no graphics card.

It is found by the environment's CHROMIUM or under its usual names; without one these tests skip.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

FLAGS = [
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=gl-egl",
    "--ignore-gpu-blocklist",
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
        yield browser
        browser.close()


@pytest.fixture
def tab(chromium: Any) -> Iterator[Any]:
    """A page of its own, 1280 x 720. Whatever goes wrong in its scripts fails the test."""
    context = chromium.new_context(viewport={"width": 1280, "height": 720}, offline=False)
    page = context.new_page()
    page.wrong = []
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.on(
        "console",
        lambda said: page.wrong.append(said.text) if said.type == "error" else None,
    )
    yield page
    context.close()
    assert not page.wrong, page.wrong
