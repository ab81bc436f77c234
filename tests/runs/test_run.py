"""mm.film, mm.still: the Python side of the commands."""

from __future__ import annotations

from pathlib import Path

import av
import pytest

import murmurate as mm
from murmurate.errors import OutputError
from murmurate.measures.defaults import default_values
from murmurate.runs.film import frames

MODEL = mm.Model(
    name="twelve",
    space=mm.Space(size=(20, 20), boundary="periodic"),
    flocks={
        "boids": mm.Flock(
            count=12,
            start=mm.InBox(velocity=mm.Directions(speed=0.5)),
            motion=mm.Add(max_speed=0.5),
        )
    },
    rules={"cohesion": mm.Cohesion(radius=3, weight=0.01)},
    view=mm.View(steps=8, every=2, size=(64, 64)),
)


def test_frames_come_every_so_many_steps():
    simulation = mm.Simulation(MODEL)
    assert [frame.step for frame in frames(simulation, 11, 3)] == [3, 6, 9]
    assert simulation.frame.step == 9


def test_film_takes_its_settings_from_the_view(tmp_path: Path):
    report = mm.film(MODEL, tmp_path / "a.mp4")
    assert report.frames == 4 and not report.interrupted
    with av.open(str(tmp_path / "a.mp4")) as film:
        assert film.streams.video[0].width == 64
        assert sum(1 for _ in film.decode(video=0)) == 4


def test_film_takes_its_settings_from_the_call(tmp_path: Path):
    seen: list[tuple[int, int | None]] = []
    report = mm.film(
        MODEL,
        tmp_path / "a.webm",
        view=mm.View(
            steps=3,
            size=(80, 96),
            style="light",
            every=1,
            frames_per_second=10,
            colour_by="speed",
            trails=2,
        ),
        progress=lambda *at: seen.append(at),
    )
    assert seen == [(1, 3), (2, 3), (3, 3)]
    assert report.seconds == pytest.approx(0.3)
    with av.open(str(tmp_path / "a.webm")) as film:
        assert film.streams.video[0].height == 96


def test_without_a_path_it_goes_to_the_current_folder(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert mm.film(MODEL, view=mm.View(steps=2)).path == Path("twelve.mp4")
    assert mm.still(MODEL) == Path("twelve.png")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["twelve.mp4", "twelve.png"]


@pytest.mark.parametrize("steps", [0, -3, 1])
def test_no_picture_is_an_error_before_anything_is_written(tmp_path: Path, steps):
    with pytest.raises(mm.ModelError, match=r"[vV]iew\.steps"):
        mm.film(MODEL, tmp_path / "a.mp4", view=mm.View(steps=steps))
    assert not list(tmp_path.iterdir())


def test_an_existing_output_is_refused_before_the_run(tmp_path: Path):
    (tmp_path / "a.mp4").write_text("precious")
    with pytest.raises(OutputError, match="exists"):
        mm.film(MODEL, tmp_path / "a.mp4", view=mm.View(steps=10**9))
    mm.film(MODEL, tmp_path / "a.mp4", force=True)
    assert (tmp_path / "a.mp4").stat().st_size > 8


def test_a_lost_boid_leaves_the_film_so_far(tmp_path: Path):
    burst = MODEL.set(
        {"space.boundary": "open", "rules.cohesion": {"weight": -1.0, "radius": 1e9}}
    ).set({"flocks.boids.motion": {"kind": "add"}})
    with pytest.raises(mm.RunError) as lost:
        mm.film(
            burst, tmp_path / "a.mp4", view=mm.View(steps=500, every=1),
            options=mm.RunOptions("reference"),
        )  # fmt: skip
    with av.open(str(tmp_path / "a.mp4")) as film:
        assert sum(1 for _ in film.decode(video=0)) == lost.value.step - 1


def test_still_is_the_film_at_that_step(tmp_path: Path):
    mm.still(MODEL, tmp_path / "a.png", at=5, seed=2)
    mm.still(MODEL, tmp_path / "b.png", at=5, seed=3)
    assert (tmp_path / "a.png").read_bytes() != (tmp_path / "b.png").read_bytes()


def test_figures_are_the_measures_of_each_flock():
    frame = mm.Simulation(MODEL).step(3).frame
    assert default_values(frame) == {
        "boids": {
            "speed": mm.measures.speed(frame["boids"]),
            "polarization": mm.polarization(frame["boids"]),
            "milling": mm.milling(frame["boids"]),
            "nearest_neighbour_distance": mm.nearest_neighbour_distance(frame["boids"]),
        }
    }
