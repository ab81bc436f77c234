"""GSD in the schema of HOOMD-blue, as it and `murmurate export` write it; read by gsd."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.disk import regular
from murmurate.model.space import Space
from murmurate.record.errors import RecordingRefused
from murmurate.tracks.file_head import Head
from murmurate.tracks.given_space import EXAMPLE
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.particles import ParticleFrame, reading_of, triclinic
from murmurate.tracks.reading import Reading


def read(head: Head, options: ReadOptions) -> Reading:
    """Its frames. A box of HOOMD's is periodic along every axis, with the origin in its middle;
    `murmurate export` writes its own space beside it. Raises RecordingRefused for triclinic boxes,
    and where the number of particles changes, which have no ids."""
    import gsd.hoomd

    path = head.path
    with gsd.hoomd.open(str(regular(path)), "r") as file:
        count = len(file)
        raw = [file[k] for k in range(count)]
        stored = any(file.file.chunk_exists(k, "particles/velocity") for k in range(count))
    if not raw:
        raise RecordingRefused(f"{path}: has no frames; expected at least one. Take it from a copy")
    first = raw[0]
    dims = int(first.configuration.dimensions)
    if dims not in (2, 3):
        raise RecordingRefused(
            f"{path}: got {dims} dimensions; expected 2 or 3. Take the file from a copy"
        )
    ids = np.ravel(first.log.get("particles/id", np.arange(first.particles.N))).astype(np.int64)
    counted = any(np.any(one.particles.image) for one in raw)
    frames = [_frame(one, k, ids, dims, stored, counted, path) for k, one in enumerate(raw)]
    own = "centre" in first.log
    reading = reading_of(frames, path, flat=False)
    if not own:
        return reading
    return _of_murmurate(reading, first, path)


def _frame(
    found: Any, k: int, ids: np.ndarray, dims: int, stored: bool, counted: bool, path: Path
) -> ParticleFrame:
    name, part = f"frame {k}", found.particles
    if len(ids) != part.N:
        raise RecordingRefused(
            f"{path}: {name}: got {part.N} particles, and {len(ids)} in frame 0; expected as many, "
            "since GSD has no ids. Divide the file"
        )
    box = np.asarray(found.configuration.box, np.float64)
    if box[3:].any():
        raise triclinic(f"{path}: {name}")
    centre = np.zeros(dims)
    if "centre" in found.log:
        centre = np.ravel(found.log["centre"]).astype(np.float64)
        if centre.shape != (dims,):
            raise RecordingRefused(f"{path}: {name}: its log/centre has no {dims} numbers")
    size, time = box[:dims], found.log.get("time")
    return ParticleFrame(
        name, ids, np.asarray(part.position, np.float64)[:, :dims] + centre, centre - size / 2,
        size, np.ones(dims, bool), int(found.configuration.step),
        None if time is None else float(np.ravel(time)[0]),
        np.asarray(part.velocity, np.float64)[:, :dims] if stored else None,
        np.asarray(part.image, np.int64)[:, :dims] if counted else None,
    )  # fmt: skip


def _of_murmurate(reading: Reading, first: Any, path: Path) -> Reading:
    """With the model's own space and flocks."""
    log, dims = first.log, reading.positions.shape[2]
    of, names = np.asarray(first.particles.typeid), list(first.particles.types)
    flocks = {name: np.flatnonzero(of == k) for k, name in enumerate(names)}
    if not {"lower", "size", "periodic"} <= set(log):
        lacks = (
            "it does not say which axes are periodic, as exports of murmurate up to 0.4 do not; "
            f"expected the space. Export it again, or give it: {EXAMPLE}, or --periodic none"
        )
        return replace(reading, space=None, lacks_space=lacks, flocks=flocks)
    try:
        lower, size, periodic = (np.ravel(log[name]).tolist()
                                 for name in ("lower", "size", "periodic"))  # fmt: skip
        space = Space(size=tuple(size), origin=tuple(lower), boundary=tuple(
            "periodic" if one else "open" for one in periodic))  # fmt: skip
        if space.dims != dims:
            raise ValueError(f"{space.dims} axes for {dims}-D positions")
    except (TypeError, ValueError) as error:
        raise RecordingRefused(
            f"{path}: its space cannot be read: {' '.join(str(error).split())[:200]}; expected "
            f"what murmurate writes. Export it again, or give it: {EXAMPLE}"
        ) from None
    return replace(reading, space=space, space_from="the file", flocks=flocks)
