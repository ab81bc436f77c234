"""Files that are there whole or not at all, and a lock that dies with its process."""

from __future__ import annotations

import json
import os
import secrets
import socket
from pathlib import Path

from murmurate.record.errors import RecordingRefused

try:
    import fcntl
except ImportError:  # no such thing on Windows: there the lock is a file with its owner's number
    fcntl = None  # type: ignore[assignment]


def sync_folder(folder: Path) -> None:
    """Makes the names in a folder durable."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_whole(path: Path, data: bytes, drafts: Path) -> None:
    """Writes a file in one step: after a crash at any moment there is the old one or the new one.

    drafts  a folder on the same disk for the unfinished file
    Raises OSError; the old file is there then, and the draft is gone.
    """
    draft = drafts / f"draft-{secrets.token_hex(6)}"
    try:
        with open(draft, "wb", buffering=0) as out:
            view = memoryview(data)
            while view:
                view = view[out.write(view) :]
            os.fsync(out.fileno())
        if not path.parent.is_dir():
            path.parent.mkdir(parents=True)
            for folder in (path.parent, *path.parent.parents[:2]):
                sync_folder(folder)
        os.replace(draft, path)
        sync_folder(path.parent)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


class Lock:
    """One writer at a time. The system lets go of it when the process ends, however it ends."""

    def __init__(self, file: Path, what: object) -> None:
        """Raises RecordingRefused when another process, or another writer in this one, has it."""
        self._file = file
        self._handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            self._take()
        except OSError:
            owner = _owner(file)
            os.close(self._handle)
            raise RecordingRefused(
                f"{what}: {owner} is writing this recording; wait until it is done, or stop it"
            ) from None
        text = json.dumps({"process": os.getpid(), "machine": socket.gethostname()})
        os.ftruncate(self._handle, 0)
        os.pwrite(self._handle, text.encode(), 0)

    def _take(self) -> None:
        if fcntl is not None:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        import msvcrt  # Windows

        os.lseek(self._handle, 1 << 20, os.SEEK_SET)
        msvcrt.locking(self._handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]

    def free(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def is_locked(file: Path) -> bool:
    """Whether a living process writes the recording whose lock this is."""
    if not file.exists():
        return False
    try:
        Lock(file, file).free()
    except (RecordingRefused, OSError):
        return True
    return False


def _owner(file: Path) -> str:
    try:
        owner = json.loads(file.read_text())
        return f"process {owner['process']} on {owner['machine']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
