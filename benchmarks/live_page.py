"""Pages in which a flock flies: how fast, how large, how soon; beside a cell list in plain
JavaScript, and one native thread.

    python benchmarks/live_page.py [--rounds 5] [--minutes 0] [--json FILE]

Needs Chromium and playwright. All of it runs in turn, round by round; the figures are medians.
`--minutes` adds how much memory a page has gained after so long.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from importlib import resources
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import sync_playwright
from result_file import Results, add_json_option

import murmurate as mm
from murmurate.bench.flocks import uniform
from murmurate.bench.timing import describe_machine
from murmurate.runs.live_page import flight_head

HERE = Path(__file__).parent
SEED = 1
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist"]
HOOK = (
    "(h => h && ({drawn: h.drawn, step: h.step}))"
    "(document.querySelector('#murmurate')?.__murmurate)"
)
PAGE = "import sys, murmurate as mm; mm.live_page(sys.argv[1], sys.argv[2], force=True)"
NATIVE = "import sys, murmurate as mm; mm.Simulation(mm.load(sys.argv[1]), threads=1).step(1)"
UNITS = {"opens": "s", "kB": "kB"}
# what is flown -> its model, and steps a round
SPEEDS = {
    "1,000 boids, everyone sensed": (lambda: mm.load("agentpy-3d"), 200),
    "10,000 boids, 20 neighbours": (lambda: uniform(10_000, 20), 40),
    "20,000 boids, 20 neighbours": (lambda: uniform(20_000, 20), 20),
    "starlings, 4,001": (lambda: mm.load("starlings"), 40),
}


def native(model: mm.Model, steps: int) -> float:
    """Milliseconds a step of one thread here."""
    simulation = mm.Simulation(model, seed=SEED, threads=1).step(5)
    begin = time.perf_counter()
    simulation.step(steps)
    return 1000 * (time.perf_counter() - begin) / steps


def speeds(browser: Any, rounds: int, results: Results) -> None:
    tab = browser.new_page()
    tab.goto("about:blank")
    tab.evaluate(
        f"{(HERE / 'live_page.js').read_text()}; Object.assign(window, {{yardstick, flown}})"
    )
    worker = (resources.files("murmurate.show") / "viewer" / "flight.js").read_text()
    for name, (make, steps) in SPEEDS.items():
        model = make()
        boids = sum(flock.count for flock in model.flocks.values())
        head = flight_head(model, SEED, boids)
        took: dict[str, list[float]] = {"page": [], "native": [], "JavaScript": []}
        for _ in range(rounds):
            took["page"].append(
                tab.evaluate("([w, h, n]) => flown(w, h, n)", [worker, head, steps])
            )
            took["native"].append(native(model, steps))
            if "neighbours" in name:
                arguments = [boids, model.space.size[0], max(3, steps // 3)]
                took["JavaScript"].append(tab.evaluate("(a) => yardstick(...a)", arguments))
        ms = {way: median(times) for way, times in took.items() if times}
        text = ", ".join(f"{way} {value:.2f} ms" for way, value in ms.items())
        more = (
            f"; {ms['JavaScript'] / ms['page']:.1f} times JavaScript" if "JavaScript" in ms else ""
        )
        share = ms["page"] / ms["native"]
        print(f"{name}: {text} a step{more}; 1/{share:.1f} of a native thread", flush=True)
        for way, value in ms.items():
            results.add(f"{name}, {way}", value, "ms a step", "lower")
    tab.close()


def measure_page(browser: Any, path: Path, seconds: float) -> dict[str, float]:
    """A page, opened from disk without network: seconds to first motion, then frames and steps a
    second."""
    context = browser.new_context(viewport={"width": 1280, "height": 720}, offline=True)
    tab = context.new_page()
    begin = time.perf_counter()
    tab.goto(path.as_uri())
    while not (counters := tab.evaluate(HOOK)) or counters["step"] < 1 or counters["drawn"] < 2:
        time.sleep(0.01)
    opened = time.perf_counter() - begin
    time.sleep(2)
    first, since = tab.evaluate(HOOK), time.perf_counter()
    time.sleep(seconds)
    last, span = tab.evaluate(HOOK), time.perf_counter() - since
    context.close()
    rate = {k: (last[k] - first[k]) / span for k in ("drawn", "step")}
    return {"opens": opened, "frames/s": rate["drawn"], "steps/s": rate["step"]}


def pages(browser: Any, rounds: int, results: Results, folder: Path) -> None:
    paths = {}
    for name, model in (
        ("parker", mm.load("parker")),
        ("starlings", mm.load("starlings")),
        ("20,000 boids, 20 neighbours", uniform(20_000, 20)),
    ):
        paths[name] = folder / f"{len(paths)}.html"
        page = mm.live_page(model, paths[name])
        seen = [measure_page(browser, paths[name], 4.0) for _ in range(rounds)]
        figures = {k: median(value[k] for value in seen) for k in seen[0]} | {
            "kB": page.bytes / 1000
        }
        print(f"{name}: " + ", ".join(f"{k} {v:.3g}" for k, v in figures.items()), flush=True)
        for what, value in figures.items():
            better = "higher" if what.endswith("/s") else "lower"
            results.add(f"page of {name}, {what}", value, UNITS.get(what, "1/s"), better)


def time_child(script: str, arguments: list[str], cache: str) -> float:
    begin = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", script, *arguments],
        check=True,
        env={**os.environ, "MURMURATE_CACHE": cache},
    )
    return time.perf_counter() - begin


def making(rounds: int, results: Results, folder: Path) -> None:
    """Seconds to write a page, and of a native first step, each in a process of its own."""
    for name in ("parker", "starlings"):
        took: dict[str, list[float]] = {"first page": [], "again": [], "native first step": []}
        for _ in range(rounds):
            with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as other:
                arguments = [name, str(folder / "made.html")]
                took["first page"].append(time_child(PAGE, arguments, cache))
                took["again"].append(time_child(PAGE, arguments, cache))
                took["native first step"].append(time_child(NATIVE, [name], other))
        seconds = {way: median(times) for way, times in took.items()}
        print(f"{name}: " + ", ".join(f"{way} {s:.1f} s" for way, s in seconds.items()), flush=True)
        for way, value in seconds.items():
            results.add(f"{name}, {way}", value, "s", "lower")


def memory(browser: Any, minutes: float, results: Results, folder: Path) -> None:
    """What the page's own heap gains while starlings fly."""
    path = folder / "memory.html"
    mm.live_page("starlings", path)
    tab = browser.new_page()
    tab.goto(path.as_uri())
    session = tab.context.new_cdp_session(tab)
    heap = []
    for _ in range(int(2 * minutes) + 1):
        session.send("HeapProfiler.collectGarbage")
        heap.append(session.send("Runtime.getHeapUsage")["usedSize"] / 1e6)
        time.sleep(30)
    print(f"heap of the page after each half minute, MB: {', '.join(f'{h:.1f}' for h in heap)}")
    results.add("gained by the page's heap", heap[-1] - heap[1], "MB", "lower")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--minutes", type=float, default=0.0)
    add_json_option(parser)
    options = parser.parse_args()
    results = Results("live_page", options.json)
    print(describe_machine())
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        speeds(browser, options.rounds, results)
        pages(browser, options.rounds, results, folder)
        if options.minutes:
            memory(browser, options.minutes, results, folder)
        browser.close()
        making(options.rounds, results, folder)
    results.write()


if __name__ == "__main__":
    main()
