"""Write GSD files with the HOOMD schema, for OVITO, freud and HOOMD-blue."""

from __future__ import annotations

from pathlib import Path

import gsd.hoomd
import numpy as np

from murmurate.exports.formats import Options
from murmurate.exports.selection import Array, Selection, to_3d


def write(draft: Path, selection: Selection, options: Options) -> None:
    """Write float32 frames, as the schema requires. Types are flocks.

    A HOOMD box is centred on the origin and periodic along every axis. Positions are therefore
    relative to the centre of the space, log/centre, and along an open axis the box contains all
    positions. log/time is the model time. log/particles has the ids of boids, numbers that differ
    between them, and their other state; ids and numbers are in the first frame only, unless boids
    come and go: then each frame has the boids that are there. log/lower, log/size and log/periodic,
    in the first frame, describe the space of the model.
    """
    centre, sides = box_of(selection)
    dims = selection.dims
    with gsd.hoomd.open(name=str(draft), mode="w") as file:
        for frames in selection.rows_of_pieces():
            for rows in frames:
                frame = gsd.hoomd.Frame()
                frame.configuration.step = rows.step
                frame.configuration.dimensions = dims
                frame.configuration.box = [*sides, *[0.0] * (6 - dims)]
                frame.particles.N = len(rows)
                frame.particles.types = list(selection.flocks)
                frame.particles.typeid = rows.flock_index.astype(np.uint32)
                frame.particles.position = to_3d(rows.positions - centre, np.float32)
                frame.particles.velocity = to_3d(rows.velocities, np.float32)
                frame.log["time"] = np.array([rows.time])
                frame.log["centre"] = centre
                if rows.index == 0 or selection.lives is not None:
                    frame.log["particles/id"] = rows.ids
                    for name, values in rows.traits.items():
                        frame.log[f"particles/{name}"] = values
                if rows.index == 0:
                    frame.log["lower"] = np.array(selection.space.lower, np.float64)
                    frame.log["size"] = np.array(selection.space.size, np.float64)
                    frame.log["periodic"] = np.array(selection.space.periodic, np.int64)
                for name, values in rows.state.items():
                    frame.log[f"particles/{name}"] = values
                file.append(frame)


def box_of(selection: Selection) -> tuple[Array, Array]:
    """Return the centre and the sides of the box, (D,) float64 each."""
    lower, upper = np.array(selection.space.lower), np.array(selection.space.upper)
    is_open = np.array([word == "open" for word in selection.space.boundaries])
    if is_open.any():
        low, high = selection.bounds
        margin = 1e-6 * (high - low) + 1e-9  # keeps positions inside after rounding to float32
        lower = np.where(is_open, np.minimum(lower, low - margin), lower)
        upper = np.where(is_open, np.maximum(upper, high + margin), upper)
    return (lower + upper) / 2, upper - lower
