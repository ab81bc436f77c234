"""glTF 2.0, binary: a node a boid, with its flight as an animation, for games and the web.

Khronos Group, glTF 2.0 specification, https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html
"""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.exports.appearance import Appearance
from murmurate.exports.coordinates import to_3d
from murmurate.exports.errors import ExportRefused
from murmurate.exports.formats import Options
from murmurate.exports.orientations import Orientations
from murmurate.exports.selection import Array, Selection
from murmurate.show.bird import normals, triangles
from murmurate.version import __version__

FLOAT, SHORT = 5126, 5122
VERTICES = 34962  # the target of a buffer view
PLACE, TURN = 12, 8  # bytes of a boid and frame: 3 float32, and 4 normalized int16
LARGEST = 2**32 - 1  # bytes of a file
HEADER = 12 + 8 + 8  # of the file, and of its two chunks


def write(draft: Path, selection: Selection, options: Options) -> None:
    """A node a boid, in a node a flock. Up is Y, as glTF has it: (x, y, z) of the model stands at
    (x, z, -y). Translations and rotations have a key a frame, and are linear between them; in a
    periodic space they step, so that no boid is seen flying back through the box."""
    layout = _Layout(selection, options)
    text = json.dumps(layout.document(), separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 4)
    whole = HEADER + len(text) + layout.bytes
    if whole > LARGEST:
        raise ExportRefused(
            f"a .glb holds 4 GB at most, and this would be {whole / 1e9:.1f} GB: export fewer "
            "frames with --every, or to .usdc"
        )
    with open(draft, "wb") as file:
        file.write(struct.pack("<4sIIII", b"glTF", 2, whole, len(text), 0x4E4F534A) + text)
        file.write(struct.pack("<II", layout.bytes, 0x004E4942))
        start = file.tell()
        for part in layout.small():
            file.write(part.tobytes())
        turns = _Turns(len(selection.ids))
        for piece in selection:
            places = y_up(to_3d(piece.positions, np.float32))
            rotations = np.stack([turns.next(to_3d(each)) for each in piece.velocities])
            for base, each, values in (
                (layout.places, PLACE, places),
                (layout.turns, TURN, rotations),
            ):
                for boid in range(len(selection.ids)):  # its keys stand one behind the other
                    file.seek(start + base + each * (boid * len(selection) + piece.first))
                    file.write(np.ascontiguousarray(values[:, boid]).data)


def y_up(vectors: Array) -> Array:
    """(..., 3) vectors with Z up -> with Y up."""
    x, y, z = np.moveaxis(vectors, -1, 0)
    return np.stack([x, z, -y], axis=-1)


class _Turns:
    """Rotations as glTF has them, frame after frame: x, y, z, w as normalized int16. Of the two
    quaternions of a rotation it is the one that is nearer to the last."""

    def __init__(self, boids: int) -> None:
        self._orientations, self._last = Orientations(boids), np.zeros((boids, 4))

    def next(self, velocities: Array) -> Array:
        """(N, 3) velocities -> (N, 4) int16."""
        found = self._orientations.quaternions(velocities)
        found = np.concatenate([y_up(found[:, :3]), found[:, 3:]], axis=1)
        found[(found * self._last).sum(axis=1) < 0] *= -1
        self._last = found
        return np.rint(found * 32767).astype("<i2")


class _Layout:
    """Where everything lies in the file's buffer, and the document that says so.

    bytes   of the buffer
    places, turns  where the keys of the boids begin in it
    """

    def __init__(self, selection: Selection, options: Options) -> None:
        self._selection, self._look = selection, Appearance(selection, options)
        self._times = (np.arange(len(selection)) / self._look.frames_per_second).astype("<f4")
        shape = y_up(triangles())
        self._meshes = {f: shape * np.float32(self._look.size(f)) for f in selection.flocks}
        self._normals = normals(shape)
        self._small = [self._times, *self._meshes.values(), self._normals]
        self.places = sum(part.nbytes for part in self._small)
        frames = len(selection) * len(selection.ids)
        self.turns = self.places + PLACE * frames
        self.bytes = self.turns + TURN * frames

    def small(self) -> list[Array]:
        """What stands before the boids' keys, in order."""
        return self._small

    def document(self) -> dict[str, Any]:
        header, steps = self._selection.recording.header, self._selection.steps
        views, accessors = self._views(), self._shape_accessors()
        first = len(accessors)
        accessors += self._key_accessors(len(views) - 2)
        nodes, roots = self._nodes()
        about = {
            "model": header["model"], "seed": str(header["seed"]), "versions": header["versions"],
            "first_step": steps[0], "last_step": steps[-1], "every": steps.step,
        }  # fmt: skip
        return {
            "asset": {
                "version": "2.0",
                "generator": f"murmurate {__version__}",
                "extras": {"murmurate": about},
            },
            "scene": 0,
            "scenes": [{"name": header["title"], "nodes": roots}],
            "nodes": nodes,
            "meshes": self._mesh_list(),
            "materials": [self._material(flock) for flock in self._meshes],
            "animations": [self._animation(first)],
            "accessors": accessors,
            "bufferViews": views,
            "buffers": [{"byteLength": self.bytes}],
        }

    def _views(self) -> list[dict[str, Any]]:
        """The small parts, then all places, then all turns."""
        ends = np.cumsum([part.nbytes for part in self._small]).tolist()
        views: list[dict[str, Any]] = [
            {"buffer": 0, "byteOffset": end - part.nbytes, "byteLength": part.nbytes}
            for part, end in zip(self._small, ends, strict=True)
        ]
        for view in views[1:]:
            view["target"] = VERTICES
        for begin, end in ((self.places, self.turns), (self.turns, self.bytes)):
            views.append({"buffer": 0, "byteOffset": begin, "byteLength": end - begin})
        return views

    def _shape_accessors(self) -> list[dict[str, Any]]:
        """Of the times, of each flock's corners, and of the normals that they share."""
        out: list[dict[str, Any]] = [{
            "bufferView": 0, "componentType": FLOAT, "count": len(self._times), "type": "SCALAR",
            "min": [float(self._times[0])], "max": [float(self._times[-1])],
        }]  # fmt: skip
        for number, part in enumerate(self._small[1:], 1):
            corners = part.reshape(-1, 3)
            out.append({
                "bufferView": number, "componentType": FLOAT, "count": len(corners), "type": "VEC3",
                "min": corners.min(axis=0).tolist(), "max": corners.max(axis=0).tolist(),
            })  # fmt: skip
        return out

    def _key_accessors(self, view: int) -> list[dict[str, Any]]:
        """Of each boid its places, then its turns."""
        count = len(self._selection)
        out: list[dict[str, Any]] = []
        for boid in range(len(self._selection.ids)):
            out.append({"bufferView": view, "byteOffset": PLACE * count * boid,
                        "componentType": FLOAT, "count": count, "type": "VEC3"})  # fmt: skip
            out.append({"bufferView": view + 1, "byteOffset": TURN * count * boid,
                        "componentType": SHORT, "normalized": True, "count": count,
                        "type": "VEC4"})  # fmt: skip
        return out

    def _mesh_list(self) -> list[dict[str, Any]]:
        shared = 1 + len(self._meshes)  # the normals
        return [
            {"name": flock, "primitives": [
                {"attributes": {"POSITION": 1 + k, "NORMAL": shared}, "material": k}
            ]}
            for k, flock in enumerate(self._meshes)
        ]  # fmt: skip

    def _material(self, flock: str) -> dict[str, Any]:
        surface = {"baseColorFactor": [*self._look.colour(flock), 1.0], "metallicFactor": 0.0,
                   "roughnessFactor": 0.8}  # fmt: skip
        return {"name": flock, "pbrMetallicRoughness": surface, "doubleSided": True}

    def _nodes(self) -> tuple[list[dict[str, Any]], list[int]]:
        """The boids, in order, as in the first frame, then the flocks that hold them, which are the
        scene's; and the numbers of these."""
        selection, first = self._selection, self._selection.first
        places = y_up(to_3d(first.positions[0], np.float32))
        turns = _Turns(len(selection.ids)).next(to_3d(first.velocities[0])) / 32767
        nodes: list[dict[str, Any]] = [
            {"name": f"{selection.flocks[flock]} {boid}", "mesh": int(flock),
             "translation": place.tolist(), "rotation": (turn / np.linalg.norm(turn)).tolist()}
            for boid, flock, place, turn in zip(
                selection.ids.tolist(), selection.flock_index, places, turns, strict=True
            )
        ]  # fmt: skip
        for number, flock in enumerate(selection.flocks):
            mine = np.flatnonzero(selection.flock_index == number).tolist()
            nodes.append({"name": flock, **({"children": mine} if mine else {})})
        return nodes, list(range(len(selection.ids), len(nodes)))

    def _animation(self, first: int) -> dict[str, Any]:
        """A sampler and a channel for each boid's translation, and for its rotation.

        first  the number of the first boid's accessor
        """
        paths = ("translation", "rotation")
        between = "STEP" if any(self._selection.space.periodic) else "LINEAR"
        many = 2 * len(self._selection.ids)
        return {
            "name": "flight",
            "samplers": [
                {"input": 0, "output": first + k, "interpolation": between} for k in range(many)
            ],
            "channels": [
                {
                    "sampler": k,
                    "target": {"node": k // 2, "path": paths[k % 2]},
                }
                for k in range(many)
            ],
        }
