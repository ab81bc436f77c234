"""Tracks of real animals: files of trackers as frames, which measures treat like a flock.

See docs/real-tracks.md.

The public names are imported when first used, so that `import murmurate` stays fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from murmurate.tracks.opening import open_tracks
    from murmurate.tracks.options import TableFormat
    from murmurate.tracks.tracks import Tracks

_HOMES = {"Tracks": "tracks", "open_tracks": "opening", "TableFormat": "options"}
__all__ = ["TableFormat", "Tracks", "open_tracks"]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
