"""Trajectories of simulated particles: frames with a box -> tracks on its torus.

LAMMPS, extended XYZ and GSD say where the box is and which of its axes are periodic. Positions are
put into the box; where a file counts how often a particle went round, that is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.model.space import Space
from murmurate.record.errors import RecordingRefused
from murmurate.tracks.file_size import check_numbers
from murmurate.tracks.given_space import EXAMPLE
from murmurate.tracks.grid import frames_of_numbers
from murmurate.tracks.reading import Reading
from murmurate.tracks.timeline import rate_of_times

Array = np.ndarray
SAME = 1e-6  # of a side: how far a periodic axis may change from frame to frame


@dataclass(frozen=True, eq=False)
class ParticleFrame:
    """One frame, of n particles along D axes.

    name        what it is called in messages
    ids         (n,) whole numbers
    positions   (n, D), in the box or not
    lower, size (D,) of the box; None: it has none
    periodic    (D,) bool; None: the file does not say
    step, time  None where the file has none
    velocities  (n, D); None: it has none
    images      (n, D) sides gone round, or None: nobody counts. With `unwrapped` positions none are
                needed
    unwrapped   whether positions go on beyond the box
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


def reading_of(
    frames: Sequence[ParticleFrame], path: Path, flat: bool | None = None, unit: str = "",
    notes: Sequence[str] = (), attrs: Mapping[str, Any] | None = None,
) -> Reading:  # fmt: skip
    """Tracks of frames, by the particles' ids, in their order; nan where one is not there.

    flat  whether it is 2-D in the plane of x and y; unless given, where z is the same everywhere
    Raises RecordingRefused for what does not fit together.
    """
    if not frames:
        raise RecordingRefused(f"{path}: has no frames; expected at least one. Take it from a copy")
    said = list(notes)
    check_numbers(sum(one.positions.size for one in frames), "it", path)
    for one in frames:
        if len(np.unique(one.ids)) < len(one.ids):
            again = np.sort(one.ids)
            twice = again[:-1][np.diff(again) == 0][0]
            raise RecordingRefused(
                f"{path}: {one.name}: got particle {twice} twice; expected each id once. Take the "
                "file from a copy"
            )
    ids = np.unique(np.concatenate([one.ids for one in frames]))
    index, count, steps_said = _grid(frames, len(ids), path)
    dims = frames[0].positions.shape[1]
    check_numbers(count * len(ids) * dims, "its frames by its particles", path)
    positions: Array = np.full((count, len(ids), dims), np.nan)
    moves: Array | None = (
        positions.copy() if all(one.velocities is not None for one in frames) else None
    )
    images: Array | None = None
    if all(one.images is not None or one.unwrapped for one in frames):
        images = np.zeros(positions.shape, np.int64)
    space, lacks = _space(frames, path)
    for k, one in zip(index, frames, strict=True):
        columns = np.searchsorted(ids, one.ids)
        places, rounds = _wrapped(one, space)
        positions[k, columns] = places
        if moves is not None:
            moves[k, columns] = one.velocities
        if images is not None:
            images[k, columns] = rounds
    if flat is None and dims == 3:
        z = positions[..., 2][np.isfinite(positions[..., 2])]
        flat = bool(len(z)) and z.min() == z.max()
        said += [f"z is {z[0]:g} everywhere, and left out"] if flat else []
    if flat:
        positions = positions[..., :2]
        moves = None if moves is None else moves[..., :2]
        images = None if images is None else images[..., :2]
        if space is not None:
            space = Space(size=space.size[:2], origin=space.lower[:2],
                          boundary=space.boundaries[:2])  # fmt: skip
    rate = _rate(frames, count, path)
    about = dict(attrs or {}) | ({"steps": steps_said} if steps_said else {})
    return Reading(
        positions, rate, [str(one) for one in ids.tolist()], unit, notes=tuple(said), attrs=about,
        space=space, space_from="the file's box", lacks_space=lacks, velocities=moves,
        clock=rate is not None, images=images,
    )  # fmt: skip


def _grid(
    frames: Sequence[ParticleFrame], particles: int, path: Path
) -> tuple[Sequence[int], int, str]:
    """Which of equally distant frames each is, how many there are, and their steps in words."""
    known = [one.step for one in frames if one.step is not None]
    if len(known) < len(frames) or len(frames) < 2:
        return range(len(frames)), len(frames), ""
    made = frames_of_numbers(np.array(known, np.float64), particles,
                             lambda k: frames[k].name, path)  # fmt: skip
    if len(np.unique(made.index)) < len(frames) or (np.diff(made.index) < 1).any():
        k = int(np.argmax(np.diff(made.index) < 1)) + 1
        raise RecordingRefused(
            f"{path}: {frames[k].name}: got step {known[k]} after step {known[k - 1]}; expected "
            "rising steps. Leave out the frames that a restarted run wrote again"
        )
    return made.index.tolist(), made.count, f"{known[0]} to {known[-1]}, every {made.step:g}"


def _rate(frames: Sequence[ParticleFrame], count: int, path: Path) -> float | None:
    """Frames in a unit of time, where all have times."""
    times = [one.time for one in frames if one.time is not None]
    if len(times) < len(frames) or len(frames) < 2:
        return None
    if count == len(frames):
        return rate_of_times(np.array(times), path)
    span = times[-1] - times[0]  # frames are missing, and steps say which
    return (count - 1) / span if span > 0 else None


def _space(frames: Sequence[ParticleFrame], path: Path) -> tuple[Space | None, str]:
    """The box, and what is missing of it. Periodic axes must stay as they are; open ones hold the
    boxes of all frames."""
    first = frames[0]
    if any(one.lower is None for one in frames):
        return None, ""
    lowers = np.array([one.lower for one in frames], np.float64)
    sizes = np.array([one.size for one in frames], np.float64)
    if not (np.isfinite(lowers).all() and np.isfinite(sizes).all() and (sizes > 0).all()):
        k = int(np.argmax(~((np.isfinite(sizes) & (sizes > 0)).all(axis=1))))
        raise RecordingRefused(
            f"{path}: {frames[k].name}: got a box with sides {_listed(sizes[k])}; expected lengths "
            f"above 0. Take the file from a copy, or give the space: {EXAMPLE}"
        )
    lacks = ""
    if first.periodic is None:
        lacks = (
            "its box does not say which axes are periodic; expected the axes. Give them: "
            "--periodic xy, or --periodic none"
        )
    periodic = np.zeros(len(sizes[0]), bool) if first.periodic is None else first.periodic
    for k, one in enumerate(frames):
        if one.periodic is not None and not np.array_equal(one.periodic, periodic):
            raise RecordingRefused(
                f"{path}: {one.name}: got other periodic axes than in {first.name}; expected the "
                "same in all frames. Divide the file"
            )
        off = np.maximum(np.abs(lowers[k] - lowers[0]), np.abs(sizes[k] - sizes[0]))
        if (off > SAME * sizes[0])[periodic].any():
            raise RecordingRefused(
                f"{path}: {one.name}: got a box with sides {_listed(sizes[k])}, and "
                f"{_listed(sizes[0])} in {first.name}; expected one that stays along periodic "
                "axes. Measure stretches of constant size"
            )
    lower = np.where(periodic, lowers[0], lowers.min(axis=0))
    upper = np.where(periodic, lowers[0] + sizes[0], (lowers + sizes).max(axis=0))
    size = np.where(periodic, sizes[0], upper - lower)
    words = tuple("periodic" if one else "open" for one in periodic)
    return Space(size=tuple(size.tolist()), origin=tuple(lower.tolist()),
                 boundary=words), lacks  # type: ignore[arg-type]  # fmt: skip


def _wrapped(one: ParticleFrame, space: Space | None) -> tuple[Array, Array]:
    """Positions in the box along periodic axes, and the sides that each has gone round."""
    places = np.array(one.positions, np.float64)
    images = np.zeros(places.shape, np.int64)
    if one.images is not None:
        images += one.images
    for axis in np.flatnonzero(space.periodic) if space is not None else ():
        lower, side = space.lower[axis], space.size[axis]  # type: ignore[union-attr]
        x = places[:, axis]
        rounds = np.floor((x - lower) / side)
        rounds[(x >= lower) & (x <= lower + side)] = 0
        images[:, axis] += rounds.astype(np.int64)
        places[:, axis] = np.where(rounds == 0, x, np.clip(x - rounds * side, lower, lower + side))
    return places, images


def right_angled(cell: Array, name: str, path: Path) -> Array:
    """(D,) the sides of a cell (D, D), its vectors in rows. Raises RecordingRefused for another."""
    if np.abs(cell - np.diag(np.diag(cell))).max() > 1e-9 * np.abs(cell).max():
        raise triclinic(f"{path}: {name}")
    found: Array = np.diag(cell)
    return found


def triclinic(where: str) -> RecordingRefused:
    """The error for a box that is not right-angled."""
    return RecordingRefused(
        f"{where}: got a triclinic box; expected a right-angled one, along x, y and z. Measures "
        "know no other: simulate it again in such a box"
    )


def _listed(sides: Array) -> str:
    return " x ".join(f"{side:.8g}" for side in sides)
