"""A recording in the live view: it plays, any step can be shown, and nothing can be changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest_live import LocalPage, small

import murmurate as mm
from murmurate.live_view import Session
from murmurate.live_view.comparison_sessions import ComparisonSessions
from murmurate.runs.playback import Playback
from processes import until
from runner_loop import current_step, run_loop, set_unlimited_rate

Show = Callable[..., LocalPage]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("recorded") / "a.zarr"
    mm.run(small(), 120, every=4, seed=1, output=path, options=mm.RunOptions(threads=1))
    return path


@pytest.fixture
def show(recorded: Path) -> Iterator[Show]:
    """Start a session of the recording, with one page."""
    sessions: list[Session] = []

    def show(**options: Any) -> LocalPage:
        session = Session(Playback(mm.open(recorded)), **options).start()
        sessions.append(session)
        return LocalPage(session)

    yield show
    for session in sessions:
        session.close()


def test_it_shows_the_recorded_frames(show: Show, recorded: Path) -> None:
    page = show(playing=False)
    scene = page.wait_for("scene")
    assert scene["title"] == "A small flock, recorded" and scene["can"]["change"] is False
    assert "a.zarr: steps 0 to 120, seed 1" in scene["about"]
    assert list(scene["schemas"]) == [""] and scene["values"] == {"step": 0}
    assert page.frame().step == 0
    for step in (4, 8):  # a step of a recording is a frame
        page.do("step")
        assert page.frame(lambda f, step=step: f.step >= step).step == step
    frame, rec = page.client.session.frame, mm.open(recorded)
    np.testing.assert_array_equal(frame["boids"].positions, rec[2]["boids"].positions)


def test_it_plays_to_its_end_and_restarts(show: Show) -> None:
    page = show()
    page.do("rate", steps_per_second=600)
    page.wait_for("values", lambda m: m["values"] == {"step": 120})
    page.wait_for("status", lambda m: not m["playing"] and m["step"] == 120)
    page.do("rate", steps_per_second=40)
    page.do("play")
    assert page.frame(lambda f: f.step < 60).step < 60
    page.do("pause")
    page.do("restart")
    assert page.frame(lambda f: f.step == 0).step == 0


def test_it_rests_without_a_page(show: Show, recorded: Path) -> None:
    with Session(Playback(mm.open(recorded))) as session:
        until(lambda: session.runner.ready)
        set_unlimited_rate(session.runner)
        run_loop(session.runner)
        assert current_step(session.runner) == session.frame.step == 0
        LocalPage(session).frame(lambda f: f.step > 0)


def test_any_step_can_be_shown(show: Show, recorded: Path) -> None:
    page = show(playing=False)
    rec = mm.open(recorded)
    for step in (80, 33, 120, 500, 2):
        page.received.clear()
        page.do("set", values={"step": step})
        last = min(step, 120)
        assert page.frame(lambda f, last=last: f.step == last).step == last
        steps = list(range(0, last + 1, 4))
        points = page.wait_for(
            "measures", lambda m, s=steps: [point["step"] for point in m["points"]] == s
        )["points"]
        assert points[-1]["flocks"]["boids"]["polarization"] == pytest.approx(
            rec.column("polarization")[last // 4, 0]
        )
    frame = page.client.session.frame
    assert frame.step == 2  # between two recorded frames
    simulated = mm.Simulation(small(), 1, threads=1).step(2).frame["boids"].positions
    assert np.abs(frame["boids"].positions - simulated).max() < 0.2


@pytest.mark.parametrize(
    ("kind", "fields"),
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
def test_nothing_can_be_changed(show: Show, kind: str, fields: dict[str, Any]) -> None:
    page = show(playing=False)
    before = page.client.session.frame["boids"].positions.copy()
    reply = page.request(kind, **fields)
    assert not reply["ok"]
    assert "is a recording" in reply["error"] or "expected a number" in reply["error"]
    np.testing.assert_array_equal(page.client.session.frame["boids"].positions, before)


def test_available_requests(show: Show, recorded: Path) -> None:
    page = show(playing=False)
    assert page.request("toml")["toml"] == mm.open(recorded).header["model"]
    page.do("choose", flock="boids", boid=3)
    boid = page.wait_for("boid")
    assert {item["rule"] for item in boid["steering"]} == {"cohesion", "alignment"}
    page.do("set", values={"step": 100})
    for kind, fields in (("film", {"steps": 50, "size": [64, 64]}), ("page", {"frames": 50})):
        page.do(kind, **fields)
        message = page.wait_for("made", lambda m: m["state"] != "working")
        assert message["state"] == "done", message
    page.do("set", values={"step": 120})
    assert "ends here: go back first" in page.request("film", steps=10)["error"]


def test_a_recording_has_no_comparisons(show: Show) -> None:
    sessions = ComparisonSessions(show().client.session)
    with pytest.raises(mm.ModelError, match=r"a comparison: a\.zarr"):
        sessions.enter("other")
