"""Write extended XYZ, plain text for OVITO, ASE and many others.

A frame consists of the number of boids, a line of metadata, and a line per boid.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from murmurate.exports.exported_boids import FrameRows
from murmurate.exports.formats import Options
from murmurate.exports.selection import Selection
from murmurate.exports.tables import text_rows


def write(draft: Path, selection: Selection, options: Options) -> None:
    """Write columns type (1 for the first flock), pos, velo, id, other state and traits.

    In 2-D z is 0. If boids come and go, each frame has the boids that are there. The flock is a
    number, because ASE reads words as chemical elements. The metadata list the names in order.
    `dtype` is the type of the recorded numbers, float32 or float64.
    """
    with open(draft, "w", encoding="utf-8", newline="\n") as file:
        for frames in selection.rows_of_pieces():
            for rows in frames:
                file.write(f"{len(rows)}\n{_metadata(selection, rows)}\n")
                flat = [np.zeros(len(rows), np.int64)] * (3 - selection.dims)
                columns = [
                    rows.flock_index + 1,
                    *rows.positions.T, *flat,
                    *rows.velocities.T, *flat,
                    rows.ids,
                    *rows.state.values(),
                    *rows.traits.values(),
                ]  # fmt: skip
                file.writelines(text_rows(columns, " "))


def _metadata(selection: Selection, rows: FrameRows) -> str:
    """Return the metadata of a frame: box, periodicity, columns, time and step."""
    space = selection.space
    flat = 3 - selection.dims
    sides = [*space.size, *[1.0] * flat]
    origin = [*space.lower, *[-0.5] * flat]
    periodic = [*space.periodic, *[False] * flat]
    box = " ".join(
        f"{side:.17g}" if row == column else "0"
        for row, side in enumerate(sides)
        for column in range(3)
    )
    properties = "type:I:1:pos:R:3:velo:R:3:id:I:1"
    for name, values in (rows.state | rows.traits).items():
        properties += f":{name}:{'I' if values.dtype.kind == 'i' else 'R'}:1"
    names = " ".join(name.replace(" ", "_").replace('"', "") for name in selection.flocks)
    return (
        f'Lattice="{box}" Origin="{" ".join(f"{x:.17g}" for x in origin)}" '
        f'pbc="{" ".join("T" if wraps else "F" for wraps in periodic)}" '
        f"Properties={properties} Time={rows.time:.17g} Step={rows.step} "
        f'dtype={selection.dtype} flocks="{names}"'
    )
