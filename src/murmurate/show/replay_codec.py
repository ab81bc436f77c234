"""Replay codec: positions of all boids in all frames, compressed to text, and back.

    positions -> 65536 places a side -> differences in time -> zig-zag -> byte planes -> deflate
              -> base64

A page decodes it again, and so does `decode` here. The packing loses nothing after the first arrow:
a boid's decoded position is less than 1/131072 of the box away from where it was.

Numbers lie boid after boid, each through all its frames, one axis after the other; first the high
bytes of all of them, then the low ones. Differences are taken 1, 2 or 3 times, modulo 65536, so
that crossing the edge of a torus is a small difference. How often, and deflate's strategy, is
chosen by packing a part of the frames each way.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator, Sequence

import numpy as np

Array = np.ndarray

PLACES = 65536  # along a side of the box
ORDERS = (2, 1, 3)  # how often differences are taken
STRATEGIES = (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED, zlib.Z_HUFFMAN_ONLY)
LEVEL, MEMORY = 9, 9
_TRIED = 300_000  # numbers that are packed each way, to see which is best
_AT_ONCE = 2_000_000  # numbers that are worked on at a time, so that memory stays flat


def quantize(positions: Array, lower: Array, side: Array, periodic: Array) -> Array:
    """(N, D) uint16: the place of each position in the box, counted from its lower corner.

    lower, side  (D,) of the box, length units; side > 0
    periodic     (D,) bool: axes on which positions outside the box are moved into it
    """
    places = np.floor((np.asarray(positions, np.float64) - lower) * (PLACES / side))
    turned = np.where(periodic, places % PLACES, np.clip(places, 0, PLACES - 1))
    whole: Array = turned.astype(np.uint16)
    return whole


def dequantize(places: Array, lower: Array, side: Array) -> Array:
    """(..., D) float64: where those places are: the middle of each, length units."""
    middle: Array = np.asarray(lower) + (places.astype(np.float64) + 0.5) * (
        np.asarray(side) / PLACES
    )
    return middle


def encode(places: Sequence[Array]) -> tuple[int, str]:
    """How often differences were taken, and the packed flight as base64 text.

    places  T arrays (N, D) uint16, one a frame, all of one shape; T >= 1
    """
    order, strategy = _best_settings(places)
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, zlib.MAX_WBITS, MEMORY, strategy)
    packed = [
        packer.compress(plane.tobytes())
        for shift in (8, 0)
        for numbers in _blocks(places)
        for plane in [(_zigzag(numbers, order) >> shift).astype(np.uint8)]
    ]
    packed.append(packer.flush())
    return order, base64.b64encode(b"".join(packed)).decode("ascii")


def decode(payload: str, frames: int, count: int, dims: int, order: int = 2) -> Array:
    """(T, N, D) uint16: what `encode` was given. Raises ValueError for text that is no replay of
    so many frames, boids and axes."""
    try:
        data = zlib.decompress(base64.b64decode(payload, validate=True))
    except (zlib.error, ValueError) as error:
        raise ValueError(f"the replay cannot be unpacked: {error}") from None
    many = frames * count * dims
    if len(data) != 2 * many:
        raise ValueError(f"the replay has {len(data)} bytes, not {2 * many}")
    planes = np.frombuffer(data, np.uint8).reshape(2, dims, count, frames)
    folded = planes[0].astype(np.uint16) << 8 | planes[1]
    numbers = folded >> 1 ^ -(folded & 1)  # uint16 wraps
    for _ in range(order):
        numbers = np.cumsum(numbers, axis=-1, dtype=np.uint16)
    return np.ascontiguousarray(numbers.transpose(2, 1, 0))


def _blocks(places: Sequence[Array]) -> Iterator[Array]:
    """(n, T) uint16 each: some boids on one axis, through all frames."""
    count, dims = places[0].shape
    step = max(1, _AT_ONCE // len(places))
    for axis in range(dims):
        for first in range(0, count, step):
            yield np.stack([frame[first : first + step, axis] for frame in places], axis=1)


def _zigzag(numbers: Array, order: int) -> Array:
    """Differences along the last axis, so many times; then 0, -1, 1, -2, ... as 0, 1, 2, 3, ..."""
    for _ in range(order):
        less = numbers.copy()
        less[:, 1:] -= numbers[:, :-1]
        numbers = less
    signed = numbers.view(np.int16)
    folded: Array = ((signed << 1) ^ (signed >> 15)).view(np.uint16)
    return folded


def _best_settings(places: Sequence[Array]) -> tuple[int, int]:
    """The order of differences and the deflate strategy that pack a part of the flight smallest."""
    count, dims = places[0].shape
    some = max(1, _TRIED // (len(places) * dims))
    few = [frame[:: max(1, -(-count // some))] for frame in places]
    sizes = {}
    for order in ORDERS:
        folded = np.concatenate([_zigzag(part, order) for part in _blocks(few)] or [few[0]])
        data = (folded >> 8).astype(np.uint8).tobytes() + (folded & 255).astype(np.uint8).tobytes()
        for strategy in STRATEGIES:
            packer = zlib.compressobj(LEVEL, zlib.DEFLATED, zlib.MAX_WBITS, MEMORY, strategy)
            sizes[order, strategy] = len(packer.compress(data)) + len(packer.flush())
    return min(sizes, key=lambda way: sizes[way])
