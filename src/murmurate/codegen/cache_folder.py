"""The folder in which compiled kernels are kept, and whether it is safe to run code from it.

Modules, numba's index files and templates' bytecode are code that runs when it is loaded. So what
is used is a folder that only the user can write, or else a private one for as long as this process
runs. Windows has no such modes: the user's folders are the user's there.

The files in it are not looked at one by one: where only the user can write, only the user can have
put them, so their owners and modes say nothing more. What was put there while a folder was open to
others is the user's to look through; the message about such a folder says so.
"""

from __future__ import annotations

import atexit
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
PYTHONS = "__pycache__"  # where Python and numba put what they compile, beside a module
ROOT = 0
UID_MAP = Path("/proc/self/uid_map")  # of Linux: users of this container, and who they are outside
OVERFLOW = Path("/proc/sys/kernel/overflowuid")  # the number of all who are not among them

_choosing = threading.Lock()
_private: list[tuple[int, Path]] = []  # (process that made it, folder): gone when it ends


def cache_folder(part: str = "kernels") -> Path:
    """MURMURATE_CACHE if set, else the user's cache folder; it exists and only the user can write
    in it. Where that cannot be had, a warning says why, and MURMURATE_CACHE names a private
    temporary folder from then on, for this process and those that it starts.

    part  'kernels'; beside them 'figures', the runs of figures, and 'stills', pictures of pages
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
    """Removes the temporary folders that this process made, as its end does by itself."""
    for process, folder in _private:
        if process == os.getpid():  # a fork of it leaves the folder to its parent
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
    """Why code must not, or cannot, be kept there and run from there, and what to do; empty if it
    can. The folder is made where it is missing."""
    try:
        _make(folder)
        if why := _open_to_others(folder) or _unsafe_way_to(folder):
            return why
        (folder / PYTHONS).mkdir(mode=0o700, exist_ok=True)
        if why := _open_to_others(folder / PYTHONS):
            return why
        (folder / PYTHONS).chmod(0o700)  # what numba writes there has the mode of the umask
    except OSError as error:
        return f"cannot be used: {error.strerror or error}; set {CHOICE} to a folder of your own"
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"cannot be written; set {CHOICE} to a folder of your own"
    return ""


def _make(folder: Path) -> None:
    """Makes the folder, and those above it, for the user alone, whatever the umask allows."""
    missing = [path for path in (folder, *folder.parents) if not os.path.lexists(path)]
    for path in reversed(missing):
        with suppress(FileExistsError):  # another process was faster
            path.mkdir(mode=0o700)


def _open_to_others(folder: Path) -> str:
    """Why somebody else may write in a folder of ours; empty if nobody can."""
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
    """Why somebody else may put another folder in its place; empty if nobody can."""
    if not hasattr(os, "geteuid"):
        return ""
    trusted = {os.geteuid(), ROOT, *_owners_outside()}
    way = dict.fromkeys([*Path(os.path.abspath(folder)).parents, *folder.resolve().parents])
    for above in way:
        for status in (above.lstat(), above.stat()):  # a link on the way, and where it leads
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
    """Who owns, in a container, what nobody in it owns, such as the folders above it: a number that
    the system gives to all of them. None where it is that of a user here, as 'nobody' is outside of
    containers."""
    try:
        number = int(OVERFLOW.read_text())
        ranges = [[int(word) for word in line.split()] for line in UID_MAP.read_text().splitlines()]
        users = [range(first, first + count) for first, _, count in ranges]
    except (OSError, ValueError):
        return set()
    return set() if any(number in some for some in users) else {number}


def _is_own_group(number: int) -> bool:
    """Whether a group is the one of the same name that many systems make for each user, and has
    nobody else in it."""
    import grp
    import pwd

    try:
        user, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(number)
    except KeyError:
        return False
    alone = set(group.gr_mem) <= {user.pw_name}
    return number == user.pw_gid and group.gr_name == user.pw_name and alone


def cached_file(name: str, make: Callable[[], bytes], part: str = "kernels") -> bytes:
    """What is in the file of that name, which is made now if it is not there. The name says all
    that the content depends on.

    part  of the cache: see cache_folder
    Raises what `make` raises, OSError for a folder that cannot be written.
    """
    path = cache_folder(part) / name
    with suppress(FileNotFoundError):
        return read_bytes(path)
    data = make()
    try:
        write_file(path, data)
    except OSError as error:
        raise OSError(
            error.errno,
            f"nothing can be kept in {path.parent}: {error.strerror or error}; set {CHOICE} to a "
            "folder that can be written",
        ) from None
    return data
