"""Recordings: frames on disk, durable, exact, and readable by other tools. See docs/recordings.md.

The public names are imported when first used, so that `import murmurate` stays fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from murmurate.record.recording import Frames, Recording, frames_of, open
    from murmurate.record.writer import Writer

_HOMES = {
    "Frames": "recording",
    "Recording": "recording",
    "Writer": "writer",
    "frames_of": "recording",
    "open": "recording",
}
__all__ = [
    "Frames",
    "Recording",
    "Writer",
    "frames_of",
    "open",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
