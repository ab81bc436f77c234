"""How fast the live view is: frames to a local client, and frames drawn in a browser.

    python benchmarks/live.py [--seconds 10] [--json FILE]

First the server alone: 100,000 boids in flight, every frame encoded again and sent as soon as the
client asks, to a client, a process of its own, that reads and throws away. Then, where Chromium is
found (CHROMIUM names another one), a page of 1280x720 that draws while the flock flies beside it,
on this machine and without a graphics card.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from pathlib import Path
from typing import Any

from child_process import output
from result_file import Results, add_json_option

import murmurate as mm
from murmurate.bench.timing import describe_machine
from murmurate.live_view import LiveView
from murmurate.live_view.server import start

DRAIN = Path(__file__).parent / "live_client.py"
FLAGS = ("--no-sandbox", "--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist")
DRAWN = {10_000: 30.0, 100_000: 12.0}  # frames a second that a page should draw
SENT = 300.0  # frames a second of 100,000 boids that the server should send


def starlings(boids: int) -> mm.Model:
    """The starlings, as dense as 4,000 of them in their ball."""
    radius = 25.0 * (boids / 4000) ** (1 / 3)
    return mm.load("starlings").set(
        {"flocks.boids.count": boids, "flocks.boids.start.radius": radius}
    )


def flying(live_view: LiveView) -> None:
    """Waits until its kernels are compiled."""
    while not live_view.session.runner.ready:
        time.sleep(0.1)
    time.sleep(1.0)


def sent(live_view: LiveView, seconds: float) -> float:
    """Frames a second that a client gets, each encoded for it when it asks."""
    feed = live_view.session.feed
    encode = feed.encoded

    def encoded(seen: int, neighbours: bool, number: str = "") -> tuple[int, bytearray | None]:
        """The frame, as a new one whenever it is asked for."""
        feed.refresh()
        return encode(seen, neighbours, number)

    feed.encoded = encoded  # type: ignore[method-assign]
    try:
        return float(output([sys.executable, DRAIN, live_view.url, seconds]))
    finally:
        feed.encoded = encode  # type: ignore[method-assign]


def drawn(live_view: LiveView, seconds: float, chromium: str) -> dict[str, Any]:
    """What a page says of itself after so many seconds: pictures and frames a second."""
    from playwright.sync_api import sync_playwright

    ask = "() => ({...document.getElementById('murmurate').__murmurate})"
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=list(FLAGS))
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.goto(live_view.url)
        page.wait_for_function(
            "() => document.getElementById('murmurate').__murmurate?.drawn > 20", timeout=120_000
        )
        before, begun = page.evaluate(ask), time.perf_counter()
        page.wait_for_timeout(1000 * seconds)
        after, took = page.evaluate(ask), time.perf_counter() - begun
        browser.close()
    return {"drawn": (after["drawn"] - before["drawn"]) / took, "fps": after.get("fps")}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=10.0)
    add_json_option(options)
    given = options.parse_args()
    seconds = given.seconds
    print(describe_machine())
    results = Results("live", given.json)

    with start(starlings(100_000), port=0) as live_view:
        flying(live_view)
        live_view.session.runner.submit(live_view.session.runner.pause).result()
        rate = sent(live_view, seconds)
        print(
            f"server, 100,000 boids: {rate:.0f} frames/s, {rate * 1.2:.0f} MB/s (target {SENT:.0f})"
        )
        results.add("server, 100,000 boids", rate, "frames/s", "higher")
        live_view.session.runner.submit(live_view.session.runner.play).result()
        rate = sent(live_view, seconds)
        steps = live_view.session.runner.steps_per_second
        print(f"  the same beside the flight: {rate:.0f} frames/s, {steps:.1f} steps/s")
        results.add("server, 100,000 boids in flight", rate, "frames/s", "higher")
        results.write()

    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or ""
    if not chromium:
        print("page: no Chromium here")
        return
    for boids, target in DRAWN.items():
        with start(starlings(boids), port=0) as live_view:
            flying(live_view)
            found = drawn(live_view, seconds, chromium)
            steps = live_view.session.runner.steps_per_second
        results.add(f"page, {boids:,} boids", found["drawn"], "pictures/s", "higher")
        results.write()
        print(
            f"page, {boids:,} boids at 1280x720: {found['drawn']:.1f} pictures/s beside "
            f"{steps:.1f} steps/s (target {target:.0f})"
        )


if __name__ == "__main__":
    main()
