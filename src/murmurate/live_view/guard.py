"""Guard: check token, host and origin; add security headers; limit time and number of connections.

A client may open a connection and send half a request, or one byte from time to time. Each such
connection holds a file descriptor and memory, and a few hundred of them would block the server. So
a request, headers and body, must be complete within REQUEST_SECONDS. When MAX_CONNECTIONS are
open, the one that has waited longest is closed for a new one.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
from collections.abc import Collection
from typing import Any
from urllib.parse import urlsplit

import h11
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket
from uvicorn.protocols.http.h11_impl import H11Protocol

LOOPBACK = ("localhost", "127.0.0.1", "::1")
REQUEST_SECONDS = 10.0  # until a request must be complete
MAX_CONNECTIONS = 256  # including the websockets of pages
_SECURITY_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


def tokens_match(token: str, expected: str) -> bool:
    """Return whether a token is correct, in constant time."""
    return hmac.compare_digest(token.encode("utf-8", "replace"), expected.encode())


def host_problem(host: str, names: tuple[str, ...]) -> str:
    """Return why a Host header is refused; empty if it is accepted.

    A foreign page can map its own domain name to this machine's address (DNS rebinding), but the
    header then contains that name. Any port is accepted, because a tunnel may use another one.

    names  the names and addresses of this server; "*" accepts any IP address, because an address
           cannot be rebound
    """
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".").lower()
        _ = urlsplit(f"//{host}").port
    except ValueError:
        name = ""
    if name in names or ("*" in names and _is_address(name)):
        return ""
    accepted = ", ".join(word for word in names if word != "*")
    return f"host: got {host[:100]!r}; expected one of {accepted}"


def origin_problem(origin: str | None, host: str, origins: Collection[str] = ()) -> str:
    """Return why a websocket from a page of this origin is refused; empty if it is accepted.

    Browsers always send the origin. Other clients may omit it; they need the token as well.

    origins  other origins whose pages may watch
    """
    if origin is None or origin.lower() in origins:
        return ""
    try:
        parts = urlsplit(origin)
        if parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower():
            return ""
    except ValueError:
        pass
    return (
        f"a page from {origin[:100]!r} may not watch: open the address that murmurate printed, or "
        "name that page by --origin"
    )


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class SecurityMiddleware:
    """Refuse requests for other hosts, and add security headers to all responses."""

    def __init__(self, app: ASGIApp, names: tuple[str, ...]) -> None:
        self._app, self._names = app, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return
        host = Headers(scope=scope).get("host", "")
        if problem := host_problem(host, self._names):
            refusal = PlainTextResponse(problem, 403)
            if scope["type"] == "websocket":
                await WebSocket(scope, receive, send).send_denial_response(refusal)
            else:
                await refusal(scope, receive, send)
            return
        policy = (
            "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
            f"connect-src 'self' ws://{host} wss://{host}; img-src 'self' data: blob:; "
            "font-src 'self' data:; worker-src 'self' blob:; base-uri 'none'; "
            "form-action 'none'; frame-ancestors 'none'"
        )

        async def send_with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                headers = {**_SECURITY_HEADERS, "content-security-policy": policy}
                message["headers"] = [
                    *message.get("headers", []),
                    *((name.encode(), value.encode("latin-1")) for name, value in headers.items()),
                ]
            await send(message)

        await self._app(scope, receive, send_with_headers)


class BoundedProtocol(H11Protocol):
    """HTTP with a time limit per request and a limit on connections; see the module docstring."""

    request_seconds = REQUEST_SECONDS
    max_connections = MAX_CONNECTIONS

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._deadline: asyncio.TimerHandle | None = None
        self._wait_start = 0.0  # start of the pending request, by the loop's clock

    def connection_made(self, transport: Any) -> None:
        if len(self.connections) >= self.max_connections and not self._close_oldest():
            self.transport = transport
            transport.abort()
            return
        super().connection_made(transport)
        self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        if self.flow is not None:  # None for a connection that was refused immediately
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.flow is None:
            return
        super().data_received(data)
        if self.transport.get_protocol() is not self or self._is_complete():
            self._stop_waiting()
        elif self._deadline is None:
            self._await_request()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY and self._deadline is None:
            self._await_request()  # the rest of an unread body

    def _is_complete(self) -> bool:
        """Return whether the pending request is complete, or none is pending."""
        if self.conn.their_state is h11.IDLE:
            return not self.conn.trailing_data[0]
        return self.conn.their_state is not h11.SEND_BODY

    def _await_request(self) -> None:
        self._wait_start = self.loop.time()
        self._deadline = self.loop.call_later(self.request_seconds, self._expire)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _expire(self) -> None:
        """Close the connection without a response: no request is complete."""
        self._deadline = None
        self.connections.discard(self)
        self.transport.abort()

    def _close_oldest(self) -> bool:
        """Close the connection whose request has been pending longest, or else an idle one. Return
        whether one was closed."""
        bounded = [other for other in self.connections if isinstance(other, BoundedProtocol)]
        pending = [other for other in bounded if other._deadline is not None]
        # idle connections have their response, and stay open for another request
        idle = [other for other in bounded if other.timeout_keep_alive_task is not None]
        if pending:
            min(pending, key=lambda other: other._wait_start)._close()
        elif idle:
            idle[0]._close()
        return bool(pending or idle)

    def _close(self) -> None:
        self._stop_waiting()
        self._expire()
