"""Encode a frame as the bytes that are sent to a viewer.

A header of 96 bytes, `FIELDS`, is followed by 12 bytes per boid, `RECORDS`, in order of id:

    position = lower + (q + 0.5) / POSITION_LEVELS * side
    speed = q / SPEED_LEVELS * fastest
    heading = q / HEADING, zeros at rest; of a boid that perches q / PERCHED, the level part
    neighbours: at most 255; 0 if not counted

Flags announce:

    NEIGHBOURS  records have neighbour counts
    CHANGING    boids join and leave: after the records, uint32 present and uint32 ever for each
                flock, then uint32 index within its flock for each boid
    COLOURED    after these, uint16 level of each boid of a number that differs between boids:
                value = low + q / LEVELS * (high - low); NO_VALUE = the boid does not have it
    RGB         after these, uint8 red, green and blue of each boid, sRGB

Viewers that know only NEIGHBOURS ignore what follows the records.

docs/live-numbers.md describes all this for clients. VERSION rises when they would misread frames,
MINOR when something is added.

The box is that of the space on axes with faces, and the bounds of the frame on open axes. A decoded
position is within side / 131072 of the true one. In 2-D the third axis has lower 0 and side 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.jit import njit, stored
from murmurate.show.scene_types import WireInfo

Array = np.ndarray

FIELDS = np.dtype(
    [
        ("magic", "<u4"), ("version", "<u2"), ("dims", "<u2"), ("scene", "<u4"), ("count", "<u4"),
        ("step", "<f8"), ("time", "<f8"), ("lower", "<f4", 3), ("side", "<f4", 3),
        ("fastest", "<f4"), ("flags", "<u4"), ("rate", "<f4"), ("flocks", "<u2"), ("which", "<u2"),
        ("low", "<f4"), ("high", "<f4"), ("zeros", "V16"),
    ]
)  # fmt: skip
"""The header. `scene` is that of the scene message, `lower` and `side` are the box, `fastest` is
the speed of the highest level and `rate` steps per second, 0 = paused. With CHANGING there are
`flocks`; with COLOURED `which` is the number's place in the scene's `per_boid`."""
RECORDS = np.dtype(
    [("position", "<u2", 3), ("speed", "<u2"), ("heading", "i1", 3), ("neighbours", "u1")]
)
MAGIC, VERSION, MINOR = 0x4D524D46, 1, 0  # 'FMRM'
HEADER, RECORD = FIELDS.itemsize, RECORDS.itemsize
NEIGHBOURS, CHANGING, COLOURED, RGB = 1, 2, 4, 8  # flags
POSITION_LEVELS, SPEED_LEVELS = 65536, 65535
LEVELS, NO_VALUE = 65534, 65535
HEADING, PERCHED = 127, 63
MAX_VALUE = 1e30  # of a number, so that float32 holds it


def description() -> WireInfo:
    """Return facts for readers of frames: the version, and the columns by their types in numpy."""
    frame, boid = _columns(FIELDS), _columns(RECORDS)
    return {"version": f"{VERSION}.{MINOR}", "frame": frame, "boid": boid}


def _columns(fields: np.dtype[Any]) -> list[list[str | int]]:
    table: list[Any] = fields.descr
    return [[name, kind, *(shape[0] for shape in shapes)] for name, kind, *shapes in table]


def encode(
    frame: Frame,
    scene: int = 0,
    rate: float = 0.0,
    neighbours: Array | None = None,
    *,
    indices: Sequence[Array] | None = None,
    number: tuple[int, str] | None = None,
    rgb: Array | None = None,
) -> bytearray:
    """Return a frame as bytes.

    scene  number of the scene message that the frame belongs to
    rate  present steps per second; 0 if paused
    neighbours  (N,)
    indices  (N,) index of each boid within its flock, for each flock, if boids join and leave
    number  a number that differs between boids: its place in the scene's `per_boid`, and
        its path
    rgb  (N, 3) uint8 colours
    """
    dims, count = frame.space.dims, frame.n_boids
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    flocks = [_finite(flock, low, high) for flock in frame.values()]
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
    changing = b"" if indices is None else _changing(frame, indices)
    which, low_value, high_value, levels = 0, 0.0, 0.0, b""
    if number is not None:
        which, (low_value, high_value, levels) = number[0], _levels(frame, number[1])
    flags = (
        (NEIGHBOURS if counted else 0)
        | (0 if indices is None else CHANGING)
        | (0 if number is None else COLOURED)
        | (0 if rgb is None else RGB)
    )
    out = bytearray(HEADER + RECORD * count)
    np.frombuffer(out, FIELDS, 1)[0] = (
        MAGIC, VERSION, dims, scene & 0xFFFFFFFF, count, frame.step, frame.time, lower, side, top,
        flags, rate, 0 if indices is None else len(frame), which, low_value, high_value, b"",
    )  # fmt: skip
    records = np.frombuffer(out, "<u4", offset=HEADER).reshape(count, 3)
    extra = np.zeros(count, np.uint8)
    if neighbours is not None and counted:
        extra = np.minimum(neighbours, 255).astype(np.uint8)
    scale, first = POSITION_LEVELS / side.astype(np.float64), 0
    for (positions, velocities, _), flock in zip(flocks, frame.values(), strict=True):
        part = slice(first, first + len(positions))
        _write(
            positions, velocities, lower.astype(np.float64), scale, float(top), extra[part],
            np.ascontiguousarray(flock.perching), records[part],
        )  # fmt: skip
        first += len(positions)
    if not flags & ~NEIGHBOURS:
        return out
    return out + changing + levels + (b"" if rgb is None else rgb.tobytes())


def _changing(frame: Frame, indices: Sequence[Array]) -> bytes:
    """Return the numbers of boids of each flock, and the index of each boid in its flock."""
    counts = np.array([(len(flock), flock.n_ever) for flock in frame.values()], "<u4")
    return counts.tobytes() + b"".join(np.asarray(index, "<u4").tobytes() for index in indices)


def _levels(frame: Frame, path: str) -> tuple[float, float, bytes]:
    """Return the values of level 0 and of the last level, and the level of each boid."""
    nothing = np.array(np.nan)
    values = np.concatenate(
        [
            flock.per_boid(path).astype(np.float64)
            if path in flock.traits or path in flock.state_names
            else np.broadcast_to(nothing, len(flock))
            for flock in frame.values()
        ]
        or [np.zeros(0)]
    )
    finite = np.isfinite(values)
    low, high = (float(x(values[finite])) if finite.any() else 0.0 for x in (np.min, np.max))
    low, high = max(low, -MAX_VALUE), min(high, MAX_VALUE)
    side = max(high - low, np.finfo(np.float32).tiny)
    levels = np.full(len(values), NO_VALUE, "<u2")
    parts = np.clip((values[finite] - low) / side, 0.0, 1.0)
    levels[finite] = np.rint(parts * LEVELS).astype("<u2")
    return low, high, levels.tobytes()


def _finite(flock: FlockFrame, low: Array, high: Array) -> tuple[Array, Array, float]:
    """Return positions and velocities without nan, and the highest speed; extend the bounds.

    Numbers of lost boids that are not finite become 0.
    """
    positions, velocities = map(np.ascontiguousarray, (flock.positions, flock.velocities))
    ends, fastest = (low.copy(), high.copy()), np.empty(1)
    _measure(positions, velocities, *ends, fastest)
    if not np.isfinite(fastest[0]):
        positions, velocities = (
            np.clip(np.nan_to_num(array, nan=0.0), -1e15, 1e15) for array in (positions, velocities)
        )
        ends = low.copy(), high.copy()
        _measure(positions, velocities, *ends, fastest)
    low[:], high[:] = ends
    return positions, velocities, float(fastest[0])


def _outward(low: float, high: float) -> tuple[Any, Any]:
    """Return a float32 lower bound and a positive side that cover low to high."""
    lower: Any = np.float32(low)
    if lower > low:
        lower = np.nextafter(lower, np.float32(-np.inf))
    min_side = np.float32(1e-6) * max(np.float32(1.0), abs(lower))
    side: Any = max(np.float32(high - float(lower)), min_side)
    while float(lower) + float(side) < high:
        side = np.nextafter(side, np.float32(np.inf))
    return lower, side


_options: dict[str, Any] = {"error_model": "numpy", "boundscheck": False}


@stored(**_options)
def _measure(positions: Any, velocities: Any, low: Any, high: Any, fastest: Any) -> None:
    """Extend the bounds and write the highest speed; nan if a number is not finite."""
    dims = positions.shape[1]
    odd = 0
    for d in range(dims):
        minimum, maximum = low[d], high[d]
        for i in range(len(positions)):
            x = float(positions[i, d])
            minimum = x if x < minimum else minimum
            maximum = x if x > maximum else maximum
            odd |= not abs(x) < np.inf
        low[d], high[d] = minimum, maximum
    top: Any = np.float32(0.0)
    for i in range(len(velocities)):
        u, v = np.float32(velocities[i, 0]), np.float32(velocities[i, 1])
        w = np.float32(velocities[i, 2]) if dims == 3 else np.float32(0.0)
        s2 = u * u + v * v + w * w
        top = s2 if s2 > top else top
        odd |= not s2 < np.inf
    fastest[0] = np.nan if odd else np.sqrt(float(top))


@njit(**_options)
def _word(x: float) -> Any:
    """Round down to 0 ... 65535."""
    return np.uint32(np.int32(max(min(x, 65535.0), 0.0)))


@njit(**_options)
def _byte(x: Any) -> Any:
    """Round to -127 ... 127 as an unsigned byte."""
    return np.uint32(np.int32(np.rint(x))) & np.uint32(255)


@stored(**_options)
def _write(
    positions: Any, velocities: Any, lower: Any, scale: Any, fastest: float, extra: Any,
    perching: Any, out: Any,
) -> None:  # fmt: skip
    """Fill (N, 3) words of 32 bits.

    Headings are computed in single precision, which is twice as fast and finer than a byte.
    """
    is_3d = positions.shape[1] == 3
    full = np.float32(SPEED_LEVELS / max(fastest, 1e-30))
    tiny = np.float32(1e-18)
    half, perched = np.uint32(16), np.float32(PERCHED)
    for i in range(len(positions)):
        x = _word((float(positions[i, 0]) - lower[0]) * scale[0])
        y = _word((float(positions[i, 1]) - lower[1]) * scale[1])
        z = _word((float(positions[i, 2]) - lower[2]) * scale[2]) if is_3d else np.uint32(0)
        u, v = np.float32(velocities[i, 0]), np.float32(velocities[i, 1])
        w = np.float32(velocities[i, 2]) if is_3d else np.float32(0.0)
        speed = np.sqrt(u * u + v * v + w * w)
        q = _word(speed * full + np.float32(0.5))
        if perching[i]:
            w = np.float32(0.0)
            speed = np.sqrt(u * u + v * v)
            if not speed > tiny:
                u, speed = np.float32(1.0), np.float32(1.0)
        k = (perched if perching[i] else np.float32(HEADING)) / max(speed, tiny)
        out[i, 0] = x | (y << half)
        out[i, 1] = z | (q << half)
        out[i, 2] = (
            _byte(u * k)
            | (_byte(v * k) << np.uint32(8))
            | (_byte(w * k) << half)
            | (np.uint32(extra[i]) << np.uint32(24))
        )
