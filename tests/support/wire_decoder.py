"""Decode frames of the live view, as pages do. See murmurate/show/wire_format.py."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from murmurate.show.wire_format import (
    CHANGING,
    COLOURED,
    FIELDS,
    HEADER,
    HEADING,
    LEVELS,
    MAGIC,
    NO_VALUE,
    POSITION_LEVELS,
    RECORD,
    RECORDS,
    RGB,
    SPEED_LEVELS,
    VERSION,
    Array,
)


@dataclass(frozen=True)
class DecodedFrame:
    """A decoded frame.

    positions   (N, D) float64, length units
    speeds      (N,) float64
    headings    (N, D) float64, approximately unit vectors; zeros at rest
    neighbours  (N,) uint8
    numbers     (F, 2) uint32 boids present and ever of each flock, if they change
    indices     (N,) uint32 index of each boid within its flock, if numbers change
    values      (N,) float64 a number that differs between boids, nan for boids without it
    which       place of the number in the scene
    rgb         (N, 3) uint8 colours
    """

    dims: int
    scene: int
    step: float
    time: float
    lower: Array
    side: Array
    fastest: float
    flags: int
    rate: float
    positions: Array
    speeds: Array
    headings: Array
    neighbours: Array
    numbers: Array | None = None
    indices: Array | None = None
    values: Array | None = None
    which: int = 0
    rgb: Array | None = None


def decode(data: bytes | bytearray) -> DecodedFrame:
    """Decode the bytes of a frame. Raises ValueError for other bytes."""
    if len(data) < HEADER:
        raise ValueError(f"got {len(data)} bytes; expected at least the {HEADER} of the header")
    magic, version, dims, scene, count, step, time, lower, side, *rest = np.frombuffer(
        data, FIELDS, 1
    )[0].tolist()
    if magic != MAGIC or version != VERSION:
        raise ValueError("got bytes that are not a frame of this version")
    fastest, flags, rate, flocks, which, low, high, _ = rest
    changing, coloured, rgb = (bool(flags & flag) for flag in (CHANGING, COLOURED, RGB))
    flocks = flocks if changing else 0
    end = HEADER + RECORD * count
    extra = 8 * flocks + 4 * count * changing + 2 * count * coloured + 3 * count * rgb
    if len(data) != end + extra:
        raise ValueError(f"got {len(data)} bytes; expected {end + extra} for {count} boids")
    lower, side = np.array(lower), np.array(side)
    records = np.frombuffer(data, RECORDS, count, HEADER)
    numbers = np.frombuffer(data, "<u4", 2 * flocks, end).reshape(-1, 2)
    indices = np.frombuffer(data, "<u4", count * changing, end + 8 * flocks)
    colours = np.frombuffer(data, "u1", 3 * count * rgb, len(data) - 3 * count * rgb)
    start = len(data) - colours.nbytes - 2 * count * coloured
    levels = np.frombuffer(data, "<u2", count * coloured, start)
    values = low + levels / LEVELS * (high - low)
    positions = lower + (records["position"].astype(np.float64) + 0.5) / POSITION_LEVELS * side
    return DecodedFrame(
        dims, scene, step, time, lower, side, fastest, flags, rate,
        positions[:, :dims],
        records["speed"] / SPEED_LEVELS * fastest,
        records["heading"][:, :dims] / HEADING,
        records["neighbours"].copy(),
        numbers if changing else None,
        indices if changing else None,
        np.where(levels == NO_VALUE, np.nan, values) if coloured else None,
        which,
        colours.reshape(-1, 3) if rgb else None,
    )  # fmt: skip
