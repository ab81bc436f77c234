"""A small flock in flight, and pages that watch it, with and without a socket between."""

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
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

import murmurate as mm
import wire_decoder
from murmurate.engines.options import RunOptions
from murmurate.live_view import LiveView, Session, server
from murmurate.live_view.client import Client
from murmurate.live_view.live_view import start
from processes import LIMIT

PATIENCE = LIMIT  # seconds: kernels may have to be compiled

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
    """Forty boids on a torus."""
    model = mm.parse(TOML)
    return model.set(changes) if changes else model


class Talk(ABC):
    """What is said between a page and a session; `_send` and `_receive` carry it."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []
        self.frames: list[wire_decoder.DecodedFrame] = []
        self.credit = True
        self._id = 0

    @abstractmethod
    def _send(self, text: str | bytes) -> None: ...

    @abstractmethod
    def _receive(self) -> list[str | bytes | bytearray]: ...

    def say(self, kind: str, **more: Any) -> None:
        """A message without an id."""
        self._send(json.dumps({"type": kind, **more}))

    def ask(self, kind: str, **more: Any) -> dict[str, Any]:
        """A message, and its reply. States from before it are forgotten."""
        self._id += 1
        number = self._id
        kept = [message for message in self.heard if message["type"] != "status"]
        self.heard.clear()
        self.say(kind, id=number, **more)
        reply = self.until("reply", lambda m: m["to"] == number, kept)
        self.heard[:0] = kept
        return reply

    def done(self, kind: str, **more: Any) -> dict[str, Any]:
        """The same; it must have been done."""
        reply = self.ask(kind, **more)
        assert reply["ok"], reply
        return reply

    def listen(self) -> None:
        """Takes what is there."""
        for item in self._receive():
            if isinstance(item, str):
                self.heard.append(json.loads(item))
            else:
                self.frames.append(wire_decoder.decode(item))
                if self.credit:
                    with contextlib.suppress(ConnectionClosed):  # what came before is still read
                        self.say("credit", frames=1)

    def until(
        self,
        kind: str,
        check: Callable[[dict[str, Any]], object] = lambda m: True,
        passed: list[dict[str, Any]] | None = None,
    ) -> dict[str, Any]:
        """The next message of a kind that is as it should be; those before it go to `passed`."""
        end, seen = time.monotonic() + PATIENCE, 0
        while time.monotonic() < end:
            for message in self.heard[seen:]:
                seen += 1
                if message["type"] == kind and check(message):
                    if passed is not None:
                        passed += self.heard[: seen - 1]
                    del self.heard[:seen]
                    return message
            self.listen()
        raise AssertionError(f"no such {kind}: the last of {len(self.heard)}: {self.heard[-3:]}")

    def frame(
        self, check: Callable[[wire_decoder.DecodedFrame], object] = lambda f: True
    ) -> wire_decoder.DecodedFrame:
        """The newest frame, or the first after it that is as it should be."""
        end = time.monotonic() + PATIENCE
        del self.frames[:-1]
        while time.monotonic() < end:
            for frame in self.frames:
                if check(frame):
                    return frame
            del self.frames[:]
            self.listen()
        raise AssertionError("no such frame")

    def flying(self) -> None:
        """Until its kernels are compiled and it flies."""
        self.frame(lambda f: f.step > 0)


class Visitor(Talk):
    """A page that sits in the same process."""

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


class Page(Talk):
    """A page at the other end of a websocket."""

    def __init__(self, live_view: LiveView, flight: str = "", **options: Any) -> None:
        super().__init__()
        address = live_view.url.replace("http://", "ws://").replace("/?", "/ws?")
        address += f"&flight={quote(flight)}" if flight else ""
        options = {"max_size": None, "max_queue": None, "compression": None} | options
        self._opened = connect(address, **options)
        self.socket: ClientConnection = self._opened.__enter__()

    def _send(self, text: str | bytes) -> None:
        self.socket.send(text)

    def _receive(self) -> list[str | bytes | bytearray]:
        try:
            return [self.socket.recv(timeout=0.1)]
        except TimeoutError:
            return []

    def close(self) -> None:
        self._opened.__exit__(None, None, None)


@pytest.fixture
def fly() -> Iterator[Callable[..., Visitor]]:
    """Begins a session of a model, with one page that watches. With engine 'reference' nothing is
    compiled: for tests of what pages change, whichever engine simulates it."""
    sessions: list[Session] = []

    def begin(model: mm.Model | None = None, engine: str = "cpu", **options: Any) -> Visitor:
        asked = RunOptions(engine, seed=1, threads=1)
        session = Session(model or small(), asked, **options).start()
        sessions.append(session)
        return Visitor(session)

    yield begin
    for session in sessions:
        end(session.close, session)


def end(close: Callable[[], object], session: Session) -> None:
    """Close a session, and wait until its thread has ended: `close` alone waits only a moment."""
    close()
    session.flight._thread.join(LIMIT)
    assert not session.flight._thread.is_alive()


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[LiveView]:
    """A flock that is served. However late pages read, they hear that it is over."""
    monkeypatch.setattr(server, "FAREWELL", LIMIT)
    live_view = start(small(), RunOptions(seed=1, threads=1), port=0)
    yield live_view
    end(live_view.close, live_view.session)


@pytest.fixture
def page(watched: LiveView) -> Iterator[Callable[..., Page]]:
    """Opens pages on it."""
    opened: list[Page] = []

    def open_one(**options: Any) -> Page:
        made = Page(watched, **options)
        opened.append(made)
        return made

    yield open_one
    for made in opened:
        made.close()
