"""Write VTKHDF: a PolyData that changes in time, for ParaView and VTK.

It is written with h5py according to version 2.2 of the specification,
https://docs.vtk.org/en/latest/vtk_file_formats/vtkhdf_file_format/. The points of all frames are
concatenated. Constant data are stored once, and every step refers to them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import numpy as np

from murmurate.exports.formats import Options
from murmurate.exports.hdf5_file import Hdf5File
from murmurate.exports.selection import Selection, to_3d

CELLS = ("Vertices", "Lines", "Polygons", "Strips")


def write(draft: Path, selection: Selection, options: Options) -> None:
    """Write points with velocity, id, flock and other state.

    The flock is an index in the attribute `flocks` of the group /murmurate. A step is a frame, and
    its value is the model time. In 2-D z is 0.
    """
    with Hdf5File(draft) as disk:
        with h5py.File(disk, "w", rdcc_nbytes=1 << 20) as file:  # complete chunks are written
            changing = _begin(file, selection)
            for piece in selection:
                first = piece.first * len(selection.ids)
                rows = slice(first, first + len(piece.steps) * len(selection.ids))
                changing["Points"][rows] = to_3d(piece.positions).reshape(-1, 3)
                changing["velocity"][rows] = to_3d(piece.velocities).reshape(-1, 3)
                for name, values in piece.state.items():
                    changing[name][rows] = values.reshape(-1)
                disk.check()
        disk.check()


def _begin(file: Any, selection: Selection) -> dict[str, Any]:
    """Write everything but the frames. Returns the empty arrays for these."""
    frames, boids = len(selection), len(selection.ids)
    root = file.create_group("VTKHDF")
    root.attrs["Version"] = np.array([2, 2], np.int64)
    kind = b"PolyData"  # readers expect a fixed length
    root.attrs.create("Type", kind, dtype=h5py.string_dtype("ascii", len(kind)))
    root["NumberOfPoints"] = np.full(frames, boids, np.int64)
    _cells(root, boids)
    changing = _arrays(root, selection)
    data = root["PointData"]
    data["id"], data["flock"] = selection.ids, selection.flock_index.astype(np.int32)
    _steps(root, selection, list(data), frozenset(("id", "flock")))
    about = file.create_group("murmurate")
    about.attrs["model"] = selection.recording.header["model"]
    about.attrs["seed"] = selection.recording.seed
    about.attrs["flocks"] = list(selection.flocks)
    return changing


def _cells(root: Any, boids: int) -> None:
    """Write one vertex per point, and the empty groups of lines, polygons and strips."""
    for name in CELLS:
        count = boids if name == "Vertices" else 0
        group = root.create_group(name)
        group["NumberOfCells"] = np.array([count], np.int64)
        group["NumberOfConnectivityIds"] = np.array([count], np.int64)
        group["Offsets"] = np.arange(count + 1, dtype=np.int64)
        group["Connectivity"] = np.arange(count, dtype=np.int64)


def _arrays(root: Any, selection: Selection) -> dict[str, Any]:
    """Create the empty arrays with a row per boid and frame."""
    rows = len(selection) * len(selection.ids)
    chunk = min(rows, selection.chunk_frames * len(selection.ids))
    options = {"compression": "gzip", "compression_opts": 1, "shuffle": True}
    data = root.create_group("PointData")
    dtype = selection.dtype

    def empty(group: Any, name: str, kind: Any, *wide: int) -> Any:
        return group.create_dataset(name, (rows, *wide), kind, chunks=(chunk, *wide), **options)

    out = {"Points": empty(root, "Points", dtype, 3), "velocity": empty(data, "velocity", dtype, 3)}
    for name, values in selection.first.state.items():
        out[name] = empty(data, name, values.dtype)
    return out


def _steps(root: Any, selection: Selection, names: list[str], constant: frozenset[str]) -> None:
    """Write the offsets of each step in the arrays: 0 for constant arrays."""
    frames, boids = len(selection), len(selection.ids)
    zeros, begins = np.zeros(frames, np.int64), np.arange(frames, dtype=np.int64) * boids
    steps = root.create_group("Steps")
    steps.attrs["NSteps"] = np.int64(frames)
    steps["Values"] = np.array(selection.steps) * float(selection.recording.header["dt"])
    steps["PartOffsets"] = zeros
    steps["NumberOfParts"] = np.ones(frames, np.int64)
    steps["PointOffsets"] = begins
    steps["CellOffsets"] = np.zeros((frames, len(CELLS)), np.int64)
    steps["ConnectivityIdOffsets"] = np.zeros((frames, len(CELLS)), np.int64)
    offsets = steps.create_group("PointDataOffsets")
    for name in names:
        offsets[name] = zeros if name in constant else begins
