"""Recordings as users have them: what the room `record` reads, and shows itself in a notebook."""

from __future__ import annotations

import os

from murmurate import record


class Recording(record.Recording):
    __doc__ = record.Recording.__doc__

    def _repr_html_(self) -> str | None:
        """What a notebook shows: a replay of the recorded flight."""
        from murmurate.notebook.preview import preview_of_recording

        return preview_of_recording(self)


def open(path: str | os.PathLike[str]) -> Recording:
    """The recording at that path, to be read; see Recording.

    Raises RecordingRefused for what is no recording or of a newer schema, RecordingDamaged where
    nothing is left to read.
    """
    return Recording(path)
