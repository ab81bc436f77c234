"""Write extended XYZ, plain text for OVITO, ASE and many others.

A frame consists of the number of boids, a line of metadata, and a line per boid.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from murmurate.exports.formats import Options
from murmurate.exports.selection import Piece, Selection
from murmurate.exports.tables import text_rows


def write(draft: Path, selection: Selection, options: Options) -> None:
    """Write columns type (1 for the first flock), pos, velo, id and other state. In 2-D z is 0.

    The flock is a number, because ASE reads words as chemical elements. The metadata list the names
    in order. `dtype` is the type of the recorded numbers, float32 or float64.
    """
    with open(draft, "w", encoding="utf-8", newline="\n") as file:
        for piece in selection:
            for k in range(len(piece.steps)):
                file.write(f"{len(selection.ids)}\n{_metadata(selection, piece, k)}\n")
                flat = [np.zeros(len(selection.ids), np.int64)] * (3 - selection.dims)
                columns = [
                    selection.flock_index + 1,
                    *piece.positions[k].T, *flat,
                    *piece.velocities[k].T, *flat,
                    selection.ids,
                    *(values[k] for values in piece.state.values()),
                ]  # fmt: skip
                file.writelines(text_rows(columns, " "))


def _metadata(selection: Selection, piece: Piece, k: int) -> str:
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
    for name, values in piece.state.items():
        properties += f":{name}:{'I' if values.dtype.kind == 'i' else 'R'}:1"
    names = " ".join(name.replace(" ", "_").replace('"', "") for name in selection.flocks)
    return (
        f'Lattice="{box}" Origin="{" ".join(f"{x:.17g}" for x in origin)}" '
        f'pbc="{" ".join("T" if wraps else "F" for wraps in periodic)}" '
        f"Properties={properties} Time={piece.times[k]:.17g} Step={piece.steps[k]} "
        f'dtype={selection.dtype} flocks="{names}"'
    )
