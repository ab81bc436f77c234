"""Opening: a path -> a recording, or its frames."""

from __future__ import annotations

import os
from collections.abc import Iterator

from murmurate.frame import Frame
from murmurate.record.recording import Recording


def open(path: str | os.PathLike[str]) -> Recording:
    """The recording at that path, to be read; see Recording.

    Raises RecordingRefused for what is no recording or of a newer schema, RecordingDamaged where
    nothing is left to read.
    """
    return Recording(path)


def frames_of(
    path: str | os.PathLike[str], first: int = 0, last: int | None = None, every: int = 1
) -> Iterator[Frame]:
    """Frames first, first + every, ..., below last, of a recording: what sinks read."""
    recording = Recording(path)
    last = len(recording) if last is None else min(last, len(recording))
    if every == 1 and first == 0 and last == len(recording):
        yield from recording
        return
    for number in range(first, last, every):
        yield recording[number]
