"""Shards: files of many chunks with an index at their end, as in Zarr.

Chunks are stored in order without gaps. So a file that was cut short still yields all chunks before
the cut, even without its index.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import google_crc32c
import numpy as np

from murmurate.disk import open_regular, regular
from murmurate.record.codec import (
    ABSENT,
    BLOSC_HEADER,
    packed_size,
    verify_checksum,
    with_checksum,
)
from murmurate.record.durable_files import new_draft_path, put_in_place, write_all

KEPT_OPEN = hasattr(os, "pread")
"""Whether shard files stay open; on Windows open files could not be replaced."""


def shard_bytes(chunks: Sequence[bytes | None], capacity: int) -> bytes:
    """Return the file of a shard with room for `capacity` chunks; missing ones are marked.

    chunks  in order; None for a chunk without boids, which is not stored
    """
    stored = [k for k, chunk in enumerate(chunks) if chunk is not None]
    data = [chunk for chunk in chunks if chunk is not None]
    return b"".join([*data, index_bytes([len(chunk) for chunk in data], capacity, stored)])


def index_bytes(
    lengths: Sequence[int], capacity: int, numbers: Sequence[int] | None = None
) -> bytes:
    """Return the index that follows chunks of these lengths, with ascending numbers."""
    index = np.full((capacity, 2), ABSENT, "<u8")
    sizes = np.array(lengths, "<u8")
    rows = np.arange(len(sizes)) if numbers is None else np.array(numbers, np.int64)
    index[rows, 1] = sizes
    index[rows, 0] = np.cumsum(sizes) - sizes
    return with_checksum(index.tobytes())


class Shard:
    """A shard file that is open for reading.

    It keeps its contents if the file is replaced. On Windows, where an open file cannot be
    replaced, the file is opened for each read instead.

    size  bytes of the file
    index  (capacity, 2) offset and length of each chunk; None if the file was cut short
    raises OSError  if there is no such file
    """

    def __init__(self, path: Path, capacity: int) -> None:
        self.path, self._capacity = path, capacity
        self._handle = -1
        if KEPT_OPEN:
            self._handle = os.open(regular(path), os.O_RDONLY)
        self.size = (os.fstat(self._handle) if KEPT_OPEN else path.stat()).st_size
        self.index = self._read_index(capacity)

    def _read_index(self, capacity: int) -> np.ndarray | None:
        length = 16 * capacity + 4
        if self.size < length:
            return None
        inner = verify_checksum(self._read(self.size - length, length))
        if inner is None:
            return None
        index = np.frombuffer(inner, "<u8").reshape(capacity, 2)
        ends = index[index[:, 0] != ABSENT].sum(axis=1)
        return None if len(ends) and ends.max() > self.size - length else index

    def _read(self, offset: int, length: int) -> bytes:
        """Return bytes of the file, fewer at its end and none if it is missing. Thread-safe."""
        if self._handle >= 0:
            return os.pread(self._handle, length, offset)
        try:
            with open_regular(self.path) as file:
                file.seek(offset)
                return file.read(length)
        except OSError:
            return b""

    def chunk(self, number: int) -> bytes | None:
        """Return the bytes of a chunk with its checksum, None if it is absent."""
        if self.index is None or self.index[number, 0] == ABSENT:
            return None
        offset, length = (int(x) for x in self.index[number])
        return self._read(offset, length)

    def is_contiguous(self, numbers: Sequence[int]) -> bool:
        """Return whether chunks fill the file in order, without gaps, these ones among them."""
        if self.index is None:
            return False
        stored = self.index[:, 0] != ABSENT
        offsets, sizes = self.index[stored].T
        ends = np.cumsum(sizes)
        size = 16 * len(self.index) + 4 + int(ends[-1] if len(ends) else 0)
        has_all = bool(stored[np.array(numbers, np.int64)].all())
        return size == self.size and has_all and np.array_equal(offsets, ends - sizes)

    def valid_chunks(self, deep: bool, numbers: Sequence[int] | None = None) -> list[bytes]:
        """Return the chunks before the first that is absent or damaged.

        deep     verify checksums; else chunks are only counted, and each is returned as b""
        numbers  of the chunks that hold boids, ascending; all by default
        """
        if numbers is None:
            numbers = range(self._capacity)
        if self.index is not None and not deep:
            absent = np.flatnonzero(self.index[np.array(numbers, np.int64), 0] == ABSENT)
            return [b""] * (int(absent[0]) if len(absent) else len(numbers))
        chunks: list[bytes] = []
        stored = self._scan_chunks() if self.index is None else self._indexed_chunks(numbers)
        for _, data in zip(numbers, stored, strict=False):
            if verify_checksum(data) is None:
                break
            chunks.append(data)
        return chunks

    def _indexed_chunks(self, numbers: Sequence[int]) -> Iterable[bytes]:
        for number in numbers:
            data = self.chunk(number)
            if data is None:
                return
            yield data

    def _scan_chunks(self) -> Iterable[bytes]:
        """Yield chunks in order, by the lengths in their own headers."""
        offset = 0
        while True:
            length = packed_size(self._read(offset, BLOSC_HEADER))
            if length is None or offset + length > self.size:
                return
            yield self._read(offset, length)
            offset += length

    def close(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def __del__(self) -> None:
        self.close()


class ShardDraft:
    """A shard that is written chunk by chunk, under a temporary name until it is complete.

    folder  the folder of the draft, on the same disk as the recording
    capacity  number of chunks in the shard
    size, checksum  length and crc32c of the bytes written so far
    """

    def __init__(self, folder: Path, capacity: int) -> None:
        self._path, self._capacity = new_draft_path(folder), capacity
        self._sizes: list[int] = []
        self.size, self.checksum = 0, 0
        self._file = open(self._path, "wb", buffering=0)  # noqa: SIM115

    def add(self, chunk: bytes) -> None:
        """Append an encoded chunk. Raises OSError."""
        self._sizes.append(len(chunk))
        self._write(chunk)

    def finish(self) -> None:
        """Append the index, and make the file durable. Raises OSError."""
        self._write(index_bytes(self._sizes, self._capacity))
        os.fsync(self._file.fileno())
        self._file.close()

    def put(self, path: Path) -> None:
        """Rename the draft to its final name, atomically. Raises OSError."""
        put_in_place(self._path, path)

    def remove(self) -> None:
        """Delete the draft."""
        self._file.close()
        self._path.unlink(missing_ok=True)

    def _write(self, data: bytes) -> None:
        write_all(self._file, data)
        self.size += len(data)
        self.checksum = google_crc32c.extend(self.checksum, data)
