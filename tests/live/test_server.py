"""Pages over a real websocket, the file that is followed, and the program itself."""

from __future__ import annotations

import asyncio
import re
import signal
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from conftest_live import TOML, Page, Visitor
from starlette.websockets import WebSocket
from websockets.exceptions import ConnectionClosed

import murmurate as mm
from murmurate.cli import main
from murmurate.errors import AddressError
from murmurate.live_view import LiveView
from murmurate.live_view.server import listening
from processes import LIMIT, started

Fly = Callable[..., Visitor]


def test_a_page_sees_the_flock_and_changes_it(page: Callable[..., Page]) -> None:
    one = page()
    scene = one.until("scene")
    assert scene["name"] == "small"
    one.flying()
    one.done("set", values={"rules.cohesion.weight": 0.5})
    assert "weight = 0.5" in one.done("toml")["toml"]
    frame = one.frame()
    assert len(frame.positions) == 40 and frame.dims == 2


def test_two_pages_and_a_reload(page: Callable[..., Page]) -> None:
    one, two = page(), page()
    one.flying()
    one.done("set", values={"rules.cohesion.weight": 0.125})
    two.until("values", lambda m: m["values"].get("rules.cohesion.weight") == 0.125)
    step = one.frame().step
    one.close()
    again = page()  # the same flock, as it was left
    assert again.until("scene")["values"]["rules.cohesion.weight"] == 0.125
    assert again.frame().step >= step


def test_frames_are_not_compressed(page: Callable[..., Page]) -> None:
    one = page()
    assert not one.socket.protocol.extensions


def test_a_slow_page_gets_no_more_frames_than_it_asks_for(page: Callable[..., Page]) -> None:
    slow, quick = page(), page()
    slow.credit = False
    quick.flying()
    quick.done("rate", steps_per_second=None)
    first = quick.frame().step
    quick.frame(lambda f: f.step > first + 50)
    for _ in range(30):
        slow.listen()
    assert len(slow.frames) == 2


def test_what_was_made_can_be_fetched_with_the_token_only(
    watched: LiveView, page: Callable[..., Page]
) -> None:
    one = page()
    one.flying()
    one.done("film", steps=3, size=[64, 64])
    made = one.until("made", lambda m: m["state"] != "working")
    assert made["state"] == "done", made
    base = watched.url.partition("/?")[0]
    answer = httpx.get(base + made["url"])
    assert answer.status_code == 200 and answer.content[4:8] == b"ftyp"
    assert "attachment" in answer.headers["content-disposition"]
    assert httpx.get(base + made["url"].partition("?")[0]).status_code == 403


def test_closing_says_goodbye(watched: LiveView, page: Callable[..., Page]) -> None:
    one = page()
    one.until("scene")
    watched.close()
    assert "closed" in one.until("bye")["reason"]
    with pytest.raises(ConnectionClosed):
        while True:
            one.listen()


def test_a_goodbye_that_is_slow_to_send_arrives(
    watched: LiveView, page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = page()
    one.until("scene")
    send, gone = WebSocket.send_text, watched.server._no_pages
    wait, waited_for = gone.wait, threading.Event()

    def noted(seconds: float) -> bool:
        waited_for.set()
        return wait(LIMIT)

    async def late(socket: WebSocket, data: str) -> None:
        if '"bye"' in data:  # it is sent only when the server already waits for the page
            await asyncio.to_thread(waited_for.wait, LIMIT)
        await send(socket, data)

    monkeypatch.setattr(gone, "wait", noted)
    monkeypatch.setattr(WebSocket, "send_text", late)
    watched.close()
    assert "closed" in one.until("bye")["reason"]


def test_a_page_that_comes_too_late_is_told(watched: LiveView, page: Callable[..., Page]) -> None:
    watched.session.close()
    assert "closed" in page().until("bye")["reason"]


# --- a file that is saved


def test_a_saved_file_is_read_again(fly: Fly, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(TOML)
    page = fly(
        mm.load(file).set({"dt": 0.5}),
        file=file,
        reload=lambda: mm.load(file).set({"dt": 0.5}),
    )
    page.flying()
    step = page.frame().step

    file.write_text(TOML.replace("weight = 0.01", "weight = 0.02"))
    told = page.until("values", lambda m: m["values"])
    assert told["values"] == {"rules.cohesion.weight": 0.02}
    assert page.client.session.controller.running.dt == 0.5  # what was set stays set

    file.write_text(TOML.replace("radius = 3", "radius = -3"))
    notice = page.until("notice")
    assert (notice["level"], notice["about"], notice["sticky"]) == ("error", "file", True)
    assert "rules.cohesion.radius: -3 is out of bounds" in notice["text"]
    assert str(file) in notice["text"]
    page.frame(lambda f: f.step > step)  # the flock flies on

    file.write_text("[space\n")
    assert "not a TOML file" in page.until("notice")["text"]

    file.write_text(TOML.replace("weight = 0.01", "weight = 0.03"))
    assert page.until("notice") == {
        "type": "notice", "level": "clear", "text": "", "about": "file", "sticky": False,
    }  # fmt: skip
    page.until("values", lambda m: m["values"].get("rules.cohesion.weight") == 0.03)
    assert page.frame().step > step


def test_a_file_that_is_gone_and_comes_back(fly: Fly, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(TOML)
    page = fly(mm.load(file), file=file, reload=lambda: mm.load(file))
    file.unlink()
    assert "cannot be read" in page.until("notice")["text"]
    file.write_text(TOML)
    assert page.until("notice")["level"] == "clear"


# --- the program


def test_ctrl_c_ends_it_and_the_page_is_told(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(TOML)
    words = [sys.executable, "-m", "murmurate", "watch", "mine.toml", "--no-open", "--port", "0"]
    with started(*words, cwd=tmp_path) as process:
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", line)
        assert found and line.startswith("small: ")

        class Address:
            url = found[0]

        page = Page(Address)  # type: ignore[arg-type]
        page.flying()
        process.send_signal(signal.SIGINT)
        assert page.until("bye")["reason"]
        assert process.wait() == 0
        page.close()


def test_a_taken_port_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        file = tmp_path / "mine.toml"
        file.write_text(TOML)
        assert main(["watch", str(file), "--no-open", "--port", str(port)]) == 2
    err = capsys.readouterr().err
    assert f"127.0.0.1, port {port}" in err and "--port" in err and "Traceback" not in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nobody"], "no model named 'nobody'"),
        (["--port", "70000"], "between 0 and 65535"),
        (["--boids", "-4"], "--boids -4"),
        (["--set", "rules.cohesion.weight=heavy"], "must be a valid number"),
        (["--seed", "-1"], "seed is -1"),
        (["--host", "no.such.host.invalid"], "must be an address of this machine"),
    ],
)
def test_bad_input(capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    assert main(["watch", *words, "--no-open"]) == 2
    err = capsys.readouterr().err
    assert said in err and "Traceback" not in err


def test_the_first_free_port() -> None:
    one = listening("127.0.0.1", None)
    two = listening("127.0.0.1", None)
    try:
        assert one.getsockname()[1] != two.getsockname()[1]
        with pytest.raises(AddressError):
            listening("127.0.0.1", one.getsockname()[1])
    finally:
        one.close()
        two.close()


def test_watch_in_a_script(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    with mm.watch(mm.parse(TOML), block=False, port=0, threads=1) as live_view:
        assert opened == [live_view.url]
        assert live_view.url in capsys.readouterr().out
        Page(live_view).close()
    with pytest.raises(httpx.ConnectError):
        httpx.get(live_view.url)
