"""Arrays of a recording that do not grow: who the boids are, and words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from murmurate.record.schema import AXES, block_side
from murmurate.record.zarray import array_metadata

BOIDS = {
    "boid": "id of the boid, through all flocks",
    "id_in_flock": "id of the boid in its flock",
    "flock": "which flock the boid is of: its place in flock_name",
}


@dataclass(frozen=True)
class FixedArray:
    """One array.

    metadata  its zarr.json
    values    all its values: numbers, or a list of words
    chunks    how many files it has
    chunk     number of a file -> its bytes, without a checksum
    """

    metadata: dict[str, Any]
    values: Callable[[], Any]
    chunks: int
    chunk: Callable[[int], bytes]


def fixed_arrays(header: dict[str, Any]) -> dict[str, FixedArray]:
    """Name -> array; what is known of boids is made a block of boids at a time."""
    words = {
        "axis": list(AXES[: header["dims"]]),
        "flock_name": list(header["counts"]),
        "scheduled": header["schedules"],
    }
    found = {name: _of_boids(header, name) for name in BOIDS}
    return found | {name: _of_words(name, texts) for name, texts in words.items() if texts}


def _of_boids(header: dict[str, Any], name: str) -> FixedArray:
    counts: dict[str, int] = header["counts"]
    ends = np.cumsum([*counts.values()], dtype=np.int64)
    starts = ends - np.array([*counts.values()], np.int64)
    boids = sum(counts.values())
    side = max(1, block_side(header, boids))

    def values(first: int = 0, last: int = boids) -> np.ndarray:
        ids = np.arange(first, last)
        if name == "boid":
            return ids
        flock = np.searchsorted(ends, ids, side="right")
        return flock if name == "flock" else ids - starts[flock]

    def chunk(number: int) -> bytes:
        out = np.zeros(side, "<i8")  # behind the last boid too
        some = values(number * side, min(boids, (number + 1) * side))
        out[: len(some)] = some
        return out.tobytes()

    attributes: dict[str, Any] = {"units": "1", "long_name": BOIDS[name]}
    if name == "flock":
        attributes["flag_values"] = list(range(len(counts)))
        attributes["flag_meanings"] = " ".join(name.replace(" ", "_") for name in counts)
    codecs = [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}]
    metadata = array_metadata((boids,), "<i8", (side,), codecs, ("boid",), attributes)
    return FixedArray(metadata, values, max(1, -(-boids // side)), chunk)


def _of_words(name: str, texts: list[str]) -> FixedArray:
    shape = (len(texts),)
    codecs: list[Any] = [{"name": "vlen-utf8", "configuration": {}}, {"name": "crc32c"}]
    metadata = array_metadata(shape, "string", shape, codecs, (name,), {})
    return FixedArray(metadata, lambda: texts, 1, lambda _: _vlen_utf8(texts))


def _vlen_utf8(texts: list[str]) -> bytes:
    """Words as Zarr's vlen-utf8 lays them out."""
    parts = [len(texts).to_bytes(4, "little")]
    for text in texts:
        data = text.encode()
        parts += [len(data).to_bytes(4, "little"), data]
    return b"".join(parts)
