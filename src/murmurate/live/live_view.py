"""watch: a flock in the browser, from Python."""

from __future__ import annotations

import os
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from murmurate.engine.options import Dtype, RunOptions
from murmurate.live.server import Server
from murmurate.live.session import Session
from murmurate.model.model import Model
from murmurate.runs.playback import Playback
from murmurate.runs.playback import shown as shown_model

if TYPE_CHECKING:
    from murmurate.runs.sources import Shown


class Watching:
    """A flock that is being watched: `url` to open, `session` that flies it. To be closed, or used
    as a context manager."""

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
        """Tells the pages, and ends; whether the flight ended in time (see Session.close)."""
        if self._closed.is_set():
            return True
        self._closed.set()
        ended = self.session.close()
        self.server.close()
        return ended

    def __enter__(self) -> Watching:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Watching {self.session.home.name!r} at {self.url}>"


def begin(
    model: Model | Playback,
    options: RunOptions | None = None,
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    playing: bool = True,
    file: Path | None = None,
    reread: Callable[[], Model] | None = None,
) -> Watching:
    """A session and its server, both started."""
    session = Session(model, options, playing=playing, file=file, reread=reread)
    server = Server(session, host, port)
    session.start()
    server.start()
    return Watching(session, server)


def watch(
    model: Shown,
    seed: int = 0,
    *,
    block: bool = True,
    open_browser: bool = True,
    playing: bool = True,
    host: str = "127.0.0.1",
    port: int | None = None,
    engine: str = "cpu",
    dtype: Dtype = "float32",
    threads: int | None = None,
) -> Any:
    """Shows a model in flight: in the browser, until Ctrl-C; in a notebook, as the live widget.

    model         a Model, the name of a published flock, or a model file, which is read again
                  whenever it is saved; or a recording or its path, which is played: engine, seed,
                  dtype and threads are its own
    block         False: returns at once, with a Watching that has `.url` and `.close()`
    open_browser  False: only prints the address
    host, port    this machine only, and the first free port from 8600 on, unless given
    The rest is as for a Simulation.

    Raises ModelError and RuleError for what cannot be flown, AddressTaken for the port.
    """
    from murmurate.model.files import load
    from murmurate.runs.sources import flight_of, frame_source, is_recording

    options = RunOptions(engine, dtype, threads, seed)
    file: Path | None = None
    reread: Callable[[], Model] | None = None
    if isinstance(model, str | os.PathLike) and not is_recording(model) and Path(model).is_file():
        file = Path(model)
        reread = lambda: load(file)  # noqa: E731
    flight = flight_of(model)
    shown: Any = flight
    if not isinstance(flight, Model):
        shown = frame_source(flight, shown_model(flight), options)
    if block and (widget := _widget(shown, options, playing)) is not None:
        return widget
    watching = begin(
        shown, options, host=host, port=port, playing=playing, file=file, reread=reread
    )
    print(f"{watching.session.home.name}: {watching.url}", flush=True)
    if open_browser:
        webbrowser.open(watching.url)
    if not block:
        return watching
    try:
        watching.wait()
    except KeyboardInterrupt:
        pass
    finally:
        watching.close()
    return None


def _widget(model: Model | Playback, options: RunOptions, playing: bool) -> Any:
    """The widget, in a notebook that can show it."""
    try:
        from murmurate.notebook import in_notebook, widget
    except ImportError:
        return None
    if not in_notebook():
        return None
    from murmurate.errors import MurmurateError

    try:
        return widget(model, playing=playing, **asdict(options))
    except MurmurateError as error:
        print(error)
        return None
