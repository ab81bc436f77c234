"""Write NumPy arrays: .npy with positions, .npz with all arrays, for numpy.load."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO

import numpy as np

from murmurate.exports.formats import Options
from murmurate.exports.selection import Array, Piece, Selection


def write(draft: Path, selection: Selection, options: Options) -> None:
    """Write a .npy or .npz file.

    .npy has positions (time, boid, axis), which `numpy.load(mmap_mode="r")` maps. .npz has position
    and velocity (time, boid, axis), other state (time, boid), step and time (time), boid and flock
    (boid), axis, flock_name, and space_lower, space_size and space_boundary (axis).
    """
    if draft.suffix == ".npy":
        with open(draft, "wb") as file:
            _stream(file, selection, partial(_array, "position"))
        return
    state = selection.first.state
    selection.passes = 2 + len(state)  # one pass for each large member of the archive
    with zipfile.ZipFile(draft, "w", zipfile.ZIP_STORED) as archive:
        for name, values in _small_arrays(selection).items():
            with _member(archive, name) as file:
                np.lib.format.write_array(file, values, allow_pickle=False)
        for name in ("position", "velocity", *state):
            with _member(archive, name) as file:
                _stream(file, selection, partial(_array, name))


def _array(name: str, piece: Piece) -> Array:
    arrays = {"position": piece.positions, "velocity": piece.velocities, **piece.state}
    return arrays[name]


def _small_arrays(selection: Selection) -> dict[str, Array]:
    steps = np.array(selection.steps, np.int64)
    return {
        "step": steps,
        "time": steps * selection.recording.header["dt"],
        "boid": selection.ids,
        "flock": selection.flock_index,
        "axis": np.array(["x", "y", "z"][: selection.dims]),
        "flock_name": np.array(selection.flocks),
        "space_lower": np.array(selection.space.lower, np.float64),
        "space_size": np.array(selection.space.size, np.float64),
        "space_boundary": np.array(selection.space.boundaries),
    }


@contextmanager
def _member(archive: zipfile.ZipFile, name: str) -> Iterator[IO[bytes]]:
    with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
        yield file


def _stream(file: IO[bytes], selection: Selection, select: Callable[[Piece], Array]) -> None:
    """Write an array of all frames: its header, then piece by piece."""
    first = select(selection.first)
    header = {
        "descr": np.lib.format.dtype_to_descr(first.dtype),
        "fortran_order": False,
        "shape": (len(selection), *first.shape[1:]),
    }
    np.lib.format.write_array_header_1_0(file, header)
    for piece in selection:
        file.write(np.ascontiguousarray(select(piece)).data)
