"""Store: writes the files of a recording, in commits; used by one thread.

A commit writes, in this order: shards, rows, the exact state if frames are rounded, the log of
inputs, a line in the journal, zarr.json. Each file is durable before the next is begun. All but the
log and the journal, which grow, are replaced atomically.
"""

from __future__ import annotations

import json
import logging
import math
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.disk import read_bytes
from murmurate.errors import RecordError
from murmurate.frame import DistributedFrame, Frame
from murmurate.record import header as headers
from murmurate.record import input_log, journal, schema
from murmurate.record.codec import Array, checksum, verify_checksum, with_checksum
from murmurate.record.durable_files import write_atomically
from murmurate.record.input_log import Input
from murmurate.record.row_ranges import FlockRows, rows_of
from murmurate.record.schema import FRAME_FIELDS, ROWS, BoidArray, FrameArray
from murmurate.record.shards import ShardDraft, shard_bytes

log = logging.getLogger(__name__)
MeasureValues = Mapping[str, Sequence[float]]
"""Name of a measure -> its value for each flock."""
Measure = Callable[[Frame | DistributedFrame], MeasureValues]


# --- boid arrays


def concatenate_flocks(frame: Frame, field: str) -> Array:
    """Return a field of all flocks, (boids, ...), in id order."""
    parts = [getattr(flock, field) for flock in frame.values()]
    if field == "memory":  # flocks with less state are padded with zeros
        width = max((part.shape[1] for part in parts), default=0)
        parts = [np.pad(part, ((0, 0), (0, width - part.shape[1]))) for part in parts]
    return np.concatenate(parts) if len(parts) != 1 else parts[0]


def values_of(frame: Frame, array: BoidArray) -> Array:
    """Return the values of an array for a frame: of its boids, or of its flocks (F,)."""
    if array.name in FRAME_FIELDS:
        return concatenate_flocks(frame, FRAME_FIELDS[array.name])
    number = len if array.name == "n_boids" else lambda flock: flock.n_ever
    return np.array([number(flock) for flock in frame.values()], np.int64)


def encode_rows(array: BoidArray, frames: Sequence[tuple[Array, Array]]) -> list[bytes | None]:
    """Encode frames with rows without a boid: a chunk per block, None for one without boids.

    frames  of a chunk: the occupied rows (N,), ascending, and their stored numbers (N, ...)
    """
    size, chunks = array.block_boids, []
    for block in range(array.blocks):
        shape = (array.chunk_frames, size, *array.shape[1:])
        values = None
        for k, (rows, numbers) in enumerate(frames):
            low, high = np.searchsorted(rows, (block * size, (block + 1) * size))
            if low == high:
                continue
            if values is None:
                values = np.full(shape, array.empty, array.codec.dtype)
            values[k, rows[low:high] - block * size] = numbers[low:high]
        if values is not None:
            values[len(frames) :] = values[len(frames) - 1]
        chunks.append(None if values is None else array.codec.pack(values))
    return chunks


def encode_frames(array: BoidArray, frames: Array) -> list[bytes]:
    """Encode stored numbers (frames, boids, ...) of a chunk as one chunk per block of boids."""
    size = array.block_boids
    return [encode_block(array, frames[:, b * size : (b + 1) * size]) for b in range(array.blocks)]


def encode_block(array: BoidArray, frames: Array) -> bytes:
    """Encode the stored numbers of one block of boids as a chunk.

    An incomplete chunk is padded by repeating the last frame and the last boid.
    """
    missing_frames = array.chunk_frames - len(frames)
    missing_boids = array.block_boids - frames.shape[1]
    if missing_frames or missing_boids:
        edges = [(0, missing_frames), (0, missing_boids)] + [(0, 0)] * (frames.ndim - 2)
        mode = "edge" if frames.shape[1] else "constant"
        frames = np.pad(frames, edges, mode=mode)  # type: ignore[call-overload]
    return array.codec.pack(frames)


class ShardWriter:
    """The current shard of a boid array.

    number  number of the shard
    chunks  encoded chunks, None for those without boids
    queued  frames of the incomplete chunk: stored numbers, and the rows that they occupy if numbers
            of boids change
    draft   the complete shard, if a frame that was encoded elsewhere fills it
    """

    def __init__(self, array: BoidArray) -> None:
        self.array = array
        self.number = 0
        self.chunks: list[bytes | None] = []
        self.queued: list[tuple[Array, Array | None]] = []
        self.draft: ShardDraft | None = None

    @property
    def frames(self) -> int:
        """Number of frames in the shard."""
        if self.draft is not None:
            return self.array.shard_frames
        encoded = len(self.chunks) // self.array.blocks * self.array.chunk_frames
        return encoded + len(self.queued)

    @property
    def full(self) -> bool:
        return self.frames >= self.array.shard_frames

    @property
    def file(self) -> str:
        """The path of the shard in the recording."""
        return self.array.file(self.number)

    def add(self, values: Array, rows: Array | None = None) -> None:
        """Add a frame of values (boids, ...), and encode the chunk when it is full."""
        self.queued.append((self.array.codec.to_stored(values), rows))
        if len(self.queued) == self.array.chunk_frames:
            self.chunks += self._encode_queued()
            self.queued = []

    def _encode_queued(self) -> list[bytes | None]:
        if self.array.empty is None:
            frames = np.stack([numbers for numbers, _ in self.queued])
            return [*encode_frames(self.array, frames)]
        return encode_rows(
            self.array, [(rows, numbers) for numbers, rows in self.queued if rows is not None]
        )

    def write(self, recording: Path, drafts: Path, frames: int) -> tuple[int, int]:
        """Write the shard durably; return its length and checksum. Raises OSError.

        drafts  a folder on the same disk for the unfinished file
        frames  number of its frames to write; chunks that begin later are left out
        """
        if self.draft is not None:
            self.draft.put(recording / self.file)
            return self.draft.size, self.draft.checksum
        data = self.file_bytes(frames)
        write_atomically(recording / self.file, data, drafts)
        return len(data), checksum(data)

    def file_bytes(self, frames: int) -> bytes:
        """Return the shard as a file; an incomplete chunk repeats its last frame."""
        size = -(-frames // self.array.chunk_frames) * self.array.blocks
        last = self._encode_queued() if self.queued and size > len(self.chunks) else []
        return shard_bytes([*self.chunks[:size], *last], self.array.capacity)

    def advance(self) -> None:
        """Begin the next shard."""
        self.number, self.chunks, self.queued, self.draft = self.number + 1, [], [], None


class RowsWriter:
    """The current file of a frame array."""

    def __init__(self, array: FrameArray) -> None:
        self.array = array
        self.part = 0
        self.rows: list[Array] = []

    def add(self, row: Array) -> bool:
        """Add a row; return whether the file is full."""
        self.rows.append(np.asarray(row, self.array.dtype))
        return len(self.rows) == ROWS

    def file_bytes(self) -> bytes:
        """Return the file, padded with nan or 0."""
        width = (self.array.width,) if self.array.width else ()
        out = np.full((ROWS, *width), np.nan if "f" in self.array.dtype else 0, self.array.dtype)
        out[: len(self.rows)] = self.rows
        return with_checksum(out.tobytes())

    def advance(self) -> None:
        """Begin the next file."""
        self.part, self.rows = self.part + 1, []


# --- distributed frames


@dataclass(frozen=True, eq=False)
class EncodedFrame:
    """A frame on disk whose files do not have their final names yet.

    The workers of a distributed simulation encode the blocks of their boids. Each array's shard
    holds only this frame, and grows on disk block by block, so that no process holds all boids.

    drafts    name of an array -> its complete shard
    measures  name -> its value for each flock
    """

    step: int
    time: float
    drafts: Mapping[str, ShardDraft]
    measures: MeasureValues


def has_one_frame_per_shard(arrays: Sequence[BoidArray]) -> bool:
    """Return whether frames are so large that each has its own shards."""
    return all(array.shard_frames == 1 for array in arrays)


def encode_distributed(
    frame: DistributedFrame, arrays: Sequence[BoidArray], folder: Path, measures: MeasureValues
) -> EncodedFrame:
    """Encode a distributed frame. After an OSError, no draft is left.

    folder  for the drafts, on the same disk as the recording
    """
    boids, size = arrays[0].shape[0], arrays[0].block_boids
    bounds = [*range(0, boids, size), boids]

    def write(blocks: Iterator[list[bytes]]) -> dict[str, ShardDraft]:
        drafts = {array.name: ShardDraft(folder, array.capacity) for array in arrays}
        try:
            for chunks in blocks:
                for draft, chunk in zip(drafts.values(), chunks, strict=True):
                    draft.add(chunk)
            for draft in drafts.values():
                draft.finish()
        except BaseException:
            for draft in drafts.values():
                draft.remove()
            raise
        return drafts

    drafts = frame.gather_by_id(bounds, BlockEncoder(arrays), write)
    return EncodedFrame(frame.step, frame.time, drafts, measures)


class BlockEncoder:
    """Encodes a block of boids on the worker that holds it: a chunk of each array."""

    def __init__(self, arrays: Sequence[BoidArray]) -> None:
        self.arrays = arrays

    def __call__(self, _: int, values: Mapping[str, np.ndarray]) -> list[bytes]:
        return [
            encode_block(array, array.codec.to_stored(values[array.name])[None])
            for array in self.arrays
        ]


# --- exact states: runs with rounded frames are resumed from these

StateArrays = dict[str, Array]
"""'position' and 'velocity', (boids, axes) each, 'perch_timer', (boids,), if boids have state,
'memory', (boids, numbers), and if numbers change, 'id', 'birth', (boids,), 'n_boids' and 'n_ever',
(flocks,)."""


def state_file(frames: int) -> str:
    """Return the path, in the recording, of the state after `frames` frames."""
    return f"{journal.FOLDER}/state-{frames}"


def write_state(path: Path, frames: int, frame: Frame, dtype: str, changing: bool = False) -> str:
    """Write the state after `frames` recorded frames; return its file in the recording."""
    positions = concatenate_flocks(frame, "positions").astype(dtype)
    velocities = concatenate_flocks(frame, "velocities").astype(dtype)
    timers = concatenate_flocks(frame, "perch_timers").astype("<i8")
    memory = concatenate_flocks(frame, "memory").astype(dtype)
    shape = struct.pack("<QQ", *positions.shape)
    arrays = [positions, velocities, timers, memory]
    if changing:
        numbers = [[n(flock) for flock in frame.values()] for n in (len, lambda f: f.n_ever)]
        of_boids = [concatenate_flocks(frame, field) for field in ("ids", "births")]
        arrays[3:3] = [np.asarray(values, "<i8") for values in (*of_boids, *numbers)]
    data = b"".join([shape, *(array.tobytes() for array in arrays)])
    write_atomically(path / state_file(frames), with_checksum(data), path / journal.FOLDER)
    return state_file(frames)


def read_state(path: Path, frames: int, dtype: str, flocks: int = 0) -> StateArrays | None:
    """Return the state after `frames` frames, None if it is missing or damaged."""
    try:
        data = verify_checksum(read_bytes(path / state_file(frames)))
    except OSError:
        return None
    if data is None:
        return None
    boids, dims = struct.unpack("<QQ", data[:16])
    layout: dict[str, tuple[str, tuple[int, ...]]] = {
        "position": (dtype, (boids, dims)),
        "velocity": (dtype, (boids, dims)),
        "perch_timer": ("<i8", (boids,)),
    }
    if flocks:
        layout |= {name: ("<i8", (boids,)) for name in ("id", "birth")}
        layout |= {name: ("<i8", (flocks,)) for name in ("n_boids", "n_ever")}
    arrays, begin = {}, 16
    for name, (kind, shape) in layout.items():
        end = begin + math.prod(shape) * np.dtype(kind).itemsize
        arrays[name] = np.frombuffer(data[begin:end], kind).reshape(shape)
        begin = end
    if len(data) > begin:
        arrays["memory"] = np.frombuffer(data[begin:], dtype).reshape(boids, -1)
    return arrays


def state_flocks(header: Mapping[str, Any]) -> int:
    """Return the number of flocks in a state whose numbers of boids change, else 0."""
    return len(header["counts"]) if header.get("rows") else 0


def list_states(path: Path) -> list[int]:
    """Return the numbers of frames with states, ascending."""
    names = [file.name.removeprefix("state-") for file in (path / journal.FOLDER).glob("state-*")]
    return sorted(int(name) for name in names if name.isdigit())


def remove_states(path: Path, keep: set[int]) -> None:
    """Remove all states but those after `keep` frames."""
    for frames in list_states(path):
        if frames not in keep:
            (path / state_file(frames)).unlink(missing_ok=True)


# --- the recording


class Store:
    """Writes one recording.

    header  see murmurate.record.header.make_header
    target  the step up to which the simulation is to run
    measure  returns the measures of a frame
    scheduled  returns the scheduled numbers at a time
    frames  number of frames added
    committed  number of durable frames
    input_bytes  bytes that were appended to the log of inputs
    """

    def __init__(
        self,
        path: Path,
        header: dict[str, Any],
        target: int,
        *,
        measure: Measure | None,
        scheduled: Callable[[float], Sequence[float]],
    ) -> None:
        self.path, self.header, self.target = path, header, target
        self._measure, self._scheduled = measure, scheduled
        self.shards = [ShardWriter(array) for array in schema.boid_arrays(header)]
        self.rows = {array.name: RowsWriter(array) for array in schema.frame_arrays(header)}
        self.frames = self.committed = self.input_bytes = 0
        self.last: Frame | None = None
        self._files: dict[str, list[int]] = {}
        self._sizes: dict[str, int] = {}
        self._measured_frame: Frame | None = None
        self._measures: MeasureValues = {}
        self._rounded = header["precision"] is not None
        self._new_inputs = False  # whether inputs are not durable yet
        self._flock_rows = rows_of(header)

    @property
    def written(self) -> int:
        """Bytes of the files on disk that this store wrote."""
        return sum(list(self._sizes.values())) + self.input_bytes

    def begin(self) -> None:
        """Write the fixed arrays and the metadata."""
        for name, array in schema.fixed_arrays(self.header).items():
            self._write(f"{name}/zarr.json", _encode_json(array.metadata))
            for number in range(array.chunks):
                self._write(f"{name}/{array.file(number)}", with_checksum(array.chunk(number)))
        self._write(f"{journal.FOLDER}/zarr.json", _encode_json(headers.JOURNAL_METADATA))
        self.write_metadata()

    def start_journal(self, commits: Sequence[dict[str, Any]] = ()) -> None:
        """Write a new journal: the header, and earlier commits that are still valid."""
        text = b"".join(journal.line(entry) for entry in [self.header, *commits])
        self._write(journal.LOG, text)

    def encode(self, frame: DistributedFrame) -> EncodedFrame:
        """Encode a frame before the simulation continues. Raises OSError."""
        arrays, drafts = [shard.array for shard in self.shards], self.path / journal.FOLDER
        return encode_distributed(frame, arrays, drafts, self._compute_measures(frame))

    def add(self, frame: Frame | EncodedFrame) -> bool:
        """Add a frame, and commit when a shard is full; return whether it committed."""
        occupied = None
        if self._flock_rows is not None and isinstance(frame, Frame):
            occupied = self._occupied(self._flock_rows, frame)
        for shard in self.shards:
            if isinstance(frame, EncodedFrame):
                shard.draft = frame.drafts[shard.array.name]
            else:
                shard.add(values_of(frame, shard.array), occupied)
                self.last = frame
        full = [rows for rows in self.rows.values() if rows.add(self.row(frame, rows.array.name))]
        self.frames += 1
        self.target = max(self.target, frame.step)
        for rows in full:
            self._write_rows(rows)
            rows.advance()
        if self.shards[0].full:
            self.commit()
            return True
        return False

    def add_input(self, new_input: Input) -> None:
        """Append an input to the log. Raises OSError."""
        self.input_bytes += input_log.append(self.path, new_input)
        self._new_inputs = True

    def _occupied(self, flock_rows: FlockRows, frame: Frame) -> Array:
        """Return the rows that a frame occupies. Raises RecordError if a flock is too large."""
        for flock in frame.values():
            if len(flock) > flock_rows.sizes[flock.name]:
                raise RecordError(
                    f"{self.path}: got {len(flock):,} boids in flock {flock.name!r}; expected at "
                    f"most {flock_rows.sizes[flock.name]:,}, for which it has room. Give the flock "
                    "a larger max_boids"
                )
        return flock_rows.occupied([len(flock) for flock in frame.values()])

    def commit(self, frames: int | None = None) -> None:
        """Make frames durable, and record that in the journal. Raises OSError.

        frames  number of frames; all by default. No frame is added after fewer
        """
        every, frames = frames is None, self.frames if frames is None else frames
        for shard in self.shards:
            in_shard = frames - shard.number * shard.array.shard_frames
            if shard.frames and in_shard > 0:
                length, crc = shard.write(self.path, self.path / journal.FOLDER, in_shard)
                self._sizes[shard.file], self._files[shard.file] = length, [length, crc]
            if shard.full and every:
                shard.advance()
        for rows in self.rows.values():
            if rows.rows:
                self._write_rows(rows)
        if self._rounded and self.last is not None and every:
            changing = self._flock_rows is not None
            write_state(self.path, self.frames, self.last, self.header["dtype"], changing)
        self._commit_inputs(frames)
        entry = {"frames": frames, "target": self.target, "files": self._files}
        journal.append(self.path, entry)
        self._files = {}
        log.info("%s: %d frames are on disk", self.path, frames)
        previous, self.committed = self.committed, frames
        root = headers.root_metadata(self.header, self.committed, self.target)
        self._write("zarr.json", _encode_json(root))
        if self._rounded and every:
            remove_states(self.path, {1, previous, self.frames})

    def commit_pending(self) -> None:
        """Make frames and inputs durable that are not. Raises OSError."""
        if self.frames > self.committed:
            self.commit()
        elif self._new_inputs:
            self._commit_inputs(self.committed)

    def _commit_inputs(self, frames: int) -> None:
        if self.header.get("inputs"):
            self.input_bytes += input_log.commit(self.path, frames)
            self._new_inputs = False

    def keep_what_fits(self) -> None:
        """Commit as many frames as the disk has room for, after a commit of all has failed."""
        max_frames = self.frames
        while (frames := (self.committed + max_frames) // 2) > self.committed:
            try:
                self.commit(frames)
            except OSError:
                max_frames = frames

    def write_metadata(self) -> None:
        """Write the zarr.json of every array, at the beginning and at the end.

        The root's zarr.json has the same contents. Tools read it first, and each commit replaces
        it.
        """
        arrays: list[BoidArray | FrameArray] = [shard.array for shard in self.shards]
        arrays += [rows.array for rows in self.rows.values()]
        for array in arrays:
            metadata = array.metadata(self.committed)
            self._write(f"{array.name}/zarr.json", _encode_json(metadata))

    def row(self, frame: Frame | EncodedFrame, name: str) -> Any:
        """Return the values of a frame array for a frame."""
        if name == "time":
            return frame.time
        if name == "step":
            return frame.step
        if name == "schedule":
            return self._scheduled(frame.time)
        if isinstance(frame, EncodedFrame):
            return frame.measures[name]
        if self._measured_frame is not frame:
            self._measured_frame, self._measures = frame, self._compute_measures(frame)
        return self._measures[name]

    def _compute_measures(self, frame: Frame | DistributedFrame) -> MeasureValues:
        """Return the measures of a frame; nan in frames that are not measured."""
        number = (frame.step - self.header["first_step"]) // self.header["every"]
        if self._measure is None or number % self.header["measure_every"]:
            return dict.fromkeys(self.header["measures"], [np.nan] * len(self.header["counts"]))
        return self._measure(frame)

    def _write_rows(self, rows: RowsWriter) -> None:
        self._write(rows.array.file(rows.part), rows.file_bytes())

    def _write(self, name: str, data: bytes) -> None:
        write_atomically(self.path / name, data, self.path / journal.FOLDER)
        self._sizes[name] = len(data)


def _encode_json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, indent=1).encode()
