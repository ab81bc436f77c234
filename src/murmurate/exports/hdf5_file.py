"""Hdf5File: a file object for h5py that stores write errors until they are checked.

When a write of its own fails, HDF5 cannot close the file any more, and may bring the process down
at its end. So it writes through this: a write that the disk refuses is kept in memory, and `check`,
to be called regularly, raises the error. At most what is written between two checks is kept.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any


class Hdf5File(io.RawIOBase):
    """A new file at a path, for h5py.File(it, mode). Close it after h5py's."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        how = os.O_RDWR | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
        self._handle = os.open(path, how, 0o666)
        self._at = self._size = 0
        self._refused: list[tuple[int, bytes]] = []
        self._error: OSError | None = None

    def check(self) -> None:
        """Raises the OSError of the first write that failed."""
        if self._error is not None:
            raise self._error

    def _try(self, work: Callable[[], Any]) -> bool:
        if self._error is None:
            try:
                work()
            except OSError as error:
                self._error = error
        return self._error is None

    def write(self, data: Any) -> int:
        view = memoryview(data).cast("B")
        if not self._try(lambda: self._written(view)):
            self._refused.append((self._at, bytes(view)))
        self._at += len(view)
        self._size = max(self._size, self._at)
        return len(view)

    def _written(self, view: memoryview) -> None:
        os.lseek(self._handle, self._at, os.SEEK_SET)
        while view:
            view = view[os.write(self._handle, view) :]

    def readinto(self, buffer: Any) -> int:
        """All of the buffer: zeros where nothing was written."""
        view = memoryview(buffer).cast("B")
        os.lseek(self._handle, self._at, os.SEEK_SET)
        found = b""
        while len(found) < len(view) and (more := os.read(self._handle, len(view) - len(found))):
            found += more
        view[:] = found + bytes(len(view) - len(found))
        for begin, data in self._refused:
            low, high = max(begin, self._at), min(begin + len(data), self._at + len(view))
            if low < high:
                view[low - self._at : high - self._at] = data[low - begin : high - begin]
        self._at += len(view)
        return len(view)

    def truncate(self, size: int | None = None) -> int:
        length = self._at if size is None else size
        self._try(lambda: os.ftruncate(self._handle, length))
        self._size = length
        return length

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._at = offset + {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}[whence]
        return self._at

    def tell(self) -> int:
        return self._at

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def close(self) -> None:
        if not self.closed:
            os.close(self._handle)
        super().close()
