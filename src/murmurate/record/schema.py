"""The arrays of a recording, and their division into files. See docs/recording-format.md.

Boid arrays (position, velocity, ...) are chunks in shards, frame arrays (time, measures, ...) plain
files, and fixed arrays (ids, names) do not grow. If numbers of boids change, boid arrays have rows
without a boid (see row_ranges.py), blocks without boids are not written, and the numbers are stored
like boid arrays, since a run cannot be resumed without them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from murmurate.measures.defaults import DEFAULTS
from murmurate.record.codec import CHECKSUM_BYTES, EMPTY_MULTIPLE, Codec, blosc
from murmurate.record.row_ranges import rows_of
from murmurate.record.traits import trait_names, trait_table

SCHEMA = "murmurate-recording"
VERSION = 5
WITHOUT_BLOCKS = 2  # the version whose chunks of exact numbers hold all boids
WITH_BLOCKS = 3  # of large flocks
CHANGING_NUMBERS = 4  # whose numbers of boids change
WITH_INPUTS = 5  # that older versions would continue without their inputs

CHUNK_BYTES = 1 << 20  # of array data: as many complete frames as fit
MAX_CHUNK_FRAMES = 64
DELTA_FRAMES = 128  # in a chunk with a precision, which stores changes in time
DELTA_BOIDS = 8192  # in such a chunk, at most
ORDER = {"position": 2, "velocity": 1}  # of differences in time
BLOCK_BOIDS = 1 << 18  # in a chunk of exact numbers, at most
DELTA_BYTES = 64 << 20  # of unpacked frames per array that wait for their chunk to fill
FULL_CHUNK_BYTES = 64 << 20  # at most, of chunks of the same frames if all rows are occupied
FULL_SHARDS = 8  # shards of a common recording that such a shard is as large as, at most
BLOCK_BYTES = 1 << 18  # of a chunk, if numbers change
MIN_BLOCK = 256  # boids in such a chunk
EMPTY = -1  # id of a row without a boid
ROWS = 1024  # in a file of a frame array
AXES = ("x", "y", "z")
FIXED_BOID_ARRAYS = {
    "boid": "id of the boid, through all flocks",
    "id_in_flock": "id of the boid in its flock",
    "flock": "which flock the boid is of: its place in flock_name",
}
"""Name -> long_name."""
FRAME_FIELDS = {
    "position": "positions", "velocity": "velocities", "perch_timer": "perch_timers",
    "memory": "memory", "id": "ids", "birth": "births",
}  # fmt: skip
"""Name of a boid array -> attribute of FlockFrame and of Frames."""
TRAITS_ABOUT = (
    "numbers of the model that differ between boids; nan where a flock has no such number"
)
PLAIN_CODECS: list[Any] = [
    {"name": "bytes", "configuration": {"endian": "little"}},
    {"name": "crc32c"},
]


def array_metadata(
    shape: tuple[int, ...],
    dtype: str,
    chunk: tuple[int, ...],
    codecs: list[Any],
    dims: tuple[str, ...],
    attributes: dict[str, Any],
    empty: int | None = None,
) -> dict[str, Any]:
    """Return the zarr.json of an array, Zarr version 3.

    empty  the whole number where nothing is stored; 0 by default
    """
    name = "string" if dtype == "string" else np.dtype(dtype).name
    fill: Any = "" if name == "string" else "NaN" if name.startswith("float") else empty or 0
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
    empty         stored number in rows without a boid; None if there are no such rows
    """

    name: str
    shape: tuple[int, ...]
    dims: tuple[str, ...]
    codec: Codec
    blocks: int
    shard_frames: int
    attributes: dict[str, Any]
    empty: float | None = None

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
            None if self.empty is None or np.isnan(self.empty) else int(self.empty),
        )


def row_count(header: dict[str, Any]) -> int:
    """Return the number of rows of boid arrays: boids, or as many as there may be."""
    return sum((header.get("rows") or header["counts"]).values())


def block_size(header: dict[str, Any], boids: int) -> int:
    """Return the maximum number of boids in a chunk of exact numbers.

    Recordings from before 0.4.0 have all boids in a chunk.
    """
    return min(boids, header.get("block_boids") or boids)


@dataclass(frozen=True)
class _Division:
    """The division of boid arrays into files.

    frames        in a chunk
    size          boids in a chunk
    blocks        chunks with the same frames
    shard_frames  frames in a shard
    """

    frames: int
    size: int
    blocks: int
    shard_frames: int


def _divide(header: dict[str, Any], boids: int) -> _Division:
    """Return the division of arrays of `boids` rows."""
    dims, width = header["dims"], np.dtype(header["dtype"]).itemsize
    frames_limit, is_changing = header.get("chunk_frames"), bool(header.get("rows"))
    if header.get("steps_of"):
        width = 4
        fitting = DELTA_BYTES // max(width * dims * boids, 1)
        frames = max(4, min(frames_limit or DELTA_FRAMES, fitting))
        size = DELTA_BOIDS
    else:
        bytes_limit = FULL_CHUNK_BYTES if is_changing else CHUNK_BYTES
        fitting = bytes_limit // max(width * dims * boids, 1)
        frames = max(1, min(frames_limit or MAX_CHUNK_FRAMES, fitting))
        size = max(1, block_size(header, boids))
    if is_changing:  # small blocks, since a block with one boid is written whole
        fitting = max(MIN_BLOCK, BLOCK_BYTES // (width * dims * frames))
        size = min(size, fitting, header["block_boids"])
    blocks = -(-boids // size) or 1
    if not is_changing:
        size = max(1, -(-boids // blocks))
    chunk_bytes = frames * blocks * size * dims * width
    shard_bytes = header["shard_bytes"] * (FULL_SHARDS if is_changing else 1)
    chunks = max(1, min(1024, shard_bytes // max(chunk_bytes, 1)))
    return _Division(frames, size, blocks, chunks * frames)


def boid_arrays(header: dict[str, Any]) -> list[BoidArray]:
    """Return position, velocity, perch_timer if a flock perches, memory if boids have state.

    If numbers change, also id, birth, n_boids and n_ever. The shards of all hold the same frames.
    """
    flock_rows, boids = rows_of(header), row_count(header)
    dims, steps, memory = header["dims"], header.get("steps_of", {}), header.get("memory", 0)
    exact = header["dtype"].replace("float64", "<f8").replace("float32", "<f4")
    split = _divide(header, boids)
    out = []

    def add(
        name: str, dtype: str, last: tuple[tuple[str, int], ...], empty: float,
        attributes: dict[str, Any], step: float | None = None,
    ) -> None:  # fmt: skip
        sizes = tuple(size for _, size in last)
        codec = Codec(dtype, (split.frames, split.size, *sizes), step, ORDER.get(name, 1))
        names = ("time", "boid", *(dim for dim, _ in last))
        out.append(
            BoidArray(
                name, (boids, *sizes), names, codec, split.blocks, split.shard_frames, attributes,
                None if flock_rows is None else empty,
            )
        )  # fmt: skip

    for name, units, long_name in (
        ("position", "length", "place of each boid"),
        ("velocity", "length / time", "velocity of each boid"),
    ):
        step = steps.get(name)
        attributes: dict[str, Any] = {"units": units, "long_name": long_name}
        if step is not None:
            attributes |= {"scale_factor": step, "add_offset": 0.0, "largest_error": step / 2}
            attributes |= {} if flock_rows is None else {"_FillValue": EMPTY_MULTIPLE}
        empty = np.nan if step is None else EMPTY_MULTIPLE
        add(name, "<i4" if steps else exact, (("axis", dims),), empty, attributes, step)
    if header["perching"]:
        attributes = {"units": "1", "long_name": "steps left on the ground; 0 = flying"}
        add("perch_timer", "<i4", (), EMPTY, attributes)
    if memory:
        attributes = {"units": "", "long_name": "what each boid carries besides, such as its spin"}
        if header.get("kept_names"):
            attributes["kept_names"] = header["kept_names"]
        add("memory", exact, (("remembered", memory),), np.nan, attributes)
    if flock_rows is not None:
        for name, long_name in (
            ("id", "id of the boid in each row, through all flocks; -1 = none"),
            ("birth", "step at which the boid joined its flock; -1 = none"),
        ):
            add(name, "<i8", (), EMPTY, {"units": "1", "long_name": long_name})
        out += _number_arrays(len(header["counts"]), split)
    return out


def _number_arrays(flocks: int, split: _Division) -> list[BoidArray]:
    """Return n_boids and n_ever, the numbers of boids of each flock in each frame."""
    about = {
        "n_boids": "boids in the flock",
        "n_ever": "boids that have ever been in the flock",
    }
    return [
        BoidArray(
            name, (flocks,), ("time", "flock_name"), Codec("<i8", (split.frames, flocks)), 1,
            split.shard_frames, {"units": "1", "long_name": long_name},
        )
        for name, long_name in about.items()
    ]  # fmt: skip


def value_type(name: str, dtype: str) -> str:
    """Return the type of an array's values, in a recording of floats of `dtype`."""
    if name == "perch_timer":
        return "int32"
    return "int64" if name in ("id", "birth", "n_boids", "n_ever") else dtype


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
    computed  whether its values follow from the header alone
    packed    whether files are compressed
    """

    metadata: dict[str, Any]
    values: Callable[[], Any]
    chunks: int
    chunk: Callable[[int], bytes]
    computed: bool = True
    packed: bool = False

    def has(self, number: int, data: bytes | memoryview | None) -> bool:
        """Return whether these are the bytes of a file, without a checksum; None: damaged."""
        if data is None or not self.computed:
            return data is not None
        expected = self.chunk(number)
        return data == expected or (self.packed and _unpack(data) == _unpack(expected))

    def file(self, number: int) -> str:
        """Return the path of a file in the folder of the array."""
        return f"c/{number}" + "/0" * (len(self.metadata["shape"]) - 1)


def fixed_arrays(header: dict[str, Any]) -> dict[str, FixedArray]:
    """Return name -> array; arrays of boids are computed in blocks.

    If numbers change, a row has no id and no traits for good, and only its flock is among them.
    """
    traits = trait_names(header)
    words = {
        "axis": list(AXES[: header["dims"]]),
        "flock_name": list(header["counts"]),
        "scheduled": header["schedules"],
        "trait_name": [] if header.get("rows") else traits,
    }
    names = ["flock"] if header.get("rows") else list(FIXED_BOID_ARRAYS)
    arrays = {name: _make_boid_array(header, name) for name in names}
    arrays |= {name: _make_word_array(name, texts) for name, texts in words.items() if texts}
    if words["trait_name"]:
        arrays["trait"] = _make_trait_array(header)
    return arrays


def _make_boid_array(header: dict[str, Any], name: str) -> FixedArray:
    counts: dict[str, int] = header["counts"]
    flock_rows = rows_of(header)
    sizes = counts if flock_rows is None else flock_rows.sizes
    ends = np.cumsum([*sizes.values()], dtype=np.int64)
    starts = ends - np.array([*sizes.values()], np.int64)
    boids = sum(sizes.values())
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
    if flock_rows is None:
        metadata = array_metadata((boids,), "<i8", (size,), PLAIN_CODECS, ("boid",), attributes)
        return FixedArray(metadata, values, max(1, -(-boids // size)), chunk)
    codec = Codec("<i8", (size,))  # most rows may be empty
    metadata = array_metadata((boids,), "<i8", (size,), codec.metadata(), ("boid",), attributes)

    def packed(number: int) -> bytes:
        return codec.pack(np.frombuffer(chunk(number), "<i8"))[:-CHECKSUM_BYTES]

    return FixedArray(metadata, values, max(1, -(-boids // size)), packed, packed=True)


def _unpack(data: bytes | memoryview) -> bytes | None:
    """Return the numbers in compressed bytes, None if they are damaged."""
    try:
        return bytes(blosc.decompress(data))
    except (RuntimeError, ValueError):
        return None


def _make_trait_array(header: dict[str, Any]) -> FixedArray:
    """Return the traits of all boids, which follow from the model and the seed."""
    boids, width = sum(header["counts"].values()), len(trait_names(header))
    size = max(1, block_size(header, boids))

    def values() -> np.ndarray:
        return trait_table(header)

    def chunk(number: int) -> bytes:
        out = np.full((size, width), np.nan, "<f8")
        block = values()[number * size : (number + 1) * size]
        out[: len(block)] = block
        return out.tobytes()

    attributes = {"units": "", "long_name": TRAITS_ABOUT}
    metadata = array_metadata(
        (boids, width), "<f8", (size, width), PLAIN_CODECS, ("boid", "trait_name"), attributes
    )
    return FixedArray(metadata, values, max(1, -(-boids // size)), chunk, computed=False)


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
