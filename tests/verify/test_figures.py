"""murmurate verify --plot: figures as data in model files, simulated once and drawn."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import murmurate as mm
from murmurate.cli import main
from murmurate.errors import ModelError
from murmurate.model.results import Panel
from murmurate.plots.figures import save_model_figure
from murmurate.verify import figure_runs
from murmurate.verify.figure_runs import count_missing_points, simulate_figure
from workers_here import Here

simulate = partial(simulate_figure, engine="reference")
DRAWN = sorted(name for name in mm.zoo() if mm.load(name).figure)


def panel(**more: Any) -> dict[str, Any]:
    return {"title": "It", "x": "speed", "y": "speed", "step": 4, "measure": "speed", **more}


SPEEDS = {"flocks.boids.start.velocity.speed": [1.0, 2.0, 4.0]}
MODEL = {
    "name": "mine",
    "space": {"size": [9, 9]},
    "flocks": {"boids": {"count": 4, "start": {"kind": "box", "velocity": {"kind": "directions"}}}},
}
FOUR = [
    panel(vary=SPEEDS, points=[{"label": "it", "x": [1], "y": [1], "origin": "published"}]),
    panel(vary=SPEEDS, shows="binder", measure="polarization", seeds=[1, 2], since=1),
    panel(shows="time", measure="distance_to_centre", seeds=[1, 2], notes={"here": 1}),
    panel(shows="distribution", measure="nearest_neighbour_distance", log="y"),
]


def mine(*panels: dict[str, Any]) -> mm.Model:
    return mm.Model(**MODEL, figure=panels)


def test_lines_take_missing_keys_from_the_panel() -> None:
    lines = Panel(
        **panel(
            vary={"a": [1, 2]}, set={"b": 1}, since=2,
            line=[{"label": "x"}, {"label": "y", "set": {"c": 2}, "step": 9, "vary": {"d": [3]}}],
        )
    ).lines()  # fmt: skip
    assert lines[0].vary == {"a": (1, 2)} and lines[0].set == {"b": 1} and lines[0].step == 4
    assert lines[1].vary == {"d": (3,)} and lines[1].set == {"b": 1, "c": 2} and lines[1].step == 9
    assert all(line.measure == "speed" and line.since == 2 and line.every == 1 for line in lines)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({}, "expected `vary`"),
        ({"vary": {"a": [1, 2], "b": [1]}}, "equally many"),
        ({"vary": {"a": [1, 2]}, "at": [1]}, "equally many"),
        ({"shows": "time", "vary": {"a": [1]}}, "expected no `vary`"),
        ({"shows": "time", "since": 5}, "since"),
        ({"points": [{"x": [1], "y": [], "label": "", "origin": "exact"}]}, "equally many"),
        (
            {"shows": "time",
             "points": [{"x": [1], "y": [1], "label": "", "origin": "exact", "like": "none"}]},
            "no line named 'none'",
        ),
        ({"shows": "time", "since": 1, "every": 4}, "every: got 4.*at most 3"),
        ({"shows": "time", "seeds": []}, "figure.0.seeds: got 0 items"),
        ({"shows": "time", "seeds": [-1]}, r"figure.0.seeds.0: got -1"),
        ({"shows": "time", "line": [{"seeds": [2, 2]}]}, r"figure.0.line.0.seeds: got 2 twice"),
        ({"vary": {"a": []}}, "got no values in `vary`"),
        ({"vary": {"a": ["one", "two"]}}, "got 'one' in vary.a; expected finite numbers.*in `at`"),
        ({"vary": {"a": [1.0, math.inf]}}, "got inf in vary.a; expected finite"),
        ({"shows": "time", "limits": [1, 1]}, "limits: got 1 and 1"),
        ({"shows": "time", "limits": [0, 1], "log": "y"}, "limits: got 0 for a log"),
        ({"vary": {"a": [0, 1]}, "log": "x"}, "the line: got 0 for a log"),
        (
            {"shows": "time", "log": "xy",
             "points": [{"x": [0], "y": [1], "label": "it", "origin": "exact"}]},
            "points 'it', x: got 0 for a log",
        ),
        (
            {"shows": "time", "log": "y",
             "points": [{"x": [0], "y": [-1], "label": "it", "origin": "exact"}]},
            "points 'it', y: got -1 for a log",
        ),
    ],
)  # fmt: skip
def test_impossible_figures(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        mine(panel(**wrong))


def test_one_error_lists_all_mistakes_of_figures() -> None:
    with pytest.raises(ModelError) as refused:
        mine(panel(limits=[1, 0]), panel(shows="time", since=5, limits=[2, 1]))
    paths = [line.split(":")[0] for line in str(refused.value).splitlines()]
    assert paths == ["figure.0", "figure.0", "figure.1", "figure.1"]


def test_words_may_be_varied_with_positions() -> None:
    """A line without seeds has those of the panel."""
    words = Panel(**panel(vary={"a": ["one", "two"]}, at=[1, 2], seeds=[3], line=[{"seeds": []}]))
    assert words.lines()[0].at == (1, 2) and words.lines()[0].seeds == (3,)


@pytest.mark.slow
def test_each_run_is_simulated_once_and_stored(tmp_path: Path) -> None:
    model, first, again = mine(*FOUR), Here(), Here()
    figure = simulate(model, folder=tmp_path, workers=first)
    assert first.n_runs == 3 * 2  # three speeds, two seeds: panels share their runs
    (line,) = figure[0][1]
    assert list(line.at) == [1.0, 2.0, 4.0]
    assert [runs[0].mean() for runs in line.series] == pytest.approx([1.0, 2.0, 4.0])
    assert [len(values) for values in figure[1][1][0].series[0]] == [4, 4]
    assert len(figure[2][1][0].series[0][0]) == 5
    # a figure that is drawn again simulates nothing, or only a run that is damaged
    simulate(model, folder=tmp_path, workers=again)
    assert again.n_runs == 0
    damaged = sorted(tmp_path.glob("*.values"))[0]
    damaged.write_text("[0.1, ")
    same = simulate(model, folder=tmp_path, workers=again)
    assert again.n_runs == 1
    for (_, lines), (_, others) in zip(figure, same, strict=True):
        for a, b in zip(lines, others, strict=True):
            np.testing.assert_array_equal(a.series, b.series)
    # a changed model has other runs, a changed text has not
    simulate(model.set({"rules.cohesion": {"weight": 0.1}}), folder=tmp_path, workers=again)
    assert again.n_runs == 1 + first.n_runs
    simulate(model.model_copy(update={"about": "new"}), folder=tmp_path, workers=again)
    assert again.n_runs == 1 + first.n_runs


def test_the_quick_version_is_a_part_of_the_figure(tmp_path: Path) -> None:
    brief = Here()
    figure = simulate(mine(*FOUR), "quick", folder=tmp_path, workers=brief)
    assert brief.n_runs == 2
    assert list(figure[0][1][0].at) == [1.0, 4.0]


def test_the_full_version_has_the_lines_of_the_full_tier(tmp_path: Path) -> None:
    lines = [{"label": "small"}, {"label": "large", "tier": "full"}]
    model = mine(panel(vary=SPEEDS, line=lines))
    assert len(simulate(model, folder=tmp_path, workers=Here())[0][1]) == 1
    assert len(simulate(model, "full", folder=tmp_path, workers=Here())[0][1]) == 2


@pytest.mark.slow
def test_a_profile_is_the_mean_of_a_curve(tmp_path: Path) -> None:
    """Four boids with one velocity stay in one of 32 bins, at every moment and for every seed."""
    start = {
        "kind": "given",
        "positions": [[2, y] for y in (1, 3, 5, 7)],
        "velocities": [[1, 0]] * 4,
    }
    model = mine(
        panel(shows="profile", measure="density_profile", seeds=[1, 2], every=2),
        panel(shows="profile", measure="density_profile", set={"flocks.boids.count": 0}),
    ).set({"space.boundary": "periodic"})
    rows = model.model_copy(update={"figure": model.figure[:1]}).set({"flocks.boids.start": start})
    ((profile, (line,)),) = simulate(rows, folder=tmp_path, workers=Here())
    assert [len(values) for values in line.series[0]] == [32, 32]
    for values in line.series[0]:
        assert sorted(values) == [0.0] * 31 + [32.0]
    assert count_missing_points(profile, [line]) == 0
    figure = simulate(model, folder=tmp_path, workers=Here())
    assert count_missing_points(figure[1][0], figure[1][1]) == 1  # an empty flock has no profile
    save_model_figure(figure, tmp_path / "it.png")


def test_only_profiles_show_curves() -> None:
    for wrong, message in (
        (panel(shows="profile", measure="speed"), "speed is none of the measures that a profile"),
        (panel(shows="time", measure="density_profile"), "density_profile is a curve"),
    ):
        with pytest.raises(ModelError, match=message):
            simulate(mine(wrong))


@pytest.mark.slow
def test_a_figure_as_wide_as_a_column_in_dark_colours(tmp_path: Path) -> None:
    figure = simulate(mine(FOUR[0]), folder=tmp_path, workers=Here())
    path = save_model_figure(
        figure, tmp_path / "it.svg", title="mine", size="single-column", style="dark"
    )
    assert 'width="243.7' in path.read_text()  # points: 86 mm
    with Image.open(
        save_model_figure(figure, tmp_path / "it.png", size="single-column")
    ) as picture:
        assert picture.info["dpi"] == pytest.approx((600, 600), rel=1e-3)


@pytest.mark.parametrize(
    "name",
    ["mine.png", *(pytest.param(f"mine.{k}", marks=pytest.mark.slow) for k in ("svg", "pdf"))],
)
def test_a_figure_is_drawn_twice_with_equal_bytes(tmp_path: Path, name: str) -> None:
    panels = FOUR if name == "mine.svg" else FOUR[:1]
    figure = simulate(mine(*panels), folder=tmp_path, workers=Here())
    path = save_model_figure(figure, tmp_path / name, title="mine")
    assert path.stat().st_size > 10_000
    first = path.read_bytes()
    assert save_model_figure(figure, path, title="mine", force=True).read_bytes() == first


def test_unknown_settings_and_measures(tmp_path: Path) -> None:
    for wrong in ({"measure": "polarisation"}, {"set": {"rules.none.weight": 1}}):
        with pytest.raises(ModelError, match=r"polarization|rules\.none"):
            simulate(mine(panel(shows="time") | wrong), folder=tmp_path, workers=Here())


def test_mistakes_name_their_table_before_the_first_run(tmp_path: Path) -> None:
    lines = [{}, {"measure": "state", "set": {"rules.wnd.weight": 1}}]
    vary = {"flocks.boids.count": [-1, 2]}
    model = mine(
        panel(vary=vary, flock="none", set={"rules.gone.weight": 1}, line=lines),
        panel(shows="time", flock="none"),
        panel(shows="time", measure=""),
    )
    workers = Here()
    with pytest.raises(ModelError) as refused:
        simulate(model, "quick", folder=tmp_path, workers=workers)
    assert workers.n_runs == 0
    mistakes = str(refused.value).splitlines()
    starts = (
        "figure.0.set: rules.gone.weight: no rule",
        "figure.0.vary: flocks.boids.count: ",
        "figure.0.line.1.measure: state is a word",
        "figure.0.line.1.set: rules.wnd.weight: no rule",
        "figure.1.flock: no flock named 'none'",
        "figure.2.measure: no measure named ''",
    )
    assert all(any(line.startswith(start) for line in mistakes) for start in starts), mistakes
    assert len(mistakes) == len(set(mistakes)) == 6


@pytest.mark.slow
def test_points_without_a_value_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One boid has no nearest neighbour."""
    alone = {"measure": "nearest_neighbour_distance", "set": {"flocks.boids.count": 1}}
    panels = [
        panel(measure="nearest_neighbour_distance", vary={"flocks.boids.count": [1, 2, 3]}),
        panel(shows="time", **alone),
        panel(shows="distribution", **alone),
        panel(shows="time"),
    ]
    figure = simulate(mine(*panels), folder=tmp_path, workers=Here())
    assert [count_missing_points(*entry) for entry in figure] == [1, 5, 5, 0]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(mm.to_toml(mine(*panels)))
    monkeypatch.setattr(figure_runs, "simulate_figure", lambda *_, **__: figure)
    assert main(["verify", "mine.toml", "--plot"]) == 0
    ran = capsys.readouterr()
    assert ran.out == "mine.png\n"
    notes = ran.err.splitlines()
    assert len(notes) == 3 and all("murmurate: note: mine.png: It: " in line for line in notes)
    assert "1 point has no value" in notes[0] and "5 points have no value" in notes[1]


def test_ctrl_c_reports_that_runs_are_stored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any, progress: Any, **__: Any) -> Any:
        progress(2, 9)
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(figure_runs, "simulate_figure", interrupted)
    (tmp_path / "mine.toml").write_text(mm.to_toml(mine(*FOUR)))
    assert main(["verify", "mine.toml", "--plot"]) == 130
    (line,) = capsys.readouterr().err.splitlines()
    assert "stopped" in line and "2 of 9 runs are done" in line and "are stored" in line


def test_wrong_commands_end_before_the_first_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.png").write_text("mine")
    plain = mm.to_toml(mm.Model(**MODEL))
    (tmp_path / "plain.toml").write_text(plain)
    for words, message in (
        (["couzin-2002", "--plot", "it.jpg"], ".png"),
        (["couzin-2002", "--plot", "there.png"], "--force"),
        (["couzin-2002", "--plot", "no/it.png"], "folder no"),
        (["couzin-2002", "vicsek-1995", "--plot", "it.png"], "one file for 2 models"),
        (["plain.toml", "--plot"], "nothing to draw"),
        (["couzin-2002", "--force"], "--plot"),
    ):
        assert main(["verify", *words]) == 2
        assert message in capsys.readouterr().err
    assert (tmp_path / "there.png").read_text() == "mine"


@pytest.mark.parametrize("name", DRAWN)
def test_settings_of_the_zoos_figures_exist(name: str) -> None:
    """Every setting changes the model, and every point has a label and a position."""
    model = mm.load(name)
    for entry in model.figure:
        assert entry.title and entry.x and entry.y
        for line in entry.lines():
            rows = zip(*line.vary.values(), strict=True) if line.vary else [()]
            for row in list(rows):
                model.set({**line.set, **dict(zip(line.vary, row, strict=True))})
        for points in entry.points:
            assert points.label or points.origin != "exact"
            assert all(map(math.isfinite, (*points.x, *points.y)))
