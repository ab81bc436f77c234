"""Guard: checks of token, host and origin, and the headers of all answers."""

from __future__ import annotations

import hmac
import ipaddress
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

LOOPBACK = ("localhost", "127.0.0.1", "::1")
_SECURITY = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


def same_token(given: str, token: str) -> bool:
    """Whether the token is right; takes as long for a wrong one."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), token.encode())


def host_problem(host: str, names: tuple[str, ...]) -> str:
    """Why an address in the Host header is refused; empty if it is not.

    A page elsewhere can give its own name the address of this machine (DNS rebinding), but then it
    has its own name in the header. Ports are free, so that a tunnel may have another one.

    names  names and addresses that this server goes by; "*" lets in any that is a plain address,
           since those cannot be rebound
    """
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".").lower()
        _ = urlsplit(f"//{host}").port
    except ValueError:
        name = ""
    if name in names or ("*" in names and _is_address(name)):
        return ""
    known = ", ".join(word for word in names if word != "*")
    return f"the address {host[:100]!r} is not one of this server's ({known})"


def origin_problem(origin: str | None, host: str) -> str:
    """Why a websocket from a page of this origin is refused; empty if it is not. Browsers always
    say where a page is from; what is no browser says nothing, and needs the token anyway."""
    if origin is None:
        return ""
    try:
        parts = urlsplit(origin)
        if parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower():
            return ""
    except ValueError:
        pass
    return f"a page from {origin[:100]!r} may not watch: open the address that murmurate printed"


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Guarded:
    """Lets in requests for a server's own names only; adds safe headers to all answers."""

    def __init__(self, inner: ASGIApp, names: tuple[str, ...]) -> None:
        self._inner, self._names = inner, names

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

        async def safely(message: Any) -> None:
            if message["type"] == "http.response.start":
                more = {**_SECURITY, "content-security-policy": policy}
                message["headers"] = [
                    *message.get("headers", []),
                    *((name.encode(), value.encode("latin-1")) for name, value in more.items()),
                ]
            await send(message)

        await self._inner(scope, receive, safely)
