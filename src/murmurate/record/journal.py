"""The journal: one line for each commit, with the number of complete frames.

Each line is a crc32c in hexadecimal, a space, and JSON. The first line is the recording's header.
The others have the number of frames, and the lengths and checksums of the files written. An
incomplete line, and everything after it, is ignored.
"""

from __future__ import annotations

import json
import os
from itertools import takewhile
from pathlib import Path
from typing import Any

from murmurate.disk import read_bytes, regular
from murmurate.model.text_reader import read_json
from murmurate.record.codec import checksum
from murmurate.record.durable_files import BINARY, NO_LINK

FOLDER = "journal"
LOG = f"{FOLDER}/log"
LOCK = f"{FOLDER}/lock"


def line(entry: dict[str, Any]) -> bytes:
    """Return the line of an entry."""
    text = json.dumps(entry, separators=(",", ":"), sort_keys=True).encode()
    return b"%08x %s\n" % (checksum(text), text)


def read(path: Path) -> tuple[dict[str, Any] | None, list[dict[str, Any]]]:
    """Return a recording's header or None, and its commits, the oldest first.

    Raises OSError for a file that exists and cannot be read.
    """
    try:
        data = read_bytes(path / LOG)
    except (FileNotFoundError, NotADirectoryError):
        return None, []
    entries = []
    for text in data.split(b"\n")[:-1]:
        entry = parse(text)
        if entry is None:
            break
        entries.append(entry)
    if not entries or "schema" not in entries[0]:  # the first line is missing
        return None, []
    return entries[0], list(takewhile(lambda entry: "files" in entry, entries[1:]))


def is_valid(path: Path) -> bool:
    """Return whether all complete lines have the right checksum. Raises OSError like `read`."""
    try:
        lines = read_bytes(path / LOG).split(b"\n")[:-1]
    except (FileNotFoundError, NotADirectoryError):
        return False
    return bool(lines) and all(parse(text) is not None for text in lines)


def parse(text: bytes) -> dict[str, Any] | None:
    """Return the entry of a line, None if it is damaged."""
    try:
        if int(text[:8], 16) != checksum(text[9:]):
            return None
        entry = read_json(text[9:])
    except ValueError:
        return None
    return entry if isinstance(entry, dict) else None


def append(path: Path, entry: dict[str, Any]) -> None:
    """Append a line durably. Raises OSError; the file is unchanged then."""
    append_bytes(path / LOG, line(entry))


def append_bytes(file: Path, data: bytes, durable: bool = True) -> int:
    """Append bytes to a file; return their number. Raises OSError; the file is unchanged then."""
    handle = os.open(regular(file), os.O_WRONLY | os.O_APPEND | BINARY | NO_LINK)
    try:
        size = os.fstat(handle).st_size
        try:
            if os.write(handle, data) < len(data):
                raise OSError(28, "No space left on device")
        except OSError:
            os.ftruncate(handle, size)
            raise
        if durable:
            os.fsync(handle)
    finally:
        os.close(handle)
    return len(data)
