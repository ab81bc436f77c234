"""A recording in the live view: it is played, gone through, and cannot be changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest_live import Visitor, small

import murmurate as mm
from flight_loop import go_round, step_of, unhurried
from murmurate.live_view import Session
from murmurate.live_view.flights import Flights
from murmurate.runs.playback import Playback
from processes import until

Show = Callable[..., Visitor]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("recorded") / "a.zarr"
    mm.run(small(), 120, 4, 1, to=path, threads=1)
    return path


@pytest.fixture
def show(recorded: Path) -> Iterator[Show]:
    begun: list[Session] = []

    def begin(**options: Any) -> Visitor:
        session = Session(Playback(mm.open(recorded)), **options).start()
        begun.append(session)
        return Visitor(session)

    yield begin
    for session in begun:
        session.close()


def test_it_shows_the_recorded_frames(show: Show, recorded: Path) -> None:
    page = show(playing=False)
    scene = page.until("scene")
    assert scene["title"] == "A small flock, recorded" and scene["can"]["change"] is False
    assert "a.zarr: steps 0 to 120, seed 1" in scene["about"]
    assert list(scene["schemas"]) == [""] and scene["values"] == {"step": 0}
    assert page.frame().step == 0
    for wanted in (4, 8):  # a step of a recording is a frame
        page.done("step")
        assert page.frame(lambda f, wanted=wanted: f.step >= wanted).step == wanted
    frame, rec = page.client.session.frame, mm.open(recorded)
    np.testing.assert_array_equal(frame["boids"].positions, rec[2]["boids"].positions)


def test_it_plays_to_its_end_and_again(show: Show) -> None:
    page = show()
    page.done("rate", steps_per_second=600)
    page.until("values", lambda m: m["values"] == {"step": 120})
    page.until("status", lambda m: not m["playing"] and m["step"] == 120)
    page.done("rate", steps_per_second=40)
    page.done("play")
    assert page.frame(lambda f: f.step < 60).step < 60
    page.done("pause")
    page.done("restart")
    assert page.frame(lambda f: f.step == 0).step == 0


def test_nobody_looks_and_it_waits(show: Show, recorded: Path) -> None:
    with Session(Playback(mm.open(recorded))) as session:
        until(lambda: session.flight.ready)
        unhurried(session.flight)
        go_round(session.flight)
        assert step_of(session.flight) == session.frame.step == 0
        Visitor(session).frame(lambda f: f.step > 0)


def test_any_step_can_be_gone_to(show: Show, recorded: Path) -> None:
    page = show(playing=False)
    rec = mm.open(recorded)
    for step in (80, 33, 120, 500, 2):
        page.heard.clear()
        page.done("set", values={"step": step})
        there = min(step, 120)
        assert page.frame(lambda f, there=there: f.step == there).step == there
        steps = list(range(0, there + 1, 4))  # what was recorded up to there
        points = page.until(
            "measures", lambda m, s=steps: [point["step"] for point in m["points"]] == s
        )["points"]
        assert points[-1]["flocks"]["boids"]["polarization"] == pytest.approx(
            rec.column("polarization")[there // 4, 0]
        )
    frame = page.client.session.frame
    assert frame.step == 2  # between two recorded frames
    flown = mm.Simulation(small(), 1, threads=1).step(2).frame["boids"].positions
    assert np.abs(frame["boids"].positions - flown).max() < 0.2


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("set", {"values": {"rules.cohesion.weight": 0.5}}),
        ("set", {"off": []}),
        ("set", {"values": {"step": "x"}}),
        ("switch", {"rule": "cohesion", "on": False}),
        ("open", {"model": "ucl"}),
        ("restart", {"seed": 7}),
        ("move", {"flock": "boids", "boid": 1, "position": [1.0, 1.0]}),
        ("shoo", {"position": [1.0, 1.0], "radius": 3.0}),
        ("shoo", {"position": [1.0, 1.0], "radius": 3.0, "call": True}),
        ("draw", {"shape": {"kind": "goal", "place": [1.0, 1.0]}}),
        ("place", {"position": [1.0, 1.0]}),
        ("edit", {"values": {"obstacles.stone": None}}),
    ],
)
def test_nothing_in_it_can_be_changed(show: Show, kind: str, more: dict[str, Any]) -> None:
    page = show(playing=False)
    before = page.client.session.frame["boids"].positions.copy()
    reply = page.ask(kind, **more)
    assert not reply["ok"]
    assert "flown already" in reply["error"] or "must be a number" in reply["error"]
    np.testing.assert_array_equal(page.client.session.frame["boids"].positions, before)


def test_what_can_be_asked_of_it(show: Show, recorded: Path) -> None:
    page = show(playing=False)
    assert page.ask("toml")["toml"] == mm.open(recorded).header["model"]
    page.done("choose", flock="boids", boid=3)
    boid = page.until("boid")
    assert {item["rule"] for item in boid["steering"]} == {"cohesion", "alignment"}
    page.done("set", values={"step": 100})
    for what, more in (("film", {"steps": 50, "size": [64, 64]}), ("page", {"frames": 50})):
        page.done(what, **more)
        made = page.until("made", lambda m: m["state"] != "working")
        assert made["state"] == "done", made
    page.done("set", values={"step": 120})
    assert "ends here: go back first" in page.ask("film", steps=10)["error"]


def test_a_recording_has_nothing_to_compare_it_with(show: Show) -> None:
    flights = Flights(show().client.session)
    with pytest.raises(mm.ModelError, match=r"a comparison: a\.zarr"):
        flights.enter("beside")
