"""BlockReader: reads ranges of frames of a boid array; several threads decompress chunks."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from murmurate.disk import read_bytes
from murmurate.errors import DamagedRecordingError
from murmurate.record.codec import Array, verify_checksum
from murmurate.record.row_ranges import FlockRows
from murmurate.record.schema import BoidArray
from murmurate.record.shards import Shard

MAX_OPEN_SHARDS = 8  # of an array


class BlockReader:
    """Reads a boid array of a recording. Safe to use from several threads.

    path  the recording
    dtype  the type of the values that are returned
    stored  the blocks that are stored, if numbers of boids change; all by default. See RowReader.
    """

    def __init__(
        self,
        path: Path,
        array: BoidArray,
        dtype: str,
        stored: StoredBlocks | None = None,
    ) -> None:
        self.path, self.array, self.dtype, self.stored = path, array, dtype, stored
        self._shards: dict[int, Shard] = {}
        self._lock = threading.Lock()
        self._chunk: tuple[int, Array] | None = None

    def clear(self) -> None:
        """Close files and drop cached values, since files may have grown."""
        with self._lock:
            self._shards.clear()
            self._chunk = None

    def frame(self, number: int) -> Array:
        """Return a frame (boids, ...). Its chunk is cached."""
        chunk, inside = divmod(number, self.array.chunk_frames)
        cached = self._chunk
        if cached is None or cached[0] != chunk:
            frames = self.array.chunk_frames
            values = np.empty((frames, *self.array.shape), self.dtype)
            for block in range(self.array.blocks):
                self._decode(chunk, block, values, chunk * frames)
            cached = self._chunk = (chunk, values)
        return cached[1][inside].copy()

    def read(self, first: int, last: int, pool: ThreadPoolExecutor | None = None) -> Array:
        """Return frames first, ..., last - 1 as (last - first, boids, ...)."""
        out = np.empty((last - first, *self.array.shape), self.dtype)
        chunks = range(first // self.array.chunk_frames, -(-last // self.array.chunk_frames))
        jobs = [(chunk, block) for chunk in chunks for block in range(self.array.blocks)]

        def run(job: tuple[int, int]) -> None:
            self._decode(*job, out, first)

        for _ in pool.map(run, jobs) if pool is not None else map(run, jobs):
            pass
        return out

    def boids(self, number: int, first: int, last: int) -> Array:
        """Return boids first, ..., last - 1 of a frame as (last - first, ...)."""
        size = self.array.block_boids
        out = np.empty((last - first, *self.array.shape[1:]), self.dtype)
        for block in range(first // size, -(-last // size)):
            begin, values = block * size, self._block(number, block)
            low, high = max(first, begin), min(last, begin + len(values))
            out[low - first : high - first] = values[low - begin : high - begin]
        return out

    def check(self, number: int) -> None:
        """Raise DamagedRecordingError if a frame cannot be read."""
        chunk = number // self.array.chunk_frames
        blocks = range(self.array.blocks) if self.stored is None else self.stored.of(chunk)
        for block in blocks:
            self._block(number, block)

    def _block(self, number: int, block: int) -> Array:
        """Return the boids of a block in a frame."""
        chunk, inside = divmod(number, self.array.chunk_frames)
        boids = self._block_slice(block)
        out = np.empty((1, boids.stop - boids.start, *self.array.shape[1:]), self.dtype)
        self._read_chunk(chunk, block, out, inside)
        return out[0]

    def _block_slice(self, block: int) -> slice:
        size = self.array.block_boids
        return slice(block * size, min((block + 1) * size, self.array.shape[0]))

    def _decode(self, chunk: int, block: int, out: Array, first: int) -> None:
        """Decode those frames of a chunk that belong into `out`, which begins with `first`."""
        begin = chunk * self.array.chunk_frames
        low, high = max(begin, first), min(begin + self.array.chunk_frames, first + len(out))
        target = out[low - first : high - first, self._block_slice(block)]
        self._read_chunk(chunk, block, target, low - begin)

    def _read_chunk(self, chunk: int, block: int, out: Array, skip: int) -> None:
        """Decode len(out) frames of a chunk, from `skip` on, into `out`."""
        if self.array.codec.read(self._chunk_bytes(chunk, block), out, skip):
            return
        self._close_shard(chunk)  # its index may be older than the file
        if not self.array.codec.read(self._chunk_bytes(chunk, block), out, skip):
            raise self._damaged(chunk, "a checksum is wrong")

    def _chunk_bytes(self, chunk: int, block: int) -> bytes:
        """Return the bytes of a chunk with its checksum."""
        chunks = self.array.shard_frames // self.array.chunk_frames
        number, inside = divmod(chunk, chunks)
        index = inside * self.array.blocks + block
        data = self._shard(number, chunk).chunk(index)
        if data is not None:
            return data
        self._close_shard(chunk)
        shard = self._shard(number, chunk)  # it may have grown since
        data = shard.chunk(index)
        if data is None and shard.index is None:  # cut short: chunks before the cut are valid
            last = (inside + 1) * self.array.chunk_frames
            numbers = shard_chunks(self.array, number, last, self.stored, was_cut=True)
            valid = shard.valid_chunks(deep=True, numbers=numbers)
            data = dict(zip(numbers, valid, strict=False)).get(index)
        if data is None:
            raise self._damaged(chunk, "the file is cut short")
        return data

    def _shard(self, number: int, chunk: int) -> Shard:
        with self._lock:
            if number not in self._shards:
                while len(self._shards) >= MAX_OPEN_SHARDS:
                    self._shards.pop(next(iter(self._shards)))
                try:
                    file = self.path / self.array.file(number)
                    self._shards[number] = Shard(file, self.array.capacity)
                except OSError as error:
                    raise self._damaged(chunk, str(error.strerror)) from None
            return self._shards[number]

    def _close_shard(self, chunk: int) -> None:
        with self._lock:
            self._shards.pop(chunk * self.array.chunk_frames // self.array.shard_frames, None)

    def _damaged(self, chunk: int, reason: str) -> DamagedRecordingError:
        frames, shard_frames = self.array.chunk_frames, self.array.shard_frames
        first = chunk * frames
        file = self.path / self.array.file(first // shard_frames)
        span = f"frame {first}" if frames == 1 else f"frames {first} to {first + frames - 1}"
        return DamagedRecordingError(
            f"{file}: {span} cannot be read: {reason}. All other frames can; take the file from a "
            "copy, or record again from an earlier frame: murmurate resume "
            f"{self.path} --at STEP -o NAME.zarr"
        )


class StoredBlocks:
    """The blocks of an array that hold boids, by the numbers of boids in its frames.

    rows  the ranges of rows of the flocks
    numbers  reads the array n_boids
    frames  number of frames of the recording
    """

    def __init__(
        self, array: BoidArray, rows: FlockRows, numbers: BlockReader, frames: int
    ) -> None:
        self.array, self.frames = array, frames
        self._rows, self._numbers = rows, numbers
        self._blocks: dict[int, list[int]] = {}

    def of(self, chunk: int) -> list[int]:
        """Return the stored blocks of the frames of a chunk."""
        if chunk not in self._blocks:
            first = chunk * self.array.chunk_frames
            last = min(first + self.array.chunk_frames, self.frames)
            numbers = self._numbers.read(first, last).max(axis=0)
            self._blocks[chunk] = self._rows.blocks(numbers, self.array.block_boids)
        return self._blocks[chunk]


def shard_chunks(
    array: BoidArray, shard: int, frames: int, stored: StoredBlocks | None, was_cut: bool
) -> list[int]:
    """Return the numbers, in a shard, of the stored chunks of its first `frames` frames.

    Without the index of a shard that was cut short, only their order is known. So if numbers of
    boids change, the chunks of the newest frames are left out then, unless they are full: they may
    have gained blocks since the numbers were read.
    """
    chunks = -(-frames // array.chunk_frames)
    if stored is None:
        return list(range(chunks * array.blocks))
    first = shard * (array.shard_frames // array.chunk_frames)
    if was_cut:
        chunks = min(chunks, stored.frames // array.chunk_frames - first)
    return [
        chunk * array.blocks + block
        for chunk in range(chunks)
        for block in stored.of(first + chunk)
    ]


class RowReader(BlockReader):
    """Reads a boid array with rows without a boid, of a recording whose numbers change.

    Only rows that a frame occupies are returned; blocks without boids are not in the files.
    """

    def __init__(self, path: Path, array: BoidArray, dtype: str, stored: StoredBlocks) -> None:
        super().__init__(path, array, dtype, stored)
        self._stored = stored
        self._blocks: tuple[int, dict[int, Array]] = (-1, {})

    def clear(self) -> None:
        """Close files and drop cached values."""
        super().clear()
        self._blocks = (-1, {})

    def frame_rows(self, number: int, rows: Array) -> Array:
        """Return the rows, ascending and occupied, of a frame as (rows, ...)."""
        chunk, inside = divmod(number, self.array.chunk_frames)
        blocks = self._blocks
        if blocks[0] != chunk:
            blocks = self._blocks = (chunk, {})
        cached = blocks[1]
        out = np.empty((len(rows), *self.array.shape[1:]), self.dtype)
        for block, part in self._parts(rows):
            if block not in cached:
                cached[block] = self._values(chunk, block, 0, self.array.chunk_frames)
            out[part] = cached[block][inside, rows[part] - block * self.array.block_boids]
        return out

    def range_rows(
        self, first: int, last: int, rows: Array, pool: ThreadPoolExecutor | None = None
    ) -> Array:
        """Return rows of frames first, ..., last - 1 as (last - first, rows, ...).

        What a frame does not occupy has any value.
        """
        frames = self.array.chunk_frames
        out = np.zeros((last - first, len(rows), *self.array.shape[1:]), self.dtype)
        parts = list(self._parts(rows))
        jobs = [
            (chunk, block, part)
            for chunk in range(first // frames, -(-last // frames))
            for block, part in parts
            if block in self._stored.of(chunk)
        ]

        def run(job: tuple[int, int, slice]) -> None:
            chunk, block, part = job
            begin = chunk * frames
            low, high = max(begin, first), min(begin + frames, last)
            values = self._values(chunk, block, low - begin, high - low)
            chosen = rows[part] - block * self.array.block_boids
            out[low - first : high - first, part] = values[:, chosen]

        for _ in pool.map(run, jobs) if pool is not None else map(run, jobs):
            pass
        return out

    def _parts(self, rows: Array) -> Iterator[tuple[int, slice]]:
        """Yield each block that holds some of the rows, and the part of `rows` in it."""
        size = self.array.block_boids
        blocks, firsts = np.unique(rows // size, return_index=True)
        bounds = [*firsts.tolist(), len(rows)]
        for k, block in enumerate(blocks.tolist()):
            yield block, slice(bounds[k], bounds[k + 1])

    def _values(self, chunk: int, block: int, skip: int, frames: int) -> Array:
        """Return frames of a block, from `skip` on."""
        boids = self._block_slice(block)
        shape = (frames, boids.stop - boids.start, *self.array.shape[1:])
        values = np.empty(shape, self.dtype)
        self._read_chunk(chunk, block, values, skip)
        return values


def read_small_file(path: Path) -> memoryview | None:
    """Return the bytes of a frame array's or fixed array's file, None if it is damaged."""
    try:
        return verify_checksum(read_bytes(path))
    except OSError:
        return None


def ranges(first: int, last: int, max_length: int) -> Iterator[tuple[int, int]]:
    """Divide first ... last into ranges of at most `max_length`."""
    for begin in range(first, last, max_length):
        yield begin, min(begin + max_length, last)
