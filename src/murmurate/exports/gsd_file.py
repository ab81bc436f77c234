"""GSD, the HOOMD schema: OVITO, freud and HOOMD-blue read it."""

from __future__ import annotations

from pathlib import Path

import gsd.hoomd
import numpy as np

from murmurate.exports.coordinates import to_3d
from murmurate.exports.formats import Options
from murmurate.exports.selection import Array, Selection


def write(draft: Path, selection: Selection, options: Options) -> None:
    """A frame a step, of float32 as the schema wants it. Types are flocks.

    A box of HOOMD's has the origin in its middle and is periodic along every axis: positions are
    moved by the middle of the space (log/centre says by how much), and along an open axis the box
    is as large as the flight. log/time is the model's time; log/particles has the boids' ids, in
    the first frame, and their state. log/lower, log/size and log/periodic, in the first frame, are
    the model's space.
    """
    centre, sides = box_of(selection)
    dims = selection.dims
    with gsd.hoomd.open(name=str(draft), mode="w") as file:
        for piece in selection:
            for k, step in enumerate(piece.steps):
                frame = gsd.hoomd.Frame()
                frame.configuration.step = int(step)
                frame.configuration.dimensions = dims
                frame.configuration.box = [*sides, *[0.0] * (6 - dims)]
                frame.particles.N = len(selection.ids)
                frame.particles.types = list(selection.flocks)
                frame.particles.typeid = selection.flock_index.astype(np.uint32)
                frame.particles.position = to_3d(piece.positions[k] - centre, np.float32)
                frame.particles.velocity = to_3d(piece.velocities[k], np.float32)
                frame.log["time"] = np.array([piece.times[k]])
                frame.log["centre"] = centre
                if piece.first + k == 0:
                    frame.log["particles/id"] = selection.ids
                    frame.log["lower"] = np.array(selection.space.lower, np.float64)
                    frame.log["size"] = np.array(selection.space.size, np.float64)
                    frame.log["periodic"] = np.array(selection.space.periodic, np.int64)
                for name, values in piece.state.items():
                    frame.log[f"particles/{name}"] = values[k]
                file.append(frame)


def box_of(selection: Selection) -> tuple[Array, Array]:
    """(D,) float64 each: the middle of the box, and the lengths of its sides."""
    lower, upper = np.array(selection.space.lower), np.array(selection.space.upper)
    is_open = np.array([word == "open" for word in selection.space.boundaries])
    if is_open.any():
        least, most = selection.bounds
        spare = 1e-6 * (most - least) + 1e-9  # so that rounding to float32 leaves all inside
        lower = np.where(is_open, np.minimum(lower, least - spare), lower)
        upper = np.where(is_open, np.maximum(upper, most + spare), upper)
    return (lower + upper) / 2, upper - lower
