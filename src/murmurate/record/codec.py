"""Encode arrays as Zarr chunks, and decode them.

A chunk is Blosc followed by a crc32c: shuffled bytes in LZ4, which takes 1% more space than
Zstandard on a flock's floats, and is four times faster.

With a precision, numbers are whole multiples of a step. Zstandard then packs the difference from a
prediction: a velocity stays as in the frame before (differences in time), a position continues its
motion (second differences). BIAS is added to a difference, so that small ones of both signs differ
in their lowest byte only.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from murmurate.errors import DamagedRecordingError, OpenError
from murmurate.optional import optional

with optional("recordings", OpenError, "record"):  # both come with zarr
    import google_crc32c
    from numcodecs import blosc

Array = np.ndarray
ABSENT = 2**64 - 1
CHECKSUM_BYTES = 4
BLOSC_HEADER = 16
EXACT_BLOSC = ("lz4", 5, "shuffle")  # compressor, level and filter of exact numbers
DELTA_BLOSC = ("zstd", 1, "shuffle")  # the same of differences
WHOLE_BLOSC = ("zstd", 3, "shuffle")  # the same of ids, which hardly change in time
BIAS = 0x00808080
MAX_MULTIPLE = 2**29 - 2**22
"""Bound of a multiple of the step: its differences, with the bias, fit in 32 bits."""
EMPTY_MULTIPLE = -MAX_MULTIPLE
"""Stored in rows without a boid; outside the range of stored values."""


def checksum(data: bytes) -> int:
    """Return the crc32c (Castagnoli) that Zarr uses."""
    return int(google_crc32c.value(data))


def with_checksum(data: bytes) -> bytes:
    """Return bytes followed by their crc32c."""
    return data + struct.pack("<I", checksum(data))


RESIDUE = checksum(with_checksum(b"anything"))  # of any bytes followed by their crc32c


def verify_checksum(data: bytes) -> memoryview | None:
    """Return bytes without the crc32c that follows them, or None if it is wrong."""
    return memoryview(data)[:-4] if len(data) >= 4 and checksum(data) == RESIDUE else None


@dataclass(frozen=True)
class Codec:
    """The encoding of an array's chunks.

    dtype  of the stored numbers, little-endian: '<f4', '<f8', '<i4'
    shape  of a chunk: (frames, boids, ...)
    step   None: lossless. Else numbers are stored as whole multiples of it
    order  of their differences in time
    """

    dtype: str
    shape: tuple[int, ...]
    step: float | None = None
    order: int = 1

    @property
    def blosc(self) -> tuple[str, int, str]:
        """Compressor, level and filter."""
        if self.step is not None:
            return DELTA_BLOSC
        return WHOLE_BLOSC if self.dtype == "<i8" else EXACT_BLOSC

    def metadata(self) -> list[dict[str, Any]]:
        """Return the codecs for a zarr.json."""
        size = np.dtype(self.dtype).itemsize
        codecs: list[dict[str, Any]] = []
        if self.step is not None:
            # numcodecs.delta takes differences along the last axis, so time becomes the last one
            last = len(self.shape) - 1
            time_last, time_first = [*range(1, last + 1), 0], [last, *range(last)]
            delta = {"name": "numcodecs.delta", "configuration": {"dtype": self.dtype}}
            bias = {"offset": -BIAS, "scale": 1, "dtype": self.dtype, "astype": self.dtype}
            codecs += [
                {"name": "transpose", "configuration": {"order": time_last}},
                *[delta] * self.order,
                {"name": "transpose", "configuration": {"order": time_first}},
                {"name": "numcodecs.fixedscaleoffset", "configuration": bias},
            ]
        name, level, shuffle = self.blosc
        codecs += [
            {"name": "bytes", "configuration": {"endian": "little"}},
            {
                "name": "blosc",
                "configuration": {
                    "typesize": size,
                    "cname": name,
                    "clevel": level,
                    "shuffle": shuffle,
                    "blocksize": 0,
                },
            },
            {"name": "crc32c"},
        ]
        return codecs

    def to_stored(self, values: Array) -> Array:
        """Return values as stored numbers; raises DamagedRecordingError for values out of range."""
        if self.step is None:
            return np.ascontiguousarray(values, self.dtype)
        multiples = np.rint(np.asarray(values, float) / self.step)
        if multiples.size and not np.abs(multiples).max() < MAX_MULTIPLE:
            raise DamagedRecordingError(
                f"got a number beyond {MAX_MULTIPLE * self.step:g}; expected less with a precision "
                f"of {self.step / 2:g}. Record with a coarser one, or without --precision"
            )
        return multiples.astype(self.dtype)

    def pack(self, chunk: Array) -> bytes:
        """Encode a complete chunk of stored numbers."""
        name, level, _ = self.blosc
        if self.step is not None:
            for _ in range(self.order):
                chunk = _differences(chunk)
            chunk = chunk + np.int32(BIAS)
        chunk = np.ascontiguousarray(chunk)
        return with_checksum(blosc.compress(chunk, name.encode(), level, blosc.SHUFFLE, 0))

    def unpack(self, data: bytes) -> Array | None:
        """Return the stored numbers (frames, boids, ...), or None if the checksum is wrong."""
        chunk = self._decompress(data)
        if chunk is not None and self.step is not None:
            _integrate(chunk, self.order, chunk)
        return chunk

    def read(self, data: bytes, out: Array, skip: int = 0) -> bool:
        """Decode values of the first boids, from frame `skip` on; return whether the checksum is
        right.
        """
        chunk = self._decompress(data)
        if chunk is None:
            return False
        if self.step is None:
            out[:] = chunk[skip : skip + len(out), : out.shape[1]]
        else:
            _integrate(chunk, self.order, out, skip, self.step)
        return True

    def _decompress(self, data: bytes) -> Array | None:
        inner = verify_checksum(data)
        size = math.prod(self.shape) * np.dtype(self.dtype).itemsize
        if inner is None or int.from_bytes(inner[4:8], "little") != size:
            return None  # damaged, or a chunk of another shape
        chunk = np.empty(self.shape, self.dtype)
        try:
            blosc.decompress(inner, chunk)
        except (RuntimeError, ValueError):
            return None
        return chunk


def packed_size(header: bytes) -> int | None:
    """Return the length of a chunk with its checksum, from the Blosc header at its beginning."""
    if len(header) < BLOSC_HEADER or header[0] != 2:
        return None
    size = int(struct.unpack("<I", header[12:16])[0])
    return size + 4 if size >= BLOSC_HEADER else None


def _differences(chunk: Array) -> Array:
    """Subtract from each number that of the frame before, modulo 2^32.

    From a boid's first number, the last one of the previous boid is subtracted, as numcodecs.delta
    does if time is the last axis.
    """
    out = np.empty_like(chunk)
    rows, differences = chunk.reshape(len(chunk), -1), out.reshape(len(chunk), -1)
    np.subtract(rows[1:], rows[:-1], out=differences[1:])
    np.subtract(rows[0, 1:], rows[-1, :-1], out=differences[0, 1:])
    differences[0, :1] = rows[0, :1]
    return out


def _integrate(
    stored: Array, order: int, out: Array, skip: int = 0, step: float | None = None
) -> None:
    """Integrate stored differences, from frame `skip` on, into `out` (frames, boids, ...).

    The numbers are multiplied by `step` if it is given. `stored` is overwritten. The loop goes
    row by row, so that all sums stay in the cache.
    """
    rows = stored.reshape(len(stored), -1)
    rows -= np.int32(BIAS)
    sums = _start_values(rows, order)
    for t in range(skip + len(out)):
        row = rows[t]
        for total in sums:
            total += row
            row = total
        if t < skip:
            continue
        number = row.reshape(stored.shape[1:])[: out.shape[1]]
        if step is None:
            out[t - skip] = number
        else:
            np.multiply(number, step, out=out[t - skip], dtype=float, casting="unsafe")


def _start_values(rows: Array, order: int) -> list[Array]:
    """Return the value (numbers,) of each of the `order` sums over time before the first frame.

    A boid's first difference is to the last number of the previous boid. So a sum begins with the
    final value of the previous boid's sum. Its growth over the frames is that of a sum from 0, plus
    the contributions of the start values of lower orders.
    """
    frames, count = rows.shape
    sums = [np.zeros(count, np.int32) for _ in range(order)]
    for difference in rows:
        row = difference
        for total in sums:
            total += row
            row = total
    starts: list[Array] = []
    for k in range(order):
        growth = sums[k]
        for n, lower in enumerate(reversed(starts), 1):  # `lower` has been summed n times
            growth = growth + lower * np.int32(comb(frames + n - 1, n))
        start = np.zeros(count, np.int32)
        np.cumsum(growth[:-1], out=start[1:], dtype=np.int32)
        starts.append(start)
    return starts
