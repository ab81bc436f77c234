"""Memory stays flat while a page watches a large flock for half an hour.

python -m pytest -m long -n 0 -s tests/browser/test_half_an_hour.py
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from views import View

MINUTES = 30
WARM = 5  # minutes: what a page and a process keep (code, charts' windows) is there by then
ROOM = 10e6  # bytes that either may have grown by since

FLOCK = """\
# Ten thousand boids in a room of their own.
[space]
size = [160, 160, 160]
boundary = "periodic"
[flocks.boids]
count = 10000
start = { kind = "box", velocity = { kind = "directions", speed = 0.4 } }
motion = { kind = "constant-speed", speed = 0.4 }
[rules.separation]
radius = 3
[rules.alignment]
radius = 6
[rules.cohesion]
radius = 6
"""


def resident() -> int:
    """Bytes of memory that this process, the server's, holds."""
    pages = Path("/proc/self/statm")
    if not pages.exists():
        pytest.skip("no /proc here")
    return int(pages.read_text().split()[1]) * 4096


@pytest.mark.long
def test_half_an_hour_with_ten_thousand_boids(view: Callable[..., View]) -> None:
    page = view(FLOCK)
    page.until("drawn > 100")
    inside: Any = page.tab.context.new_cdp_session(page.tab)
    inside.send("HeapProfiler.enable")
    server, heap = [], []
    for minute in range(MINUTES + 1):
        inside.send("HeapProfiler.collectGarbage")
        gc.collect()
        heap.append(inside.send("Runtime.getHeapUsage")["usedSize"])
        server.append(resident())
        drawn, step = page.hook("drawn"), page.session.frame.step
        print(
            f"minute {minute}: process {server[-1] / 1e6:.1f} MB, page {heap[-1] / 1e6:.2f} MB, "
            f"{drawn} pictures, step {step}",
            flush=True,
        )
        if minute < MINUTES:
            end = time.monotonic() + 60
            while time.monotonic() < end:
                page.tab.wait_for_timeout(1000)
    assert max(server[WARM + 1 :]) - server[WARM] < ROOM
    assert max(heap[WARM + 1 :]) - heap[WARM] < ROOM
    assert drawn > 60 * MINUTES
