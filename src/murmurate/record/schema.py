"""The arrays of a recording, and their division into files. See docs/recording-format.md.

Boid arrays (position, velocity, ...) are chunks in shards, frame arrays (time, measures, ...) plain
files, and fixed arrays (ids, names) do not grow.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from murmurate.measures.defaults import DEFAULTS
from murmurate.record.codec import Codec

SCHEMA = "murmurate-recording"
VERSION = 3
WITHOUT_BLOCKS = 2  # the version whose chunks of exact numbers hold all boids

CHUNK_BYTES = 1 << 20  # of array data: as many complete frames as fit
MAX_CHUNK_FRAMES = 64
DELTA_FRAMES = 128  # in a chunk with a precision, which stores changes in time
DELTA_BOIDS = 8192  # in such a chunk, at most
ORDER = {"position": 2, "velocity": 1}  # of differences in time
BLOCK_BOIDS = 1 << 18  # in a chunk of exact numbers, at most
DELTA_BYTES = 64 << 20  # of unpacked frames per array that wait for their chunk to fill
ROWS = 1024  # in a file of a frame array
AXES = ("x", "y", "z")
FIXED_BOID_ARRAYS = {
    "boid": "id of the boid, through all flocks",
    "id_in_flock": "id of the boid in its flock",
    "flock": "which flock the boid is of: its place in flock_name",
}
"""Name -> long_name."""


def array_metadata(
    shape: tuple[int, ...],
    dtype: str,
    chunk: tuple[int, ...],
    codecs: list[Any],
    dims: tuple[str, ...],
    attributes: dict[str, Any],
) -> dict[str, Any]:
    """Return the zarr.json of an array, Zarr version 3."""
    name = "string" if dtype == "string" else np.dtype(dtype).name
    fill: Any = "" if name == "string" else "NaN" if name.startswith("float") else 0
    return {
        "zarr_format": 3,
        "node_type": "array",
        "shape": list(shape),
        "data_type": name,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": list(chunk)}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": fill,
        "codecs": codecs,
        "attributes": attributes,
        "dimension_names": list(dims),
        "storage_transformers": [],
    }


# --- boid arrays


@dataclass(frozen=True)
class BoidArray:
    """An array with values for every boid: chunks in shards.

    shape         of one frame: (boids,) or (boids, axes)
    codec         encodes a chunk; its shape is (frames, boids of a block, ...)
    blocks        chunks that together hold all boids of the same frames
    shard_frames  frames in a shard, a multiple of those in a chunk
    """

    name: str
    shape: tuple[int, ...]
    dims: tuple[str, ...]
    codec: Codec
    blocks: int
    shard_frames: int
    attributes: dict[str, Any]

    @property
    def chunk_frames(self) -> int:
        """Frames in a chunk."""
        return self.codec.shape[0]

    @property
    def block_boids(self) -> int:
        """Boids in a block."""
        return self.codec.shape[1]

    @property
    def capacity(self) -> int:
        """Chunks in a shard."""
        return self.shard_frames // self.chunk_frames * self.blocks

    def file(self, shard: int) -> str:
        """Return the path of a shard in the recording."""
        return f"{self.name}/c/{shard}" + "/0" * len(self.shape)

    def metadata(self, frames: int) -> dict[str, Any]:
        """Return its zarr.json."""
        shard_shape = (self.blocks * self.block_boids, *self.shape[1:])
        inner = self.codec.metadata()
        index = [inner[-3], inner[-1]]  # bytes, crc32c
        sharding = {
            "name": "sharding_indexed",
            "configuration": {
                "chunk_shape": list(self.codec.shape),
                "codecs": inner,
                "index_codecs": index,
                "index_location": "end",
            },
        }
        return array_metadata(
            (frames, *self.shape),
            self.codec.dtype,
            (self.shard_frames, *shard_shape),
            [sharding],
            self.dims,
            self.attributes,
        )


def block_size(header: dict[str, Any], boids: int) -> int:
    """Return the maximum number of boids in a chunk of exact numbers.

    Recordings from before 0.4.0 have all boids in a chunk.
    """
    return min(boids, header.get("block_boids") or boids)


def boid_arrays(header: dict[str, Any]) -> list[BoidArray]:
    """Return position, velocity, perch_timer if a flock perches, memory if boids have state.

    Their shards hold the same frames.
    """
    boids, dims = sum(header["counts"].values()), header["dims"]
    width = np.dtype(header["dtype"]).itemsize
    exact = dtype = f"<f{width}"
    steps = header.get("steps_of", {})
    if steps:
        fitting = DELTA_BYTES // max(4 * dims * boids, 1)
        frames = max(4, min(header.get("chunk_frames") or DELTA_FRAMES, fitting))
        blocks = -(-boids // DELTA_BOIDS) or 1
        dtype, width = "<i4", 4
    else:
        fitting = CHUNK_BYTES // max(width * dims * boids, 1)
        frames = max(1, min(header.get("chunk_frames") or MAX_CHUNK_FRAMES, fitting))
        blocks = -(-boids // max(1, block_size(header, boids))) or 1
    size = max(1, -(-boids // blocks))
    chunk_bytes = frames * blocks * size * dims * width
    chunks = max(1, min(1024, header["shard_bytes"] // max(chunk_bytes, 1)))
    shard_frames = chunks * frames
    specs = [
        ("position", "length", "place of each boid"),
        ("velocity", "length / time", "velocity of each boid"),
    ]
    out = []
    for name, units, long_name in specs:
        step = steps.get(name)
        attributes: dict[str, Any] = {"units": units, "long_name": long_name}
        if step is not None:
            attributes |= {"scale_factor": step, "add_offset": 0.0, "largest_error": step / 2}
        codec = Codec(dtype, (frames, size, dims), step, ORDER[name])
        shape, names = (boids, dims), ("time", "boid", "axis")
        out.append(BoidArray(name, shape, names, codec, blocks, shard_frames, attributes))
    if header["perching"]:
        attributes = {"units": "1", "long_name": "steps left on the ground; 0 = flying"}
        codec = Codec("<i4", (frames, size))
        out.append(BoidArray("perch_timer", (boids,), ("time", "boid"), codec, blocks,
                             shard_frames, attributes))  # fmt: skip
    if header.get("memory", 0):
        attributes = {"units": "", "long_name": "what each boid carries besides, such as its spin"}
        if header.get("kept_names"):
            attributes["kept_names"] = header["kept_names"]
        codec = Codec(exact, (frames, size, header["memory"]))
        shape, names = (boids, header["memory"]), ("time", "boid", "remembered")
        out.append(BoidArray("memory", shape, names, codec, blocks, shard_frames, attributes))
    return out


# --- frame arrays


@dataclass(frozen=True)
class FrameArray:
    """An array with few values for each frame: plain files of `ROWS` frames each.

    width  numbers per frame; 0 for an array of one number, without a second axis
    """

    name: str
    dtype: str
    width: int
    dims: tuple[str, ...]
    attributes: dict[str, Any]

    def file(self, part: int) -> str:
        """Return the path of its file number `part` in the recording."""
        return f"{self.name}/c/{part}" + ("/0" if self.width else "")

    def rows(self, data: bytes | memoryview | None) -> np.ndarray | None:
        """Return the (ROWS,) or (ROWS, width) values in the bytes of a file.

        Returns None if it is damaged, or belongs to another array.
        """
        shape = (ROWS, self.width) if self.width else (ROWS,)
        if data is None or len(data) != math.prod(shape) * np.dtype(self.dtype).itemsize:
            return None
        return np.frombuffer(data, self.dtype).reshape(shape)

    def metadata(self, frames: int) -> dict[str, Any]:
        """Return its zarr.json."""
        width = (self.width,) if self.width else ()
        codecs = [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}]
        return array_metadata(
            (frames, *width), self.dtype, (ROWS, *width), codecs, self.dims, self.attributes
        )


def frame_arrays(header: dict[str, Any]) -> list[FrameArray]:
    """Return time, step, the values of schedules, and the measures."""
    out = [
        FrameArray("time", "<f8", 0, ("time",), {"units": "time", "long_name": "step * dt"}),
        FrameArray(
            "step", "<i8", 0, ("time",), {"units": "1", "long_name": "steps since the start"}
        ),
    ]
    if header["schedules"]:
        attributes = {"long_name": "value of each scheduled number of the model"}
        width = len(header["schedules"])
        out.append(FrameArray("schedule", "<f8", width, ("time", "scheduled"), attributes))
    described = {measure.name: (measure.unit, measure.about) for measure in DEFAULTS}
    for name in header["measures"]:
        unit, about = described.get(name, ("", name))
        attributes = {"units": unit, "long_name": about}
        width = len(header["counts"])
        out.append(FrameArray(name, "<f8", width, ("time", "flock_name"), attributes))
    return out


# --- fixed arrays


@dataclass(frozen=True)
class FixedArray:
    """An array that does not grow.

    metadata  its zarr.json
    values    returns all its values: numbers, or a list of words
    chunks    number of its files
    chunk     returns the bytes of a file by its number, without a checksum
    """

    metadata: dict[str, Any]
    values: Callable[[], Any]
    chunks: int
    chunk: Callable[[int], bytes]


def fixed_arrays(header: dict[str, Any]) -> dict[str, FixedArray]:
    """Return name -> array; arrays of boids are computed in blocks."""
    words = {
        "axis": list(AXES[: header["dims"]]),
        "flock_name": list(header["counts"]),
        "scheduled": header["schedules"],
    }
    arrays = {name: _make_boid_array(header, name) for name in FIXED_BOID_ARRAYS}
    return arrays | {name: _make_word_array(name, texts) for name, texts in words.items() if texts}


def _make_boid_array(header: dict[str, Any], name: str) -> FixedArray:
    counts: dict[str, int] = header["counts"]
    ends = np.cumsum([*counts.values()], dtype=np.int64)
    starts = ends - np.array([*counts.values()], np.int64)
    boids = sum(counts.values())
    size = max(1, block_size(header, boids))

    def values(first: int = 0, last: int = boids) -> np.ndarray:
        ids = np.arange(first, last)
        if name == "boid":
            return ids
        flock = np.searchsorted(ends, ids, side="right")
        return flock if name == "flock" else ids - starts[flock]

    def chunk(number: int) -> bytes:
        out = np.zeros(size, "<i8")  # zeros follow the last boid
        block = values(number * size, min(boids, (number + 1) * size))
        out[: len(block)] = block
        return out.tobytes()

    attributes: dict[str, Any] = {"units": "1", "long_name": FIXED_BOID_ARRAYS[name]}
    if name == "flock":
        attributes["flag_values"] = list(range(len(counts)))
        attributes["flag_meanings"] = " ".join(name.replace(" ", "_") for name in counts)
    codecs = [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}]
    metadata = array_metadata((boids,), "<i8", (size,), codecs, ("boid",), attributes)
    return FixedArray(metadata, values, max(1, -(-boids // size)), chunk)


def _make_word_array(name: str, texts: list[str]) -> FixedArray:
    shape = (len(texts),)
    codecs: list[Any] = [{"name": "vlen-utf8", "configuration": {}}, {"name": "crc32c"}]
    metadata = array_metadata(shape, "string", shape, codecs, (name,), {})
    return FixedArray(metadata, lambda: texts, 1, lambda _: _encode_vlen_utf8(texts))


def _encode_vlen_utf8(texts: list[str]) -> bytes:
    """Encode words in Zarr's layout vlen-utf8."""
    parts = [len(texts).to_bytes(4, "little")]
    for text in texts:
        data = text.encode()
        parts += [len(data).to_bytes(4, "little"), data]
    return b"".join(parts)
