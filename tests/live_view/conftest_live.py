"""A small flock, and drivers of pages that watch it, in this process and over a websocket."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

import pytest
from pydantic import ConfigDict, TypeAdapter
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

import murmurate as mm
import wire_decoder
from murmurate.engines.options import RunOptions
from murmurate.live_view import LiveView, Session
from murmurate.live_view.client import Client
from murmurate.live_view.server import start
from murmurate.live_view.server_messages import ServerMessage
from processes import LIMIT

TOML = """\
name = "small"
title = "A small flock"
[space]
size = [20, 20]
boundary = "periodic"
[flocks.boids]
count = 40
start = { kind = "box", velocity = { kind = "directions", speed = 0.5 } }
motion = { kind = "add", min_speed = 0.1, max_speed = 0.5 }
[rules.cohesion]
radius = 3
weight = 0.01
[rules.alignment]
radius = 3
weight = 0.1
"""


def small(**changes: Any) -> mm.Model:
    """Return a model of forty boids on a torus."""
    model = mm.parse(TOML)
    return model.set(changes) if changes else model


MESSAGE = TypeAdapter(tuple[ServerMessage], config=ConfigDict(extra="forbid"))


class PageDriver(ABC):
    """A page of a session. `_send` and `_receive` transport the messages.

    received  messages that no call has returned yet
    frames    frames since the last one that `frame` returned
    credit    whether it requests another frame for each frame that it receives
    """

    def __init__(self) -> None:
        self.received: list[dict[str, Any]] = []
        self.frames: list[wire_decoder.DecodedFrame] = []
        self.credit = True
        self._id = 0

    @abstractmethod
    def _send(self, text: str | bytes) -> None: ...

    @abstractmethod
    def _receive(self) -> list[str | bytes | bytearray]: ...

    def send(self, kind: str, **fields: Any) -> None:
        """Send a message without an id."""
        self._send(json.dumps({"type": kind, **fields}))

    def request(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a message and return its reply. Status messages from before it are dropped."""
        self._id += 1
        number = self._id
        earlier = [message for message in self.received if message["type"] != "status"]
        self.received.clear()
        self.send(kind, id=number, **fields)
        reply = self.wait_for("reply", lambda m: m["to"] == number, earlier)
        self.received[:0] = earlier
        return reply

    def do(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a message that must succeed, and return its reply."""
        reply = self.request(kind, **fields)
        assert reply["ok"], reply
        return reply

    def receive(self) -> None:
        """Read the messages and frames that have arrived."""
        for item in self._receive():
            if isinstance(item, str):
                self.received.append(json.loads(item))
                MESSAGE.validate_python((self.received[-1],))  # as the viewer's types say
            else:
                self.frames.append(wire_decoder.decode(item))
                if self.credit:
                    with contextlib.suppress(ConnectionClosed):  # earlier items can still be read
                        self.send("credit", frames=1)

    def wait_for(
        self,
        kind: str,
        check: Callable[[dict[str, Any]], object] = lambda m: True,
        skipped: list[dict[str, Any]] | None = None,
    ) -> dict[str, Any]:
        """Return the next message of a type that passes the check. Add those before it to
        `skipped`."""
        end, seen = time.monotonic() + LIMIT, 0
        while time.monotonic() < end:
            for message in self.received[seen:]:
                seen += 1
                if message["type"] == kind and check(message):
                    if skipped is not None:
                        skipped += self.received[: seen - 1]
                    del self.received[:seen]
                    return message
            self.receive()
        raise AssertionError(f"no matching {kind} message; the last were {self.received[-3:]}")

    def frame(
        self, check: Callable[[wire_decoder.DecodedFrame], object] = lambda f: True
    ) -> wire_decoder.DecodedFrame:
        """Return the newest frame, or the first one after it that passes the check."""
        end, step = time.monotonic() + LIMIT, None
        del self.frames[:-1]
        while time.monotonic() < end:
            for frame in self.frames:
                step = frame.step
                if check(frame):
                    return frame
            del self.frames[:]
            self.receive()
        raise AssertionError(f"no matching frame; the last was at step {step}")

    def wait_until_running(self) -> None:
        """Wait until the kernels are compiled and a step is made."""
        self.frame(lambda f: f.step > 0)


class LocalPage(PageDriver):
    """A page in this process."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.news = threading.Event()
        self.client = Client(session, self.news.set)

    def _send(self, text: str | bytes) -> None:
        self.client.receive(text)

    def _receive(self) -> list[str | bytes | bytearray]:
        self.news.wait(0.1)
        self.news.clear()
        return self.client.outgoing()


class RemotePage(PageDriver):
    """A page at the other end of a websocket.

    url     the address of the page
    flight  the name of a session to compare the watched one with
    """

    def __init__(self, url: str, flight: str = "", **options: Any) -> None:
        super().__init__()
        address = url.replace("http://", "ws://").replace("/?", "/ws?")
        address += f"&flight={quote(flight)}" if flight else ""
        options = {"max_size": None, "max_queue": None, "compression": None} | options
        self._connection = connect(address, **options)
        self.socket: ClientConnection = self._connection.__enter__()

    def _send(self, text: str | bytes) -> None:
        self.socket.send(text)

    def _receive(self) -> list[str | bytes | bytearray]:
        try:
            return [self.socket.recv(timeout=0.1)]
        except TimeoutError:
            return []

    def close(self) -> None:
        self._connection.__exit__(None, None, None)


@pytest.fixture
def open_page() -> Iterator[Callable[..., LocalPage]]:
    """Start a session of a model, with one page. Engine 'reference' compiles nothing."""
    sessions: list[Session] = []

    def open_page(
        model: mm.Model | None = None, engine: str = "reference", **options: Any
    ) -> LocalPage:
        run_options = RunOptions(engine, seed=1, threads=1)
        session = Session(model or small(), run_options, **options).start()
        sessions.append(session)
        return LocalPage(session)

    yield open_page
    for session in sessions:
        assert session.close(timeout=LIMIT)


@pytest.fixture
def live_view() -> Iterator[LiveView]:
    """A flock behind a server."""
    live_view = start(small(), RunOptions(seed=1, threads=1), port=0)
    yield live_view
    assert live_view.close(LIMIT)


@pytest.fixture
def open_remote(live_view: LiveView) -> Iterator[Callable[..., RemotePage]]:
    """Open pages of that flock over a websocket."""
    pages: list[RemotePage] = []

    def open_remote(**options: Any) -> RemotePage:
        pages.append(RemotePage(live_view.url, **options))
        return pages[-1]

    yield open_remote
    for page in pages:
        page.close()
