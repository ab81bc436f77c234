"""Write NumPy arrays: .npy with positions, .npz with all arrays, for numpy.load."""

from __future__ import annotations

import itertools
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO

import numpy as np

from murmurate.errors import ExportOptionsError
from murmurate.exports.exported_boids import FrameRows
from murmurate.exports.formats import Options
from murmurate.exports.selection import Array, Piece, Selection


def write(draft: Path, selection: Selection, options: Options) -> None:
    """Write a .npy or .npz file.

    .npy has positions (time, boid, axis), which `numpy.load(mmap_mode="r")` maps. .npz has position
    and velocity (time, boid, axis), other state (time, boid), step and time (time), boid and flock
    (boid), axis, flock_name, and space_lower, space_size and space_boundary (axis). Numbers that
    differ between boids are trait (boid, trait_name) and trait_name.

    If boids come and go, a row has any boid of its flock: id (time, boid) has its id, -1 where a
    row is empty. The boids of a frame are at the start of the rows of their flock, in order of id;
    empty rows have nan, or -1 in whole numbers. Traits then are trait (individual, trait_name),
    with the ids individual.
    """
    if selection.lives is not None:
        if draft.suffix == ".npy":
            raise ExportOptionsError(
                f"{draft.name}: got a recording whose boids come and go; expected the same boids "
                "in all frames, since .npy has no ids. Export to .npz, which has them"
            )
        _write_changing(draft, selection)
        return
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


def _write_changing(draft: Path, selection: Selection) -> None:
    """Write a .npz file of boids that come and go."""
    sizes = selection.numbers_of_boids.max(axis=0)  # rows of each flock
    rows_before = np.concatenate([[0], np.cumsum(sizes)])
    first = selection.first_rows
    names = ("position", "velocity", "id", *first.state)
    selection.passes += len(names)
    with zipfile.ZipFile(draft, "w", zipfile.ZIP_STORED) as archive:
        small = _small_arrays(selection) | {"n_boids": selection.numbers_of_boids}
        small["flock"] = np.repeat(np.arange(len(sizes)), sizes)
        small["boid"] = np.arange(rows_before[-1])
        if selection.traits:
            small |= {"trait": selection.individuals[1], "individual": selection.ids}
        for name, values in small.items():
            with _member(archive, name) as file:
                np.lib.format.write_array(file, values, allow_pickle=False)
        for name in names:
            with _member(archive, name) as file:
                like = _column(first, name)
                _write_header(file, like.dtype, (len(selection), rows_before[-1], *like.shape[1:]))
                for rows in itertools.chain.from_iterable(selection.rows_of_pieces()):
                    file.write(_spread(rows, name, rows_before).data)


def _column(rows: FrameRows, name: str) -> Array:
    arrays = {"position": rows.positions, "velocity": rows.velocities, "id": rows.ids}
    return (arrays | rows.state)[name]


def _spread(rows: FrameRows, name: str, rows_before: Array) -> Array:
    """Return an array with all rows: the boids of each flock at the start of its rows."""
    values = _column(rows, name)
    empty = np.nan if values.dtype.kind == "f" else -1
    out = np.full((rows_before[-1], *values.shape[1:]), empty, values.dtype)
    counts = np.bincount(rows.flock_index, minlength=len(rows_before) - 1)
    starts = np.concatenate([[0], np.cumsum(counts)])[:-1]
    rank = np.arange(len(rows)) - starts[rows.flock_index]
    out[rows_before[rows.flock_index] + rank] = values
    return out


def _small_arrays(selection: Selection) -> dict[str, Array]:
    steps = np.array(selection.steps, np.int64)
    traits: dict[str, Array] = {}
    if selection.traits:
        traits["trait_name"] = np.array(selection.traits)
        if selection.lives is None:
            traits["trait"] = np.stack(list(selection.first_rows.traits.values()), axis=1)
    return {
        "step": steps,
        "time": steps * selection.recording.header["dt"],
        "boid": selection.ids,
        "flock": selection.flock_index,
        **traits,
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
    _write_header(file, first.dtype, (len(selection), *first.shape[1:]))
    for piece in selection:
        file.write(np.ascontiguousarray(select(piece)).data)


def _write_header(file: IO[bytes], dtype: np.dtype, shape: tuple[int, ...]) -> None:
    header = {
        "descr": np.lib.format.dtype_to_descr(dtype),
        "fortran_order": False,
        "shape": tuple(map(int, shape)),
    }
    np.lib.format.write_array_header_1_0(file, header)
