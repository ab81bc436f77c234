"""The client in JavaScript and the receiver in three.js, in pages of another origin."""

from __future__ import annotations

import functools
import http.server
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import murmurate as mm
from murmurate.engines.options import RunOptions
from murmurate.live_view.server import start
from node_packages import node_package
from processes import LIMIT, until

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples" / "live"
PAGE = """<!doctype html><title>a client</title><script type="module">
import { Flock } from "./client.js";
window.flock = await Flock.open(location.hash.slice(1), { rgb: true });
</script>"""


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files and prints nothing."""

    def log_message(self, *_: Any) -> None: ...

    def do_GET(self) -> None:
        if self.path == "/favicon.ico":
            self.send_response(204)
            self.end_headers()
        else:
            super().do_GET()


@pytest.fixture
def origin(tmp_path: Path) -> Iterator[str]:
    """Serve the examples, and a page with the client only."""
    for name in ("client.js", "three.html"):
        shutil.copy(EXAMPLES / name, tmp_path / name)
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    handler = functools.partial(QuietHandler, directory=tmp_path)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join(LIMIT)


def test_the_client_in_a_page_of_another_origin(tab: Any, origin: str) -> None:
    model = mm.load("p5").set({"flocks.boids.count": 30})
    tab.expected = ["403", "the connection is closed"]
    with start(model, RunOptions("reference", seed=1), port=0) as live_view:
        tab.goto(f"{origin}/page.html#{live_view.url}")  # which is not named
        until(lambda: tab.evaluate("1") and any("403" in text for text in tab.wrong))
    with start(model, RunOptions("reference", seed=1), port=0, origins=[origin]) as live_view:
        tab.goto(f"{origin}/page.html#{live_view.url}")
        tab.reload()
        tab.wait_for_function("() => window.flock")
        assert tab.evaluate("() => flock.scene.wire.version") == "1.0"
        tab.evaluate("() => flock.set({ 'rules.cohesion.weight': 0.25 })")
        assert live_view.session.controller.running.rules["cohesion"].weight == 0.25
        counts = "async () => { const f = await flock.frame(); return [f.count, f.rgb.length]; }"
        assert tab.evaluate(counts) == [30, 90]


def test_three_js_shows_a_flock(tab: Any, origin: str, tmp_path: Path, shots: Path) -> None:
    three = node_package("three")
    (tmp_path / "node_modules").mkdir()
    shutil.copytree(three, tmp_path / "node_modules" / "three")
    model = mm.load("p5").set({"flocks.boids.count": 30})
    with start(model, RunOptions("reference", seed=1), port=0, origins=[origin]) as live_view:
        tab.goto(f"{origin}/three.html#{live_view.url}")
        note = tab.locator("#note")
        until(lambda: "30 boids" in note.inner_text())
        tab.screenshot(path=shots / "three.png")
        tab.keyboard.press("p")
        until(lambda: "31 boids" in note.inner_text())
