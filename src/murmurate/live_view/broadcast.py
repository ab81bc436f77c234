"""Broadcast: messages and notices to every connected page."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from murmurate.live_view import messages
from murmurate.live_view.shoo import Push

MOST_CLIENTS = 24


class Subscriber(Protocol):
    """A connected page.

    chosen      (flock, id) of the boid whose steering it shows
    shoo        where its pointer drives boids away or draws them near, while it does
    neighbours  whether its frames carry neighbour counts
    """

    chosen: tuple[str, int] | None
    shoo: Push | None
    neighbours: bool

    def post(self, kind: str, text: str) -> None:
        """Queues a message of a kind, as JSON text."""

    def wake(self) -> None:
        """There is a new frame."""

    def dismiss(self, reason: str) -> None:
        """Ends its connection."""


class Broadcast:
    """The connected pages, and the notices that later ones must see too. Safe in any thread."""

    def __init__(self) -> None:
        self._clients: list[Subscriber] = []
        self._sticky: dict[str, str] = {}
        self._lock = threading.RLock()

    def __len__(self) -> int:
        return len(self._clients)

    def __iter__(self) -> Iterator[Subscriber]:
        with self._lock:
            return iter(list(self._clients))

    def add(self, client: Subscriber, first: Iterable[Callable[[], dict[str, Any]]]) -> bool:
        """Connects a page, and sends it the first messages, which are made when it gets all others
        already, so that it misses no change; then the standing notices. False where there are too
        many pages; it is dismissed then."""
        with self._lock:
            if len(self._clients) >= MOST_CLIENTS:
                client.dismiss(f"{MOST_CLIENTS} pages watch this flock already: close one of them")
                return False
            self._clients.append(client)
            for make in first:
                message = make()
                client.post(str(message["type"]), messages.text(message))
            for text in self._sticky.values():
                client.post("notice", text)
        return True

    def remove(self, client: Subscriber) -> None:
        with self._lock:
            if client in self._clients:
                self._clients.remove(client)

    def dismiss(self, reason: str) -> None:
        """Ends all connections."""
        for client in self:
            client.dismiss(reason)

    def wake(self) -> None:
        """There is a new frame."""
        for client in self:
            client.wake()

    def tell(self, message: dict[str, Any]) -> None:
        """Sends a message to all pages."""
        kind, text = str(message["type"]), messages.text(message)
        for client in self:
            client.post(kind, text)

    def notice(self, text: str, about: str, level: str = "error", sticky: bool = True) -> None:
        """A line for all pages to show; a sticky one also for those that connect later, until it is
        cleared."""
        message = {"type": "notice", "level": level, "text": text, "about": about, "sticky": sticky}
        if sticky:
            with self._lock:
                self._sticky[about] = messages.text(message)
        self.tell(message)

    def clear(self, about: str) -> None:
        """Withdraws a sticky notice."""
        with self._lock:
            known = self._sticky.pop(about, None)
        if known is not None:
            self.tell(
                {"type": "notice", "level": "clear", "text": "", "about": about, "sticky": False}
            )
