"""Starts of boids that join: positions and velocities as functions of seed, stream and index.

They have the laws of the starts of a model, but each boid's numbers depend on its index alone, so
that a start never depends on what happened before.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from murmurate.engines import rng
from murmurate.engines.state import Floats
from murmurate.model.rng_streams import rng_stream_id
from murmurate.model.space import Space

Ints = NDArray[np.int64]


# --- random numbers


def uniforms(seed: int, stream: str, indices: Ints, count: int, step: int = 0) -> Floats:
    """Return uniform random numbers in [0, 1) with 53 bits: (len(indices), count) float64.

    A number is a function of seed, stream, index, step and its column alone.

    stream  name of the stream of random numbers
    indices  (N,) indices of boids within their flock
    count  numbers for each boid: at most 2^17
    step  step of the numbers, below 2^48
    """
    blocks, size = (count + 1) // 2, len(indices)
    high = np.repeat((step >> 32) | np.arange(blocks) << 16, size)
    words = _philox(np.tile(indices, blocks), step & 0xFFFFFFFF, high, rng_stream_id(stream), seed)
    pairs = [((x >> 5) * 2.0**26 + (y >> 6)) * 2.0**-53 for x, y in (words[:2], words[2:])]
    numbers = np.stack([pair.reshape(blocks, size) for pair in pairs], axis=1)
    return np.asarray(numbers.reshape(2 * blocks, size)[:count].T)


def _philox(indices: Ints, low: int, high: Ints, stream: int, seed: int) -> tuple[Any, ...]:
    """Return four (N,) uint64 arrays of 32 random bits: Philox4x32-10, as in the kernels."""
    mask, shift = np.uint64(0xFFFFFFFF), np.uint64(32)
    m, n = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
    c0, c2 = indices.astype(np.uint64), high.astype(np.uint64)
    c1, c3 = np.full_like(c0, low), np.full_like(c0, stream)
    k0, k1 = (int(key) for key in rng.split_seed(seed))
    for _ in range(10):
        p, q = m * c0, n * c2
        c0, c1 = (q >> shift) ^ c1 ^ np.uint64(k0), q & mask
        c2, c3 = (p >> shift) ^ c3 ^ np.uint64(k1), p & mask
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return c0, c1, c2, c3


# --- starts of boids that join


def draw_directions(dims: int, u: Floats) -> Floats:
    """Return (N, D) unit vectors in uniform directions from (N, 2) uniform numbers."""
    angle = 2.0 * np.pi * u[:, 0]
    if dims == 2:
        return np.stack([np.cos(angle), np.sin(angle)], axis=1)
    z = 2.0 * u[:, 1] - 1.0
    radius = np.sqrt(1.0 - z * z)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), z], axis=1)


def draw_start(start: Any, space: Space, seed: int, stream: str, indices: Ints) -> tuple[Any, Any]:
    """Return (N, D) positions and velocities of boids that join by a source; see `uniforms`."""
    dims, count = space.dims, len(indices)
    lower, upper = np.array(space.lower), np.array(space.upper)
    centre = np.array(getattr(start, "centre", ()) or (lower + upper) / 2)
    if start.kind == "given":
        rows = indices % len(start.positions)
        velocities = np.array(start.velocities or np.zeros((len(start.positions), dims)))
        return np.array(start.positions, float)[rows], velocities[rows]
    u = uniforms(seed, f"{stream}/positions", indices, 4)
    if start.kind == "ring":
        angle = 2.0 * np.pi * u[:, 0]
        outward, along = np.zeros((count, dims)), np.zeros((count, dims))
        outward[:, 0], outward[:, 1] = np.cos(angle), np.sin(angle)
        along[:, 0], along[:, 1] = -outward[:, 1], outward[:, 0]
        return centre + start.radius * outward, start.speed * along
    if start.kind == "box":
        low, high = np.array(start.lower or lower), np.array(start.upper or upper)
        positions = low + (high - low) * u[:, :dims]
    elif start.kind == "ball":
        radius = start.radius * u[:, :1] ** (1.0 / dims)
        positions = centre + radius * draw_directions(dims, u[:, 1:3])
    else:
        positions = _draw_off_screen(start.distance, space, seed, f"{stream}/positions", indices)
    return positions, _draw_velocities(start.velocity, dims, seed, f"{stream}/velocities", indices)


def _draw_off_screen(
    distance: float, space: Space, seed: int, stream: str, indices: Ints
) -> Floats:
    """Return (N, D) positions outside of the space, up to `distance` from it."""
    lower, upper = np.array(space.lower), np.array(space.upper)
    positions, missing, attempt = np.empty((len(indices), space.dims)), np.arange(len(indices)), 0
    while len(missing):
        u = uniforms(seed, stream, indices[missing], space.dims, attempt)
        drawn = lower - distance + (upper - lower + 2 * distance) * u
        positions[missing] = drawn
        missing = missing[((drawn >= lower) & (drawn <= upper)).all(axis=1)]
        attempt += 1
    return positions


def _draw_velocities(law: Any, dims: int, seed: int, stream: str, indices: Ints) -> Floats:
    """Return (N, D) velocities by the velocity law of a start."""
    count = len(indices)
    if law.kind == "stationary":
        return np.zeros((count, dims))
    u = uniforms(seed, stream, indices, 6)
    if law.kind == "directions":
        top = law.speed if law.up_to is None else law.up_to
        speed = law.speed + (top - law.speed) * u[:, :1]
        return np.asarray(speed * draw_directions(dims, u[:, 1:3]))
    if law.kind == "cube":
        low, high = np.array(law.lower), np.array(law.upper)
        velocities: Floats = low + (high - low) * u[:, :dims]
        if law.speed is not None:
            length = np.linalg.norm(velocities, axis=1, keepdims=True)
            velocities *= np.divide(law.speed, length, where=length > 0, out=np.zeros_like(length))
        return velocities
    # Box and Muller 1958, doi:10.1214/aoms/1177706645
    noise = np.sqrt(-2.0 * np.log1p(-u[:, :dims])) * np.cos(2.0 * np.pi * u[:, 3 : 3 + dims])
    return np.asarray(law.velocity + law.spread * noise)


def place_newborns(
    positions: Floats, distance: float, space: Space, seed: int, stream: str, indices: Ints
) -> Floats:
    """Return (N, D) positions of newborns at a distance from those of their parents.

    Beyond a closed face they are reflected into the space.
    """
    u = uniforms(seed, stream, indices, 2)
    placed = positions.astype(float) + distance * draw_directions(space.dims, u)
    for axis, boundary in enumerate(space.boundaries):
        if boundary in ("reflecting", "held"):
            low, high, column = space.lower[axis], space.upper[axis], placed[:, axis]
            column[:] = np.where(column < low, 2 * low - column, column)
            column[:] = np.where(column > high, 2 * high - column, column)
            np.clip(column, low, high, out=column)
    return np.asarray(placed)
