"""Live pages of lessons on a slow computer: size, time to the first picture, pictures a second.

    python benchmarks/chromebook.py [--slower 4] [--draw canvas] [--seconds 4] [--json FILE]

Chromium slows down the thread that draws (`Emulation.setCPUThrottlingRate`) and has no network.
Each page has 500 boids, on a screen of 1366 x 768. `canvas` draws without a graphics card, as the
page does where there is none; `gl` needs one. "ms" is the time of the processor that the thread
takes for a picture, times `--slower`: it depends less on what else runs than pictures a second do.
It is too high for pages with scenery, which a slow thread paints with fewer pixels.
The worker is not slowed down, so its time for a step is multiplied too. Needs Linux, Chromium and
playwright. The exit code is 1 where a page misses a goal.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from live_page import CHROMIUM, FLAGS, HOOK
from playwright.sync_api import sync_playwright
from result_file import Results, add_json_option

import murmurate as mm
from murmurate.bench.timing import describe_machine

BOIDS = 500
PAGES = {  # model -> task
    "p5": "three-rules", "ucl": "springs", "topological": "seven-neighbours", "vicsek-1995": "",
    "parker-wind": "wind", "parker-gate": "gate", "couzin-2002": "mills-and-schools",
}  # fmt: skip
GOALS = {"kB": 400.0, "first picture, s": 2.0, "pictures/s": 30.0, "requests": 0.0}
# The time of the first picture is taken in the page, which asks at every picture.
WAIT = """(function look() {
  const hook = document.querySelector("#murmurate")?.__murmurate;
  if (hook?.drawn > 0 && hook.step >= 0) window.firstPicture = performance.now();
  else requestAnimationFrame(look);
})()"""


def make(folder: Path, name: str, task: str) -> tuple[Path, int]:
    """Write a page with 500 boids. Returns its file and its size."""
    model = mm.load(name)
    path = folder / f"{name}.html"
    model = model.set({f"flocks.{next(iter(model.flocks))}.count": BOIDS})
    page = mm.task_page(model, path, task=task) if task else mm.live_page(model, path)
    return path, page.bytes


def processor_time(pid: int, worker: bool) -> float:
    """Seconds of a process's main thread, or of its workers."""
    threads = Path(f"/proc/{pid}/task")
    names = {one: (one / "comm").read_text() for one in threads.iterdir()}
    chosen = [one for one, name in names.items() if name.startswith("DedicatedWorker")]
    chosen = chosen if worker else [threads / str(pid)]
    return sum(int((one / "schedstat").read_text().split()[0]) for one in chosen) / 1e9


class Tab:
    """A page of a browser, slowed down."""

    def __init__(self, browser: Any, slower: float) -> None:
        self.system = browser.new_browser_cdp_session()
        self.before = self._renderers()
        size = {"width": 1366, "height": 768}
        self.context = browser.new_context(viewport=size, offline=True)
        self.tab = self.context.new_page()
        self.requests: list[str] = []
        self.tab.on("request", lambda request: self.requests.append(request.url))
        self.tab.add_init_script(WAIT)
        self.tab.goto("about:blank")
        rate = {"rate": slower}
        self.context.new_cdp_session(self.tab).send("Emulation.setCPUThrottlingRate", rate)

    def _renderers(self) -> dict[int, float]:
        """Return the time of the main thread of each process that may show a page."""
        processes = self.system.send("SystemInfo.getProcessInfo")["processInfo"]
        pids = [one["id"] for one in processes if one["type"] == "renderer"]
        return {pid: processor_time(pid, worker=False) for pid in pids}

    def opened(self) -> float:
        """Find the process of the page. Returns the time of its main thread until now."""
        took = {pid: now - self.before.get(pid, 0) for pid, now in self._renderers().items()}
        self.pid = max(took, key=lambda pid: took[pid])
        return took[self.pid]

    def open(self, address: str) -> float:
        """Open a page. Returns the seconds to its first picture."""
        self.tab.goto(address)
        while not (first := self.tab.evaluate("window.firstPicture")):
            time.sleep(0.05)
        return float(first) / 1000

    def rates(self, seconds: float) -> tuple[float, float, float]:
        """Pictures a second, and processor time of a picture and of a step in milliseconds."""

        def read() -> tuple[float, ...]:
            hook = self.tab.evaluate(HOOK)
            times = [processor_time(self.pid, worker) for worker in (False, True)]
            return time.perf_counter(), hook["drawn"], hook["step"], *times

        before = read()
        time.sleep(seconds)
        span, pictures, steps, main, worker = (b - a for a, b in zip(before, read(), strict=True))
        return pictures / span, 1000 * main / max(1, pictures), 1000 * worker / max(1, steps)


def measure(browser: Any, path: Path, slower: float, draw: str, seconds: float) -> dict[str, float]:
    address = f"{path.as_uri()}#draw={draw}"
    plain = Tab(browser, 1)
    plain.open(address)
    opened = plain.opened()
    time.sleep(3)  # shapes of boids are kept from then on
    _, picture, step = plain.rates(seconds)
    plain.context.close()
    slow = Tab(browser, slower)
    first = slow.open(address)
    slow.opened()
    time.sleep(3)
    pictures, _, _ = slow.rates(seconds)
    own = (path.as_uri(), "blob:", "about:")
    others = [address for address in slow.requests if not address.startswith(own)]
    slow.context.close()
    return {
        "first picture, s": first, "its processor time, s": slower * opened,
        "pictures/s": pictures, "a picture, ms": slower * picture, "a step, ms": slower * step,
        "requests": len(others),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--slower", type=float, default=4.0)
    parser.add_argument("--draw", choices=["canvas", "gl"], default="canvas")
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--only", metavar="MODEL", choices=PAGES)
    add_json_option(parser)
    options = parser.parse_args()
    results, missed = Results("chromebook", options.json), []
    print(describe_machine())
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for model, task in PAGES.items():
            if options.only not in (None, model):
                continue
            path, size = make(Path(name), model, task)
            seen = measure(browser, path, options.slower, options.draw, options.seconds)
            figures = {"kB": size / 1000, **seen}
            page = f"{model}, {task}" if task else model
            print(f"{page}: " + "; ".join(f"{k} {v:.3g}" for k, v in figures.items()), flush=True)
            for what, value in figures.items():
                better = "higher" if what == "pictures/s" else "lower"
                unit = {"kB": "kB", "requests": "requests", "pictures/s": "1/s"}.get(
                    what, what[-2:]
                )
                results.add(f"{page}, {what}", value, unit.strip(), better)
                goal = GOALS.get(what)
                if goal is not None and (value < goal if better == "higher" else value > goal):
                    missed.append(f"{page}: {what} is {value:.3g}, and should be {goal:g}")
        browser.close()
    results.write()
    sys.exit("\n".join(missed) or 0)


if __name__ == "__main__":
    main()
