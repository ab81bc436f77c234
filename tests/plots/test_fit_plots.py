"""Plots of fits, from Python and on the command line, and --plot of all commands."""

from __future__ import annotations

import re

import pytest

import murmurate as mm
from murmurate.cli.plot_options import complete_plot_option
from murmurate.errors import FitError, OutputError
from murmurate.fitting.report import open_fit

pytest.importorskip("matplotlib")
pytest.importorskip("sklearn")
pytest.importorskip("arviz_stats")
pytest.importorskip("h5netcdf")
VARY = {"rules.alignment.weight": (0.0, 1.0), "rules.cohesion.radius": (5.0, 50.0)}


@pytest.fixture(scope="module")
def fit(tmp_path_factory):
    model = mm.load("ucl").set({"flocks.boids.count": 6})
    return mm.fit(
        model,
        {"polarization": (0.5, 0.1), "speed": (10.0, 1.0)},
        ["polarization"],
        VARY,
        mm.RunSpec(runs=10, seeds=1, steps=10, warm_up=0, every=5, engine="reference"),
        check=["speed"],
        output=tmp_path_factory.mktemp("fit") / "f",
    )


@pytest.mark.slow
def test_a_plot_shows_each_number_and_pair_and_every_measure(fit, tmp_path):
    path = fit.save_plot(tmp_path / "f.svg")
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text())
    assert {"posterior", "prior", "90% interval", "runs of the posterior", "data"} <= set(texts)
    assert {"alignment weight", "cohesion radius (length)"} <= set(texts)
    assert "polarization" in texts and "speed (checked)" in texts
    with pytest.raises(OutputError, match="exists and is kept"):
        fit.save_plot(path)
    pyplot = pytest.importorskip("matplotlib.pyplot")
    assert len(fit.plot(style="dark")) == 2 + 1 + 2
    with pytest.raises(FitError, match="got 1 Axes; expected 5"):
        fit.plot(pyplot.gcf().axes[:1])
    pyplot.close("all")


def test_a_finished_fit_is_opened_without_simulating(fit, tmp_path):
    again = open_fit(fit.folder)
    assert repr(again) == repr(fit) and again.model == fit.model and again.compared == fit.compared
    assert (again.posterior.quantiles == fit.posterior.quantiles).all()
    with pytest.raises(FitError, match="holds no fit"):
        open_fit(tmp_path)


def test_a_file_follows_plot_or_none():
    for words, complete in (
        ("measure a.zarr --plot", ["--plot=."]),
        ("measure a.zarr --plot speed", ["--plot=.", "speed"]),
        ("verify --plot mine.toml", ["--plot=.", "mine.toml"]),
        ("verify mine.toml --plot --force", ["--plot=.", "--force"]),
        ("measure a.zarr --plot b.png", ["--plot", "b.png"]),
        ("measure a.zarr --plot b.bmp", ["--plot", "b.bmp"]),  # for the error
    ):
        assert complete_plot_option(words.split())[-len(complete) :] == complete
