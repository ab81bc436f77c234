"""Text dumps of LAMMPS (dump atom, dump custom). See https://docs.lammps.org/dump.html

ASE reads them too, but drops the ids, the image flags and the lower corner of scaled positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import IO

import numpy as np

from murmurate.disk import open_regular
from murmurate.errors import TracksError
from murmurate.number_text import parse_number
from murmurate.tracks.file_preview import FilePreview
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.particles import ParticleFrame, tracks_from_frames, triclinic_error
from murmurate.tracks.raw_tracks import RawTracks

AXES = "xyz"
FORMS = ("xu", "xsu", "x", "xs")
"""Columns of positions, unwrapped ones first; s: scaled by the box."""
UNITS = {"real": "Å", "metal": "Å", "si": "m", "cgs": "cm", "electron": "Bohr", "micro": "µm",
         "nano": "nm"}  # fmt: skip
TIMES = {"real": "fs", "metal": "ps", "si": "s", "cgs": "s", "electron": "fs", "micro": "µs",
         "nano": "ns", "lj": "units of Lennard-Jones"}  # fmt: skip
MAX_LINE = 1 << 16  # characters
Box = tuple[np.ndarray, np.ndarray | None]
"""(3, 2) lower and upper ends; (3,) which axes are periodic, None if unknown."""


def read(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read frames with ids, in any of the forms of positions; triclinic boxes raise TracksError."""
    path = preview.path
    with open_regular(path, "r", encoding="utf-8") as file:
        frames_with_units = list(_read_frames(file, path))
    units = frames_with_units[-1][0] if frames_with_units else ""
    frames = [frame for _, frame in frames_with_units]
    attrs = {"time": f"in {TIMES[units]} (LAMMPS units {units})"} if units in TIMES else {}
    return tracks_from_frames(frames, path, unit=UNITS.get(units, ""), attrs=attrs)


def _read_frames(file: IO[str], path: Path) -> Iterator[tuple[str, ParticleFrame]]:
    """Yield the units, as last stated, and each frame."""
    units, time, step, count = "", None, None, None
    box: Box | None = None
    for line in iter(lambda: file.readline(MAX_LINE), ""):
        words = line.split()
        if not words:
            continue
        item = line.removeprefix("ITEM:").strip()
        where = f"step {step}" if step is not None else "the first lines"
        if not line.startswith("ITEM:"):
            raise _error(path, where, repr(line.strip()[:40]), "a line ITEM: ...")
        if item == "UNITS":
            units = file.readline(MAX_LINE).strip()
        elif item == "TIME":
            time = _read_number(file, path, where)
        elif item == "TIMESTEP":
            step = int(_read_number(file, path, where))
        elif item == "NUMBER OF ATOMS":
            count = int(_read_number(file, path, where))
        elif item.startswith("BOX BOUNDS"):
            box = _read_box(file, item.split()[2:], path, where)
        elif item.startswith("ATOMS"):
            if step is None or count is None or box is None:
                raise _error(path, where, "atoms", "a timestep, the number of atoms and the box")
            yield units, _read_frame(file, item.split()[1:], step, time, count, box, path)
            time = step = count = box = None
        else:
            raise _error(path, where, f"ITEM: {item[:40]}", "an item of a LAMMPS text dump")


def _read_frame(
    file: IO[str], columns: list[str], step: int, time: float | None, count: int, box: Box,
    path: Path,
) -> ParticleFrame:  # fmt: skip
    """Read the atoms of a frame."""
    name = f"step {step}"
    form = next((f for f in FORMS if {f, f.replace("x", "y")} <= set(columns)), None)
    if form is None or "id" not in columns:
        missing = "id" if "id" not in columns else "x and y (or xs, xu, xsu, ...)"
        raise TracksError(
            f"{path}: {name}: got the columns {', '.join(columns[:20]) or 'of nothing'}; expected "
            f"{missing} too. Write them: dump ... custom ... id x y z ix iy iz vx vy vz"
        )
    axes = [axis for axis in AXES if form.replace("x", axis) in columns]
    dims = len(axes)
    velocities, images = ([f"{prefix}{axis}" for axis in axes] for prefix in ("v", "i"))
    velocities = velocities if set(velocities) <= set(columns) else []
    images = images if set(images) <= set(columns) and "u" not in form else []
    names = ["id", *(form.replace("x", axis) for axis in axes), *velocities, *images]
    values = _read_values(file, [columns.index(column) for column in names], count, name, path)
    ends, periodic = box
    lower, size = ends[:dims, 0], (ends[:, 1] - ends[:, 0])[:dims]
    positions = values[:, 1 : 1 + dims]
    if "s" in form:
        positions = lower + positions * size
    return ParticleFrame(
        name, values[:, 0].astype(np.int64), positions, lower, size,
        None if periodic is None else periodic[:dims], step, time,
        values[:, 1 + dims : 1 + 2 * dims] if velocities else None,
        values[:, -dims:].astype(np.int64) if images else None, "u" in form,
    )  # fmt: skip


def _read_values(
    file: IO[str], columns: list[int], count: int, name: str, path: Path
) -> np.ndarray:
    """Return (count, len(columns)) float64 values of the next `count` lines."""
    lines = list(islice(file, count))
    if len(lines) < count or any(line.startswith("ITEM:") for line in lines):
        got = next((k for k, line in enumerate(lines) if line.startswith("ITEM:")), len(lines))
        raise _error(path, name, f"{got} atoms", f"{count}, the stated number")
    try:
        cells = [line.split() for line in lines]
        values = np.array([[row[k] for k in columns] for row in cells], np.float64)
        return values.reshape(count, len(columns))
    except (ValueError, IndexError) as error:
        raise TracksError(
            f"{path}: {name}: got {' '.join(str(error).split())[:120]}; expected numbers. Take the "
            "file from a copy"
        ) from None


def _read_box(file: IO[str], words: list[str], path: Path, where: str) -> Box:
    rows = [file.readline(MAX_LINE).split() for _ in range(3)]
    if {"xy", "xz", "yz", "abc"} & set(words) or any(len(row) > 2 for row in rows):
        raise triclinic_error(f"{path}: {where}")
    try:
        ends = np.array([[parse_number(cell) for cell in row] for row in rows])
        if ends.shape != (3, 2):
            raise ValueError
    except ValueError:
        raise _error(path, where, "other lines", "two numbers for each side of the box") from None
    if len(words) != 3:
        return ends, None
    return ends, np.array([word == "pp" for word in words])


def _read_number(file: IO[str], path: Path, where: str) -> float:
    text = file.readline(MAX_LINE).strip()
    try:
        number = parse_number(text)
        if not np.isfinite(number):
            raise ValueError
    except ValueError:
        raise _error(path, where, repr(text[:40]), "a number") from None
    return number


def _error(path: Path, where: str, got: str, expected: str) -> TracksError:
    return TracksError(
        f"{path}: {where}: got {got}; expected {expected}. The file is damaged, incomplete, or not "
        "a text dump of LAMMPS: take it from a copy"
    )
