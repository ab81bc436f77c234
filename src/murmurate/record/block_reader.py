"""BlockReader: reads ranges of frames of a boid array; several threads decompress chunks."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from murmurate.disk import read_bytes
from murmurate.errors import DamagedRecordingError
from murmurate.record.codec import Array, verify_checksum
from murmurate.record.schema import BoidArray
from murmurate.record.shards import Shard

MAX_OPEN_SHARDS = 8  # of an array


class BlockReader:
    """Reads a boid array of a recording. Safe to use from several threads.

    Parameters
    ----------
    path : Path
        The recording.
    array : BoidArray
        The array.
    dtype : str
        The type of the values that are returned.
    """

    def __init__(self, path: Path, array: BoidArray, dtype: str) -> None:
        self.path, self.array, self.dtype = path, array, dtype
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
        """Return boids first, ..., last - 1 of a frame as (last - first, ...).

        Only the blocks that hold them are decoded.
        """
        size = self.array.block_boids
        out = np.empty((last - first, *self.array.shape[1:]), self.dtype)
        for block in range(first // size, -(-last // size)):
            begin, values = block * size, self._block(number, block)
            low, high = max(first, begin), min(last, begin + len(values))
            out[low - first : high - first] = values[low - begin : high - begin]
        return out

    def check(self, number: int) -> None:
        """Raise DamagedRecordingError if a frame cannot be read."""
        for block in range(self.array.blocks):
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
            valid = shard.valid_chunks(deep=True)
            data = valid[index] if index < len(valid) else None
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
            "copy, or record again from an earlier frame: murmurate branch "
            f"{self.path} --at STEP -o NAME.zarr"
        )


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


def core_count() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
