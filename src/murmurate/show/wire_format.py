"""Wire format: one frame as the bytes that are sent to a viewer.

A header of 96 bytes, then 12 bytes a boid, in id order, little endian:

     0  4 bytes  'FMRM'                   32  3 float32  lower corner of the box
     4  uint16   version, 1               44  3 float32  its sides
     6  uint16   dimensions, 2 or 3       56  float32    the speed that 65535 stands for
     8  uint32   scene                    60  uint32     flags: 1 = the last byte counts neighbours
    12  uint32   N                        64  float32    steps a second, 0 = paused
    16  float64  step                     68  28 bytes   zeros
    24  float64  time

    record:  uint16 x, y, z    place = lower + (q + 0.5) / 65536 * side
             uint16 speed      speed = q / 65535 * fastest
             int8 x, y, z      unit heading * 127; zeros at rest
             uint8             neighbours, 255 and more as 255; 0 where they are not counted

The box is the space's on axes with faces, and the frame's own bounds on open ones, so a decoded
place is within side / 131072 of the true one. In 2-D the third axis has lower 0, side 1.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit

from murmurate.frame import FlockFrame, Frame

Array = np.ndarray

MAGIC, VERSION, HEADER, RECORD = 0x4D524D46, 1, 96, 12
NEIGHBOURS = 1
LAYOUT = struct.Struct("<IHHIIdd3f3ffIf28x")
RECORDS = np.dtype(
    [("place", "<u2", 3), ("speed", "<u2"), ("heading", "i1", 3), ("neighbours", "u1")]
)


def encode(
    frame: Frame, scene: int = 0, rate: float = 0.0, neighbours: Array | None = None
) -> bytearray:
    """The frame's bytes.

    scene       number that the page compares with its scene's
    rate        steps a second that are flown now, 0 when paused
    neighbours  (N,) whole numbers, how many neighbours each boid has
    """
    dims, count = frame.space.dims, len(frame)
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    flocks = [_finite(flock, low, high) for flock in frame]
    fastest = max((flock[2] for flock in flocks), default=0.0)
    lower, side = np.zeros(3, np.float32), np.ones(3, np.float32)
    for axis, boundary in enumerate(frame.space.boundaries):
        if boundary != "open":
            lower[axis], side[axis] = frame.space.lower[axis], frame.space.size[axis]
        elif low[axis] <= high[axis]:
            lower[axis], side[axis] = _outward(low[axis], high[axis])
    top: Any = np.float32(fastest)
    top = np.nextafter(top, np.float32(np.inf)) if top < fastest else top
    counted = neighbours is not None and len(neighbours) == count
    out = bytearray(HEADER + RECORD * count)
    LAYOUT.pack_into(
        out, 0, MAGIC, VERSION, dims, scene & 0xFFFFFFFF, count, float(frame.step), frame.time,
        *map(float, lower), *map(float, side), float(top), NEIGHBOURS if counted else 0, rate,
    )  # fmt: skip
    records = np.frombuffer(out, "<u4", offset=HEADER).reshape(count, 3)
    extra = np.zeros(count, np.uint8)
    if neighbours is not None and counted:
        extra = np.minimum(neighbours, 255).astype(np.uint8)
    scale, first = 65536.0 / side.astype(np.float64), 0
    for positions, velocities, _ in flocks:
        part = slice(first, first + len(positions))
        _write(
            positions, velocities, lower.astype(np.float64), scale, float(top), extra[part],
            records[part],
        )  # fmt: skip
        first += len(positions)
    return out


def _finite(flock: FlockFrame, low: Array, high: Array) -> tuple[Array, Array, float]:
    """A flock's positions and velocities, and its highest speed; the bounds are widened to hold it.
    Numbers that are not finite (a boid that got lost) become 0."""
    positions, velocities = flock.positions, flock.velocities
    ends = low.copy(), high.copy()
    fastest = _measure(positions, velocities, *ends)
    if not np.isfinite(fastest):
        positions, velocities = (
            np.clip(np.nan_to_num(array, nan=0.0), -1e15, 1e15) for array in (positions, velocities)
        )
        ends = low.copy(), high.copy()
        fastest = _measure(positions, velocities, *ends)
    low[:], high[:] = ends
    return positions, velocities, fastest


def _outward(low: float, high: float) -> tuple[Any, Any]:
    """A float32 lower bound and side that reach from low to high, and are never empty."""
    lower: Any = np.float32(low)
    if lower > low:
        lower = np.nextafter(lower, np.float32(-np.inf))
    least = np.float32(1e-6) * max(np.float32(1.0), abs(lower))
    side: Any = max(np.float32(high - float(lower)), least)
    while float(lower) + float(side) < high:
        side = np.nextafter(side, np.float32(np.inf))
    return lower, side


_compiled = njit(nogil=True, cache=True, error_model="numpy", boundscheck=False)


@_compiled
def _measure(positions: Any, velocities: Any, low: Any, high: Any) -> float:
    """Widens the bounds, and returns the highest speed; nan where a number is not finite."""
    dims = positions.shape[1]
    odd = 0
    for d in range(dims):
        least, most = low[d], high[d]
        for i in range(len(positions)):
            x = float(positions[i, d])
            least = x if x < least else least
            most = x if x > most else most
            odd |= not abs(x) < np.inf
        low[d], high[d] = least, most
    top: Any = np.float32(0.0)
    for i in range(len(velocities)):
        u, v = np.float32(velocities[i, 0]), np.float32(velocities[i, 1])
        w = np.float32(velocities[i, 2]) if dims == 3 else np.float32(0.0)
        s2 = u * u + v * v + w * w
        top = s2 if s2 > top else top
        odd |= not s2 < np.inf
    return np.nan if odd else np.sqrt(float(top))


@_compiled
def _word(x: float) -> Any:
    """0 ... 65535, rounded down."""
    return np.uint32(np.int32(max(min(x, 65535.0), 0.0)))


@_compiled
def _byte(x: Any) -> Any:
    """-127 ... 127, rounded."""
    return np.uint32(np.int32(np.rint(x))) & np.uint32(255)


@_compiled
def _write(
    positions: Any, velocities: Any, lower: Any, scale: Any, fastest: float, extra: Any, out: Any
) -> None:
    """Fills (N, 3) words of 32 bits. Headings are in single precision, which is twice as fast and
    a thousand times finer than a byte."""
    deep = positions.shape[1] == 3
    full = np.float32(65535.0 / max(fastest, 1e-30))
    least = np.float32(1e-18)
    half = np.uint32(16)
    for i in range(len(positions)):
        x = _word((float(positions[i, 0]) - lower[0]) * scale[0])
        y = _word((float(positions[i, 1]) - lower[1]) * scale[1])
        z = _word((float(positions[i, 2]) - lower[2]) * scale[2]) if deep else np.uint32(0)
        u, v = np.float32(velocities[i, 0]), np.float32(velocities[i, 1])
        w = np.float32(velocities[i, 2]) if deep else np.float32(0.0)
        speed = np.sqrt(u * u + v * v + w * w)
        k = np.float32(127.0) / max(speed, least)
        q = _word(speed * full + np.float32(0.5))
        out[i, 0] = x | (y << half)
        out[i, 1] = z | (q << half)
        out[i, 2] = (
            _byte(u * k)
            | (_byte(v * k) << np.uint32(8))
            | (_byte(w * k) << half)
            | (np.uint32(extra[i]) << np.uint32(24))
        )


@dataclass(frozen=True)
class DecodedFrame:
    """A frame as it is read from its bytes.

    positions   (N, D) float64, length units
    speeds      (N,) float64
    headings    (N, D) float64, near unit length; zeros at rest
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
    """Reads a frame's bytes. Raises ValueError for what is none."""
    if len(data) < HEADER:
        raise ValueError(f"{len(data)} bytes are no frame: its header alone has {HEADER}")
    magic, version, dims, scene, count, step, time, *rest = LAYOUT.unpack_from(data)
    if magic != MAGIC or version != VERSION:
        raise ValueError("these bytes are not a frame of this version")
    if len(data) != HEADER + RECORD * count:
        raise ValueError(f"{len(data)} bytes for {count} boids: there must be {RECORD} for each")
    lower, side = np.array(rest[0:3]), np.array(rest[3:6])
    fastest, flags, rate = rest[6:9]
    records = np.frombuffer(data, RECORDS, offset=HEADER)
    places = lower + (records["place"].astype(np.float64) + 0.5) / 65536.0 * side
    return DecodedFrame(
        dims, scene, step, time, lower, side, fastest, flags, rate,
        places[:, :dims],
        records["speed"] / 65535.0 * fastest,
        records["heading"][:, :dims] / 127.0,
        records["neighbours"].copy(),
    )  # fmt: skip
