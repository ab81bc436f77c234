"""Plots of sweeps: cells of maps, sizes for papers and talks, text that stays text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.plots.style import INKS, LINES, SIZES, set_plot_look
from murmurate.plots.sweeps import MapAxis, draw_map, save_sweep_plot
from murmurate.sweeps.run import run_sweep
from murmurate.sweeps.store import SweepFolder
from murmurate.sweeps.sweep_plan import make_plan
from workers_here import Here

pytest.importorskip("matplotlib")


def drawn_map(x: list[Any], y: list[Any]) -> Any:
    from matplotlib.figure import Figure

    rows = [{"a.x": first, "a.y": second, "speed": float(k)}
            for k, first in enumerate(x) for second in y]  # fmt: skip
    figure = Figure()
    axes = figure.subplots()
    draw_map(axes, rows, ["a.x", "a.y"], "speed", {"a.x": "a x", "a.y": "a y"})
    return axes


@pytest.mark.parametrize("counts", [[100, 400], [10, 100, 1000], ["flock", "neighbours"]])
def test_words_and_few_values_have_cells_of_one_size_with_their_names(counts: list[Any]) -> None:
    axes = drawn_map([0.05 * k for k in range(20)], counts)
    (mesh,) = axes.collections
    edges = mesh.get_coordinates()[:, 0, 1]
    np.testing.assert_allclose(np.diff(edges), 1.0)
    assert [tick.get_text() for tick in axes.get_yticklabels()] == list(map(str, counts))
    positions = axes.get_yticks()
    assert (edges[:-1] < positions).all() and (positions < edges[1:]).all()
    across = mesh.get_coordinates()[0, :, 0]  # many numbers stay numbers
    np.testing.assert_allclose(across, 0.05 * np.arange(-0.5, 20))


def test_an_axis_keeps_the_order_of_words_and_sorts_numbers() -> None:
    assert MapAxis(["sum", "average", "sum"]).values == ["sum", "average"]
    assert MapAxis([3, 1.5, 3, 2]).values == [1.5, 2, 3]


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> SweepFolder:
    vary = {"flocks.boids.count": (5, 9), "rules.alignment.divide_by": ("flock", "neighbours")}
    plan = make_plan(mm.load("ucl"), vary, mm.RunSpec(steps=10, every=5, engine="reference"))
    return run_sweep(plan, tmp_path_factory.mktemp("plots") / "it", Here())


@pytest.mark.slow
def test_words_are_drawn_as_lines_and_as_a_map(swept: SweepFolder, tmp_path: Path) -> None:
    for kind in ("auto", "lines", "map"):
        path = save_sweep_plot(swept, tmp_path / f"{kind}.svg", "speed", kind=kind)
        texts = set(re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text()))
        bars = "speed (length/time)" + ("" if kind == "map" else " ± 95%")
        assert {"number of boids", bars} <= texts  # text, not outlines
        named = (
            {"flock", "neighbours", "5", "9"} if kind == "map" else {"alignment divide by flock"}
        )
        assert named <= texts


@pytest.mark.parametrize("size", SIZES)
def test_a_plot_is_as_wide_as_asked_for_and_its_letters_are_legible(
    swept: SweepFolder, tmp_path: Path, size: Any
) -> None:
    path = save_sweep_plot(swept, tmp_path / "it.svg", "speed", size=size)
    text = path.read_text()
    points = float(re.search(r'<svg [^>]*width="([\d.]+)pt"', text)[1])
    wide = {"single-column": 86, "double-column": 178}
    if size in wide:
        assert points / 72 * 25.4 == pytest.approx(wide[size], abs=0.1)
    assert min(map(float, re.findall(r"font(?:-size)?: ([\d.]+)px", text))) >= 6
    paper = size in wide
    assert (">ucl: 1 run a point, 10 steps</text>" in text) != paper
    assert "<dc:title>ucl: 1 run a point, 10 steps</dc:title>" in text
    save_sweep_plot(swept, tmp_path / "again.svg", "speed", size=size)
    assert (tmp_path / "again.svg").read_text() == text


def test_text_of_a_pdf_is_text(swept: SweepFolder, tmp_path: Path) -> None:
    data = save_sweep_plot(swept, tmp_path / "it.pdf", "speed", size="single-column").read_bytes()
    assert b"/FontFile2" in data and b"/Type3" not in data  # TrueType, as publishers ask for
    assert b"/CreationDate" not in data  # so that its bytes are those of the sweep


def test_lines_differ_for_those_who_see_no_colours(swept: SweepFolder, tmp_path: Path) -> None:
    text = save_sweep_plot(swept, tmp_path / "it.svg", "speed").read_text()
    assert "stroke-dasharray" in text


def test_sizes_and_styles_that_are_not_there(swept: SweepFolder, tmp_path: Path) -> None:
    for wrong in ({"size": "poster"}, {"style": "dusk"}):
        with pytest.raises(mm.MurmurateError, match="expected one of"):
            save_sweep_plot(swept, tmp_path / "it.svg", "speed", **wrong)


def test_figures_of_ones_own_have_the_look_until_it_is_taken_back() -> None:
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    with mpl.rc_context():
        assert set_plot_look("dark", "talk") is INKS["dark"]
        assert mpl.rcParams["figure.facecolor"] == INKS["dark"].ground
        assert mpl.rcParams["font.size"] == SIZES["talk"].text
        assert [entry["color"] for entry in mpl.rcParams["axes.prop_cycle"]] == LINES
    assert dict(mpl.rcParams) == before
