"""Client: one connected page. Its messages are checked and handled; what it is to be sent waits
here, and never grows: of frames, states and the like only the newest is kept.

Whatever carries the messages (a websocket, a notebook) calls `receive` with what came in, and
`outgoing` for what is to go out, when it is woken.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from murmurate.errors import MurmurateError
from murmurate.live_view import messages
from murmurate.live_view.handlers import handle
from murmurate.live_view.messages import BadMessage, Credit
from murmurate.live_view.rate_limit import Bucket
from murmurate.live_view.session import Session
from murmurate.live_view.shoo import Push

CREDIT = 2  # frames a page is sent before it has drawn one
NEWEST = ("status", "boid", "obstacles")  # of these only the newest matters
MOST_WAITING = 1024  # messages
MOST_PENDING = 64  # requests without a reply yet
PATIENCE = 2000  # messages over the limit before a page is dismissed

logger = logging.getLogger(__name__)


class Client:
    """One page; a Subscriber of its session.

    wake  called, from any thread, when there is something to send
    over  why it was dismissed; empty while it is welcome
    """

    def __init__(self, session: Session, wake: Callable[[], object]) -> None:
        self.session, self._wake = session, wake
        self.neighbours = False
        self.chosen: tuple[str, int] | None = None
        self.shoo: Push | None = None
        self.over = ""
        self._credit, self._seen = CREDIT, 0
        self._waiting: deque[list[str]] = deque()
        self._lock = threading.Lock()
        self._message_limit, self._credit_limit = Bucket(60, 240), Bucket(500, 2000)
        self._refusal_limit = Bucket(1, 1)
        self._excess, self._pending = 0, 0
        session.join(self)

    def leave(self) -> None:
        """The page is gone."""
        self.session.leave(self)

    # --- to the page

    def post(self, kind: str, text: str) -> None:
        """Queues a message of a kind, as JSON text."""
        with self._lock:
            if self.over:
                return
            if kind in NEWEST:
                for item in self._waiting:
                    if item[0] == kind:
                        item[1] = text
                        break
                else:
                    self._waiting.append([kind, text])
            else:
                self._waiting.append([kind, text])
            if len(self._waiting) > MOST_WAITING:
                self._dismiss("this page does not read what it is sent")
        self._wake()

    def tell(self, message: dict[str, Any]) -> None:
        """Queues a message."""
        self.post(str(message["type"]), messages.text(message))

    def wake(self) -> None:
        """There is a new frame."""
        if self._credit > 0:
            self._wake()

    def outgoing(self) -> list[str | bytes | bytearray]:
        """What is to be sent now: texts, then a frame if it has credit for one."""
        with self._lock:
            out: list[str | bytes | bytearray] = [text for _, text in self._waiting]
            self._waiting.clear()
            if self.over or self._credit < 1:
                return out
        serial, data = self.session.feed.encoded(self._seen, self.neighbours)
        if data is not None:
            with self._lock:
                self._credit -= 1
                self._seen = serial
            out.append(data)
        return out

    def dismiss(self, reason: str) -> None:
        """Ends its connection, once the reason has been sent."""
        with self._lock:
            self._dismiss(reason)
        self._wake()

    def _dismiss(self, reason: str) -> None:
        if not self.over:
            self.over = reason
            self._waiting.clear()
            self._waiting.append(["bye", messages.text({"type": "bye", "reason": reason})])

    # --- from the page

    def receive(self, data: str | bytes) -> None:
        """One message of the page: handled, or answered with why not."""
        if self.over:
            return
        credit = isinstance(data, str) and len(data) < 100 and '"credit"' in data
        if not (self._credit_limit if credit else self._message_limit).take():
            self._excess += 1
            if self._excess > PATIENCE:
                self.dismiss("this page sent too many messages for too long")
            elif self._refusal_limit.take():
                self._reply(None, error="too many messages: 60 a second are read; some were not")
            return
        self._excess = max(0, self._excess - 1)
        try:
            message = messages.read(data)
        except BadMessage as error:
            self._reply(error.to, error=str(error))
            return
        if isinstance(message, Credit):
            with self._lock:
                self._credit = min(CREDIT, self._credit + message.frames)
            self._wake()
            return
        with self._lock:
            self._pending += 1
            full = self._pending > MOST_PENDING
        if full:
            self._settled()
            self._reply(message.id, error="too many requests at a time: wait for an answer")
            return
        handle(self.session, self, message).add_done_callback(
            lambda future: self._done(message, future)
        )

    def _settled(self) -> None:
        with self._lock:
            self._pending -= 1

    def _done(self, message: messages.Message, future: Future[dict[str, Any]]) -> None:
        self._settled()
        to = message.id
        if future.cancelled():
            self._reply(to, error="the session is over")
            return
        error = future.exception()
        if error is None:
            if to is not None:
                self._reply(to, **future.result())
        elif isinstance(error, MurmurateError):
            self._reply(to, error=str(error))
        else:
            logger.error("%s failed", type(message).__name__.lower(), exc_info=error)
            self._reply(to, error=f"that failed: {type(error).__name__}: {error}"[:500])

    def _reply(self, to: int | None, error: str | None = None, **more: Any) -> None:
        reply: dict[str, Any] = {"type": "reply", "to": to, "ok": error is None}
        self.tell(reply | ({} if error is None else {"error": error}) | more)
