"""Codecs of Zarr chunks: arrays to bytes and back.

A chunk is Blosc with a crc32c behind it: shuffled bytes in LZ4, which takes 1% more space than
Zstandard on a flock's floats, and is four times faster.

Where a precision is given, numbers are whole multiples of a step, and what is packed, in Zstandard,
is the difference from a prediction: a velocity stays as it was in the frame before (differences in
time), a position moves on as before (second differences). BIAS is
added to a difference, so that small ones of both signs differ in their lowest byte only.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from murmurate.optional import optional
from murmurate.record.errors import RecordingDamaged, RecordingRefused

with optional("recordings", RecordingRefused, "record"):  # both come with zarr
    import google_crc32c
    from numcodecs import blosc

Array = np.ndarray
ABSENT = 2**64 - 1
BLOSC_HEADER = 16
FLOATS = ("lz4", 5, "shuffle")
CHANGES = ("zstd", 1, "shuffle")
BIAS = 0x00808080
LARGEST = (
    2**29 - 2**22
)  # of a number that differences are taken of: with the bias all fit in 32 bits


def checksum(data: bytes) -> int:
    """crc32c (Castagnoli), as Zarr has it."""
    return int(google_crc32c.value(data))


def with_checksum(data: bytes) -> bytes:
    """The bytes with their crc32c behind them."""
    return data + struct.pack("<I", checksum(data))


RESIDUE = checksum(with_checksum(b"anything"))  # that of all bytes with their crc32c behind them


def without_checksum(data: bytes) -> memoryview | None:
    """The bytes without the crc32c, or None where it does not fit."""
    return memoryview(data)[:-4] if len(data) >= 4 and checksum(data) == RESIDUE else None


@dataclass(frozen=True)
class Codec:
    """How one array's chunks are packed.

    dtype   what is stored, little-endian: '<f4', '<f8', '<i4'
    shape   of a chunk: (frames, boids, ...)
    step    None: lossless. Else numbers are kept as whole multiples of it
    order   how often differences in time are taken of those
    """

    dtype: str
    shape: tuple[int, ...]
    step: float | None = None
    order: int = 1

    def metadata(self) -> list[dict[str, Any]]:
        """The codecs as a zarr.json names them."""
        size = np.dtype(self.dtype).itemsize
        codecs: list[dict[str, Any]] = []
        if self.step is not None:
            # numcodecs.delta takes differences along the last axis, so time goes there and back
            last = len(self.shape) - 1
            there, back = [*range(1, last + 1), 0], [last, *range(last)]
            delta = {"name": "numcodecs.delta", "configuration": {"dtype": self.dtype}}
            bias = {"offset": -BIAS, "scale": 1, "dtype": self.dtype, "astype": self.dtype}
            codecs += [
                {"name": "transpose", "configuration": {"order": there}},
                *[delta] * self.order,
                {"name": "transpose", "configuration": {"order": back}},
                {"name": "numcodecs.fixedscaleoffset", "configuration": bias},
            ]
        name, level, shuffle = FLOATS if self.step is None else CHANGES
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

    def numbers(self, values: Array) -> Array:
        """Values as they are stored; raises RecordingDamaged for those beyond what is stored."""
        if self.step is None:
            return np.ascontiguousarray(values, self.dtype)
        whole = np.rint(np.asarray(values, float) / self.step)
        if whole.size and not np.abs(whole).max() < LARGEST:
            raise RecordingDamaged(
                f"a number is beyond {LARGEST * self.step:g}, the most that a precision of "
                f"{self.step / 2:g} can hold: record with a coarser one, or without --precision"
            )
        return whole.astype(self.dtype)

    def pack(self, chunk: Array) -> bytes:
        """A whole chunk of stored numbers as bytes."""
        name, level, _ = FLOATS if self.step is None else CHANGES
        if self.step is not None:
            for _ in range(self.order):
                chunk = _differences(chunk)
            chunk = chunk + np.int32(BIAS)
        chunk = np.ascontiguousarray(chunk)
        return with_checksum(blosc.compress(chunk, name.encode(), level, blosc.SHUFFLE, 0))

    def unpack(self, data: bytes) -> Array | None:
        """The chunk as it is stored, (frames, boids, ...), or None where its checksum does not
        fit."""
        found = self._decompress(data)
        if found is not None and self.step is not None:
            _integrate(found, self.order, found)
        return found

    def read(self, data: bytes, out: Array, skip: int = 0) -> bool:
        """The chunk's values into out, (frames, boids, ...): those of its first boids, from frame
        `skip` on. False where its checksum does not fit."""
        found = self._decompress(data)
        if found is None:
            return False
        if self.step is None:
            out[:] = found[skip : skip + len(out), : out.shape[1]]
        else:
            _integrate(found, self.order, out, skip, self.step)
        return True

    def _decompress(self, data: bytes) -> Array | None:
        inner = without_checksum(data)
        size = math.prod(self.shape) * np.dtype(self.dtype).itemsize
        if inner is None or int.from_bytes(inner[4:8], "little") != size:
            return None  # damaged, or a chunk of another shape
        found = np.empty(self.shape, self.dtype)
        try:
            blosc.decompress(inner, found)
        except (RuntimeError, ValueError):
            return None
        return found


def packed_size(header: bytes) -> int | None:
    """The length of a sealed chunk that begins with these bytes, as its Blosc header gives it."""
    if len(header) < BLOSC_HEADER or header[0] != 2:
        return None
    size = int(struct.unpack("<I", header[12:16])[0])
    return size + 4 if size >= BLOSC_HEADER else None


def _differences(chunk: Array) -> Array:
    """Of each number the one a frame before is taken away; of a boid's first one, the last one of
    the boid before. So does numcodecs.delta where time runs fastest. 32 bits wrap around."""
    out = np.empty_like(chunk)
    flat, to = chunk.reshape(len(chunk), -1), out.reshape(len(chunk), -1)
    np.subtract(flat[1:], flat[:-1], out=to[1:])
    np.subtract(flat[0, 1:], flat[-1, :-1], out=to[0, 1:])
    to[0, :1] = flat[0, :1]
    return out


def _integrate(
    stored: Array, order: int, out: Array, skip: int = 0, step: float | None = None
) -> None:
    """The numbers that were stored as differences, from frame `skip` on, into out, (frames, boids,
    ...): times `step` where it is given. `stored` is used up.

    Row by row, so that all sums stay in the cache.
    """
    rows = stored.reshape(len(stored), -1)
    rows -= np.int32(BIAS)
    begins = _start_values(rows, order)
    for t in range(skip + len(out)):
        carried = rows[t]
        for begin in begins:
            begin += carried
            carried = begin
        if t < skip:
            continue
        number = carried.reshape(stored.shape[1:])[: out.shape[1]]
        if step is None:
            out[t - skip] = number
        else:
            np.multiply(number, step, out=out[t - skip], dtype=float, casting="unsafe")


def _start_values(rows: Array, order: int) -> list[Array]:
    """What each of the sums over time is before the first frame: (numbers,) for each of `order`.

    A boid's first difference is to the last number of the boid before. So a sum begins where that
    of the boid before has ended, and what it gains over the frames follows from summing from 0 on,
    and from where the sums before it began.
    """
    frames, many = rows.shape
    sums = [np.zeros(many, np.int32) for _ in range(order)]
    for row in rows:
        carried = row
        for total in sums:
            total += carried
            carried = total
    begins: list[Array] = []
    for k in range(order):
        gained = sums[k]
        for n, before in enumerate(reversed(begins), 1):  # which has been summed n times
            gained = gained + before * np.int32(comb(frames + n - 1, n))
        begin = np.zeros(many, np.int32)
        np.cumsum(gained[:-1], out=begin[1:], dtype=np.int32)
        begins.append(begin)
    return begins
