"""What is around the flocks of a glTF file: obstacles, and the film's ground, sun and camera."""

from __future__ import annotations

import math
from typing import BinaryIO

import numpy as np

from murmurate.exports.film_camera import Shot
from murmurate.exports.gltf_axes import camera_turn, facing, y_up, y_up_turn
from murmurate.exports.gltf_document import Document
from murmurate.exports.obstacle_shapes import Transform, transform
from murmurate.exports.selection import Array, Selection
from murmurate.exports.solids import quadrangles, solid_of
from murmurate.exports.surroundings import ground, ground_colour, obstacle_colour, sun
from murmurate.show.styles import Style


def add_obstacles(document: Document, times: int, selection: Selection, style: Style) -> None:
    """A node for each, in a node `obstacles`; with keys where it moves or changes."""
    dt = float(selection.recording.header["dt"])
    moments = [selection.obstacles(step * dt) for step in selection.steps]
    if not moments[0]:
        return
    material = document.material("obstacles", obstacle_colour(style))
    meshes: dict[str, int] = {}
    children = []
    for name, shape in moments[0].items():
        if shape.kind not in meshes:
            made = solid_of(shape)
            meshes[shape.kind] = document.mesh(shape.kind, made.corners, made.normals, material)
        seen = [_in_gltf(transform(moment[name], selection.space)) for moment in moments]
        paths = ("translation", "rotation", "scale")
        keys = {
            path: np.array(values, np.float32)
            for path, values in zip(paths, zip(*seen, strict=True), strict=True)
        }
        first = {path: values[0].tolist() for path, values in keys.items()}
        node = document.node(name, mesh=meshes[shape.kind], **first)
        children.append(node)
        for path, values in keys.items():
            if (values != values[0]).any():
                sampler = document.sampler(times, document.buffer.add(values), "LINEAR")
                document.channel(sampler, node, path)
    document.roots.append(document.node("obstacles", children=children))


def _in_gltf(one: Transform) -> tuple[Array, Array, Array]:
    """Translation, rotation and scale with Y up; scale is along axes of its own, which turn too."""
    wide, long, high = one.scale
    return y_up(one.place), y_up_turn(one.turn), np.array([wide, high, long])


def add_ground(document: Document, selection: Selection) -> None:
    """A plane, where the film draws a ground."""
    corners = ground(selection)
    if corners is None:
        return
    made = quadrangles(corners[None])
    material = document.material("ground", ground_colour(selection))
    mesh = document.mesh("ground", made.corners, made.normals, material)
    document.roots.append(document.node("ground", mesh=mesh))


def add_sun(document: Document, selection: Selection) -> None:
    """Parallel light, as strong as viewers of games take it."""
    towards, colour, strength = sun(selection)
    up = np.array([0.0, 0.0, 1.0]) - towards[2] * towards
    shines = {"name": "sun", "type": "directional", "color": list(colour), "intensity": strength}
    turn = facing(towards, up / np.linalg.norm(up)).tolist()
    node = document.node("sun", rotation=turn, extensions=document.light(shines))
    document.roots.append(node)


class FilmNode:
    """The film's camera: a node with keys of its place and direction."""

    def __init__(self, document: Document, times: int, frames: int, first: Shot) -> None:
        width, height = first.size
        angle = 2 * math.atan(0.5 * height / first.focal)
        lens = {"yfov": angle, "aspectRatio": width / height, "znear": first.near}
        node = document.node(
            "camera",
            camera=document.camera({"name": "film", "type": "perspective", "perspective": lens}),
            translation=y_up(first.place).tolist(),
            rotation=camera_turn(first).tolist(),
        )
        document.roots.append(node)
        self._places = document.buffer.reserve(1, frames, (3,), "<f4")
        self._turns = document.buffer.reserve(1, frames, (4,), "<f4")
        for tracks, path in ((self._places, "translation"), (self._turns, "rotation")):
            document.channel(document.sampler(times, tracks.first, "LINEAR"), node, path)
        self._last = np.zeros(4)

    def write(self, file: BinaryIO, start: int, first: int, shots: list[Shot]) -> None:
        """The keys of some frames."""
        turns = []
        for shot in shots:
            turn = camera_turn(shot)
            self._last = turn if turn @ self._last >= 0 else -turn
            turns.append(self._last)
        places = np.array([y_up(shot.place) for shot in shots])
        self._places.write(file, start, first, places[:, None])
        self._turns.write(file, start, first, np.array(turns)[:, None])
