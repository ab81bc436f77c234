"""A notebook that was run and exported as HTML: opened from disk, its flocks fly with no kernel and
no network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from accessibility import SMALL
from exported_notebooks import exported

from processes import until

pytestmark = pytest.mark.slow  # beside the README's command, for its time

CELLS = ["import murmurate as mm", 'mm.live_page("p5", seed=3, height=400)']
STEP = "document.querySelector('#murmurate')?.__murmurate?.step ?? 0"


def test_its_flock_continues(chromium: Any, tmp_path: Path, shots: Path) -> None:
    pytest.importorskip("nbconvert", reason="nbconvert is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    context = chromium.new_context(viewport={"width": 1280, "height": 720}, offline=True)
    page = context.new_page()
    page.goto(exported(tmp_path, CELLS).as_uri(), wait_until="domcontentloaded")
    frame = page.locator("iframe")
    assert frame.bounding_box()["height"] == 400
    inside = frame.element_handle().content_frame()
    until(lambda: inside.evaluate(STEP) > 5)
    assert inside.evaluate(SMALL) == []
    before, step = frame.screenshot(), inside.evaluate(STEP)
    until(lambda: inside.evaluate(STEP) > step + 24)
    assert frame.screenshot() != before
    page.screenshot(path=shots / "notebook-exported.png")
    context.close()
