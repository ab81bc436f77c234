"""Previews are registered by class name, and made when an object is shown."""

from __future__ import annotations

import pickle
import subprocess
import sys

import pytest

import murmurate as mm
from murmurate import display, record
from murmurate.verify import Result, Verdicts


class Thing:
    pass


class Special(Thing):
    pass


def shown_as(thing: object) -> str:
    return f"<b>{type(thing).__name__}</b>"


def test_what_is_registered_is_shown_and_so_are_its_subclasses():
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


def test_films_play_and_stills_are_pictures(tmp_path):
    model = mm.load("ucl").set({"flocks.boids.count": 5})
    options = mm.RunOptions(engine="reference")
    for name, start in (("a.mp4", "<video controls"), ("a.gif", "<img"), ("%02d.png", "<img")):
        report = mm.film(
            model, tmp_path / name, view=mm.View(steps=2, size=(64, 64)), options=options
        )
        html = report._repr_html_()
        assert html.startswith(start) and "2 pictures, 0.1 s" in html and "base64" in html
    report.path.with_name("02.png").unlink()
    assert "base64" not in report._repr_html_()  # the file is missing
    still = mm.still(model, tmp_path / "a b.png", view=mm.View(size=(64, 64)), options=options)
    assert still == tmp_path / "a b.png" and still._repr_png_() == still.read_bytes()
    assert still.parent._repr_png_() is None and pickle.loads(pickle.dumps(still)) == still


def test_verdicts_and_fits_are_tables():
    expected = mm.Expectation(measure="polarization", step=1, low=0.0, why="<b>")
    verdicts = Verdicts([Result("mine", expected, 0.5, 0.02, (1, 2), "agrees", (0.4, 0.6))])
    assert repr(verdicts).splitlines()[0] == "mine: 1 agrees (1 checked)"
    assert "0.50 ± 0.02" in repr(verdicts) and verdicts._repr_html_().count("<tr>") == 2
    assert verdicts == list(verdicts)


@pytest.mark.slow
def test_the_rooms_that_show_themselves_do_not_load_the_notebook():
    code = (
        "import sys, murmurate as mm; mm.Simulation, mm.Recording; "
        "assert not [m for m in sys.modules if m.startswith('murmurate.notebook')]"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
