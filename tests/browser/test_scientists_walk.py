"""What a scientist does: a notebook with a model, a film, a still, measures of which one has no
value, a fit, verdicts and a replay with charts, exported as HTML; and plots on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from exported_notebooks import exported

from murmurate.cli import main
from processes import until

pytestmark = pytest.mark.slow

CELLS = [
    "import murmurate as mm\n"
    "model = mm.load('ucl').set({'flocks.boids.count': 6})\n"
    "reference = mm.RunOptions(engine='reference')\n"
    "model",
    "mm.film(model, 'flock.webm', view=mm.View(steps=8, size=(320, 180)), options=reference)",
    "mm.still(model, 'flock.png', at=4, view=mm.View(size=(320, 180)), options=reference)",
    "table = mm.measure(model, ['polarization', 'kth_neighbour_distance'], \n"
    "                   mm.RunSpec(steps=40, engine='reference'))\n"
    "table",
    "%matplotlib inline\n"
    "table.plot();",
    "fit = mm.fit(model, {'polarization': (0.5, 0.1)}, 'polarization',\n"
    "             {'rules.alignment.weight': (0.0, 1.0)}, mm.RunSpec(runs=8, steps=10,\n"
    "             warm_up=0, every=5, engine='reference'))\n"
    "fit",
    "fit.plot();",
    "from murmurate.verify import verify\n"
    "expected = mm.Expectation(measure='polarization', step=2, low=0.0, high=1.0)\n"
    "verify(model.model_copy(update={'expect': (expected,)}), engine='reference')",
    "mm.replay_page(model, steps=8, view=mm.View(charts=['extent']), options=reference)",
]  # fmt: skip
WHY = "it needs 8 boids or more, for k = 7; the flock has 6"


def test_the_notebook_shows_everything(chromium: Any, tmp_path: Path, shots: Path) -> None:
    for name in ("nbconvert", "ipykernel", "matplotlib", "matplotlib_inline"):
        pytest.importorskip(name, reason=f"{name} is not installed")
    context = chromium.new_context(viewport={"width": 1000, "height": 900}, offline=True)
    page = context.new_page()
    page.goto(exported(tmp_path, CELLS).as_uri(), wait_until="domcontentloaded")
    assert page.locator(".murmurate-model h3").count() == 1
    until(lambda: page.locator("video").evaluate("film => film.readyState") >= 1)
    assert page.locator("video").evaluate("film => [film.videoWidth, film.videoHeight]") == [
        320,
        180,
    ]
    widths = page.locator("img").evaluate_all("pictures => pictures.map(p => p.naturalWidth)")
    assert len(widths) == 3 and all(widths)  # the still, the measures, the fit
    text = page.locator("body").inner_text()
    for words in (WHY, "Measures of the data and of the posterior", "1 agrees", "90% interval"):
        assert words in text
    frame = page.locator("iframe").element_handle().content_frame()
    until(lambda: frame.locator("[data-test=chart-extent]").count() == 1)
    page.screenshot(path=shots / "scientists-notebook.png", full_page=True)
    context.close()


def test_the_command_line_plots_everything_by_one_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    small = ("ucl", "--boids", "6", "--steps", "20", "--engine", "reference", "--quiet")
    vary = ("--vary", "rules.alignment.weight=0,1", "--processes", "1", "--measures", "speed")
    fit = ("fit", "ucl", "ucl", "--boids", "6", "--measures", "speed", "--runs", "8",
           "--vary", "rules.alignment.weight=0:1", "--steps", "10", "--warm-up", "0", "--seeds",
           "1", "--engine", "reference", "--quiet")  # fmt: skip
    for words, file in (
        (("measure", *small, "--plot"), "ucl-measures.png"),
        (("sweep", *small, *vary, "--plot"), "ucl-sweep.png"),
        ((*fit, "-o", "fit", "--plot"), "fit.png"),
        (("plot", "ucl-sweep"), "ucl-sweep/measures.png"),
        (("plot", "fit"), "fit/fit.png"),
    ):
        assert main(words) == 0, capsys.readouterr().err
        assert (tmp_path / file).read_bytes()[:4] == b"\x89PNG"
        assert capsys.readouterr().out.splitlines()[-1] == file
    for words in (("measure", *small), ("sweep", "ucl-sweep"), ("fit", "fit")):
        assert main((*words, "--plot", "fit.png")) == 2
        assert "fit.png exists and is kept" in capsys.readouterr().err
        assert main((*words, "--plot", "fit.bmp")) == 2
        assert "expected .png, .svg or .pdf" in capsys.readouterr().err
