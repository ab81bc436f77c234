"""Writer: records frames in a background thread, into a new or a resumed recording."""

from __future__ import annotations

import os
import queue
import re
import shutil
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.disk import as_path, check_folder, draft_name, is_stale
from murmurate.errors import DamagedRecordingError, OpenError, RecordError
from murmurate.frame import DistributedFrame, Frame
from murmurate.model.names import with_ending
from murmurate.model.number import MAX_WHOLE
from murmurate.record import journal
from murmurate.record.block_reader import shard_chunks
from murmurate.record.durable_files import Lock, is_locked, sync_folder, write_error
from murmurate.record.header import present_parts, versions
from murmurate.record.input_log import INPUTS, Input
from murmurate.record.recording import Recording
from murmurate.record.recovery import Recovered, is_recording, recover
from murmurate.record.schema import ROWS, row_count
from murmurate.record.shards import Shard
from murmurate.record.store import (
    EncodedFrame,
    Measure,
    ShardWriter,
    Store,
    list_states,
    read_state,
    state_flocks,
)

COMMIT_SECONDS = 10.0
QUEUE_BYTES = 64 << 20  # of frames that wait to be encoded
MAX_QUEUED = 512  # frames
OLD = ".old"  # added to the name of a recording that is being replaced
OLD_DRAFT = re.compile(r"\..+\.zarr\.[0-9a-f]{8}\.(part|old)", re.DOTALL)
"""Drafts of earlier versions, whose names do not say which process writes them."""

Scheduled = Callable[[float], Sequence[float]]
"""Returns the scheduled numbers at a time."""


class Writer:
    """Writes a recording while the simulation continues. Use it in a `with`, or close() it.

    add() only waits if the thread is behind by 64 MB of frames. The next add(), or close(), raises
    an error of the thread.

    store  writes the files
    lock  the lock of the recording, which close() releases
    commit_seconds  seconds between commits
    """

    def __init__(self, store: Store, lock: Lock, commit_seconds: float = COMMIT_SECONDS) -> None:
        self.path = store.path
        self._store, self._lock, self._seconds = store, lock, commit_seconds
        header = store.header
        width = 2 * header["dims"] * np.dtype(header["dtype"]).itemsize + 16
        frame_bytes = max(1, width * row_count(header))
        capacity = max(2, min(MAX_QUEUED, QUEUE_BYTES // frame_bytes))
        self._queue: queue.Queue[Frame | EncodedFrame | Input | None] = queue.Queue(capacity)
        self._failure: BaseException | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="murmurate-recorder", daemon=True)
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
        """Begin a recording with its first frame, which is durable on return.

        path  the folder, NAME.zarr
        header  see murmurate.record.header.make_header
        target  the step up to which the simulation is to run
        measure  returns the measures of a frame
        scheduled  returns the scheduled numbers at a time
        force  replace an existing recording; nothing else is ever replaced
        commit_seconds  seconds between commits
        raises OpenError  before anything is written or removed
        raises RecordError  if it cannot be written
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
            if header.get("inputs"):
                (draft / INPUTS).touch()
            store.add(store.encode(first) if isinstance(first, DistributedFrame) else first)
            store.commit_pending()
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
                raise _create_error(path, error) from None
            raise

    @property
    def frames(self) -> int:
        """Number of durable frames."""
        return self._store.committed

    @property
    def target(self) -> int:
        """The step up to which the simulation is to run."""
        return self._store.target

    @property
    def bytes(self) -> int:
        """Approximate bytes of frames on disk."""
        return self._store.written

    @property
    def input_bytes(self) -> int:
        """Bytes of the log of inputs."""
        return self._store.input_bytes

    def add(self, frame: Frame | DistributedFrame | Input) -> None:
        """Record a frame, `every` steps after the one before, or an input. Raises RecordError."""
        self._raise_failure()
        if isinstance(frame, DistributedFrame):
            try:
                item: Frame | EncodedFrame | Input = self._store.encode(frame)
            except OSError as error:
                raise self._write_error(error) from None
        else:
            item = frame
        while True:
            self._raise_failure()
            try:
                self._queue.put(item, timeout=0.5)
                return
            except queue.Full:
                continue

    def close(self) -> None:
        """Commit all frames. Raises RecordError if they cannot be written."""
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
        self._raise_failure()

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

    def _raise_failure(self) -> None:
        if isinstance(self._failure, OSError):
            raise self._write_error(self._failure) from None
        if self._failure is not None:
            raise self._failure

    def _write_error(self, error: OSError) -> RecordError:
        return write_error(self.path, error, f"{self.frames} frames are kept")

    def _run(self) -> None:
        """Take frames from the queue and commit them, until the queue yields None."""
        store, due = self._store, time.monotonic() + self._seconds
        try:
            while True:
                is_last = False
                try:
                    frame = self._queue.get(timeout=max(0.0, due - time.monotonic()) + 0.001)
                    is_last = frame is None
                    if isinstance(frame, Input):
                        store.add_input(frame)
                    elif frame is not None and store.add(frame):
                        due = time.monotonic() + self._seconds
                except queue.Empty:
                    pass
                if is_last or time.monotonic() >= due:
                    store.commit_pending()
                    due = time.monotonic() + self._seconds
                if is_last:
                    store.write_metadata()
                    return
        except BaseException as error:
            if isinstance(error, OSError):
                store.keep_what_fits()
            self._failure = error


# --- new recordings


def check_output(path: str | os.PathLike[str], force: bool = False) -> Path:
    """Check that a recording can be created at `path`, or raise OpenError."""
    path = as_path(path, OpenError)
    if path.suffix != ".zarr":
        raise OpenError(
            f"{path}: got the ending {path.suffix or '(none)'}; expected a folder NAME.zarr. Call "
            f"it {with_ending(path, '.zarr')}"
        )
    check_folder(path, OpenError)
    if path.exists() or path.is_symlink():
        if not is_recording(path):
            raise OpenError(
                f"{path} exists, is not a murmurate recording and is kept; give another name"
            )
        if not force:
            raise OpenError(
                f"{path} exists and is kept; give another name, --force to replace it, or resume "
                f"it: murmurate resume {path}"
            )
        if is_locked(path / journal.LOCK):
            Lock(path / journal.LOCK, path)
    return path


def remove_drafts(folder: Path, target: str | None = None) -> None:
    """Remove drafts of killed processes in a folder, of one recording or of all.

    That is drafts, and recordings that were being replaced. Nothing that a living process writes is
    removed.
    """
    for name in os.listdir(folder) if folder.is_dir() else ():
        draft = folder / name
        if OLD_DRAFT.fullmatch(name):
            is_abandoned = target is None or name.startswith(f".{target}.")
        else:
            is_abandoned = is_stale(name.removesuffix(OLD), target)
        if not is_abandoned or draft.is_symlink() or not draft.is_dir():
            continue
        if not is_locked(draft / journal.LOCK):
            shutil.rmtree(draft, ignore_errors=True)


def _remove_recording(path: Path) -> None:
    """Rename a recording atomically, then remove it."""
    if path.is_symlink():
        path.unlink()
        return
    old = path.with_name(draft_name(path.name) + OLD)
    os.rename(path, old)
    shutil.rmtree(old, ignore_errors=True)


def _create_error(path: Path, error: OSError) -> RecordError:
    text = str(write_error(path, error, "nothing was begun"))
    return RecordError(text.removesuffix(f": murmurate resume {path}"))


# --- resumed recordings


class ResumedRecording:
    """A recording that is about to be resumed. Takes its lock.

    path  the recording
    frames  number of frames that are kept; the run is resumed from the last of them
    step  the step of that frame
    exact  the exact state of that frame, if frames are rounded
    inputs  the log of inputs
    target  the step up to which the simulation was to run
    notes  damage
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        recover(self.path)
        _refuse_links(self.path)
        try:
            (self.path / journal.FOLDER).mkdir(exist_ok=True)
            self._lock = Lock(self.path / journal.LOCK, self.path)
        except OSError as error:
            raise OpenError(
                f"{self.path}: cannot be written: {error.strerror}; allow it, or copy it"
            ) from None
        try:
            recovered = recover(self.path, deep=True)
            self.frames, self.exact = newest_exact_state(self.path, recovered)
            self.inputs = Recording(self.path, recovered).inputs
            self.inputs.check(self.frames)
        except BaseException:
            self._lock.release()
            raise
        self.header, self.target = recovered.header, recovered.target
        self.notes, self._recovered = recovered.notes, recovered
        self.step = self.header["first_step"] + (self.frames - 1) * self.header["every"]
        self._commits = [c for c in recovered.commits if c["frames"] <= self.frames]

    def release(self) -> None:
        """Release the lock without writing."""
        self._lock.release()

    def writer(
        self,
        target: int,
        *,
        measure: Measure | None = None,
        scheduled: Scheduled = lambda _: (),
        commit_seconds: float = COMMIT_SECONDS,
        engine: tuple[str, str] | None = None,
    ) -> Writer:
        """Return a writer for the following frames; see Writer.create for other arguments.

        `engine` is the engine that continues with other bits, and its family. On return, metadata
        and journal are complete, even if they were damaged.
        """
        try:
            for draft in (self.path / journal.FOLDER).glob("draft-*"):
                draft.unlink()
            parts = extend_parts(self.header, self.frames, versions(), engine)
            header = {**self.header, "parts": parts}
            store = Store(self.path, header, target, measure=measure, scheduled=scheduled)
            self._restore(store)
            if header.get("inputs"):
                os.truncate(self.inputs.path, self.inputs.size)
                store.input_bytes = self.inputs.size
            store.begin()
            store.start_journal(self._commits)
            store.commit()
        except OSError as error:
            self._lock.release()
            raise write_error(self.path, error, f"{self.frames} frames are kept") from None
        except BaseException:
            self._lock.release()
            raise
        return Writer(store, self._lock, commit_seconds)

    def _restore(self, store: Store) -> None:
        """Restore the current shards and rows, and remove later files."""
        rec = Recording(self.path, self._recovered)
        for shard in store.shards:
            _restore_shard(rec, shard, self.frames)
        rec.close()
        part = self.frames // ROWS
        for rows in store.rows.values():
            rows.part = part
        for number in range(part * ROWS, self.frames):
            frame = None
            for name, rows in store.rows.items():
                row = rec.row(number, name)
                if row is None:
                    frame = frame if frame is not None else rec[number]
                    row = store.row(frame, name)
                rows.rows.append(np.asarray(row, rows.array.dtype))
        store.frames = store.committed = self.frames
        store.last = self.exact


def _refuse_links(path: Path) -> None:
    """Raise OpenError for a link, by which files elsewhere would be written and removed."""
    link = next((file for file in path.rglob("*") if file.is_symlink()), None)
    if link is not None:
        raise OpenError(
            f"{link}: got a link; expected files and folders only in a recording that is written. "
            "Replace it by its target"
        )


def extend_parts(
    header: dict[str, Any],
    frames: int,
    current_versions: str,
    engine: tuple[str, str] | None = None,
) -> list[dict[str, Any]]:
    """Return the parts of a recording whose frames from `frames` on have these versions, and this
    engine and family; None for those before."""
    parts: list[dict[str, Any]] = present_parts(header, frames)["parts"]
    if parts and parts[-1]["versions"] == current_versions and engine is None:
        return parts
    part = {"frame": frames, "versions": current_versions}
    return [*parts, part | (dict(zip(("engine", "family"), engine, strict=True)) if engine else {})]


def newest_exact_state(
    path: Path, recovered: Recovered, max_frames: int = MAX_WHOLE
) -> tuple[int, Frame | None]:
    """Return (frames, state after the last of them), the newest from which a run can be resumed.

    The state is None if frames are exact themselves.
    """
    rec, max_frames = Recording(path, recovered), min(recovered.frames, max_frames)
    if recovered.header["precision"] is None:
        for frames in range(max_frames, 0, -1):
            try:
                rec.check_frame(frames - 1)
            except DamagedRecordingError:
                continue
            return frames, None
    else:
        for frames in reversed([n for n in list_states(path) if n <= max_frames]):
            arrays = read_state(path, frames, recovered.header["dtype"], state_flocks(rec.header))
            if arrays is not None:
                return frames, rec.frame_of(frames - 1, arrays)
    raise DamagedRecordingError(
        f"{path}: no frame is left that it could be resumed from; record it again with "
        "--force, its model and seed are in its zarr.json"
    )


def _restore_shard(rec: Recording, shard: ShardWriter, frames: int) -> None:
    """Restore a shard up to `frames` frames of the recording, and remove later shards."""
    array = shard.array
    shard.number = frames // array.shard_frames
    inside = frames - shard.number * array.shard_frames
    first_removed = shard.number + (1 if inside else 0)
    folder = rec.path / array.name / "c"
    for file in [file for file in folder.rglob("*") if file.is_file()]:
        if int(file.relative_to(folder).parts[0]) >= first_removed:
            file.unlink()
    if not inside:
        return
    opened = Shard(rec.path / array.file(shard.number), array.capacity)
    stored = rec.stored_blocks(array.name)
    numbers = shard_chunks(array, shard.number, inside, stored, opened.index is None)
    chunks = dict(zip(numbers, opened.valid_chunks(deep=True, numbers=numbers), strict=False))
    opened.close()
    complete = inside // array.chunk_frames * array.blocks
    shard.chunks = [chunks.get(number) for number in range(complete)]
    rest = inside % array.chunk_frames
    if rest:
        last = range(complete, complete + array.blocks)
        blocks = {n - complete: array.codec.unpack(chunks[n]) for n in last if n in chunks}
        assert all(block is not None for block in blocks.values())
        _restore_queue(rec, shard, blocks, frames - rest, frames)


def _restore_queue(
    rec: Recording, shard: ShardWriter, blocks: Mapping[int, Any], first: int, last: int
) -> None:
    """Restore the frames first, ..., last - 1 of an incomplete chunk from its stored blocks."""
    array = shard.array
    if array.empty is None:
        values = np.concatenate([blocks[b] for b in range(array.blocks)], axis=1)
        values = values[:, : array.shape[0]]
        shard.queued = [(np.ascontiguousarray(values[k]), None) for k in range(last - first)]
        return
    for k in range(last - first):
        rows = rec.occupied_rows(first + k)
        numbers = np.empty((len(rows), *array.shape[1:]), array.codec.dtype)
        for block, values in blocks.items():
            inside = rows // array.block_boids == block
            numbers[inside] = values[k, rows[inside] - block * array.block_boids]
        shard.queued.append((numbers, rows))
