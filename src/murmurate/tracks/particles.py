"""Trajectories of simulated particles: frames with a box become tracks on its torus.

LAMMPS, extended XYZ and GSD give the box and its periodic axes. Positions are wrapped into the box;
if a file counts the crossings of its sides, they are kept as images. Extended XYZ is read by ASE,
and GSD in the schema of HOOMD-blue by gsd; `murmurate export` writes both too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.disk import open_regular, regular
from murmurate.errors import TracksError
from murmurate.model.space import Space
from murmurate.tracks.file_preview import FilePreview
from murmurate.tracks.files import check_numbers
from murmurate.tracks.frame_table import frames_from_numbers, infer_rate
from murmurate.tracks.murmurate_files import stored_space
from murmurate.tracks.options import SPACE_EXAMPLE, ReadOptions
from murmurate.tracks.raw_tracks import RawTracks

Array = np.ndarray
BOX_TOLERANCE = 1e-6  # of a side, by which a periodic axis may change between frames
VELOCITIES = ("velo", "vel", "velocity", "velocities")  # arrays of extended XYZ
TIMES, STEPS = ("Time", "time"), ("Step", "step", "Timestep", "timestep")
MAX_HEADER = 1 << 16  # characters of the first lines of extended XYZ


@dataclass(frozen=True, eq=False)
class ParticleFrame:
    """One frame of n particles along D axes.

    name         of the frame in messages
    ids          (n,) whole numbers
    positions    (n, D), inside the box or not
    lower, size  (D,) of the box; None if it has none
    periodic     (D,) bool; None if the file does not say
    step, time   None if the file has none
    velocities   (n, D); None if it has none
    images       (n, D) whole numbers: sides crossed; None if not counted. Not needed for
                 `unwrapped` positions
    unwrapped    whether positions continue beyond the box
    """

    name: str
    ids: Array
    positions: Array
    lower: Array | None
    size: Array | None
    periodic: Array | None
    step: int | None = None
    time: float | None = None
    velocities: Array | None = None
    images: Array | None = None
    unwrapped: bool = False


def tracks_from_frames(
    frames: Sequence[ParticleFrame], path: Path, flat: bool | None = None, unit: str = "",
    notes: Sequence[str] = (), attrs: Mapping[str, Any] | None = None,
) -> RawTracks:  # fmt: skip
    """Make tracks of frames.

    frames  the frames in order. Animals are the particles, sorted by id; nan where one is absent.
    flat  whether to keep only x and y; by default if z is the same everywhere
    unit, notes, attrs  as in RawTracks
    raises TracksError  for ids that occur twice, steps that do not increase, and boxes that change
    """
    if not frames:
        raise _no_frames(path)
    check_numbers(sum(frame.positions.size for frame in frames), "the file", path)
    for frame in frames:
        _check_ids(frame, path)
    ids = np.unique(np.concatenate([frame.ids for frame in frames]))
    index, count, steps = _find_frames(frames, len(ids), path)
    dims = frames[0].positions.shape[1]
    check_numbers(count * len(ids) * dims, "the frames with all particles", path)
    positions: Array = np.full((count, len(ids), dims), np.nan)
    velocities: Array | None = None
    if all(frame.velocities is not None for frame in frames):
        velocities = positions.copy()
    images: Array | None = None
    if all(frame.images is not None or frame.unwrapped for frame in frames):
        images = np.zeros(positions.shape, np.int64)
    space, lacks_space = _find_space(frames, path)
    for k, frame in zip(index, frames, strict=True):
        columns = np.searchsorted(ids, frame.ids)
        positions[k, columns], frame_images = _wrap_positions(frame, space)
        if velocities is not None:
            velocities[k, columns] = frame.velocities
        if images is not None:
            images[k, columns] = frame_images
    all_notes = list(notes)
    if flat is None and dims == 3:
        z = positions[..., 2][np.isfinite(positions[..., 2])]
        flat = bool(len(z)) and z.min() == z.max()
        all_notes += [f"z is {z[0]:g} everywhere and is left out"] if flat else []
    if flat:
        positions = positions[..., :2]
        velocities = None if velocities is None else velocities[..., :2]
        images = None if images is None else images[..., :2]
        if space is not None:
            space = Space(size=space.size[:2], origin=space.lower[:2],
                          boundary=space.boundaries[:2])  # fmt: skip
    rate = _find_rate(frames, count, path)
    all_attrs = dict(attrs or {}) | ({"steps": steps} if steps else {})
    return RawTracks(
        positions, rate, [str(number) for number in ids.tolist()], unit, notes=tuple(all_notes),
        attrs=all_attrs, space=space, space_from="the file's box", lacks_space=lacks_space,
        velocities=velocities, clock=rate is not None, images=images,
    )  # fmt: skip


def _no_frames(path: Path) -> TracksError:
    return TracksError(f"{path}: got no frames; expected at least one. Take it from a copy")


def _check_ids(frame: ParticleFrame, path: Path) -> None:
    """Raise TracksError for an id that occurs twice in a frame."""
    if len(np.unique(frame.ids)) < len(frame.ids):
        ids = np.sort(frame.ids)
        duplicate = ids[:-1][np.diff(ids) == 0][0]
        raise TracksError(
            f"{path}: {frame.name}: got particle {duplicate} twice; expected each id once. Take "
            "the file from a copy"
        )


def _find_frames(
    frames: Sequence[ParticleFrame], particles: int, path: Path
) -> tuple[Sequence[int], int, str]:
    """Return the index of each frame among equally spaced ones, their count, and the steps."""
    steps = [frame.step for frame in frames if frame.step is not None]
    if len(steps) < len(frames) or len(frames) < 2:
        return range(len(frames)), len(frames), ""
    rows = frames_from_numbers(np.array(steps, np.float64), particles,
                               lambda k: frames[k].name, path)  # fmt: skip
    if len(np.unique(rows.index)) < len(frames) or (np.diff(rows.index) < 1).any():
        k = int(np.argmax(np.diff(rows.index) < 1)) + 1
        raise TracksError(
            f"{path}: {frames[k].name}: got step {steps[k]} after step {steps[k - 1]}; expected "
            "increasing steps. Leave out the frames that a restarted run wrote again"
        )
    return rows.index.tolist(), rows.count, f"{steps[0]} to {steps[-1]}, every {rows.step:g}"


def _find_rate(frames: Sequence[ParticleFrame], count: int, path: Path) -> float | None:
    """Return the frames per unit of time, None unless all frames have times."""
    times = [frame.time for frame in frames if frame.time is not None]
    if len(times) < len(frames) or len(frames) < 2:
        return None
    if count == len(frames):
        return infer_rate(np.array(times), path)
    span = times[-1] - times[0]  # some frames are missing, as their steps show
    return (count - 1) / span if span > 0 else None


def _find_space(frames: Sequence[ParticleFrame], path: Path) -> tuple[Space | None, str]:
    """Return the space, and the error message if it lacks the periodic axes."""
    first = frames[0]
    if any(frame.lower is None for frame in frames):
        return None, ""
    lowers = np.array([frame.lower for frame in frames], np.float64)
    sizes = np.array([frame.size for frame in frames], np.float64)
    if not (np.isfinite(lowers).all() and np.isfinite(sizes).all() and (sizes > 0).all()):
        k = int(np.argmax(~((np.isfinite(sizes) & (sizes > 0)).all(axis=1))))
        raise TracksError(
            f"{path}: {frames[k].name}: got a box with sides {_format_sides(sizes[k])}; expected "
            "lengths above 0. Take the file from a copy, or give the space: "
            f"{SPACE_EXAMPLE}"
        )
    lacks_space = ""
    if first.periodic is None:
        lacks_space = (
            "got a box without its periodic axes; expected the axes. Give them: --periodic xy, or "
            "--periodic none"
        )
    periodic = np.zeros(len(sizes[0]), bool) if first.periodic is None else first.periodic
    for k, frame in enumerate(frames):
        if frame.periodic is not None and not np.array_equal(frame.periodic, periodic):
            raise TracksError(
                f"{path}: {frame.name}: got other periodic axes than in {first.name}; expected the "
                "same in all frames. Split the file"
            )
        change = np.maximum(np.abs(lowers[k] - lowers[0]), np.abs(sizes[k] - sizes[0]))
        if (change > BOX_TOLERANCE * sizes[0])[periodic].any():
            raise TracksError(
                f"{path}: {frame.name}: got a box with sides {_format_sides(sizes[k])}, and "
                f"{_format_sides(sizes[0])} in {first.name}; expected constant periodic sides. "
                "Measure parts of constant size"
            )
    lower = np.where(periodic, lowers[0], lowers.min(axis=0))
    upper = np.where(periodic, lowers[0] + sizes[0], (lowers + sizes).max(axis=0))
    size = np.where(periodic, sizes[0], upper - lower)
    boundary = tuple("periodic" if flag else "open" for flag in periodic)
    return Space(size=tuple(size.tolist()), origin=tuple(lower.tolist()),
                 boundary=boundary), lacks_space  # type: ignore[arg-type]  # fmt: skip


def _wrap_positions(frame: ParticleFrame, space: Space | None) -> tuple[Array, Array]:
    """Wrap positions into the box along periodic axes; return them and their images."""
    positions = np.array(frame.positions, np.float64)
    images = np.zeros(positions.shape, np.int64)
    if frame.images is not None:
        images += frame.images
    for axis in np.flatnonzero(space.periodic) if space is not None else ():
        lower, side = space.lower[axis], space.size[axis]  # type: ignore[union-attr]
        x = positions[:, axis]
        crossings = np.floor((x - lower) / side)
        crossings[(x >= lower) & (x <= lower + side)] = 0
        images[:, axis] += crossings.astype(np.int64)
        inside = np.clip(x - crossings * side, lower, lower + side)
        positions[:, axis] = np.where(crossings == 0, x, inside)
    return positions, images


def triclinic_error(where: str) -> TracksError:
    """Return the error for a box that is not rectangular."""
    return TracksError(
        f"{where}: got a triclinic box; expected a rectangular one along x, y and z. Measures "
        "support no other: simulate it again in such a box"
    )


def _format_sides(sides: Array) -> str:
    return " x ".join(f"{side:.8g}" for side in sides)


# --- extended XYZ


def read_xyz(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read extended XYZ: Lattice, pbc and Properties, and Origin, Time and Step if present."""
    from ase.io import read as ase_read

    path = preview.path
    with open_regular(path, "r", encoding="utf-8") as file:
        file.readline(MAX_HEADER)
        header = file.readline(MAX_HEADER)
        file.seek(0)
        images: Any = ase_read(file, index=":", format="extxyz")
    notes = []
    if "Lattice=" in header and "pbc=" not in header:
        notes.append("its box has no pbc: periodic along all axes, the default of the format")
    if images and "momenta" in images[0].arrays:
        notes.append("momenta are left out: velocities would need the masses")
    frames = [_make_xyz_frame(atoms, k, path) for k, atoms in enumerate(images)]
    names = str(images[0].info.get("flocks", "")).split() if images else []
    raw = tracks_from_frames(frames, path, notes=notes)
    if not names or "type" not in images[0].arrays:
        return raw
    types: dict[int, int] = {}
    for frame, atoms in zip(frames, images, strict=True):
        kinds = np.ravel(atoms.arrays.get("type", np.zeros(len(atoms))))
        types |= dict(zip(frame.ids.tolist(), kinds.tolist(), strict=True))
    type_of = np.array([types.get(int(name), 0) for name in raw.names or ()])
    flocks = {name: np.flatnonzero(type_of == k) for k, name in enumerate(names, 1)}
    if sum(map(len, flocks.values())) < len(type_of):
        raise TracksError(
            f"{path}: type: got particles of none of the flocks {', '.join(names)}; expected "
            f"numbers from 1 to {len(names)}. Export it again"
        )
    return replace(raw, flocks=flocks)


def _make_xyz_frame(atoms: Any, k: int, path: Path) -> ParticleFrame:
    name = f"frame {k}"
    cell = np.array(atoms.cell, np.float64)
    lower = size = periodic = None
    if cell.any():
        if np.abs(cell - np.diag(np.diag(cell))).max() > 1e-9 * np.abs(cell).max():
            raise triclinic_error(f"{path}: {name}")
        size = np.diag(cell)
        lower = np.array(atoms.info.get("Origin", np.zeros(3)), np.float64)
        if lower.shape != (3,):
            raise TracksError(
                f"{path}: {name}: got an Origin of shape {lower.shape}; expected three numbers. "
                "Leave it out if the box begins at 0"
            )
        periodic = np.array(atoms.pbc, bool)
    ids = atoms.arrays.get("id", np.arange(len(atoms)))
    velocities: Any = next((atoms.arrays[x] for x in VELOCITIES if x in atoms.arrays), None)
    positions: Any = np.array(atoms.positions, np.float64)
    if atoms.info.get("dtype") == "float32":  # its shortest decimal is another float64
        positions, velocities = (None if x is None else x.astype(np.float32).astype(np.float64)
                                 for x in (positions, velocities))  # fmt: skip
    step, time = (next((atoms.info[x] for x in names if x in atoms.info), None)
                  for names in (STEPS, TIMES))  # fmt: skip
    return ParticleFrame(
        name, np.asarray(ids, np.int64), positions, lower, size,
        periodic, int(step) if isinstance(step, int | np.integer) else None,
        float(time) if isinstance(time, int | float | np.number) else None,
        None if np.shape(velocities) != (len(atoms), 3) else np.asarray(velocities, np.float64),
    )  # fmt: skip


# --- GSD


def read_gsd(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read GSD in the schema of HOOMD-blue.

    A box of HOOMD-blue is periodic along every axis, with the origin at its centre. `murmurate
    export` also writes the model's own space, and ids. Raises TracksError for triclinic boxes, and
    if the number of particles changes and they have no ids.
    """
    import gsd.hoomd

    path = preview.path
    with gsd.hoomd.open(str(regular(path)), "r") as file:
        count = len(file)
        snapshots = [file[k] for k in range(count)]
        has_velocities = any(file.file.chunk_exists(k, "particles/velocity") for k in range(count))
    if not snapshots:
        raise _no_frames(path)
    first = snapshots[0]
    dims = int(first.configuration.dimensions)
    if dims not in (2, 3):
        raise TracksError(
            f"{path}: got {dims} dimensions; expected 2 or 3. Take the file from a copy"
        )
    ids = np.ravel(first.log.get("particles/id", np.arange(first.particles.N))).astype(np.int64)
    has_images = any(np.any(snapshot.particles.image) for snapshot in snapshots)
    frames = [
        _make_gsd_frame(snapshot, k, ids, dims, has_velocities, has_images, path)
        for k, snapshot in enumerate(snapshots)
    ]
    raw = tracks_from_frames(frames, path, flat=False)
    if "centre" not in first.log:
        return raw
    types: dict[int, int] = {}
    for frame, snapshot in zip(frames, snapshots, strict=True):
        types |= dict(zip(frame.ids.tolist(), snapshot.particles.typeid.tolist(), strict=True))
    type_of = np.array([types[int(name)] for name in raw.names or ()])
    return _use_model_space(raw, first, type_of, path)


def _make_gsd_frame(
    snapshot: Any, k: int, ids: Array, dims: int, has_velocities: bool, has_images: bool, path: Path
) -> ParticleFrame:
    name, particles = f"frame {k}", snapshot.particles
    if "particles/id" in snapshot.log or not particles.N:  # boids may come and go
        own = snapshot.log.get("particles/id", ids) if particles.N else np.arange(0)
        ids = np.ravel(own).astype(np.int64)
    if len(ids) != particles.N:
        raise TracksError(
            f"{path}: {name}: got {particles.N} particles, and {len(ids)} in frame 0; expected as "
            "many, since GSD has no ids. Split the file"
        )
    box = np.asarray(snapshot.configuration.box, np.float64)
    if box[3:].any():
        raise triclinic_error(f"{path}: {name}")
    centre = np.zeros(dims)
    if "centre" in snapshot.log:
        centre = np.ravel(snapshot.log["centre"]).astype(np.float64)
        if centre.shape != (dims,):
            raise TracksError(
                f"{path}: {name}: log/centre: got {centre.size} numbers; expected {dims}. Export "
                "it again"
            )
    size, time = box[:dims], snapshot.log.get("time")
    return ParticleFrame(
        name, ids, np.asarray(particles.position, np.float64)[:, :dims] + centre,
        centre - size / 2, size, np.ones(dims, bool), int(snapshot.configuration.step),
        None if time is None else float(np.ravel(time)[0]),
        np.asarray(particles.velocity, np.float64)[:, :dims] if has_velocities else None,
        np.asarray(particles.image, np.int64)[:, :dims] if has_images else None,
    )  # fmt: skip


def _use_model_space(raw: RawTracks, first: Any, type_of: Array, path: Path) -> RawTracks:
    """Replace the box by the model's own space and flocks, which murmurate stores in the log.

    type_of : (N,) index of the flock of each boid
    """
    log, dims = first.log, raw.positions.shape[2]
    names = list(first.particles.types)
    flocks = {name: np.flatnonzero(type_of == k) for k, name in enumerate(names)}
    if not {"lower", "size", "periodic"} <= set(log):
        lacks_space = (
            "got no periodic axes, as in exports of murmurate up to 0.4; expected the space. "
            f"Export it again, or give it: {SPACE_EXAMPLE}, or --periodic none"
        )
        return replace(raw, space=None, lacks_space=lacks_space, flocks=flocks)
    lower, size, periodic = (np.ravel(log[name]).tolist()
                             for name in ("lower", "size", "periodic"))  # fmt: skip
    boundary = ["periodic" if flag else "open" for flag in periodic]
    space = stored_space(lower, size, boundary, dims, path)
    return replace(raw, space=space, space_from="the file", flocks=flocks)
