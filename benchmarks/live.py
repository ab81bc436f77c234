"""How fast the live view is: frames to a local client, and frames drawn in a browser.

    python benchmarks/live.py [--seconds 10] [--json FILE]

First 10,000 boids at 60 steps a second, to a client that asks for each frame: how many frames come
a second, how many of them within 20 ms of the one before, and how old they are. Then the server
alone: 100,000 boids in flight, every frame encoded again and sent as soon as the client asks, to a
client, a process of its own, that reads and throws away. At last, where Chromium is found (CHROMIUM
names another one), a page of 1280x720 that draws while the flock flies beside it, on this machine
and without a graphics card.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
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
STREAMED, RATE, IN_TIME, SHARE = 10_000, 60.0, 0.020, 0.95  # boids, frames a second, seconds, part


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

    def encoded(*asked: Any) -> tuple[int, bytearray | None]:
        """The frame, as a new one whenever it is asked for."""
        feed.refresh()
        return encode(*asked)

    feed.encoded = encoded  # type: ignore[method-assign]
    try:
        return float(output([sys.executable, DRAIN, live_view.url, seconds]))
    finally:
        feed.encoded = encode  # type: ignore[method-assign]


def streamed(live_view: LiveView, seconds: float) -> dict[str, float]:
    """Frames a second, the part of them that came in time, and how old 95 % were at most, in ms."""
    session, made = live_view.session, {}
    publish = session.feed.publish

    def noted(frame: mm.Frame) -> None:
        made[frame.step] = time.perf_counter()
        publish(frame)

    session.feed.publish = noted  # type: ignore[method-assign]
    session.runner.submit(lambda: session.runner.set_rate(RATE)).result()
    came = json.loads(output([sys.executable, DRAIN, live_view.url, seconds, "arrivals"]))
    session.feed.publish = publish  # type: ignore[method-assign]
    times = np.array([moment for _, moment in came])
    gaps = np.diff(times)
    ages = [moment - made[step] for step, moment in came if step in made]
    return {
        "frames/s": len(gaps) / (times[-1] - times[0]),
        "in time": float(np.mean(gaps <= IN_TIME)),
        "age": 1000 * float(np.quantile(ages, SHARE)),
    }


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

    with start(starlings(STREAMED), port=0) as live_view:
        flying(live_view)
        stream = streamed(live_view, seconds)
        print(
            f"stream, {STREAMED:,} boids: {stream['frames/s']:.1f} frames/s (target {RATE:g}), "
            f"{100 * stream['in time']:.1f} % within {1000 * IN_TIME:g} ms of the one before "
            f"(target {100 * SHARE:g}); 95 % are at most {stream['age']:.1f} ms old on arrival"
        )
        results.add("stream, 10,000 boids", stream["frames/s"], "frames/s", "higher")
        results.add("stream, in time", 100 * stream["in time"], "%", "higher")
        results.add("stream, age of 95 %", stream["age"], "ms", "lower")
        results.write()

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
