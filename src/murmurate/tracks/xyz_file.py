"""Extended XYZ, as ASE, OVITO and `murmurate export` write it; read by ASE."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.disk import open_regular
from murmurate.record.errors import RecordingRefused
from murmurate.tracks.file_head import Head
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.particles import ParticleFrame, reading_of, right_angled
from murmurate.tracks.reading import Reading

VELOCITIES = ("velo", "vel", "velocity", "velocities")
TIMES, STEPS = ("Time", "time"), ("Step", "step", "Timestep", "timestep")
HEADER = 1 << 16  # characters of the first line of a frame


def read(head: Head, options: ReadOptions) -> Reading:
    """Frames with Lattice, pbc, Properties; Origin, Time and Step where they are. Raises
    RecordingRefused for triclinic boxes."""
    from ase.io import read as ase_read

    path = head.path
    with open_regular(path, "r", encoding="utf-8") as file:
        file.readline(HEADER)
        first = file.readline(HEADER)
        file.seek(0)
        found: Any = ase_read(file, index=":", format="extxyz")
    notes = []
    if "Lattice=" in first and "pbc=" not in first:
        notes.append("its box has no pbc: periodic along all axes, as the format has it")
    if found and any("momenta" in one.arrays for one in found[:1]):
        notes.append("momenta are left out, since no velocities follow without masses")
    frames = [_frame(one, k, path) for k, one in enumerate(found)]
    names = str(found[0].info.get("flocks", "")).split() if found else []
    reading = reading_of(frames, path, notes=notes)
    if not names or "type" not in found[0].arrays:
        return reading
    kinds = dict(zip(frames[0].ids.tolist(), found[0].arrays["type"].tolist(), strict=True))
    of = np.array([kinds.get(int(one), 0) for one in reading.names or ()])
    flocks = {name: np.flatnonzero(of == k) for k, name in enumerate(names, 1)}
    if sum(map(len, flocks.values())) < len(of):
        raise RecordingRefused(
            f"{path}: type: got particles of none of the flocks {', '.join(names)}; expected "
            f"numbers from 1 to {len(names)}. Export it again"
        )
    return replace(reading, flocks=flocks)


def _frame(atoms: Any, k: int, path: Path) -> ParticleFrame:
    name = f"frame {k}"
    cell = np.array(atoms.cell, np.float64)
    lower = size = periodic = None
    if cell.any():
        size = right_angled(cell, name, path)
        lower = np.array(atoms.info.get("Origin", np.zeros(3)), np.float64)
        if lower.shape != (3,):
            raise RecordingRefused(
                f"{path}: {name}: got an Origin of shape {lower.shape}; expected three numbers. "
                "Leave it out where the box begins at 0"
            )
        periodic = np.array(atoms.pbc, bool)
    ids = atoms.arrays.get("id", np.arange(len(atoms)))
    moves: Any = next((atoms.arrays[one] for one in VELOCITIES if one in atoms.arrays), None)
    places: Any = np.array(atoms.positions, np.float64)
    if atoms.info.get("dtype") == "float32":  # its shortest text is another float64
        places, moves = (None if one is None else one.astype(np.float32).astype(np.float64)
                         for one in (places, moves))  # fmt: skip
    step, time = (next((atoms.info[one] for one in names if one in atoms.info), None)
                  for names in (STEPS, TIMES))  # fmt: skip
    return ParticleFrame(
        name, np.asarray(ids, np.int64), places, lower, size,
        periodic, int(step) if isinstance(step, int | np.integer) else None,
        float(time) if isinstance(time, int | float | np.number) else None,
        None if np.shape(moves) != (len(atoms), 3) else np.asarray(moves, np.float64),
    )  # fmt: skip
