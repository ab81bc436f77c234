"""Plots on Axes of matplotlib: new ones, or those of the caller."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import murmurate as mm
from murmurate.measures import MEASURES
from murmurate.plots.figures import plot_panel
from murmurate.plots.sweeps import plot_sweep
from murmurate.plots.tracks import plot_tracks, save_tracks_plot
from murmurate.sweeps.run import run_sweep
from murmurate.sweeps.store import SweepFolder
from murmurate.sweeps.sweep_plan import make_plan
from murmurate.verify.figure_runs import simulate_figure
from tiny_model import TINY
from workers_here import Here

pytest.importorskip("matplotlib")
REFERENCE = mm.RunOptions(engine="reference")


@pytest.fixture(autouse=True)
def pyplot(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Use pyplot without a window, and close its figures."""
    monkeypatch.setenv("MPLBACKEND", "agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


@pytest.fixture(scope="module")
def table() -> mm.MeasureTable:
    names = ["polarization", "speed", "state"]
    return mm.measure(mm.parse(TINY), names, mm.RunSpec(steps=10, every=1, engine="reference"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> SweepFolder:
    vary = {"rules.cohesion.weight": (0.0, 0.1), "flocks.boids.count": (3, 4)}
    plan = make_plan(mm.parse(TINY), vary, mm.RunSpec(steps=4, every=2, engine="reference"))
    return run_sweep(plan, tmp_path_factory.mktemp("sweep") / "it", Here())


def test_measures_have_an_axes_each(table: mm.MeasureTable, pyplot: Any) -> None:
    axes = table.plot(style="dark")
    assert len(axes) == 3 and {ax.figure for ax in axes} == {pyplot.gcf()}
    assert "polarization" in axes[0].get_title(loc="left")
    _, own = pyplot.subplots(1, 3)
    assert list(table.plot(own)) == list(own) and all(ax.has_data() for ax in own)


def test_a_single_measure_is_on_one_axes(pyplot: Any) -> None:
    single = mm.measure(mm.parse(TINY), "speed", mm.RunSpec(steps=4, every=1, engine="reference"))
    assert single.plot().figure is pyplot.gcf()
    _, axes = pyplot.subplots()
    assert single.plot(axes) is axes and axes.has_data()


def test_the_number_of_axes_is_checked(table: mm.MeasureTable, pyplot: Any) -> None:
    with pytest.raises(mm.MeasureError, match=r"^ax: got 2 Axes; expected 3, one for each of pol"):
        table.plot(pyplot.subplots(1, 2)[1])


@pytest.mark.parametrize("kind", ["lines", "map"])
def test_a_sweep_is_on_one_axes(folder: SweepFolder, pyplot: Any, kind: Any) -> None:
    axes = plot_sweep(folder.path, "speed", kind=kind)
    assert axes.figure is pyplot.gcf() and axes.get_xlabel() == "cohesion weight"
    _, own = pyplot.subplots()
    assert plot_sweep(folder, "speed", own, kind=kind) is own and own.has_data()


def test_tracks_have_two_axes(pyplot: Any) -> None:
    tracks = mm.Tracks(np.cumsum(np.ones((5, 3, 2)), axis=0), 10)
    paths, times = plot_tracks(tracks)
    assert paths.figure is times.figure is pyplot.gcf()
    _, own = pyplot.subplots(1, 2)
    assert list(plot_tracks(tracks, own)) == list(own) and all(ax.has_data() for ax in own)


@pytest.mark.parametrize(("size", "wide"), [("screen", True), ("single-column", False)])
def test_the_panels_of_tracks_are_side_by_side_where_there_is_room(
    tmp_path: Path, size: str, wide: bool
) -> None:
    tracks = mm.Tracks(np.cumsum(np.ones((5, 3, 2)), axis=0), 10)
    path = save_tracks_plot(tracks, tmp_path / "t.png", size=size)
    with Image.open(path) as picture:
        assert (picture.width > picture.height) == wide


def test_a_panel_of_a_figure_is_on_one_axes(tmp_path: Path, pyplot: Any) -> None:
    panel = mm.Panel(title="a", x="t", y="v", shows="time", measure="speed", step=3)
    model = mm.parse(TINY).model_copy(update={"figure": (panel,)})
    ((panel, lines),) = simulate_figure(model, folder=tmp_path, workers=Here(), engine="reference")
    _, own = pyplot.subplots()
    assert plot_panel(panel, lines, own) is own and own.has_data()
    assert plot_panel(panel, lines).get_ylabel() == "v"


def test_axes_of_a_table_end_at_the_bounds_of_each_measure() -> None:
    """Parallel boids have a polarization of 1, and order profiles and distributions up to 1."""
    names = ["polarization", "order_profile", "cluster_size_distribution"]
    steps = mm.RunSpec(steps=10, every=1, engine="reference")
    result = mm.measure(mm.parse(TINY), names, steps)
    for name, axes in zip(names, result.plot(), strict=True):
        low, high = MEASURES[name].limits
        margin = 0.031 * (high - low)
        assert low - margin <= axes.get_ylim()[0] < axes.get_ylim()[1] <= high + margin, name


def test_axes_end_at_the_bounds_of_a_measure(tmp_path: Path) -> None:
    """Two seeds give intervals of 12.7 standard errors, far beyond 0 and 1."""
    vary = {"rules.cohesion.weight": [0.01, 0.02]}
    plan = make_plan(
        mm.parse(TINY),
        vary,
        mm.RunSpec(seeds=2, steps=20, engine="reference"),
        measures=["polarization"],
    )
    run_sweep(plan, tmp_path / "sweep", Here())
    low, high = plot_sweep(SweepFolder(tmp_path / "sweep"), "polarization").get_ylim()
    assert -0.05 < low < high < 1.05
    limits = {name: measure.limits for name, measure in MEASURES.items()}
    assert (limits["speed"], limits["milling"]) == ((0, np.inf), (0, 1))
    assert limits["repeatability"] == (-np.inf, 1) and limits["binder_cumulant"][1] == 2 / 3
