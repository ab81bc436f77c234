"""The arrays of a recording, and their division into files. See docs/recording-format.md."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from murmurate.measures.defaults import DEFAULTS
from murmurate.record.codec import Codec
from murmurate.record.zarray import array_metadata

SCHEMA = "murmurate-recording"
VERSION = 3
WITHOUT_BLOCKS = 2  # the version of those whose chunks of exact numbers hold all boids

CHUNK_BYTES = 1 << 20  # of array data: whole frames, as many as fit
MOST_FRAMES = 64  # in a chunk
DELTA_FRAMES = 128  # in a chunk where a precision is given: they are kept as changes in time
DELTA_BOIDS = 8192  # in such a chunk, at most
ORDER = {"position": 2, "velocity": 1}  # how often differences in time are taken
BLOCK_BOIDS = 1 << 18  # in a chunk of exact numbers, at most
DELTA_BYTES = 64 << 20  # of unpacked frames that wait for their chunk to fill, an array
ROWS = 1024  # in a file of an array with few numbers a frame
AXES = ("x", "y", "z")


@dataclass(frozen=True)
class BoidArray:
    """An array with values for every boid: chunks in shards.

    shape        of one frame: (boids,) or (boids, axes)
    codec        how a chunk is packed; its shape is (frames, boids of a block, ...)
    blocks       chunks side by side that hold one stretch of frames
    shard_frames frames in a shard, a multiple of those in a chunk
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
        return self.codec.shape[0]

    @property
    def capacity(self) -> int:
        """Chunks in a shard."""
        return self.shard_frames // self.chunk_frames * self.blocks

    def file(self, shard: int) -> str:
        return f"{self.name}/c/{shard}" + "/0" * len(self.shape)

    def metadata(self, frames: int) -> dict[str, Any]:
        whole = (self.blocks * self.codec.shape[1], *self.shape[1:])
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
            (self.shard_frames, *whole),
            [sharding],
            self.dims,
            self.attributes,
        )


@dataclass(frozen=True)
class FrameArray:
    """An array with few values for each frame: plain files of `ROWS` frames each.

    width  numbers a frame; 0 for an array of one number, without a second axis
    """

    name: str
    dtype: str
    width: int
    dims: tuple[str, ...]
    attributes: dict[str, Any]

    def file(self, part: int) -> str:
        return f"{self.name}/c/{part}" + ("/0" if self.width else "")

    def rows(self, data: bytes | memoryview | None) -> np.ndarray | None:
        """(ROWS,) or (ROWS, width) values that a file of it holds; None where it is damaged, or of
        another array."""
        shape = (ROWS, self.width) if self.width else (ROWS,)
        if data is None or len(data) != math.prod(shape) * np.dtype(self.dtype).itemsize:
            return None
        return np.frombuffer(data, self.dtype).reshape(shape)

    def metadata(self, frames: int) -> dict[str, Any]:
        more = (self.width,) if self.width else ()
        codecs = [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}]
        return array_metadata(
            (frames, *more), self.dtype, (ROWS, *more), codecs, self.dims, self.attributes
        )


def block_side(header: dict[str, Any], boids: int) -> int:
    """How many boids a chunk of exact numbers has at most; all of them in recordings of before
    0.4.0."""
    return min(boids, header.get("block_boids") or boids)


def boid_arrays(header: dict[str, Any]) -> list[BoidArray]:
    """position, velocity, perch_timer where a flock perches, memory where boids remember. Their
    shards hold the same frames."""
    boids, dims = sum(header["counts"].values()), header["dims"]
    width = np.dtype(header["dtype"]).itemsize
    dtype = f"<f{width}"
    steps = header.get("steps_of", {})
    if steps:
        waiting = DELTA_BYTES // max(4 * dims * boids, 1)
        frames = max(4, min(header.get("chunk_frames") or DELTA_FRAMES, waiting))
        blocks = -(-boids // DELTA_BOIDS) or 1
        dtype, width = "<i4", 4
    else:
        fits = CHUNK_BYTES // max(width * dims * boids, 1)
        frames = max(1, min(header.get("chunk_frames") or MOST_FRAMES, fits))
        blocks = -(-boids // max(1, block_side(header, boids))) or 1
    side = max(1, -(-boids // blocks))
    chunk_bytes = frames * blocks * side * dims * width
    chunks = max(1, min(1024, header["shard_bytes"] // max(chunk_bytes, 1)))
    places = [
        ("position", "length", "place of each boid"),
        ("velocity", "length / time", "velocity of each boid"),
    ]
    out = []
    for name, units, long in places:
        step = steps.get(name)
        attributes: dict[str, Any] = {"units": units, "long_name": long}
        if step is not None:
            attributes |= {"scale_factor": step, "add_offset": 0.0, "largest_error": step / 2}
        codec = Codec(dtype, (frames, side, dims), step, ORDER[name])
        out.append(
            BoidArray(
                name,
                (boids, dims),
                ("time", "boid", "axis"),
                codec,
                blocks,
                chunks * frames,
                attributes,
            )
        )
    if header["perching"]:
        attributes = {"units": "1", "long_name": "steps left on the ground; 0 = flying"}
        codec = Codec("<i4", (frames, side))
        out.append(
            BoidArray(
                "perch_timer",
                (boids,),
                ("time", "boid"),
                codec,
                blocks,
                chunks * frames,
                attributes,
            )
        )
    if header.get("memory", 0):
        attributes = {"units": "", "long_name": "what each boid carries besides, such as its spin"}
        if header.get("kept_names"):
            attributes["kept_names"] = header["kept_names"]
        exact = f"<f{np.dtype(header['dtype']).itemsize}"
        codec = Codec(exact, (frames, side, header["memory"]))
        out.append(
            BoidArray(
                "memory",
                (boids, header["memory"]),
                ("time", "boid", "remembered"),
                codec,
                blocks,
                chunks * frames,
                attributes,
            )
        )
    return out


def frame_arrays(header: dict[str, Any]) -> list[FrameArray]:
    """time, step, the values of schedules, the measures."""
    out = [
        FrameArray("time", "<f8", 0, ("time",), {"units": "time", "long_name": "step * dt"}),
        FrameArray(
            "step", "<i8", 0, ("time",), {"units": "1", "long_name": "steps since the start"}
        ),
    ]
    if header["schedules"]:
        attributes = {"long_name": "value of each scheduled number of the model"}
        out.append(
            FrameArray(
                "schedule", "<f8", len(header["schedules"]), ("time", "scheduled"), attributes
            )
        )
    known = {one.name: (one.unit, one.about) for one in DEFAULTS}
    for name in header["measures"]:
        unit, about = known.get(name, ("", name))
        attributes = {"units": unit, "long_name": about}
        out.append(
            FrameArray(name, "<f8", len(header["counts"]), ("time", "flock_name"), attributes)
        )
    return out
