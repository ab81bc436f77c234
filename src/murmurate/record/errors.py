"""Errors of recordings."""

from __future__ import annotations

import errno

from murmurate.errors import MurmurateError


class RecordError(MurmurateError):
    """Writing or reading a recording failed midway; the frames recorded so far are kept."""


class RecordingRefused(RecordError):
    """A recording cannot be opened or begun as requested; nothing has been computed yet."""


class RecordingDamaged(RecordError):
    """A file of a recording has a wrong checksum or length."""


def write_error(path: object, error: OSError, kept: str) -> RecordError:
    """Return the error for a system error while a recording is written.

    kept  what is not lost, such as '120 frames are kept'
    """
    reasons = {
        errno.ENOSPC: "the disk is full; free some space",
        errno.EDQUOT: "your disk quota is full; free some space",
        errno.EACCES: "there is no permission to write there; allow it",
        errno.EPERM: "there is no permission to write there; allow it",
        errno.EROFS: "the disk is read-only; make it writable",
        errno.ENOENT: "its folder is missing; restore it",
        errno.EIO: "the disk reports an error; check it",
    }
    reason = reasons.get(error.errno or 0, f"{error.strerror or error}; correct that")
    return RecordError(f"{path}: cannot be written: {reason}. {kept}: murmurate resume {path}")
