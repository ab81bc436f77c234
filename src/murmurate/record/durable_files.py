"""Files that are replaced atomically and survive a crash, and a lock that ends with its process.

Windows differs in three ways, which only this file handles. It locks bytes instead of files. A
folder cannot be renamed while a file in it is open, and a file cannot be replaced while it is open.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import time
from io import FileIO
from pathlib import Path

from murmurate.disk import WRITE_CAUSES, read_bytes
from murmurate.errors import OpenError, RecordError
from murmurate.model.text_reader import read_json

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

BINARY = getattr(os, "O_BINARY", 0)  # without it Windows writes \r\n for \n
NO_LINK = getattr(os, "O_NOFOLLOW", 0)  # do not write to a file elsewhere
OPEN_FILES_MOVE = os.name != "nt"  # whether open files can be renamed and replaced
MAX_REPLACE_TRIES = 40  # to replace a file that is open elsewhere, 50 ms apart


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable. Windows cannot open folders, and does it by itself."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_atomically(path: Path, data: bytes, drafts: Path) -> None:
    """Write a file durably: after a crash at any time, either the old or the new one exists.

    data  its contents
    drafts  a folder on the same disk for the unfinished file
    raises OSError  the old file is kept then, and the draft removed
    """
    draft = new_draft_path(drafts)
    try:
        with open(draft, "wb", buffering=0) as out:
            write_all(out, data)
            os.fsync(out.fileno())
        put_in_place(draft, path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def new_draft_path(folder: Path) -> Path:
    """Return an unused path in a folder for an unfinished file."""
    return folder / f"draft-{secrets.token_hex(6)}"


def write_all(file: FileIO, data: bytes) -> None:
    """Write all bytes, in as many calls as the system needs. Raises OSError."""
    view = memoryview(data)
    while view:
        view = view[file.write(view) :]


def put_in_place(draft: Path, path: Path) -> None:
    """Rename a durable file to its final name atomically and durably, or raise OSError."""
    if not path.parent.is_dir():
        path.parent.mkdir(parents=True)
        for folder in (path.parent, *path.parent.parents[:2]):
            sync_folder(folder)
    _replace(draft, path)
    sync_folder(path.parent)


def _replace(draft: Path, path: Path) -> None:
    """Rename a file over another.

    On Windows that fails while a reader has the old one open, for one read. So it is tried again
    for two seconds.
    """
    for _ in range(0 if OPEN_FILES_MOVE else MAX_REPLACE_TRIES):
        try:
            os.replace(draft, path)
            return
        except PermissionError:
            time.sleep(0.05)
    os.replace(draft, path)


class Lock:
    """A lock for one writer at a time. The system releases it when the process ends.

    what  the recording, for messages
    raises OpenError  if another process, or another writer in this process, holds it
    """

    def __init__(self, file: Path, what: object) -> None:
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
            raise OpenError(
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

        # Lock a byte beyond the end, so that others can read the owner.
        os.lseek(self._handle, 1 << 20, os.SEEK_SET)
        msvcrt.locking(self._handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]

    def rename_folder(self, folder: Path, target: Path) -> None:
        """Rename a folder that contains the lock file, and keep the lock.

        If open files cannot be renamed, the lock is released for a moment. Raises OSError, and
        OpenError if another process took the lock meanwhile.
        """
        inside = self._file.relative_to(folder)
        if OPEN_FILES_MOVE:
            os.rename(folder, target)
            self._file = target / inside
            return
        self.release()
        os.rename(folder, target)
        self._acquire(target / inside)

    def release(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def is_locked(file: Path) -> bool:
    """Return whether a living process holds the lock."""
    if not file.exists():
        return False
    try:
        Lock(file, file).release()
    except (OpenError, OSError):
        return True
    return False


def _owner(file: Path) -> str:
    try:
        owner = read_json(read_bytes(file))
        return f"process {owner['process']} on {owner['machine']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"


def write_error(path: object, error: OSError, kept: str) -> RecordError:
    """Return the error for a system error while a recording is written.

    kept  what is not lost, such as '120 frames are kept'
    """
    reason = WRITE_CAUSES.get(error.errno or 0, f"{error.strerror or error}; correct that")
    return RecordError(f"{path}: cannot be written: {reason}. {kept}: murmurate resume {path}")
