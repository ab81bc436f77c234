"""OSC: a flock's numbers to programs that speak Open Sound Control, and theirs to it, over UDP.

An address is /murmurate/ and the path of a number in the model, with / for its dots.

    out  /murmurate/flocks/NAME/positions/FIRST   x y (z) of LIST_BOIDS boids from index FIRST
         /murmurate/flocks/NAME/velocities/FIRST
         /murmurate/flocks/NAME/colours/FIRST     r g b from 0 to 1
         /murmurate/flocks/NAME/indices/FIRST     if boids join and leave
         /murmurate/flocks/NAME/measures/MEASURE
         /murmurate/frame                         step, time, boids: after the lists of a frame
         /murmurate/refused                       how many messages, and why the last one
    in   /murmurate/rules/cohesion/weight 0.05    and any other number
         /murmurate/flocks/NAME/commands/FIRST    vectors of boids from index FIRST; without FIRST
                                                  and numbers, all commands of the flock end
         /murmurate/flocks/NAME/positions/INDEX   moves a boid
         /murmurate/predator x y (z)              one more predator
         /murmurate/shoo, call                    x y (z) radius, as by the pointer; none: ends
         /murmurate/play, pause, restart, step, rate

Lists have floats only, which all programs read, and fit into one packet of an Ethernet. Wrong
messages are counted, and the first is reported.
"""

from __future__ import annotations

import json
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from functools import lru_cache
from typing import Any

import numpy as np

from murmurate.errors import AddressError, MurmurateError
from murmurate.frame import Frame
from murmurate.live_view import messages
from murmurate.live_view.broadcast import PointerForce
from murmurate.live_view.client import MAX_PENDING_REQUESTS, TokenBucket
from murmurate.live_view.handlers import handle
from murmurate.live_view.messages import Command, MessageError, Request
from murmurate.live_view.server_messages import ReplyFields
from murmurate.live_view.session import Session
from murmurate.optional import optional
from murmurate.show import scene

ROOT = "murmurate"
LIST_BOIDS = 64  # boids of a list: 960 bytes and the address in 3-D
MAX_LISTED = 20_000  # boids of a frame whose lists are sent
MAX_RATE = 1000.0  # messages per second that are read
MAX_INT = 2**31 - 1  # of OSC
READ_TYPES = frozenset(",ifsdhTF")
THREAD_NAME = "murmurate-osc"
BUTTONS = ("play", "pause", "restart")

logger = logging.getLogger(__name__)


def parse_address(text: str, option: str) -> tuple[str, int]:
    """Return host and port of 'HOST:PORT', or of 'PORT' on this machine. Raises AddressError."""
    host, _, port = text.rpartition(":")
    if not (port.isascii() and port.isdigit() and 0 <= int(port) < 65536):
        raise AddressError(
            f"{option}: got {text!r}; expected PORT or HOST:PORT, such as 9000 or 192.168.0.7:9000"
        )
    return host.strip("[]") or "127.0.0.1", int(port)


class Osc:
    """Sends frames of a session and receives messages, in two threads. It is a Subscriber.

    send_to     'HOST:PORT' of each receiver
    receive_on  'PORT', or 'HOST:PORT' with an address of this machine; '' receives nothing
    rate        frames per second, at most
    report      called with what is wrong with the first message
    port        the port that receives

    Raises AddressError.
    """

    chosen: tuple[str, int] | None = None
    pointer_force: PointerForce | None = None
    neighbours, number = False, ""

    def __init__(
        self,
        session: Session,
        send_to: Sequence[str] = (),
        receive_on: str = "",
        *,
        rate: float = 60.0,
        report: Callable[[str], object] = logger.warning,
    ) -> None:
        with optional("OSC", AddressError):
            import pythonosc.osc_packet  # noqa: F401
        if not 0 < rate <= 1000:
            raise AddressError(f"osc rate: got {rate:g}; expected more than 0 and at most 1000")
        self.session, self._seconds, self._report = session, 1.0 / rate, report
        self._receivers: list[_Receiver] = []
        self._socket: socket.socket | None = None
        try:
            for text in send_to:
                self._receivers.append(_Receiver(text))
            self._socket = _listen(receive_on) if receive_on else None
        except AddressError:
            self._close_sockets()
            raise
        self.port = self._socket.getsockname()[1] if self._socket else 0
        self.refused = 0
        self._limit = TokenBucket(MAX_RATE, 2 * MAX_RATE)
        self._pending, self._due = 0, 0.0
        self._measures: str | None = None
        self._news, self._over, self._lock = threading.Event(), threading.Event(), threading.Lock()
        works = [self._send] + ([self._receive] if self._socket else [])
        self._threads = [
            threading.Thread(target=work, name=THREAD_NAME, daemon=True) for work in works
        ]
        logging.getLogger().addFilter(_quiet)  # python-osc warns of each message
        session.join(self)
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """End, and report how many messages were refused."""
        self.dismiss("")
        self.session.leave(self)
        for thread in self._threads:
            thread.join(1.0)
        self._close_sockets()
        if self.refused > 1:
            self._report(f"OSC: {self.refused:,} messages were refused, the first as said above")

    def _close_sockets(self) -> None:
        for receiver in self._receivers:
            receiver.close()
        if self._socket:
            self._socket.close()

    # --- as a subscriber

    @property
    def waiting(self) -> bool:
        """Whether a frame is due."""
        return bool(self._receivers) and time.monotonic() >= self._due

    def post(self, kind: str, text: str) -> None:
        """Take the points of the charts; other messages are for pages."""
        if kind == "measures":
            self._measures = text

    def wake(self) -> None:
        """Notify of a new frame."""
        self._news.set()

    def dismiss(self, reason: str) -> None:
        """End the threads."""
        self._over.set()
        self._news.set()

    # --- out

    def _send(self) -> None:
        last: Frame | None = None
        while not self._over.is_set():
            self._news.wait()
            self._news.clear()
            frame = self.session.feed.frame
            if frame is last or not self._receivers:
                continue
            last, self._due = frame, time.monotonic() + 0.95 * self._seconds
            try:
                packets = [*self._frame_packets(frame), *self._measure_packets()]
            except MurmurateError as error:
                self._refuse(str(error))
                continue
            for receiver in self._receivers:
                receiver.send(packets)
            self._over.wait(self._due - time.monotonic())

    def _frame_packets(self, frame: Frame) -> Iterator[bytes]:
        if frame.n_boids <= MAX_LISTED:
            colours = self.session.feed.colours(frame) / np.float32(255.0)
            indices = scene.indices(self.session.runner.simulation.model, frame)
            first = 0
            for number, flock in enumerate(frame.values()):
                path = f"/{ROOT}/flocks/{flock.name}"
                columns = {
                    "positions": flock.positions,
                    "velocities": flock.velocities,
                    "colours": colours[first : first + len(flock)],
                }
                for name, rows in columns.items():
                    yield from _lists(f"{path}/{name}", np.nan_to_num(rows))
                if indices is not None:
                    yield from _lists(f"{path}/indices", indices[number][:, None])
                first += len(flock)
        step = min(frame.step, MAX_INT)
        yield _message(f"/{ROOT}/frame", step, float(frame.time), frame.n_boids)

    def _measure_packets(self) -> Iterator[bytes]:
        text, self._measures = self._measures, None
        points = json.loads(text)["points"] if text else []
        for flock, values in points[-1]["flocks"].items() if points else ():
            for name, value in values.items():
                if value is not None:
                    yield _message(f"/{ROOT}/flocks/{flock}/measures/{name}", float(value))

    # --- in

    def _receive(self) -> None:
        from pythonosc.osc_packet import OscPacket

        assert self._socket is not None
        while not self._over.is_set():
            try:
                data = self._socket.recv(65536)
            except TimeoutError:
                continue
            except OSError:
                if self._over.is_set():
                    return
                continue
            try:
                contents = [item.message for item in OscPacket(data).messages]
            except Exception as error:  # any of struct, unicode, recursion
                self._refuse(f"{len(data)} bytes that are not OSC: {error}")
                continue
            for content in contents:
                self._accept(content)

    def _accept(self, content: Any) -> None:
        """Pass a message to the session, or count it."""
        if not self._limit.take() or self._pending >= MAX_PENDING_REQUESTS:
            self._refuse(f"too many messages: {MAX_RATE:g} per second are read; some were lost")
            return
        label = content.address[:100]
        try:
            if not _tags(content.dgram) <= READ_TYPES:
                raise MessageError("got other types; expected numbers, words, true and false")
            request = self._request(content.address.split("/")[1:], _values(content.params))
        except (MessageError, ValueError, MurmurateError) as error:
            self._refuse(f"{label}: {error}")
            return
        if request is not None:
            with self._lock:
                self._pending += 1
            handle(self.session, self, request).add_done_callback(
                lambda future: self._settle(label, future)
            )

    def _request(self, words: list[str], values: list[Any]) -> Request | None:
        """Return the request of a message; None for a released button. Raises MessageError."""
        dims = self.session.controller.requested.space.dims
        match words:
            case [root, *_] if root != ROOT:
                raise MessageError(f"expected an address that begins with /{ROOT}/")
            case [_, word] if word in (*BUTTONS, "step") and values[:1] in ([0], [False]):
                return None
            case [_, word] if word in BUTTONS:
                return messages.check({"type": word})
            case [_, "step"]:
                return messages.check({"type": "step", "steps": values[0] if values else 1})
            case [_, "rate"]:
                return messages.check({"type": "rate", "steps_per_second": [*values, 0][0]})
            case [_, "predator"]:
                return messages.check({"type": "place", "position": values})
            case [_, ("shoo" | "call") as word]:
                *position, radius = values or (1.0,)  # without numbers it ends
                return messages.check(
                    {
                        "type": "shoo",
                        "position": position or None,
                        "radius": radius,
                        "call": word == "call",
                    }
                )
            case [_, "flocks", flock, "commands"] if not values:
                return Command(flock, None)
            case [_, "flocks", flock, "commands", first]:
                if not first.isdecimal() or len(first) > 9 or len(values) % dims:
                    raise MessageError(
                        f"got {len(values)} numbers from boid {first!r} on; expected {dims} for "
                        "each boid, from the index of one on"
                    )
                vectors = np.array(values, np.float32).reshape(-1, dims)
                return Command(flock, vectors, int(first) + np.arange(len(vectors)))
            case [_, "flocks", flock, "positions", boid]:
                return messages.check(
                    {"type": "move", "flock": flock, "boid": boid, "position": values}
                )
        value = values[0] if len(values) == 1 else values
        return messages.check({"type": "set", "values": {".".join(words[1:]): value}})

    def _settle(self, label: str, future: Future[ReplyFields]) -> None:
        with self._lock:
            self._pending -= 1
        error = None if future.cancelled() else future.exception()
        if error is not None:
            if not isinstance(error, MurmurateError):
                logger.error("%s failed", label, exc_info=error)
            self._refuse(f"{label}: {error}")

    def _refuse(self, text: str) -> None:
        with self._lock:
            self.refused += 1
            count = self.refused
        if count == 1:
            self._report(f"OSC: {text}. Only the first message that is refused is printed")
        for receiver in self._receivers:
            receiver.send([_message(f"/{ROOT}/refused", min(count, MAX_INT), text[:300])])


class _Receiver:
    """An address to which packets are sent."""

    def __init__(self, text: str) -> None:
        host, port = parse_address(text, "--osc-out")
        self._socket, self._address = _socket(host, port, "--osc-out")
        self._socket.setblocking(False)

    def send(self, packets: Sequence[bytes]) -> None:
        """Send packets, without waiting: those that the system cannot take are lost."""
        for packet in packets:
            try:
                self._socket.sendto(packet, self._address)
            except OSError:  # nobody listens, or the buffer is full
                continue

    def close(self) -> None:
        self._socket.close()


def _socket(host: str, port: int, option: str) -> tuple[socket.socket, Any]:
    """Return a UDP socket for a host, and its address. Raises AddressError."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0]
        return socket.socket(family, socket.SOCK_DGRAM), address
    except (OSError, UnicodeError) as error:
        raise AddressError(f"{option}: got host {host!r}, which is not known: {error}") from None


def _listen(text: str) -> socket.socket:
    host, port = parse_address(text, "--osc-in")
    listening, address = _socket(host, port, "--osc-in")
    try:
        listening.bind(address)
    except OSError as error:
        listening.close()
        raise AddressError(
            f"--osc-in {text}: cannot listen: {error.strerror}. Choose another port, and an "
            "address of this machine"
        ) from None
    listening.settimeout(0.2)
    return listening


def _quiet(record: logging.LogRecord) -> bool:
    """Return whether a log record is to be printed: not those of python-osc in these threads."""
    return record.threadName != THREAD_NAME or record.module not in ("osc_message", "osc_bundle")


# --- messages


@lru_cache(maxsize=8192)
def _head(address: str, count: int, kind: str) -> bytes:
    """Return the head of a list of numbers, which have 4 bytes each, of type 'f' or 'i'."""
    from pythonosc.osc_message_builder import OscMessageBuilder

    builder = OscMessageBuilder(address)
    for _ in range(count):
        builder.add_arg(0, kind)
    return builder.build().dgram[: len(builder.build().dgram) - 4 * count]


def _lists(address: str, rows: np.ndarray) -> Iterator[bytes]:
    """Yield messages with the rows (N, C) of all boids, LIST_BOIDS in each."""
    kind = "f" if rows.dtype.kind == "f" else "i"
    for first in range(0, len(rows), LIST_BOIDS):
        part = rows[first : first + LIST_BOIDS].astype(f">{kind}4")
        yield _head(f"{address}/{first}", part.size, kind) + part.tobytes()


def _message(address: str, *values: Any) -> bytes:
    from pythonosc.osc_message_builder import build_msg

    return build_msg(address, values).dgram


def _tags(data: bytes) -> set[str]:
    """Return the types of a message's values."""
    from pythonosc.parsing.osc_types import get_string

    _, index = get_string(data, 0)
    return set(get_string(data, index)[0]) if data[index:] else set()


def _values(values: Sequence[Any]) -> list[Any]:
    """Return a message's values, with floats in the shortest form of single precision: 0.05."""
    with np.errstate(over="ignore"):  # of a double
        return [
            float(str(np.float32(value)))
            if isinstance(value, float) and np.float32(value) == value
            else value
            for value in values
        ]
