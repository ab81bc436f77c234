"""Numbers that differ between boids, and boids that join and leave, in the live view."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest_live import LocalPage, small

import murmurate as mm
from murmurate.live_view import Session
from murmurate.runs.playback import Playback

OpenPage = Callable[..., LocalPage]
WEIGHT = "rules.cohesion.weight"
NORMAL = {"kind": "normal", "mean": 0.01, "sd": 0.002}
POPULATION = """
[population.inlet]
kind = "source"
rate = 4
[population.deaths]
kind = "deaths"
rate = 0.02
"""


def pond(max_boids: int = 400, **changes: Any) -> mm.Model:
    """Return a flock that boids join and leave."""
    model = mm.parse(mm.to_toml(small()) + POPULATION)
    return model.set({"flocks.boids.max_boids": max_boids, "flocks.boids.count": 12, **changes})


def test_a_spread_changes_without_a_restart_or_a_compilation(open_page: OpenPage) -> None:
    page = open_page(model=small(**{WEIGHT: NORMAL}), playing=False)
    scene = page.wait_for("scene")
    assert scene["values"][WEIGHT] == NORMAL
    assert scene["schemas"]["rules.cohesion"]["may_differ"] is True
    assert scene["per_boid"] == [{"name": WEIGHT, "kind": "trait", "cyclic": False}]
    page.do("step", steps=2)
    page.frame(lambda f: f.step == 2)
    page.do("extra", neighbours=False, number=WEIGHT)
    first = page.frame(lambda f: f.values is not None)
    reply = page.do("set", values={f"{WEIGHT}.mean": 0.05, f"{WEIGHT}.sd": 0.004})
    assert reply["compiling"] is False
    values = page.wait_for("values")["values"]
    assert values == {WEIGHT: {"kind": "normal", "mean": 0.05, "sd": 0.004}}
    second = page.frame(lambda f: f.values is not None and f.values.mean() > 0.03)
    assert second.step == 2 and first.values is not None and second.values is not None
    # Each boid keeps its quantile.
    scaled = (first.values - 0.01) / 0.002 * 0.004 + 0.05
    np.testing.assert_allclose(second.values, scaled, atol=1e-5)
    assert f"{WEIGHT.rpartition('.')[2]} = " in page.do("toml")["toml"]


@pytest.mark.slow  # two kernels
def test_a_number_differs_between_boids_and_then_no_more(open_page: OpenPage) -> None:
    page = open_page(engine="cpu", playing=False)
    page.wait_for("scene")
    page.do("step", steps=3)
    page.do("set", values={WEIGHT: NORMAL})
    scene = page.wait_for("scene", lambda m: m["per_boid"])
    assert scene["values"][WEIGHT] == NORMAL
    page.do("set", values={WEIGHT: 0.02})
    scene = page.wait_for("scene", lambda m: not m["per_boid"])
    assert scene["values"][WEIGHT] == 0.02
    assert page.client.session.frame.step == 3
    page.do("reset")
    assert page.wait_for("values")["values"] == {WEIGHT: 0.01}


def test_a_spread_that_cannot_be_is_refused(open_page: OpenPage) -> None:
    page = open_page(model=small(**{WEIGHT: NORMAL}), playing=False)
    reply = page.request("set", values={f"{WEIGHT}.sd": -1})
    assert not reply["ok"] and "sd" in reply["error"]
    radius = {"kind": "normal", "mean": 3, "sd": 1, "min": 1}
    reply = page.request("set", values={"rules.alignment.radius": radius})
    assert not reply["ok"] and "max" in reply["error"]


def test_an_unknown_number_is_left_out(open_page: OpenPage) -> None:
    page = open_page(playing=False)
    page.do("extra", neighbours=False, number="rules.nobody.weight")
    page.do("step", steps=1)
    assert page.frame(lambda f: f.step == 1).values is None


def test_a_chosen_boid_states_its_own_numbers(open_page: OpenPage) -> None:
    page = open_page(model=small(**{WEIGHT: NORMAL}), playing=False)
    page.do("choose", flock="boids", boid=7)
    own = page.wait_for("boid")["numbers"]
    frame = page.client.session.frame
    assert own == {WEIGHT: float(frame["boids"].traits[WEIGHT][7])}


# --- boids that join and leave


def test_boids_that_come_and_go_have_ids_and_a_chart(open_page: OpenPage) -> None:
    page = open_page(model=pond(), playing=False)
    scene = page.wait_for("scene")
    assert scene["flocks"][0]["count"] == 12 and scene["flocks"][0]["max_boids"] == 400
    assert [chart["name"] for chart in scene["charts"]][-1] == "boids"
    assert scene["values"]["population.inlet.rate"] == 4
    page.do("step", steps=30)
    decoded = page.frame(lambda f: f.step == 30)
    flock = page.client.session.frame["boids"]
    assert decoded.indices is not None and decoded.numbers is not None
    assert decoded.indices.tolist() == flock.ids.tolist()
    assert decoded.numbers.tolist() == [[len(flock), flock.n_ever]]
    assert flock.n_ever > 60
    point = page.wait_for("measures", lambda m: m["points"] and m["points"][-1]["step"] == 30)
    assert point["points"][-1]["flocks"]["boids"]["boids"] == len(flock)


def test_rates_change_while_it_runs(open_page: OpenPage) -> None:
    page = open_page(model=pond(), playing=False)
    page.do("step", steps=5)
    page.frame(lambda f: f.step == 5)
    assert page.do("set", values={"population.inlet.rate": 0})["compiling"] is False
    before = page.client.session.frame["boids"].n_ever
    page.do("step", steps=20)
    page.frame(lambda f: f.step == 25)
    assert page.client.session.frame["boids"].n_ever == before
    page.do("set", values={"population.inlet.rate": 4})


def test_a_chosen_boid_is_the_same_one_until_it_leaves(open_page: OpenPage) -> None:
    page = open_page(model=pond(), playing=False)
    page.do("step", steps=20)
    page.frame(lambda f: f.step == 20)
    session = page.client.session
    flock = session.frame["boids"]
    boid = int(flock.ids[3])
    assert boid != 3
    page.do("choose", flock="boids", boid=boid)
    message = page.wait_for("boid", lambda m: m["id"] == boid)
    np.testing.assert_allclose(message["position"][:2], flock.positions[3], rtol=1e-6)
    others = {other for kind, other in message["neighbour_ids"] if kind == 0}
    assert others <= set(flock.ids.tolist()) and boid not in others
    assert len(message["neighbour_ids"]) == len(message["neighbours"])
    left_id = next(i for i in range(flock.n_ever) if i not in flock.ids)
    reply = page.request("choose", flock="boids", boid=left_id)
    assert f"got {left_id}, which has left flock 'boids'" in reply["error"]
    reply = page.request("remove", flock="boids", boid=boid)
    assert "join and leave" in reply["error"]


def test_too_many_boids_end_the_run_with_a_notice(open_page: OpenPage) -> None:
    page = open_page(model=pond(max_boids=20), playing=False)
    page.do("step", steps=100)
    notice = page.wait_for("notice", lambda m: m["level"] == "error")
    assert notice["about"] == "run" and "max_boids" in notice["text"] and "20" in notice["text"]
    assert "must be restarted" in page.request("step", steps=1)["error"]
    page.do("restart")
    page.wait_for("notice", lambda m: m["level"] == "clear" and m["about"] == "run")
    assert len(page.client.session.frame["boids"]) == 12


def test_a_restart_has_the_boids_of_the_start(open_page: OpenPage) -> None:
    page = open_page(model=pond(), playing=False)
    page.do("step", steps=25)
    page.frame(lambda f: f.step == 25)
    page.do("restart")
    again = page.frame(lambda f: f.step == 0)
    assert again.indices is not None and again.indices.tolist() == list(range(12))


def test_a_recording_of_boids_that_come_and_go_is_played(tmp_path: Path) -> None:
    path = tmp_path / "pond.zarr"
    options = mm.RunOptions(engine="reference")
    mm.run(pond(**{WEIGHT: NORMAL}), 12, every=2, seed=1, output=path, options=options)
    recording = mm.open(path)
    assert isinstance(recording, mm.Recording)
    with Session(Playback(recording), playing=False) as session:
        page = LocalPage(session)
        scene = page.wait_for("scene")
        assert [entry["name"] for entry in scene["per_boid"]] == [WEIGHT]
        page.do("extra", neighbours=False, number=WEIGHT)
        page.do("set", values={"step": 8})
        frame = page.frame(lambda f: f.step == 8 and f.values is not None)
        flock = recording[4]["boids"]
        assert frame.indices is not None and frame.indices.tolist() == flock.ids.tolist()
        assert frame.values is not None
        np.testing.assert_allclose(frame.values, flock.traits[WEIGHT], atol=1e-6)
        points = page.wait_for("measures", lambda m: m["points"] and m["points"][-1]["step"] == 8)
        numbers = [point["flocks"]["boids"]["boids"] for point in points["points"]]
        assert numbers == [len(recording[k]["boids"]) for k in range(5)]
