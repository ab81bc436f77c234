"""ComparisonSessions: the watched flock, and other flocks to compare it with, by name.

A page requests a session by the name in its address. A session that does not exist is cloned from
the watched one: the same model and seed, at step 0 and paused. It ends when its last page leaves,
and with the watched flock.
"""

from __future__ import annotations

import threading
from concurrent.futures import CancelledError

from murmurate.errors import ModelError
from murmurate.live_view.session import Session

WATCHED = ""  # the name of the watched flock's session
MAX_COMPARISONS = 4
MAX_NAME_LENGTH = 100


class ComparisonSessions:
    """The sessions of a server, by name.

    watched  the first session; the caller starts and closes it
    """

    def __init__(self, watched: Session) -> None:
        self.watched = watched
        self._clones: dict[str, tuple[Session, int]] = {}  # name -> session, number of pages
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return 1 + len(self._clones)

    @property
    def clones(self) -> list[Session]:
        """All sessions but the watched one."""
        with self._lock:
            return [session for session, _ in self._clones.values()]

    def enter(self, name: str) -> Session:
        """Return the session of a name, for one more page, which must call `leave`.

        Raises ModelError if there are too many sessions, and for a recording.
        """
        if name == WATCHED:
            return self.watched
        with self._lock:
            session, pages = self._clones.get(name, (None, 0))
            session = session or self._start(name)
            self._clones[name] = session, pages + 1
            return session

    def leave(self, name: str) -> None:
        """Release a session for one page; close it after its last page."""
        with self._lock:
            session, pages = self._clones.pop(name, (None, 0))
            if session is not None and pages > 1:
                self._clones[name] = session, pages - 1
                return
        if session is not None:
            session.close("the comparison is over")

    def close(self, reason: str) -> None:
        """Close all sessions but the watched one."""
        with self._lock:
            clones, self._clones = self._clones, {}
        for session, _ in clones.values():
            session.close(reason)

    def _start(self, name: str) -> Session:
        self.watched.controller.check_editable("a comparison")
        if len(name) > MAX_NAME_LENGTH:
            raise ModelError(
                f"flight: got a name of {len(name)} characters; expected at most "
                f"{MAX_NAME_LENGTH} characters"
            )
        if len(self._clones) >= MAX_COMPARISONS:
            raise ModelError(f"{MAX_COMPARISONS} comparisons are running already: end one of them")
        try:
            return self.watched.clone().start()
        except CancelledError:
            raise ModelError(self.watched.over) from None
