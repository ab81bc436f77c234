"""BlockReader: reads ranges of frames of one array; several threads decompress chunks."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from murmurate.disk import read_bytes
from murmurate.record.codec import Array, without_checksum
from murmurate.record.errors import RecordingDamaged
from murmurate.record.schema import BoidArray
from murmurate.record.shards import Shard

OPEN = 8  # shards of an array kept open


class BlockReader:
    """Reads one array of a recording. Safe to use from several threads."""

    def __init__(self, path: Path, array: BoidArray, dtype: str) -> None:
        self.path, self.array, self.dtype = path, array, dtype
        self._shards: dict[int, Shard] = {}
        self._lock = threading.Lock()
        self._chunk: tuple[int, Array] | None = None

    def clear(self) -> None:
        """Closes files, and drops what was read of them: they may have grown."""
        with self._lock:
            self._shards.clear()
            self._chunk = None

    def frame(self, number: int) -> Array:
        """(boids, ...): one frame. Its chunk is cached."""
        chunk, inside = divmod(number, self.array.chunk_frames)
        held = self._chunk
        if held is None or held[0] != chunk:
            frames = self.array.chunk_frames
            values = np.empty((frames, *self.array.shape), self.dtype)
            for block in range(self.array.blocks):
                self._unpack(chunk, block, values, chunk * frames)
            held = self._chunk = (chunk, values)
        return held[1][inside].copy()

    def read(self, first: int, last: int, pool: ThreadPoolExecutor | None = None) -> Array:
        """(last - first, boids, ...): frames first, ..., last - 1."""
        out = np.empty((last - first, *self.array.shape), self.dtype)
        chunks = range(first // self.array.chunk_frames, -(-last // self.array.chunk_frames))
        jobs = [(chunk, block) for chunk in chunks for block in range(self.array.blocks)]

        def one(job: tuple[int, int]) -> None:
            self._unpack(*job, out, first)

        for _ in pool.map(one, jobs) if pool is not None else map(one, jobs):
            pass
        return out

    def boids(self, number: int, first: int, last: int) -> Array:
        """(last - first, ...): boids first, ..., last - 1 of one frame; no others are held."""
        side = self.array.codec.shape[1]
        out = np.empty((last - first, *self.array.shape[1:]), self.dtype)
        for block in range(first // side, -(-last // side)):
            begin, values = block * side, self._block(number, block)
            low, high = max(first, begin), min(last, begin + len(values))
            out[low - first : high - first] = values[low - begin : high - begin]
        return out

    def check(self, number: int) -> None:
        """Raises RecordingDamaged where a frame cannot be read."""
        for block in range(self.array.blocks):
            self._block(number, block)

    def _block(self, number: int, block: int) -> Array:
        """(boids of the block, ...) of one frame."""
        chunk, inside = divmod(number, self.array.chunk_frames)
        boids = self._boids_of(block)
        out = np.empty((1, boids.stop - boids.start, *self.array.shape[1:]), self.dtype)
        self._read(chunk, block, out, inside)
        return out[0]

    def _boids_of(self, block: int) -> slice:
        side = self.array.codec.shape[1]
        return slice(block * side, min((block + 1) * side, self.array.shape[0]))

    def _unpack(self, chunk: int, block: int, out: Array, first: int) -> None:
        """Puts what a chunk holds of out's frames (the first is number `first`) there."""
        begin = chunk * self.array.chunk_frames
        low, high = max(begin, first), min(begin + self.array.chunk_frames, first + len(out))
        to = out[low - first : high - first, self._boids_of(block)]
        self._read(chunk, block, to, low - begin)

    def _read(self, chunk: int, block: int, to: Array, skip: int) -> None:
        """A chunk's frames from `skip` on, as many as `to` has."""
        if self.array.codec.read(self._sealed(chunk, block), to, skip):
            return
        self._close_shard(chunk)  # its index may be older than the file
        if not self.array.codec.read(self._sealed(chunk, block), to, skip):
            raise self._damaged(chunk, "a checksum does not fit")

    def _sealed(self, chunk: int, block: int) -> bytes:
        chunks = self.array.shard_frames // self.array.chunk_frames
        number, inside = divmod(chunk, chunks)
        place = inside * self.array.blocks + block
        data = self._shard(number, chunk).chunk(place)
        if data is not None:
            return data
        self._close_shard(chunk)
        shard = self._shard(number, chunk)  # it may have grown since
        data = shard.chunk(place)
        if data is None and shard.index is None:  # cut short: the chunks before the cut are there
            whole = shard.whole_chunks(deep=True)
            data = whole[place] if place < len(whole) else None
        if data is None:
            raise self._damaged(chunk, "the file is cut short")
        return data

    def _shard(self, number: int, chunk: int) -> Shard:
        with self._lock:
            if number not in self._shards:
                while len(self._shards) >= OPEN:
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

    def _damaged(self, chunk: int, why: str) -> RecordingDamaged:
        frames, shard_frames = self.array.chunk_frames, self.array.shard_frames
        first = chunk * frames
        file = self.path / self.array.file(first // shard_frames)
        named = f"frame {first}" if frames == 1 else f"frames {first} to {first + frames - 1}"
        return RecordingDamaged(
            f"{file}: {named} cannot be read: {why}. All other frames can; take the file from a "
            "copy, or record again from an earlier frame: murmurate branch "
            f"{self.path} --at STEP -o NAME.zarr"
        )


def read_small_file(path: Path) -> memoryview | None:
    """The bytes of a small array's file, None where it is not whole."""
    try:
        return without_checksum(read_bytes(path))
    except OSError:
        return None


def ranges(first: int, last: int, most: int) -> Iterator[tuple[int, int]]:
    """first ... last in ranges of at most `most`."""
    for begin in range(first, last, most):
        yield begin, min(begin + most, last)


def core_count() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
