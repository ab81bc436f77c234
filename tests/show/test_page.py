"""Pages as text: contents and content security policy. Browser tests cover their appearance."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
import re
import sys
from html.parser import HTMLParser

import pytest
from small_frames import cloud, film_of, flock, frame

import murmurate as mm
from murmurate.errors import OutputError, ShowError, WriteError
from murmurate.show import Page, html_file, page_of
from murmurate.show.replay import decode
from processes import small_files

VIEWER = """\
const t="</script><!-- <script>";function a(r,h,p){r.textContent=h.frames+t+p.length}
export{t as other,a as mountReplay,t as speak};
"""


class Parts(HTMLParser):
    """Scripts and meta elements of a page, parsed as by a browser."""

    def __init__(self, text):
        super().__init__()
        self.scripts, self.metas, self.tags, self.title = [], [], [], ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag == "script":
            self.scripts.append((dict(attrs), ""))
        if tag == "meta":
            self.metas.append(dict(attrs))

    def handle_data(self, data):
        if self.tags and self.tags[-1] == "script" and self.scripts:
            attrs, text = self.scripts[-1]
            self.scripts[-1] = (attrs, text + data)
        elif self.tags[-1:] == ["title"]:
            self.title += data

    def handle_endtag(self, tag):
        self.tags.append("/" + tag)


@pytest.fixture(autouse=True)
def _small_viewer(monkeypatch):
    """Use a viewer of two lines, so that these tests need no build."""
    monkeypatch.setattr(html_file, "viewer_text", lambda *_: VIEWER)


def named(title='<b>Birds & "co"</b></script>'):
    return mm.Model(
        name="birds", title=title, space=mm.Space(size=(100, 100)),
        flocks={"boids": mm.Flock(count=20)}, about="<script>alert(1)</script> & </script>",
    )  # fmt: skip


def test_a_page_contains_its_data():
    page = page_of(film_of(5), named(), toml="name = '</script>'", comment="seed 3")
    parts = Parts(page.html)
    assert [attrs["type"] for attrs, _ in parts.scripts] == [
        "application/json", "text/plain", "text/plain", "text/plain", "module",
    ]  # fmt: skip
    head = json.loads(parts.scripts[0][1])
    assert head["scene"]["about"] == named().about
    assert head["toml"] == "name = '</script>'"
    assert parts.title == named().title
    levels = decode(parts.scripts[1][1], 5, 20, 2, head["order"])
    assert levels.shape == (5, 20, 2)
    assert page.frames == 5 and page.bytes == len(page.html)


def unpack_viewer(parts):
    """Return the viewer that the script of the page unpacks."""
    return html_file.inflate_text(parts.scripts[3][1]).decode()


def test_the_policy_forbids_fetching_and_other_scripts():
    page = page_of(film_of(2), named())
    parts = Parts(page.html)
    policy = next(m["content"] for m in parts.metas if "http-equiv" in m)
    hashes = [
        base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        for script in (parts.scripts[4][1], unpack_viewer(parts))
    ]
    allowed = " ".join(f"'sha256-{digest}'" for digest in hashes)
    assert f"script-src {allowed};" in policy
    assert "default-src 'none'" in policy and "unsafe-eval" not in policy
    assert "http" not in policy
    assert not re.search(r"""(src|href)=["'](?!data:)""", page.html)


def test_the_viewer_is_compressed():
    page = page_of(film_of(2), named())
    text = unpack_viewer(Parts(page.html))
    assert "export" not in text
    assert "await a(" in text
    assert "</script><!--" in text and "</script><!--" not in page.html


@pytest.mark.parametrize("viewer", ["const a=1;", "export{a as speak};", "export default 3;"])
def test_a_viewer_without_the_function_is_refused(viewer, monkeypatch):
    monkeypatch.setattr(html_file, "viewer_text", lambda *_: viewer)
    with pytest.raises(ShowError, match="has no function"):
        page_of(film_of(2))


def test_without_a_viewer_no_frame_is_requested(monkeypatch):
    def none(*_):
        raise ShowError("the viewer is not there")

    def frames():
        pytest.fail("a frame was asked for")
        yield

    monkeypatch.setattr(html_file, "viewer_text", none)
    with pytest.raises(ShowError, match="not there"):
        page_of(frames())


def test_a_notebook_shows_an_iframe():
    page = page_of(film_of(3), named())
    iframe = page._repr_html_()
    inside = re.search(r'srcdoc="([^"]*)"', iframe)[1]
    assert html.unescape(inside) == page.html
    assert 'sandbox="allow-scripts' in iframe and "allow-same-origin" not in iframe


def test_the_text_of_a_page_and_its_short_repr():
    page = page_of(film_of(3), named())
    assert str(page) == page.html and page.html.startswith("<!DOCTYPE html>")
    assert repr(page) == f"<Page: 3 frames, {page.bytes / 1e6:.1f} MB>"
    assert page.bytes == len(page.html.encode())


def test_written(tmp_path):
    page = page_of(film_of(3), named("Stare über Rom"))
    path = page.save(tmp_path / "birds.html")
    assert path.read_bytes() == page.html.encode() and os.listdir(tmp_path) == ["birds.html"]
    assert path.stat().st_size == page.bytes
    assert str(path) in repr(page)


@pytest.mark.parametrize(
    ("name", "says"), [("a.pdf", ".html"), ("a", ".html"), ("nowhere/a.html", "no folder")]
)
def test_refused(tmp_path, name, says):
    with pytest.raises(OutputError, match=says):
        page_of(film_of(2)).save(tmp_path / name)


def test_an_existing_file_is_kept(tmp_path):
    path = tmp_path / "a.html"
    path.write_text("precious")
    page = page_of(film_of(2))
    with pytest.raises(OutputError, match="--force"):
        page.save(path)
    assert path.read_text() == "precious"
    page.save(path, force=True)
    assert path.read_text() == page.html


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no file size limits")
def test_a_full_disk_is_reported(tmp_path):
    page = page_of(frame(cloud(200, seed=k), step=k) for k in range(20))
    with small_files(10_000), pytest.raises(WriteError, match="writing the page failed"):
        page.save(tmp_path / "a.html")
    assert os.listdir(tmp_path) == []


def test_ctrl_c_keeps_the_frames_so_far():
    def stopped():
        yield from film_of(4)
        raise KeyboardInterrupt

    page = page_of(stopped())
    assert (page.frames, page.interrupted) == (4, True)

    def at_once():
        raise KeyboardInterrupt
        yield

    with pytest.raises(KeyboardInterrupt):
        page_of(at_once())


MODEL = mm.Model(
    name="few", title="A few",
    space=mm.Space(size=(100, 100), boundary="periodic"),
    flocks={"boids": mm.Flock(count=6, start=mm.InBox(velocity=mm.Directions(speed=1.0)))},
    rules={"cohesion": mm.Cohesion(radius=30, weight=0.01)},
)  # fmt: skip


def head_of(page):
    return json.loads(Parts(str(page)).scripts[0][1])


def test_a_page_of_a_model(tmp_path):
    done = []
    page = mm.replay_page(
        MODEL, tmp_path / "few.html", steps=12, seed=5,
        options=mm.RunOptions(engine="reference"),
        progress=lambda *both: done.append(both),
        view=mm.View(every=3, style="light", colour_by="speed", trails=7, frames_per_second=10),
    )  # fmt: skip
    assert isinstance(page, Page) and (tmp_path / "few.html").read_text() == page.html
    assert done == [(1, 4), (2, 4), (3, 4), (4, 4)] and page.last_frame.step == 12
    head = head_of(page)
    view = head["scene"]["view"]
    assert (view["style"], view["colour_by"], view["trails"]) == ("light", "speed", 7)
    assert head["every_seconds"] == pytest.approx(0.1)
    assert "seed 5" in head["comment"] and MODEL.set({"view.every": 3}) != MODEL
    assert mm.parse(head["toml"]).rules == MODEL.rules


def test_a_page_of_a_simulation_does_not_change_it():
    sim = mm.Simulation(MODEL, seed=2, engine="reference").step(5)
    page = mm.replay_page(sim, steps=4)
    assert sim.frame.step == 5
    assert head_of(page)["steps"] == {"first": 6, "step": 1}
    assert mm.replay_page(sim, steps=4) == page


@pytest.mark.parametrize(
    ("settings", "error", "says"),
    [
        ({"steps": 2, "view": mm.View(every=3)}, mm.ModelError, "at least 3"),
        ({"steps": 0}, mm.ModelError, "steps"),
        ({"steps": 50_000_000}, OutputError, "expected at most 8,333,333 frames"),
        ({"path": "few.mp4"}, OutputError, ".html"),
    ],
)
def test_refused_before_the_simulation(settings, error, says, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(mm.Simulation, "step", lambda *_: pytest.fail("it flew"))
    with pytest.raises(error, match=says):
        mm.replay_page(MODEL, **settings)
    assert os.listdir(tmp_path) == []


def test_a_lost_boid_keeps_the_page_so_far(tmp_path, monkeypatch):
    step = mm.Simulation.step

    def failing(self, steps=1):
        if self.frame.step == 4:
            raise mm.RunError("boid 3 is lost")
        return step(self, steps)

    monkeypatch.setattr(mm.Simulation, "step", failing)
    reference = mm.RunOptions(engine="reference")
    with pytest.raises(mm.RunError, match="lost"):
        mm.replay_page(MODEL, tmp_path / "few.html", steps=9, options=reference)
    assert head_of((tmp_path / "few.html").read_text())["frames"] == 4
    with pytest.raises(mm.RunError, match="lost"):
        mm.replay_page(MODEL, steps=9, options=reference)


def test_boids_at_rest_have_a_page():
    assert page_of([frame(flock([[1.0, 2.0]])), frame(cloud(1), step=1)]).frames == 2
