"""A recording serves wherever a model does: its pictures are those of the flight itself."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import murmurate as mm
from murmurate.errors import EndOfRecordingError
from murmurate.frame import FlockFrame, Frame
from murmurate.record.interpolation import interpolate
from murmurate.runs import record_run
from murmurate.runs.playback import Playback
from structures import STRUCTURES

SMALL = {"shard_bytes": 20_000, "chunk_frames": 4}


def model_of(name: str = "torus", count: int = 12, **view: Any) -> mm.Model:
    settings = {"steps": 6, "size": [96, 64], **view}
    return STRUCTURES[name][0](count=count).set({f"view.{k}": v for k, v in settings.items()})


def record(path: Path, model: mm.Model, steps: int = 12, every: int = 1) -> mm.Recording:
    return record_run.record(mm.Simulation(model, 3, threads=1), path, steps, every, **SMALL)


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.fsync", lambda handle: None)


# --- pictures


@pytest.mark.parametrize("name", ["torus", pytest.param("two-flocks", marks=pytest.mark.slow)])
def test_its_film_is_that_of_the_model(name: str, tmp_path: Path) -> None:
    """Picture for picture; by the recording and by its path."""
    model = model_of(name, trails=2)
    rec = record(tmp_path / "a.zarr", model)
    (tmp_path / "one").mkdir()
    mm.film(model, tmp_path / "one" / "%d.png", view=mm.View(steps=6), seed=3)
    for number, drawn in enumerate((rec, tmp_path / "a.zarr", str(tmp_path / "a.zarr"))):
        report = mm.film(drawn, tmp_path / f"{number}" / "%d.png", view=mm.View(steps=6))
        assert report.frames == 6
        for k in range(1, 7):
            still = np.asarray(Image.open(tmp_path / "one" / f"{k}.png"))
            other = np.asarray(Image.open(tmp_path / f"{number}" / f"{k}.png"))
            assert np.array_equal(still, other)


def test_all_of_it_is_filmed_unless_said_otherwise(tmp_path: Path) -> None:
    rec = record(tmp_path / "a.zarr", model_of(every=2), steps=12, every=4)
    seen: list[int] = []
    report = mm.film(rec, tmp_path / "a.gif", progress=lambda done, _: seen.append(done))
    assert report.frames == 6 and seen == [1, 2, 3, 4, 5, 6]
    assert mm.film(rec, tmp_path / "b.gif", view=mm.View(every=1)).frames == 12
    with pytest.raises(mm.ModelError, match=r"view\.steps: got 20; expected at most the 12 steps"):
        mm.film(rec, tmp_path / "c.gif", view=mm.View(steps=20))
    with pytest.raises(
        mm.ModelError,
        match=r"seed, dtype, threads: got them for .*a.zarr; expected them for a model only",
    ):
        mm.film(rec, tmp_path / "c.gif", seed=1)
    assert not (tmp_path / "c.gif").exists()


def test_a_still_is_of_the_nearest_frame(tmp_path: Path) -> None:
    model = model_of()
    rec = record(tmp_path / "a.zarr", model, every=4)
    pictures = [
        np.asarray(Image.open(mm.still(drawn, tmp_path / f"{k}.png", at=at, **options)))
        for k, (drawn, at, options) in enumerate(
            [(model, 8, {"seed": 3}), (rec, 8, {}), (rec, 9, {}), (rec, 11, {})]
        )
    ]
    assert np.array_equal(pictures[0], pictures[1]) and np.array_equal(pictures[1], pictures[2])
    assert not np.array_equal(pictures[1], pictures[3])
    with pytest.raises(mm.ModelError, match=r"step 13: .*a.zarr has steps 0 to 12"):
        mm.still(rec, tmp_path / "e.png", at=13)


def flight_in(page: Any) -> str:
    result = re.search(r'id="murmurate-flight">([^<]*)<', page.html)
    assert result
    return result[1]


def test_its_page_is_that_of_the_model(tmp_path: Path) -> None:
    model = model_of()
    rec = record(tmp_path / "a.zarr", model)
    page = mm.replay_page(rec)
    assert page.frames == 12
    assert flight_in(page) == flight_in(mm.replay_page(model, steps=12, seed=3))
    assert mm.replay_page(tmp_path / "a.zarr", steps=5).frames == 5


def test_a_page_has_the_recorded_frames_at_the_films_pace(tmp_path: Path) -> None:
    rec = record(tmp_path / "a.zarr", model_of(every=2, frames_per_second=24.0), 24, every=6)
    for options, frames, seconds in (({}, 4, 1 / 8), ({"view": mm.View(every=3)}, 8, 1 / 24)):
        page = mm.replay_page(rec, **options)
        assert page.frames == frames
        every = re.search(r'"every_seconds":([0-9.]+)', page.html)
        assert every and float(every[1]) == pytest.approx(seconds)


def test_a_notebook_shows_it(tmp_path: Path) -> None:
    drawn = record(tmp_path / "a.zarr", model_of())._repr_html_()
    assert drawn is not None and drawn.startswith("<iframe")
    assert "&quot;frames&quot;:13," in drawn
    assert mm.open(tmp_path / "a.zarr")._repr_html_() == drawn


def test_rules_that_are_not_known_here_are_not_needed(tmp_path: Path) -> None:
    rec = record(tmp_path / "a.zarr", model_of())
    rec.header["model"] = rec.header["model"].replace("[rules.cohesion]", "[rules.swirl]")
    with pytest.raises(mm.ModelError):
        _ = rec.model
    playback = Playback(rec)
    assert not playback.model.rules and playback.model.view.size == (96, 64)
    assert mm.still(rec, tmp_path / "a.png").is_file()


def test_what_cannot_be_read_leaves_the_film_up_to_there(tmp_path: Path) -> None:
    rec = record(tmp_path / "a.zarr", model_of(), steps=30)
    shard = sorted((rec.path / "position" / "c").rglob("0"), key=str)[-1]
    data = bytearray(shard.read_bytes())
    data[len(data) // 3] ^= 1
    shard.write_bytes(data)
    with pytest.raises(mm.DamagedRecordingError, match="a checksum is wrong"):
        mm.film(mm.open(rec.path), tmp_path / "a.gif")
    with Image.open(tmp_path / "a.gif") as film:
        assert 1 <= film.n_frames < 30


# --- going through it


def test_playback_is_a_simulation_that_ends(tmp_path: Path) -> None:
    rec = record(tmp_path / "a.zarr", model_of(), every=4)
    play = Playback(rec)
    assert (play.first, play.last, play.frame.step, play.seed) == (0, 12, 0, 3)
    assert play.step(8).frame.step == 8 and play.time == rec[2].time
    assert np.array_equal(play.frame["boids"].positions, rec[2]["boids"].positions)
    twin = play.copy()
    assert play.step(99).frame.step == 12 and twin.frame.step == 8
    with pytest.raises(EndOfRecordingError, match="ends with step 12"):
        play.step()
    with pytest.raises(mm.ModelError, match="step 13"):
        play.seek(13)
    assert [play.nearest(step) for step in (0, 1, 3, 5, 7)] == [0, 0, 4, 4, 8]
    with pytest.raises(mm.ModelError, match=r"rules\.cohesion\.weight: .* murmurate resume"):
        play.set({"rules.cohesion.weight": 0.0})


def test_between_frames_it_is_near_to_the_simulation(tmp_path: Path) -> None:
    """Nearer than straight lines by far; and across the edges of the torus."""
    model = model_of("torus", 60)
    recording = record(tmp_path / "a.zarr", model, steps=40)
    play = Playback(record(tmp_path / "b.zarr", model, steps=40, every=5))
    side = np.array(model.space.size)
    curve, straight = [], []
    for step in range(41):
        simulated = recording[step]["boids"].positions.astype(float)
        drawn = play.seek(step).frame["boids"]
        assert play.frame.time == recording[step].time
        away = drawn.positions - simulated
        curve.append(np.abs(away - side * np.round(away / side)).max())
        if step % 5 == 0:
            assert curve[-1] == 0
            continue
        first = step // 5 * 5
        begin, end = (recording[k]["boids"].positions.astype(float) for k in (first, first + 5))
        way = end - begin
        line = begin + (way - side * np.round(way / side)) * (step - first) / 5
        away = line - simulated
        straight.append(np.abs(away - side * np.round(away / side)).max())
        lower = np.array(model.space.lower)
        assert (drawn.positions >= lower - 1e-5).all()
        assert (drawn.positions <= lower + side + 1e-5).all()
    assert np.mean(curve) < 0.3 * np.mean(straight)


# --- between two frames, by hand


def frame_at(step: int, positions: Any, speeds: Any, space: mm.Space, timers: Any = None) -> Frame:
    positions, speeds = np.array(positions, float), np.array(speeds, float)
    timers = np.zeros(len(positions), np.int64) if timers is None else np.array(timers)
    flock = FlockFrame("boids", np.arange(len(positions)), positions, speeds, timers, space)
    return Frame(step, 0.5 * step, space, {"boids": flock})


def middle(a: Frame, b: Frame, step: int) -> FlockFrame:
    result = interpolate(a, b, step, 0.5 * step, {})
    assert (result.step, result.time) == (step, 0.5 * step)
    return result["boids"]


TORUS = mm.Space(size=(10, 10), boundary="periodic")


def test_a_straight_flight_goes_across_the_edge() -> None:
    a = frame_at(0, [[9.0, 5.0]], [[1.0, 0.0]], TORUS)
    b = frame_at(4, [[1.0, 5.0]], [[1.0, 0.0]], TORUS)
    assert middle(a, b, 1).positions == pytest.approx(np.array([[9.5, 5.0]]))
    assert middle(a, b, 3).positions == pytest.approx(np.array([[0.5, 5.0]]))


def test_a_fast_boid_may_cross_most_of_the_torus() -> None:
    """Its velocity tells that it went eight to the right, not two to the left."""
    a = frame_at(0, [[1.0, 5.0]], [[4.0, 0.0]], TORUS)
    b = frame_at(4, [[9.0, 5.0]], [[4.0, 0.0]], TORUS)
    assert middle(a, b, 2).positions == pytest.approx(np.array([[5.0, 5.0]]))


def test_a_turn_is_round_and_keeps_its_speed() -> None:
    space = mm.Space(size=(10, 10), boundary="open")
    angle = np.pi / 3  # of a circle of radius 2 about the middle of (5, 5), at speed 1
    a = frame_at(0, [[7.0, 5.0]], [[0.0, 1.0]], space)
    end = 5 + 2 * np.array([np.cos(angle), np.sin(angle)])
    span = 2 * angle
    b = Frame(4, span, space, {"boids": frame_at(4, [end], [[-np.sin(angle), np.cos(angle)]],
                                                 space)["boids"]})  # fmt: skip
    result = interpolate(a, b, 2, span / 2, {})["boids"]
    want = 5 + 2 * np.array([np.cos(angle / 2), np.sin(angle / 2)])
    assert result.positions == pytest.approx(want[None], abs=0.01)
    assert np.linalg.norm(result.velocities) == pytest.approx(1.0)
    assert result.velocities == pytest.approx(
        np.array([[-np.sin(angle / 2), np.cos(angle / 2)]]), abs=1e-9
    )


def test_walls_stay_closed_and_jitter_is_not_drawn_out() -> None:
    room = mm.Space(size=(10, 10), boundary="reflecting")
    a = frame_at(0, [[9.9, 5.0], [5.0, 5.0]], [[3.0, 0.0], [50.0, 0.0]], room)
    b = frame_at(4, [[9.9, 5.4], [5.1, 5.0]], [[-3.0, 0.0], [-50.0, 0.0]], room)
    for step in (1, 2, 3):
        result = middle(a, b, step)
        assert (result.positions <= 10.0).all()
        assert abs(result.positions[1, 0] - 5.05) < 0.2


def test_turning_right_round_and_resting() -> None:
    a = frame_at(0, [[5.0, 5.0], [1.0, 1.0]], [[1.0, 0.0], [0.0, 0.0]], TORUS)
    b = frame_at(4, [[5.0, 5.0], [1.0, 1.0]], [[-1.0, 0.0], [0.0, 0.0]], TORUS)
    for step, sign in ((1, 1.0), (3, -1.0)):
        result = middle(a, b, step)
        assert result.velocities == pytest.approx(np.array([[sign, 0.0], [0.0, 0.0]]))
        assert np.isfinite(result.positions).all()


def test_perched_boids_count_down() -> None:
    a = frame_at(0, [[5.0, 0.0]], [[0.0, 0.0]], TORUS, [6])
    b = frame_at(8, [[5.0, 1.0]], [[0.0, 1.0]], TORUS, [0])
    assert [int(middle(a, b, step).perch_timers[0]) for step in (2, 5, 7)] == [4, 1, 0]
