"""Writer: records frames in a thread of its own."""

from __future__ import annotations

import os
import queue
import re
import shutil
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.disk import draft_name, is_stale
from murmurate.frame import DistributedFrame, Frame
from murmurate.model.names import with_ending
from murmurate.record import journal
from murmurate.record.durable_files import Lock, is_locked, sync_folder
from murmurate.record.errors import RecordError, RecordingRefused, write_error
from murmurate.record.packed_frame import PackedFrame
from murmurate.record.recovery import is_recording
from murmurate.record.store import Measure, Store

COMMIT_SECONDS = 10.0
WAITING_BYTES = 64 << 20  # frames that may wait to be packed
MOST_WAITING = 512
OLD = ".old"  # what is added to the name of a recording that is being replaced
LEFT = re.compile(r"\..+\.zarr\.[0-9a-f]{8}\.(part|old)", re.DOTALL)

Scheduled = Callable[[float], Sequence[float]]


class Writer:
    """Writes a recording while the simulation continues. Use it in a `with`, or close() it.

    add() only waits when the thread is behind by 64 MB of frames. An error in the thread is
    raised by the next add(), or by close().
    """

    def __init__(self, store: Store, lock: Lock, commit_seconds: float = COMMIT_SECONDS) -> None:
        self.path = store.path
        self._store, self._lock, self._seconds = store, lock, commit_seconds
        header = store.header
        width = 2 * header["dims"] * np.dtype(header["dtype"]).itemsize + 16
        frame_bytes = max(1, width * sum(header["counts"].values()))
        room = max(2, min(MOST_WAITING, WAITING_BYTES // frame_bytes))
        self._queue: queue.Queue[Frame | PackedFrame | None] = queue.Queue(room)
        self._failure: BaseException | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="murmurate-recorder", daemon=True)
        self._thread.start()

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        header: dict[str, Any],
        first: Frame | DistributedFrame,
        target: int,
        *,
        measure: Measure | None = None,
        scheduled: Scheduled = lambda _: (),
        force: bool = False,
        commit_seconds: float = COMMIT_SECONDS,
    ) -> Writer:
        """Begins a recording with its first frame, which is durable when this returns.

        header  see murmurate.record.make_header.make_header
        target  the step up to which it is to be flown
        force   replace a recording that is there; nothing else is ever replaced
        Raises RecordingRefused before anything is written or removed.
        """
        path = check_output(path, force)
        remove_drafts(path.parent, path.name)
        draft = path.with_name(draft_name(path.name))
        lock = None
        try:
            (draft / journal.FOLDER).mkdir(parents=True)
            lock = Lock(draft / journal.LOCK, path)
            store = Store(draft, header, target, measure=measure, scheduled=scheduled)
            store.begin()
            store.start_journal()
            store.add(store.packed(first) if isinstance(first, DistributedFrame) else first)
            if store.committed < store.frames:
                store.commit()
            if path.exists():
                _remove_recording(path)
            lock.rename_folder(draft, path)
            store.path = path
            sync_folder(path.parent)
            return cls(store, lock, commit_seconds)
        except BaseException as error:
            if lock is not None:
                lock.release()
            shutil.rmtree(draft, ignore_errors=True)
            if isinstance(error, OSError):
                raise _refused(path, error) from None
            raise

    @property
    def frames(self) -> int:
        """Frames that are durable."""
        return self._store.committed

    @property
    def target(self) -> int:
        """The step up to which it is to be flown."""
        return self._store.target

    @property
    def bytes(self) -> int:
        """Bytes of frames on disk, about."""
        return self._store.written

    def add(self, frame: Frame | DistributedFrame) -> None:
        """Records a frame: `every` steps after the one before. Raises RecordError."""
        self._raise()
        if isinstance(frame, DistributedFrame):
            try:
                kept: Frame | PackedFrame = self._store.packed(frame)
            except OSError as error:
                raise self._failed(error) from None
        else:
            kept = frame
        while True:
            self._raise()
            try:
                self._queue.put(kept, timeout=0.5)
                return
            except queue.Full:
                continue

    def close(self) -> None:
        """Commits what was added. Raises RecordError if it could not be written."""
        if not self._closed:
            self._closed = True
            while self._thread.is_alive():
                try:
                    self._queue.put(None, timeout=0.5)
                    break
                except queue.Full:
                    continue
            self._thread.join()
            self._lock.release()
        self._raise()

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.close()
            return
        try:
            self.close()
        except RecordError:
            if kind is KeyboardInterrupt:
                raise

    def _raise(self) -> None:
        if isinstance(self._failure, OSError):
            raise self._failed(self._failure) from None
        if self._failure is not None:
            raise self._failure

    def _failed(self, error: OSError) -> RecordError:
        return write_error(self.path, error, f"{self.frames} frames are kept")

    def _work(self) -> None:
        store, due = self._store, time.monotonic() + self._seconds
        try:
            while True:
                last = False
                try:
                    frame = self._queue.get(timeout=max(0.0, due - time.monotonic()) + 0.001)
                    last = frame is None
                    if frame is not None and store.add(frame):
                        due = time.monotonic() + self._seconds
                except queue.Empty:
                    pass
                if last or time.monotonic() >= due:
                    if store.frames > store.committed:
                        store.commit()
                    due = time.monotonic() + self._seconds
                if last:
                    store.write_metadata()
                    return
        except BaseException as error:
            self._failure = error


def check_output(path: str | os.PathLike[str], force: bool = False) -> Path:
    """Whether a recording can be begun there; raises RecordingRefused when not. Writes nothing."""
    path = Path(path)
    if path.suffix != ".zarr":
        raise RecordingRefused(
            f"{path}: a recording is a folder NAME.zarr; call it {with_ending(path, '.zarr')}"
        )
    folder = path.absolute().parent
    if not folder.is_dir():
        raise RecordingRefused(f"{path}: there is no folder {folder}; make it first")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise RecordingRefused(f"{path}: no permission to write in {folder}; give another path")
    if path.exists() or path.is_symlink():
        if not is_recording(path):
            raise RecordingRefused(
                f"{path} exists, is no murmurate recording and is kept; give another name"
            )
        if not force:
            raise RecordingRefused(
                f"{path} exists and is kept; give another name, --force to replace it, or resume "
                f"it: murmurate resume {path}"
            )
        if is_locked(path / journal.LOCK):
            Lock(path / journal.LOCK, path)
    return path


def remove_drafts(folder: Path, target: str | None = None) -> None:
    """Remove what killed processes left in a folder of recordings, of one recording or of all:
    drafts, and recordings that were being replaced. Nothing that a living process writes goes."""
    for name in os.listdir(folder) if folder.is_dir() else ():
        draft = folder / name
        if LEFT.fullmatch(name):  # of a version that did not say who writes it
            gone = target is None or name.startswith(f".{target}.")
        else:
            gone = is_stale(name.removesuffix(OLD), target)
        if not gone or draft.is_symlink() or not draft.is_dir():
            continue
        if not is_locked(draft / journal.LOCK):
            shutil.rmtree(draft, ignore_errors=True)


def _remove_recording(path: Path) -> None:
    """Renames a recording in one step, then removes it."""
    if path.is_symlink():
        path.unlink()
        return
    old = path.with_name(draft_name(path.name) + OLD)
    os.rename(path, old)
    shutil.rmtree(old, ignore_errors=True)


def _refused(path: Path, error: OSError) -> RecordingRefused | RecordError:
    failure = write_error(path, error, "nothing was begun")
    text = str(failure).removesuffix(f": murmurate resume {path}")
    return RecordError(text)
