"""Write vertex animation textures in rigid form: a column per boid, for shaders of game engines.

The layout is that of OpenVAT with packed normals, https://github.com/sharpen3d/openvat and
https://openvat.org: a PNG of 16 bits, and NAME-remap_info.json with the bounds of positions. Its
upper half has positions and its lower half rotations, where OpenVAT has normals of vertices:

            boid 0   boid 1   ...
    frame 0   P        P             P: (x, y, z) from Min to Max as 0 to 65535, and 65535
    frame 1   P        P                while the boid is there, else 0
    ...
    frame 0   Q        Q             Q: quaternion x, y, z, w from -1 to 1 as 0 to 65535
    ...

More boids than a texture has columns continue in the next row of the same frame.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.errors import ExportOptionsError
from murmurate.exports.appearance import Appearance, LastPositions, Rotations, about
from murmurate.exports.formats import Options
from murmurate.exports.selection import Array, Selection, to_3d
from murmurate.show.encoders import encode_png

MAX_SIDE = 8192  # pixels, which every graphics card allows
LEVELS = 65535


def write(draft: Path, selection: Selection, options: Options) -> None:
    """Write the texture, and the file with its bounds. Up is Z.

    A boid that is not there is where it was last. Raises ExportOptionsError for a texture with more
    than MAX_SIDE rows.
    """
    frames, boids = len(selection), len(selection.ids)
    rows = -(-boids // MAX_SIDE)  # of a frame
    columns = -(-boids // rows)
    if 2 * frames * rows > MAX_SIDE:
        raise ExportOptionsError(
            f".png: got {frames:,} frames of {boids:,} boids, {2 * frames * rows:,} rows of a "
            f"texture; expected at most {MAX_SIDE:,}. Export fewer frames with --every, or fewer "
            "boids with --ids"
        )
    look = Appearance(selection, options)
    low, high = (to_3d(bound) for bound in selection.bounds)
    extent = np.where(high > low, high - low, 1.0)
    rotations = Rotations(look.orientation(selection, options.upright), boids)
    last = LastPositions(boids, selection.space)
    pixels = np.zeros((2, frames, rows * columns, 4), np.uint16)
    for piece in selection:
        for k, velocities in enumerate(to_3d(piece.velocities)):
            positions, present = last.next(to_3d(piece.positions[k], np.float32))
            part = np.clip((positions - low) / extent, 0, 1)
            positioned, turned = pixels[:, piece.first + k, :boids]
            positioned[:, :3] = np.rint(LEVELS * part)
            positioned[:, 3] = np.where(present, LEVELS, 0)
            turned[:] = np.rint(LEVELS * (0.5 + 0.5 * rotations.next(velocities)))
    draft.write_bytes(encode_png(pixels.reshape(2 * frames * rows, columns, 4)))
    assert options.buffer is not None
    content = _bounds(selection, look, (low, high), (columns, rows))
    options.buffer.draft.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _bounds(
    selection: Selection, look: Appearance, bounds: tuple[Array, Array], size: tuple[int, int]
) -> dict[str, Any]:
    """Return the bounds in OpenVAT's JSON, and other numbers for shaders."""
    frames, rate = len(selection), look.frames_per_second
    flocks = {
        name: {
            "boids": selection.counts[name],
            "size": look.size(name),
            "colour": np.mean(look.shades(selection.first.frames[0][name]), axis=0).tolist(),
        }
        for name in selection.flocks
    }
    return {
        "os-remap": {"Min": bounds[0].tolist(), "Max": bounds[1].tolist(), "Frames": frames},
        "animations": {
            "flight": {"startFrame": 1, "endFrame": frames, "framerate": rate, "looping": False}
        },
        "murmurate": {
            "form": "rigid", "columns": size[0], "rows_per_frame": size[1], "up": "z",
            "flocks": flocks, "ids": selection.ids.tolist(), **about(selection),
        },
    }  # fmt: skip
