"""LiveView: a session and its server, for pages of a browser."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from murmurate.engines.options import RunOptions
from murmurate.live_view.server import Server
from murmurate.live_view.session import Session
from murmurate.model.model import Model
from murmurate.runs.playback import Playback


class LiveView:
    """A flock that can be watched: `url` to open, `session` that runs it. To be closed, or used as
    a context manager."""

    def __init__(self, session: Session, server: Server) -> None:
        self.session, self.server = session, server
        self._closed = threading.Event()

    @property
    def url(self) -> str:
        """The address of the page, token and all."""
        return self.server.url

    def wait(self) -> None:
        """Until it is closed. Ctrl-C goes through."""
        while not self._closed.wait(0.2):
            pass

    def close(self) -> bool:
        """Notifies the pages, and ends; whether the simulation ended in time (see
        Session.close)."""
        if self._closed.is_set():
            return True
        self._closed.set()
        ended = self.session.close()
        self.server.close()
        return ended

    def __enter__(self) -> LiveView:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<LiveView {self.session.home.name!r} at {self.url}>"


def start(
    model: Model | Playback,
    options: RunOptions | None = None,
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    playing: bool = True,
    file: Path | None = None,
    rules: Sequence[Path] = (),
    reload: Callable[[], Model] | None = None,
) -> LiveView:
    """A session and its server, both started. See Session and Server for the arguments, and for
    what is raised."""
    session = Session(model, options, playing=playing, file=file, rules=rules, reload=reload)
    server = Server(session, host, port)
    session.start()
    server.start()
    return LiveView(session, server)
