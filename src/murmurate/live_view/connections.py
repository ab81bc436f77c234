"""Connections of the live view's server that ask for nothing: they are closed, and their number is
bounded.

Whoever connects may send half a request and no more, or a byte of it now and then. Each such
connection holds a file descriptor and memory, and a few hundred of them keep everyone else out. So
a request, headers and body, must be there some seconds after its connection or its first byte, and
where there are as many connections as are allowed, the one that has waited longest makes room.
"""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS = 10.0  # until a whole request is there
MOST_CONNECTIONS = 256  # pages of the live view among them


class BoundedProtocol(H11Protocol):
    """HTTP with a time limit for requests and a limit of connections; see this module."""

    request_seconds = REQUEST_SECONDS
    most_connections = MOST_CONNECTIONS

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._deadline: asyncio.TimerHandle | None = None
        self._since = 0.0  # when the request that is awaited was begun, by the loop's clock

    def connection_made(self, transport: Any) -> None:
        if len(self.connections) >= self.most_connections and not self._make_room():
            self.transport = transport
            transport.abort()
            return
        super().connection_made(transport)
        self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        if self.flow is not None:  # one that was refused at once has no more to it
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.flow is None:
            return
        super().data_received(data)
        if self.transport.get_protocol() is not self or self._is_whole():
            self._stop_waiting()
        elif self._deadline is None:
            self._await_request()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY and self._deadline is None:
            self._await_request()  # the rest of a body that nobody has read

    def _is_whole(self) -> bool:
        """Whether nothing more of a request is awaited."""
        if self.conn.their_state is h11.IDLE:
            return not self.conn.trailing_data[0]
        return self.conn.their_state is not h11.SEND_BODY

    def _await_request(self) -> None:
        self._since = self.loop.time()
        self._deadline = self.loop.call_later(self.request_seconds, self._expire)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _expire(self) -> None:
        """The request has not come: nothing is answered, since nothing was asked."""
        self._deadline = None
        self.connections.discard(self)
        self.transport.abort()

    def _make_room(self) -> bool:
        """Close the connection whose request is awaited longest; whether there was one."""
        ours = [one for one in self.connections if isinstance(one, BoundedProtocol)]
        waiting = [one for one in ours if one._deadline is not None]
        # those that have their answer, and stay for a further request
        idle = [one for one in ours if one.timeout_keep_alive_task is not None]
        if waiting:
            min(waiting, key=lambda one: one._since)._close_now()
        elif idle:
            idle[0]._close_now()
        return bool(waiting or idle)

    def _close_now(self) -> None:
        self._stop_waiting()
        self._expire()
