"""Client: one connected page. It checks and handles the page's messages, and queues messages to it.

The queue is bounded: of frames, states and the like, only the newest is stored. The transport (a
websocket or a notebook) passes incoming messages to `receive`, and sends what `outgoing` returns
when `wake` is called.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Unpack

from murmurate.errors import MurmurateError
from murmurate.live_view import messages
from murmurate.live_view.broadcast import PointerForce
from murmurate.live_view.handlers import handle
from murmurate.live_view.messages import Credit, MessageError
from murmurate.live_view.server_messages import ReplyFields, ReplyMessage, ServerMessage
from murmurate.live_view.session import Session

FIRST_CREDIT = 2  # frames that a page receives before it has drawn one
NEWEST_ONLY = ("status", "boid", "obstacles")  # messages that replace an earlier one of their type
MAX_QUEUED_MESSAGES = 1024
MAX_PENDING_REQUESTS = 64
MAX_MESSAGE_RATE = 60.0  # messages per second
MAX_EXCESS_MESSAGES = 2000  # above the limit, before a page is dismissed

logger = logging.getLogger(__name__)


class Client:
    """One page, which is a Subscriber of its session.

    wake  called from any thread when there is something to send
    rgb   whether its frames carry colours
    over  why the page was dismissed; empty while it is connected
    """

    def __init__(self, session: Session, wake: Callable[[], object], *, rgb: bool = False) -> None:
        self.session, self._wake, self._rgb = session, wake, rgb
        self.neighbours, self.number = False, ""
        self.chosen: tuple[str, int] | None = None
        self.pointer_force: PointerForce | None = None
        self.over = ""
        self._credit, self._last_serial = FIRST_CREDIT, 0
        self._queue: deque[list[str]] = deque()  # type, text
        self._lock = threading.Lock()
        self._message_limit = TokenBucket(MAX_MESSAGE_RATE, 240)
        self._frequent_limit = TokenBucket(500, 2000)  # credits, commands
        self._refusal_limit = TokenBucket(1, 1)
        self._excess, self._pending = 0, 0
        session.join(self)

    def leave(self) -> None:
        """Disconnect the page."""
        self.session.leave(self)

    # --- to the page

    @property
    def waiting(self) -> bool:
        """Whether the page waits for a frame."""
        return self._credit > 0

    @property
    def queued(self) -> int:
        """Number of messages that wait to be sent."""
        return len(self._queue)

    def post(self, kind: str, text: str) -> None:
        """Queue a message of a type, as JSON text."""
        with self._lock:
            if self.over:
                return
            earlier = [item for item in self._queue if item[0] == kind and kind in NEWEST_ONLY]
            if earlier:
                earlier[0][1] = text
            else:
                self._queue.append([kind, text])
            if len(self._queue) > MAX_QUEUED_MESSAGES:
                self._dismiss("this page does not read its messages")
        self._wake()

    def send(self, message: ServerMessage) -> None:
        """Queue a message."""
        self.post(str(message["type"]), messages.encode(message))

    def wake(self) -> None:
        """Notify the page of a new frame."""
        if self._credit > 0:
            self._wake()

    def outgoing(self) -> list[str | bytes | bytearray]:
        """Return the queued texts, then a frame if the page has credit for one."""
        with self._lock:
            items: list[str | bytes | bytearray] = [text for _, text in self._queue]
            self._queue.clear()
            if self.over or self._credit < 1:
                return items
        serial, data = self.session.feed.encoded(
            self._last_serial, self.neighbours, self.number, self._rgb
        )
        if data is not None:
            with self._lock:
                self._credit -= 1
                self._last_serial = serial
            items.append(data)
        return items

    def dismiss(self, reason: str) -> None:
        """End the page's connection, after sending the reason."""
        with self._lock:
            self._dismiss(reason)
        self._wake()

    def _dismiss(self, reason: str) -> None:
        if not self.over:
            self.over = reason
            self._queue.clear()
            self._queue.append(["bye", messages.encode({"type": "bye", "reason": reason})])

    # --- from the page

    def receive(self, data: str | bytes) -> None:
        """Handle a message of the page, or reply why it is refused."""
        if self.over or not self._within_limits(data):
            return
        try:
            message = messages.decode(data)
        except MessageError as error:
            self._reply(error.message_id, error=str(error))
            return
        if isinstance(message, Credit):
            with self._lock:
                self._credit = min(FIRST_CREDIT, self._credit + message.frames)
            self._wake()
            return
        with self._lock:
            self._pending += 1
            full = self._pending > MAX_PENDING_REQUESTS
        if full:
            self._settle()
            self._reply(message.id, error="too many requests at a time: wait for an answer")
            return
        handle(self.session, self, message).add_done_callback(
            lambda future: self._reply_result(message, future)
        )

    def _within_limits(self, data: str | bytes) -> bool:
        """Return whether a message is within the rate limits; dismiss a page that floods."""
        is_frequent = isinstance(data, bytes) or (len(data) < 100 and '"credit"' in data)
        if (self._frequent_limit if is_frequent else self._message_limit).take():
            self._excess = max(0, self._excess - 1)
            return True
        self._excess += 1
        if self._excess > MAX_EXCESS_MESSAGES:
            self.dismiss("this page sent too many messages for too long")
        elif self._refusal_limit.take():
            error = f"too many messages: {MAX_MESSAGE_RATE:g} per second are read; some were lost"
            self._reply(None, error=error)
        return False

    def _settle(self) -> None:
        with self._lock:
            self._pending -= 1

    def _reply_result(self, message: messages.Request, future: Future[ReplyFields]) -> None:
        self._settle()
        if future.cancelled():
            self._reply(message.id, error="the session is over")
            return
        error = future.exception()
        if error is None:
            if message.id is not None:
                self._reply(message.id, **future.result())
        elif isinstance(error, MurmurateError):
            self._reply(message.id, error=str(error))
        else:
            logger.error("request %s failed", message.type, exc_info=error)
            problem = f"the request failed: {type(error).__name__}: {error}"
            self._reply(message.id, error=problem[:500])

    def _reply(
        self, message_id: int | None, error: str | None = None, **fields: Unpack[ReplyFields]
    ) -> None:
        reply: ReplyMessage = {"type": "reply", "to": message_id, "ok": error is None, **fields}
        if error is not None:
            reply["error"] = error
        self.send(reply)


class TokenBucket:
    """A rate limit that allows bursts.

    rate   tokens per second that are added
    burst  tokens at first, and at most
    clock  returns seconds
    """

    def __init__(
        self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._tokens, self._last_time = burst, clock()

    def take(self) -> bool:
        """Take a token. Returns False if none is left."""
        seconds = self._clock()
        added = (seconds - self._last_time) * self._rate
        self._tokens = min(self._burst, self._tokens + added)
        self._last_time = seconds
        if self._tokens < 1.0:
            return False
        self._tokens -= 1.0
        return True
