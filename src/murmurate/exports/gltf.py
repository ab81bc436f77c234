"""glTF 2.0, binary: a node a boid, with its flight as an animation, for games and the web.

Khronos Group, glTF 2.0 specification, https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html
"""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.errors import ExportRefused
from murmurate.exports.appearance import Appearance
from murmurate.exports.coordinates import to_3d
from murmurate.exports.film_camera import FilmCamera
from murmurate.exports.formats import Options
from murmurate.exports.gltf_document import Document
from murmurate.exports.gltf_flocks import Flocks
from murmurate.exports.gltf_surroundings import FilmNode, add_ground, add_obstacles, add_sun
from murmurate.exports.selection import Selection
from murmurate.exports.unseen import LastSeen

LARGEST = 2**32 - 1  # bytes of a file
HEADER = 12 + 8 + 8  # of the file, and of its two chunks


def write(draft: Path, selection: Selection, options: Options) -> None:
    """A node a boid, in a node a flock. Up is Y, as glTF has it: (x, y, z) of the model stands at
    (x, z, -y). Translations and rotations have a key a frame, and are linear between them; in a
    periodic space they step, so that no boid is seen flying back through the box. Wings are moved
    by the weights of morph targets."""
    look, document = Appearance(selection, options), Document()
    times = np.arange(len(selection)) / look.frames_per_second
    moments = document.buffer.add(times.astype("<f4"))
    film, camera = FilmCamera(selection, look.frames_per_second), None
    places = to_3d(selection.first.positions[0], np.float32)
    if selection.gaps:
        places, _ = LastSeen(len(places), selection.space).next(places)
    if options.scene:
        first = FilmCamera(selection, look.frames_per_second)
        shot = first.next(selection.first.frames[0])
        places = first.images(places)
    flocks = Flocks(document, moments, selection, look, places)
    add_obstacles(document, moments, selection, look.style)
    if options.scene:
        add_ground(document, selection)
        add_sun(document, selection)
        camera = FilmNode(document, moments, len(selection), shot)
    title = selection.recording.header["title"]
    text = json.dumps(
        document.content(title, _about(selection)), separators=(",", ":"), ensure_ascii=False
    ).encode()
    text += b" " * (-len(text) % 4)
    size = document.buffer.bytes
    whole = HEADER + len(text) + size
    if whole > LARGEST:
        raise ExportRefused(
            f"a .glb holds 4 GB at most, and this would be {whole / 1e9:.1f} GB: export fewer "
            "frames with --every, or to .usdc"
        )
    with open(draft, "wb") as file:
        file.write(struct.pack("<4sIIII", b"glTF", 2, whole, len(text), 0x4E4F534A) + text)
        file.write(struct.pack("<II", size, 0x004E4942))
        start = file.tell()
        file.truncate(start + size)
        document.buffer.write(file, start)
        for piece in selection:
            places = to_3d(piece.positions, np.float32)
            if camera is not None:
                shots = []
                for k, frame in enumerate(piece.frames):
                    shots.append(film.next(frame))
                    places[k] = film.images(places[k])
                camera.write(file, start, piece.first, shots)
            timers = piece.state.get("perch_timer")
            landed = None if timers is None else timers > 0
            moves = to_3d(piece.velocities)
            flocks.write(file, start, piece.first, places, moves, landed)


def _about(selection: Selection) -> dict[str, Any]:
    """What the file says of its making."""
    header, steps = selection.recording.header, selection.steps
    return {
        "model": header["model"], "seed": str(header["seed"]), "versions": header["versions"],
        "first_step": steps[0], "last_step": steps[-1], "every": steps.step,
    }  # fmt: skip
