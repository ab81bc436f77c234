"""Write Houdini point caches, for Niagara of Unreal Engine: .hcsv is text, .hbjson is binary.

The layout is that of the plug-in HoudiniNiagara by SideFX: its README and the comments of its
loaders, https://github.com/sideeffects/HoudiniNiagara, and "Houdini-Niagara Plug in",
https://www.sidefx.com/docs/unreal/_niagara.html. A .hbjson file is JSON in which brackets are
bytes, text has a size, and the order of the fields gives the types of numbers, little-endian:

    {header {version, num_samples, num_frames, num_points, num_attrib, attrib_name [],
             attrib_size [], attrib_data_type [], data_type}
     cache_data {frames [{number, time, num_points, frame_data [[id, type, ...] ...]} ...]}}
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from murmurate.exports.appearance import Appearance
from murmurate.exports.formats import Options
from murmurate.exports.gltf_document import y_up
from murmurate.exports.selection import Array, Selection, to_3d
from murmurate.exports.tables import text_rows

VECTORS = {"P": "xyz", "v": "xyz", "N": "xyz", "up": "xyz", "Cd": "rgb"}
ROW = np.dtype([
    ("open", "S1"), ("id", "<i4"), ("type", "<i4"), ("time", "<f4"),
    *((name, "<f4", 3) for name in VECTORS), ("close", "S1"),
])  # fmt: skip
NAMES = [name for name in ROW.names or () if name not in ("open", "close")]
MAX_ID = 2**24  # the plug-in reads ids as float32


def write(draft: Path, selection: Selection, options: Options) -> None:
    """Write a row for each boid that is there, in each frame.

    Up is Y and lengths are metres, as in Houdini. The plug-in converts them to Z up and
    centimetres, but for velocities, which it leaves in metres.

    id  id of the boid; its number among the exported boids if an id is above 16 million
    type  index of its flock
    time  seconds of playing from the first frame
    P, v  position, and velocity per second of playing; 0 on the ground
    N, up  unit vectors along the heading, and from its belly to its back
    Cd  colour as linear light
    """
    frames = _frames(selection, options)
    with open(draft, "wb") as file:
        if draft.suffix == ".hcsv":
            _write_text(file, frames)
        else:
            _write_binary(file, frames)


def _frames(selection: Selection, options: Options) -> Iterator[tuple[float, Array]]:
    """Yield the time and the rows of each frame."""
    look = Appearance(selection, options)
    orientation = look.orientation(selection, options.upright)
    boids = len(selection.ids)
    ids = selection.ids if selection.ids.max() < MAX_ID else np.arange(boids)
    rate, step = look.frames_per_second, selection.seconds * look.frames_per_second
    lights = np.zeros((boids, 3))
    for piece in selection:
        landed = piece.state.get("perch_timer", np.zeros(piece.positions.shape[:2])) > 0
        for k, frame in enumerate(piece.frames):
            look.update(frame)
            lights[selection.rows(frame)] = look.lights(frame)
            orientation.update(np.arange(boids), to_3d(piece.velocities[k]))
            present = np.isfinite(piece.positions[k]).all(axis=1)
            rows = np.zeros(int(present.sum()), ROW)
            rows["open"], rows["close"] = b"[", b"]"
            rows["id"], rows["type"] = ids[present], selection.flock_index[present]
            rows["time"] = time = (piece.first + k) / rate
            velocities = np.nan_to_num(to_3d(piece.velocities[k]))
            velocities[landed[k]] = 0
            vectors = to_3d(piece.positions[k]), step * velocities, *orientation.forward_and_up
            for name, values in zip(VECTORS, vectors, strict=False):
                rows[name] = y_up(values[present])
            rows["Cd"] = lights[present]
            yield time, rows


def _write_text(file: BinaryIO, frames: Iterator[tuple[float, Array]]) -> None:
    titles = [
        title
        for name in NAMES
        for title in ([f"{name}.{axis}" for axis in VECTORS[name]] if name in VECTORS else [name])
    ]
    file.write((",".join(titles) + "\n").encode())
    for _, rows in frames:
        columns = [column for name in NAMES for column in np.atleast_2d(rows[name].T)]
        file.writelines(line.encode() for line in text_rows(columns, ","))


def _write_binary(file: BinaryIO, frames: Iterator[tuple[float, Array]]) -> None:
    """Write the file, and then its header again with the numbers of rows, frames and boids."""
    samples, number, ids = 0, 0, np.zeros(0, np.int32)
    file.write(_header(0, 0, 0))
    for time, rows in frames:
        file.write(b"{" + _text("number") + struct.pack("<I", number))
        file.write(_text("time") + struct.pack("<f", time))
        file.write(_text("num_points") + struct.pack("<I", len(rows)))
        file.write(_text("frame_data") + b"[" + rows.tobytes() + b"]}")
        samples, number, ids = samples + len(rows), number + 1, np.union1d(ids, rows["id"])
    file.write(b"]}}")
    file.seek(0)
    file.write(_header(samples, number, len(ids)))


def _header(samples: int, frames: int, points: int) -> bytes:
    """Return the beginning of the file, up to the first frame."""
    counts = {"num_samples": samples, "num_frames": frames, "num_points": points}
    sizes = [len(VECTORS.get(name, "1")) for name in NAMES]
    kinds = "".join(
        size * ("l" if name in ("id", "type") else "f")
        for name, size in zip(NAMES, sizes, strict=True)
    )
    return b"".join([
        b"{", _text("header"), b"{", _text("version"), _text("1.0"),
        *(_text(name) + struct.pack("<I", count) for name, count in counts.items()),
        _text("num_attrib"), struct.pack("<H", len(NAMES)),
        _text("attrib_name"), b"[", *map(_text, NAMES), b"]",
        _text("attrib_size"), b"[", bytes(sizes), b"]",
        _text("attrib_data_type"), b"[", kinds.encode(), b"]",
        _text("data_type"), _text("linear"), b"}",
        _text("cache_data"), b"{", _text("frames"), b"[",
    ])  # fmt: skip


def _text(word: str) -> bytes:
    return b"B" + bytes([len(word)]) + word.encode()
