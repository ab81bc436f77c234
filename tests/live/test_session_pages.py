"""What the pages of a session are told and given: frames, charts, schemas, films and files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from conftest_live import Visitor, small

import murmurate as mm
from flight_loop import go_round, step_of, unhurried
from murmurate.engines.options import RunOptions
from murmurate.live_view import Session
from processes import until

Fly = Callable[..., Visitor]


def test_neighbours_are_counted_on_request(fly: Fly) -> None:
    page = fly(playing=False)
    assert not page.frame().flags
    page.done("extra", neighbours=True)
    page.done("step")
    page.frame(lambda f: f.flags and f.step == 1)
    positions = page.client.session.frame["boids"].positions.astype(float)
    away = positions[:, None] - positions[None]
    away -= 20 * np.round(away / 20)
    expected = (np.linalg.norm(away, axis=2) <= 3.0).sum(axis=1) - 1
    page.frame(lambda f: f.flags and (f.neighbours == expected).all())


def test_the_toml_is_what_flies(fly: Fly) -> None:
    page = fly(playing=False)
    page.done("set", values={"rules.cohesion.weight": 0.25, "rules.cohesion.radius": "inf"})
    model = mm.parse(page.done("toml")["toml"])
    assert model == small(**{"rules.cohesion.weight": 0.25, "rules.cohesion.radius": float("inf")})


def test_several_pages_see_the_same(fly: Fly) -> None:
    one = fly()
    one.flying()
    two = Visitor(one.client.session)
    assert two.until("scene")["scene"] == one.frame().scene
    assert one.until("status", lambda m: m["clients"] == 2)
    two.done("pause")
    one.until("status", lambda m: not m["playing"])
    two.client.leave()
    one.until("status", lambda m: m["clients"] == 1)


def test_it_begins_when_the_first_page_opens_and_rests_when_none_is_open(fly: Fly) -> None:
    page = fly()
    session = page.client.session
    page.flying()
    page.client.leave()
    unhurried(session.flight)
    rests = step_of(session.flight)
    go_round(session.flight)
    assert step_of(session.flight) == rests
    again = Visitor(session)
    again.frame(lambda f: f.step > rests)


def test_nothing_is_missed_by_who_opens_the_page_late() -> None:
    with Session(small(), RunOptions(seed=1, threads=1)) as session:
        until(lambda: session.flight.ready)
        unhurried(session.flight)
        go_round(session.flight)
        assert step_of(session.flight) == 0
        Visitor(session).flying()


def test_a_page_that_comes_later_gets_the_charts_so_far(fly: Fly) -> None:
    page = fly()
    page.until("measures", lambda m: len(m["points"]) and m["points"][0]["step"] > 5)
    points = Visitor(page.client.session).until("measures")["points"]
    assert len(points) > 1
    figures = points[-1]["flocks"]["boids"]
    assert set(figures) == {"speed", "polarization", "milling", "nearest_neighbour_distance"}


def test_charts_begin_with_the_first_step_however_late_it_is_measured() -> None:
    session = Session(small(**{"flocks.boids.count": 6}), RunOptions("reference", seed=1))

    def flown_and_measured() -> list[int]:
        for _ in range(2):
            session.feed.publish(session.flight.simulation.step(5).frame)
            session.observer._measure()
        return [point["step"] for point in session.observer.history()["points"]]

    assert flown_and_measured() == [0, 10]
    session.restart(2)
    assert flown_and_measured() == [0, 10]


def test_a_page_without_credit_gets_two_frames(fly: Fly) -> None:
    page = fly()
    page.flying()
    slow = Visitor(page.client.session)
    slow.credit = False
    for _ in range(10):
        slow.listen()
    assert len(slow.frames) == 2
    slow.say("credit", frames=1)
    newest = page.frame().step
    slow.frame(lambda f: f.step >= newest)
    assert len(slow.client._waiting) < 50


def test_schemas_formulas_and_values_are_told(fly: Fly) -> None:
    scene = fly(playing=False).until("scene")
    assert set(scene["schemas"]) == {
        "", "flocks.boids", "flocks.boids.motion", "rules.cohesion", "rules.alignment",
    }  # fmt: skip
    assert scene["schemas"]["rules.cohesion"]["properties"]["radius"]["unit"] == "length"
    assert scene["formulas"]["rules.cohesion"] == "{weight} * (mean of x_j - x_i)"
    assert scene["values"]["rules.cohesion.weight"] == 0.01
    assert scene["values"]["flocks.boids.motion.turn_rate"] == "inf"
    assert scene["defaults"] == scene["values"]


def test_a_film_is_made_and_kept_under_a_name_of_its_own(fly: Fly) -> None:
    page = fly()
    page.flying()
    reply = page.done("film", steps=4, size=[64, 64])
    made = page.until("made", lambda m: m["state"] != "working")
    assert made["state"] == "done", made
    assert made["job"] == reply["job"]
    _, _, key, name = made["url"].split("/")
    path = page.client.session.jobs.find(key, name)
    assert path is not None and path.read_bytes()[4:8] == b"ftyp"
    page.client.session.close()
    assert not path.exists() and not path.parent.parent.exists()


def test_a_page_is_made_in_the_private_folder_whatever_its_name(fly: Fly, tmp_path: Path) -> None:
    """Even of a model that never was checked."""
    page = fly(small().model_copy(update={"name": str(tmp_path / "x")}))
    page.flying()
    page.done("page", frames=2)
    one = page.until("made", lambda m: m["state"] != "working")
    page.done("page", frames=2)
    made = page.until("made", lambda m: m["state"] != "working" and m["job"] != one["job"])
    assert made["state"] == "done", made
    _, _, key, _ = made["url"].split("/")
    assert page.client.session.jobs.find(key, made["name"]).parent.name == key
    assert not any(tmp_path.iterdir())
