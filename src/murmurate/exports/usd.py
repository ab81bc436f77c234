"""USD: flocks as point instancers that move in time; Blender, Houdini, usdview and the others open
it.

A stage in memory would grow with the recording. A .usdc is saved after each piece instead: what is
saved is read from the file when it is asked for. .usda and .usdz are made from such a file.
"""

from __future__ import annotations

import errno
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from pxr import Gf, Sdf, Usd, UsdGeom, Vt

from murmurate.exports.errors import ExportRefused
from murmurate.exports.formats import Options
from murmurate.exports.orientations import Headings
from murmurate.exports.selection import Array, Selection
from murmurate.exports.usd_scene import ROOT, Scene, identifiers
from murmurate.show.output import draft_path

BYTES = 32  # a boid and frame: place and velocity 12 each, orientation 8
MOST_USDZ = 2**32 - 2**24  # a package is a zip without the 64-bit extension


def write(draft: Path, selection: Selection, options: Options) -> None:
    """A frame of the recording is a time code. See docs/file-formats.md for what is where."""
    if draft.suffix == ".usdc":
        _crate(draft, selection, options)
        return
    if draft.suffix == ".usdz":
        _check_size(selection)
    crate = draft_path(draft.with_suffix(".usdc"))
    try:
        _crate(crate, selection, options)
        if draft.suffix == ".usda":
            _need(Sdf.Layer.OpenAsAnonymous(str(crate)).Export(str(draft)))
        else:
            _package(draft, crate, selection)
    finally:
        crate.unlink(missing_ok=True)


def _crate(path: Path, selection: Selection, options: Options) -> None:
    stage = Usd.Stage.CreateNew(str(path))
    scene = Scene(stage, selection, options)
    flights = _flights(stage, scene, selection)
    layer = stage.GetRootLayer()
    for piece in selection:
        for k in range(len(piece.steps)):
            code = Usd.TimeCode(piece.first + k)
            scene.at(code, piece.times[k])
            landed = piece.state.get("perch_timer")
            for flight in flights:
                flight.add(
                    code,
                    piece.positions[k],
                    piece.velocities[k],
                    None if landed is None else landed[k] > 0,
                )
        _need(layer.Save())
    for flight in flights:
        flight.end()
    _need(layer.Save())


def _flights(stage: Any, scene: Scene, selection: Selection) -> list[Flight]:
    names = identifiers(selection.flocks)
    # a velocity of USD's is per second of playing
    faster = selection.seconds * scene.frames_per_second
    out = []
    for number, name in enumerate(selection.flocks):
        part = np.flatnonzero(selection.kind == number)
        if len(part):
            path = f"{ROOT}/{names[number]}"
            instancer = UsdGeom.PointInstancer.Define(stage, path)
            size = scene.dress(instancer, name)
            ids = selection.ids[part]
            out.append(Flight(instancer, slice(part[0], part[-1] + 1), ids, faster, size))
    return out


class Flight:
    """The instancer of one flock, and what it remembers from frame to frame."""

    def __init__(self, instancer: Any, part: slice, ids: Array, faster: float, size: float) -> None:
        self._part, self._faster, self._size = part, faster, size
        self._headings = Headings(len(ids))
        self._lower, self._upper = np.full(3, np.inf), np.full(3, -np.inf)
        instancer.CreateIdsAttr(Vt.Int64Array.FromNumpy(ids.astype(np.int64)))
        instancer.CreateProtoIndicesAttr(Vt.IntArray.FromNumpy(np.zeros(len(ids), np.int32)))
        self._positions = instancer.CreatePositionsAttr()
        self._orientations = instancer.CreateOrientationsAttr()
        self._velocities = instancer.CreateVelocitiesAttr()
        self._extent = instancer.CreateExtentAttr()

    def add(self, code: Any, positions: Array, velocities: Array, landed: Array | None) -> None:
        """A frame: (all boids, D) each. One that stands on the ground does not move, whatever the
        velocity that it will go on with."""
        places = _solid(positions[self._part])
        moves = _solid(velocities[self._part])
        turned = self._headings.turned(moves).astype(np.float16)  # imaginary parts first, as Vt has
        if landed is not None:
            moves[landed[self._part]] = 0
        self._positions.Set(Vt.Vec3fArray.FromNumpy(places), code)
        self._orientations.Set(Vt.QuathArray.FromNumpy(turned), code)
        self._velocities.Set(
            Vt.Vec3fArray.FromNumpy((moves * self._faster).astype(np.float32)), code
        )
        self._lower = np.minimum(self._lower, places.min(axis=0))
        self._upper = np.maximum(self._upper, places.max(axis=0))

    def end(self) -> None:
        """The box that it has been in."""
        corners = (self._lower - self._size, self._upper + self._size)
        self._extent.Set([Gf.Vec3f(*map(float, corner)) for corner in corners])


def _check_size(selection: Selection) -> None:
    """Raises ExportRefused for what is too large for a package."""
    size = len(selection) * len(selection.ids) * BYTES
    if size > MOST_USDZ:
        raise ExportRefused(
            f"a .usdz holds 4 GB at most, and this would be {size / 1e9:.1f} GB: export to .usdc, "
            "or fewer frames with --every"
        )


def _package(draft: Path, crate: Path, selection: Selection) -> None:
    writer = Sdf.ZipFileWriter.CreateNew(str(draft))
    name = f"{identifiers([selection.recording.header['name']])[0]}.usdc"
    _need(writer and writer.AddFile(str(crate), name) and writer.Save())
    try:  # it does not notice a full disk
        with zipfile.ZipFile(draft) as made:
            _need(made.getinfo(name).file_size == crate.stat().st_size <= made.start_dir)
    except zipfile.BadZipFile as error:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from error


def _need(done: Any) -> None:
    """USD says of a failure no more than that it is one."""
    if not done:
        raise OSError("USD could not write the file")


def _solid(array: Array) -> Array:
    """(N, 3) float32; in 2-D z is 0."""
    out = np.zeros((len(array), 3), np.float32)
    out[:, : array.shape[1]] = array
    return out
