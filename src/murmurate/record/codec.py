"""Arrays <-> bytes: the codecs of a Zarr chunk, done here so that frames can be packed one by one.

A chunk is Blosc with a crc32c behind it: shuffled bytes in LZ4, which loses 1% of room to Zstandard
on a flock's floats, and is four times faster. Where a precision is given, numbers are whole
multiples of a step, and what is packed is how they change from frame to frame, as shuffled bits in
Zstandard.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

import numpy as np

from murmurate.record.errors import RecordingDamaged, missing

try:
    import google_crc32c
    from numcodecs import blosc
except ImportError as error:  # both come with zarr
    raise missing("zarr") from error

Array = np.ndarray
EMPTY = 2**64 - 1
BLOSC_HEADER = 16
FLOATS = ("lz4", 5, "shuffle")
CHANGES = ("zstd", 1, "bitshuffle")


def checksum(data: bytes) -> int:
    """crc32c (Castagnoli), as Zarr has it."""
    return int(google_crc32c.value(data))


def sealed(data: bytes) -> bytes:
    """The bytes with their crc32c behind them."""
    return data + struct.pack("<I", checksum(data))


RESIDUE = checksum(sealed(b"anything"))  # that of all bytes with their crc32c behind them


def unsealed(data: bytes) -> memoryview | None:
    """The bytes without the crc32c, or None where it does not fit."""
    return memoryview(data)[:-4] if len(data) >= 4 and checksum(data) == RESIDUE else None


@dataclass(frozen=True)
class Codec:
    """How one array's chunks are packed.

    dtype   what is stored, little-endian: '<f4', '<f8', '<i4'
    shape   of a chunk: (frames, boids, ...)
    step    None: lossless. Else numbers are kept as whole multiples of it
    """

    dtype: str
    shape: tuple[int, ...]
    step: float | None = None

    @property
    def turned(self) -> tuple[int, ...]:
        """The order of axes in which a quantised chunk lies: time runs fastest."""
        return (*range(1, len(self.shape)), 0)

    def metadata(self) -> list[dict[str, Any]]:
        """The codecs as a zarr.json names them."""
        size = np.dtype(self.dtype).itemsize
        codecs: list[dict[str, Any]] = []
        if self.step is not None:
            codecs += [
                {"name": "transpose", "configuration": {"order": list(self.turned)}},
                {"name": "numcodecs.delta", "configuration": {"dtype": self.dtype}},
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
        if whole.size and np.abs(whole).max() >= 2**31:
            raise RecordingDamaged(
                f"a number is beyond {2**31 * self.step:g}, the most that a precision of "
                f"{self.step / 2:g} can hold: record with a coarser one, or without --precision"
            )
        return whole.astype(self.dtype)

    def values(self, numbers: Array, dtype: str) -> Array:
        """Stored numbers as floats of the recording's dtype."""
        if self.step is None:
            return numbers.astype(dtype, copy=False)
        return (numbers * self.step).astype(dtype)

    def pack(self, chunk: Array) -> bytes:
        """A whole chunk of stored numbers as bytes."""
        name, level, shuffle = FLOATS if self.step is None else CHANGES
        if self.step is not None:
            flat = np.ascontiguousarray(chunk.transpose(self.turned)).reshape(-1)
            chunk = np.empty_like(flat)
            chunk[0], chunk[1:] = flat[0], flat[1:] - flat[:-1]
        how = blosc.SHUFFLE if shuffle == "shuffle" else blosc.BITSHUFFLE
        chunk = np.ascontiguousarray(chunk)
        return sealed(blosc.compress(chunk, name.encode(), level, how, 0))

    def unpack(self, data: bytes) -> Array | None:
        """The chunk, (frames, boids, ...), or None where its checksum does not fit."""
        inner = unsealed(data)
        if inner is None:
            return None
        flat = np.frombuffer(blosc.decompress(inner), self.dtype)
        if self.step is None:
            return flat.reshape(self.shape)
        whole = np.cumsum(flat, dtype=self.dtype)
        turned = whole.reshape([self.shape[axis] for axis in self.turned])
        return turned.transpose(-1, *range(len(self.shape) - 1))


def packed_size(header: bytes) -> int | None:
    """The length of a sealed chunk that begins with these bytes, as Blosc tells it."""
    if len(header) < BLOSC_HEADER or header[0] != 2:
        return None
    size = int(struct.unpack("<I", header[12:16])[0])
    return size + 4 if size >= BLOSC_HEADER else None
