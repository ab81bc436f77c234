"""Recordings on Windows, as far as Linux can imitate it.

Some calls are missing, files cannot be renamed or replaced while they are open, and locks apply to
bytes.
"""

from __future__ import annotations

import os
import sys
import types
from pathlib import Path

import pytest
from recorded import assert_same, record

import murmurate as mm
from murmurate.record import durable_files, shards
from processes import until

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/fd").exists(), reason="which files are open is read from /proc"
)


def open_below(path: Path) -> list[str]:
    """Return the open files of this process at or below a path."""
    files = []
    for handle in Path("/proc/self/fd").iterdir():
        try:
            target = os.readlink(handle)
        except OSError:
            continue
        if Path(target).is_relative_to(path.absolute()):
            files.append(target)
    return files


@pytest.fixture(autouse=True)
def windows(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Remove what Windows lacks; return the locked bytes, (handle, offset)."""
    for name in ("pread", "pwrite", "fork", "sched_getaffinity"):
        monkeypatch.delattr(os, name)
    for name in ("replace", "rename"):
        original = getattr(os, name)

        def renamed(source: Path, target: Path, original: object = original) -> None:
            for path in (Path(source), Path(target)):
                if open_below(path):
                    raise PermissionError(13, "a file in it is open", str(path))
            original(source, target)  # type: ignore[operator]

        monkeypatch.setattr(os, name, renamed)
    locked: list[tuple[int, int]] = []

    def locking(handle: int, mode: int, count: int) -> None:
        inode = os.fstat(handle).st_ino
        position = os.lseek(handle, 0, os.SEEK_CUR)
        for target, offset in locked:
            try:
                same = os.fstat(target).st_ino == inode and target != handle
            except OSError:  # closed, and so unlocked
                continue
            if same and offset == position:
                raise PermissionError(13, "locked")
        locked.append((handle, position))

    monkeypatch.setitem(sys.modules, "msvcrt", types.SimpleNamespace(locking=locking, LK_NBLCK=2))
    monkeypatch.setattr(durable_files, "fcntl", None)
    monkeypatch.setattr(durable_files, "OPEN_FILES_MOVE", False)
    monkeypatch.setattr(shards, "KEPT_OPEN", False)
    return locked


def test_a_lock_names_its_owner(tmp_path: Path, windows: list[tuple[int, int]]) -> None:
    lock = durable_files.Lock(tmp_path / "lock", "it")
    assert windows[0][1] >= (tmp_path / "lock").stat().st_size  # so that the owner can be read
    with pytest.raises(mm.OpenError, match=f"process {os.getpid()}"):
        durable_files.Lock(tmp_path / "lock", "it")
    lock.release()
    assert not durable_files.is_locked(tmp_path / "lock")


def test_a_recording_is_written_read_and_resumed(tmp_path: Path) -> None:
    path = tmp_path / "a.zarr"
    seen = []

    def meanwhile(step: int, _: int) -> None:
        if step in (10, 20, 30):
            rec = mm.open(path)
            seen.append([frame.step for frame in rec])
            # the writer's thread has a shard open while it writes to it
            until(lambda: not open_below(path / "position"))
            with pytest.raises(mm.OpenError, match="is writing this recording"):
                mm.resume(path, 50)

    record(path, steps=40, progress=meanwhile)
    assert len(seen) == 3 and all(steps == list(range(len(steps))) for steps in seen)
    assert len(mm.resume(path, 60)) == 61
    assert_same(mm.open(path), record(tmp_path / "b.zarr", steps=60))
    assert len(record(path, steps=4, force=True)) == 5


def test_an_open_file_is_replaced_when_it_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"old")
    reader = open(file, "rb")  # noqa: SIM115 (closed during the wait)
    monkeypatch.setattr(durable_files.time, "sleep", lambda _: reader.close())
    durable_files.write_atomically(file, b"new", tmp_path)
    assert file.read_bytes() == b"new"


def test_a_journal_has_the_same_line_ends_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows changes them in a file that is not opened as binary."""
    if hasattr(os, "O_BINARY"):
        pytest.skip("this is Windows itself")
    from murmurate.record import journal

    (tmp_path / "journal").mkdir()
    (tmp_path / "journal" / "log").touch()
    modes, original = [], os.open
    monkeypatch.setattr(journal, "BINARY", 1 << 30)
    monkeypatch.setattr(os, "open", lambda p, m: (modes.append(m), original(p, m & ~(1 << 30)))[1])
    journal.append(tmp_path, {"frames": 1})
    assert modes[0] & 1 << 30
