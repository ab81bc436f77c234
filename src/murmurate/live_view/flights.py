"""Flights: the flock that is watched, and others beside it to compare it with, by name.

A page asks for a flight by the name in its address. One that is not there begins as the watched
flock's twin: the same model as it is then, from the same seed, at step 0, at rest. It ends when its
last page leaves, and with the watched flock.
"""

from __future__ import annotations

import threading
from concurrent.futures import CancelledError

from murmurate.errors import ModelError
from murmurate.live_view.session import Session

WATCHED = ""  # the name of the flock that is watched
MOST = 4  # flights beside it, at a time
LONGEST_NAME = 100


class Flights:
    """The sessions of a server, by name.

    watched  the first one, which is started and closed by whoever made it
    """

    def __init__(self, watched: Session) -> None:
        self.watched = watched
        self._twins: dict[str, tuple[Session, int]] = {}  # and how many pages each has
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return 1 + len(self._twins)

    def enter(self, name: str) -> Session:
        """The session of that name, for one page more, which is to leave it. Raises ModelError
        where there are too many, or of a recording."""
        if name == WATCHED:
            return self.watched
        with self._lock:
            session, pages = self._twins.get(name, (None, 0))
            session = session or self._begun(name)
            self._twins[name] = session, pages + 1
            return session

    def leave(self, name: str) -> None:
        """A page has left the session of that name."""
        with self._lock:
            session, pages = self._twins.pop(name, (None, 0))
            if session is not None and pages > 1:
                self._twins[name] = session, pages - 1
                return
        if session is not None:
            session.close("the comparison is over")

    def close(self, reason: str) -> None:
        """Ends all but the watched one."""
        with self._lock:
            twins, self._twins = self._twins, {}
        for session, _ in twins.values():
            session.close(reason)

    def _begun(self, name: str) -> Session:
        self.watched.controller.check_editable("a comparison")
        if len(name) > LONGEST_NAME:
            raise ModelError(f"a flight's name may have {LONGEST_NAME} characters")
        if len(self._twins) >= MOST:
            raise ModelError(f"{MOST} comparisons fly already: end one of them")
        try:
            return self.watched.twin().start()
        except CancelledError:
            raise ModelError(self.watched.over) from None
