"""Files on disk: only regular files are read, and a file is written completely or not written.

Reading: a path of a user may be that of a pipe, a device, a socket or a folder. Opening a pipe
waits for a writer, perhaps forever, and a device may have no end. `regular` refuses them. All files
of users are opened by functions of this module, or after `regular`.

Writing: a file is written as a draft beside its target, and renamed when it is complete. The name
of a draft contains the process that writes it. So drafts of ended processes are removed when the
same target is written again, and those of running processes remain.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import secrets
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import IO, Any

KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
LONGEST_NAME = 180  # bytes; systems allow 255
DRAFT = re.compile(r"\.(?P<target>.+)\.(?P<host>[0-9a-f]{8})-(?P<process>[0-9]+)-[0-9a-f]{8}\.part",
                   re.DOTALL)  # fmt: skip
WRITE_CAUSES = {
    errno.ENOSPC: "the disk is full; free some space",
    errno.EDQUOT: "your disk quota is used up; free some space",
    errno.EFBIG: "the file exceeds the size limit there; give another path",
    errno.EACCES: "there is no permission to write there; change it, or give another path",
    errno.EPERM: "there is no permission to write there; change it, or give another path",
    errno.EROFS: "the disk is read-only; give another path",
    errno.ENOENT: "its folder was removed; create it again",
    errno.EIO: "the disk reports an error; check it",
}
"""Cause of a failed write, with a remedy."""


class NotAFile(OSError):
    """A path is that of a pipe, a device, a socket or a folder, and not of a file."""


# --- reading


def regular(path: str | os.PathLike[str]) -> Path:
    """Return the path of a regular file, or of a link to one.

    Raises NotAFile for anything else, and OSError if it does not exist or cannot be examined.
    NotAFile is an OSError too.
    """
    mode = os.stat(path).st_mode
    if not stat.S_ISREG(mode):
        kind = next((name for test, name in KINDS if test(mode)), "no regular file")
        number = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
        raise NotAFile(number, f"got {kind}; expected a file", os.fspath(path))
    return Path(path)


def not_a_file(path: str | os.PathLike[str]) -> str:
    """Return why a path cannot be read or replaced as a file; '' if it can, or does not exist."""
    try:
        regular(path)
    except NotAFile as error:
        return str(error.strerror)
    except OSError:
        return ""
    return ""


def open_regular(path: str | os.PathLike[str], mode: str = "rb", **how: Any) -> IO[Any]:
    """Open a regular file for reading. Raises OSError as `regular` does."""
    return open(regular(path), mode, **how)


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return the bytes of a regular file. Raises OSError."""
    return regular(path).read_bytes()


def read_text(path: str | os.PathLike[str], errors: str = "strict") -> str:
    """Return the text of a regular file in UTF-8. Raises OSError, UnicodeDecodeError."""
    return regular(path).read_text(encoding="utf-8", errors=errors)


def file_sizes(folder: Path) -> list[int]:
    """Return the bytes of each file below a folder; files may vanish meanwhile."""
    sizes = []
    for root, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                sizes.append(os.stat(os.path.join(root, name)).st_size)
    return sizes


# --- writing


def as_path(path: object, error: type[Exception]) -> Path:
    """Return the path of a file to write. Raises `error` if it is something else."""
    if not isinstance(path, str | os.PathLike):
        raise error(
            f"path: got {path!r}; expected the name of a file, as text or a Path. Give other "
            "arguments by name"
        )
    return Path(path)


def check_writable(path: str | os.PathLike[str], force: bool, error: type[Exception]) -> Path:
    """Return the path of a file if it can be written. Write nothing.

    force  whether an existing file may be replaced
    error  the class of the exception to raise
    """
    path = as_path(path, error)
    if problem := not_a_file(path):
        raise error(f"{path}: {problem}. Give another path")
    check_folder(path, error)
    if path.exists() and not force:
        raise error(f"{path} exists and is kept; give another name, or --force to replace it")
    return path


def check_folder(
    path: str | os.PathLike[str], error: type[Exception], can_create: bool = False
) -> None:
    """Raise `error` if the folder of a path does not exist, or if nothing can be written in it.

    can_create  whether the folder may be missing, if its own folder exists
    """
    folder = Path(path).parent
    if folder.exists() and not folder.is_dir():
        raise error(f"{path}: {folder} is a file, not a folder. Give another path")
    existing = folder.parent if can_create and not folder.exists() else folder
    if not existing.is_dir():
        raise error(f"{path}: no folder {folder}. Create it, or give another path")
    if not os.access(existing, os.W_OK | os.X_OK):
        where = "this folder" if existing == Path() else existing
        raise error(f"{path}: no permission to write in {where}. Give another path")


def draft_path(path: Path) -> Path:
    """Return an unused path for the draft of a file, in its folder and with its suffix."""
    return path.with_name(f"{draft_name(path.name)}{path.suffix if len(path.suffix) < 10 else ''}")


def draft_name(target: str) -> str:
    """Return the name of a draft of a file or folder: its target, host and process."""
    return f".{_short(target)}.{_host()}-{os.getpid()}-{secrets.token_hex(4)}.part"


def _short(target: str) -> str:
    """Return the name, or a digest of one so long that a draft's name would be too long."""
    data = os.fsencode(target)
    return target if len(data) <= LONGEST_NAME else hashlib.sha256(data).hexdigest()[:32]


@contextmanager
def atomic_write(path: Path, tidy: bool = True, new: bool = False) -> Iterator[Path]:
    """Yield a path to write to. It is renamed to `path` at the end, and removed after an error.

    tidy  remove drafts of this target by ended processes first
    new   raise FileExistsError if the file exists at the end
    """
    if tidy:
        remove_stale_drafts(path.parent, path.name)
    draft = draft_path(path)
    try:
        yield draft
        if new:
            _take_name(draft, path)
        else:
            os.replace(draft, path)
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def write_file(
    path: Path, data: bytes | str, *, new: bool = False, tidy: bool = True, wait: bool = True
) -> None:
    """Write a file atomically: after an error, a kill or a power cut it is complete, or as before.

    data  bytes, or text, which is written in UTF-8 without changes
    new   raise FileExistsError if the file exists, also if it appears meanwhile
    wait  until the disk has it; otherwise a power cut may leave a damaged file
    Raises OSError.
    """
    if isinstance(data, str):
        data = data.encode("utf-8")
    with atomic_write(path, tidy, new=new) as draft, open(draft, "xb") as file:
        # files of tempfile ignore the umask: only their owner can read them
        file.write(data)
        if wait:
            file.flush()
            os.fsync(file.fileno())


def _take_name(draft: Path, path: Path) -> None:
    """Rename a draft to an unused path, atomically if the disk has hard links.

    Raises FileExistsError.
    """
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except (OSError, NotImplementedError):  # no hard links
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from None
        os.replace(draft, path)
    else:
        draft.unlink()


def remove_stale_drafts(folder: Path, target: str | None = None) -> None:
    """Remove the drafts of ended processes in a folder, of one target or of all; see is_stale."""
    try:
        names = os.listdir(folder)
    except OSError:
        return
    for name in names:
        draft = folder / name
        if is_stale(name, target) and draft.is_file() and not draft.is_symlink():
            with suppress(OSError):
                draft.unlink()


def is_stale(name: str, target: str | None = None) -> bool:
    """Return whether a name is that of a draft of `target` whose writer has ended.

    The result is False if the writer may be alive: a process has its number, or the draft was
    made on another machine or in another container.
    """
    match = DRAFT.match(name)
    if match is None:
        return False
    inner = DRAFT.match(match["target"])  # of a draft that a draft is made from
    if target is not None and (inner or match)["target"] != _short(target):
        return False
    return match["host"] == _host() and not is_alive(int(match["process"]))


@cache
def _host() -> str:
    """Return eight digits for this machine and its container, within which a process number is
    unique."""
    parts = [socket.gethostname()]
    for source in ("/etc/machine-id", "/proc/self/ns/pid"):
        with suppress(OSError):
            parts.append(os.readlink(source) if "ns" in source else Path(source).read_text())
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:8]


def is_alive(process: int) -> bool:
    """Return whether a process of that number runs on this machine; True if unknown."""
    if process == os.getpid():
        return True
    if os.name == "nt":  # where os.kill ends a process
        return _is_alive_on_windows(process)
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OverflowError:  # no process has such a number
        return False
    except OSError:  # of another user
        return True
    return True


def _is_alive_on_windows(process: int) -> bool:
    import ctypes

    kernel32 = ctypes.windll.kernel32  # type: ignore[attr-defined,unused-ignore]
    handle = kernel32.OpenProcess(0x1000, False, process)  # PROCESS_QUERY_LIMITED_INFORMATION
    if not handle:
        return bool(kernel32.GetLastError() == 5)  # access denied: of another user
    code = ctypes.c_ulong()
    kernel32.GetExitCodeProcess(handle, ctypes.byref(code))
    kernel32.CloseHandle(handle)
    return code.value == 259  # STILL_ACTIVE
