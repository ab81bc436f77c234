"""The Python of README.md and of the page about notebooks runs as the cells of a notebook, in a
real kernel, and the flocks that it shows are there to be seen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from notebook_kernel import WIDGET, Kernel, KernelRunner, kernel
from page_blocks import ROOT, blocks


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    folder = tmp_path_factory.mktemp("kernel") / "cells"
    folder.mkdir()
    with kernel(folder) as one:
        yield one


def run_page(page: Path, running: Kernel, folder: Path) -> KernelRunner:
    """Run a page's blocks in a folder."""
    runner = KernelRunner(folder, running)
    running.run(f"import os; os.chdir({str(folder)!r})")
    for block in blocks(page):
        try:
            runner.run(block)
        except Exception as error:
            error.add_note(f"in {block.where}")
            raise
    return runner


def test_the_page_about_notebooks(running: Kernel, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    shown = run_page(ROOT / "docs" / "notebook.md", running, tmp_path).shown
    live = [data for data in shown if WIDGET in data]
    assert len(live) == 1, "mm.watch shows one live widget"
    assert "murmurate-saved" in shown[1]["text/html"], "and a replay for when nothing runs"
    pages = [data for data in shown if "<iframe" in data.get("text/html", "")]
    assert len(pages) == 4, "a replay of mm.watch, mm.live_page, a simulation, mm.replay_page"
    assert (tmp_path / "flock.png").stat().st_size > 1000


def test_the_readme(running: Kernel, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_page(ROOT / "README.md", running, tmp_path)


@pytest.mark.parametrize(
    "call",
    [
        'mm.watch("p5")',
        'mm.watch("p5", 3, options=mm.RunOptions("reference"), playing=False)',
        'mm.watch(mm.load("p5"), charts=["milling"], open_browser=False, host="127.0.0.1")',
    ],
)
def test_watch_shows_a_widget_whatever_its_options(running: Kernel, call: str) -> None:
    outputs = running.run(f"import murmurate as mm\nflock = {call}\nflock")
    assert [one for one in outputs if WIDGET in one.get("data", {})]
    running.run("flock.close()")
