"""A notebook that was run and exported as HTML: opened from disk, its flocks fly with no kernel and
no network."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from processes import ran_well, until

pytestmark = pytest.mark.slow  # beside the README's command, for its time

CELLS = ["import murmurate as mm", 'mm.live("p5", seed=3, height=400)']
STEP = "document.querySelector('#murmurate')?.__murmurate?.step ?? 0"


def exported(folder: Path) -> Path:
    """The HTML that nbconvert makes of these cells; the kernel that ran them has ended."""
    about = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    cell = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    cells = [{**cell, "id": f"cell-{k}", "source": text} for k, text in enumerate(CELLS)]
    notebook = {"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}
    (folder / "flock.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    folders = {"JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "IPYTHONDIR": "ipython"}
    folders |= {"JUPYTER_RUNTIME_DIR": "runtime"}
    ran_well(
        sys.executable, "-m", "nbconvert", "--to", "html", "--execute", "flock.ipynb",
        cwd=folder,
        env=os.environ | {name: str(folder / subfolder) for name, subfolder in folders.items()},
    )  # fmt: skip
    return folder / "flock.html"


def test_its_flock_continues(chromium: Any, tmp_path: Path, shots: Path) -> None:
    pytest.importorskip("nbconvert", reason="nbconvert is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    context = chromium.new_context(viewport={"width": 1280, "height": 720}, offline=True)
    page = context.new_page()
    page.goto(exported(tmp_path).as_uri(), wait_until="domcontentloaded")
    frame = page.locator("iframe")
    assert frame.bounding_box()["height"] == 400
    inside = frame.element_handle().content_frame()
    until(lambda: inside.evaluate(STEP) > 5)
    before, step = frame.screenshot(), inside.evaluate(STEP)
    until(lambda: inside.evaluate(STEP) > step + 24)
    assert frame.screenshot() != before
    page.screenshot(path=shots / "notebook-exported.png")
    context.close()
