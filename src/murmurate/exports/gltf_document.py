"""Build the document and the buffer of a glTF file, and convert axes to Y up."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO
from urllib.parse import quote

import numpy as np
from scipy.spatial.transform import Rotation

from murmurate.exports.appearance import Light
from murmurate.exports.film_camera import Shot
from murmurate.exports.selection import Array
from murmurate.version import __version__

COMPONENTS = {np.dtype("<f4"): 5126, np.dtype("<i2"): 5122, np.dtype("<u2"): 5123}
VERTICES = 34962  # target of a buffer view
KINDS = {(): "SCALAR", (3,): "VEC3", (4,): "VEC4"}


class Document:
    """Nodes, meshes, materials and one animation. Each element added gets an index.

    buffer  holds the accessors
    roots  indices of the nodes without a parent
    """

    def __init__(self) -> None:
        self.buffer = Buffer()
        self.roots: list[int] = []
        self._lists: dict[str, list[dict[str, Any]]] = {}
        self._animation: dict[str, list[dict[str, Any]]] = {"samplers": [], "channels": []}
        self._lights: list[dict[str, Any]] = []
        self._normals: dict[bytes, int] = {}

    def material(self, name: str, colour: Light) -> int:
        """Add a matte material that is visible from both sides."""
        surface = {"baseColorFactor": [*colour, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.8}
        material = {"name": name, "pbrMetallicRoughness": surface, "doubleSided": True}
        return self._add("materials", material)

    def mesh(
        self,
        name: str,
        corners: Array,
        normals: Array,
        material: int,
        targets: tuple[Array, ...] = (),
    ) -> int:
        """Add a mesh of triangles (F, 3, 3) with Z up.

        `targets` are morph targets: displacements (F, 3, 3) of the corners.
        """
        key = normals.tobytes()
        if key not in self._normals:
            self._normals[key] = self._vertices(normals)
        attributes = {"POSITION": self._vertices(corners), "NORMAL": self._normals[key]}
        primitive: dict[str, Any] = {"attributes": attributes, "material": material}
        mesh: dict[str, Any] = {"name": name, "primitives": [primitive]}
        if targets:
            primitive["targets"] = [{"POSITION": self._vertices(move)} for move in targets]
            mesh["weights"] = [0.0] * len(targets)
        return self._add("meshes", mesh)

    def copy_mesh(self, mesh: int, name: str, material: int) -> int:
        """Add a mesh with the shape of another mesh and its own material."""
        original = self._lists["meshes"][mesh]
        (primitive,) = original["primitives"]
        copy = {**original, "name": name, "primitives": [{**primitive, "material": material}]}
        return self._add("meshes", copy)

    def node(self, name: str, **fields: Any) -> int:
        """Add a node."""
        return self._add("nodes", {"name": name, **fields})

    def camera(self, fields: dict[str, Any]) -> int:
        """Add a camera."""
        return self._add("cameras", fields)

    def light(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Add a light, and return the extensions of its node."""
        self._lights.append(fields)
        return {"KHR_lights_punctual": {"light": len(self._lights) - 1}}

    def sampler(self, times: int, values: int, interpolation: str) -> int:
        """Add a sampler of two accessors to the animation."""
        self._animation["samplers"].append(
            {"input": times, "output": values, "interpolation": interpolation}
        )
        return len(self._animation["samplers"]) - 1

    def channel(self, sampler: int, node: int, path: str) -> None:
        """Animate the 'translation', 'rotation', 'scale' or 'weights' of a node."""
        target = {"node": node, "path": path}
        self._animation["channels"].append({"sampler": sampler, "target": target})

    def content(self, title: str, about: dict[str, Any], buffer: str = "") -> dict[str, Any]:
        """Return the document as JSON values.

        `about` describes the origin of the file. `buffer` is the name of the file with the buffer;
        '' if it follows in the same file.
        """
        where = {"uri": quote(buffer)} if buffer else {}
        out: dict[str, Any] = {
            "asset": {
                "version": "2.0",
                "generator": f"murmurate {__version__}",
                "extras": {"murmurate": about},
            },
            "scene": 0,
            "scenes": [{"name": title, "nodes": self.roots}],
            **self._lists,
            "animations": [{"name": "flight", **self._animation}],
            "accessors": self.buffer.accessors,
            "bufferViews": self.buffer.views,
            "buffers": [{**where, "byteLength": self.buffer.bytes}],
        }
        if self._lights:
            out["extensionsUsed"] = ["KHR_lights_punctual"]
            out["extensions"] = {"KHR_lights_punctual": {"lights": self._lights}}
        return out

    def _vertices(self, corners: Array) -> int:
        return self.buffer.add(y_up(corners.reshape(-1, 3)).astype(np.float32), VERTICES)

    def _add(self, kind: str, element: dict[str, Any]) -> int:
        elements = self._lists.setdefault(kind, [])
        elements.append(element)
        return len(elements) - 1


# --- buffer

Jumps = Mapping[int, Array]
"""Frames, ascending, in which a track jumps, by track: it has two keys there."""


@dataclass(frozen=True)
class Keyframes:
    """Space in the buffer for keyframes: a contiguous part per track, with a key per frame of it.

    first  index of the accessor of the first track; the others follow
    """

    first: int
    _offsets: Array  # of the tracks in the buffer, bytes
    _begin: Array  # first and last frame of the tracks
    _end: Array
    _dtype: np.dtype
    _jumps: Jumps

    def write(
        self, file: BinaryIO, start: int, frame: int, values: Array, unwrapped: Array | None = None
    ) -> None:
        """Write values (frames, tracks, ...) from `frame` on, those within the tracks.

        The buffer begins at byte `start` of the file. `unwrapped` has the values of the first keys
        of frames with two keys.
        """
        key_bytes = values[0, 0].size * self._dtype.itemsize
        begin = np.maximum(self._begin, frame)
        end = np.minimum(self._end + 1, frame + len(values))
        for track in np.flatnonzero(begin < end).tolist():
            number = begin[track] - self._begin[track]
            part = values[begin[track] - frame : end[track] - frame, track]
            if track in self._jumps:
                assert unwrapped is not None
                first, last = np.searchsorted(self._jumps[track], [begin[track], end[track]])
                frames = self._jumps[track][first:last]
                part = np.insert(
                    part, frames - begin[track], unwrapped[frames - frame, track], axis=0
                )
                number += first
            file.seek(start + int(self._offsets[track] + key_bytes * number))
            file.write(np.ascontiguousarray(part, self._dtype).data)


class Buffer:
    """The arrays of a glTF file, in order.

    bytes  total size
    """

    def __init__(self) -> None:
        self.accessors: list[dict[str, Any]] = []
        self.views: list[dict[str, Any]] = []
        self.bytes = 0
        self._arrays: list[tuple[int, Array]] = []

    def add_slices(self, values: Array, slices: Sequence[tuple[int, int]]) -> list[int]:
        """Add an array (count,) once, and return the index of an accessor for each slice of it."""
        self._arrays.append((self.bytes, values))
        view = self._view(values.nbytes)
        accessors = {}
        for first, last in dict.fromkeys(slices):
            part = values[first:last]
            accessors[first, last] = len(self.accessors)
            self.accessors.append({
                "bufferView": view, "byteOffset": first * values.itemsize,
                "componentType": COMPONENTS[values.dtype], "count": last - first,
                "type": KINDS[()], "min": [float(part.min())], "max": [float(part.max())],
            })  # fmt: skip
        return [accessors[each] for each in slices]

    def add(self, values: Array, target: int | None = None) -> int:
        """Add an array (count, ...), and return the index of its accessor."""
        bounds = values.reshape(len(values), -1)
        low, high = bounds.min(axis=0).tolist(), bounds.max(axis=0).tolist()
        self._arrays.append((self.bytes, values))
        view = self._view(values.nbytes, target)
        self.accessors.append({
            "bufferView": view, "componentType": COMPONENTS[values.dtype], "count": len(values),
            "type": KINDS[values.shape[1:]], "min": low, "max": high,
        })  # fmt: skip
        return len(self.accessors) - 1

    def reserve(
        self, frames: tuple[Array, Array], shape: tuple[int, ...], dtype: str, count: int = 1,
        jumps: Jumps | None = None,
    ) -> Keyframes:  # fmt: skip
        """Reserve space for keyframes of tracks.

        frames  the first and the last frame (N,) of each track
        shape, dtype, count  of the values of a key
        """
        jumps = jumps or {}
        (first, last), kind = frames, np.dtype(dtype)
        key_bytes = int(np.prod(shape, dtype=int)) * count * kind.itemsize
        lengths = last - first + 1
        for track, extra in jumps.items():
            lengths[track] += len(extra)
        offsets = key_bytes * (np.cumsum(lengths) - lengths)
        keys = Keyframes(len(self.accessors), self.bytes + offsets, first, last, kind, jumps)
        view = self._view(int(key_bytes * lengths.sum()))
        accessor: dict[str, Any] = {"componentType": COMPONENTS[kind], "type": KINDS[shape]}
        if kind.kind == "i":
            accessor["normalized"] = True
        for offset, length in zip(offsets.tolist(), lengths.tolist(), strict=True):
            entry = {"bufferView": view, "byteOffset": offset, "count": length * count}
            self.accessors.append({**entry, **accessor})
        return keys

    def write(self, file: BinaryIO, start: int) -> None:
        """Write the arrays. Keyframes are written by themselves."""
        for offset, values in self._arrays:
            file.seek(start + offset)
            file.write(np.ascontiguousarray(values).data)

    def _view(self, size: int, target: int | None = None) -> int:
        view: dict[str, Any] = {"buffer": 0, "byteOffset": self.bytes, "byteLength": size}
        if target is not None:
            view["target"] = target
        self.views.append(view)
        self.bytes += size + -size % 4
        return len(self.views) - 1


def complete_tracks(tracks: int, frames: int) -> tuple[Array, Array]:
    """Return the first and the last frame of tracks that have all frames."""
    return np.zeros(tracks, int), np.full(tracks, frames - 1)


# --- axes


def y_up(vectors: Array) -> Array:
    """Convert (..., 3) vectors from Z up to Y up."""
    x, y, z = np.moveaxis(vectors, -1, 0)
    return np.stack([x, z, -y], axis=-1)


def y_up_rotation(rotation: Array) -> Array:
    """Convert (..., 4) quaternions x, y, z, w from Z up to Y up."""
    return np.concatenate([y_up(rotation[..., :3]), rotation[..., 3:]], axis=-1)


def look_rotation(backward: Array, up: Array) -> Array:
    """Return the rotation (4,) with Y up of a camera or a light that looks away from `backward`.

    `backward` and `up` are orthogonal unit vectors with Z up.
    """
    axes = np.stack([np.cross(up, backward), up, backward])
    return np.asarray(Rotation.from_matrix(y_up(axes).T).as_quat())


def camera_rotation(shot: Shot) -> Array:
    """Return the rotation (4,) of the camera.

    glTF has no shifted lens. The camera looks up or down instead, so that the centre of the view is
    in the same pixel row as in the film.
    """
    _, up, forward = shot.axes
    angle = math.atan((shot.row - 0.5 * shot.size[1]) / shot.focal)
    back = -math.cos(angle) * forward - math.sin(angle) * up
    return look_rotation(back, math.cos(angle) * up - math.sin(angle) * forward)
