"""Flights beside the one that is watched, to compare it with."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from conftest_live import Page, Visitor, small

from murmurate.engines.options import RunOptions
from murmurate.errors import ModelError
from murmurate.live_view import LiveView
from murmurate.live_view.flights import MOST, Flights
from murmurate.live_view.session import Session
from processes import until

Fly = Callable[..., Visitor]


def test_a_twin_flies_the_same_flight_until_it_is_changed(fly: Fly) -> None:
    page = fly(playing=False)
    session = page.client.session
    page.done("restart", seed=7)
    page.done("set", values={"rules.cohesion.weight": 0.5}, off=["alignment"])
    page.done("step", steps=30)
    page.frame(lambda f: f.step == 30)
    with session.twin() as twin:
        beside = Visitor(twin)
        assert beside.until("scene")["off"] == ["alignment"]
        assert beside.frame().step == 0
        beside.done("set", off=[])
        assert twin.controller.requested == small(**{"rules.cohesion.weight": 0.5})
        beside.done("set", off=["alignment"])
        page.done("restart")
        for each in (page, beside):
            each.done("step", steps=9)
            each.done("step", steps=11)
            each.frame(lambda f: f.step == 20)
        one, other = session.frame["boids"], twin.frame["boids"]
        np.testing.assert_array_equal(one.positions, other.positions)
        np.testing.assert_array_equal(one.velocities, other.velocities)
        beside.done("set", values={"rules.cohesion.weight": 0.1})
        assert session.controller.requested.rules["cohesion"].weight == 0.5


def test_a_flight_ends_with_its_last_page(watched: LiveView) -> None:
    flights, name = watched.server.flights, "a & b"
    one = Page(watched, flight=name)
    two = Page(watched, flight=name)
    assert one.until("scene")["name"] == two.until("scene")["name"] == "small"
    session = flights.enter(name)
    flights.leave(name)
    assert session is not watched.session and len(flights) == 2
    one.done("set", values={"rules.cohesion.weight": 0.5})
    two.until("values", lambda m: m["values"] == {"rules.cohesion.weight": 0.5})
    assert watched.session.controller.requested == small()
    one.close()
    assert two.done("toml") and len(flights) == 2
    two.close()
    until(lambda: len(flights) == 1)
    until(lambda: session.over)


def test_there_are_not_too_many_flights_and_all_end_together(watched: LiveView) -> None:
    beside = [Page(watched, flight=str(k)) for k in range(MOST)]
    for page in beside:
        page.until("scene")
    for name, words in (("one more", "comparisons fly already"), ("x" * 101, "100 characters")):
        late = Page(watched, flight=name)
        assert words in late.until("bye")["reason"]
        late.close()
    first = Page(watched)
    first.until("scene")  # the watched flock is as it was
    watched.close()
    for page in (first, *beside):
        assert "closed" in page.until("bye")["reason"]
        page.close()


def test_a_session_that_is_over_has_no_flights_beside_it() -> None:
    session = Session(small(), RunOptions("reference")).start()
    flights = Flights(session)
    session.close()
    with pytest.raises(ModelError, match="was closed"):
        flights.enter("beside")
