"""Write VTKHDF: a PolyData that changes in time, for ParaView and VTK.

It is written with h5py according to version 2.2 of the specification,
https://docs.vtk.org/en/latest/vtk_file_formats/vtkhdf_file_format/. The points of all frames are
concatenated. Constant data are stored once, and every step refers to them. If boids come and go, a
step has as many points as there are boids, and all data change.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import numpy as np

from murmurate.exports.exported_boids import FrameRows
from murmurate.exports.formats import Options
from murmurate.exports.hdf5_file import Hdf5File
from murmurate.exports.selection import Array, Selection, to_3d

CELLS = ("Vertices", "Lines", "Polygons", "Strips")


def write(draft: Path, selection: Selection, options: Options) -> None:
    """Write points with velocity, id, flock and other state.

    The flock is an index in the attribute `flocks` of the group /murmurate. A step is a frame, and
    its value is the model time. In 2-D z is 0.
    """
    counts = selection.numbers_of_boids.sum(axis=1)
    begins = np.concatenate([[0], np.cumsum(counts)])
    with Hdf5File(draft) as disk:
        with h5py.File(disk, "w", rdcc_nbytes=1 << 20) as file:  # complete chunks are written
            changing = _begin(file, selection, begins)
            for frames in selection.rows_of_pieces():
                part = slice(begins[frames[0].index], begins[frames[-1].index + 1])
                for name, array in changing.items():
                    array[part] = np.concatenate([_column(rows, name) for rows in frames])
                disk.check()
        disk.check()


def _column(rows: FrameRows, name: str) -> Array:
    """Return an array of the boids of a frame."""
    columns = {
        "Points": to_3d(rows.positions), "velocity": to_3d(rows.velocities),
        "id": rows.ids, "flock": rows.flock_index.astype(np.int32),
    }  # fmt: skip
    return (columns | rows.state | rows.traits)[name]


def _begin(file: Any, selection: Selection, begins: Array) -> dict[str, Any]:
    """Write everything but the frames. Returns the empty arrays for these."""
    root = file.create_group("VTKHDF")
    root.attrs["Version"] = np.array([2, 2], np.int64)
    kind = b"PolyData"  # readers expect a fixed length
    root.attrs.create("Type", kind, dtype=h5py.string_dtype("ascii", len(kind)))
    root["NumberOfPoints"] = np.diff(begins)
    _cells(root, np.diff(begins) if selection.lives is not None else np.diff(begins)[:1])
    changing = _arrays(root, selection, int(begins[-1]))
    data = root["PointData"]
    constant = ("id", "flock", *selection.traits) if selection.lives is None else ()
    for name in constant:
        data[name] = _column(selection.first_rows, name)
    _steps(root, selection, begins[:-1], list(data), frozenset(constant))
    about = file.create_group("murmurate")
    about.attrs["model"] = selection.recording.header["model"]
    about.attrs["seed"] = selection.recording.seed
    about.attrs["flocks"] = list(selection.flocks)
    return changing


def _cells(root: Any, counts: Array) -> None:
    """Write one vertex per point, and the empty groups of lines, polygons and strips.

    counts : (P,) number of points of each part. The vertices of a part are the first ones of those
    of the largest, so all parts share them.
    """
    for name in CELLS:
        numbers = counts if name == "Vertices" else np.zeros(len(counts), np.int64)
        max_points = int(numbers.max())
        group = root.create_group(name)
        group["NumberOfCells"] = numbers
        group["NumberOfConnectivityIds"] = numbers
        group["Offsets"] = np.arange(max_points + 1, dtype=np.int64)
        group["Connectivity"] = np.arange(max_points, dtype=np.int64)


def _arrays(root: Any, selection: Selection, rows: int) -> dict[str, Any]:
    """Create the empty arrays with a row per boid and frame."""
    chunk = max(1, min(rows, selection.chunk_frames * -(-rows // len(selection))))
    options = {"compression": "gzip", "compression_opts": 1, "shuffle": True}
    data = root.create_group("PointData")
    dtype = selection.dtype

    def empty(group: Any, name: str, kind: Any, *wide: int) -> Any:
        return group.create_dataset(name, (rows, *wide), kind, chunks=(chunk, *wide), **options)

    out = {"Points": empty(root, "Points", dtype, 3), "velocity": empty(data, "velocity", dtype, 3)}
    names = selection.state
    if selection.lives is not None:
        names = ["id", "flock", *names, *selection.traits]
    for name in names:
        out[name] = empty(data, name, _column(selection.first_rows, name).dtype)
    return out


def _steps(
    root: Any, selection: Selection, begins: Array, names: list[str], constant: frozenset[str]
) -> None:
    """Write the offsets of each step in the arrays: 0 for constant arrays."""
    frames = len(selection)
    zeros = np.zeros(frames, np.int64)
    steps = root.create_group("Steps")
    steps.attrs["NSteps"] = np.int64(frames)
    steps["Values"] = np.array(selection.steps) * float(selection.recording.header["dt"])
    steps["PartOffsets"] = zeros if selection.lives is None else np.arange(frames)
    steps["NumberOfParts"] = np.ones(frames, np.int64)
    steps["PointOffsets"] = begins
    steps["CellOffsets"] = np.zeros((frames, len(CELLS)), np.int64)
    steps["ConnectivityIdOffsets"] = np.zeros((frames, len(CELLS)), np.int64)
    offsets = steps.create_group("PointDataOffsets")
    for name in names:
        offsets[name] = zeros if name in constant else begins
