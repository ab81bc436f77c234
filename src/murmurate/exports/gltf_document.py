"""Document of a glTF file: nodes, meshes, materials and one animation, as they are added."""

from __future__ import annotations

from typing import Any

import numpy as np

from murmurate.exports.appearance import Light
from murmurate.exports.gltf_axes import y_up
from murmurate.exports.gltf_buffer import VERTICES, Buffer
from murmurate.exports.selection import Array
from murmurate.version import __version__


class Document:
    """What is added gets a number, by which it is referred to.

    buffer  what the numbers of accessors stand for
    roots   numbers of the nodes that stand in no other
    """

    def __init__(self) -> None:
        self.buffer = Buffer()
        self.roots: list[int] = []
        self._lists: dict[str, list[dict[str, Any]]] = {}
        self._animation: dict[str, list[dict[str, Any]]] = {"samplers": [], "channels": []}
        self._lights: list[dict[str, Any]] = []
        self._normals: dict[bytes, int] = {}

    def material(self, name: str, colour: Light) -> int:
        """A dull surface, seen from both sides."""
        surface = {"baseColorFactor": [*colour, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.8}
        one = {"name": name, "pbrMetallicRoughness": surface, "doubleSided": True}
        return self._add("materials", one)

    def mesh(
        self,
        name: str,
        corners: Array,
        normals: Array,
        material: int,
        rises: tuple[Array, ...] = (),
    ) -> int:
        """Of triangles (F, 3, 3), Z up.

        rises  (F, 3, 3) each: how a morph target moves the corners
        """
        key = normals.tobytes()
        if key not in self._normals:
            self._normals[key] = self._vertices(normals)
        attributes = {"POSITION": self._vertices(corners), "NORMAL": self._normals[key]}
        primitive: dict[str, Any] = {"attributes": attributes, "material": material}
        one: dict[str, Any] = {"name": name, "primitives": [primitive]}
        if rises:
            primitive["targets"] = [{"POSITION": self._vertices(rise)} for rise in rises]
            one["weights"] = [0.0] * len(rises)
        return self._add("meshes", one)

    def mesh_alike(self, mesh: int, name: str, material: int) -> int:
        """The shape of another mesh, of another material."""
        one = self._lists["meshes"][mesh]
        (primitive,) = one["primitives"]
        alike = {**one, "name": name, "primitives": [{**primitive, "material": material}]}
        return self._add("meshes", alike)

    def node(self, name: str, **fields: Any) -> int:
        return self._add("nodes", {"name": name, **fields})

    def camera(self, fields: dict[str, Any]) -> int:
        return self._add("cameras", fields)

    def light(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Parallel or other light; returns the extensions of its node."""
        self._lights.append(fields)
        return {"KHR_lights_punctual": {"light": len(self._lights) - 1}}

    def sampler(self, times: int, values: int, interpolation: str) -> int:
        self._animation["samplers"].append(
            {"input": times, "output": values, "interpolation": interpolation}
        )
        return len(self._animation["samplers"]) - 1

    def channel(self, sampler: int, node: int, path: str) -> None:
        """A sampler moves a node: its 'translation', 'rotation', 'scale' or 'weights'."""
        target = {"node": node, "path": path}
        self._animation["channels"].append({"sampler": sampler, "target": target})

    def content(self, title: str, about: dict[str, Any]) -> dict[str, Any]:
        """The document. about: what the file says of its making."""
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
            "buffers": [{"byteLength": self.buffer.bytes}],
        }
        if self._lights:
            out["extensionsUsed"] = ["KHR_lights_punctual"]
            out["extensions"] = {"KHR_lights_punctual": {"lights": self._lights}}
        return out

    def _vertices(self, corners: Array) -> int:
        return self.buffer.add(y_up(corners.reshape(-1, 3)).astype(np.float32), VERTICES)

    def _add(self, kind: str, one: dict[str, Any]) -> int:
        found = self._lists.setdefault(kind, [])
        found.append(one)
        return len(found) - 1
