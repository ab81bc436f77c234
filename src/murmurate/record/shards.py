"""Shards: files of many chunks with an index at their end, as in Zarr.

Chunks lie in the file in their order, without gaps. So a file that was cut short still gives all
chunks before the cut, index or not.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from murmurate.disk import open_regular, regular
from murmurate.record.codec import (
    ABSENT,
    BLOSC_HEADER,
    packed_size,
    with_checksum,
    without_checksum,
)

KEPT_OPEN = hasattr(os, "pread")


def shard_bytes(chunks: Sequence[bytes], capacity: int) -> bytes:
    """The file of a shard that has room for so many chunks; those to come are marked as absent."""
    return b"".join([*chunks, index_bytes([len(chunk) for chunk in chunks], capacity)])


def index_bytes(lengths: Sequence[int], capacity: int) -> bytes:
    """The index of chunks of these lengths, as it stands behind them."""
    index = np.full((capacity, 2), ABSENT, "<u8")
    sizes = np.array(lengths, "<u8")
    index[: len(sizes), 1] = sizes
    index[: len(sizes), 0] = np.cumsum(sizes) - sizes
    return with_checksum(index.tobytes())


class Shard:
    """A shard file that is open for reading. It stays what it was if the file is replaced, but not
    on Windows, where an open file could not be replaced: there it is opened for each read.

    index  (room, 2) uint64: offset and length of each chunk; None where the file was cut short
    Raises OSError when there is no such file.
    """

    def __init__(self, path: Path, capacity: int) -> None:
        self.path = path
        self._handle = -1
        if KEPT_OPEN:
            self._handle = os.open(regular(path), os.O_RDONLY)
        self.size = (os.fstat(self._handle) if KEPT_OPEN else path.stat()).st_size
        self.index = self._read_index(capacity)

    def _read_index(self, capacity: int) -> np.ndarray | None:
        length = 16 * capacity + 4
        if self.size < length:
            return None
        inner = without_checksum(self._read(self.size - length, length))
        if inner is None:
            return None
        index = np.frombuffer(inner, "<u8").reshape(capacity, 2)
        there = index[index[:, 0] != ABSENT]
        ends = there.sum(axis=1)
        return None if len(ends) and ends.max() > self.size - length else index

    def _read(self, offset: int, length: int) -> bytes:
        """Some bytes of the file, by any thread; fewer where it ends, none where it is gone."""
        if self._handle >= 0:
            return os.pread(self._handle, length, offset)
        try:
            with open_regular(self.path) as file:
                file.seek(offset)
                return file.read(length)
        except OSError:
            return b""

    def chunk(self, number: int) -> bytes | None:
        """The sealed bytes of a chunk; None if it is absent."""
        if self.index is None or self.index[number, 0] == ABSENT:
            return None
        offset, length = (int(x) for x in self.index[number])
        return self._read(offset, length)

    def in_order(self, chunks: int) -> bool:
        """Whether the index has that many chunks or more, which fill the file one after another."""
        if self.index is None:
            return False
        count = int(np.count_nonzero(self.index[:, 0] != ABSENT))
        offsets, sizes = self.index[:count].T
        ends = np.cumsum(sizes)
        whole = 16 * len(self.index) + 4 + int(ends[-1] if count else 0) == self.size
        return whole and count >= chunks and np.array_equal(offsets, ends - sizes)

    def whole_chunks(self, deep: bool) -> list[bytes]:
        """The chunks from the first on, up to one that is absent or damaged.

        deep  compare checksums; else they are only counted, and each comes as b""
        """
        if self.index is not None and not deep:
            absent = np.flatnonzero(self.index[:, 0] == ABSENT)
            return [b""] * (int(absent[0]) if len(absent) else len(self.index))
        found: list[bytes] = []
        for data in self._indexed() if self.index is not None else self._scan():
            if without_checksum(data) is None:
                break
            found.append(data)
        return found

    def _indexed(self) -> Iterable[bytes]:
        assert self.index is not None
        for number in range(len(self.index)):
            data = self.chunk(number)
            if data is None:
                return
            yield data

    def _scan(self) -> Iterable[bytes]:
        """The chunks one after the other, by the lengths in their own headers."""
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
