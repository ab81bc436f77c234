"""Guard: checks of token, host and origin; a limit on how often messages may come."""

from __future__ import annotations

import hmac
import ipaddress
import time
from urllib.parse import urlsplit

LOOPBACK = ("localhost", "127.0.0.1", "::1")


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


class Bucket:
    """A token bucket: so many a second, after a burst of so many."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._since = burst, time.monotonic()

    def take(self) -> bool:
        """Takes one; whether there was one left."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._since) * self._rate)
        self._since = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True
