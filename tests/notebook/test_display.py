"""Previews are registered by class name, and made when an object is shown."""

from __future__ import annotations

import subprocess
import sys

import murmurate as mm
from murmurate import display, record


class Thing:
    pass


class Special(Thing):
    pass


def shown_as(thing: object) -> str:
    return f"<b>{type(thing).__name__}</b>"


def test_what_is_registered_is_shown_and_so_are_its_subclasses(monkeypatch):
    monkeypatch.setattr(display, "_FUNCTIONS", {})
    assert display.render(Thing()) is None
    display.register("Thing", __name__, "shown_as")
    assert display.render(Special()) == "<b>Special</b>"
    assert display.render(3) is None


def test_recordings_show_themselves(tmp_path):
    model = mm.load("ucl").set({"flocks.boids.count": 5})
    mm.run(model, 8, every=2, output=tmp_path / "a.zarr", options=mm.RunOptions(engine="reference"))
    recording = mm.open(tmp_path / "a.zarr")
    assert isinstance(recording, record.Recording) and mm.Recording is record.Recording
    assert "srcdoc" in recording._repr_html_()


def test_the_rooms_that_show_themselves_do_not_load_the_notebook():
    code = (
        "import sys, murmurate as mm; mm.Simulation, mm.Recording; "
        "assert not [m for m in sys.modules if m.startswith('murmurate.notebook')]"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
