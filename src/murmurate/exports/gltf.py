"""Write glTF 2.0: an animated node per boid, for games and the web.

A .glb is one binary file; a .gltf is JSON with its buffer in a .bin file.

Khronos Group, glTF 2.0 specification, https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html
"""

from __future__ import annotations

import json
import math
import struct
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from murmurate.errors import ExportOptionsError
from murmurate.exports.appearance import Appearance, LastPositions, Rotations, about
from murmurate.exports.boid_shapes import PHASES, beat_frames, phase_numbers, shape_of
from murmurate.exports.film_camera import FilmCamera, Shot
from murmurate.exports.formats import BufferFile, Options
from murmurate.exports.gltf_document import (
    Buffer,
    Document,
    Jumps,
    camera_rotation,
    complete_tracks,
    look_rotation,
    y_up,
    y_up_rotation,
)
from murmurate.exports.selection import Array, Lives, Piece, Selection, to_3d
from murmurate.exports.surroundings import ground, ground_colour, obstacle_colour, sun
from murmurate.model.shapes.outline import Placement, flat, sheet
from murmurate.show.styles import Style

MAX_BYTES = 2**32 - 1  # of a .glb, and of the buffer of a .gltf
HEADER = 12 + 8 + 8  # bytes of the headers of the file and of its two chunks


def write(draft: Path, selection: Selection, options: Options, max_bytes: int = MAX_BYTES) -> None:
    """Write a node per boid, inside a node per flock.

    Up is Y, as in all glTF files: (x, y, z) of the model is at (x, z, -y). Translations and
    rotations have a key per frame and are interpolated linearly. A boid that crosses a seam of a
    periodic space has two keys in the frame in which it arrives: outside of the box, where it has
    moved to, and next to the opposite face. Wings are moved by weights of morph targets. Raises
    ExportOptionsError for a file of more than `max_bytes`.
    """
    look, document = Appearance(selection, options), Document()
    times = (np.arange(len(selection)) / look.frames_per_second).astype("<f4")
    time_accessor = document.buffer.add(times)

    def make_boids() -> ShownBoids:
        film = FilmCamera(selection, look.frames_per_second) if options.scene else None
        return ShownBoids(selection, film)

    start, boids = make_boids().next(selection.first), make_boids()
    jumps = find_jumps(selection, make_boids())
    flocks = Flocks(document, time_accessor, times, selection, look, options.upright, start, jumps)
    add_obstacles(document, time_accessor, selection, look.style)
    camera = None
    if options.scene:
        add_ground(document, selection)
        add_sun(document, selection)
        camera = CameraNode(document, time_accessor, len(selection), start.shots[0])
    head = _head(document, selection, options.buffer, max_bytes)
    if options.buffer is not None:
        draft.write_bytes(head)
        draft, head = options.buffer.draft, b""
    with open(draft, "wb") as file:
        file.write(head)
        offset = len(head)
        file.truncate(offset + document.buffer.bytes)
        document.buffer.write(file, offset)
        for piece in selection:
            frames = boids.next(piece)
            if camera is not None:
                camera.write(file, offset, piece.first, frames.shots)
            timers = piece.state.get("perch_timer")
            landed = None if timers is None else timers > 0
            flocks.write(file, offset, piece.first, frames, to_3d(piece.velocities), landed)


def _head(
    document: Document, selection: Selection, buffer: BufferFile | None, max_bytes: int
) -> bytes:
    """Return the head of a .glb before its buffer, or the text of a .gltf with `buffer`."""
    size, name = document.buffer.bytes, buffer.name if buffer else ""
    content = document.content(selection.recording.header["title"], about(selection), name)
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 4)
    total = HEADER + len(text) + size
    if total > max_bytes:
        raise ExportOptionsError(
            f"{'.gltf' if buffer else '.glb'}: got {total / 1e9:.1f} GB; expected at most 4 GB. "
            "Export fewer frames with --every, or to .usdc"
        )
    if buffer is not None:
        return text
    head = struct.pack("<4sIIII", b"glTF", 2, total, len(text), 0x4E4F534A)
    return head + text + struct.pack("<II", size, 0x004E4942)


# --- flocks


@dataclass(frozen=True)
class ShownFrames:
    """Some frames of boids as the scene shows them.

    positions  (T, N, 3) float32
    unwrapped  (T, N, 3) their images nearest to the positions before; they differ where a boid
        crosses a seam of a periodic space
    observed  (T, N) whether a boid is there
    shots  the camera in each frame; none without scenery
    """

    positions: Array
    unwrapped: Array
    observed: Array
    shots: list[Shot]


class ShownBoids:
    """Boids as the scene shows them, one piece of frames after another."""

    def __init__(self, selection: Selection, film: FilmCamera | None) -> None:
        self._film = film
        self._last = LastPositions(len(selection.ids), selection.space)
        sides = np.where(selection.space.periodic, selection.space.size, 0.0)
        self._sides = to_3d(sides, np.float32)
        self._before: Array | None = None

    def next(self, piece: Piece) -> ShownFrames:
        """Return the frames of a piece."""
        positions, observed, shots = to_3d(piece.positions, np.float32), [], []
        for k, frame in enumerate(piece.frames):
            positions[k], present = self._last.next(positions[k])
            observed.append(present)
            if self._film is not None:
                shots.append(self._film.next(frame))
                positions[k] = self._film.images(positions[k])
        before = positions[:1] if self._before is None else self._before
        before, self._before = np.concatenate([before, positions[:-1]]), positions[-1:]
        sides = np.where(self._sides > 0, self._sides, 1)
        crossed = np.where(self._sides > 0, np.round((positions - before) / sides), 0)
        unwrapped = positions - (crossed * self._sides).astype(np.float32)
        return ShownFrames(positions, unwrapped, np.stack(observed), shots)


def find_jumps(selection: Selection, boids: ShownBoids) -> Jumps:
    """Return the frames in which boids have crossed a seam of a periodic space, by boid.

    It reads all frames, if there is a seam.
    """
    if not any(selection.space.periodic):
        return {}
    selection.passes += 1
    parts = []
    for piece in selection:
        part = boids.next(piece)
        frames, rows = np.nonzero((part.unwrapped != part.positions).any(axis=2))
        parts.append(np.stack([rows, frames + piece.first]))
    rows, frames = np.concatenate(parts, axis=1)
    if selection.lives is not None:
        alive = (selection.lives.first[rows] < frames) & (frames <= selection.lives.last[rows])
        rows, frames = rows[alive], frames[alive]
    order = np.argsort(rows, kind="stable")
    boid, first = np.unique(rows[order], return_index=True)
    return dict(zip(boid.tolist(), np.split(frames[order], first)[1:], strict=True))


class Flocks:
    """Add animated nodes of boids, in order, inside nodes of flocks.

    Wings and tails oscillate by two morph targets, weighted by the sine and the cosine of the
    phase. Boids of a group share their weights. If boids may land, each has its own weights, and a
    third target folds the wings. A boid has its colour of the middle frame of the film, or of its
    own life if boids come and go, because in glTF a colour belongs to a mesh.

    A boid that comes or goes has keys for its life, and size 0 outside of it. The extension
    KHR_node_visibility would hide it too, but Blender does not read it.

    time_accessor  accessor of the times of the frames
    times  (T,)
    upright  see ExportOptions
    start  the first frame
    jumps  see `find_jumps`
    """

    def __init__(
        self,
        document: Document,
        time_accessor: int,
        times: Array,
        selection: Selection,
        look: Appearance,
        upright: bool,
        start: ShownFrames,
        jumps: Jumps,
    ) -> None:
        self._document, self._selection, self._look = document, selection, look
        frames, boids = len(selection), len(selection.ids)
        self._shapes = {
            name: shape_of(look.shape(name), selection.dims) for name in selection.flocks
        }
        flaps = any(shape.beats for shape in self._shapes.values())
        self._beat = beat_frames(look.frames_per_second)
        lands = bool(selection.recording.header["perching"])
        self._targets = (3 if lands else 2) if flaps else 0
        shades = boid_shades(selection, look)
        meshes = [
            self._meshes(name, shades[selection.flock_index == number])
            for number, name in enumerate(selection.flocks)
        ]
        self._groups = phase_numbers(selection.ids, PHASES)
        self._tracks = np.arange(boids) if lands else self._groups  # track of weights of each boid
        buffer, lives = document.buffer, selection.lives
        complete = complete_tracks(boids, frames)
        alive = complete if lives is None else (lives.first, lives.last)
        self._translations = buffer.reserve(alive, (3,), "<f4", jumps=jumps)
        self._rotations = buffer.reserve(alive, (4,), "<i2")
        self._sizes = buffer.reserve(complete, (3,), "<f4") if selection.gaps else None
        self._boid_rotations = Rotations(look.orientation(selection, upright), boids)
        rotations = Rotations(look.orientation(selection, upright), boids)
        first = _rotation_keys(rotations.next(to_3d(selection.first.velocities[0])))
        self._add_nodes(meshes, y_up(start.positions[0]), first / 32767)
        spans = list(zip(alive[0].tolist(), (alive[1] + 1).tolist(), strict=True))
        accessors = [time_accessor] * boids if lives is None else buffer.add_slices(times, spans)
        self._animate(accessors, _jumping_times(buffer, times, spans, jumps))
        if lives is not None:
            self._hide(times, lives)
        if flaps:
            tracks = boids if lands else PHASES
            of_weights = complete_tracks(tracks, frames)
            self._weights = buffer.reserve(of_weights, (), "<f4", self._targets)
            self._animate_wings(time_accessor, tracks)

    def _meshes(self, flock: str, shade_numbers: Array) -> Array:
        """Return the mesh (N,) of each boid of a flock: one shape, in each colour in use."""
        if not len(shade_numbers):
            return np.zeros(0, int)
        document = self._document
        shades = self._look.shades(self._selection.first.frames[0][flock])
        used, indices = np.unique(shade_numbers, return_inverse=True)
        names = [flock] if len(shades) == 1 else [f"{flock} {number}" for number in used]
        materials = [
            document.material(name, shades[number])
            for name, number in zip(names, used, strict=True)
        ]
        first = self._mesh(flock, names[0], materials[0])
        others = [
            document.copy_mesh(first, name, material)
            for name, material in zip(names[1:], materials[1:], strict=True)
        ]
        return np.array([first, *others])[indices]

    def _mesh(self, flock: str, name: str, material: int) -> int:
        shape, size = self._shapes[flock], self._look.size(flock)
        corners = shape.points[shape.faces]
        swings = np.moveaxis(shape.swing, 2, 0)
        count = self._targets if shape.beats else 0
        moves = [*swings, shape.folded - shape.points][:count]
        targets = tuple(size * move[shape.faces] for move in moves)
        return self._document.mesh(name, size * corners, flat(corners).normals, material, targets)

    def _add_nodes(self, meshes: list[Array], positions: Array, rotations: Array) -> None:
        """Add the nodes of boids, as in the first frame, and then those of flocks."""
        selection = self._selection
        numbers = selection.flock_index.tolist()
        born_later = np.zeros(len(numbers), bool)
        if selection.lives is not None:
            born_later = selection.lives.first > 0
        extras = self._extras()
        for boid, number, mesh, position, rotation, hidden, extra in zip(
            selection.ids.tolist(), numbers, np.concatenate(meshes).tolist(), positions, rotations,
            born_later.tolist(), extras, strict=True,
        ):  # fmt: skip
            self._document.node(
                f"{selection.flocks[number]} {boid}",
                mesh=mesh,
                translation=position.tolist(),
                rotation=(rotation / np.linalg.norm(rotation)).tolist(),
                **({"scale": [0.0, 0.0, 0.0]} if hidden else {}),
                **({"extras": extra} if extra else {}),
            )
        for number, flock in enumerate(selection.flocks):
            boids = np.flatnonzero(selection.flock_index == number).tolist()
            fields: dict[str, Any] = {"children": boids} if boids else {}
            self._document.roots.append(self._document.node(flock, **fields))

    def _extras(self) -> list[dict[str, float]]:
        """Return the numbers of each boid that differ between boids, by their paths."""
        selection = self._selection
        if selection.lives is None:
            columns = list(selection.first_rows.traits.values())
        elif selection.traits:
            columns = list(selection.individuals[1].T)
        else:
            columns = []
        if not columns:
            return [{} for _ in selection.ids]
        return [
            {
                path: float(value)
                for path, value in zip(selection.traits, row, strict=True)
                if math.isfinite(value)
            }
            for row in zip(*columns, strict=True)
        ]

    def _animate(self, times: list[int], jumping_times: dict[int, int]) -> None:
        """Animate the translation and the rotation of each boid, with its accessor of times."""
        document = self._document
        for boid, of_boid in enumerate(times):
            for keys, path, accessor in (
                (self._translations, "translation", jumping_times.get(boid, of_boid)),
                (self._rotations, "rotation", of_boid),
            ):
                sampler = document.sampler(accessor, keys.first + boid, "LINEAR")
                document.channel(sampler, boid, path)
            if self._sizes is not None:  # unobserved boids have size 0
                sizes = document.sampler(of_boid, self._sizes.first + boid, "STEP")
                document.channel(sizes, boid, "scale")

    def _hide(self, times: Array, lives: Lives) -> None:
        """Animate the size of boids that are not in all frames: 0, 1 in their life, and 0."""
        document, frames = self._document, len(times)
        patterns = {(True, True): [0, 1, 0], (True, False): [0, 1], (False, True): [1, 0]}
        values = {
            pattern: document.buffer.add(np.repeat(np.array(sizes, "<f4")[:, None], 3, axis=1))
            for pattern, sizes in patterns.items()
        }
        keys: list[float] = []
        boids, spans = [], []
        for boid, (first, last) in enumerate(
            zip(lives.first.tolist(), lives.last.tolist(), strict=True)
        ):
            pattern = (first > 0, last < frames - 1)
            if any(pattern):
                begin = len(keys)
                numbers = [0] * (first > 0) + [first] + [last + 1] * (last < frames - 1)
                keys += times[numbers].tolist()
                boids.append((boid, pattern))
                spans.append((begin, len(keys)))
        if not boids:
            return
        accessors = document.buffer.add_slices(np.array(keys, "<f4"), spans)
        for (boid, pattern), accessor in zip(boids, accessors, strict=True):
            sampler = document.sampler(accessor, values[pattern], "STEP")
            document.channel(sampler, boid, "scale")

    def _animate_wings(self, times: int, tracks: int) -> None:
        """Animate the weights of each boid."""
        samplers = [
            self._document.sampler(times, self._weights.first + k, "LINEAR") for k in range(tracks)
        ]
        beats = np.array([shape.beats for shape in self._shapes.values()])
        for boid in np.flatnonzero(beats[self._selection.flock_index]).tolist():
            self._document.channel(samplers[self._tracks[boid]], boid, "weights")

    def write(
        self, file: BinaryIO, start: int, first: int, moved: ShownFrames, velocities: Array,
        landed: Array | None,
    ) -> None:  # fmt: skip
        """Write the keys of some frames.

        start  byte at which the buffer begins
        first  index of the first of these frames
        velocities  (T, N, 3)
        landed  (T, N) whether each boid is on the ground
        """
        rotations = np.stack([self._boid_rotations.next(each) for each in velocities])
        if self._sizes is not None:
            sizes = np.repeat(moved.observed[..., None], 3, axis=2)
            self._sizes.write(file, start, first, sizes)
        positions, unwrapped = y_up(moved.positions), y_up(moved.unwrapped)
        self._translations.write(file, start, first, positions, unwrapped)
        self._rotations.write(file, start, first, _rotation_keys(rotations))
        if self._targets:
            frames = first + np.arange(len(rotations))
            self._weights.write(file, start, first, self._wing_weights(frames, landed))

    def _wing_weights(self, frames: Array, landed: Array | None) -> Array:
        """Return weights (T, tracks, targets) of the morph targets."""
        groups = np.arange(PHASES) if self._targets == 2 else self._groups
        angle = 2 * math.pi * (frames[:, None] / self._beat + groups / PHASES)
        out = np.zeros((*angle.shape, self._targets), np.float32)
        out[..., 0], out[..., 1] = np.sin(angle), np.cos(angle)
        if landed is not None and self._targets == 3:
            out[landed] = [0.0, 0.0, 1.0]
        return out


def _rotation_keys(rotations: Array) -> Array:
    """Return rotations (..., 4) with Z up as normalised int16 with Y up."""
    return np.rint(y_up_rotation(rotations) * 32767).astype("<i2")


def _jumping_times(
    buffer: Buffer, times: Array, spans: list[tuple[int, int]], jumps: Jumps
) -> dict[int, int]:
    """Return the accessors of the times of boids that jump, by boid.

    The first of the two keys of a frame is earlier by the least difference of two float32.
    """
    parts = []
    for boid, frames in jumps.items():
        first, last = spans[boid]
        early = np.nextafter(times[frames], np.float32(-np.inf))
        parts.append(np.insert(times[first:last], frames - first, early))
    if not parts:
        return {}
    ends = np.cumsum([len(part) for part in parts]).tolist()
    accessors = buffer.add_slices(np.concatenate(parts), list(pairwise([0, *ends])))
    return dict(zip(jumps, accessors, strict=True))


def boid_shades(selection: Selection, look: Appearance) -> Array:
    """Return the colour (N,) of each boid: of the middle frame, or of the middle of its life."""
    lives, frames = selection.lives, len(selection)
    middle = np.full(len(selection.ids), frames // 2)
    if lives is not None:
        middle = (lives.first + lives.last) // 2
    shades = np.zeros(len(selection.ids), np.int32)
    numbers = np.unique(middle).tolist() if look.shows_numbers else []
    if lives is not None and look.shows_numbers:
        numbers = range(frames)  # the range of numbers is that of all frames before
    for number in numbers:
        (frame,) = selection.frames(selection.numbers[number : number + 1])
        look.update(frame)
        rows = selection.rows(frame) if lives is not None else np.arange(len(shades))
        own = np.concatenate([look.shade_numbers(flock) for flock in frame.values()])
        chosen = middle[rows] == number
        shades[rows[chosen]] = own[chosen]
    return shades


# --- surroundings


def add_obstacles(document: Document, times: int, selection: Selection, style: Style) -> None:
    """Add a node for each inside a node `obstacles`, with keys if it moves or changes."""
    dt = float(selection.recording.header["dt"])
    by_frame = [selection.obstacles(step * dt) for step in selection.steps]
    if not by_frame[0]:
        return
    material = document.material("obstacles", obstacle_colour(style))
    meshes: dict[str, int] = {}
    children = []
    for name, shape in by_frame[0].items():
        outline = shape.outline()
        key = shape.kind if shape.turned or shape.unbounded else name
        if key not in meshes:
            meshes[key] = document.mesh(key, outline.corners, outline.normals, material)
        transforms = [_y_up_transform(f[name].placement(selection.space)) for f in by_frame]
        paths = ("translation", "rotation", "scale")
        keys = {
            path: np.array(values, np.float32)
            for path, values in zip(paths, zip(*transforms, strict=True), strict=True)
        }
        first = {path: values[0].tolist() for path, values in keys.items()}
        node = document.node(name, mesh=meshes[key], **first)
        children.append(node)
        for path, values in keys.items():
            if (values != values[0]).any():
                sampler = document.sampler(times, document.buffer.add(values), "LINEAR")
                document.channel(sampler, node, path)
    document.roots.append(document.node("obstacles", children=children))


def _y_up_transform(placement: Placement) -> tuple[Array, Array, Array]:
    """Return translation, rotation and scale with Y up. The axes of the scale are swapped too."""
    position, (x, y, z), rotation = placement
    return y_up(position), y_up_rotation(np.array(rotation)), np.array([x, z, y])


def add_ground(document: Document, selection: Selection) -> None:
    """Add the ground if the film draws one."""
    corners = ground(selection)
    if corners is None:
        return
    plane = sheet(corners)
    material = document.material("ground", ground_colour(selection))
    mesh = document.mesh("ground", plane.corners, plane.normals, material)
    document.roots.append(document.node("ground", mesh=mesh))


def add_sun(document: Document, selection: Selection) -> None:
    """Add the sun as parallel light, with the intensity that viewers of games expect."""
    direction, colour, strength = sun(selection)
    up = np.array([0.0, 0.0, 1.0]) - direction[2] * direction
    light = {"name": "sun", "type": "directional", "color": list(colour), "intensity": strength}
    rotation = look_rotation(direction, up / np.linalg.norm(up)).tolist()
    node = document.node("sun", rotation=rotation, extensions=document.light(light))
    document.roots.append(node)


class CameraNode:
    """Camera of the film: a node with keys of its position and rotation."""

    def __init__(self, document: Document, times: int, frames: int, first: Shot) -> None:
        width, height = first.size
        angle = 2 * math.atan(0.5 * height / first.focal)
        lens = {"yfov": angle, "aspectRatio": width / height, "znear": first.near}
        node = document.node(
            "camera",
            camera=document.camera({"name": "film", "type": "perspective", "perspective": lens}),
            translation=y_up(first.position).tolist(),
            rotation=camera_rotation(first).tolist(),
        )
        document.roots.append(node)
        self._translations = document.buffer.reserve(complete_tracks(1, frames), (3,), "<f4")
        self._rotations = document.buffer.reserve(complete_tracks(1, frames), (4,), "<f4")
        for keys, path in ((self._translations, "translation"), (self._rotations, "rotation")):
            document.channel(document.sampler(times, keys.first, "LINEAR"), node, path)
        self._last = np.zeros(4)

    def write(self, file: BinaryIO, start: int, first: int, shots: list[Shot]) -> None:
        """Write the keys of some frames, from frame `first` on."""
        rotations = []
        for shot in shots:
            rotation = camera_rotation(shot)
            self._last = rotation if rotation @ self._last >= 0 else -rotation
            rotations.append(self._last)
        positions = np.array([y_up(shot.position) for shot in shots])
        self._translations.write(file, start, first, positions[:, None])
        self._rotations.write(file, start, first, np.array(rotations)[:, None])
