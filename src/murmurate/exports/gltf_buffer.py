"""Buffer of a glTF file: arrays, and room for keys that are written later; accessors and views.

A view holds an array, or the keys of many tracks, each track's one behind the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np

from murmurate.exports.selection import Array

COMPONENTS = {np.dtype("<f4"): 5126, np.dtype("<i2"): 5122, np.dtype("<u2"): 5123}
VERTICES, INDICES = 34962, 34963  # targets of views
KINDS = {(): "SCALAR", (3,): "VEC3", (4,): "VEC4"}


@dataclass(frozen=True)
class Tracks:
    """Room for keys: of each track a stretch of the buffer, a value a frame.

    first   the number of the first track's accessor; the others follow
    """

    first: int
    _offset: int
    _frames: int
    _dtype: np.dtype
    _width: int  # numbers of a key

    def write(self, file: BinaryIO, start: int, frame: int, values: Array) -> None:
        """(frames, tracks, ...) values from this frame on, into a file whose buffer begins at
        `start`."""
        each = self._width * self._dtype.itemsize
        for track in range(values.shape[1]):
            file.seek(start + self._offset + each * (track * self._frames + frame))
            file.write(np.ascontiguousarray(values[:, track], self._dtype).data)


class Buffer:
    """What lies in the buffer, in order.

    bytes  of all of it
    """

    def __init__(self) -> None:
        self.accessors: list[dict[str, Any]] = []
        self.views: list[dict[str, Any]] = []
        self.bytes = 0
        self._arrays: list[tuple[int, Array]] = []

    def add(self, values: Array, target: int | None = None) -> int:
        """An array (count, ...); returns the number of its accessor."""
        bounds = values.reshape(len(values), -1)
        low, high = bounds.min(axis=0).tolist(), bounds.max(axis=0).tolist()
        self._arrays.append((self.bytes, values))
        view = self._view(values.nbytes, target)
        self.accessors.append({
            "bufferView": view, "componentType": COMPONENTS[values.dtype], "count": len(values),
            "type": KINDS[values.shape[1:]], "min": low, "max": high,
        })  # fmt: skip
        return len(self.accessors) - 1

    def reserve(
        self, tracks: int, frames: int, shape: tuple[int, ...], dtype: str, count: int = 1
    ) -> Tracks:
        """Room for the keys of tracks: a frame has `count` values of that shape."""
        kind = np.dtype(dtype)
        width = int(np.prod(shape, dtype=int)) * count
        made = Tracks(len(self.accessors), self.bytes, frames, kind, width)
        each = width * kind.itemsize * frames
        view = self._view(tracks * each)
        one = {"componentType": COMPONENTS[kind], "count": frames * count, "type": KINDS[shape]}
        if kind.kind == "i":
            one["normalized"] = True
        for track in range(tracks):
            self.accessors.append({"bufferView": view, "byteOffset": track * each, **one})
        return made

    def write(self, file: BinaryIO, start: int) -> None:
        """Writes the arrays; the keys are written by their tracks."""
        for offset, values in self._arrays:
            file.seek(start + offset)
            file.write(np.ascontiguousarray(values).data)

    def _view(self, size: int, target: int | None = None) -> int:
        view: dict[str, Any] = {"buffer": 0, "byteOffset": self.bytes, "byteLength": size}
        if target is not None:
            view["target"] = target
        self.views.append(view)
        self.bytes += size + -size % 4
        return len(self.views) - 1
