"""Flocks of a glTF file: their meshes and nodes, and the keys of their flight."""

from __future__ import annotations

import math
from typing import Any, BinaryIO

import numpy as np

from murmurate.exports.appearance import Appearance
from murmurate.exports.boid_shapes import PHASES, beat_frames, normals, phase_numbers, shape_of
from murmurate.exports.coordinates import to_3d
from murmurate.exports.gltf_axes import Turns, y_up
from murmurate.exports.gltf_document import Document
from murmurate.exports.selection import Array, Selection
from murmurate.exports.unseen import LastSeen
from murmurate.frame import FlockFrame


class Flocks:
    """Adds a node for each boid, in order, in a node for each flock, with their animation.

    Wings and tails swing by two morph targets, weighted by the sine and the cosine of the beat.
    Boids of a group share their weights; where boids may land, each has its own, and a third target
    folds the wings. A boid has the film's colour of the middle frame all the time: in glTF a colour
    belongs to a mesh.
    """

    def __init__(
        self,
        document: Document,
        times: int,
        selection: Selection,
        look: Appearance,
        places: Array,
    ) -> None:
        """
        times   the accessor of the frames' times
        places  (N, 3) of the first frame
        """
        self._document, self._selection, self._look = document, selection, look
        frames, boids = len(selection), len(selection.ids)
        self._shapes = {
            name: shape_of(look.shape(name), selection.dims) for name in selection.flocks
        }
        flaps = any(shape.beats for shape in self._shapes.values())
        self._beat = beat_frames(look.frames_per_second)
        lands = bool(selection.recording.header["perching"])
        self._targets = (3 if lands else 2) if flaps else 0
        middle = selection.middle.frames[0]
        look.learn(middle)
        meshes = [self._meshes(middle[name]) for name in selection.flocks]
        self._groups = phase_numbers(selection.ids, PHASES)
        self._tracks = np.arange(boids) if lands else self._groups  # of weights, of each boid
        buffer = document.buffer
        self._places = buffer.reserve(boids, frames, (3,), "<f4")
        self._turns = buffer.reserve(boids, frames, (4,), "<i2")
        self._last_seen: LastSeen | None = None
        if selection.gaps:
            self._last_seen = LastSeen(boids, selection.space)
            self._sizes = buffer.reserve(boids, frames, (3,), "<f4")
        self._next_turns = Turns(boids)
        self._add_nodes(meshes, places)
        self._animate(times)
        if flaps:
            tracks = boids if lands else PHASES
            self._weights = buffer.reserve(tracks, frames, (), "<f4", self._targets)
            self._flap(times, tracks)

    def _meshes(self, boids: FlockFrame) -> Array:
        """(N,) the mesh of each boid of a flock: one shape in each of the colours that are seen."""
        if not len(boids):
            return np.zeros(0, int)
        document, flock = self._document, boids.name
        shades, own = self._look.shades(boids), self._look.shade_numbers(boids)
        seen, places = np.unique(own, return_inverse=True)
        names = [flock] if len(shades) == 1 else [f"{flock} {number}" for number in seen]
        materials = [
            document.material(name, shades[number])
            for name, number in zip(names, seen, strict=True)
        ]
        first = self._mesh(flock, names[0], materials[0])
        others = [
            document.mesh_alike(first, name, material)
            for name, material in zip(names[1:], materials[1:], strict=True)
        ]
        return np.array([first, *others])[places]

    def _mesh(self, flock: str, name: str, material: int) -> int:
        shape, size = self._shapes[flock], self._look.size(flock)
        corners = shape.points[shape.faces]
        swings = np.moveaxis(shape.swing, 2, 0)
        targets = self._targets if shape.beats else 0
        moves = [*swings, shape.folded - shape.points][:targets]
        rises = [size * move[shape.faces] for move in moves]
        return self._document.mesh(name, size * corners, normals(corners), material, tuple(rises))

    def _add_nodes(self, meshes: list[Array], places: Array) -> None:
        """The boids, as in the first frame, then the flocks that hold them."""
        selection, first = self._selection, self._selection.first
        places = y_up(places)
        turns = Turns(len(selection.ids)).next(to_3d(first.velocities[0])) / 32767
        numbers = selection.flock_index.tolist()
        for boid, number, mesh, place, turn in zip(
            selection.ids.tolist(), numbers, np.concatenate(meshes).tolist(), places, turns,
            strict=True,
        ):  # fmt: skip
            self._document.node(
                f"{selection.flocks[number]} {boid}",
                mesh=mesh,
                translation=place.tolist(),
                rotation=(turn / np.linalg.norm(turn)).tolist(),
            )
        for number, flock in enumerate(selection.flocks):
            mine = np.flatnonzero(selection.flock_index == number).tolist()
            held: dict[str, Any] = {"children": mine} if mine else {}
            self._document.roots.append(self._document.node(flock, **held))

    def _animate(self, times: int) -> None:
        """Translation and rotation of each boid."""
        document = self._document
        between = "STEP" if any(self._selection.space.periodic) else "LINEAR"
        for boid in range(len(self._selection.ids)):
            for keys, path in ((self._places, "translation"), (self._turns, "rotation")):
                document.channel(document.sampler(times, keys.first + boid, between), boid, path)
            if self._last_seen is not None:  # a boid that is not seen has no size
                sizes = document.sampler(times, self._sizes.first + boid, "STEP")
                document.channel(sizes, boid, "scale")

    def _flap(self, times: int, tracks: int) -> None:
        """Weights of each boid."""
        samplers = [
            self._document.sampler(times, self._weights.first + k, "LINEAR") for k in range(tracks)
        ]
        beats = np.array([shape.beats for shape in self._shapes.values()])
        for boid in np.flatnonzero(beats[self._selection.flock_index]).tolist():
            self._document.channel(samplers[self._tracks[boid]], boid, "weights")

    def write(
        self, file: BinaryIO, start: int, first: int, places: Array, velocities: Array,
        landed: Array | None,
    ) -> None:  # fmt: skip
        """The keys of some frames: (T, N, 3) places and velocities, (T, N) which boids stand on the
        ground.

        first  the number of the first of these frames
        """
        turns = np.stack([self._next_turns.next(each) for each in velocities])
        if self._last_seen is not None:
            whole, seen = zip(*map(self._last_seen.next, places), strict=True)
            places = np.stack(whole)
            sizes = np.repeat(np.stack(seen)[..., None], 3, axis=2)
            self._sizes.write(file, start, first, sizes)
        self._places.write(file, start, first, y_up(places))
        self._turns.write(file, start, first, turns)
        if self._targets:
            frames = first + np.arange(len(places))
            self._weights.write(file, start, first, self._lifts(frames, landed))

    def _lifts(self, frames: Array, landed: Array | None) -> Array:
        """(T, tracks, targets) weights."""
        groups = np.arange(PHASES) if self._targets == 2 else self._groups
        angle = 2 * math.pi * (frames[:, None] / self._beat + groups / PHASES)
        out = np.zeros((*angle.shape, self._targets), np.float32)
        out[..., 0], out[..., 1] = np.sin(angle), np.cos(angle)
        if landed is not None and self._targets == 3:
            out[landed] = [0.0, 0.0, 1.0]
        return out
