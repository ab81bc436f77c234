"""Charts of measures by name: in live views, replays and live pages, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import murmurate as mm
from murmurate.live_view import observer
from murmurate.live_view.session import Session
from murmurate.measures.defaults import SHOWN, charted_measures
from murmurate.runs.sources import live_source
from murmurate.show.replay import ReplayBuilder

MODEL = mm.load("ucl").set({"flocks.boids.count": 9})
REFERENCE = mm.RunOptions(engine="reference")
NAMES = ["milling", "extent", "border_to_core"]


def test_charts_are_measures_that_are_one_number_of_a_frame():
    assert charted_measures() == SHOWN
    assert [m.name for m in charted_measures(NAMES)] == NAMES
    label = charted_measures(["kth_neighbour_distance"])[0]
    assert (label.label, label.unit) == ("kth neighbour distance", "length")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("miling", "did you mean 'milling'"),
        ("collisions", "needs radius"),
        ("pair_correlation", "is of kind 'curve'"),
    ],
)
def test_other_charts_are_refused_before_anything_is_compiled(name, why, tmp_path):
    for show in (
        lambda: mm.replay_page(MODEL, tmp_path / "a.html", steps=4, view=mm.View(charts=[name])),
        lambda: mm.live_page(MODEL, view=mm.View(charts=[name])),
        lambda: Session(live_source(MODEL, REFERENCE, [name]), REFERENCE),
    ):
        with pytest.raises(mm.ModelError, match=why):
            show()
    assert not list(tmp_path.iterdir())


def test_a_live_page_refuses_what_it_does_not_compute():
    with pytest.raises(mm.ModelError, match="got 'extent' for a live page; expected one of pol"):
        mm.live_page(MODEL, view=mm.View(charts=["milling", "extent"]))


def test_a_replay_has_the_charts_in_order():
    model = MODEL.set({"view.charts": NAMES})
    builder = ReplayBuilder(charts=model.view.charts)
    sim = mm.Simulation(model, engine="reference")
    frames = [sim.frame, sim.step().frame]
    for frame in frames:
        builder.add(frame)
    head = builder.build(model).head
    assert [chart["name"] for chart in head["scene"]["charts"]] == NAMES
    expected = [mm.measures.extent(frame["boids"]) for frame in frames]
    np.testing.assert_allclose(head["measures"]["boids"]["extent"], expected, rtol=1e-4)


def test_a_slow_measure_is_added_to_a_point_later(monkeypatch):
    monkeypatch.setattr(observer, "SLOW_SECONDS", -1.0)  # every measure but the default ones
    session = Session(live_source(MODEL, REFERENCE, ["milling", "extent"]), REFERENCE)
    seen, sent = session.observer, []
    monkeypatch.setattr(seen._pages, "send", sent.append)
    seen.measure()  # the first time does not count
    seen._seconds = {"milling": 1.0, "extent": 1.0}
    for slow in (set(), {"extent"}):
        assert set(seen._slow) == slow
        seen._first_frame = session.frame
        seen._points.clear()
        seen.measure()
    assert list(seen._points[0]["flocks"]["boids"]) == ["milling"]
    for _ in range(2):  # the second time there is no newer frame
        seen._add_to_point(charted_measures(["extent"])[0])
    assert [message.get("begin") for message in sent] == [None, None, None, True]
    assert sent[-1]["points"][0]["flocks"]["boids"] == {
        "milling": mm.milling(session.frame["boids"]),
        "extent": mm.measures.extent(session.frame["boids"]),
    }
    session.close("over")
