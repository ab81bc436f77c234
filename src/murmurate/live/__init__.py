"""The live view: a flock in flight, shown in browser pages that may change it.

    flight_thread.py     a simulation in a thread of its own
    session.py    what pages may ask of it, and what they are told
    client.py      one page: its credit, its messages, what it is still to be sent
    server.py     pages over a websocket; guard.py keeps others out

The public names load when first used, so that `import murmurate` stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from murmurate.live.live_view import Watching, watch
    from murmurate.live.session import Session

__all__ = ["Session", "Watching", "watch"]

_HOMES = {"Session": "session", "Watching": "live_view", "watch": "live_view"}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
