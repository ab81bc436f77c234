"""What shows itself in a notebook, and the widget as its page sees it; no notebook is run."""

from __future__ import annotations

import html
import json
import math
import re
import sys
import threading
from functools import partial

import numpy as np
import pytest

import murmurate as mm
import wire_decoder
from murmurate import notebook
from murmurate.errors import NotebookError, ShowError
from murmurate.notebook import in_notebook, widget
from murmurate.runs.replay_page import preview
from murmurate.show import html_file
from processes import LIMIT, until
from runner_loop import current_step, run_loop, set_unlimited_rate

MODEL = mm.Model(
    name="few", title="A few",
    space=mm.Space(size=(100, 100), boundary="periodic"),
    flocks={"boids": mm.Flock(count=6, start=mm.InBox(velocity=mm.Directions(speed=1.0)))},
    rules={"cohesion": mm.Cohesion(radius=30, weight=0.01)},
)  # fmt: skip


NO_LIMIT = {"max_seconds": math.inf}


@pytest.fixture(autouse=True)
def _small_viewer(monkeypatch):
    text = "function a(){}export{a as mountReplay,a as speak,a as default}"
    monkeypatch.setattr(html_file, "viewer_text", lambda *_: text)
    monkeypatch.setattr("murmurate.notebook.live_widget.viewer_text", lambda *_: text)


def head_of(page):
    page = page if isinstance(page, str) else page._repr_html_()
    page = html.unescape(re.search(r'srcdoc="([^"]*)"', page)[1])
    return json.loads(re.search(r'id="murmurate-head">(.*?)</script>', page, re.S)[1])


# --- simulations


def test_a_simulation_shows_what_comes_next_and_stays():
    sim = mm.Simulation(MODEL, seed=3, engine="reference").step(7)
    before = sim.frame["boids"].positions
    head = head_of(preview(sim, max_frames=30, **NO_LIMIT))
    assert head["steps"]["first"] == 7 and head["frames"] == 30
    assert sim.frame.step == 7 and np.array_equal(sim.frame["boids"].positions, before)
    assert "seed 3" in head["comment"]


def test_displaying_a_simulation_runs_nothing(monkeypatch):
    sim = mm.Simulation(MODEL, engine="reference")
    monkeypatch.setattr(mm.Simulation, "step", lambda *_: pytest.fail("it was stepped"))
    assert repr(sim) == "Simulation('few', step=0, boids=6, engine='reference')"
    assert not hasattr(sim, "_repr_html_")


def test_it_shows_present_numbers_and_the_present_step():
    sim = mm.Simulation(MODEL, engine="reference")
    first = preview(sim, max_frames=10, **NO_LIMIT)
    assert preview(sim, max_frames=10, **NO_LIMIT) == first
    sim.set({"rules.cohesion.weight": 0.5})
    assert preview(sim, max_frames=10, **NO_LIMIT) != first
    assert head_of(sim.step(1).preview())["steps"]["first"] == 1


def test_a_preview_has_the_positions_of_the_simulation():
    from murmurate.show.replay import decode

    sim = mm.Simulation(MODEL, engine="reference", seed=1)
    page = preview(sim, max_frames=30, **NO_LIMIT).html
    head = head_of(preview(sim, max_frames=30, **NO_LIMIT))
    payload = re.search(r'id="murmurate-flight">([^<]*)<', page)[1]
    positions = decode(payload, head["frames"], 6, 2, head["order"])
    sim.step(20)
    want = np.floor(sim.frame["boids"].positions / 100 * 65536) % 65536
    assert np.array_equal(positions[20], want)


def test_large_flocks_have_no_preview():
    with pytest.raises(mm.OutputError, match="preview: got 6 boids; expected at most 5"):
        preview(mm.Simulation(MODEL, engine="reference"), max_numbers=20)


def test_without_a_viewer_there_is_no_preview(monkeypatch):
    def none(*_):
        raise ShowError("the viewer is not there")

    monkeypatch.setattr(html_file, "viewer_text", none)
    with pytest.raises(ShowError, match="not there"):
        mm.Simulation(MODEL, engine="reference").preview()


def test_a_flight_that_gets_lost_is_shown_up_to_there(monkeypatch):
    step = mm.Simulation.step

    def failing(self, steps=1):
        if self.frame.step == 4:
            raise mm.RunError("boid 3 is lost")
        return step(self, steps)

    monkeypatch.setattr(mm.Simulation, "step", failing)
    assert head_of(preview(mm.Simulation(MODEL, engine="reference"), **NO_LIMIT))["frames"] == 5


def test_previews_of_slow_simulations_are_shorter():
    page = preview(mm.Simulation(MODEL, engine="reference"), max_seconds=0.0)
    assert head_of(page)["frames"] == 2


# --- the widget


def test_this_is_no_notebook(monkeypatch):
    """Whether IPython is imported or not."""
    assert not in_notebook()
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    assert not in_notebook()


def test_without_anywidget_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(NotebookError, match=r'pip install "murmurate\[notebook\]"'):
        widget(MODEL)


class Sent:
    """What a widget sends to its page."""

    def __init__(self, flock):
        self.texts, self.frames = [], []
        self.comparisons = {}  # by the name of a second flight: its texts and frames
        flock.send = self.send

    def send(self, content, buffers=None):
        if isinstance(content, str):
            self.texts.append(json.loads(content))
        elif name := content.get("flight"):
            texts, frames = self.comparisons.setdefault(name, ([], []))
            if "text" in content:
                texts.append(json.loads(content["text"]))
            else:
                frames.append(buffers[0])
        else:
            assert content == {"type": "frame"}
            self.frames.append(buffers[0])

    def kinds(self):
        return [text["type"] for text in self.texts]

    def last(self, kind):
        return next((t for t in reversed(self.texts) if t["type"] == kind), {})


@pytest.fixture
def flock():
    pytest.importorskip("anywidget")
    flock = widget(MODEL, seed=1, options=mm.RunOptions(threads=1))
    yield flock
    flock.close()


def say(flock, kind, **more):
    flock._handle_custom_msg({"type": kind, **more}, [])


def a_new_frame(flock):
    """Publish a frame, and wait until the widget has sent all that it sends because of it."""
    runner = flock.session.runner
    runner.submit(runner.request_frame).result(LIMIT)
    run_loop(runner)
    for _ in range(2):  # at the second it has done the first
        flock._sender.wake()
        until(lambda: not flock._sender._wake.is_set())


@pytest.mark.slow
def test_a_view_receives_everything_when_it_opens(flock):
    sent = Sent(flock)
    until(lambda: flock.session.runner.ready)
    a_new_frame(flock)
    assert not sent.texts and not sent.frames
    say(flock, "hello")
    until(lambda: sent.frames and "status" in sent.kinds())
    scene = sent.last("scene")
    assert scene["name"] == "few" and scene["flocks"][0]["count"] == 6
    assert scene["can"]["film"] is False and scene["can"]["page"] is False
    assert sent.frames[0][:4] == b"FMRM"


def test_frames_wait_for_credit(flock):
    sent = Sent(flock)
    say(flock, "hello")
    until(lambda: len(sent.frames) == 2)
    for _ in range(3):
        a_new_frame(flock)
        assert len(sent.frames) == 2
    for already in range(2, 6):
        say(flock, "credit", frames=1)
        until(lambda count=already: len(sent.frames) == count + 1)


def step(flock):
    return current_step(flock.session.runner)


def test_it_runs_while_it_is_displayed(flock):
    until(lambda: flock.session.runner.ready)
    assert step(flock) == 0
    say(flock, "hello")
    until(lambda: step(flock) > 3)
    say(flock, "hello")
    say(flock, "goodbye")
    before = step(flock)
    until(lambda: step(flock) > before)
    say(flock, "goodbye")
    set_unlimited_rate(flock.session.runner)
    rests = step(flock)
    run_loop(flock.session.runner)
    assert step(flock) == rests
    say(flock, "hello")
    until(lambda: step(flock) > rests)


def test_one_that_was_paused_stays_so(flock):
    sent = Sent(flock)
    say(flock, "hello")
    until(lambda: flock.session.runner.playing)
    say(flock, "pause", id=3)
    until(lambda: sent.last("reply").get("to") == 3)
    say(flock, "goodbye")
    say(flock, "hello")
    run_loop(flock.session.runner)
    assert not flock.session.runner.playing


def test_a_slider_moves_the_model(flock):
    sent = Sent(flock)
    say(flock, "hello")
    say(flock, "set", id=1, values={"rules.cohesion.weight": 0.7})
    until(lambda: sent.last("reply").get("to") == 1)
    assert sent.last("reply")["ok"]
    assert flock.session.runner.simulation.model.rules["cohesion"].weight == 0.7
    say(flock, "set", id=2, values={"rules.cohesion.weight": "heavy"})
    until(lambda: sent.last("reply").get("to") == 2)
    assert not sent.last("reply")["ok"]


def test_a_second_flight_is_compared_with(flock):
    sent = Sent(flock)
    say(flock, "hello")
    until(lambda: sent.frames)
    say(flock, "hello", flight="a")
    until(lambda: "a" in sent.comparisons and sent.comparisons["a"][1])
    texts, frames = sent.comparisons["a"]
    assert texts[0]["type"] == "scene" and not texts[0]["can"]["film"]
    say(flock, "set", id=1, values={"rules.cohesion.weight": 0.7}, flight="a")
    until(lambda: any(text.get("to") == 1 and text["ok"] for text in texts))
    assert flock.session.controller.requested.rules["cohesion"].weight == 0.01
    say(flock, "step", steps=4, flight="a")

    def compared_step():
        say(flock, "credit", frames=1, flight="a")
        return wire_decoder.decode(frames[-1]).step

    until(lambda: compared_step() == 4)

    say(flock, "hello", flight="b")  # of another view: one comparison at a time
    until(lambda: "b" in sent.comparisons and sent.comparisons["b"][1])
    assert texts[-1]["type"] == "bye" and "another comparison" in texts[-1]["reason"]
    assert len(flock._sessions) == 2
    say(flock, "goodbye", flight="b")
    until(lambda: len(flock._sessions) == 1)
    step_now = step(flock)
    until(lambda: step(flock) > step_now)  # its own flies on


def test_a_second_flight_that_cannot_be_is_refused(flock):
    sent = Sent(flock)
    say(flock, "hello", flight="n" * 101)
    until(lambda: sent.comparisons)
    (texts, frames) = sent.comparisons["n" * 101]
    assert "100 characters" in texts[0]["reason"] and not frames


@pytest.mark.parametrize(
    "content",
    ["text", 3, None, [], {"type": 5}, {"type": "nonsense"}, {"type": "play", "flight": []}, {}],
)
def test_nonsense_is_answered_or_dropped(flock, content):
    sent = Sent(flock)
    flock._handle_custom_msg(content, [])
    say(flock, "hello")
    flock._handle_custom_msg(content, [])
    until(lambda: sent.frames)
    assert not flock.session.over
    before = step(flock)
    until(lambda: step(flock) > before)  # its thread runs


def test_closing_ends_its_threads():
    pytest.importorskip("anywidget")
    before = set(threading.enumerate())
    flock = widget(MODEL, options=mm.RunOptions(threads=1))
    say(flock, "hello")
    until(lambda: flock.session.frame.step > 1)
    flock.close()
    mine = lambda: {  # noqa: E731
        t for t in set(threading.enumerate()) - before if t.name.startswith("murmurate")
    }
    until(lambda: not mine())
    flock.close()


def test_a_replay_of_30_frames_follows_the_widget(monkeypatch):
    pytest.importorskip("anywidget")
    from murmurate.live_view.session import Session
    from murmurate.notebook.live_widget import FlockWidget

    display = pytest.importorskip("IPython.display")
    outputs = []
    monkeypatch.setattr(display, "display", lambda *data, **how: outputs.append((data, how)))
    flock = FlockWidget(
        Session(MODEL, mm.RunOptions(threads=1)),
        preview=partial(preview, max_frames=30, **NO_LIMIT),
    )
    flock._ipython_display_()
    (bundle,), how = outputs[0]
    assert "application/vnd.jupyter.widget-view+json" in bundle and how["raw"]
    replay = outputs[1][0][0].data
    assert head_of(replay)["frames"] == 30
    assert "murmurate-saved" in replay and "murmurate-live" in flock._dom_classes
    flock.close()


def test_the_names_of_the_room():
    assert issubclass(notebook.NotebookError, mm.MurmurateError)
