"""A file object for h5py that defers write errors.

When a write fails, HDF5 cannot close the file any more and may crash the process at its end. This
class stores failed writes in memory, and `check`, which is called regularly, raises the error.
Memory is bounded by the data written between two checks.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any


class Hdf5File(io.RawIOBase):
    """New file at a path, for h5py.File(file, mode). Close it after that of h5py."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
        self._handle = os.open(path, flags, 0o666)
        self._at = self._size = 0
        self._failed: list[tuple[int, bytes]] = []
        self._error: OSError | None = None

    def check(self) -> None:
        """Raise the OSError of the first failed write."""
        if self._error is not None:
            raise self._error

    def _try(self, operation: Callable[[], Any]) -> bool:
        """Run an operation unless one failed before. Returns whether none failed."""
        if self._error is None:
            try:
                operation()
            except OSError as error:
                self._error = error
        return self._error is None

    def write(self, data: Any) -> int:
        """Write bytes at the present position."""
        view = memoryview(data).cast("B")
        if not self._try(lambda: self._write_all(view)):
            self._failed.append((self._at, bytes(view)))
        self._at += len(view)
        self._size = max(self._size, self._at)
        return len(view)

    def _write_all(self, view: memoryview) -> None:
        os.lseek(self._handle, self._at, os.SEEK_SET)
        while view:
            view = view[os.write(self._handle, view) :]

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer, with zeros where nothing was written."""
        view = memoryview(buffer).cast("B")
        os.lseek(self._handle, self._at, os.SEEK_SET)
        data = b""
        while len(data) < len(view) and (part := os.read(self._handle, len(view) - len(data))):
            data += part
        view[:] = data + bytes(len(view) - len(data))
        for begin, failed in self._failed:
            low, high = max(begin, self._at), min(begin + len(failed), self._at + len(view))
            if low < high:
                view[low - self._at : high - self._at] = failed[low - begin : high - begin]
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
