"""Messages and files for the pages of a session: frames, charts, schemas, films, pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from conftest_live import LocalPage, small

import murmurate as mm
from murmurate.engines.options import RunOptions
from murmurate.live_view import Session
from processes import until
from runner_loop import current_step, run_loop, set_unlimited_rate

OpenPage = Callable[..., LocalPage]


def test_neighbours_are_counted_on_request(open_page: OpenPage) -> None:
    page = open_page(playing=False)
    assert not page.frame().flags
    page.do("extra", neighbours=True)
    page.do("step")
    page.frame(lambda f: f.flags and f.step == 1)
    positions = page.client.session.frame["boids"].positions.astype(float)
    offsets = positions[:, None] - positions[None]
    offsets -= 20 * np.round(offsets / 20)
    expected = (np.linalg.norm(offsets, axis=2) <= 3.0).sum(axis=1) - 1
    page.frame(lambda f: f.flags and (f.neighbours == expected).all())
    assert not LocalPage(page.client.session).frame().flags  # which has not requested them


def test_the_toml_is_the_running_model(open_page: OpenPage) -> None:
    page = open_page(playing=False)
    page.do("set", values={"rules.cohesion.weight": 0.25, "rules.cohesion.radius": "inf"})
    model = mm.parse(page.do("toml")["toml"])
    assert model == small(**{"rules.cohesion.weight": 0.25, "rules.cohesion.radius": float("inf")})


def test_pages_share_one_flock(open_page: OpenPage) -> None:
    first = open_page()
    first.wait_until_running()
    second = LocalPage(first.client.session)
    assert second.wait_for("scene")["scene"] == first.frame().scene
    assert first.wait_for("status", lambda m: m["clients"] == 2)
    second.do("pause")
    first.wait_for("status", lambda m: not m["playing"])
    second.client.leave()
    first.wait_for("status", lambda m: m["clients"] == 1)


def test_it_runs_while_a_page_is_open(open_page: OpenPage) -> None:
    page = open_page()
    session = page.client.session
    page.wait_until_running()
    page.client.leave()
    set_unlimited_rate(session.runner)
    step = current_step(session.runner)
    run_loop(session.runner)
    assert current_step(session.runner) == step
    LocalPage(session).frame(lambda f: f.step > step)


def test_it_waits_at_step_0_for_the_first_page() -> None:
    with Session(small(), RunOptions(seed=1, threads=1)) as session:
        until(lambda: session.runner.ready)
        set_unlimited_rate(session.runner)
        run_loop(session.runner)
        assert current_step(session.runner) == 0
        LocalPage(session).wait_until_running()


def test_a_later_page_receives_the_charts(open_page: OpenPage) -> None:
    page = open_page()
    page.wait_for("measures", lambda m: len(m["points"]) and m["points"][0]["step"] > 5)
    points = LocalPage(page.client.session).wait_for("measures")["points"]
    assert len(points) > 1
    figures = points[-1]["flocks"]["boids"]
    assert set(figures) == {"speed", "polarization", "milling", "nearest_neighbour_distance"}


def test_charts_begin_with_the_first_step() -> None:
    session = Session(small(**{"flocks.boids.count": 6}), RunOptions("reference", seed=1))

    def run_and_measure() -> list[int]:
        for _ in range(2):
            session.feed.publish(session.runner.simulation.step(5).frame)
            session.observer.measure()
        return [point["step"] for point in session.observer.history()["points"]]

    assert run_and_measure() == [0, 10]
    session.restart(2)
    assert run_and_measure() == [0, 10]


def test_a_page_without_credit_gets_two_frames(open_page: OpenPage) -> None:
    page = open_page()
    page.wait_until_running()
    slow = LocalPage(page.client.session)
    slow.credit = False
    for _ in range(10):
        slow.receive()
    assert len(slow.frames) == 2
    slow.send("credit", frames=1)
    newest = page.frame().step
    slow.frame(lambda f: f.step >= newest)
    assert slow.client.queued < 50


def test_the_scene_has_schemas_formulas_and_values(open_page: OpenPage) -> None:
    scene = open_page(playing=False).wait_for("scene")
    assert set(scene["schemas"]) == {
        "", "flocks.boids", "flocks.boids.motion", "rules.cohesion", "rules.alignment",
    }  # fmt: skip
    assert scene["schemas"]["rules.cohesion"]["properties"]["radius"]["unit"] == "length"
    assert scene["formulas"]["rules.cohesion"] == "{weight} * (mean of x_j - x_i)"
    assert scene["values"]["rules.cohesion.weight"] == 0.01
    assert scene["values"]["flocks.boids.motion.turn_rate"] == "inf"
    assert scene["defaults"] == scene["values"]
    assert scene["can"]["functions"]
    assert "return 1.0, other.dx, other.dy, other.dz" in scene["functions"]["rules.cohesion"]


@pytest.mark.slow  # a kernel for each text
def test_a_page_edits_a_rule(open_page: OpenPage) -> None:
    page = open_page(engine="cpu")
    page.wait_until_running()
    path = "rules.cohesion.functions"
    text = page.wait_for("scene")["functions"]["rules.cohesion"]
    for wrong, reason in [("other.dx", "other.far"), ("return 1.0,", "return open(1),")]:
        reply = page.request("set", values={path: text.replace(wrong, reason)})
        assert not reply["ok"] and ("far" in reply["error"] or "open" in reply["error"])
    edited = text.replace("other.dx, other.dy", "2 * other.dx, 2 * other.dy")
    page.do("set", values={path: edited})
    session = page.client.session
    page.wait_for(
        "status",
        lambda m: (
            m["busy"] == "" and session.controller.running.rules["cohesion"].functions == edited
        ),
    )
    assert page.request("toml")["toml"].count("2 * other.dx") == 1


def test_a_film_has_a_private_address(open_page: OpenPage) -> None:
    page = open_page()
    page.wait_until_running()
    reply = page.do("film", steps=4, size=[64, 64])
    message = page.wait_for("made", lambda m: m["state"] != "working")
    assert message["state"] == "done", message
    assert message["job"] == reply["job"]
    _, _, key, name = message["url"].split("/")
    path = page.client.session.jobs.find(key, name)
    assert path is not None and path.read_bytes()[4:8] == b"ftyp"
    page.client.session.close()
    assert not path.exists() and not path.parent.parent.exists()


def test_a_page_is_in_the_private_folder_whatever_its_name(
    open_page: OpenPage, tmp_path: Path
) -> None:
    """Also for a model that was never checked."""
    page = open_page(small().model_copy(update={"name": str(tmp_path / "x")}))
    page.wait_until_running()
    page.do("page", frames=2)
    first = page.wait_for("made", lambda m: m["state"] != "working")
    page.do("page", frames=2)
    message = page.wait_for("made", lambda m: m["state"] != "working" and m["job"] != first["job"])
    assert message["state"] == "done", message
    _, _, key, _ = message["url"].split("/")
    assert page.client.session.jobs.find(key, message["name"]).parent.name == key
    assert not any(tmp_path.iterdir())
