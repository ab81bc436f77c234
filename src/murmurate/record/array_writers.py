"""Array writers: the shard, or the small file, of each array that frames are added to."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from murmurate.frame import Frame
from murmurate.record.codec import Array, checksum, with_checksum
from murmurate.record.durable_files import write_atomically
from murmurate.record.schema import ROWS, BoidArray, FrameArray
from murmurate.record.shard_draft import ShardDraft
from murmurate.record.shards import shard_bytes


class ShardWriter:
    """The shard of a big array that frames go into.

    number  which shard it is
    chunks  those that are packed already
    waiting frames of the chunk that is not full yet, as they are stored
    draft   the whole shard, where one frame that was packed elsewhere fills it
    """

    def __init__(self, array: BoidArray) -> None:
        self.array = array
        self.number = 0
        self.chunks: list[bytes] = []
        self.waiting: list[Array] = []
        self.draft: ShardDraft | None = None

    @property
    def frames(self) -> int:
        """Frames in it."""
        if self.draft is not None:
            return self.array.shard_frames
        packed = len(self.chunks) // self.array.blocks * self.array.chunk_frames
        return packed + len(self.waiting)

    @property
    def full(self) -> bool:
        return self.frames >= self.array.shard_frames

    def add(self, values: Array) -> None:
        """One frame of values; packs the chunk when it is full."""
        self.waiting.append(self.array.codec.numbers(values))
        if len(self.waiting) == self.array.chunk_frames:
            self.chunks += self._packed()
            self.waiting = []

    @property
    def file(self) -> str:
        """Its path in the recording."""
        return self.array.file(self.number)

    def write(self, recording: Path, drafts: Path) -> tuple[int, int]:
        """Makes it durable as it is; returns its length and checksum. Raises OSError.

        drafts  a folder on the same disk for the unfinished file
        """
        if self.draft is not None:
            self.draft.put(recording / self.file)
            return self.draft.size, self.draft.checksum
        data = self.file_bytes()
        write_atomically(recording / self.file, data, drafts)
        return len(data), checksum(data)

    def file_bytes(self) -> bytes:
        """The shard as a file; in a chunk that is not full, the last frame stands for those to
        come."""
        more = self._packed() if self.waiting else []
        return shard_bytes([*self.chunks, *more], self.array.capacity)

    def next(self) -> None:
        self.number, self.chunks, self.waiting, self.draft = self.number + 1, [], [], None

    def _packed(self) -> list[bytes]:
        return pack(self.array, np.stack(self.waiting))


def pack(array: BoidArray, frames: Array) -> list[bytes]:
    """Up to a chunk's frames, (frames, boids, ...), as packed chunks, one a block of boids."""
    side = array.codec.shape[1]
    return [pack_block(array, frames[:, b * side : (b + 1) * side]) for b in range(array.blocks)]


def pack_block(array: BoidArray, frames: Array) -> bytes:
    """Up to a chunk's frames of the boids of one block as a packed chunk; the last frame, and the
    last boid, stand for those that lack."""
    short, lacking = array.chunk_frames - len(frames), array.codec.shape[1] - frames.shape[1]
    if short or lacking:
        edges = [(0, short), (0, lacking)] + [(0, 0)] * (frames.ndim - 2)
        mode = "edge" if frames.shape[1] else "constant"
        frames = np.pad(frames, edges, mode=mode)  # type: ignore[call-overload]
    return array.codec.pack(frames)


class RowsWriter:
    """The file of a small array that rows go into."""

    def __init__(self, array: FrameArray) -> None:
        self.array = array
        self.part = 0
        self.rows: list[Array] = []

    def add(self, row: Array) -> bool:
        """Whether the file is full with it."""
        self.rows.append(np.asarray(row, self.array.dtype))
        return len(self.rows) == ROWS

    def file_bytes(self) -> bytes:
        width = (self.array.width,) if self.array.width else ()
        out = np.full((ROWS, *width), np.nan if "f" in self.array.dtype else 0, self.array.dtype)
        out[: len(self.rows)] = self.rows
        return with_checksum(out.tobytes())

    def next(self) -> None:
        self.part, self.rows = self.part + 1, []


def all_boids(frame: Frame, what: str) -> Array:
    """The arrays of all flocks, concatenated in id order: (boids, ...)."""
    parts = [getattr(flock, what) for flock in frame]
    if what == "memory":  # a flock that remembers less has zeros behind
        most = max((part.shape[1] for part in parts), default=0)
        parts = [np.pad(part, ((0, 0), (0, most - part.shape[1]))) for part in parts]
    return np.concatenate(parts) if len(parts) != 1 else parts[0]


FRAME_FIELDS = {"position": "positions", "velocity": "velocities", "perch_timer": "perch_timers"}
FRAME_FIELDS["memory"] = "memory"
