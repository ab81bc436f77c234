"""Sessions to compare the watched one with."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from conftest_live import LocalPage, RemotePage, small

from murmurate.engines.options import RunOptions
from murmurate.errors import ModelError
from murmurate.live_view import LiveView
from murmurate.live_view.comparison_sessions import MAX_COMPARISONS, ComparisonSessions
from murmurate.live_view.session import Session
from processes import LIMIT, until

OpenPage = Callable[..., LocalPage]


def test_a_clone_runs_identically_until_it_is_changed(open_page: OpenPage) -> None:
    page = open_page(playing=False)
    session = page.client.session
    page.do("restart", seed=7)
    page.do("set", values={"rules.cohesion.weight": 0.5}, off=["alignment"])
    page.do("step", steps=6)
    page.frame(lambda f: f.step == 6)
    with session.clone() as clone:
        clone_page = LocalPage(clone)
        assert clone_page.wait_for("scene")["off"] == ["alignment"]
        assert clone_page.frame().step == 0
        clone_page.do("set", off=[])
        assert clone.controller.requested == small(**{"rules.cohesion.weight": 0.5})
        clone_page.do("set", off=["alignment"])
        page.do("restart")
        for each in (page, clone_page):
            each.do("step", steps=3)
            each.do("step", steps=4)
            each.frame(lambda f: f.step == 7)
        expected, boids = session.frame["boids"], clone.frame["boids"]
        np.testing.assert_array_equal(boids.positions, expected.positions)
        np.testing.assert_array_equal(boids.velocities, expected.velocities)
        clone_page.do("set", values={"rules.cohesion.weight": 0.1})
        assert session.controller.requested.rules["cohesion"].weight == 0.5


def test_a_comparison_ends_with_its_last_page(live_view: LiveView) -> None:
    sessions, name = live_view.server.sessions, "a & b"
    first = RemotePage(live_view.url, flight=name)
    second = RemotePage(live_view.url, flight=name)
    assert first.wait_for("scene")["name"] == second.wait_for("scene")["name"] == "small"
    session = sessions.enter(name)
    sessions.leave(name)
    assert session is not live_view.session and len(sessions) == 2
    first.do("set", values={"rules.cohesion.weight": 0.5})
    second.wait_for("values", lambda m: m["values"] == {"rules.cohesion.weight": 0.5})
    assert live_view.session.controller.requested == small()
    first.close()
    assert second.do("toml") and len(sessions) == 2
    second.close()
    until(lambda: len(sessions) == 1)
    until(lambda: session.over)


def test_comparisons_are_limited_and_end_with_the_server(live_view: LiveView) -> None:
    comparisons = [RemotePage(live_view.url, flight=str(k)) for k in range(MAX_COMPARISONS)]
    for page in comparisons:
        page.wait_for("scene")
    for name, words in (
        ("one more", "comparisons are running already"),
        ("x" * 101, "100 characters"),
    ):
        late = RemotePage(live_view.url, flight=name)
        assert words in late.wait_for("bye")["reason"]
        late.close()
    first = RemotePage(live_view.url)
    first.wait_for("scene")
    assert live_view.close(LIMIT)
    for page in (first, *comparisons):
        assert "closed" in page.wait_for("bye")["reason"]
        page.close()


def test_a_closed_session_has_no_comparisons() -> None:
    session = Session(small(), RunOptions("reference")).start()
    sessions = ComparisonSessions(session)
    session.close()
    with pytest.raises(ModelError, match="was closed"):
        sessions.enter("other")
