"""Connections that ask for nothing are closed after a time, by a clock of the test's own, and their
number is bounded."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import httpx
import pytest
from conftest_live import Page
from uvicorn import Config
from uvicorn.server import ServerState

from murmurate.live_view import LiveView
from murmurate.live_view.connections import REQUEST_SECONDS, BoundedProtocol
from processes import LIMIT

HALF = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
WHOLE = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
BODY = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nab"


class Timer:
    """A call that a loop makes later."""

    def __init__(self, when: float, call: Callable[[], None]) -> None:
        self.when, self.call = when, call

    def cancel(self) -> None:
        self.call = lambda: None


class Task:
    """A task that never runs."""

    def add_done_callback(self, _: Any) -> None:
        """Nothing ends."""


class Loop:
    """A loop whose clock the test moves."""

    def __init__(self) -> None:
        self.now, self.timers = 0.0, list[Timer]()

    def time(self) -> float:
        return self.now

    def call_later(self, seconds: float, call: Callable[[], None]) -> Timer:
        self.timers.append(Timer(self.now + seconds, call))
        return self.timers[-1]

    def create_task(self, coroutine: Any, **_: Any) -> Task:
        coroutine.close()
        return Task()

    def go_on(self, seconds: float) -> None:
        end = self.now + seconds
        while due := sorted((t for t in self.timers if t.when <= end), key=lambda t: t.when):
            self.now = due[0].when
            self.timers.remove(due[0])
            due[0].call()
        self.now = end


class Transport:
    """A transport that notes whether it was ended."""

    def __init__(self) -> None:
        self.ended, self.protocol, self.sent = False, None, b""

    def abort(self) -> None:
        self.ended = True

    close = abort

    def is_closing(self) -> bool:
        return self.ended

    def get_protocol(self) -> Any:
        return self.protocol

    def set_protocol(self, protocol: Any) -> None:
        self.protocol = protocol

    def get_extra_info(self, _: str, default: Any = None) -> Any:
        return default

    def write(self, data: bytes) -> None:
        self.sent += data

    def pause_reading(self) -> None:
        """Nothing is read here."""

    resume_reading = set_write_buffer_limits = pause_reading


class Connections:
    """Connections of one server, by a clock of their own."""

    def __init__(self, most: int = 256) -> None:
        self.loop, self.state, self.most = Loop(), ServerState(), most
        self.config = Config(lambda *_: None, log_config=None)

    def open(self, *data: bytes) -> BoundedProtocol:
        made = BoundedProtocol(self.config, self.state, {}, _loop=self.loop)
        made.most_connections = self.most
        transport = Transport()
        transport.protocol = made
        made.connection_made(transport)
        for part in data:
            made.data_received(part)
        return made


def ended(connection: BoundedProtocol) -> bool:
    return bool(connection.transport.is_closing())


@pytest.mark.parametrize("sent", [(), (b"G",), (HALF,), (BODY,)])
def test_half_a_request_is_dropped(sent: tuple[bytes, ...]) -> None:
    all_of_them = Connections()
    half = [all_of_them.open(*sent) for _ in range(200)]
    all_of_them.loop.go_on(REQUEST_SECONDS - 0.1)
    assert not any(map(ended, half))
    all_of_them.loop.go_on(0.2)
    assert all(map(ended, half)) and not all_of_them.state.connections


def test_a_byte_now_and_then_does_not_help() -> None:
    all_of_them = Connections()
    slow = all_of_them.open(HALF)
    for _ in range(30):
        all_of_them.loop.go_on(REQUEST_SECONDS / 20)
        if not ended(slow):
            slow.data_received(b"a")
    assert ended(slow) and all_of_them.loop.now <= 1.6 * REQUEST_SECONDS


def test_a_whole_request_is_waited_for_as_long_as_its_answer_takes() -> None:
    all_of_them = Connections()
    whole = all_of_them.open(WHOLE[:20], WHOLE[20:])
    all_of_them.loop.go_on(100 * REQUEST_SECONDS)
    assert not ended(whole)


def test_where_there_are_too_many_the_oldest_half_makes_room() -> None:
    all_of_them = Connections(most=3)
    answered = all_of_them.open(WHOLE)
    all_of_them.loop.go_on(1.0)
    older = all_of_them.open(HALF)
    all_of_them.loop.go_on(1.0)
    younger = all_of_them.open(HALF)
    new = all_of_them.open(WHOLE)
    assert ended(older) and not any(map(ended, (answered, younger, new)))
    another = all_of_them.open(WHOLE)
    assert ended(younger) and not ended(another)
    refused = all_of_them.open(HALF)
    assert ended(refused) and not any(map(ended, (answered, new, another)))
    refused.connection_lost(None)


# --- over real sockets


@contextmanager
def half_sent(view: LiveView, count: int, data: bytes) -> Iterator[list[socket.socket]]:
    with ExitStack() as opened:
        found = []
        for _ in range(count):
            one = socket.create_connection(("127.0.0.1", view.server.port), timeout=LIMIT)
            opened.enter_context(one)
            one.sendall(data)
            found.append(one)
        yield found


def wait_until_closed(one: socket.socket) -> None:
    """Read what the server answers, to the end."""
    with suppress(ConnectionError):
        while one.recv(65536):
            pass


@pytest.mark.parametrize("data", [HALF, BODY, b"GET /ws HTTP/1.1\r\nUpgrade: websocket\r\nSec-"])
def test_half_requests_are_dropped_and_pages_open(
    watched: LiveView, page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch, data: bytes
) -> None:
    monkeypatch.setattr(BoundedProtocol, "request_seconds", 0.2)
    with half_sent(watched, 40, data) as sockets:
        assert httpx.get(watched.url, timeout=LIMIT).status_code == 200
        for one in sockets:
            wait_until_closed(one)
    page().flying()


def test_pages_open_while_others_hold_all_connections(
    watched: LiveView, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BoundedProtocol, "most_connections", 20)
    with half_sent(watched, 60, HALF):
        for _ in range(3):
            assert httpx.get(watched.url, timeout=LIMIT).status_code == 200
