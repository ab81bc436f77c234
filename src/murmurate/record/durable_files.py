"""Files that are replaced in one step and survive a crash, and a lock that ends with its process.

Windows differs in three ways, all of them kept in this file: it locks bytes, not files; no folder
can be renamed while a file in it is open; and no file can be replaced while a reader has it open.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import time
from io import FileIO
from pathlib import Path

from murmurate.disk import read_bytes
from murmurate.model.text_reader import read_json
from murmurate.record.errors import RecordingRefused

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

BINARY = getattr(os, "O_BINARY", 0)  # without it Windows writes \r\n where \n is asked for
NO_LINK = getattr(os, "O_NOFOLLOW", 0)  # a file of ours that is a link leads to somebody else's
OPEN_FILES_MOVE = os.name != "nt"  # whether files that are open can be renamed and replaced
TRIES = 40  # to replace a file that others have open, 50 ms apart


def sync_folder(folder: Path) -> None:
    """Makes the names in a folder durable. Windows opens no folders, and keeps names by itself."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_atomically(path: Path, data: bytes, drafts: Path) -> None:
    """Writes a file in one step: after a crash at any moment there is the old one or the new one.

    drafts  a folder on the same disk for the unfinished file
    Raises OSError; the old file is there then, and the draft is gone.
    """
    draft = draft_in(drafts)
    try:
        with open(draft, "wb", buffering=0) as out:
            write_all(out, data)
            os.fsync(out.fileno())
        put_in_place(draft, path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def draft_in(folder: Path) -> Path:
    """A name in a folder for a file that is not finished."""
    return folder / f"draft-{secrets.token_hex(6)}"


def write_all(file: FileIO, data: bytes) -> None:
    """All of the bytes, however many the system takes at a time. Raises OSError."""
    view = memoryview(data)
    while view:
        view = view[file.write(view) :]


def put_in_place(draft: Path, path: Path) -> None:
    """Gives a file that is durable its name, in one step, and makes the name durable. Raises
    OSError."""
    if not path.parent.is_dir():
        path.parent.mkdir(parents=True)
        for folder in (path.parent, *path.parent.parents[:2]):
            sync_folder(folder)
    _replace(draft, path)
    sync_folder(path.parent)


def _replace(draft: Path, path: Path) -> None:
    """Renames a file over another. Where that fails while a reader has the old one open, it is
    tried again for two seconds: readers there keep files open for one read only."""
    for _ in range(0 if OPEN_FILES_MOVE else TRIES):
        try:
            os.replace(draft, path)
            return
        except PermissionError:
            time.sleep(0.05)
    os.replace(draft, path)


class Lock:
    """One writer at a time. The system releases it when the process ends, however it ends."""

    def __init__(self, file: Path, what: object) -> None:
        """Raises RecordingRefused when another process, or another writer in this one, has it."""
        self._what = what
        self._acquire(file)

    def _acquire(self, file: Path) -> None:
        self._file = file
        self._handle = os.open(file, os.O_RDWR | os.O_CREAT | BINARY | NO_LINK, 0o666)
        try:
            self._lock_handle()
        except OSError:
            owner = _owner(file)
            self.release()
            raise RecordingRefused(
                f"{self._what}: {owner} is writing this recording; wait until it is done, or stop "
                "it"
            ) from None
        text = json.dumps({"process": os.getpid(), "machine": socket.gethostname()})
        os.ftruncate(self._handle, 0)
        os.lseek(self._handle, 0, os.SEEK_SET)
        os.write(self._handle, text.encode())

    def _lock_handle(self) -> None:
        if fcntl is not None:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        import msvcrt

        # A byte beyond the end, so that others can read who has the lock.
        os.lseek(self._handle, 1 << 20, os.SEEK_SET)
        msvcrt.locking(self._handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]

    def rename_folder(self, folder: Path, to: Path) -> None:
        """Renames the folder that the lock file is in, a direct child or deeper, and keeps the
        lock; where open files do not move, it is released for that moment.

        Raises OSError, RecordingRefused when another process took the lock meanwhile.
        """
        inside = self._file.relative_to(folder)
        if OPEN_FILES_MOVE:
            os.rename(folder, to)
            self._file = to / inside
            return
        self.release()
        os.rename(folder, to)
        self._acquire(to / inside)

    def release(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def is_locked(file: Path) -> bool:
    """Whether a living process writes the recording whose lock this is."""
    if not file.exists():
        return False
    try:
        Lock(file, file).release()
    except (RecordingRefused, OSError):
        return True
    return False


def _owner(file: Path) -> str:
    try:
        owner = read_json(read_bytes(file))
        return f"process {owner['process']} on {owner['machine']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
