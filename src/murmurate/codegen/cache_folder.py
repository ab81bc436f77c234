"""Choose the folder for compiled kernels, and check that running code from it is safe.

Object code and the text of templates run when they are loaded. So the folder must be one that only
the user can write. Otherwise a private folder serves until this process ends. Windows has no such
file modes; there the user's own folders are trusted. If others could write earlier, the user must
inspect the files; the warning about such a folder says so.

A file is a digest of its name and data, and the data. A file with another digest is damaged, or was
renamed: it counts as missing and is written again. No file is a pickle or bytecode.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import stat
import tempfile
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from murmurate.disk import read_bytes, write_file

CHOICE = "MURMURATE_CACHE"
ROOT = 0
UID_MAP = Path("/proc/self/uid_map")  # Linux: users of this container, and their numbers outside
OVERFLOW = Path("/proc/sys/kernel/overflowuid")  # the user number that stands for all others

_choosing = threading.Lock()
_private: list[tuple[int, Path]] = []  # (process, folder): removed when the process ends


def cache_folder(part: str = "kernels") -> Path:
    """Return the cache folder: MURMURATE_CACHE if set, else the user's cache folder.

    The folder exists, and only the user can write in it. If that fails, a warning gives the reason,
    and MURMURATE_CACHE is set to a private temporary folder for this process and its children.

    part  'kernels', 'figures' for runs of figures, or 'stills' for pictures of pages
    """
    with _choosing:
        folder = _chosen(part)
        why = _unfit(folder)
        if not why:
            return folder
        os.environ[CHOICE] = str(_private_folder())
        private = _chosen(part)
        _make(private)
    warnings.warn(
        f"{folder}: {why}. Until then each run compiles its kernels, in a temporary folder",
        RuntimeWarning,
        stacklevel=2,
    )
    return private


def remove_private_folders() -> None:
    """Remove the temporary folders of this process; its exit calls this too."""
    for process, folder in _private:
        if process == os.getpid():  # a fork leaves the folder to its parent
            shutil.rmtree(folder, ignore_errors=True)


def _chosen(part: str) -> Path:
    import platformdirs

    if chosen := os.environ.get(CHOICE):
        return Path(chosen) if part == "kernels" else Path(chosen) / part
    return platformdirs.user_cache_path("murmurate") / part


def _private_folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="murmurate-kernels-"))
    if not _private:
        atexit.register(remove_private_folders)
    _private.append((os.getpid(), folder))
    return folder


def _unfit(folder: Path) -> str:
    """Return why code must not be stored in a folder or run from it, and the remedy; '' if it may.

    A missing folder is created.
    """
    try:
        _make(folder)
        if why := _open_to_others(folder) or _unsafe_way_to(folder):
            return why
    except OSError as error:
        return f"cannot be used: {error.strerror or error}; set {CHOICE} to a folder of your own"
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"cannot be written; set {CHOICE} to a folder of your own"
    return ""


def _make(folder: Path) -> None:
    """Create the folder and its parents with access for the user only, regardless of the umask."""
    missing = [path for path in (folder, *folder.parents) if not os.path.lexists(path)]
    for path in reversed(missing):
        with suppress(FileExistsError):  # another process created it
            path.mkdir(mode=0o700)


def _open_to_others(folder: Path) -> str:
    """Return why other users may write in a folder; '' if they cannot."""
    status = folder.lstat()
    if stat.S_ISLNK(status.st_mode):
        return f"{folder.name} is a link; remove it, or set {CHOICE} to where it leads"
    if not stat.S_ISDIR(status.st_mode):
        return f"{folder.name} is not a folder; remove it, or set {CHOICE} to another folder"
    if not hasattr(os, "geteuid"):
        return ""
    if status.st_uid != os.geteuid():
        return (
            f"{folder.name} belongs to another user, whose code would be run from it; set {CHOICE} "
            "to a folder of your own"
        )
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return (
            f"others may write in {folder.name}, and their code would be run from it; make sure "
            f"that all in it is yours, or remove it; then: chmod go-w {folder}"
        )
    return ""


def _unsafe_way_to(folder: Path) -> str:
    """Return why other users may replace the folder; '' if they cannot."""
    if not hasattr(os, "geteuid"):
        return ""
    trusted = {os.geteuid(), ROOT, *_owners_outside()}
    way = dict.fromkeys([*Path(os.path.abspath(folder)).parents, *folder.resolve().parents])
    for above in way:
        for status in (above.lstat(), above.stat()):  # a link, and its target
            shared = status.st_mode & stat.S_IWOTH or (
                status.st_mode & stat.S_IWGRP and not _is_own_group(status.st_gid)
            )
            link, sticky = stat.S_ISLNK(status.st_mode), status.st_mode & stat.S_ISVTX
            if status.st_uid not in trusted or (shared and not sticky and not link):
                return (
                    f"others may write in {above}, and could put a folder with their code in its "
                    f"place; chmod go-w {above}, or set {CHOICE} to a folder elsewhere"
                )
    return ""


def _owners_outside() -> set[int]:
    """Return the user number that owns folders from outside of a container.

    Linux shows all users outside of the container as this number. The set is empty if the number
    belongs to a user inside, as 'nobody' does outside of containers.
    """
    try:
        number = int(OVERFLOW.read_text())
        ranges = [[int(word) for word in line.split()] for line in UID_MAP.read_text().splitlines()]
        users = [range(first, first + count) for first, _, count in ranges]
    except (OSError, ValueError):
        return set()
    return set() if any(number in numbers for numbers in users) else {number}


def _is_own_group(number: int) -> bool:
    """Return whether a group is the user's private group: of the same name and without others."""
    import grp
    import pwd

    try:
        user, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(number)
    except KeyError:
        return False
    alone = set(group.gr_mem) <= {user.pw_name}
    return number == user.pw_gid and group.gr_name == user.pw_name and alone


def cached_file(name: str, make: Callable[[], bytes], part: str = "kernels") -> bytes:
    """Return the contents of a file in the cache; call `make` if the file is missing or damaged.

    Raises what `make` raises, and OSError if the folder cannot be written.

    name  name of the file: it must identify the contents
    part  part of the cache: see cache_folder
    """
    path = cache_folder(part) / name
    data = read_cached(path)
    if data is None:
        data = make()
        write_cached(path, data)
    return data


def read_cached(path: Path) -> bytes | None:
    """Return the data of a file of the cache; None if it is missing or damaged."""
    try:
        digest, _, data = read_bytes(path).partition(b"\n")
    except OSError:
        return None
    return data if digest == _digest(path, data) else None


def write_cached(path: Path, data: bytes) -> None:
    """Store data with their digest, in place of whatever has this path. Raises OSError."""
    try:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        # a damaged file counts as missing, so nothing waits for the disk, which takes long
        write_file(path, _digest(path, data) + b"\n" + data, wait=False)
    except OSError as error:
        raise OSError(
            error.errno,
            f"nothing can be stored in {path.parent}: {error.strerror or error}; set {CHOICE} to a "
            "folder that can be written",
        ) from None


def _digest(path: Path, data: bytes) -> bytes:
    return hashlib.sha256(path.name.encode() + b"\0" + data).hexdigest().encode()
