"""Shard draft: a shard that is written chunk by chunk, under another name until it is whole."""

from __future__ import annotations

import os
from pathlib import Path

import google_crc32c

from murmurate.record.durable_files import draft_in, put_in_place, write_all
from murmurate.record.shards import index_bytes


class ShardDraft:
    """One shard.

    size, checksum  of what is written so far
    """

    def __init__(self, folder: Path, capacity: int) -> None:
        self._path, self._capacity = draft_in(folder), capacity
        self._sizes: list[int] = []
        self.size, self.checksum = 0, 0
        self._file = open(self._path, "wb", buffering=0)  # noqa: SIM115

    def add(self, chunk: bytes) -> None:
        """One packed chunk more. Raises OSError."""
        self._sizes.append(len(chunk))
        self._write(chunk)

    def finish(self) -> None:
        """The index, behind the chunks; then it is durable. Raises OSError."""
        self._write(index_bytes(self._sizes, self._capacity))
        os.fsync(self._file.fileno())
        self._file.close()

    def put(self, path: Path) -> None:
        """Gives it its name, in one step. Raises OSError."""
        put_in_place(self._path, path)

    def remove(self) -> None:
        self._file.close()
        self._path.unlink(missing_ok=True)

    def _write(self, data: bytes) -> None:
        write_all(self._file, data)
        self.size += len(data)
        self.checksum = google_crc32c.extend(self.checksum, data)
