"""Write USD: flocks as animated point instancers, for Blender, Houdini, usdview and others.

A stage in memory would grow with the recording. A .usdc file is therefore saved after each piece,
and USD reads saved data from the file on demand. .usda and .usdz files are made from a .usdc file.
"""

from __future__ import annotations

import errno
import os
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pxr import Gf, Sdf, Usd, UsdGeom, Vt

from murmurate.disk import draft_path
from murmurate.errors import ExportOptionsError
from murmurate.exports.appearance import LastPositions, Rotations, numbers_of
from murmurate.exports.film_camera import FilmCamera
from murmurate.exports.formats import Options
from murmurate.exports.selection import Array, Lives, Selection, to_3d
from murmurate.exports.surroundings import sky_of, write_picture
from murmurate.exports.usd_scene import ROOT, Prototypes, Scene, identifiers
from murmurate.frame import FlockFrame
from murmurate.show.replay_boids import share_rows

SKY = "sky.png"  # name in a package
BYTES = 32  # per boid and frame: position and velocity 12 each, orientation 8
COLOUR_BYTES = 4  # per boid and frame, for the index of its shape if colours change
MAX_USDZ_BYTES = 2**32 - 2**24  # a package is a zip file without the 64-bit extension


def write(
    draft: Path, selection: Selection, options: Options, max_bytes: int = MAX_USDZ_BYTES
) -> None:
    """Write a USD file in which each frame is a time code. docs/file-formats.md has the layout.

    Raises ExportOptionsError for a package of more than `max_bytes`.
    """
    if draft.suffix == ".usdc":
        _write_crate(draft, selection, options)
        return
    if draft.suffix == ".usdz":
        _check_size(selection, max_bytes)
    crate = draft_path(draft.with_suffix(".usdc"))
    picture = draft_path(draft.with_suffix(".png"))
    try:
        if draft.suffix == ".usda":
            _write_crate(crate, selection, options)
            _check(Sdf.Layer.OpenAsAnonymous(str(crate)).Export(str(draft)))
            return
        parts = {f"{identifiers([selection.recording.header['name']])[0]}.usdc": crate}
        sky = sky_of(selection.recording.scene)
        if options.scene and not sky.plain:
            write_picture(picture, sky.picture())
            options, parts[SKY] = replace(options, sky=SKY), picture
        _write_crate(crate, selection, options)
        _write_package(draft, parts)
    finally:
        crate.unlink(missing_ok=True)
        picture.unlink(missing_ok=True)


def _write_crate(path: Path, selection: Selection, options: Options) -> None:
    stage = Usd.Stage.CreateNew(str(path))
    scene = Scene(stage, selection, options)
    instancers = _flock_instancers(stage, scene, selection)
    camera = scene.add_film() if options.scene else None
    film = FilmCamera(selection, scene.frames_per_second)
    layer = stage.GetRootLayer()
    for piece in selection:
        for k, frame in enumerate(piece.frames):
            number = piece.first + k
            scene.set_obstacles(Usd.TimeCode(number), piece.times[k])
            if camera is not None:
                camera.add(Usd.TimeCode(number), film.next(frame))
            scene.look.update(frame)
            for instancer in instancers:
                flock = frame[instancer.flock]
                positions = flock.positions if camera is None else film.images(flock.positions)
                instancer.add(number, flock, positions, scene.look.shade_numbers(flock))
        _check(layer.Save())
    for instancer in instancers:
        instancer.finish()
    _check(layer.Save())


def _flock_instancers(stage: Any, scene: Scene, selection: Selection) -> list[FlockInstancer]:
    names = identifiers(selection.flocks)
    out = []
    for number, name in enumerate(selection.flocks):
        ids = selection.ids[selection.flock_index == number]
        if len(ids):
            path = f"{ROOT}/{names[number]}"
            instancer = UsdGeom.PointInstancer.Define(stage, path)
            shapes = scene.add_prototypes(instancer, name)
            lives = selection.lives
            slots = Slots.fixed(ids, len(selection)) if lives is None else Slots.of(lives, number)
            out.append(FlockInstancer(instancer, name, slots, selection, scene, shapes))
    return out


class Samples:
    """Values of an attribute over time, of which equal ones in succession are stored once.

    kind  array type of the attribute
    """

    def __init__(self, attribute: Any, kind: Any) -> None:
        self._attribute, self._kind = attribute, kind
        self._latest: Array | None = None
        self._frame = -1  # of the latest sample

    def always(self, values: Array) -> None:
        """Set the value of all times without a sample."""
        self._attribute.Set(self._kind.FromNumpy(values))

    def set(self, values: Array, frame: int) -> None:
        """Set the value from a frame on.

        USD interpolates floats, so the value before is repeated in the frame before.
        """
        latest = self._latest
        if latest is not None and np.array_equal(values, latest):
            return
        if latest is not None and values.dtype.kind == "f" and frame - 1 > self._frame:
            self._set(latest, frame - 1)
        self._set(values, frame)
        self._latest, self._frame = values, frame

    def _set(self, values: Array, frame: int) -> None:
        self._attribute.Set(self._kind.FromNumpy(values), Usd.TimeCode(frame))


class FlockInstancer:
    """Point instancer of one flock, written frame by frame.

    Its arrays have a row for each slot (see exports/usd.py). A frame is written when
    the next one is known, so that hidden boids are where they will appear.
    """

    def __init__(
        self, instancer: Any, flock: str, slots: Slots, selection: Selection, scene: Scene,
        shapes: Prototypes,
    ) -> None:  # fmt: skip
        self.flock, self._slots, self._shapes = flock, slots, shapes
        self._seconds = selection.seconds
        # velocities of USD are per second of playing
        self._velocity_factor = selection.seconds * scene.frames_per_second
        self._lands = bool(selection.recording.header["perching"])
        self._hides = selection.gaps or selection.lives is not None
        self._poses = self._lands or self._hides or shapes.shades > 1
        self._last_seen = LastPositions(slots.count, selection.space)
        flock_index = np.full(slots.count, selection.flocks.index(flock))
        orientation = scene.look.orientation(selection, scene.upright, flock_index)
        self._rotations = Rotations(orientation, slots.count)
        self._motions = np.zeros((slots.count, 3), np.float32)
        self._visible = np.ones(slots.count, bool)
        self._numbers = shapes.numbers(slots.owners(0), None)
        self._waiting: Points | None = None
        self._lower, self._upper = np.full(3, np.inf), np.full(3, -np.inf)
        self._instancer = instancer
        self._ids = Samples(instancer.CreateIdsAttr(), Vt.Int64Array)
        self._mesh_numbers = Samples(instancer.CreateProtoIndicesAttr(), Vt.IntArray)
        self._hidden = Samples(instancer.GetInvisibleIdsAttr(), Vt.Int64Array)
        self._primvars: dict[str, tuple[Samples, Array]] = {}
        self._ids.always(slots.owners(0))
        self._mesh_numbers.always(self._numbers)

    def add(self, number: int, flock: FlockFrame, positions: Array, shades: Array) -> None:
        """Add a frame.

        Boids on the ground have no velocity in the file, whatever their velocity at take-off.

        number  number of the frame
        flock  the M boids of the frame
        positions  (M, D) their positions in the scene
        shades  (M,) their colours
        """
        slots, count = self._slots.of_ids(flock.ids), self._slots.count
        visible = np.zeros(count, bool)
        visible[slots] = True
        joined, left = visible & ~self._visible, self._visible & ~visible
        points = np.full((count, 3), np.nan, np.float32)
        points[slots] = to_3d(positions, np.float32)
        if self._waiting is not None:  # a boid that has left moves on for a frame
            points[left] = self._waiting.positions[left] + self._path(left)
        motions = np.full((count, 3), np.nan, np.float32)
        motions[slots] = to_3d(flock.velocities, np.float32)
        rotations = self._rotations.next(motions).astype(np.float16)
        if self._lands:
            motions[slots[flock.perching]] = 0
        self._motions = np.nan_to_num(motions)
        points, observed = self._last_seen.next(points)
        if self._waiting is not None and joined.any():
            self._waiting.positions[joined] = points[joined] - self._path(joined)
            self._waiting.rotations[joined] = rotations[joined]
        self._write_waiting()
        velocities = (self._motions * self._velocity_factor).astype(np.float32)
        self._waiting = Points(number, points.copy(), rotations, velocities)
        self._visible = visible
        self._shapes.pose(Usd.TimeCode(number))
        if self._poses:
            landed = flock.perching if self._lands else None
            self._numbers = self._numbers.copy()
            self._numbers[slots] = self._shapes.numbers(flock.ids, landed, shades)
            self._mesh_numbers.set(self._numbers, number)
        if self._hides:
            owners = self._slots.owners(number)
            self._ids.set(owners, number)
            self._hidden.set(owners[~(visible & observed)], number)
        self._add_primvars(number, flock, slots)

    def finish(self) -> None:
        """Write the last frame, and the bounds of all boids in all frames."""
        self._write_waiting()
        reach = self._shapes.reach
        corners = (self._lower - reach, self._upper + reach)
        self._instancer.CreateExtentAttr([Gf.Vec3f(*map(float, corner)) for corner in corners])

    def _path(self, slots: Array) -> Array:
        """Return the displacement (K, 3) of some slots in a frame."""
        return self._motions[slots] * np.float32(self._seconds)

    def _write_waiting(self) -> None:
        if self._waiting is None:
            return
        number, positions, rotations, velocities = self._waiting
        instancer, code = self._instancer, Usd.TimeCode(number)
        instancer.CreatePositionsAttr().Set(Vt.Vec3fArray.FromNumpy(positions), code)
        instancer.CreateOrientationsAttr().Set(Vt.QuathArray.FromNumpy(rotations), code)
        instancer.CreateVelocitiesAttr().Set(Vt.Vec3fArray.FromNumpy(velocities), code)
        self._lower = np.minimum(self._lower, positions.min(axis=0))
        self._upper = np.maximum(self._upper, positions.max(axis=0))

    def _add_primvars(self, number: int, flock: FlockFrame, slots: Array) -> None:
        """Set the numbers of boids in a frame, by which shaders can colour them."""
        for name, values in numbers_of(flock).items():
            if name not in self._primvars:
                attribute = UsdGeom.PrimvarsAPI(self._instancer).CreatePrimvar(
                    name, Sdf.ValueTypeNames.FloatArray, UsdGeom.Tokens.vertex
                )
                samples = Samples(attribute, Vt.FloatArray)
                self._primvars[name] = samples, np.zeros(self._slots.count, np.float32)
            samples, latest = self._primvars[name]
            row = latest.copy()
            row[slots] = values
            samples.set(row, number)
            self._primvars[name] = samples, row


class Points(NamedTuple):
    """Arrays of a frame of an instancer, with a row for each slot."""

    number: int
    positions: Array
    rotations: Array
    velocities: Array


def _check_size(selection: Selection, max_bytes: int) -> None:
    """Raise ExportOptionsError if the file would be too large for a package."""
    changes = selection.recording.view.colour_by != "flock"
    size = len(selection) * len(selection.ids) * (BYTES + COLOUR_BYTES * changes)
    if size > max_bytes:
        raise ExportOptionsError(
            f".usdz: got {size / 1e9:.1f} GB; expected at most 4 GB. Export to .usdc, or "
            "fewer frames with --every"
        )


def _write_package(draft: Path, parts: dict[str, Path]) -> None:
    """Write a package of files by name; the first one is the scene."""
    writer = Sdf.ZipFileWriter.CreateNew(str(draft))
    _check(writer and all(writer.AddFile(str(path), name) for name, path in parts.items()))
    _check(writer.Save())
    try:  # the writer does not notice a full disk
        with zipfile.ZipFile(draft) as package:
            for name, path in parts.items():
                size = package.getinfo(name).file_size
                _check(size == path.stat().st_size <= package.start_dir)
    except zipfile.BadZipFile as error:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from error


def _check(done: Any) -> None:
    """Raise OSError if a call of USD failed; USD gives no reason."""
    if not done:
        raise OSError("USD could not write the file")


# --- slots
#
# Give boids that come and go a place in arrays of constant length, for scenes.
#
# Scenes interpolate arrays between frames, so a slot must not pass from one boid to the next while
# it is visible:
#
#     frame             4     5     6     7     8     9
#     slot 0  boid 3    o     o     .
#             boid 8                      .     o     o      o visible, . hidden
#
# A hidden boid moves straight on before its slot is taken, and towards its birth before that.


HIDDEN = 2  # frames in which a slot is hidden between two boids


@dataclass(frozen=True)
class Slots:
    """Slots of the boids of one flock.

    ids  (N,) ids of the boids that are ever there, ascending
    first, last  (N,) indices of their first and last frame
    slot  (N,)
    """

    ids: Array
    first: Array
    last: Array
    slot: Array
    count: int

    @classmethod
    def of(cls, lives: Lives, flock_index: int) -> Slots:
        """Assign slots to the boids of a flock, as few as possible."""
        part = lives.flock_index == flock_index
        ids, first, last = lives.ids[part], lives.first[part], lives.last[part]
        slot, count = share_rows(first, last, HIDDEN + 1)
        return cls(ids, first, last, slot, count)

    @classmethod
    def fixed(cls, ids: Array, frames: int) -> Slots:
        """Return one slot for each boid, for flocks whose boids are in all frames."""
        none = np.zeros(len(ids), np.int64)
        return cls(ids, none, none + frames - 1, np.arange(len(ids)), len(ids))

    def of_ids(self, ids: Array) -> Array:
        """Return the slots (M,) of ids (M,)."""
        return self.slot[np.searchsorted(self.ids, ids)]

    def owners(self, frame: int) -> Array:
        """Return the id (count,) that owns each slot in a frame, visible or hidden.

        A slot belongs to a boid from the frame before its birth; the first owner has it from the
        start.
        """
        owners = np.zeros(self.count, np.int64)
        first = np.full(self.count, np.iinfo(np.int64).max)
        np.minimum.at(first, self.slot, self.first)
        owns = (self.first <= frame + 1) | (self.first == first[self.slot])
        owners[self.slot[owns]] = self.ids[owns]  # ids ascend with birth, so the last one owns it
        return owners
