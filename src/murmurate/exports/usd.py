"""Write USD: flocks as animated point instancers, for Blender, Houdini, usdview and others.

A stage in memory would grow with the recording. A .usdc file is therefore saved after each piece,
and USD reads saved data from the file on demand. .usda and .usdz files are made from a .usdc file.
"""

from __future__ import annotations

import errno
import os
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from pxr import Gf, Sdf, Usd, UsdGeom, Vt

from murmurate.disk import draft_path
from murmurate.errors import ExportOptionsError
from murmurate.exports.appearance import LastSeen, Orientations
from murmurate.exports.film_camera import FilmCamera
from murmurate.exports.formats import Options
from murmurate.exports.selection import Array, Selection, to_3d
from murmurate.exports.surroundings import sky_of, write_picture
from murmurate.exports.usd_scene import ROOT, Prototypes, Scene, identifiers

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
        sky = sky_of(selection.recording)
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
        for k in range(len(piece.steps)):
            code = Usd.TimeCode(piece.first + k)
            scene.set_obstacles(code, piece.times[k])
            if camera is not None:
                camera.add(code, film.next(piece.frames[k]))
            landed = piece.state.get("perch_timer")
            scene.look.update(piece.frames[k])
            for instancer in instancers:
                instancer.add(
                    code,
                    piece.positions[k] if camera is None else film.images(piece.positions[k]),
                    piece.velocities[k],
                    None if landed is None else landed[k] > 0,
                    scene.look.shade_numbers(piece.frames[k][instancer.flock]),
                )
        _check(layer.Save())
    for instancer in instancers:
        instancer.write_extent()
    _check(layer.Save())


def _flock_instancers(stage: Any, scene: Scene, selection: Selection) -> list[FlockInstancer]:
    names = identifiers(selection.flocks)
    # velocities of USD are per second of playing
    velocity_factor = selection.seconds * scene.frames_per_second
    out = []
    for number, name in enumerate(selection.flocks):
        part = np.flatnonzero(selection.flock_index == number)
        if len(part):
            path = f"{ROOT}/{names[number]}"
            instancer = UsdGeom.PointInstancer.Define(stage, path)
            shapes = scene.add_prototypes(instancer, name)
            ids = selection.ids[part]
            out.append(
                FlockInstancer(
                    instancer,
                    name,
                    slice(part[0], part[-1] + 1),
                    ids,
                    velocity_factor,
                    shapes,
                    LastSeen(len(ids), selection.space) if selection.gaps else None,
                )
            )
    return out


class FlockInstancer:
    """Point instancer of one flock, written frame by frame.

    Attributes
    ----------
    flock : str
        Name of the flock.
    """

    def __init__(
        self, instancer: Any, flock: str, part: slice, ids: Array, velocity_factor: float,
        shapes: Prototypes, last_seen: LastSeen | None,
    ) -> None:  # fmt: skip
        self.flock, self._last_seen = flock, last_seen
        self._part, self._velocity_factor, self._shapes = part, velocity_factor, shapes
        self._ids, self._last_numbers = ids, shapes.numbers(ids, None)
        self._orientations = Orientations(len(ids))
        self._lower, self._upper = np.full(3, np.inf), np.full(3, -np.inf)
        instancer.CreateIdsAttr(Vt.Int64Array.FromNumpy(ids.astype(np.int64)))
        self._numbers = instancer.CreateProtoIndicesAttr(Vt.IntArray.FromNumpy(self._last_numbers))
        self._positions = instancer.CreatePositionsAttr()
        self._rotations = instancer.CreateOrientationsAttr()
        self._velocities = instancer.CreateVelocitiesAttr()
        self._extent = instancer.CreateExtentAttr()
        self._hidden = None if last_seen is None else instancer.CreateInvisibleIdsAttr()

    def add(
        self, code: Any, positions: Array, velocities: Array, landed: Array | None, shades: Array
    ) -> None:
        """Add a frame.

        Boids on the ground have no velocity in the file, whatever their velocity at take-off.

        Parameters
        ----------
        code : Usd.TimeCode
        positions, velocities : (M, D)
            Of the boids of all flocks.
        landed : (M,) bool or None
            Whether each boid is on the ground.
        shades : (N,) int
            Colours of the boids of this flock.
        """
        points = to_3d(positions[self._part], np.float32)
        motions = to_3d(velocities[self._part], np.float32)
        rotations = self._orientations.quaternions(motions)
        self._shapes.pose(code)
        if landed is not None:
            landed = landed[self._part]
            motions[landed] = 0
        if landed is not None or self._shapes.shades > 1:
            self._set_numbers(code, self._shapes.numbers(self._ids, landed, shades))
        if self._last_seen is not None and self._hidden is not None:
            points, observed = self._last_seen.next(points)
            motions = np.nan_to_num(motions)
            self._hidden.Set(Vt.Int64Array.FromNumpy(self._ids[~observed].astype(np.int64)), code)
        self._positions.Set(Vt.Vec3fArray.FromNumpy(points), code)
        self._rotations.Set(Vt.QuathArray.FromNumpy(rotations.astype(np.float16)), code)
        self._velocities.Set(
            Vt.Vec3fArray.FromNumpy((motions * self._velocity_factor).astype(np.float32)), code
        )
        self._lower = np.minimum(self._lower, points.min(axis=0))
        self._upper = np.maximum(self._upper, points.max(axis=0))

    def _set_numbers(self, code: Any, numbers: Array) -> None:
        """Set the prototypes from this frame on; USD holds integers until the next value."""
        first = code.GetValue() == 0
        if first or not np.array_equal(numbers, self._last_numbers):
            self._numbers.Set(Vt.IntArray.FromNumpy(numbers), code)
            self._last_numbers = numbers

    def write_extent(self) -> None:
        """Write the bounds of all boids in all frames."""
        reach = self._shapes.reach
        corners = (self._lower - reach, self._upper + reach)
        self._extent.Set([Gf.Vec3f(*map(float, corner)) for corner in corners])


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
