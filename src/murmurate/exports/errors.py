"""Errors of exports. Messages say what was asked, what was found, and what to do."""

from __future__ import annotations

import errno
import os

from murmurate.errors import MurmurateError


class ExportError(MurmurateError):
    """Writing a file failed midway; no unfinished file is left."""


class ExportRefused(ExportError):
    """A file cannot be written as asked: found out before anything is read or written."""


_REASONS = {
    errno.ENOSPC: "the disk is full; free some space",
    errno.EDQUOT: "your share of the disk is full; free some space",
    errno.EFBIG: "the file grew larger than is allowed there; give another path",
    errno.EACCES: "there is no permission to write there; allow it",
    errno.EPERM: "there is no permission to write there; allow it",
    errno.EROFS: "that disk can only be read; give another path",
    errno.ENOENT: "its folder has gone; bring it back",
    errno.EIO: "the disk reports an error; check it",
}


def write_error(path: object, error: Exception) -> ExportError:
    """The error for a system or library error while a file is written.

    Some libraries (USD) report the system's error as text only; then it is searched for there.
    """
    words = " ".join(str(getattr(error, "strerror", None) or error).split())
    number = getattr(error, "errno", None)
    if number is None:
        number = next((one for one in _REASONS if os.strerror(one) in words), 0)
    reason = _REASONS.get(number, f"{words[:200] or type(error).__name__}; is the disk full?")
    return ExportError(f"{path}: writing failed: {reason}. No half file was left")
