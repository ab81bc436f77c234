"""A flock in JupyterLab, in a real browser: shown, played, a slider moved; and the notebook opened
again when nothing runs."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import sys
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from processes import LIMIT, started, until

pytestmark = pytest.mark.skipif(
    any(
        importlib.util.find_spec(name) is None for name in ("jupyterlab", "ipykernel", "anywidget")
    ),
    reason="JupyterLab, ipykernel or anywidget is not installed",
)

CELLS = [
    """\
import murmurate as mm
model = mm.load("ucl").set({"flocks.boids.count": 60, "space.boundary": "periodic"})
flock = mm.watch(model)
flock""",
    """\
sim = flock.session.runner.simulation
print("step", sim.frame.step, "weight", sim.model.rules["cohesion"].weight)""",
    "mm.Simulation(model, seed=1).step(20)",
    'mm.live_page("p5", seed=1)',
]
STEP = "document.querySelector('#murmurate')?.__murmurate?.step ?? 0"


@dataclass
class Lab:
    """A running JupyterLab and its folder."""

    url: str
    folder: Path

    def ask(self, path: str, method: str = "GET") -> Any:
        request = urllib.request.Request(f"{self.url}{path}?token=t", method=method)
        with urllib.request.urlopen(request, timeout=LIMIT) as answer:
            return json.loads(answer.read() or "null")

    def end_kernels(self) -> None:
        for session in self.ask("api/sessions"):
            self.ask(f"api/sessions/{session['id']}", "DELETE")


def url_of(runtime: Path) -> str:
    """Where JupyterLab is to be found, or nothing yet."""
    for file in runtime.glob("jpserver-*.json"):
        with contextlib.suppress(ValueError):  # it is being written
            return str(json.loads(file.read_text())["url"])
    return ""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    folder = tmp_path_factory.mktemp("lab")
    runtime = folder / ".runtime"
    folders = {
        "JUPYTER_CONFIG_DIR": ".config",
        "JUPYTER_DATA_DIR": ".data",
        "IPYTHONDIR": ".ipython",
    }
    environment = {**os.environ, "JUPYTER_RUNTIME_DIR": str(runtime), "HOME": str(folder)}
    environment |= {name: str(folder / subfolder) for name, subfolder in folders.items()}
    with (folder / ".log").open("w") as log:
        server = started(
            sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root",
            f"--ServerApp.root_dir={folder}", "--ServerApp.port=0", "--ServerApp.token=t",
            "--LabApp.news_url=", "--LabApp.check_for_updates_class="
            "jupyterlab.NeverCheckForUpdate",
            env=environment, stdout=log, stderr=log, limit=3600,
        )  # fmt: skip
        with server as process:
            url = until(lambda: url_of(runtime), process)
            yield Lab(url, folder)


@pytest.fixture(scope="module")
def saved(lab: Lab, chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The cells run, the view used, the notebook saved; what was seen on the way."""
    cell = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    about = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    cells = [{**cell, "id": f"cell-{k}", "source": text} for k, text in enumerate(CELLS)]
    notebook = {"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}
    (lab.folder / "flock.ipynb").write_text(json.dumps(notebook))
    shots = Path(os.environ.get("MURMURATE_SHOTS") or tmp_path_factory.mktemp("shots"))
    seen: dict[str, Any] = {"shots": shots}
    context, page = opened(lab, chromium)
    run_cell(page, 0)
    live = page.locator(".murmurate-live")
    try:
        live.locator("canvas:visible").first.wait_for(timeout=LIMIT * 1000)
    finally:
        page.screenshot(path=shots / "notebook-live.png")
    page.screenshot(path=shots / "notebook-live.png")
    seen["replay hidden"] = not page.locator(".murmurate-saved").first.is_visible()
    first = seen["first"] = until(lambda: printed_if(page, lambda current: current["step"] > 0))
    slide(live)
    seen["second"] = until(
        lambda: printed_if(
            page,
            lambda current: current["step"] > first["step"] and current["weight"] > first["weight"],
        )
    )
    for number in (2, 3):
        run_cell(page, number)
        iframe = page.locator(".jp-CodeCell").nth(number).locator("iframe")
        iframe.wait_for(timeout=LIMIT * 1000)
    page.screenshot(path=shots / "notebook-used.png")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+s")
    until(lambda: outputs(lab.folder / "flock.ipynb") == len(CELLS))
    context.close()
    lab.end_kernels()
    return seen


def opened(lab: Lab, chromium: Any) -> tuple[Any, Any]:
    context = chromium.new_context(viewport={"width": 1280, "height": 1100})
    page = context.new_page()
    page.goto(f"{lab.url}lab/tree/flock.ipynb?token=t&reset")
    page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=LIMIT * 1000)
    page.wait_for_timeout(2000)
    return context, page


def run_cell(page: Any, number: int) -> Any:
    cell = page.locator(".jp-CodeCell").nth(number)
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    return cell


def printed(page: Any, number: int) -> dict[str, float]:
    """Runs a cell, and reads the pairs of words and numbers that it prints."""
    cell = run_cell(page, number)
    page.wait_for_timeout(500)
    output = cell.locator(".jp-OutputArea-output pre")
    output.wait_for(timeout=LIMIT * 1000)
    words = output.inner_text().split()
    return {word: float(number) for word, number in zip(words[::2], words[1::2], strict=True)}


def printed_if(page: Any, check: Callable[[dict[str, float]], bool]) -> dict[str, float] | None:
    """What the second cell prints, where that is as it should be."""
    current = printed(page, 1)
    return current if check(current) else None


def outputs(notebook: Path) -> int:
    """How many cells of a notebook were saved with an output."""
    try:
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    except ValueError:  # it is being written
        return 0
    return sum(bool(cell["outputs"]) for cell in cells)


def slide(live: Any) -> None:
    """Opens the panel where it is closed, and moves the slider of cohesion's weight to its end."""
    slider = live.locator('input[type="range"][data-path="rules.cohesion.weight"]')
    if not slider.is_visible():
        live.locator("[data-test=panel]").click()
    slider.focus(timeout=LIMIT * 1000)
    slider.press("End")


def test_the_widget_shows_and_plays(saved: dict[str, Any]) -> None:
    assert saved["replay hidden"]
    assert saved["second"]["step"] > saved["first"]["step"] > 0


def test_a_slider_moves_the_kernels_model(saved: dict[str, Any]) -> None:
    assert saved["second"]["weight"] > saved["first"]["weight"]


def test_the_saved_notebook_shows_replays_and_a_flight_with_nothing_running(
    lab: Lab, saved: dict[str, Any], chromium: Any
) -> None:
    context, page = opened(lab, chromium)
    lab.end_kernels()
    iframes = page.locator(".jp-OutputArea iframe")
    iframes.first.wait_for(timeout=LIMIT * 1000)
    assert iframes.count() == 3
    for k in range(3):
        frame = iframes.nth(k)
        frame.scroll_into_view_if_needed()
        assert frame.is_visible()
        inside = frame.content_frame
        inside.locator("canvas:visible").first.wait_for(timeout=LIMIT * 1000)
        assert "cannot be shown" not in inside.locator("body").inner_text()
    live_page = iframes.nth(2).element_handle().content_frame()
    step = until(lambda: live_page.evaluate(STEP))
    until(lambda: live_page.evaluate(STEP) > step + 24)
    assert not page.get_by_text("Error displaying widget").first.is_visible()
    page.screenshot(path=saved["shots"] / "notebook-reopened.png")
    context.close()
