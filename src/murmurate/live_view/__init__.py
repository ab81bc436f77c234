"""The live view: a flock that runs, shown in browser pages that may change it.

    flight_thread.py    a simulation, or a recording, in a thread of its own
    controller.py       which model runs; playback_controller.py: which step of a recording is shown
    session.py          one flock and its pages: frame_feed.py, broadcast.py, observer.py, jobs.py
    handlers.py         what is done for each message of a page
    client.py           one page: what it sends, and what waits to be sent to it
    flights.py          a session and those beside it, to compare it with
    server.py           pages over a websocket: live_page.py; guard.py keeps others out
    live_view.py        a session and its server together

Imports go up this list only. The public names load when first used, so that `import murmurate`
stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from murmurate.live_view.live_view import LiveView
    from murmurate.live_view.session import Session

__all__ = ["LiveView", "Session"]

_HOMES = {"LiveView": "live_view", "Session": "session"}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
