"""Errors of recordings. Messages say what was asked, what was found, and what to do."""

from __future__ import annotations

import errno

from murmurate.errors import MurmurateError


class RecordError(MurmurateError):
    """Writing or reading a recording failed midway; what was recorded is kept."""


class RecordingRefused(RecordError):
    """A recording cannot be opened or begun as asked: found out before anything is computed."""


class RecordingDamaged(RecordError):
    """A recording's files are not what was written: a checksum or a length is wrong."""


def write_error(path: object, error: OSError, kept: str) -> RecordError:
    """The error for a system error while a recording is written.

    kept  what is kept all the same, such as '120 frames are kept'
    """
    reasons = {
        errno.ENOSPC: "the disk is full; free some space",
        errno.EDQUOT: "your share of the disk is full; free some space",
        errno.EACCES: "there is no permission to write there; allow it",
        errno.EPERM: "there is no permission to write there; allow it",
        errno.EROFS: "that disk can only be read; make it writable",
        errno.ENOENT: "its folder has gone; bring it back",
        errno.EIO: "the disk reports an error; check it",
    }
    reason = reasons.get(error.errno or 0, f"{error.strerror or error}; put that right")
    return RecordError(f"{path}: cannot be written: {reason}. {kept}: murmurate resume {path}")
