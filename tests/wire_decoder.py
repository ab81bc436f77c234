"""Decode frames of the live view, as pages do. See murmurate/show/wire_format.py."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from murmurate.show.wire_format import HEADER, LAYOUT, MAGIC, RECORD, RECORDS, VERSION, Array


@dataclass(frozen=True)
class DecodedFrame:
    """A decoded frame.

    positions   (N, D) float64, length units
    speeds      (N,) float64
    headings    (N, D) float64, approximately unit vectors; zeros at rest
    neighbours  (N,) uint8
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


def decode(data: bytes | bytearray) -> DecodedFrame:
    """Decode the bytes of a frame. Raises ValueError for other bytes."""
    if len(data) < HEADER:
        raise ValueError(f"got {len(data)} bytes; expected at least the {HEADER} of the header")
    magic, version, dims, scene, count, step, time, *rest = LAYOUT.unpack_from(data)
    if magic != MAGIC or version != VERSION:
        raise ValueError("got bytes that are not a frame of this version")
    if len(data) != HEADER + RECORD * count:
        raise ValueError(f"got {len(data)} bytes; expected {RECORD} for each of {count} boids")
    lower, side = np.array(rest[0:3]), np.array(rest[3:6])
    fastest, flags, rate = rest[6:9]
    records = np.frombuffer(data, RECORDS, offset=HEADER)
    positions = lower + (records["position"].astype(np.float64) + 0.5) / 65536.0 * side
    return DecodedFrame(
        dims, scene, step, time, lower, side, fastest, flags, rate,
        positions[:, :dims],
        records["speed"] / 65535.0 * fastest,
        records["heading"][:, :dims] / 127.0,
        records["neighbours"].copy(),
    )  # fmt: skip
