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
from murmurate.record.errors import RecordingRefused
from murmurate.tracks.file_head import Head
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.particles import ParticleFrame, reading_of, triclinic
from murmurate.tracks.reading import Reading

AXES = "xyz"
FORMS = ("xu", "xsu", "x", "xs")  # unwrapped ones first, as they say more; s: in parts of the box
UNITS = {"real": "Å", "metal": "Å", "si": "m", "cgs": "cm", "electron": "Bohr", "micro": "µm",
         "nano": "nm"}  # fmt: skip
TIMES = {"real": "fs", "metal": "ps", "si": "s", "cgs": "s", "electron": "fs", "micro": "µs",
         "nano": "ns", "lj": "units of Lennard-Jones"}  # fmt: skip
LONGEST = 1 << 16  # characters of a line


def read(head: Head, options: ReadOptions) -> Reading:
    """Frames with ids, in any of the forms of positions. Raises RecordingRefused for triclinic
    boxes, for frames that are cut short, and for columns that are missing."""
    path = head.path
    with open_regular(path, "r", encoding="utf-8") as file:
        found = list(_frames(file, path))
    units = found[-1][0] if found else ""
    frames = [frame for _, frame in found]
    attrs = {"time": f"in {TIMES[units]} (LAMMPS units {units})"} if units in TIMES else {}
    return reading_of(frames, path, unit=UNITS.get(units, ""), attrs=attrs)


def _frames(file: IO[str], path: Path) -> Iterator[tuple[str, ParticleFrame]]:
    """The units that are said so far, and a frame."""
    units, time, step, count = "", None, None, None
    bounds: tuple[np.ndarray, np.ndarray | None] | None = None
    for line in iter(lambda: file.readline(LONGEST), ""):
        words = line.split()
        if not words:
            continue
        item = line.removeprefix("ITEM:").strip()
        where = f"step {step}" if step is not None else "its first lines"
        if not line.startswith("ITEM:"):
            raise _wrong(path, where, repr(line.strip()[:40]), "a line ITEM: ...")
        if item == "UNITS":
            units = file.readline(LONGEST).strip()
        elif item == "TIME":
            time = _number(file, path, where)
        elif item == "TIMESTEP":
            step = int(_number(file, path, where))
        elif item == "NUMBER OF ATOMS":
            count = int(_number(file, path, where))
        elif item.startswith("BOX BOUNDS"):
            bounds = _box(file, item.split()[2:], path, where)
        elif item.startswith("ATOMS"):
            if step is None or count is None or bounds is None:
                raise _wrong(path, where, "atoms", "a timestep, their number and the box before")
            yield units, _frame(file, item.split()[1:], step, time, count, bounds, path)
            time = step = count = bounds = None
        else:
            raise _wrong(path, where, f"ITEM: {item[:40]}", "an item of LAMMPS's text dumps")


def _frame(
    file: IO[str], columns: list[str], step: int, time: float | None, count: int,
    bounds: tuple[np.ndarray, np.ndarray | None], path: Path,
) -> ParticleFrame:  # fmt: skip
    name = f"step {step}"
    form = next((f for f in FORMS if {f, f.replace("x", "y")} <= set(columns)), None)
    if form is None or "id" not in columns:
        lacking = "id" if "id" not in columns else "x and y (or xs, xu, xsu, ...)"
        raise RecordingRefused(
            f"{path}: {name}: got the columns {', '.join(columns[:20]) or 'of nothing'}; expected "
            f"{lacking} too. Write them: dump ... custom ... id x y z ix iy iz vx vy vz"
        )
    axes = [axis for axis in AXES if form.replace("x", axis) in columns]
    wanted = ["id", *(form.replace("x", axis) for axis in axes)]
    speeds, rounds = ([f"{mark}{axis}" for axis in axes] for mark in ("v", "i"))
    speeds = speeds if set(speeds) <= set(columns) else []
    rounds = rounds if set(rounds) <= set(columns) and "u" not in form else []
    lines = list(islice(file, count))
    if len(lines) < count or any(line.startswith("ITEM:") for line in lines):
        short = next((k for k, line in enumerate(lines) if line.startswith("ITEM:")), len(lines))
        raise _wrong(path, name, f"{short} atoms", f"{count}, as it says")
    names = [*wanted, *speeds, *rounds]
    try:
        chosen = [columns.index(one) for one in names]
        cells = [line.split() for line in lines]
        values = np.array([[row[k] for k in chosen] for row in cells], np.float64)
        values = values.reshape(len(lines), len(names))
    except (ValueError, IndexError) as error:
        raise RecordingRefused(
            f"{path}: {name}: got {' '.join(str(error).split())[:120]}; expected numbers. Take the "
            "file from a copy"
        ) from None
    values = values.reshape(count, len(names))
    box, periodic = bounds
    lower, size = box[: len(axes), 0], (box[:, 1] - box[:, 0])[: len(axes)]
    places = values[:, 1 : 1 + len(axes)]
    if "s" in form:
        places = lower + places * size
    after = 1 + len(axes)
    return ParticleFrame(
        name, values[:, 0].astype(np.int64), places, lower, size,
        None if periodic is None else periodic[: len(axes)], step, time,
        values[:, after : after + len(axes)] if speeds else None,
        values[:, -len(axes) :].astype(np.int64) if rounds else None, "u" in form,
    )  # fmt: skip


def _box(
    file: IO[str], words: list[str], path: Path, where: str
) -> tuple[np.ndarray, np.ndarray | None]:
    """(3, 2) lower and upper ends, and which axes are periodic; None where it does not say."""
    rows = [file.readline(LONGEST).split() for _ in range(3)]
    if {"xy", "xz", "yz", "abc"} & set(words) or any(len(row) > 2 for row in rows):
        raise triclinic(f"{path}: {where}")
    try:
        box = np.array([[float(cell) for cell in row] for row in rows])
        if box.shape != (3, 2):
            raise ValueError
    except ValueError:
        raise _wrong(path, where, "other lines", "two numbers for each side of the box") from None
    if len(words) != 3:
        return box, None
    return box, np.array([word == "pp" for word in words])


def _number(file: IO[str], path: Path, where: str) -> float:
    text = file.readline(LONGEST).strip()
    try:
        found = float(text)
        if not np.isfinite(found):
            raise ValueError
    except ValueError:
        raise _wrong(path, where, repr(text[:40]), "a number") from None
    return found


def _wrong(path: Path, where: str, found: str, wanted: str) -> RecordingRefused:
    return RecordingRefused(
        f"{path}: {where}: got {found}; expected {wanted}. The file is damaged, cut short, or no "
        "text dump of LAMMPS: take it from a copy"
    )
