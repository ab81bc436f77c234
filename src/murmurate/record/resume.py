"""Resume a recording: it is opened for writing, from the last frame that is complete."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.frame import Frame
from murmurate.record import exact_states, journal
from murmurate.record.array_writers import ShardWriter
from murmurate.record.durable_files import Lock
from murmurate.record.errors import RecordingDamaged, RecordingRefused, write_error
from murmurate.record.make_header import versions
from murmurate.record.metadata import parts_of
from murmurate.record.recording import Recording
from murmurate.record.recovery import Recovered, recover
from murmurate.record.schema import ROWS
from murmurate.record.shards import Shard
from murmurate.record.store import Measure, Store
from murmurate.record.writer import COMMIT_SECONDS, Scheduled, Writer


class ResumedRecording:
    """A recording that is to be resumed.

    frames  how many frames stay; it is resumed from the last of them
    step    of that one
    exact   the state after it, where frames are rounded; else they are exact themselves
    target  the step up to which it was to be flown
    notes   what was found damaged
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Takes the recording's lock, and keeps it. Raises RecordingRefused, RecordingDamaged."""
        self.path = Path(path)
        recover(self.path)
        _refuse_links(self.path)
        try:
            (self.path / journal.FOLDER).mkdir(exist_ok=True)
            self._lock = Lock(self.path / journal.LOCK, self.path)
        except OSError as error:
            raise RecordingRefused(
                f"{self.path}: cannot be written: {error.strerror}; allow it, or copy it"
            ) from None
        try:
            found = recover(self.path, deep=True)
            self.frames, self.exact = _newest_exact_state(self.path, found)
        except BaseException:
            self._lock.release()
            raise
        self.header, self.target, self.notes = found.header, found.target, found.notes
        self.step = self.header["first_step"] + (self.frames - 1) * self.header["every"]
        self._commits = [c for c in found.commits if c["frames"] <= self.frames]

    def release(self) -> None:
        """Releases its lock without writing."""
        self._lock.release()

    def writer(
        self,
        target: int,
        *,
        measure: Measure | None = None,
        scheduled: Scheduled = lambda _: (),
        commit_seconds: float = COMMIT_SECONDS,
    ) -> Writer:
        """A writer for the frames that follow. Metadata and journal are complete when it
        returns, whatever they were."""
        try:
            for draft in (self.path / journal.FOLDER).glob("draft-*"):
                draft.unlink()
            header = {**self.header, "parts": parts_with(self.header, self.frames, versions())}
            store = Store(self.path, header, target, measure=measure, scheduled=scheduled)
            self._restore(store)
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
        """Restores the open shards and rows, and removes later files."""
        for shard in store.shards:
            _restore_shard(self.path, shard, self.frames)
        rec = Recording(self.path)
        part = self.frames // ROWS
        for rows in store.rows.values():
            rows.part = part
        for number in range(part * ROWS, self.frames):
            frame = None
            for name, rows in store.rows.items():
                known = rec.row(number, name)
                if known is None:
                    frame = frame if frame is not None else rec[number]
                    known = store.row(frame, name)
                rows.rows.append(np.asarray(known, rows.array.dtype))
        store.frames = store.committed = self.frames
        store.last = self.exact


def _refuse_links(path: Path) -> None:
    """Raises RecordingRefused where a part of a recording leads out of it: files elsewhere would
    be written and removed."""
    link = next((file for file in path.rglob("*") if file.is_symlink()), None)
    if link is not None:
        raise RecordingRefused(
            f"{link}: is a link, and a recording that is written to has none; put what it leads to "
            "in its place"
        )


def parts_with(header: dict[str, Any], frames: int, made_with: str) -> list[dict[str, Any]]:
    """The parts of a recording whose frames from `frames` on are flown with these versions."""
    parts = [part for part in parts_of(header) if part["frame"] < frames]
    if parts and parts[-1]["versions"] == made_with:
        return parts
    return [*parts, {"frame": frames, "versions": made_with}]


def _newest_exact_state(path: Path, found: Recovered) -> tuple[int, Frame | None]:
    """(frames, the state after the last of them), the newest that a run can be resumed from; of a
    recording whose frames are exact, none beside the frame."""
    rec = Recording(path, found)
    if found.header["precision"] is None:
        for frames in range(found.frames, 0, -1):
            try:
                rec.check_frame(frames - 1)
            except RecordingDamaged:
                continue
            return frames, None
    else:
        for frames in reversed([n for n in exact_states.saved_after(path) if n <= found.frames]):
            arrays = exact_states.read(path, frames, found.header["dtype"])
            if arrays is not None:
                return frames, rec.frame_of(frames - 1, arrays)
    raise RecordingDamaged(
        f"{path}: no frame is left that it could be resumed from; record it again with "
        "--force, its model and seed are in its zarr.json"
    )


def _restore_shard(path: Path, shard: ShardWriter, frames: int) -> None:
    array = shard.array
    shard.number = frames // array.shard_frames
    inside = frames - shard.number * array.shard_frames
    beyond = shard.number + (1 if inside else 0)
    for file in _files(path / array.name / "c"):
        if int(file.relative_to(path / array.name / "c").parts[0]) >= beyond:
            file.unlink()
    if not inside:
        return
    opened = Shard(path / array.file(shard.number), array.capacity)
    chunks = opened.whole_chunks(deep=True)
    opened.close()
    packed = inside // array.chunk_frames
    shard.chunks = chunks[: packed * array.blocks]
    rest = inside - packed * array.chunk_frames
    if rest:
        last = chunks[packed * array.blocks : (packed + 1) * array.blocks]
        blocks: Any = [array.codec.unpack(data) for data in last]
        assert all(block is not None for block in blocks)
        numbers: Any = np.concatenate(blocks, axis=1)[:, : array.shape[0]]
        shard.waiting = [np.ascontiguousarray(numbers[k]) for k in range(rest)]


def _files(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file()]
