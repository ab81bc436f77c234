"""Smallest distances between drones, in continuous time.

Time is divided into windows. In each, a drone is inside the box of its control points, and a tree
of these boxes finds the pairs that may be near each other. Only for these the squared distance is
computed, as a polynomial.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from murmurate.flights.bernstein import Array, Curves, smallest, squared_norm
from murmurate.flights.trajectory import Flight, part_of

BATCH = 100_000  # parts of paths whose distance is computed at a time
MAX_WINDOWS = 100_000
TOLERANCE = 1e-7  # metres squared


def smallest_distances(
    flight: Flight, limit: float, speed: float
) -> tuple[dict[tuple[int, int], tuple[float, float]], float]:
    """Return pairs of drones -> (smallest distance, its time), and how far was searched.

    They are all pairs that come nearer than `limit`, and the pair that comes nearest of all, unless
    it stays farther than was searched.

    limit  metres
    speed  the largest speed of any drone
    """
    reach = max(2 * limit, 1.0)
    pairs: dict[tuple[int, int], tuple[float, float]] = {}
    nearest = reach * reach
    for curves in _batches(flight, reach, speed):
        keys, owners = np.unique(curves.owners, return_inverse=True)
        curves = Curves(curves.points, owners, curves.begin, curves.duration)
        squares, times = smallest(curves, len(keys), TOLERANCE, limit * limit, nearest)
        nearest = min(nearest, float(squares.min()))
        for k in np.flatnonzero(squares <= max(limit * limit, nearest)):
            pair = divmod(int(keys[k]), len(flight.drones))
            distance = float(np.sqrt(max(squares[k], 0.0)))
            if distance < pairs.get(pair, (np.inf, 0.0))[0]:
                pairs[pair] = distance, float(times[k])
    return pairs, reach


def _batches(flight: Flight, reach: float, speed: float) -> Iterator[Curves]:
    """Yield squared distances of parts of the paths of pairs that may be nearer than `reach`."""
    pieces, count = _windowed(flight, reach, speed)
    numbers = len(flight.drones)
    low, high = pieces.points.min(axis=1), pieces.points.max(axis=1)
    keys, starts = np.unique(pieces.owners, return_index=True)
    sizes = np.diff([*starts, len(pieces.owners)])
    lower, upper = np.minimum.reduceat(low, starts), np.maximum.reduceat(high, starts)
    edges = np.searchsorted(keys // numbers, np.arange(count + 1))
    rows: list[tuple[Array, Array]] = []
    total = 0
    for a, b in pairwise(edges):
        first, second = _near(lower[a:b], upper[a:b], reach)
        for i in range(int(sizes[a:b].max(initial=0))):
            for j in range(int(sizes[a:b].max(initial=0))):
                both = (i < sizes[a + first]) & (j < sizes[a + second])
                rows.append((starts[a + first[both]] + i, starts[a + second[both]] + j))
                total += int(both.sum())
        if total > BATCH:
            yield _differences(pieces, rows, numbers)
            rows, total = [], 0
    if total:
        yield _differences(pieces, rows, numbers)


def _windowed(flight: Flight, reach: float, speed: float) -> tuple[Curves, int]:
    """Return the pieces cut at the edges of windows, and the number of windows.

    Owners are window times the number of drones plus drone, ascending.
    """
    pieces, span = flight.pieces, flight.end - flight.begin
    width = min(reach / max(speed, 1e-9), 2 * float(np.median(pieces.duration)), span)
    count = int(np.ceil(min(MAX_WINDOWS, max(1.0, span / width))))
    width = span / count
    first = np.floor((pieces.begin - flight.begin) / width + 1e-9).astype(int)
    last = np.ceil((pieces.begin + pieces.duration - flight.begin) / width - 1e-9).astype(int)
    parts = np.maximum(last - first, 1)
    source = np.repeat(np.arange(len(parts)), parts)
    offset = np.arange(len(source)) - np.repeat(np.cumsum(parts) - parts, parts)
    window = np.minimum(first[source] + offset, count - 1)
    last_end = (pieces.begin + pieces.duration)[source]
    begin = np.where(offset == 0, pieces.begin[source], flight.begin + window * width)
    end = np.where(offset == parts[source] - 1, last_end, flight.begin + (window + 1) * width)
    points = part_of(pieces.take(source), begin, end)[:, :, :3]
    owners = window * len(flight.drones) + pieces.owners[source]
    cut = Curves(points, owners, begin, end - begin)
    return cut.take(np.argsort(owners, kind="stable")), count


def _near(lower: Array, upper: Array, reach: float) -> tuple[Array, Array]:
    """Return the pairs of boxes whose gap is below `reach`, the smaller number first."""
    from scipy.spatial import cKDTree

    half, centre = (upper - lower) / 2, (upper + lower) / 2
    pairs = cKDTree(centre).query_pairs(
        reach + 2 * float(half.max(initial=0.0)), p=np.inf, output_type="ndarray"
    )
    first, second = pairs[:, 0], pairs[:, 1]
    gap = np.abs(centre[first] - centre[second]) - half[first] - half[second]
    close = np.square(np.maximum(gap, 0.0)).sum(axis=1) < reach * reach
    return first[close], second[close]


def _differences(pieces: Curves, rows: list[tuple[Array, Array]], numbers: int) -> Curves:
    """Return the squared distances of pairs of pieces in the time that they share."""
    first, second = (pieces.take(np.concatenate(side)) for side in zip(*rows, strict=True))
    begin = np.maximum(first.begin, second.begin)
    end = np.minimum(first.begin + first.duration, second.begin + second.duration)
    shared = np.flatnonzero(end - begin > 1e-12)
    first, second, begin, end = first.take(shared), second.take(shared), begin[shared], end[shared]
    squares = squared_norm(part_of(first, begin, end) - part_of(second, begin, end))
    owners = (first.owners % numbers) * numbers + second.owners % numbers
    return Curves(squares, owners, begin, end - begin)
