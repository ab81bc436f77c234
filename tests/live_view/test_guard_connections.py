"""Incomplete requests are dropped after a time, by a clock that the test sets, and the number of
connections is bounded."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import httpx
import pytest
from conftest_live import RemotePage
from uvicorn import Config
from uvicorn.server import ServerState

from murmurate.live_view import LiveView
from murmurate.live_view.guard import REQUEST_SECONDS, BoundedProtocol
from processes import LIMIT

HALF = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
COMPLETE = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
BODY = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nab"


class Timer:
    """A scheduled call of a loop."""

    def __init__(self, when: float, call: Callable[[], None]) -> None:
        self.when, self.call = when, call

    def cancel(self) -> None:
        self.call = lambda: None


class Task:
    """A task that never runs."""

    def add_done_callback(self, _: Any) -> None:
        """Do nothing."""


class Loop:
    """An event loop with a clock that the test sets."""

    def __init__(self) -> None:
        self.seconds, self.timers = 0.0, list[Timer]()

    def time(self) -> float:
        return self.seconds

    def call_later(self, seconds: float, call: Callable[[], None]) -> Timer:
        self.timers.append(Timer(self.seconds + seconds, call))
        return self.timers[-1]

    def create_task(self, coroutine: Any, **_: Any) -> Task:
        coroutine.close()
        return Task()

    def advance(self, seconds: float) -> None:
        end = self.seconds + seconds
        while due := sorted((t for t in self.timers if t.when <= end), key=lambda t: t.when):
            self.seconds = due[0].when
            self.timers.remove(due[0])
            due[0].call()
        self.seconds = end


class Transport:
    """A transport that records whether it was closed."""

    def __init__(self) -> None:
        self.closed, self.protocol, self.sent = False, None, b""

    def abort(self) -> None:
        self.closed = True

    close = abort

    def is_closing(self) -> bool:
        return self.closed

    def get_protocol(self) -> Any:
        return self.protocol

    def set_protocol(self, protocol: Any) -> None:
        self.protocol = protocol

    def get_extra_info(self, _: str, default: Any = None) -> Any:
        return default

    def write(self, data: bytes) -> None:
        self.sent += data

    def pause_reading(self) -> None:
        """Do nothing."""

    resume_reading = set_write_buffer_limits = pause_reading


class Connections:
    """Connections of one server, with one clock."""

    def __init__(self, max_connections: int = 256) -> None:
        self.loop, self.state, self.limit = Loop(), ServerState(), max_connections
        self.config = Config(lambda *_: None, log_config=None)

    def open(self, *data: bytes) -> BoundedProtocol:
        connection = BoundedProtocol(self.config, self.state, {}, _loop=self.loop)
        connection.max_connections = self.limit
        transport = Transport()
        transport.protocol = connection
        connection.connection_made(transport)
        for part in data:
            connection.data_received(part)
        return connection


def is_closed(connection: BoundedProtocol) -> bool:
    return bool(connection.transport.is_closing())


@pytest.mark.parametrize("sent", [(), (b"G",), (HALF,), (BODY,)])
def test_incomplete_requests_are_dropped(sent: tuple[bytes, ...]) -> None:
    connections = Connections()
    half = [connections.open(*sent) for _ in range(200)]
    connections.loop.advance(REQUEST_SECONDS - 0.1)
    assert not any(map(is_closed, half))
    connections.loop.advance(0.2)
    assert all(map(is_closed, half)) and not connections.state.connections


def test_single_bytes_do_not_extend_the_limit() -> None:
    connections = Connections()
    slow = connections.open(HALF)
    for _ in range(30):
        connections.loop.advance(REQUEST_SECONDS / 20)
        if not is_closed(slow):
            slow.data_received(b"a")
    assert is_closed(slow) and connections.loop.seconds <= 1.6 * REQUEST_SECONDS


def test_a_complete_request_has_no_time_limit() -> None:
    connections = Connections()
    complete = connections.open(COMPLETE[:20], COMPLETE[20:])
    connections.loop.advance(100 * REQUEST_SECONDS)
    assert not is_closed(complete)


def test_the_oldest_incomplete_request_is_closed_for_a_new_one() -> None:
    connections = Connections(max_connections=3)
    answered = connections.open(COMPLETE)
    connections.loop.advance(1.0)
    older = connections.open(HALF)
    connections.loop.advance(1.0)
    younger = connections.open(HALF)
    new = connections.open(COMPLETE)
    assert is_closed(older) and not any(map(is_closed, (answered, younger, new)))
    another = connections.open(COMPLETE)
    assert is_closed(younger) and not is_closed(another)
    refused = connections.open(HALF)
    assert is_closed(refused) and not any(map(is_closed, (answered, new, another)))
    refused.connection_lost(None)


# --- over real sockets


@contextmanager
def send_incomplete(view: LiveView, count: int, data: bytes) -> Iterator[list[socket.socket]]:
    with ExitStack() as opened:
        sockets = []
        for _ in range(count):
            connection = socket.create_connection(("127.0.0.1", view.server.port), timeout=LIMIT)
            opened.enter_context(connection)
            connection.sendall(data)
            sockets.append(connection)
        yield sockets


def wait_until_closed(connection: socket.socket) -> None:
    """Read the server's response to its end."""
    with suppress(ConnectionError):
        while connection.recv(65536):
            pass


@pytest.mark.parametrize("data", [HALF, BODY, b"GET /ws HTTP/1.1\r\nUpgrade: websocket\r\nSec-"])
def test_pages_open_while_incomplete_requests_are_dropped(
    live_view: LiveView,
    open_remote: Callable[..., RemotePage],
    monkeypatch: pytest.MonkeyPatch,
    data: bytes,
) -> None:
    monkeypatch.setattr(BoundedProtocol, "request_seconds", 0.2)
    with send_incomplete(live_view, 40, data) as sockets:
        assert httpx.get(live_view.url, timeout=LIMIT).status_code == 200
        for connection in sockets:
            wait_until_closed(connection)
    open_remote().wait_until_running()


def test_pages_open_while_clients_hold_all_connections(
    live_view: LiveView, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BoundedProtocol, "max_connections", 20)
    with send_incomplete(live_view, 60, HALF):
        for _ in range(3):
            assert httpx.get(live_view.url, timeout=LIMIT).status_code == 200
