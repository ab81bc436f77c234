"""Pages over a real websocket, the watched file, and the command `murmurate watch`."""

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
from conftest_live import TOML, LocalPage, RemotePage
from starlette.websockets import WebSocket
from websockets.exceptions import ConnectionClosed

import murmurate as mm
from murmurate.cli import main
from murmurate.errors import AddressError
from murmurate.live_view import LiveView
from murmurate.live_view.server import listen
from processes import LIMIT, started

OpenPage = Callable[..., LocalPage]


def test_a_page_sees_the_flock_and_changes_it(open_remote: Callable[..., RemotePage]) -> None:
    page = open_remote()
    scene = page.wait_for("scene")
    assert scene["name"] == "small"
    page.wait_until_running()
    page.do("set", values={"rules.cohesion.weight": 0.5})
    assert "weight = 0.5" in page.do("toml")["toml"]
    frame = page.frame()
    assert len(frame.positions) == 40 and frame.dims == 2


def test_two_pages_and_a_reload(open_remote: Callable[..., RemotePage]) -> None:
    first, second = open_remote(), open_remote()
    first.wait_until_running()
    first.do("set", values={"rules.cohesion.weight": 0.125})
    second.wait_for("values", lambda m: m["values"].get("rules.cohesion.weight") == 0.125)
    step = first.frame().step
    first.close()
    reloaded = open_remote()
    assert reloaded.wait_for("scene")["values"]["rules.cohesion.weight"] == 0.125
    assert reloaded.frame().step >= step


def test_frames_are_not_compressed(open_remote: Callable[..., RemotePage]) -> None:
    page = open_remote()
    assert not page.socket.protocol.extensions


def test_a_slow_page_receives_only_requested_frames(open_remote: Callable[..., RemotePage]) -> None:
    slow, quick = open_remote(), open_remote()
    slow.credit = False
    quick.wait_until_running()
    quick.do("rate", steps_per_second=None)
    first = quick.frame().step
    quick.frame(lambda f: f.step > first + 50)
    for _ in range(30):
        slow.receive()
    assert len(slow.frames) == 2


def test_files_of_jobs_need_the_token(
    live_view: LiveView, open_remote: Callable[..., RemotePage]
) -> None:
    page = open_remote()
    page.wait_until_running()
    page.do("film", steps=3, size=[64, 64])
    message = page.wait_for("made", lambda m: m["state"] != "working")
    assert message["state"] == "done", message
    base = live_view.url.partition("/?")[0]
    response = httpx.get(base + message["url"])
    assert response.status_code == 200 and response.content[4:8] == b"ftyp"
    assert "attachment" in response.headers["content-disposition"]
    assert httpx.get(base + message["url"].partition("?")[0]).status_code == 403


def test_closing_sends_the_reason(
    live_view: LiveView, open_remote: Callable[..., RemotePage]
) -> None:
    page = open_remote()
    page.wait_for("scene")
    assert live_view.close(LIMIT)
    assert "closed" in page.wait_for("bye")["reason"]
    with pytest.raises(ConnectionClosed):
        while True:
            page.receive()


def test_a_reason_that_is_sent_late_arrives(
    live_view: LiveView,
    open_remote: Callable[..., RemotePage],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = open_remote()
    page.wait_for("scene")
    send, closing = WebSocket.send_text, threading.Event()
    close_comparisons = live_view.server.sessions.close

    def note_closing(reason: str) -> None:
        closing.set()
        close_comparisons(reason)

    async def send_late(socket: WebSocket, data: str) -> None:
        if '"bye"' in data:  # sent only when the server is closing
            await asyncio.to_thread(closing.wait, LIMIT)
        await send(socket, data)

    monkeypatch.setattr(live_view.server.sessions, "close", note_closing)
    monkeypatch.setattr(WebSocket, "send_text", send_late)
    assert live_view.close(LIMIT)
    assert "closed" in page.wait_for("bye")["reason"]


def test_a_page_that_connects_too_late_receives_the_reason(
    live_view: LiveView, open_remote: Callable[..., RemotePage]
) -> None:
    live_view.session.close()
    assert "closed" in open_remote().wait_for("bye")["reason"]


# --- watched files


@pytest.mark.slow
def test_a_saved_file_is_loaded_again(open_page: OpenPage, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(TOML)
    page = open_page(
        mm.load(file).set({"dt": 0.5}),
        file=file,
        reload=lambda: mm.load(file).set({"dt": 0.5}),
    )
    page.wait_until_running()
    step = page.frame().step

    file.write_text(TOML.replace("weight = 0.01", "weight = 0.02"))
    message = page.wait_for("values", lambda m: m["values"])
    assert message["values"] == {"rules.cohesion.weight": 0.02}
    assert (
        page.client.session.controller.running.dt == 0.5
    )  # changes of the command line are applied again

    file.write_text(TOML.replace("radius = 3", "radius = -3"))
    notice = page.wait_for("notice")
    assert (notice["level"], notice["about"], notice["sticky"]) == ("error", "file", True)
    assert "rules.cohesion.radius: got -3; expected a number > 0" in notice["text"]
    assert str(file) in notice["text"]
    page.frame(lambda f: f.step > step)  # the flock continues

    file.write_text("[space\n")
    assert "not a TOML file" in page.wait_for("notice")["text"]

    file.write_text(TOML.replace("weight = 0.01", "weight = 0.03"))
    assert page.wait_for("notice") == {
        "type": "notice", "level": "clear", "text": "", "about": "file", "sticky": False,
    }  # fmt: skip
    page.wait_for("values", lambda m: m["values"].get("rules.cohesion.weight") == 0.03)
    assert page.frame().step > step


def test_a_file_that_is_deleted_and_restored(open_page: OpenPage, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(TOML)
    page = open_page(mm.load(file), file=file, reload=lambda: mm.load(file))
    file.unlink()
    assert "cannot be read" in page.wait_for("notice")["text"]
    file.write_text(TOML)
    assert page.wait_for("notice")["level"] == "clear"


# --- the command


@pytest.mark.slow  # a process
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_and_notifies_the_page(number: int, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(TOML)
    words = [sys.executable, "-m", "murmurate", "watch", "mine.toml", "--no-open", "--port", "0"]
    with started(*words, cwd=tmp_path) as process:
        line = process.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", line)
        assert address and line.startswith("small: ")
        page = RemotePage(address[0])
        page.wait_until_running()
        process.send_signal(number)
        assert page.wait_for("bye")["reason"]
        assert process.wait() == 130
        page.close()


def test_a_port_in_use_is_reported(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
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
    ("words", "message"),
    [
        (["nobody"], "no model named 'nobody'"),
        (["--port", "70000"], "expected 0 to 65535"),
        (["--boids", "-4"], "--boids -4"),
        (["--set", "rules.cohesion.weight=heavy"], "expected a valid number"),
        (["--seed", "-1"], "seed: got -1"),
        (["--host", "no.such.host.invalid"], "must be an address of this machine"),
    ],
)
def test_bad_input(capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    assert main(["watch", *words, "--no-open"]) == 2
    err = capsys.readouterr().err
    assert message in err and "Traceback" not in err


def test_the_first_free_port() -> None:
    with listen("127.0.0.1", None) as first, listen("127.0.0.1", None) as second:
        assert first.getsockname()[1] != second.getsockname()[1]
        with pytest.raises(AddressError):
            listen("127.0.0.1", first.getsockname()[1])


def test_a_watched_file_is_loaded_when_it_is_saved(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(TOML)
    options = mm.RunOptions("reference")
    with mm.watch(file, block=False, open_browser=False, options=options) as live_view:
        page = RemotePage(live_view.url)
        page.wait_for("scene")
        file.write_text(TOML.replace("weight = 0.01", "weight = 0.03"))
        page.wait_for("values", lambda m: m["values"].get("rules.cohesion.weight") == 0.03)
        page.close()


def test_watch_in_a_script(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    with mm.watch(
        mm.parse(TOML), block=False, port=0, options=mm.RunOptions(threads=1)
    ) as live_view:
        assert opened == [live_view.url]
        assert live_view.url in capsys.readouterr().out
        RemotePage(live_view.url).close()
    with pytest.raises(httpx.ConnectError):
        httpx.get(live_view.url)
