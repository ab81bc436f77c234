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
import socket
import subprocess
import sys
import threading
import time
from typing import Any

from result_file import Results, add_json_option

import murmurate as mm
from murmurate.bench.machine import described
from murmurate.live_view import LiveView
from murmurate.live_view.live_view import start

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
    while not live_view.session.flight.ready:
        time.sleep(0.1)
    time.sleep(1.0)


def sent(live_view: LiveView, seconds: float) -> float:
    """Frames a second that a client gets, each published for it."""
    session = live_view.session
    over = threading.Event()

    def publish() -> None:
        """A fresh frame whenever the last one was taken."""
        while not over.is_set():
            with session._encoding:
                taken = session._encoded.get(False, (0,))[0] == session._serial
            if taken:
                session.refresh()
            else:
                time.sleep(0.0001)

    threading.Thread(target=publish, daemon=True).start()
    address = live_view.url.replace("http://", "ws://").replace("/?", "/ws?")
    call = [sys.executable, __file__, "--drain", address, "--seconds", str(seconds)]
    try:
        return float(subprocess.run(call, capture_output=True, text=True, check=True).stdout)
    finally:
        over.set()


def drain(address: str, seconds: float) -> float:
    """Reads frames and throws them away; how many came in a second, after the first few. Plain
    sockets: a library for websockets takes longer to read than the server to send."""
    _, _, host, path = address.split("/", 3)
    name, port = host.split(":")
    with socket.create_connection((name, int(port))) as line:
        line.sendall(
            f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        got = line.makefile("rb", buffering=0)
        while got.readline().strip():
            pass  # the answer's head
        credit = b'{"type":"credit","frames":1}'
        credit = bytes([0x81, 0x80 | len(credit), 0, 0, 0, 0]) + credit  # masked with zeros
        room, frames, begun = memoryview(bytearray(1 << 22)), 0, 0.0
        while True:
            kind, size = whole(line, room, 2)
            if size > 125:
                size = int.from_bytes(whole(line, room, 2 if size == 126 else 8), "big")
            whole(line, room, size)
            if kind != 0x82:
                continue
            line.sendall(credit)
            frames += 1
            now = time.perf_counter()
            if frames == 20:
                begun = now
            elif frames > 20 and now - begun >= seconds:
                return (frames - 20) / (now - begun)


def whole(line: socket.socket, room: memoryview, size: int) -> memoryview:
    """So many bytes, whenever they come."""
    got = 0
    while got < size:
        if not (more := line.recv_into(room[got:size])):
            raise SystemExit("the server hung up")
        got += more
    return room[:size]


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
    options.add_argument("--drain", metavar="ADDRESS", help=argparse.SUPPRESS)
    add_json_option(options)
    given = options.parse_args()
    seconds = given.seconds
    if given.drain:
        print(drain(given.drain, seconds))
        return
    print(described())
    results = Results("live", given.json)

    with start(starlings(100_000), port=0) as live_view:
        flying(live_view)
        live_view.session.flight.submit(live_view.session.flight.pause).result()
        rate = sent(live_view, seconds)
        print(
            f"server, 100,000 boids: {rate:.0f} frames/s, {rate * 1.2:.0f} MB/s (target {SENT:.0f})"
        )
        results.add("server, 100,000 boids", rate, "frames/s", "higher")
        live_view.session.flight.submit(live_view.session.flight.play).result()
        rate = sent(live_view, seconds)
        steps = live_view.session.flight.steps_per_second
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
            steps = live_view.session.flight.steps_per_second
        results.add(f"page, {boids:,} boids", found["drawn"], "pictures/s", "higher")
        results.write()
        print(
            f"page, {boids:,} boids at 1280x720: {found['drawn']:.1f} pictures/s beside "
            f"{steps:.1f} steps/s (target {target:.0f})"
        )


if __name__ == "__main__":
    main()
