"""The client of the live view's benchmark: it gets frames that are fresh, answers pings, and says
why a server hung up."""

from __future__ import annotations

import importlib
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

import murmurate as mm
from processes import LIMIT, ran

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
HEAD = b"HTTP/1.1 101 Switching Protocols\r\n\r\n"


@pytest.fixture(autouse=True)
def scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))


@contextmanager
def server(speak: Callable[[socket.socket], None]) -> Iterator[str]:
    """The address of a server that answers one client's first words, then speaks."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            line, _ = listening.accept()
            with line:
                line.recv(4096)
                line.sendall(HEAD)
                speak(line)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/?token=a"
        thread.join(LIMIT)


def message(kind: int, content: bytes) -> bytes:
    return bytes([0x80 | kind, len(content)]) + content


def test_the_server_sends_a_fresh_frame_whenever_it_is_asked() -> None:
    live = importlib.import_module("live")
    model = mm.load("ucl").set({"flocks.boids.count": 5})
    with live.start(model, port=0, playing=False) as live_view:
        assert live.sent(live_view, 0.05) > 0
        seen, _ = live_view.session.feed.encoded(0, False)
        assert live_view.session.feed.encoded(seen, False) == (seen, None)  # as it was before


def test_it_says_why_the_server_hung_up() -> None:
    def speak(line: socket.socket) -> None:
        line.sendall(
            message(1, b'{"type":"bye","reason":"too many"}') + message(8, b"\x03\xe9away")
        )

    with server(speak) as address:
        child = ran(sys.executable, BENCHMARKS / "live_client.py", address, 1)
    assert child.returncode == 1
    assert child.stderr.strip() == "the server hung up: away; it said: too many"


def test_pings_are_answered() -> None:
    answers = []

    def speak(line: socket.socket) -> None:
        line.sendall(message(9, b"there?") + message(2, b"a frame"))
        answers.append(line.recv(4096))

    client = importlib.import_module("live_client")
    with server(speak) as address, closing(client.Line(address)) as line:
        line.frame()
    assert answers == [bytes([0x8A, 0x86, 0, 0, 0, 0]) + b"there?"]
